"""Waves: items drawn without replacement, in the form that intervals for any look need for their wagers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

import numpy as np

from sampleval.designs.base import Round
from sampleval.designs.problem import Problem
from sampleval.designs.sample import Inclusions
from sampleval.metrics import built_in, by_place
from sampleval.metrics.codes import compact, paired
from sampleval.pool import Flags, Floats, Integers

TYPICAL = 200  # number of labels near which intervals for any look are tightest


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """Items selected independently by one threshold, from all items that were not labelled before.

    Attributes:
        rows: (k,) rows of the answered run.
        inclusion: b of each, (k,) in (0, 1].
        least: Smallest b of any item that could have been selected, by decision, (C,).
        stake: Stake of a wager on it relative to a whole queue; fixed before its labels.
        least_before: A lower bound of `least` that was known before its labels, (C,); ones if none is needed.
    """

    rows: Integers
    inclusion: Floats
    least: Floats
    stake: float
    least_before: Floats

    @classmethod
    def of(cls, sample: Inclusions, threshold: float, h: Floats, *, start: int = 0) -> Self:
        """The prefix of a queue, or a round, as a wave of stake 1 that begins at row `start` of the run.

        The threshold τ is that of b = min(1, τh). Sizes h are the smallest of an item that could have been selected, by
        decision, (C,).
        """
        least = np.minimum(1.0, np.multiply(threshold, h, where=h > 0, out=np.zeros(len(h))))
        return cls(start + sample.rows, sample.inclusion, least, 1.0, np.ones(len(h)))


@runtime_checkable
class Watchable(Protocol):
    """A design that allows intervals which hold at every look."""

    def waves(self, problem: Problem, past: Sequence[Round], answered: int) -> list[Wave]:
        """The prefix of a single queue as one wave, or one wave per completely answered round."""


def decisions(problem: Problem) -> Integers:
    """The decision on every item as a code, (N,), apart for items that cannot matter; 0 for all if labels are not classes.

    Items that cannot matter are never asked: if they shared a code with others, no wager on these would have room. Where the
    sample is drawn for items of unlike weight, codes also tell the octaves of the sizes h apart: a heavy item is hardly ever
    left to chance, but beside a light one of the same code it would leave no wager room. With log-normal weights the limits of an
    accuracy of 0.91 were 0.02 to 1 after 300 labels.
    """
    if not problem.pool.task.classified:
        return np.zeros(problem.pool.size, np.intp)
    idle = np.asarray(~problem.target.possible, np.intp)
    codes = paired(np.asarray(problem.pool.items.pred, np.intp), idle)
    if any(not built_in(metric) and by_place(problem.pool, metric) for metric in problem.metrics):
        codes = compact(paired(codes, _octaves(problem.size)))
    return codes


def _octaves(h: Floats) -> Integers:
    """The octave of each size as a code, (N,): 0 for a size of 0, and the same from 2^k up to 2^(k+1)."""
    octave = np.frexp(h)[1].astype(np.intp)
    positive = h > 0
    return np.where(positive, octave - octave[positive].min(initial=0) + 1, 0)


def least_sizes(problem: Problem, h: Floats, able: Flags) -> Floats:
    """Smallest h of the items that may be selected, by decision, (C,); infinite if there are none."""
    codes = decisions(problem)
    least = np.full(int(codes.max(initial=0)) + 1, np.inf)
    np.minimum.at(least, codes[able], h[able])
    return least
