"""Sampling without replacement in rounds, each with a belief based on the labels before it (Y App. E, ours)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar, Literal

import numpy as np
from scipy import special

from sampleval._checks import choice, defensive, fail, flag
from sampleval.designs.base import Round, spent, unasked
from sampleval.designs.between_rounds.aim import Linearise, Norm, check_aim
from sampleval.designs.between_rounds.foresight import Foresight, foresight_of
from sampleval.designs.between_rounds.schedule import check_rounds, round_size
from sampleval.designs.between_rounds.updating import Updated, updated
from sampleval.designs.inclusion import Waterline
from sampleval.designs.latex import sized
from sampleval.designs.priority import (
    Priority,
    Queue,
    bernoulli,
    complete,
    enqueue,
    prefix,
)
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Sample, Successive
from sampleval.designs.waves import TYPICAL, Wave, least_sizes
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence, Formulas

SURE = 1e-3  # probability that a round's threshold falls below the one a wager assumed, which is then lost
STEEPEST = 16.0  # how many times as much as a label of the first round one of a later round may count


@dataclass(frozen=True, slots=True, eq=False)
class RoundFacts:
    """The facts about a round from which its sample is made.

    Attributes:
        before: Rows queued before it.
        nominal: Planned number of labels, not cut by the budget.
        queue: Keys and sizes of its queue.
        foresight: Predicted losses at the start of the round. They do not depend on the round's labels, so that a
            model-assisted estimate may use them for these labels.
        wanted: Planned number of labels, cut by the budget.
        total: Σh of the items that it drew from.
        least: Smallest h among them, by decision, (C,).
        least_threshold: A threshold that it was almost sure to exceed.
    """

    before: int
    nominal: int
    queue: Queue
    foresight: Foresight
    wanted: int
    total: float
    least: Floats
    least_threshold: float

    def stake(self, first: RoundFacts) -> float:
        """Stake of a wager on it, in proportion to n/(Σh)²: its number of labels times the information expected of each."""
        return self.wanted / TYPICAL * min((first.total / self.total) ** 2, STEEPEST)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds of the priority queue or of Bernoulli sampling among the items not labelled yet.

    Attributes:
        first: Labels in the first round; 0 for the whole budget in one round.
        growth: Least size of a later round as a share of the labels so far; 0 keeps all rounds as large as the first.
        draw: "priority" gives every round an exact size, and every prefix of it is a valid sample.
            "bernoulli" is Y's, of random size around the planned one, cut by the budget like a queue.
        norm: 2 for h = √E d², 1 for h = E|d|, which relies more on the belief.
        defensive: δ in [0, 1], the share of h spread evenly over the items left.
        linearise: Whether the metric is linearised at the estimate of R or at the predicted R.
        assisted: Whether h leaves out the predictable part of d, as far as the labels confirm the belief, for a
            model-assisted estimate. This needs squared deviations, so that norm is 2.
    """

    key: ClassVar[str] = "rounds"
    title: ClassVar[str] = "Queue in rounds"
    about: ClassVar[str] = (
        "Several queues, one per round; each orders the items that are left by what the labels so far have shown."
    )
    blind: ClassVar[bool] = False
    methods = (
        "Items were drawn without replacement in rounds, each among the items left, with sizes proportional to how far "
        "a label can be expected to move the metric after the labels before it"
    )
    random_size = False
    makes = Successive
    natural = "rounds"
    first: int = 20
    growth: float = 0.5
    draw: Literal["priority", "bernoulli"] = "priority"
    norm: Norm = 2
    defensive: float = 0.0
    linearise: Linearise = "belief"
    assisted: bool = False

    def __post_init__(self) -> None:
        check_rounds(self.first, self.growth)
        choice(self.draw, ("priority", "bernoulli"), "draw")
        check_aim(self.norm, self.linearise)
        defensive(self.defensive)
        if flag(self.assisted, "assisted") and self.norm == 1:
            fail(
                "assisted",
                "must be False with norm=1: only E d² has a foreseen part",
                True,
                remedy="pass norm=2",
            )

    @property
    def formulas(self) -> Formulas:
        """The sizes h, and how rounds are drawn and combined."""
        return (
            sized(self.norm, assisted=self.assisted),
            ("Each round is a queue of the items left, from all labels before it", r"u^{(r)}_n / h^{(r)}_n"),
            (
                "Rounds are combined with weights fixed beforehand",
                r"\hat R = \sum_r a_r Z_r, \quad \sum_r a_r = 1",
            ),
        )

    def updated(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Updated:
        """Belief and sizes after the labels so far, by this design's options."""
        return updated(
            problem,
            past,
            evidence,
            norm=self.norm,
            defensive=self.defensive,
            linearise=self.linearise,
            assisted=self.assisted,
        )

    def chances(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Floats:
        """h/Σh over the items left, (N,)."""
        return self.updated(problem, past, evidence).chances

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The next round; `None` once the budget is used up or no item left has a positive size."""
        asked = spent(past)
        nominal = round_size(self.first, self.growth, asked, asked + problem.pool.size)
        left = budget - asked
        if left <= 0:
            return None
        now = self.updated(problem, past, evidence)
        if not now.size.any():
            return None
        order, queue, threshold = self._drawn(problem.round_uniforms(len(past)), now.size, nominal, left)
        least = least_sizes(problem, now.size, unasked(problem, past))
        total, foresight = float(now.size.sum()), foresight_of(problem.model, evidence, now.belief)
        wanted = min(nominal, left)
        return Round(order, RoundFacts(asked, nominal, queue, foresight, wanted, total, least, threshold))

    def _drawn(self, u: Floats, h: Floats, nominal: int, left: int) -> tuple[Integers, Queue, float]:
        """The items of a round in order, their queue, and a threshold that the round is almost sure to exceed.

        Uniform numbers u and sizes h are (N,). The planned number of labels is `nominal`; at most as many are drawn as are
        `left` in the budget.
        """
        wanted = min(nominal, left)
        if self.draw == "priority":
            order, queue = enqueue(u, h, wanted)
            return order, queue, least_threshold(wanted, h)
        scale = float(Waterline.of(h).scale(nominal))
        threshold = scale if left >= 2 * nominal else least_threshold(wanted, h)
        return *bernoulli(u, h, scale, left), threshold

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample of the rounds up to this prefix, the last one cut at its threshold."""
        # A round has begun once one of its items is answered. A round without items ends as it begins.
        begun = takewhile(lambda r: r.facts.before + min(1, len(r.queue)) <= answered, past)
        facts: list[RoundFacts] = [opened.facts for opened in begun]
        taken = [min(len(f.queue.h), answered - f.before) for f in facts]
        cut = list(zip(facts, taken, strict=True))
        parts = [prefix(f.queue, k, problem.population) for f, k in cut]
        return Successive(
            np.arange(answered),
            np.repeat(np.arange(len(facts)), np.array(taken, np.intp)),
            np.concatenate([np.empty(0), *(part.inclusion for part in parts)]),
            np.array([f.nominal if complete(f.queue, k) else min(k, f.nominal) for f, k in cut], float),
            np.array([f.nominal for f in facts], float),
            problem.population,
            np.array([part.measurable for part in parts], bool),
            tuple(f.foresight for f in facts),
        )

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """One wave per completely answered round: the labels of an incomplete one cannot be used yet."""
        found = list[Wave]()
        for opened in past:
            facts: RoundFacts = opened.facts
            size = len(opened.queue)
            if facts.before + size > answered:
                break
            sample = prefix(facts.queue, size, problem.population)
            wave = Wave.of(sample, float(facts.queue.keys[size]), facts.least, start=facts.before)
            before = np.minimum(1.0, facts.least_threshold * facts.least)
            found.append(replace(wave, stake=facts.stake(past[0].facts), least_before=before))
        return found

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """b(M) of a single round with h = √E d² under the first belief; 0 if no label matters.

        The actual probabilities change with the labels, and are others from the first round on if `norm` is 1 or with `assisted`.
        """
        return Priority(defensive=self.defensive).inclusion(problem, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Variance of one round under the first belief: before any label there is no better prediction."""
        return Priority(defensive=self.defensive).variance(profile, budgets)


def least_threshold(labels: int, h: Floats) -> float:
    """A value that the (n+1)-th smallest key u/h falls below with a probability of at most `SURE`.

    Keys arrive at a rate of at most Σh, so the (n+1)-th is stochastically larger than a Gamma(n+1) variable over Σh.
    """
    return float(special.gammaincinv(labels + 1, SURE) / h.sum())
