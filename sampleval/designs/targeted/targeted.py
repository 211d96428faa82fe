"""Targeted cells: each round samples the cells whose labels reduce the uncertainty of the metric most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs.base import Round, queued, unasked
from sampleval.designs.between_rounds.schedule import check_rounds, round_size
from sampleval.designs.latex import sized
from sampleval.designs.priority import Priority
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import CellSample, Sample, Successive
from sampleval.designs.streams import ROUNDS, stream
from sampleval.designs.targeted.allocation import Allocation, allocate
from sampleval.designs.targeted.curve import Curved, effect, foresight, model_of
from sampleval.metrics import between_systems
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import Evidence

LEAST = 1e-9
CELLS = "`design` 'targeted' samples the cells of surrogate 'calibration'; use the two together"


@dataclass(frozen=True, slots=True, eq=False)
class TargetedFacts:
    """The facts about a targeted round from which its sample is made.

    Attributes:
        before: Rows queued before it.
        nominal: Planned number of labels, not cut by the budget.
        expected: Expected labels of each cell under its allocation, (K,).
        left: Items of each cell that could be asked, (K,).
        foresight: The curve's predictions for all items at the start of the round.
    """

    before: int
    nominal: int
    expected: Floats
    left: Integers
    foresight: Curved


@dataclass(frozen=True, slots=True)
class Targeted:
    """A stratified sample in rounds, each allocated to the cells by the posterior after the labels so far.

    At first nine tenths of a round, and less than half once there are many labels, go to the cells whose labels lower the
    posterior variance of the metric most. The rest is spread by Neyman allocation. Within a cell items are taken in hash
    order, so that each cell's labels are a simple random sample of it.

    Attributes:
        first: Labels in the first rounds.
        growth: Later rounds ask for this share of the labels so far.
    """

    key: ClassVar[str] = "targeted"
    title: ClassVar[str] = "Targeted cells"
    about: ClassVar[str] = (
        "Asks in rounds where labels would tell the most about the metric, at random among items of similar score."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were drawn without replacement in rounds, in part from the ranges of scores whose labels would tell most "
        "about the metric, in part from those whose labels are least certain, at random within a range"
    )
    formulas = (
        sized(),
        (
            "Items of similar score make a cell; a curve learned from the labels says how likely each is positive",
            r"\pi_k \mid \text{labels}",
        ),
        (
            "A round goes where a label lowers the posterior variance of the metric most",
            r"\operatorname{Var}\big(g(R) \mid \text{labels}\big)",
        ),
    )
    random_size = False
    makes = CellSample
    natural = "posterior"
    first: int = 10
    growth: float = 0.2

    def __post_init__(self) -> None:
        check_rounds(self.first, self.growth)

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The next labels, allocated to cells from all labels so far."""
        done = queued(past)
        taken = model_of(problem).cells.tally(done).astype(np.intp)
        left = sizes(problem) - taken
        # The round is planned whole and then cut, so that a larger budget begins with the same items.
        size = self._size(len(done), left)
        plan = allocation(problem, evidence, left, size)
        rng = stream(problem.entropy, ROUNDS, len(past))
        chosen = plan.shuffled(rng)[: max(budget - len(done), 0)]
        facts = TargetedFacts(len(done), size, plan.expected, left, foresight(problem, evidence))
        return Round(following(problem, chosen, taken), facts) if len(chosen) else None

    def chances(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Floats:
        """Probability that each item is the next one asked, (N,)."""
        cells, done = model_of(problem).cells, queued(past)
        left = sizes(problem) - cells.tally(done).astype(np.intp)
        size = self._size(len(done), left)
        share = share_of(allocation(problem, evidence, left, size).expected, left) / max(size, 1)
        able = unasked(problem, past) & problem.target.possible
        return np.where(able, share[cells.code], 0.0)

    def _size(self, done: int, left: Integers) -> int:
        return round_size(self.first, self.growth, done, done + int(left.sum()))

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The simple random samples of the cells, with the inclusion probabilities of each round."""
        cells = model_of(problem).cells
        code, rows = cells.code[queued(past)[:answered]], np.arange(answered)
        facts: list[TargetedFacts] = [r.facts for r in past if r.facts.before < answered]
        counted = np.diff([f.before for f in facts], append=answered).astype(float)
        planned = np.array([float(f.nominal) for f in facts])
        round_ = np.repeat(np.arange(len(facts)), counted.astype(np.intp))
        chance = np.stack([share_of(f.expected, f.left) for f in facts])[round_, code]
        rounds = Successive(
            rows,
            round_,
            chance * (counted / planned)[round_],
            counted,
            planned,
            problem.population,
            np.ones(len(facts), bool),
            tuple(f.foresight for f in facts),
        )
        return CellSample(rows, code, sizes(problem), rounds=rounds, apart=kinds(problem))

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """Inclusion probabilities if the whole budget were allocated in one round, (N,)."""
        left = sizes(problem)
        size = min(budget, int(left.sum()))
        share = share_of(allocation(problem, problem.held, left, size).expected, left)
        share = np.maximum(share, LEAST)  # labels may send a later round anywhere
        return np.where(matters(problem), share[model_of(problem).cells.code], 0.0)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Variance of Poisson sampling under the same belief, an upper bound: that design does not learn between rounds."""
        return Priority().variance(profile, budgets)


def allocation(problem: Problem, evidence: Evidence, left: Integers, size: int) -> Allocation:
    """Number of the next `size` labels that each cell gets, given these labels."""
    model, evidence = model_of(problem), problem.sampled(evidence)
    belief = model.posterior(evidence)
    stakes = np.concatenate(
        [np.sqrt(weight) * effect(problem, m, belief) for m, weight in problem.joint_weights.items()]
    )
    return allocate(model.cells, belief, stakes, model.cells.tally(evidence.index), left, size)


def share_of(expected: Floats, left: Integers) -> Floats:
    """Inclusion probability of the items of each cell in the round, (K,) in [0, 1]."""
    return np.minimum(expected / np.maximum(left, 1), 1.0)


def following(problem: Problem, chosen: Integers, taken: Integers) -> Integers:
    """Positions of the next items of the chosen cells, (n,), given how many were `taken` of each cell before, (K,).

    They are items that may be asked and whose labels can matter, in hash order within a cell.
    """

    def make() -> tuple[Integers, Integers]:
        cells = model_of(problem).cells
        items = problem.by_hash[matters(problem)[problem.by_hash]]
        # NumPy sorts 16-bit integers by radix, ten times faster.
        order = items[np.argsort(cells.code[items].astype(np.int16), kind="stable")]
        return order, np.searchsorted(cells.code[order], np.arange(len(cells)))

    order, start = problem.once("following", make, problem.entropy)
    by_cell = np.argsort(chosen, kind="stable")
    rank = np.empty(len(chosen), np.intp)
    rank[by_cell] = np.arange(len(chosen)) - np.searchsorted(chosen[by_cell], chosen[by_cell])
    return order[start[chosen] + taken[chosen] + rank]


def sizes(problem: Problem) -> Integers:
    """Items of each cell that may be asked and whose labels can matter, (K,): all that a plan needs, which draws none."""
    cells = model_of(problem).cells
    return problem.once("sizes", lambda: np.bincount(cells.code[matters(problem)], minlength=len(cells)))


def kinds(problem: Problem) -> Flags:
    """Which cells are of the second kind, (K,): predicted positive or, in a sample drawn for a difference of systems, disputed."""
    cells = model_of(problem).cells
    if any(between_systems(metric) for metric in problem.metrics):
        return cells.disputed
    return cells.decisions.all(axis=1) & (cells.decisions.shape[1] == 1)


def matters(problem: Problem) -> Flags:
    """Items that may be asked and whose label can move a target metric, (N,)."""
    return problem.eligible & problem.target.possible
