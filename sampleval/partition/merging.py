"""Neighbouring parts merged until each group has required amounts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sampleval.pool import Floats, Integers

ROUNDING = 1e-9


def merged(amounts: Sequence[Integers | Floats], least: float) -> Integers:
    """Group of each part, (K,) in 0..G−1: neighbours are merged until all their amounts reach `least`.

    Parts left over at the end join the last group.

    Args:
        amounts: One array for each required amount, with the amount of each part, (K,).
        least: Least amount of each kind in a group.

    >>> merged([np.array([1, 0, 2, 0, 5, 1, 1])], 3).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    >>> merged([np.array([2, 1, 1, 0, 3, 1]), np.array([2.0, 0.7, 0.7, 0.7, 3.0, 0.9])], 2).tolist()
    [0, 1, 1, 1, 2, 2]
    >>> merged([np.array([2.0, 0.7, 0.7, 0.7, 3.0]), np.array([2, 1, 1, 0, 3])], 2).tolist()
    [0, 1, 1, 1, 2]
    """
    group, number = np.zeros(len(amounts[0]), np.intp), 0
    have = nothing = [0.0] * len(amounts)
    for part, more in enumerate(zip(*(each.tolist() for each in amounts), strict=True)):
        group[part], have = number, [own + added for own, added in zip(have, more, strict=True)]
        if min(have) >= least - ROUNDING:
            number, have = number + 1, nothing
    return np.minimum(group, max(number - 1, 0))
