"""Poisson sampling (Y: Bernoulli sampling) with inclusion probabilities by water-filling (Y Alg 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sampleval._checks import defensive
from sampleval.designs.base import Round, continued
from sampleval.designs.latex import APART, sized
from sampleval.designs.priority import (
    admitted,
    bernoulli,
    enqueue,
    filled,
    poisson_variance,
    prefix,
    queue_wave,
    sizes,
)
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Inclusions, Sample
from sampleval.designs.waves import Wave
from sampleval.pool import Floats
from sampleval.surrogates import Evidence


@dataclass(frozen=True, slots=True)
class Poisson:
    """Item n is in the sample with bₙ = min(1, κhₙ), independently (Y Alg 2); the number of labels is random.

    Items are asked in queue order. The complete sample is weighted by 1/b(M), a proper prefix like the queue.

    Attributes:
        defensive: δ in [0, 1], the share of h spread evenly over the pool.
    """

    key: ClassVar[str] = "poisson"
    title: ClassVar[str] = "Bernoulli sampling"
    about: ClassVar[str] = (
        "A separate coin decides on each item (Yilmaz et al.). The number of labels is random; the budget "
        "is its mean."
    )
    blind: ClassVar[bool] = False
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
    makes = Inclusions
    natural = "horvitz-thompson"
    defensive: float = 0.0

    def __post_init__(self) -> None:
        defensive(self.defensive)

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """All items with u < b(M), in one round."""
        h, u = sizes(problem, self.defensive), problem.uniforms()
        scale = float(problem.profile.mixed(self.defensive)[1].scale(budget))
        order, queue = enqueue(u, h, admitted(u, h, scale))
        return continued(order, bernoulli(queue, scale), past)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample with b(M) once all items are answered, before that with the queue's threshold."""
        return prefix(past[-1].facts, answered, problem.population)

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """The prefix as one wave."""
        return [queue_wave(problem, self.defensive, past[-1].facts, answered)]

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """b(M) by water-filling."""
        return filled(problem, self.defensive, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """(1/N²) Σ (1/b − 1) E d² (Y eq 26)."""
        return poisson_variance(profile, self.defensive, budgets)
