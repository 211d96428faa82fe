"""Allocation of a round's labels to the cells of a calibration curve: greedy c-optimal steps, and Neyman allocation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.designs.inclusion import Waterline
from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration import Posterior, ScoreCells
from sampleval.surrogates.calibration.decisions import rarer
from sampleval.surrogates.calibration.posterior import weighted_quantiles

# Share of a round that is spread by Neyman allocation, to find what the curve does not predict. It rises from the first
# number to the sum of the first two, and is half-way there after HALF_WAY labels. At first labels are best used for the
# curve, and ten of them would hardly find anything unexpected.
SPREAD, SPREAD_LATER, HALF_WAY = 0.1, 0.45, 200
# This share of the spread part is even over the items left, so that each item has a positive inclusion probability
# whatever the belief.
EVEN = 0.1
# In the spread part, a cell's variance is at least this many times the variance that its scores claim; this bound falls
# as the cell receives labels.
CLAIM = 1.5
# Many scores of exactly 0 or 1 may stand for "unknown". Until so many items of such a cell are labelled, its variance is
# at least 1/(labels + 4).
LOOK = 12
# Items predicted to be of the rarer class are overlooked while they have less than this share of the labels, and fewer than
# LOOK of them.
OVERLOOKED = 0.1
# Posterior draws further than this many standard deviations of the metric from its median have less weight in planning,
# so that one implausible curve does not take the whole budget.
FAR = 1.5
# Planning adds to each cell's rate an error with this standard deviation in log-odds, which only its own labels reduce.
DOUBT = 1.0
STEPS = 40
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Allocation:
    """The number of labels of a round that each cell is to get.

    Attributes:
        telling: Labels that lower the posterior variance of the metric most, (K,) whole numbers.
        spread: Expected labels by Neyman allocation, in part even, (K,) ≥ 0; their sum is a whole number.
    """

    telling: Integers
    spread: Floats

    @property
    def expected(self) -> Floats:
        """Expected labels of each cell, (K,)."""
        return self.telling + self.spread

    def shuffled(self, rng: np.random.Generator) -> Integers:
        """The cell of each of the round's labels in the order of asking, (size,).

        The order is random, so that any part of a round is allocated like the whole round in expectation.
        """
        counts = self.counts(rng.random())
        return rng.permutation(np.repeat(np.arange(len(counts)), counts))

    def counts(self, start: float) -> Integers:
        """Labels of each cell, (K,), by systematic rounding of `expected` from a start in [0, 1).

        Their mean over uniform starts is `expected`, and none is off by one or more.
        """
        steps = np.floor(np.cumsum(self.spread) + start + ROUNDING).astype(np.intp)
        return self.telling + np.diff(steps, prepend=0)


def allocate(
    cells: ScoreCells, belief: Posterior, effects: Floats, labelled: Floats, left: Integers, size: int
) -> Allocation:
    """The allocation of a round's labels to the cells.

    Args:
        cells: K cells.
        belief: Posterior of their rates after the labels so far.
        effects: Change of each target metric per additional positive of a cell, (T, K).
        labelled: Labels so far in each cell, (K,).
        left: Items that may still be asked, (K,), at least `size` in all.
        size: Labels of the round.
    """
    share = SPREAD + SPREAD_LATER * labelled.sum() / (labelled.sum() + HALF_WAY)
    doubt = overlooked(cells, labelled)
    telling = most_telling(belief, effects, labelled, left, size - round(share * size), doubt)
    rest = left - telling
    h = neyman(cells, belief, effects, labelled, rest)
    even = rest / max(rest.sum(), 1)
    h = (1 - EVEN) * h / h.sum() + EVEN * even if h.any() else even
    return Allocation(telling, capped(h, rest, size - int(telling.sum())))


def neyman(cells: ScoreCells, belief: Posterior, effects: Floats, labelled: Floats, left: Integers) -> Floats:
    """Sizes of Neyman allocation, N_k σ_k |effect|, (K,), with σ_k kept from 0 by sceptical weights and by the scores."""
    rate = belief.sceptical @ belief.within
    claimed = cells.score * (1 - cells.score)
    variance = np.maximum(rate * (1 - rate), CLAIM * claimed / (1 + labelled * claimed))
    unmet = cells.certain & (labelled < LOOK)
    variance = np.where(unmet, np.maximum(variance, 1 / (labelled + 4)), variance)
    return np.asarray(left * np.sqrt((effects**2).sum(axis=0) * variance))


def capped(h: Floats, most: Integers, size: int) -> Floats:
    """min(most, κh), (K,), with κ such that the sum is `size`, or the sum of `most` over h > 0 if that is less."""
    able = np.flatnonzero((h > 0) & (most > 0))
    able = able[np.argsort(-h[able] / most[able], kind="stable")]
    share, caps = np.zeros(len(h)), most[able].astype(float)
    scale = Waterline.sorted(h[able] / caps, caps).scale(size)
    share[able] = np.minimum(caps, scale * h[able])
    return share


def overlooked(cells: ScoreCells, labelled: Floats) -> Floats:
    """Error common to the rates of the items predicted to be of the rarer class, (K,); 0 unless they are overlooked.

    A curve that is sure of these items asks for none of them, and then remains sure whatever they are. So a round is
    planned as if their share of positives were known from their own labels alone, with the largest standard error that
    Agresti and Coull (1998) give it.
    """
    rare = (cells.votes > 0.5) == (rarer(cells)[0] > 0)
    asked = labelled[rare].sum()
    few = asked < min(LOOK, OVERLOOKED * labelled.sum())
    return np.where(rare & few, 0.5 / np.sqrt(asked + 4), 0.0)


def most_telling(
    belief: Posterior,
    effects: Floats,
    labelled: Floats,
    left: Integers,
    size: int,
    doubt: Floats | float = 0.0,
) -> Integers:
    """Labels of each cell in a greedy c-optimal design, (K,), at most `size` in all.

    Each step goes to the cell whose labels lower the posterior variance of the metrics most. After each step the
    covariance of the rates is updated as if they were normal. `doubt`, (K,), is the standard deviation of a further error
    that the cells have in common.
    """
    own = belief.mean * (1 - belief.mean)
    covariance = belief.covariance(moderate(belief, effects * left))
    noise = np.maximum(own - np.diag(covariance), 1e-15)
    covariance += np.diag((own * DOUBT) ** 2 / (1 + DOUBT**2 * own * labelled))
    covariance += np.multiply.outer(doubt, doubt)
    open_, step = left.astype(float), max(1, size // STEPS)
    counts = np.zeros(len(left), np.intp)
    while size:
        gain = covariance @ (effects * open_).T + (effects * noise).T
        value = (gain**2).sum(axis=1) / (np.diag(covariance) + noise)
        value[(open_ < 1) | ~effects.any(axis=0)] = -1.0
        best = int(np.argmax(value))
        if value[best] <= 0:
            break
        taken = int(min(step, size, open_[best]))
        counts[best] += taken
        size, open_[best] = size - taken, open_[best] - taken
        column = covariance[:, best].copy()
        covariance -= np.outer(column, column) / (column[best] + noise[best] / taken)
    return counts


def moderate(belief: Posterior, stakes: Floats) -> Floats:
    """Weights of the posterior draws, (J,), lowered for those far from the median; `stakes` map rates to metrics, (T, K)."""
    weight = belief.weight.copy()
    for stake in stakes:
        value = belief.within @ stake
        low, middle, high = weighted_quantiles(value, belief.weight, [0.16, 0.5, 0.84])
        reach = FAR * max((high - low) / 2, 1e-300)
        weight *= (reach / np.maximum(np.abs(value - middle), reach)) ** 2
    return weight / weight.sum()
