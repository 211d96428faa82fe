"""Importance sampling with replacement, q ∝ h (Y Alg 1), with a cap on labels or at equal expected cost (Y eq 81–83)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sampleval._checks import choice, defensive
from sampleval.designs.base import Round, continued
from sampleval.designs.inclusion import defended
from sampleval.designs.latex import sized, varying
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Draws, Sample
from sampleval.designs.streams import DRAWS, stream
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence

# Repeated draws cost time but no label. Drawing stops after this many draws per label.
DRAWS_PER_LABEL = 200


@dataclass(frozen=True, slots=True, eq=False)
class DrawSequence:
    """A sequence of draws with replacement.

    Attributes:
        order: Positions of the distinct items in the order of their first draw, (k,).
        rows: Place in `order` of the item of each draw, (J,).
        first: Number of draws before the first draw of each distinct item, and J at the end, (k+1,).
        proposal: q of the items in `order`, (k,).
    """

    order: Integers
    rows: Integers
    first: Integers
    proposal: Floats


@dataclass(frozen=True, slots=True)
class Importance:
    """Draws with replacement, q ∝ h (Y Alg 1); only an item's first draw costs a label.

    Attributes:
        defensive: δ in [0, 1], the share of q spread evenly over the pool (M 3.3.1).
        draws: "labels" does not count repeats and stops before the (M+1)-th new item, which is exactly
            unbiased. "equal-cost" makes the paper's fixed number M_IS of draws, with a random number of
            distinct items whose expectation is about M.
    """

    key: ClassVar[str] = "importance"
    title: ClassVar[str] = "Importance sampling"
    about: ClassVar[str] = (
        "Draws with replacement: items that matter more are drawn more often, and a repeated draw "
        "costs nothing (Yilmaz et al.)."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were drawn with replacement in proportion to how far a label can be expected to move the metric "
        "(importance sampling, Sawade et al. 2010)"
    )
    formulas = (
        sized(),
        ("Draws with replacement, in proportion to h", r"q_n = h_n / \sum_m h_m"),
        ("Chance of being asked in J draws; J makes them sum to M", r"\pi_n = 1 - (1 - q_n)^J"),
        varying(r"\frac{1}{J N^2}\sum_n \mathbb{E}_\pi d_n^2 / q_n"),
    )
    makes = Draws
    natural = "importance-sampling"
    defensive: float = 0.0
    draws: Literal["labels", "equal-cost"] = "labels"

    def __post_init__(self) -> None:
        defensive(self.defensive)
        choice(self.draws, ("labels", "equal-cost"), "draws")

    @property
    def random_size(self) -> bool:
        """Whether the number of distinct items is random, as it is at equal cost."""
        return self.draws == "equal-cost"

    def proposal(self, problem: Problem) -> Floats:
        """The proposal q, (N,), summing to 1 over the items that may be asked."""
        return defended(problem.size, self.defensive, problem.eligible)

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """All labels that the budget allows, in one round."""
        q = self.proposal(problem)
        if not q.any():
            return None
        fixed = equal_cost_draws(q, budget) if self.draws == "equal-cost" else None
        drawn = drawn_order(problem, q, budget, draws=fixed)
        return continued(drawn.order, drawn, past)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The draws before the first draw of an unanswered item."""
        return prefix_draws(past[-1].facts, answered, problem.population)

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """1 − (1−q)^M_IS (Y eq 81–83), with M_IS rounded up to a whole number only at equal cost."""
        return equal_cost_inclusion(self.proposal(problem), budget, whole=self.random_size)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """(1/M_IS)·(1/N²) Σ E d²/q (Y eq 79)."""
        h, waterline = profile.mixed(self.defensive)
        total = float(waterline.tail[0])
        if not total > 0:
            return np.zeros((len(budgets), *profile.square.shape[1:]))
        even = self.defensive / profile.eligible
        proposal = np.append(h, even) / total
        draws = solve_draws(proposal, np.append(profile.count, profile.idle), budgets)
        one = total * profile.count @ (profile.square.T / h).T / profile.population**2
        made = np.maximum(np.ceil(draws - 1e-6) if self.random_size else draws, 1.0)
        return np.multiply.outer(1 / made, one)


