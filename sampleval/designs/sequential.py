"""Active testing: one item after the other without replacement, from a surrogate that learns (K)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import defensive
from sampleval.designs.aim import Linearise, Norm, check_linearise, check_norm
from sampleval.designs.base import Round, spent
from sampleval.designs.formulas import sized
from sampleval.designs.outlook import Outlook, look
from sampleval.designs.priority import filled, poisson_variance
from sampleval.designs.problem import Problem
from sampleval.designs.profile import Profile
from sampleval.designs.sample import Sample, Singles
from sampleval.designs.schedule import check_rounds, in_rounds, round_size
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence, Formulas


@dataclass(frozen=True, slots=True)
class Sequential:
    """Item m is drawn with q_m ∝ h among those left; the surrogate learns every `first` items.

    Attributes:
        first: Items drawn before the surrogate learns again; 1 is the paper's.
        growth: Share of the labels so far that are drawn at least before it learns again.
        norm: 1 for h = E|d|, K's expected loss; 2 for h = √E d².
        defensive: δ in [0, 1], the share of q spread evenly over the items left.
        linearise: Whether the metric is linearised at its estimate or where the belief predicts it.
        uncentred: Whether metrics take the plain-loss form with a known denominator, where they have one.
    """

    key: ClassVar[str] = "sequential"
    title: ClassVar[str] = "Active testing"
    about: ClassVar[str] = (
        "One item after the other, each chosen among those left by what the last labels have taught."
    )
    blind: ClassVar[bool] = False
    random_size: ClassVar[bool] = False
    makes: ClassVar[type] = Singles
    natural: ClassVar[str] = "lure"
    first: int = 1
    growth: float = 0.0
    norm: Norm = 1
    defensive: float = 0.0
    linearise: Linearise = "belief"
    uncentred: bool = False

    def __post_init__(self) -> None:
        check_rounds(self.first, self.growth)
        check_norm(self.norm)
        check_linearise(self.linearise)
        defensive(self.defensive)

    @property
    def methods(self) -> str:
        """In rounds, or all in one."""
        return in_rounds(
            "Items were drawn one after the other and without replacement, each among the items left in proportion to how "
            "far its label can be expected to move the metric (active testing, Kossen et al. 2021)",
            self.first,
        )

    @property
    def formulas(self) -> Formulas:
        """Its sizes by its norm, how items are drawn by them, and the weights that make up for it."""
        return (
            sized(self.norm),
            ("Each item is drawn among those left", r"q_m(n) \propto h_n"),
            (
                "The weights correct for drawing without replacement",
                r"v_m = 1 + \frac{N-M}{N-m}\Big(\frac{1}{(N-m+1)\,q_m}-1\Big)",
            ),
        )

    def look(self, problem: Problem, past: Sequence[Round], answers: Evidence) -> Outlook:
        """What the labels so far say of the items left; a pure function of them, for pictures too."""
        return look(
            problem, past, answers, norm=self.norm, defensive=self.defensive, linearise=self.linearise
        )

    def chances(self, problem: Problem, past: Sequence[Round], answers: Evidence) -> Floats:
        """h/Σh over the items left, (N,)."""
        return self.look(problem, past, answers).chances

    def open(self, problem: Problem, past: Sequence[Round], answers: Evidence, budget: int) -> Round | None:
        """The next items, drawn one after the other."""
        asked = spent(past)
        wanted = round_size(self.first, self.growth, asked, budget)
        if wanted == 0:
            return None
        h = self.look(problem, past, answers).size
        if not h.any():
            return None
        return Round(*successive(problem.round_uniforms(len(past)), h, wanted))

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """One round per item, with its q_m."""
        q = np.concatenate([np.empty(0), *(opened.facts for opened in past)])[:answered]
        return Singles.of(q, problem.population)

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """About b(M) of the first belief: successive draws without replacement come close to it."""
        return filled(problem, self.defensive, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """That of Poisson sampling at the same budget under the first belief."""
        return poisson_variance(profile, self.defensive, budgets)


def successive(u: Floats, h: Floats, wanted: int) -> tuple[Integers, Floats]:
    """Positions drawn one after the other with q ∝ h among those left, and the q_m of each, (k,) both.

    Exponential clocks of rate h, −log(u)/h, ring in the order of such draws.

    Args:
        u: Uniform numbers in (0, 1), (N,).
        h: Sizes, (N,), some of them positive.
        wanted: How many to draw, at least 1; fewer where fewer sizes are positive.
    """
    with np.errstate(divide="ignore"):
        clock = np.where(h > 0, -np.log(u) / h, np.inf)
    wanted = min(wanted, int(np.count_nonzero(h)))
    order = np.argpartition(clock, wanted - 1)[:wanted]
    order = order[np.argsort(clock[order], kind="stable")]
    drawn = h[order]
    left = h.sum() - np.concatenate([[0.0], np.cumsum(drawn)[:-1]])
    return order, np.minimum(drawn / left, 1.0)
