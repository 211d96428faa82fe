"""Streams of random numbers: what a seed is used for has a number, so that one use does not move another's draws.

A number cannot be changed without changing the items that existing seeds ask for. That is why some uses share one:
`SHIFTS`, `BANDS` and `ORACLE`; and, while the seed is small, `LIMITS` and the first round, since NumPy then takes
[seed, 2] and [seed, 2, 0] for the same. Limits and bands do not choose items. But where a stratified design meets a
stochastic oracle in a simulation, the oracle's first draws are the shifts of the strata. A new use takes a new number.
"""

from __future__ import annotations

import numpy as np

DRAWS = 1  # draws of importance sampling
ROUNDS = 2  # draws of a round; the number of the round follows
LIMITS = 2  # resampling for the limits of a scalar metric
SHIFTS = 3  # where each stratum begins in the queue
BANDS = 3  # the largest of many deviations, for limits that hold at once
ORACLE = 3  # labels of a stochastic oracle in a simulation


def stream(seed: int, use: int, number: int | None = None) -> np.random.Generator:
    """The random numbers of one use of a seed.

    Args:
        seed: Of the study, or the entropy of its problem, ≥ 0.
        use: One of the constants of this module.
        number: Of the round, for `ROUNDS`.

    >>> stream(7, ROUNDS, 0).random() == stream(7, LIMITS).random() == np.random.default_rng([7, 2]).random()
    True
    >>> stream(2**99, ROUNDS, 0).random() == stream(2**99, LIMITS).random()
    False
    """
    # To write the number 0 for none would change the draws of large seeds: NumPy pads with zeros only up to 128 bits.
    return np.random.default_rng([seed, use] if number is None else [seed, use, number])
