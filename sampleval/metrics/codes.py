"""Codes of items that are alike in something: which occur, and pairs of them."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Flags, Floats, Integers


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
