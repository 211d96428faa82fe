"""Where items stand among all scores of the pool, which are known before any label."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from weakref import WeakKeyDictionary

import numpy as np

from sampleval.pool import Flags, Floats, Integers, Items, System

MOST = 2048  # cells of a pool with more distinct scores
KEPT = 32  # parts of a pool whose cells are kept


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Ranks:
    """Items in cells of like score, from the lowest up: one score each where distinct ones are few.

    Attributes:
        code: Each item's cell, (N,).
        size: Items of each cell, (K,).
        score: Their mean score, (K,).
        low: Their lowest score, (K,).
        one: Whether they share one score, (K,).
    """

    code: Integers
    size: Floats
    score: Floats
    low: Floats
    one: Flags

    @property
    def items(self) -> float:
        """How many are ranked."""
        return float(self.size.sum())

    @property
    def above(self) -> Floats:
        """Items with higher scores than those of each cell, (K,)."""
        return self.items - np.cumsum(self.size)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranks of items among all of the pool, or among some: computed once for every pool.

    Attributes:
        members: Which items count, (N,) bool; `None` for all.
        key: Tells them from other items of the pool.
    """

    members: Flags | None = None
    key: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        if self.members is not None:
            object.__setattr__(self, "key", blake2b(np.packbits(self.members).tobytes()).digest())

    def of(self, items: Items) -> Ranks:
        """The ranks in the pool that these items are from."""
        made = _MADE.setdefault(items.everywhere, {})
        if self.key not in made:
            if len(made) >= KEPT:
                made.pop(next(iter(made)))
            made[self.key] = ranked(items.everywhere.score, self.members)
        return made[self.key]

    def codes(self, items: Items) -> Integers:
        """The cell of each of these items, (n,)."""
        return self.of(items).code[items.index].astype(np.intp)


_MADE: WeakKeyDictionary[System, dict[bytes, Ranks]] = WeakKeyDictionary()


def ranked(score: Floats, members: Flags | None = None, most: int = MOST) -> Ranks:
    """Cells of all scores, half of them of equal size and half growing with the rank from the top.

    Args:
        score: (N,).
        members: Which of them are ranked, (N,) bool; the others are told the cell they would lie in.
        most: Largest number of cells; where fewer scores are distinct each is a cell.
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
    """Ranks 1..N to places 0..`bins`: a place each for the first a, then each 1 + 1/a times as far as the last.

    Args:
        rank: Ranks from the top.
        items: N.
        bins: Number of places; a(1 + log(N/a)) of them.
    """
    if items <= bins:
        return np.asarray(rank, float)
    a = float(bins)
    for _ in range(50):  # a falls to the root, each time by a smaller share
        a = bins / (1 + np.log(items / a))
    return np.where(rank <= a, rank, a * (1 + np.log(np.maximum(rank, a) / a)))
