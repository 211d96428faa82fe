"""A combination of one's own: what to believe, whom to ask, what to conclude, with what does not fit greyed out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from sampleval._checks import retold
from sampleval.pool import Kind, Pool
from sampleval.presets import (
    AXES,
    DEFAULT,
    PRESETS,
    Axis,
    Method,
    companion,
    misfit,
    namesakes,
    reasons,
    usual_interval,
)
from sampleval.ui import shell, words
from sampleval.ui.plan import planner, trust

WORDS: dict[Axis, tuple[str, str]] = {
    "surrogate": ("What do you believe? (surrogate)", "What is held of each label before it is known."),
    "design": ("Whom do you ask? (design)", "With what chance each item comes in, and in what order."),
    "estimator": ("What do you conclude? (estimator)", "How the answers are weighed."),
}
# What the library calls by the name of a task.
LABELS = {
    "binary labels": "two classes",
    "multiclass labels": "more than two classes",
    "multilabel labels": "sets of labels",
    "regression labels": "numbers",
}


def axes(base: Method, kind: Kind) -> Method | None:
    """Three choices, one per axis; `None`, with the reason shown, while they do not fit together.

    Args:
        base: Where the choices begin.
        kind: Kind of the pool's labels.
    """
    st.caption("Grey choices do not fit the others; beside each is why. A design brings the others it needs.")
    cell = base
    for axis, (question, help_) in WORDS.items():
        registry, key = AXES[axis], f"axis_{axis}"
        why = reasons(chosen(base), axis, kind)
        options: list[str] = list(registry)
        name = st.radio(
            question,
            options,
            format_func=partial(label, registry=registry, why=why, kind=kind),
            captions=[
                f":gray[{words.sentence(in_titles(why[o], kind))}]"
                if why[o]
                else words.of_labels(registry[o].about, kind)
                for o in options
            ],
            help=help_,
            **shell.bound(
                key,
                options,
                getattr(base, axis).key,
                then=None if axis == "estimator" else partial(bring_along, base, axis),
            ),
        )
        cell = replace(cell, **{axis: part(base, axis, name)})
    cell = replace(cell, interval=interval_of(cell, base))
    if reason := misfit(cell, kind):
        st.warning(f"These three do not fit: {in_titles(reason, kind)}.", icon=":material/block:")
        return None
    st.caption(known_as(cell, kind))
    return cell


def in_titles(reason: str, kind: Kind) -> str:
    """A reason with the choices called as they are here.

    Args:
        reason: As the library says it.
        kind: Kind of the pool's labels.

    >>> in_titles("`design` 'targeted' samples the cells of surrogate 'calibration'; use the two together", "binary")
    'design “Targeted cells” samples the cells of surrogate “Calibration curve”; use the two together'
    >>> in_titles("`surrogate` 'trees' is not made for multilabel labels", "multilabel")
    'surrogate “trees” is not made for sets of labels'
    """
    titles: dict[str, dict[str, str]] = {
        axis: {key: kind.title for key, kind in registry.items()} for axis, registry in AXES.items()
    }
    first = reason.partition("`")[2].partition("`")[0]  # what is offered instead stands on its axis
    alone = {key: title for known in titles.values() for key, title in known.items()} | titles.get(first, {})

    def title(found: re.Match[str]) -> str:
        axis, key = found.groups(default="")
        return f"{axis} “{titles.get(axis, alone).get(key, key)}”".strip()

    said = re.sub(r"(?:`?(surrogate|design|estimator)`? )?'([\w-]+)'", title, reason).replace("`", "")
    return words.of_labels(retold(said, LABELS), kind)


def label(option: str, registry: Mapping[str, Any], why: Mapping[str, str], kind: Kind) -> str:
    """A choice's title, grey where it does not fit."""
    title = words.of_labels(str(registry[option].title), kind)
    return f":gray[{title}]" if why[option] else title


def chosen(base: Method) -> Method:
    """The cell that the controls stand at."""
    names = {axis: shell.recall(f"axis_{axis}") for axis in WORDS}
    parts = {axis: part(base, axis, name) for axis, name in names.items() if name in AXES[axis]}
    return replace(base, **parts)


def part(base: Method, axis: Axis, name: str) -> Any:
    """The base's own part with its options where it is still chosen, else one with default options."""
    own = getattr(base, axis)
    return own if own.key == name else AXES[axis][name]()


def take_other(pool: Pool) -> None:
    """Move λ and δ where the method is another one for another metric."""
    kind, name = pool.task.kind, st.session_state.get("method", DEFAULT)
    if planner.recipes(kind)[name] != planner.recipes(kind, apart=True)[name]:
        take_defaults(pool)


def take_own(pool: Pool) -> None:
    """Move λ and δ where a combination made before comes or goes; as set they stay where it is the method itself."""
    if chosen(base := _base(pool)) != base:
        take_defaults(pool)


def take_defaults(pool: Pool) -> None:
    """Move λ, its target and δ to those of the method that now stands there, a combination where one is made."""
    base = _base(pool)
    trust.settle(chosen(base) if st.session_state.get("combine") else base)


def _base(pool: Pool) -> Method:
    """The method that stands there, where a combination begins."""
    return planner.recipes(pool.task.kind, apart=planner.apart(pool))[st.session_state.get("method", DEFAULT)]


def bring_along(base: Method, axis: Axis) -> None:
    """After a change of design move the other two to what goes with it; λ and δ follow belief and design."""
    cell = chosen(base)
    if axis == "design":
        shell.remember("axis_surrogate", companion(cell.design, cell.surrogate).key)
        shell.remember("axis_estimator", cell.design.natural)
    trust.settle(chosen(base))


def interval_of(cell: Method, base: Method) -> str:
    """The interval that goes with the estimator."""
    return usual_interval(cell.estimator, "korn-graubard" if base.interval == "posterior" else base.interval)


def known_as(cell: Method, kind: Kind) -> str:
    """The presets that this combination stands for with labels of this kind, in words."""
    same = [name for name in namesakes(cell, kind) if PRESETS[name].suits(kind)]
    if not same:
        return "A combination of your own: no published method is made of these three."
    return f"The same three parts as {' and '.join(same)}; options may differ."
