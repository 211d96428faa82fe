"""The settings of the Plan page: the methods on offer, and the control for ± x."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from sampleval.designs.between_rounds.schedule import for_people
from sampleval.intervals import LEVEL
from sampleval.metrics import resolve
from sampleval.planning import Precision
from sampleval.pool import Kind, Pool
from sampleval.presets import DEFAULT, PRESETS, Method, by_design, by_preset, tells_apart
from sampleval.study import method_name
from sampleval.surrogates import SHRINKAGE, Shrunk
from sampleval.surrogates.shrunk import Toward
from sampleval.ui import address

SENSIBLE_BUDGET = 300
NEAREST = 1e-9  # smallest ± x that can be asked for


@dataclass(frozen=True, slots=True)
class Wanted:
    """The settings that the controls describe.

    Attributes:
        metric: Pre-sampling metric, which the plan and the goal are about.
        recipe: Key of `recipes()`: a preset, or a design that no preset uses.
        budget: M.
        shrinkage: λ; ignored where the belief has none.
        toward: What scores are pulled towards; "" as the recipe has it.
        defensive: δ; ignored where the design has none.
        level: Of the intervals.
        seed: Makes every draw.
        own: A combination of one's own in place of the recipe.
        kind: Kind of the labels.
        goal: Half the width wanted, which the study is to aim at.
        apart: Whether the metric tells items of like score apart.
        people: How many label at the same time, for whom rounds are made large enough.
        also: Further metrics that the same sample is drawn for.
        watched: Whether its intervals are to hold at every look.
    """

    metric: str
    recipe: str
    budget: int
    shrinkage: float = SHRINKAGE
    toward: Toward | Literal[""] = ""
    defensive: float = 0.0
    level: float = LEVEL
    seed: int = 0
    own: Method | None = None
    kind: Kind = "binary"
    goal: float | None = None
    apart: bool = False
    people: int = 1
    also: tuple[str, ...] = ()
    watched: bool = False

    @property
    def metrics(self) -> list[str]:
        """The metrics that the sample is drawn for, which all count alike."""
        return [self.metric, *self.also]

    @property
    def base(self) -> Method:
        """The method before any setting."""
        return self.own or recipes(self.kind, apart=self.apart)[self.recipe]

    def method(self) -> Method:
        """The method with λ, the target of the shrinkage, δ and rounds for several people, as far as it has them."""
        return self.adapted(self.base)

    def adapted(self, base: Method) -> Method:
        """Another method with the same settings."""
        surrogate, design = base.surrogate, base.design
        if isinstance(surrogate, Shrunk):
            surrogate = replace(surrogate, shrinkage=self.shrinkage, toward=self.toward or surrogate.toward)
        if base.defensive is not None:
            design = replace(design, defensive=self.defensive)  # type: ignore[type-var]
        return replace(base, surrogate=surrogate, design=for_people(design, self.people))


def recipes(kind: Kind, *, apart: bool = False) -> dict[str, Method]:
    """The recipes for such labels and metrics: every preset that fits, then every design that no preset uses."""
    used = {preset.method.design.key for preset in PRESETS.values()}
    return by_preset(kind, apart=apart) | by_design(kind, beside=used)


def title_of(recipe: str, kind: Kind) -> str:
    """The name of a recipe, which differs from that of its design, since several presets share a design."""
    return method_name(recipe) if recipe in PRESETS else recipes(kind)[recipe].design.title


def drawn(kind: Kind, *, apart: bool) -> dict[str, tuple[str, Method]]:
    """Design → its name and method in pictures beside the chosen method, taken from the first recipe with this design.

    The name is that of the preset, unless several recipes share the design; then only the default keeps its name.
    """
    every = recipes(kind, apart=apart)
    used = Counter(method.design.key for method in every.values())
    found: dict[str, tuple[str, Method]] = {}
    for key, method in every.items():
        own = key in PRESETS and (used[method.design.key] == 1 or key == DEFAULT)
        found.setdefault(method.design.key, (PRESETS[key].title if own else method.design.title, method))
    return found


def about(recipe: str, kind: Kind) -> str:
    """What a recipe does, when it can be trusted for such labels, and where it was published."""
    if recipe not in PRESETS:
        return recipes(kind)[recipe].design.about
    preset = PRESETS[recipe]
    return f"{preset.does(kind)} {preset.validity(kind)} Source: {preset.source}."


def apart(pool: Pool) -> bool:
    """Whether a chosen metric treats items with the same score differently."""
    return tells_apart(map(resolve, [st.session_state["metric"], *st.session_state.get("also", ())]), pool)


def nearness(key: str, aim: Precision) -> address.Tie:
    """Arguments that tie the control for ± x to the address. Until the user sets it, it follows what the budget M reaches.

    Tied by Streamlit, a goal set on what is proposed would move with M, and the address would not tell it.
    """
    told = address.recall(key)
    if not (known := address.taken(told, NEAREST, aim.most)):
        address.refused(key, told)
    st.session_state[key] = float(told) if known else aim.usual
    address.remember(key, told if known else "")
    return address.Tie(key=key, on_change=address.on_its_page(lambda: settle_on(key, st.session_state[key])))


def settle_on(key: str, within: float) -> None:
    """Keep this ± x, whatever the budget M would reach. An emptied control, which has the smallest number, changes nothing."""
    if within > NEAREST:
        address.remember(key, f"{within:.12g}")


def allow(labels: float) -> None:
    """Set the budget's slider to this number, which need not be round."""
    address.remember("labels", f"{labels:.0f}")
