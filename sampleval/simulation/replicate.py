"""One simulated study, which uses the designs and estimators of `Study` but keeps no log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from sampleval.designs import Problem, Round, starts
from sampleval.designs.base import queued
from sampleval.designs.streams import ORACLE, stream
from sampleval.estimators import Run
from sampleval.metrics import Encoded, Jacobian, Metric, dense, effects
from sampleval.pool import Floats, Integers
from sampleval.presets import Method
from sampleval.simulation.oracle import Oracle
from sampleval.study.assembly import assemble, evidence_of
from sampleval.study.conclusions.estimate import Estimate, conclude


@dataclass(frozen=True, slots=True, eq=False)
class Replicate:
    """A simulated study: its rounds and their joint queue, in which every item has an answer.

    Attributes:
        problem: What the sample was drawn for.
        method: How it was drawn and is weighed.
        rounds: The rounds, in order.
        queue: Positions of the items asked, in order, (k,).
        answers: Labels of these items, (k,) or (k, C).
        clock: Seconds from the start until each round was answered, (rounds,).
    """

    problem: Problem
    method: Method
    rounds: tuple[Round, ...]
    queue: Integers
    answers: Encoded
    clock: tuple[float, ...]

    def estimates(self, metrics: Sequence[Metric], k: int, *, level: float, family: str) -> list[Estimate]:
        """The study's estimates of these metrics after its first k answers, without remarks on them."""
        run = self.run(k)
        found = (conclude(m, run, self.problem, self.method, family=family, noted=False) for m in metrics)
        return [estimate(level) for estimate in found]

    def run(self, k: int) -> Run | None:
        """The first k answers in the form that the estimators take; `None` if there are none."""
        return assemble(self.problem, self.method, self.rounds, self.answers[:k])

    def seconds(self, k: int) -> float:
        """Seconds until the first k answers were there, which is the time of the rounds that ask for them."""
        return self.clock[int(np.searchsorted(starts(self.rounds)[1:], k))] if self.rounds else 0.0

    def wasted(self, metric: Metric, gradient: Jacobian) -> Floats:
        """How many of the first 0, 1, …, k answers do not move the metric (d = 0), (k+1,); `nan` if its Dg is undefined.

        Dg, (m, d), is that at the true R.
        """
        if not np.isfinite(dense(gradient)).all():
            return np.full(len(self.queue) + 1, np.nan)
        loss = metric.loss(self.problem.pool.items.take(self.queue), self.answers)
        idle = ~effects(loss, gradient).any(axis=1)
        return np.append(0.0, np.cumsum(idle))


def replicate(problem: Problem, method: Method, oracle: Oracle, budget: int) -> Replicate:
    """A study that is asked and answered round by round until the budget is spent."""
    start = perf_counter()
    rounds: list[Round] = []
    clock: list[float] = []
    chance = stream(problem.seed, ORACLE)
    answers = oracle.answer(queued(rounds), chance)
    while len(answers) < budget or (method.design.random_size and not rounds):
        evidence = evidence_of(problem, method, rounds, answers)
        following = method.design.open(problem, rounds, evidence, budget)
        if following is None:
            break
        rounds.append(following)
        answers = np.concatenate([answers, oracle.answer(following.queue, chance)])
        clock.append(perf_counter() - start)
    return Replicate(problem, method, tuple(rounds), queued(rounds), answers, tuple(clock))


def seed_of(seed: int, repeat: int) -> int:
    """The seed of one repeat of a simulation."""
    return int(np.random.SeedSequence([seed, repeat]).generate_state(1)[0])
