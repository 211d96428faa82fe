"""Uniform sampling: equal probabilities, the baseline for all other designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import flag
from sampleval.designs.base import Round, continued
from sampleval.designs.importance import DrawSequence, drawn_order, prefix_draws, solve_draws
from sampleval.designs.inclusion import even_inclusion
from sampleval.designs.latex import sized, varying
from sampleval.designs.priority import Queue, enqueue, prefix
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Draws, Sample, Strata
from sampleval.designs.waves import Wave, decisions
from sampleval.pool import Floats
from sampleval.surrogates import Evidence, Formulas


@dataclass(frozen=True, slots=True)
class Uniform:
    """Simple random sampling.

    Attributes:
        replacement: Whether draws are with replacement; a repeated draw reuses the label and costs nothing.
    """

    key: ClassVar[str] = "uniform"
    title: ClassVar[str] = "Uniform sampling"
    about: ClassVar[str] = (
        "Every item has the same chance, whatever its score: the baseline for all other designs."
    )
    blind: ClassVar[bool] = True
    random_size = False
    replacement: bool = False

    def __post_init__(self) -> None:
        flag(self.replacement, "replacement")

    @property
    def methods(self) -> str:
        """How items were drawn, with replacement or without."""
        how = "with" if self.replacement else "without"
        return f"Items were drawn with equal chances, {how} replacement"

    @property
    def formulas(self) -> Formulas:
        """Equal probabilities and the variance; with replacement there is no finite-population correction."""
        same = sized(), ("Every item has the same chance", r"b_n = M / N")
        if self.replacement:
            drawn = "Draws that are expected to find M items", r"N\,\big(1 - (1 - \tfrac1N)^J\big) = M"
            return *same, drawn, varying(r"\frac1J\,\frac1N \sum_n \mathbb{E}_\pi d_n^2")
        return *same, varying(r"\Big(\frac1M - \frac1N\Big)\,\frac1N \sum_n \mathbb{E}_\pi d_n^2")

    @property
    def makes(self) -> type:
        """`Draws` with replacement, `Strata` without."""
        return Draws if self.replacement else Strata

    @property
    def natural(self) -> str:
        """Key of the default estimator of these samples."""
        return "importance-sampling" if self.replacement else "stratified"

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """All labels that the budget allows, in one round."""
        if self.replacement:
            drawn = drawn_order(problem, problem.eligible / problem.population, budget)
            return continued(drawn.order, drawn, past)
        order, queue = enqueue(problem.uniforms, problem.eligible.astype(float), budget)
        return continued(order, queue, past)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample as draws with equal probabilities, or as a single stratum without replacement."""
        if self.replacement:
            drawn: DrawSequence = past[-1].facts
            return prefix_draws(drawn, answered, problem.population)
        rows = np.arange(answered)
        return Strata(rows, np.zeros(answered, np.intp), np.array([problem.population]))

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """One wave: the queue with all sizes equal to 1, whose threshold stands in for k/N."""
        queue: Queue = past[-1].facts
        sample = prefix(queue, answered, problem.population)
        codes = int(decisions(problem).max(initial=0)) + 1
        return [Wave.of(sample, float(queue.keys[answered]), np.ones(codes))]

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """M/E for the E items that may be asked, (N,)."""
        return even_inclusion(problem.eligible, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """(1/M − 1/E)·(E/N)²·mean E d² over the E eligible items; with replacement 1/J for the first factor.

        J is the number of draws with M expected distinct items.
        """
        eligible = profile.eligible
        if self.replacement:
            left = 1 / solve_draws(np.array([1 / eligible]), np.array([float(eligible)]), budgets)
        else:
            left = np.maximum(1 / budgets - 1 / eligible, 0.0)
        return np.multiply.outer(left * eligible, profile.count @ profile.square) / profile.population**2
