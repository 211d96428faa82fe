"""What a design is: rounds of items to ask, and the sample that their answers make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from sampleval.designs.problem import Problem
from sampleval.designs.profile import Profile
from sampleval.designs.sample import Sample
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import Evidence, Formulas


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Items to ask together: nothing is re-planned before each has an answer.

    Attributes:
        queue: Their positions in the order of labelling, (k,).
        facts: What the design needs later to turn answers into a sample.
    """

    queue: Integers
    facts: Any


class Design(Protocol):
    """Whom we ask. Options are fields of a frozen dataclass; all state is in the rounds.

    Attributes:
        key: Its name in the registry.
        title: Its name in words.
        about: What it does, in a sentence for someone who has to choose.
        blind: Whether it asks alike whatever is expected of a label.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    blind: ClassVar[bool]

    @property
    def methods(self) -> str:
        """How items were drawn, as a paper's methods section says it."""
        ...

    @property
    def formulas(self) -> Formulas:
        """How it sizes items and how it asks them."""
        ...

    @property
    def random_size(self) -> bool:
        """Whether the number of labels is random, so that the budget is an expectation and no cap."""
        ...

    @property
    def makes(self) -> type:
        """The kind of sample it makes."""
        ...

    @property
    def natural(self) -> str:
        """Key of the estimator that goes with it."""
        ...

    def open(self, problem: Problem, past: Sequence[Round], answers: Evidence, budget: int) -> Round | None:
        """The next round, `None` at the end of the budget.

        Args:
            problem: What is to be estimated, and what is believed.
            past: The rounds so far, all of them answered.
            answers: Their answered items and labels; skipped ones are left out.
            budget: Labels allowed in all, those of the past rounds included.
        """
        ...

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample made by the first `answered` items of the rounds' joint queue."""
        ...

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """Nominal inclusion probabilities at this budget, (N,); a held item has 0."""
        ...

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Anticipated variance of the estimate at each budget, (B,), under the first belief."""
        ...


@runtime_checkable
class Redrawing(Protocol):
    """A design that draws labelled items again, with a chance that depends on their label."""

    def keeps(self, problem: Problem, metric: Metric) -> bool:
        """Whether labelled items stay within reach wherever they matter to this metric."""
        ...


@runtime_checkable
class Moving(Protocol):
    """A design whose chances move with the labels."""

    def chances(self, problem: Problem, past: Sequence[Round], answers: Evidence) -> Floats:
        """Chance of every item to be the next draw after these rounds and labels, (N,), summing to 1."""
        ...


def queued(past: Sequence[Round]) -> Integers:
    """The joint queue of the rounds so far."""
    return np.concatenate([r.queue for r in past]) if past else np.empty(0, np.intp)


def spent(past: Sequence[Round]) -> int:
    """What the rounds so far take of the budget: the items they queued."""
    return sum(len(r.queue) for r in past)


def starts(past: Sequence[Round]) -> Integers:
    """Items queued before each round, and in all, (R+1,)."""
    return np.cumsum([0, *(len(r.queue) for r in past)])


def unasked(problem: Problem, past: Sequence[Round]) -> Flags:
    """Items that may be asked and that no round has queued yet, (N,)."""
    free = problem.eligible.copy()
    free[queued(past)] = False
    return free


def continued(order: Integers, facts: Any, past: Sequence[Round]) -> Round | None:
    """The part of a static order that is not queued yet, as a round; `None` if nothing is left."""
    done = spent(past)
    return Round(order[done:], facts) if len(order) > done else None
