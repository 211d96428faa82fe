"""Ranks of items among all scores of the pool, which are known before any label."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from sampleval.memo import once_each
from sampleval.pool import Flags, Floats, Integers, Items, System

MOST = 2048  # number of cells at most, if a pool has more distinct scores


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ranks:
    """Items in cells of similar scores in rising order; each distinct score has its own cell if there are few.

    Attributes:
        code: Cell of each item, (N,).
        size: Number of items in each cell, (K,).
        score: Mean score of each cell, (K,).
        low: Lowest score of each cell, (K,).
        one: Whether all items of a cell have the same score, (K,).
    """

    code: Integers
    size: Floats
    score: Floats
    low: Floats
    one: Flags

    @property
    def items(self) -> float:
        """Number of ranked items."""
        return float(self.size.sum())

    @property
    def above(self) -> Floats:
        """Number of items in the cells above each cell, (K,)."""
        return self.items - np.cumsum(self.size)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranks of items among all items of the pool or among some of them, computed once per pool.

    Attributes:
        members: Whether each item is ranked, (N,) bool; `None` for all.
        key: Digest of the members, by which two rankings are compared.
    """

    members: Flags | None = field(default=None, compare=False)
    key: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        if self.members is not None:
            object.__setattr__(self, "key", blake2b(np.packbits(self.members).tobytes()).digest())

    def of(self, items: Items) -> Ranks:
        """The ranks in the pool that these items belong to."""
        return _ranks(items.everywhere, self)

    def codes(self, items: Items) -> Integers:
        """The cell of each of these items, (n,)."""
        return self.of(items).code[items.index].astype(np.intp)


@once_each
def _ranks(system: System, ranking: Ranking) -> Ranks:
    return ranked(system.score, ranking.members)


def ranked(score: Floats, members: Flags | None = None, most: int = MOST) -> Ranks:
    """Cells of all scores: half of the borders divide items evenly, half have steps that grow with the rank from the top.

    Args:
        score: Scores of all items, (N,).
        members: Whether each item is ranked, (N,) bool; others get the cell in which they would lie.
        most: Largest number of cells; with fewer distinct scores each of them is a cell.
    """
    inside = score if members is None else score[members]
    value, count = np.unique(inside, return_counts=True)
    if not len(value):
        none = np.zeros(1)
        return Ranks(np.zeros(len(score), np.uint16), none, none, none, np.ones(1, bool))
    first = np.arange(len(value))
    if len(value) > most:
        middle = len(inside) - np.cumsum(count) + count / 2
        half = (most - 1) / 2
        place = np.floor(half * middle / len(inside) + growing(middle, len(inside), half))
        first = np.flatnonzero(np.append(True, np.diff(place) != 0))
    code = np.clip(np.searchsorted(value[first], score, side="right") - 1, 0, None)
    size = np.add.reduceat(count, first).astype(float)
    mean = np.add.reduceat(count * value, first) / size
    return Ranks(code.astype(np.uint16), size, mean, value[first], np.diff(np.append(first, len(value))) == 1)


def growing(rank: Floats, items: float, bins: float) -> Floats:
    """Places in 0..`bins` of ranks 1..N: one place per rank up to rank a, then logarithmic, each growing by 1 + 1/a.

    Args:
        rank: Ranks from the top.
        items: N, at least `bins`.
        bins: Number of places, a(1 + log(N/a)), which determines a.
    """
    a = float(bins)
    for _ in range(50):  # a decreases to the root by ever smaller steps
        a = bins / (1 + np.log(items / a))
    return np.where(rank <= a, rank, a * (1 + np.log(np.maximum(rank, a) / a)))
