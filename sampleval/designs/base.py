"""The protocol of sampling designs: rounds of items to ask, and the sample that their answers make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Sample
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import Evidence, Formulas


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Items that are asked together: the next round is planned only after each of them has an answer.

    Attributes:
        queue: Positions of the items in the order of labelling, (k,).
        facts: What the design needs to turn the answers into a sample.
    """

    queue: Integers
    facts: Any


class Design(Protocol):
    """A sampling design: which items we ask. Options are fields of a frozen dataclass; all state is in the rounds.

    Attributes:
        key: Its name in the registry.
        title: Its name in words.
        about: What it does, in a sentence for someone who has to choose.
        blind: Whether its sample does not depend on the loss expected of an item.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    blind: ClassVar[bool]

    @property
    def methods(self) -> str:
        """The design in words, as the methods section of a paper would put it."""

    @property
    def formulas(self) -> Formulas:
        """The formulas of its sizes and of its inclusion probabilities or draws."""

    @property
    def random_size(self) -> bool:
        """Whether the number of labels is random, so that the budget is its expectation and not a cap."""

    @property
    def makes(self) -> type:
        """The type of its samples."""

    @property
    def natural(self) -> str:
        """Key of its default estimator."""

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """The next round, `None` at the end of the budget. Once that is raised, the next one goes on with the queue.

        Args:
            problem: What is to be estimated, and what is believed.
            past: The rounds so far, all of them answered.
            evidence: The held labels, then those of these rounds; skipped items are left out.
            budget: Labels allowed in all, those of the past rounds included.
        """

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The sample made by the first `answered` items of the rounds' joint queue."""

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """Nominal inclusion probabilities at this budget, (N,); 0 for held items."""

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Anticipated variance of the estimate at each budget, (B,), under the first belief; (B, m) for squares of m components."""


@runtime_checkable
class Moving(Protocol):
    """A design whose selection probabilities change with the labels."""

    def chances(self, problem: Problem, past: Sequence[Round], evidence: Evidence) -> Floats:
        """Probability that each item is the next draw after these rounds and labels, (N,), summing to 1."""


def queued(past: Sequence[Round]) -> Integers:
    """The joint queue of the rounds so far: positions of k items, (k,)."""
    return np.concatenate([r.queue for r in past]) if past else np.empty(0, np.intp)


def spent(past: Sequence[Round]) -> int:
    """The part of the budget used by the rounds so far: the number of items they queued."""
    return sum(len(r.queue) for r in past)


def starts(past: Sequence[Round]) -> Integers:
    """Number of items queued before each round, and in all, (R+1,)."""
    return np.cumsum([0, *(len(r.queue) for r in past)])


def unasked(problem: Problem, past: Sequence[Round]) -> Flags:
    """Whether each item may be asked and is not queued in any round, (N,)."""
    free = problem.eligible.copy()
    free[queued(past)] = False
    return free


def continued(order: Integers, facts: Any, past: Sequence[Round]) -> Round | None:
    """The items of a fixed order that are not queued yet, as a round; `None` if there are none."""
    done = spent(past)
    return Round(order[done:], facts) if len(order) > done else None