def drawn_order(problem: Problem, q: Floats, budget: int, *, draws: int | None = None) -> DrawSequence:
    """Draws from q until the (M+1)-th new item, or exactly `draws` of them.

    Items are arranged in hash order, so that permuting the pool changes nothing. A larger budget only
    appends to the same sequence. With a stochastic oracle every draw costs a label, so that the number
    of draws is the budget.
    """
    along = problem.by_hash[q[problem.by_hash] > 0]
    cumulative = np.cumsum(q[along])
    rng = stream(problem.entropy, DRAWS)
    if problem.stochastic:
        drawn, rows = along[positions(cumulative, budget, rng)], np.arange(budget)
        return DrawSequence(drawn, rows, np.append(rows, budget), q[drawn])
    wanted = min(budget + 1, len(along)) if draws is None else len(along) + 1
    limit = DRAWS_PER_LABEL * (budget + 1) if draws is None else draws
    pieces: list[Integers] = []
    total, distinct = 0, np.empty(0, np.intp)
    while total < limit and len(distinct) < wanted:
        size = min(max(1024, 2 * (budget + 1)), limit - total)
        pieces.append(along[positions(cumulative, size, rng)])
        total += size
        distinct = np.union1d(distinct, pieces[-1])
    return _sequence(np.concatenate(pieces), q, budget if draws is None else total)


def positions(cumulative: Floats, draws: int, rng: np.random.Generator) -> Integers:
    """Positions drawn with replacement, (draws,), with probabilities in proportion to the steps of `cumulative`."""
    at = np.searchsorted(cumulative, rng.random(draws) * cumulative[-1], side="right")
    return np.minimum(at, len(cumulative) - 1)


def _sequence(drawn: Integers, q: Floats, most: int) -> DrawSequence:
    """The sequence of these draws up to the first draw of the (`most` + 1)-th distinct item."""
    items, first, inverse = np.unique(drawn, return_index=True, return_inverse=True)
    by_first = np.argsort(first)
    place = np.empty(len(items), np.intp)
    place[by_first] = np.arange(len(items))
    kept = min(most, len(items))
    end = first[by_first[kept]] if kept < len(items) else len(drawn)
    order = items[by_first[:kept]]
    return DrawSequence(order, place[inverse[:end]], np.append(first[by_first[:kept]], end), q[order])


def prefix_draws(drawn: DrawSequence, answered: int, population: int) -> Draws:
    """The draws before the first draw of an unanswered item, which give unbiased estimates at every prefix."""
    rows = drawn.rows[: drawn.first[answered]]
    return Draws.of(rows, drawn.proposal[rows], population)


def drawn_at_least_once(proposal: Floats, draws: float) -> Floats:
    """πₙ = 1 − (1−qₙ)^M, (N,): inclusion probabilities in M draws with replacement (Y eq 81)."""
    with np.errstate(divide="ignore"):
        return -np.expm1(draws * np.log1p(-np.minimum(proposal, 1.0)))


def equal_cost_inclusion(proposal: Floats, budget: int, *, whole: bool = False) -> Floats:
    """Inclusion probabilities π, (N,), in the number of draws with M expected distinct items (Y eq 81–83).

    Args:
        proposal: q, (N,).
        budget: M; if no number of draws is expected to reach so many items, π = 1 for q > 0.
        whole: Whether the number of draws is M_IS, a whole number; otherwise it is such that Σπ = M exactly.
    """
    q = proposal[proposal > 0]
    if budget >= len(q):
        return (proposal > 0).astype(float)
    draws = equal_cost_draws(q, budget) if whole else _draws(q, budget)
    assert draws is not None
    return drawn_at_least_once(proposal, draws)


def _draws(q: Floats, budget: int) -> float:
    """Number of draws, not rounded, with `budget` expected distinct items."""
    return float(solve_draws(q, np.ones(len(q)), np.array([budget], float))[0])


def equal_cost_draws(proposal: Floats, budget: int) -> int | None:
    """M_IS: the smallest number of draws with Σπₙ ≥ M expected distinct items (Y eq 83).

    `None` if M ≥ #{q > 0}, since no number of draws is expected to reach every item.
    """
    q = proposal[proposal > 0]
    if budget >= len(q):
        return None
    draws = max(_draws(q, budget) - 1e-9, 0.0)
    below, above = np.floor(draws), np.ceil(draws)
    return int(below if drawn_at_least_once(q, below).sum() >= budget - 1e-9 else above)


def solve_draws(proposal: Floats, count: Floats, budgets: Floats) -> Floats:
    """Number of draws M, not rounded, with Σ count·(1 − (1−q)^M) = budget, (B,); infinite if there is none.

    The expected number of distinct items is concave in M, so Newton steps from below approach the solution
    monotonically.

    Args:
        proposal: q of K items, or of the items in K groups, (K,).
        count: Items in each group, (K,).
        budgets: Expected number of distinct items, (B,).
    """
    within = budgets < count[proposal > 0].sum()
    rate = -np.log1p(-np.minimum(proposal, 1 - 1e-16))
    draws = np.where(within, budgets, np.inf)  # M draws find at most M items: start at or below the root
    for b in np.flatnonzero(within):
        for _ in range(200):
            left = np.exp(-rate * draws[b])
            step = (budgets[b] - count @ (1 - left)) / (count @ (rate * left))
            draws[b] += step
            if step <= 1e-9 * draws[b] + 1e-12:
                break
    return draws
