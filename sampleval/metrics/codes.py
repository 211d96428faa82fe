"""Codes of items that are alike in some respect: checks, renumbering, pairs and sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sampleval._checks import as_array, fail
from sampleval.pool import Flags, Floats, Integers, Items

Coder = Callable[[Items], Integers]
LARGEST = 1 << 26  # largest code, since tables have a row for each code up to the largest one


@dataclass(frozen=True, slots=True)
class Coded:
    """`Metric.cells` with its result checked: that of a user-defined metric may be invalid."""

    coder: Coder

    def __call__(self, items: Items) -> Integers:
        """Codes of the items, (n,) in 0..K−1; a negative code would silently index a table from its end."""
        codes = as_array(self.coder(items))
        rule = f"must give a whole number from 0 on for each of {len(items)} items"
        if codes.shape != (len(items),):
            fail("cells", rule, codes.shape)
        if codes.dtype.kind not in "biu":
            fail("cells", rule, codes.dtype.name, remedy="codes.astype(int) has no fractions")
        if len(codes) and (codes.min() < 0 or codes.max() > LARGEST):
            row = int(np.argmin(codes) if codes.min() < 0 else np.argmax(codes))
            remedy = "np.unique(codes, return_inverse=True)[1] numbers them from 0"
            fail("cells", f"{rule}, at most {LARGEST:,}", codes[row], row=row, remedy=remedy)
        return codes.astype(np.intp, copy=False)


def coded(coder: Coder | None) -> Coder | None:
    """The function wrapped in `Coded`, unless it already is or is `None`."""
    return coder if coder is None or isinstance(coder, Coded) else Coded(coder)


@dataclass(frozen=True, slots=True)
class Part:
    """The part of the pool outside which a loss is 0, or the parts between which it distinguishes.

    Attributes:
        codes: Codes (n,) of the parts; 0 where ℓ is 0.
        members: Which items of the pool count, (N,); `None` where the two terms of a difference count different numbers.
    """

    codes: Coder
    members: Flags | None = field(compare=False)

    @property
    def size(self) -> int | None:
        """Number of items that count."""
        return None if self.members is None else int(np.count_nonzero(self.members))


def side_by_side(one: Part | None, other: Part | None) -> Part | None:
    """The parts between which two losses side by side, (ℓ₁, ℓ₂), distinguish."""
    if one and other:
        here, there = one.codes, other.codes
        members = one.members if one.size == other.size else None
        return Part(lambda items: paired(here(items), there(items)), members)
    alone = one or other  # items outside this part, of code 0, count for the other loss
    return alone and Part(lambda items: alone.codes(items) + 1, None)


def distinct(codes: Integers) -> tuple[Integers, Integers]:
    """(a position of each code that occurs, in rising order of codes, (K,); the number of each item's code, (n,)).

    Codes are ≥ 0, possibly with gaps. Nothing is sorted: a million codes take a few passes, with memory in proportion to the
    largest code.

    >>> first, which = distinct(np.array([7, 2, 7]))
    >>> which.tolist(), [7, 2, 7][first[0]]
    ([1, 0, 1], 2)
    """
    position = np.full(int(codes.max(initial=-1)) + 1, -1, np.intp)
    position[codes] = np.arange(len(codes))
    occurs = position >= 0
    return position[occurs], (np.cumsum(occurs) - 1)[codes]


def compact(codes: Integers) -> Integers:
    """Codes renumbered to 0, 1, … without gaps in the same order, (n,)."""
    return distinct(codes)[1]


def paired(outer: Integers, inner: Integers) -> Integers:
    """A code for each pair of codes, (n,), ordered by the outer code and then by the inner one.

    >>> paired(np.array([0, 2, 0]), np.array([1, 0, 0])).tolist()
    [1, 4, 0]
    """
    return np.asarray(outer, np.intp) * (int(inner.max(initial=0)) + 1) + inner


def summed(values: Floats | Flags, codes: Integers, count: int) -> Floats:
    """Sums of each column over the items of each code 0..K−1, (n, d) to (K, d).

    >>> summed(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 2, 0]), 3).tolist()
    [[6.0, 8.0], [0.0, 0.0], [3.0, 4.0]]
    """
    sums = np.empty((count, values.shape[1]))
    for k, column in enumerate(values.T):
        sums[:, k] = np.bincount(codes, column, count)
    return sums


def by_decision(items: Items) -> Integers:
    """`Metric.cells` of a loss that depends on an item through its decision alone, which is one of a few classes."""
    return np.asarray(items.pred, np.intp)
