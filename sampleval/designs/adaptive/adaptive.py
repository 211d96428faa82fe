"""Adaptive importance sampling: the proposal is updated with the labels between rounds (M Alg 1, O)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sampleval._checks import choice, defensive, fail, flag, nonnegative
from sampleval.designs.adaptive.drawing import DrawFacts, draw, draw_anew
from sampleval.designs.adaptive.proposal import Proposal, cells_belief, pooled
from sampleval.designs.base import Round, queued, spent
from sampleval.designs.between_rounds.aim import Linearise, Norm, Rest, aim_at, check_aim, silent_labels
from sampleval.designs.between_rounds.schedule import check_rounds, round_size
from sampleval.designs.importance import Importance, equal_cost_inclusion
from sampleval.designs.inclusion import defensive_mixture
from sampleval.designs.latex import sized
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import NOBODY, Draws, Sample
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.surrogates import Evidence, Formulas

# If a round counted in draws is expected to find fewer new items than this, it is counted in labels instead.
HOPELESS = 1e-3


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Draws with replacement in rounds, each with a proposal based on all labels before it (M Alg 1).

    A deterministic oracle labels an item once: repeated draws reuse the label and cost nothing, and a round of M labels
    ends with the draw of its M-th new item, the last round just before that of the (M+1)-th. With a stochastic oracle every
    draw is asked.

    Attributes:
        first: Labels asked in the first round; 0 for the whole budget in one round.
        growth: Least size of a later round as a share of the labels so far; 0 keeps all rounds as large as the first, as
            `counts` "draws" requires.
        counts: "labels" sizes rounds by new labels; "draws" by draws, as in M's Algorithm 1, which makes
            the estimate exactly unbiased for sums after a number of rounds fixed beforehand, none of them cut by the budget.
        norm: 1 for q ∝ E_π‖d‖, M's choice for a deterministic oracle; 2 for √E_π‖d‖², its choice for a stochastic one
            (M Prop. 2).
        floor: ε₀ ≥ 0: lower bound of ‖d‖, or of ‖d‖² for norm 2, where ℓ ≠ 0. It shrinks with the share of
            unlabelled items, or as 1/(t+1) with a stochastic oracle.
        defensive: δ in [0, 1], the share of q spread evenly over the pool; OASIS's ε.
        by: "item", or one q for all items of a stratum: "stratum" with the root of the pooled squares,
            "stratum-added" with the roots added, as printed in the OASIS paper.
        linearise: Whether the metric is linearised at the estimate of R or at the predicted R.
        uncentred: Whether metrics that have M's own form with a known denominator are estimated in that form.
    """

    key: ClassVar[str] = "adaptive"
    title: ClassVar[str] = "Adaptive importance sampling"
    about: ClassVar[str] = (
        "Draws in rounds, each aimed with the labels of earlier rounds; drawing an item again costs no label."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were drawn with replacement in rounds, each in proportion to how far a label can be expected to move "
        "the metric after the labels before it (adaptive importance sampling, Marchant and Rubinstein 2021)"
    )
    random_size = False
    makes = Draws
    natural = "adaptive-importance-sampling"
    first: int = 10
    growth: float = 0.0
    counts: Literal["labels", "draws"] = "labels"
    norm: Norm = 1
    floor: float = 1e-3
    defensive: float = 0.0
    by: Literal["item", "stratum", "stratum-added"] = "item"
    linearise: Linearise = "estimate"
    uncentred: bool = False

    def __post_init__(self) -> None:
        check_rounds(self.first, self.growth)
        if choice(self.counts, ("labels", "draws"), "counts") == "draws" and self.growth:
            fail(
                "growth", "must be 0 where rounds count draws", self.growth, remedy="they are all of one size"
            )
        choice(self.by, ("item", "stratum", "stratum-added"), "by")
        check_aim(self.norm, self.linearise)
        defensive(self.defensive)
        nonnegative(self.floor, "floor", remedy="0 sets no floor")
        flag(self.uncentred, "uncentred")

    @property
    def formulas(self) -> Formulas:
        """The sizes h, and how rounds are drawn and combined."""
        return (
            sized(self.norm),
            (
                "Each round draws with replacement from a proposal made from all labels before it",
                r"q_t(n) \propto h_n \text{ under } \pi_t",
            ),
            (
                "The estimate weighs every draw by the proposal it came from",
                r"\hat R = \frac1J \sum_j \frac{\ell_j}{N q_{t(j)}(n_j)}",
            ),
        )

    def propose(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Proposal:
        """The proposal q_t given the labels so far: M's for single items, or OASIS's with one value per stratum.

        It is a pure function of the labels, also used for plots. All rows queued so far are answered.
        """
        cells, queue, asked = problem.cells, queued(past), evidence.index[len(problem.held) :]
        belief, labelled = cells_belief(problem, evidence), np.bincount(cells.of[asked], minlength=len(cells))
        rest = Rest(cells.typical, belief, cells.count - (0 if problem.stochastic else labelled))
        aim = aim_at(problem, evidence, rest, self.linearise)
        unlabelled = 1 - len(evidence) / problem.pool.size
        floor = self.floor * (1 / (len(past) + 1) if problem.stochastic else unlabelled)
        size = aim.expected(cells.typical, belief, norm=self.norm, floor=floor)
        if self.by != "item":
            size = pooled(size, cells, self.by)
        if problem.stochastic:
            unqueued, row = cells.count, np.empty(0)
        else:
            of = cells.of[queue]
            unqueued, row = cells.count - np.bincount(of, minlength=len(cells)), size[of]
            if self.by == "item":
                at = np.isin(queue, asked)  # skipped rows are not part of the evidence
                items, labels = problem.pool.items.take(queue[at]), evidence.labels[len(problem.held) :]
                row[at] = aim.known(items, labels, norm=self.norm, floor=floor)
        total, able = float(unqueued @ size + row.sum()), float(cells.count.sum())
        cell, row = (defensive_mixture(h, total, self.defensive, able) for h in (size, row))
        return Proposal(cells, unqueued, cell, queue, row)

    def chances(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Floats:
        """q of every item, (N,)."""
        return self.propose(problem, past, evidence).of_items()

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The next round of draws; `None` if the budget is used up or no item may be asked."""
        asked = spent(past)
        size = round_size(self.first, self.growth, asked, budget)
        if size == 0 or not problem.eligible.any():
            return None
        proposal = self.propose(problem, past, evidence)
        if problem.stochastic:
            return draw_anew(problem, proposal, past, size)
        hopeless = self.first * float(proposal.unqueued @ proposal.of_cell) < HOPELESS
        if self.counts == "labels" or hopeless:
            return draw(problem, proposal, past, size)
        return draw(problem, proposal, past, budget - asked, draws=self.first)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample of all draws before the first draw of an unanswered item."""
        begun = begun_rounds(past, answered)
        return (
            begun[-1].sample(answered, problem.population) if begun else Draws.of(*NOBODY, problem.population)
        )

    def by_round(self, past: Sequence[Round], answered: int) -> list[tuple[Floats, Floats]]:
        """The same draws round by round: the number of draws of each row in a round, and its q there, (k,) both."""
        found = list[tuple[Floats, Floats]]()
        begun = begun_rounds(past, answered)
        for number, facts in enumerate(begun, 1):
            upto = min(len(facts.proposal), answered)
            row, count = facts.used(upto, over=number < len(begun))
            found.append((np.bincount(row, count, upto).astype(float), facts.proposal[:upto]))
        return found

    def keeps(self, problem: Problem, metric: Metric) -> bool:
        """Whether each labelled item that matters to this metric may be drawn again: by its label its probability may be 0."""
        if problem.stochastic or self.defensive or self.by != "item":
            return True
        silent = problem.once(
            ("silent", metric),
            lambda: silent_labels(problem.metrics, metric, problem.pool.items, problem.belief),
        )
        return not silent

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """1 − (1−q₀)^J under the first proposal q₀, with J draws for M expected distinct items (Y eq 81–83)."""
        return equal_cost_inclusion(self.chances(problem, (), problem.held), budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Variance of static importance sampling with q ∝ √E d², whatever the `norm` and the strata.

        Before any label there is no better prediction: labelled items are drawn again by what their label has shown.
        """
        return Importance(defensive=self.defensive).variance(profile, budgets)


def begun_rounds(past: Sequence[Round], answered: int) -> list[DrawFacts]:
    """The rounds up to the last one with an answer or without items; of those opened at least the first."""
    begun = [k for k, one in enumerate(past) if one.facts.before < answered or not len(one.queue)]
    return [one.facts for one in past[: max(begun, default=0) + 1]]
