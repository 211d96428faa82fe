"""The labelling queue: priority sampling, in which every prefix is a valid sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import defensive
from sampleval.designs.base import Round, continued
from sampleval.designs.inclusion import spread_sizes, water_fill
from sampleval.designs.latex import APART, sized
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Inclusions, Sample
from sampleval.designs.waves import Wave, least_sizes
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence


@dataclass(frozen=True, slots=True, eq=False)
class Queue:
    """The queued items of a priority sample.

    Attributes:
        keys: u/h of the queued items in rising order, then the threshold of all of them, (k+1,): the next item's key, infinite
            past the last one, or κ of a Bernoulli sample.
        h: Sizes of the queued items, (k,).
        bernoulli: Whether it is a Bernoulli sample, whose size is random.
    """

    keys: Floats
    h: Floats
    bernoulli: bool = False


@dataclass(frozen=True, slots=True)
class Priority:
    """Items in rising order of u/h; with the (k+1)-th key as threshold, the first k give unbiased estimates of sums.

    After Duffield, Lund & Thorup (J. ACM 2007), in survey sampling sequential Poisson sampling
    (Ohlsson 1998).

    Attributes:
        defensive: δ in [0, 1], the share of h spread evenly over the pool.
    """

    key: ClassVar[str] = "priority"
    title: ClassVar[str] = "Labelling queue"
    about: ClassVar[str] = (
        "A queue in which items that matter more come earlier. Stop or extend at any label; never "
        "more labels than you allow."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were queued by priority sampling (Duffield, Lund and Thorup 2007; sequential Poisson sampling, "
        "Ohlsson 1998), with sizes proportional to how far a label can be expected to move the metric; any number "
        "of answers from the head of this queue is a valid sample"
    )
    formulas = (
        sized(),
        (
            "One random number per item, from its id and the seed; the queue runs in rising order of",
            r"u_n / h_n",
        ),
        ("After k answers the k+1-th value τ gives the chances", r"b_n = \min(1, \tau h_n)"),
        APART,
    )
    random_size = False
    makes = Inclusions
    natural = "horvitz-thompson"
    defensive: float = 0.0

    def __post_init__(self) -> None:
        defensive(self.defensive)

    def sizes(self, problem: Problem) -> Floats:
        """h, (N,), in the defensive mixture; 0 for held items, and where no label matters."""
        return spread_sizes(problem.size, self.defensive, problem.eligible)

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The first M items of the queue."""
        order, queue = enqueue(problem.uniforms, self.sizes(problem), budget)
        return continued(order, queue, past)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample of the first k items, with b = min(1, τh) and τ the (k+1)-th key."""
        return prefix(past[-1].facts, answered, problem.population)

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """The prefix as one wave."""
        queue: Queue = past[-1].facts
        sample = prefix(queue, answered, problem.population)
        least = problem.once(
            ("least", self.defensive), lambda: least_sizes(problem, self.sizes(problem), problem.eligible)
        )
        return [Wave.of(sample, float(queue.keys[answered]), least)]

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """b(M) = min(1, κh) by water-filling."""
        return water_fill(self.sizes(problem), budget, waterline=problem.profile.mixed(self.defensive)[1])

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """(1/N²) Σ (1/b − 1) E d² (Y eq 26, 80): that of Poisson sampling, close to that of the queue from M = 2 on."""
        h, waterline = profile.mixed(self.defensive)
        with np.errstate(divide="ignore"):
            b = np.minimum(1.0, waterline.scale(budgets)[:, None] * h[None, :])
            return ((1 / b - 1) * profile.count) @ profile.square / profile.population**2


def enqueue(u: Floats, h: Floats, budget: int) -> tuple[Integers, Queue]:
    """The first M positions in rising order of u/h, (k,), k ≤ M, and their `Queue` with the key of the next item."""
    size = min(budget, int(np.count_nonzero(h)))
    order, keys = earliest(u, h, size + 1)
    upto = np.append(keys, np.inf)[: size + 1]  # no next item after the last one
    return order[:size], Queue(upto, h[order[:size]])


def earliest(time: Floats, rate: Floats, most: int) -> tuple[Integers, Floats]:
    """The positions of the smallest times t/r in rising order, and these, (k,) both, k ≤ `most`; infinite for rate r = 0.

    Times t > 0 and rates r ≥ 0 are (N,).
    """
    with np.errstate(divide="ignore"):
        keys = time / rate
    first = np.argpartition(keys, most - 1)[:most] if most <= len(keys) else np.arange(len(keys))
    order = first[np.argsort(keys[first], kind="stable")]
    return order, keys[order]


def prefix(queue: Queue, answered: int, population: int) -> Inclusions:
    """The sample of the first k items, with b from the threshold τ: weights from κ would be biased.

    Only all items of a Bernoulli sample together have the threshold κ, and a variance even if there is but one.
    """
    threshold = queue.keys[answered]
    inclusion = np.minimum(1.0, threshold * queue.h[:answered])
    measurable = answered > 1 or np.isinf(threshold) or complete(queue, answered)
    return Inclusions(np.arange(answered), inclusion, population, measurable)


def complete(queue: Queue, answered: int) -> bool:
    """Whether these are all items of a Bernoulli sample, so that its threshold κ applies."""
    return queue.bernoulli and answered == len(queue.h)


def bernoulli(u: Floats, h: Floats, scale: float, most: int | None = None) -> tuple[Integers, Queue]:
    """The Bernoulli sample of the items with u < κh in rising order of u/h, (k,), as `enqueue` gives them; `scale` is κ.

    Uniform numbers u and sizes h are (N,). The head of a sample larger than `most` is no Bernoulli sample but a queue.
    """
    with np.errstate(invalid="ignore"):
        size = int(np.count_nonzero((h > 0) & (u < scale * h)))
    if most is not None and size > most:
        return enqueue(u, h, most)
    order, queue = enqueue(u, h, size)
    return order, Queue(np.append(queue.keys[:-1], scale), queue.h, bernoulli=True)
