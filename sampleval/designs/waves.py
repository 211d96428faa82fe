"""Waves: what a design drew without replacement, as a wager on the labels sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np

from sampleval.designs.base import Round
from sampleval.designs.problem import Problem
from sampleval.designs.sample import Inclusions
from sampleval.pool import Flags, Floats, Integers

TYPICAL = 200  # number of labels near which intervals for any look are tightest


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """Items let in independently by one threshold, from all that were not labelled before.

    Attributes:
        rows: (k,) rows of the answered run.
        inclusion: b of each, (k,) in (0, 1].
        least: Smallest b of any item that could have come in, by decision, (C,).
        stake: How much to wager on it beside a whole queue; fixed before its labels.
        safe: A `least` that could be counted on before its labels, (C,); ones where none is needed.
    """

    rows: Integers
    inclusion: Floats
    least: Floats
    stake: float
    safe: Floats

    @classmethod
    def of(cls, sample: Inclusions, threshold: float, h: Floats, *, start: int = 0) -> Self:
        """A queue's prefix, or a round, as a wave of full stake.

        Args:
            sample: Its items.
            threshold: τ of b = min(1, τh).
            h: Smallest size of an item that could have come in, by decision, (C,).
            start: Row of the run at which it begins.
        """
        least = np.minimum(1.0, np.multiply(threshold, h, where=h > 0, out=np.zeros(len(h))))
        return cls(start + sample.rows, sample.inclusion, least, 1.0, np.ones(len(h)))


@runtime_checkable
class Watchable(Protocol):
    """A design whose answers may be looked at as often as one likes."""

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """The prefix of a single queue as one wave, or the rounds answered to their end."""
        ...


def decisions(problem: Problem) -> Integers:
    """The decision on every item as a code, (N,); all alike where labels are not one of a few classes."""
    if not problem.pool.task.classified:
        return np.zeros(problem.pool.size, np.intp)
    return np.asarray(problem.pool.items.pred, np.intp)


def least_sizes(problem: Problem, h: Floats, able: Flags) -> Floats:
    """Smallest h of the items that may come in, by decision, (C,); infinite where there are none."""
    codes = decisions(problem)
    least = np.full(int(codes.max(initial=0)) + 1, np.inf)
    np.minimum.at(least, codes[able], h[able])
    return least
