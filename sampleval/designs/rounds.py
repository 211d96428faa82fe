"""Sampling without replacement in rounds, each from a belief that knows the labels before it (Y App. E, ours)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar, Literal

import numpy as np
from scipy import special

from sampleval._checks import choice, defensive, fail
from sampleval.designs.aim import Linearise, Norm, check_linearise, check_norm
from sampleval.designs.base import Round, spent, unasked
from sampleval.designs.foresight import Foresight, foresight_of
from sampleval.designs.formulas import sized
from sampleval.designs.inclusion import Waterline
from sampleval.designs.outlook import Outlook, look
from sampleval.designs.priority import (
    Queue,
    admitted,
    complete,
    enqueue,
    filled,
    poisson_variance,
    prefix_or_whole,
)
from sampleval.designs.problem import Problem
from sampleval.designs.profile import Profile
from sampleval.designs.sample import Sample, Successive
from sampleval.designs.schedule import check_rounds, in_rounds, round_size
from sampleval.designs.waves import TYPICAL, Wave, least_sizes
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence, Formulas

SURE = 1e-3  # chance that a round's threshold falls below what a wager assumed: the wager is lost
STEEPEST = 16.0  # how much more than a first one a later round's label may count


@dataclass(frozen=True, slots=True, eq=False)
class RoundFacts:
    """What a round of sampling without replacement leaves behind.

    Attributes:
        before: Rows queued before it.
        nominal: Labels it was to ask for, not cut by the budget.
        queue: Keys and sizes of its queue.
        foresight: What was expected of every item as the round began: no label of this round has touched
            it, so that a model-assisted estimate may use it for this round's labels.
        wanted: Labels it was to ask for, cut by the budget.
        total: Σh of the items it drew from.
        least: Smallest h among them, by decision, (C,).
        safe: A threshold that it was almost sure to reach.
    """

    before: int
    nominal: int
    queue: Queue
    foresight: Foresight
    wanted: int
    total: float
    least: Floats
    safe: float

    def stake(self, first: RoundFacts) -> float:
        """What to wager on it: in proportion to its labels and to what each is expected to tell, n/(Σh)²."""
        return self.wanted / TYPICAL * min((first.total / self.total) ** 2, STEEPEST)


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds of the priority queue or of Bernoulli sampling among the items not labelled yet.

    Attributes:
        first: Labels in the first round; 0 for all that the budget allows, in one round.
        growth: Share of the labels so far that a round asks for at least; 0 keeps its size.
        draw: "priority" makes every round exact in size and every prefix of it a valid sample;
            "bernoulli" is Y's, of random size around it, cut by the budget like a queue.
        norm: 2 for h = √E d², 1 for h = E|d| (the first insures, the second trusts the belief).
        defensive: δ in [0, 1], the share of h spread evenly over the items left.
        linearise: Whether the metric is linearised at its estimate or where the belief predicts it.
        assisted: Whether h leaves out what the belief foresees, as far as the labels bear it out, for a
            model-assisted estimate: of squared deviations, so that norm is 2.
    """

    key: ClassVar[str] = "rounds"
    title: ClassVar[str] = "Queue in rounds"
    about: ClassVar[str] = (
        "Several queues, each made of the items left by what the labels so far have taught."
    )
    blind: ClassVar[bool] = False
    random_size: ClassVar[bool] = False
    makes: ClassVar[type] = Successive
    natural: ClassVar[str] = "rounds"
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
        check_norm(self.norm)
        check_linearise(self.linearise)
        defensive(self.defensive)
        if self.assisted and self.norm == 1:
            fail(
                "assisted",
                "must be False with norm=1: only E d² has a foreseen part",
                True,
                remedy="pass norm=2",
            )

    @property
    def methods(self) -> str:
        """In rounds, or all in one."""
        return in_rounds(
            "Items were drawn without replacement in rounds, each among the items left, with sizes proportional to how far "
            "a label can be expected to move the metric after the labels before it",
            self.first,
        )

    @property
    def formulas(self) -> Formulas:
        """Its sizes by its norm, and how rounds follow each other."""
        return (
            sized(self.norm, assisted=self.assisted),
            ("Each round is a queue of the items left, from all labels before it", r"u^{(r)}_n / h^{(r)}_n"),
            (
                "Rounds are combined with weights fixed beforehand",
                r"\hat R = \sum_r a_r Z_r, \quad \sum_r a_r = 1",
            ),
        )

    def look(self, problem: Problem, past: Sequence[Round], answers: Evidence) -> Outlook:
        """What the labels so far say of the items left; a pure function of them, for pictures too."""
        return look(
            problem,
            past,
            answers,
            norm=self.norm,
            defensive=self.defensive,
            linearise=self.linearise,
            assisted=self.assisted,
        )

    def chances(self, problem: Problem, past: Sequence[Round], answers: Evidence) -> Floats:
        """h/Σh over the items left, (N,)."""
        return self.look(problem, past, answers).chances

    def open(self, problem: Problem, past: Sequence[Round], answers: Evidence, budget: int) -> Round | None:
        """The next round; `None` at the end of the budget or of the items that matter."""
        asked = spent(past)
        nominal = round_size(self.first, self.growth, asked, asked + problem.pool.size)
        left = budget - asked
        if left <= 0:
            return None
        outlook = self.look(problem, past, answers)
        if not outlook.size.any():
            return None
        order, queue, safe = self._drawn(problem.round_uniforms(len(past)), outlook.size, nominal, left)
        least = least_sizes(problem, outlook.size, unasked(problem, past))
        total, foresight = float(outlook.size.sum()), foresight_of(problem.model, answers, outlook.belief)
        wanted = min(nominal, left)
        return Round(order, RoundFacts(asked, nominal, queue, foresight, wanted, total, least, safe))

    def _drawn(self, u: Floats, h: Floats, nominal: int, left: int) -> tuple[Integers, Queue, float]:
        """The items of a round in order, their queue, and a threshold that the round is almost sure to reach.

        Args:
            u: Uniform numbers of this round, (N,).
            h: Sizes, (N,).
            nominal: Labels that the round is to ask for.
            left: Labels that the budget leaves.
        """
        wanted = min(nominal, left)
        if self.draw == "priority":
            order, queue = enqueue(u, h, wanted)
            return order, queue, least_threshold(wanted, h)
        scale = float(Waterline.of(h).scale(nominal))
        chosen = admitted(u, h, scale)
        order, queue = enqueue(u, h, min(chosen, left))
        safe = scale if left >= 2 * nominal else least_threshold(wanted, h)
        return order, replace(queue, scale=scale) if chosen <= left else queue, safe

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The rounds up to this prefix, the last one cut at its threshold."""
        # A round has begun once one of its items is answered. A round without items is over as it begins.
        begun = takewhile(lambda r: r.facts.before + min(1, len(r.queue)) <= answered, past)
        facts: list[RoundFacts] = [opened.facts for opened in begun]
        taken = [min(len(f.queue.h), answered - f.before) for f in facts]
        cut = list(zip(facts, taken, strict=True))
        parts = [prefix_or_whole(f.queue, k, problem.population) for f, k in cut]
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
        """The rounds answered to their end: the labels of one that is not cannot be looked at yet."""
        found = list[Wave]()
        for opened in past:
            facts: RoundFacts = opened.facts
            size = len(opened.queue)
            if facts.before + size > answered:
                break
            threshold = facts.queue.scale if complete(facts.queue, size) else float(facts.queue.keys[size])
            sample = prefix_or_whole(facts.queue, size, problem.population)
            wave = Wave.of(sample, threshold, facts.least, start=facts.before)
            safe = np.minimum(1.0, facts.safe * facts.least)
            found.append(replace(wave, stake=facts.stake(past[0].facts), safe=safe))
        return found

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """b(M) of a single round under the first belief; later rounds move it."""
        return filled(problem, self.defensive, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """That of one round under the first belief: before any label there is no better guess."""
        return poisson_variance(profile, self.defensive, budgets)


def least_threshold(labels: int, h: Floats) -> float:
    """What the (n+1)-th smallest u/h falls short of with a probability of at most `SURE`.

    Keys come in at a rate of at most Σh. So the (n+1)-th is larger than a Gamma(n+1) variable over Σh.
    """
    return float(special.gammaincinv(labels + 1, SURE) / h.sum())
