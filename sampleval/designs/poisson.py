"""Poisson sampling (Y: Bernoulli sampling) with inclusion probabilities by water-filling (Y Alg 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sampleval.designs.base import Round, continued
from sampleval.designs.latex import APART, sized
from sampleval.designs.priority import Priority, bernoulli
from sampleval.designs.problem import Problem
from sampleval.surrogates import Evidence


@dataclass(frozen=True, slots=True)
class Poisson(Priority):
    """Item n is in the sample with bₙ = min(1, κhₙ), independently (Y Alg 2); the number of labels is random.

    It is the queue, cut at the threshold κ. The complete sample is weighted by 1/b(M), a proper prefix like the queue.

    Attributes:
        defensive: δ in [0, 1], the share of h spread evenly over the pool.
    """

    key: ClassVar[str] = "poisson"
    title: ClassVar[str] = "Bernoulli sampling"
    about: ClassVar[str] = (
        "A separate coin decides on each item (Yilmaz et al.). The number of labels is random; the budget "
        "is its mean."
    )
    methods = (
        "Each item was included independently, with a probability proportional to how far its label can be expected "
        "to move the metric, cut at 1 (Poisson sampling, Yilmaz et al. 2021)"
    )
    formulas = (
        sized(),
        (
            "Each item is asked with its own chance; κ makes them sum to M",
            r"b_n = \min(1, \kappa h_n), \quad \sum_n b_n = M",
        ),
        ("The first item is certain from", r"M \ge \frac{\sum_n h_n}{\max_n h_n}"),
        APART,
    )
    random_size = True

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """All items with u < b(M), in one round."""
        scale = float(problem.profile.mixed(self.defensive)[1].scale(budget))
        return continued(*bernoulli(problem.uniforms, self.sizes(problem), scale), past)
