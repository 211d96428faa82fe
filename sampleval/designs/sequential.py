"""Active testing: items drawn one by one without replacement, by a surrogate that is updated with the labels (K)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import defensive, flag
from sampleval.designs.base import Round, spent
from sampleval.designs.between_rounds.aim import Linearise, Norm, check_aim
from sampleval.designs.between_rounds.schedule import check_rounds, round_size
from sampleval.designs.between_rounds.updating import Updated, updated
from sampleval.designs.importance import equal_cost_inclusion
from sampleval.designs.latex import sized
from sampleval.designs.priority import Priority, earliest
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Sample, Singles
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence, Formulas


@dataclass(frozen=True, slots=True)
class Sequential:
    """Item m is drawn with q_m ∝ h among those left; the surrogate is updated every `first` items.

    Attributes:
        first: Items drawn between updates of the surrogate; 1 as in the paper.
        growth: Least number of items drawn between updates, as a share of the labels so far.
        norm: 1 for h = E|d|, K's expected loss; 2 for h = √E d².
        defensive: δ in [0, 1], the share of q spread evenly over the items left.
        linearise: Whether the metric is linearised at the estimate of R or at the predicted R.
        uncentred: Whether metrics that have a form with a known denominator are estimated in that form.
    """

    key: ClassVar[str] = "sequential"
    title: ClassVar[str] = "Active testing"
    about: ClassVar[str] = (
        "One item at a time, each chosen among the items that are left by what earlier labels have shown."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were drawn one after the other and without replacement, each among the items left in proportion to how "
        "far its label can be expected to move the metric (active testing, Kossen et al. 2021)"
    )
    random_size = False
    makes = Singles
    natural = "lure"
    first: int = 1
    growth: float = 0.0
    norm: Norm = 1
    defensive: float = 0.0
    linearise: Linearise = "belief"
    uncentred: bool = False

    def __post_init__(self) -> None:
        check_rounds(self.first, self.growth)
        check_aim(self.norm, self.linearise)
        defensive(self.defensive)
        flag(self.uncentred, "uncentred")

    @property
    def formulas(self) -> Formulas:
        """The sizes h, how items are drawn by them, and the weights that correct for it."""
        return (
            sized(self.norm),
            ("Each item is drawn among those left", r"q_m(n) \propto h_n"),
            (
                "The weights correct for drawing without replacement",
                r"v_m = 1 + \frac{N-M}{N-m}\Big(\frac{1}{(N-m+1)\,q_m}-1\Big)",
            ),
        )

    def updated(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Updated:
        """Belief and sizes after the labels so far, by this design's options."""
        return updated(
            problem, past, evidence, norm=self.norm, defensive=self.defensive, linearise=self.linearise
        )

    def chances(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Floats:
        """h/Σh over the items left, (N,)."""
        return self.updated(problem, past, evidence).chances

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The next items, drawn one after the other."""
        asked = spent(past)
        wanted = round_size(self.first, self.growth, asked, budget)
        if wanted == 0:
            return None
        h = self.updated(problem, past, evidence).size
        if not h.any():
            return None
        return Round(*successive(problem.round_uniforms(len(past)), h, wanted))

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample with one round per item, and q_m as its inclusion probability."""
        q = np.concatenate([np.empty(0), *(opened.facts for opened in past)])[:answered]
        return Singles.of(q, problem.population)

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """Approximately 1 − (1−q₁)^J, (N,), under the first belief, with J such that they sum to M.

        The order in which draws with replacement first meet the items is that of successive draws without it.
        """
        return equal_cost_inclusion(self.chances(problem, (), problem.held), budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Variance of Poisson sampling with h = √E d² at the same budget under the first belief, whatever the `norm`.

        With h = E|d| and scores that are right, real errors were 0.95 to 1.2 times as large. The variance of Poisson sampling
        with that h would be up to 2.7 times this one, nearly all of it from labels too improbable to be met.
        """
        return Priority(defensive=self.defensive).variance(profile, budgets)


def successive(u: Floats, h: Floats, wanted: int) -> tuple[Integers, Floats]:
    """Positions drawn one after the other with q ∝ h among those left, and the q_m of each, (k,) both.

    The order of independent exponential variables with rates h, (N,), −log(u)/h with u in (0, 1), has the distribution of
    such draws. There are as many as `wanted`, at least 1, or fewer if fewer sizes are positive, of which some must be.
    """
    order, _ = earliest(-np.log(u), h, min(wanted, int(np.count_nonzero(h))))
    drawn = h[order]
    left = h.sum() - np.concatenate([[0.0], np.cumsum(drawn)[:-1]])
    return order, np.minimum(drawn / left, 1.0)
