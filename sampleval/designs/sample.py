"""Samples: which answered items an estimate rests on, and with what chances they came in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.pool import Floats, Integers

# Each sample speaks of rows 0..k−1 of the answered run of the queue, never of pool positions, so that
# losses are computed once per answer and a repeated draw just repeats its row.


@dataclass(frozen=True, slots=True, eq=False)
class Inclusions:
    """Without replacement, with uncorrelated terms: Poisson sampling, or the queue given its threshold.

    Attributes:
        rows: (k,) rows of the answered run.
        inclusion: bₙ of each, (k,) in (0, 1].
        population: Number of items sampled from.
        measurable: Whether the variance can be estimated (not for one item of a queue).
    """

    rows: Integers
    inclusion: Floats
    population: int
    measurable: bool = True

    @property
    def weight(self) -> Floats:
        """Design weight 1/b: the items each one speaks for, (k,)."""
        return 1 / self.inclusion


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """With replacement: J draws, each from its own proposal.

    Attributes:
        rows: (J,) the row of every draw, repeats included.
        proposal: q of the item drawn, at the time of the draw, (J,).
        current: The same item's q under the newest proposal, (J,); equal to `proposal` in one stage.
        population: Number of items sampled from.
    """

    rows: Integers
    proposal: Floats
    current: Floats
    population: int

    @property
    def weight(self) -> Floats:
        """1/(J·q) per draw, (J,): sums to about N."""
        return 1 / (len(self.rows) * self.proposal)


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Simple random samples without replacement within strata; one stratum is uniform sampling.

    Attributes:
        rows: (k,) rows of the answered run.
        stratum: Stratum of each, (k,) in 0..K−1.
        sizes: Items in each stratum, (K,).
    """

    rows: Integers
    stratum: Integers
    sizes: Integers

    @property
    def population(self) -> int:
        """Number of items sampled from."""
        return int(self.sizes.sum())

    @property
    def weight(self) -> Floats:
        """N_k/n_k per item, (k,)."""
        counts = np.bincount(self.stratum, minlength=len(self.sizes))
        return self.sizes[self.stratum] / counts[self.stratum]


Sample = Inclusions | Draws | Strata
