"""One simulated study: the designs and estimators of `Study`, without its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sampleval.designs import Problem, Round
from sampleval.metrics import Metric
from sampleval.pool import Integers, Labels
from sampleval.presets import Method
from sampleval.study.assembly import assemble, evidence_of
from sampleval.study.estimate import Estimate, conclude


@dataclass(frozen=True, slots=True, eq=False)
class Replicate:
    """The rounds of a simulated study and their joint queue, all of it answered from known labels."""

    problem: Problem
    method: Method
    rounds: tuple[Round, ...]
    queue: Integers

    def estimates(
        self, metrics: Sequence[Metric], labels: Labels, k: int, *, level: float, family: str
    ) -> list[Estimate]:
        """What the study would have said after its first k answers."""
        queue = self.queue[:k]
        responded = labels.known[queue]
        run = assemble(self.problem, self.method, self.rounds, queue, labels.values[queue], responded)
        return [conclude(m, run, self.problem, self.method, level=level, family=family) for m in metrics]


def replicate(problem: Problem, method: Method, labels: Labels, budget: int) -> Replicate:
    """Ask and answer round by round until the budget is spent."""
    rounds: list[Round] = []
    queue = np.empty(0, np.intp)
    while len(queue) < budget or (method.design.random_size and not rounds):
        known = labels.known[queue]
        evidence = evidence_of(problem, method, rounds, queue, labels.values[queue], known)
        following = method.design.open(problem, rounds, evidence, budget)
        if following is None:
            break
        rounds.append(following)
        queue = np.concatenate([queue, following.queue])
    return Replicate(problem, method, tuple(rounds), queue)


def lengths(method: Method, budgets: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Which runs serve which budgets: one for all where budgets nest, else one each."""
    if method.design.random_size:
        yield from ((budget, (budget,)) for budget in budgets)
    else:
        yield max(budgets), tuple(budgets)
