"""Streams of random numbers: what a seed is used for has a number, so that one use does not move another's draws.

To change a number changes the items that existing seeds ask for, or the digits of limits. No two uses may share one: while
they did, a stochastic oracle's first labels went with the shifts of `Stratified`, and its estimates in simulations were biased.
"""

from __future__ import annotations

import numpy as np

DRAWS = 1  # draws of importance sampling
ROUNDS = 2  # draws of a round; the number of the round follows
SHIFTS = 3  # where each stratum begins in the queue
ORACLE = 4  # labels of a stochastic oracle in a simulation
LIMITS = 5  # resampling for the limits of a scalar metric
BANDS = 6  # the largest of many deviations, for limits that hold at once


def stream(seed: int, use: int, number: int | None = None) -> np.random.Generator:
    """The random numbers of one use of a seed, one of the constants of this module; for `ROUNDS` with the round's number.

    >>> stream(7, ROUNDS, 1).random() == np.random.default_rng([7, 2, 1]).random()
    True
    """
    return np.random.default_rng([seed, use] if number is None else [seed, use, number])
