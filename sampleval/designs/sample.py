"""Samples: the answered items that an estimate rests on, and the probabilities with which they were drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.designs.between_rounds.foresight import Foresight
from sampleval.metrics.codes import summed
from sampleval.pool import Flags, Floats, Integers

# A sample refers to rows 0..k−1 of the answered run of the queue, never to pool positions, so that losses are computed
# once per answer and a repeated draw just repeats its row.
NOBODY = np.empty(0, np.intp), np.empty(0)  # rows and chances before any item is asked


@dataclass(frozen=True, slots=True, eq=False)
class Inclusions:
    """A sample without replacement whose terms are uncorrelated: Poisson sampling, or the queue given its threshold.

    Attributes:
        rows: (k,) rows of the answered run.
        inclusion: bₙ of each, (k,) in (0, 1].
        population: Number of items sampled from.
        measurable: Whether the variance can be estimated (not for one item of a queue).
        stochastic: Whether another answer might differ (stochastic oracle), so that even items with b = 1 add variance.
    """

    rows: Integers
    inclusion: Floats
    population: int
    measurable: bool = True
    stochastic: bool = False

    @property
    def weight(self) -> Floats:
        """Design weights 1/b, (k,): the number of items that each row represents."""
        return 1 / self.inclusion


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """A sample with replacement: sums over the draws of each row, with the proposal of each draw.

    Attributes:
        rows: (k,) rows of the answered run.
        draws: J, the number of draws in all, 0 if there is none.
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
        """The sample of J single draws, given the row of each, repeats included, and its q, (J,) both."""
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
    that any weights fixed beforehand combine the Z_r into an unbiased estimate (Y App. E has equal ones).

    Attributes:
        rows: (k,) rows of the answered run, in its order.
        round: Round of each, (k,), rising from 0 without gaps.
        inclusion: bʳ of each given the rounds before, (k,) in (0, 1].
        counted: Number of labels of each round that count towards its weight, (R,); never dependent on the labels' values.
        planned: Planned number of labels of each round, (R,): `counted` had it not been cut short.
        population: Number of items sampled from.
        measurable: Whether the variance of each round can be estimated, (R,).
        foresights: Predicted losses at the start of each round, for model-assisted estimates.
    """

    rows: Integers
    round: Integers
    inclusion: Floats
    counted: Floats
    planned: Floats
    population: int
    measurable: Flags
    foresights: tuple[Foresight, ...] = ()

    @property
    def weight(self) -> Floats:
        """Number of items that each row represents, (k,), with the rounds weighted in proportion to their labels."""
        return self.weighted(self.counted / self.counted.sum())

    def weighted(self, shares: Floats, own: Floats | None = None) -> Floats:
        """Weight of each row in Σ a_r Z_r, (k,): a_r/b in its own round plus a_r of every later round.

        Shares a are (R,). Weights `own`, (k,), stand in for 1/b.
        """
        later = shares.sum() - np.cumsum(shares)
        return shares[self.round] * (1 / self.inclusion if own is None else own) + later[self.round]

    def means(self, values: Floats) -> Floats:
        """Z_r of every round, (R, m), for values per row of the run."""
        chosen, rounds = values[self.rows], len(self.counted)
        own, all_ = (summed(each, self.round, rounds) for each in (chosen / self.inclusion[:, None], chosen))
        before = np.cumsum(all_, axis=0) - all_
        return (before + own) / self.population


@dataclass(frozen=True, slots=True, eq=False)
class Singles(Successive):
    """Rounds of one item each, in the order they were drawn."""

    @classmethod
    def of(cls, proposal: Floats, population: int) -> Singles:
        """The sample in which item m was drawn with probability q_m among those left, (M,)."""
        rows, ones = np.arange(len(proposal)), np.ones(len(proposal))
        return cls(rows, rows, proposal, ones, ones, population, np.zeros(len(rows), bool))


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Simple random samples without replacement within strata; one stratum is uniform sampling.

    Attributes:
        rows: (k,) rows of the answered run.
        stratum: Stratum of each, (k,) in 0..K−1.
        sizes: Items in each stratum, (K,).
        stochastic: Whether another answer might differ (stochastic oracle).
    """

    rows: Integers
    stratum: Integers
    sizes: Integers
    stochastic: bool = False

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
    """Cells with simple random samples, some of them empty: a mean needs a model, or the rounds' inclusion probabilities.

    Attributes:
        rounds: The same labels round by round, with inclusion probabilities given the rounds before.
        apart: Whether each cell is of the second of two kinds, (K,), whose labels do not stand for each other's items.
    """

    rounds: Successive
    apart: Flags

    @property
    def population(self) -> int:
        """Number of items sampled from, including those whose label cannot move the metrics it is drawn for."""
        return self.rounds.population


Sample = Inclusions | Draws | Strata | Successive
