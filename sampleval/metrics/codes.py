"""Codes of items that are alike in something: which are any, which occur, and pairs of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sampleval._checks import as_array, fail
from sampleval.pool import Flags, Floats, Integers, Items

Coder = Callable[[Items], Integers]
LARGEST = 1 << 26  # tables of codes have a row for each up to the largest one


@dataclass(frozen=True, slots=True)
class Coded:
    """A function to codes, whose codes are looked at: those of a metric of one's own may be none.

    Attributes:
        coder: The function as it was written.
        name: Which field of the metric it is.
    """

    coder: Coder
    name: str

    def __call__(self, items: Items) -> Integers:
        """Codes of the items, (n,) in 0..K−1; a code of -1 would count from the end of a table, without a word."""
        codes = as_array(self.coder(items))
        rule = f"must give a whole number from 0 on for each of {len(items)} items"
        if codes.shape != (len(items),):
            fail(self.name, rule, codes.shape)
        if codes.dtype.kind not in "biu":
            fail(self.name, rule, codes.dtype.name, remedy="codes.astype(int) has no fractions")
        if len(codes) and (codes.min() < 0 or codes.max() > LARGEST):
            row = int(np.argmin(codes) if codes.min() < 0 else np.argmax(codes))
            remedy = "np.unique(codes, return_inverse=True)[1] numbers them from 0"
            fail(self.name, f"{rule}, at most {LARGEST:,}", codes[row], row=row, remedy=remedy)
        return codes.astype(np.intp, copy=False)


def coded(coder: Coder | None, name: str) -> Coder | None:
    """The function, its codes looked at; itself if they are already or there is none."""
    return coder if coder is None or isinstance(coder, Coded) else Coded(coder, name)


def distinct(codes: Integers) -> tuple[Integers, Integers]:
    """(a position of each code that occurs, in the codes' order, (K,); which of them each one is, (n,)).

    Nothing is sorted: a million codes take a few passes, and memory for the largest of them.

    Args:
        codes: From 0 on, with gaps as may be, (n,).

    >>> first, which = distinct(np.array([7, 2, 7]))
    >>> which.tolist(), [7, 2, 7][first[0]]
    ([1, 0, 1], 2)
    """
    position = np.full(int(codes.max(initial=-1)) + 1, -1, np.intp)
    position[codes] = np.arange(len(codes))
    occurs = position >= 0
    return position[occurs], (np.cumsum(occurs) - 1)[codes]


def compact(codes: Integers) -> Integers:
    """Codes renumbered 0, 1, … in their order, without gaps, (n,)."""
    return distinct(codes)[1]


def paired(outer: Integers, inner: Integers) -> Integers:
    """A code for each pair of codes, (n,), in the order of the outer ones, then of the inner.

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
