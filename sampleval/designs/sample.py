"""Samples: which answered items an estimate rests on, and with what chances they came in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.designs.foresight import Foresight
from sampleval.metrics.codes import summed
from sampleval.pool import Flags, Floats, Integers

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
        noisy: Whether another answer might differ (stochastic oracle), so that even b = 1 leaves doubt.
    """

    rows: Integers
    inclusion: Floats
    population: int
    measurable: bool = True
    noisy: bool = False

    @property
    def weight(self) -> Floats:
        """Design weight 1/b: the items each one speaks for, (k,)."""
        return 1 / self.inclusion


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """With replacement: all draws of each row added up, each at the proposal it was drawn from.

    Attributes:
        rows: (k,) rows of the answered run.
        draws: J, how many draws were made in all; fewer than one is none.
        inverse: Σ 1/q over the draws of each row, (k,).
        square: Σ 1/q² over the same, (k,).
        current: q of each row under the newest proposal, (k,).
        population: Number of items sampled from.
    """

    rows: Integers
    draws: float
    inverse: Floats
    square: Floats
    current: Floats
    population: int

    @classmethod
    def of(cls, rows: Integers, proposal: Floats, population: int) -> Draws:
        """J single draws: the row of each, repeats included, and its q, (J,)."""
        distinct, place = np.unique(rows, return_inverse=True)
        newest = np.zeros(len(distinct))
        newest[place] = proposal
        inverse = np.bincount(place, 1 / proposal, len(distinct)).astype(float)
        square = np.bincount(place, 1 / proposal**2, len(distinct)).astype(float)
        return cls(distinct, float(len(rows)), inverse, square, newest, population)

    @property
    def weight(self) -> Floats:
        """Σ 1/(J·q) per row, (k,): sums to about N."""
        return self.inverse / max(self.draws, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Successive:
    """Rounds without replacement: round r draws among the items that were not labelled before it.

    Z_r = (Σ_{labelled before r} ℓ + Σ_{s_r} ℓ/bʳ)/N is unbiased given the rounds before it, so
    that any weights fixed beforehand combine the Z_r into an unbiased estimate (Y App. E).

    Attributes:
        rows: (k,) rows of the answered run, in its order.
        round: Round of each, (k,), rising from 0 without gaps.
        inclusion: bʳ of each given the rounds before, (k,) in (0, 1].
        sizes: How much of each round counts, in labels, (R,); for weights, and never dependent on labels.
        planned: The same had the round not been cut short, (R,).
        population: Number of items sampled from.
        measurable: Whether each round tells its own variance, (R,).
        foresights: What was expected of every item as each round began, for model-assisted estimates.
    """

    rows: Integers
    round: Integers
    inclusion: Floats
    sizes: Floats
    planned: Floats
    population: int
    measurable: Flags
    foresights: tuple[Foresight, ...] = ()

    @property
    def shares(self) -> Floats:
        """Weights of the rounds in proportion to their size, (R,): fixed before any label."""
        return self.sizes / self.sizes.sum()

    @property
    def weight(self) -> Floats:
        """How many items each row speaks for under those shares, (k,)."""
        return self.weighted(self.shares)

    def weighted(self, shares: Floats, own: Floats | None = None) -> Floats:
        """Weight per row of Σ a_r Z_r: a_r/b in its own round, and a_r in full in each later one, (k,).

        Args:
            shares: a_r, (R,).
            own: What takes the place of 1/b, (k,).
        """
        later = shares.sum() - np.cumsum(shares)
        return shares[self.round] * (1 / self.inclusion if own is None else own) + later[self.round]

    def means(self, values: Floats) -> Floats:
        """Z_r of every round, (R, m), of values per row of the run."""
        chosen, rounds = values[self.rows], len(self.sizes)
        own, all_ = (summed(each, self.round, rounds) for each in (chosen / self.inclusion[:, None], chosen))
        before = np.cumsum(all_, axis=0) - all_
        return (before + own) / self.population


@dataclass(frozen=True, slots=True, eq=False)
class Singles(Successive):
    """Rounds of one item each, in the order they were drawn."""

    @classmethod
    def of(cls, proposal: Floats, population: int) -> Singles:
        """Item m with chance q_m among those left, (M,)."""
        rows, ones = np.arange(len(proposal)), np.ones(len(proposal))
        return cls(rows, rows, proposal, ones, ones, population, np.zeros(len(rows), bool))


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Simple random samples without replacement within strata; one stratum is uniform sampling.

    Attributes:
        rows: (k,) rows of the answered run.
        stratum: Stratum of each, (k,) in 0..K−1.
        sizes: Items in each stratum, (K,).
        noisy: Whether another answer might differ (stochastic oracle).
    """

    rows: Integers
    stratum: Integers
    sizes: Integers
    noisy: bool = False

    @property
    def population(self) -> int:
        """Number of items sampled from."""
        return int(self.sizes.sum())

    @property
    def weight(self) -> Floats:
        """N_k/n_k per item, (k,)."""
        counts = np.bincount(self.stratum, minlength=len(self.sizes))
        return self.sizes[self.stratum] / counts[self.stratum]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CellSample(Strata):
    """Strata chosen from labels, some of them without any: a mean needs a model across them, or the rounds' chances.

    Attributes:
        rounds: The same labels round by round, each with its chance given the rounds before.
    """

    rounds: Successive

    @property
    def population(self) -> int:
        """Number of items sampled from, also where no label can move the metrics it is drawn for."""
        return self.rounds.population


Sample = Inclusions | Draws | Strata | Successive
