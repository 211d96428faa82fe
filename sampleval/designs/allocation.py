"""Where the next labels tell most: cells of a calibration curve, one small step at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.designs.inclusion import Waterline
from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration import Posterior, ScoreCells

# Share of a round that is spread by the cells' own uncertainty, to find surprises that no curve foresees. It rises from
# the first number to the sum of the first two, and is half-way there after so many labels. At first the curve has most
# to tell, and ten labels find no surprise.
SPREAD, SPREAD_LATER, HALF_WAY = 0.1, 0.45, 200
# This share of the spread part is even over the items left, so that each has a chance to be asked that depends on no
# belief.
EVEN = 0.1
# The spread part takes a cell's variance to be at least this many times what its scores claim, less as labels come
# in.
CLAIM = 1.5
# Where many scores are exactly 0 or 1, they may stand for "unknown". Until this many of them are labelled, only those
# labels say how sure their cell is.
LOOK = 12
# Draws of the posterior farther out than this many standard deviations of the metric count less in
# planning, so that one far-fetched curve does not take the whole budget.
FAR = 1.5
# Apart from the cell's own labels, planning doubts each cell's rate by this spread of its log-odds.
DOUBT = 1.0
STEPS = 40
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Allocation:
    """How many labels of a round each cell is to get.

    Attributes:
        telling: Labels for what they tell of the metric most, (K,) whole numbers.
        spread: Expected labels against surprises, (K,) ≥ 0; their sum is a whole number.
    """

    telling: Integers
    spread: Floats

    @property
    def expected(self) -> Floats:
        """Expected labels of each cell, (K,)."""
        return self.telling + self.spread

    def shuffled(self, rng: np.random.Generator) -> Integers:
        """Cells of the round's labels in the order of asking, (size,).

        They are mixed, so that a round cut short has asked for both reasons, each cell by its expected share.
        """
        counts = self.counts(rng.random())
        return rng.permutation(np.repeat(np.arange(len(counts)), counts))

    def counts(self, start: float) -> Integers:
        """Labels of each cell, (K,), for a start in [0, 1): as expected on average over the starts, and never off by one."""
        steps = np.floor(np.cumsum(self.spread) + start + ROUNDING).astype(np.intp)
        return self.telling + np.diff(steps, prepend=0)


def allocate(
    cells: ScoreCells, belief: Posterior, effects: Floats, labelled: Floats, left: Integers, size: int
) -> Allocation:
    """Share a round's labels among the cells.

    Args:
        cells: K cells.
        belief: Their rates after the labels so far.
        effects: How far one more positive of a cell moves each target metric, (T, K).
        labelled: Labels so far in each cell, (K,).
        left: Items that may still be asked, (K,), at least `size` in all.
        size: Labels of the round.
    """
    share = SPREAD + SPREAD_LATER * labelled.sum() / (labelled.sum() + HALF_WAY)
    telling = most_telling(belief, effects, labelled, left, size - round(share * size))
    rest = left - telling
    h = neyman(cells, belief, effects, labelled, rest)
    even = rest / max(rest.sum(), 1)
    h = (1 - EVEN) * h / h.sum() + EVEN * even if h.any() else even
    return Allocation(telling, capped(h, rest, size - int(telling.sum())))


def neyman(cells: ScoreCells, belief: Posterior, effects: Floats, labelled: Floats, left: Integers) -> Floats:
    """Neyman's sizes, N_k σ_k |effect|, with a rate that sceptics and the scores keep from 0, (K,)."""
    rate = belief.sceptical @ belief.within
    claimed = cells.score * (1 - cells.score)
    variance = np.maximum(rate * (1 - rate), CLAIM * claimed / (1 + labelled * claimed))
    unmet = cells.certain & (labelled < LOOK)
    variance = np.where(unmet, np.maximum(variance, 1 / (labelled + 4)), variance)
    return np.asarray(left * np.sqrt((effects**2).sum(axis=0) * variance))


def capped(h: Floats, most: Integers, size: int) -> Floats:
    """min(most, κh), (K,), with κ such that they sum to `size`, or to all that may be had where h > 0 if that is less."""
    able = np.flatnonzero((h > 0) & (most > 0))
    able = able[np.argsort(-h[able] / most[able], kind="stable")]
    share, caps = np.zeros(len(h)), most[able].astype(float)
    scale = Waterline.sorted(h[able] / caps, caps).scale(size)
    share[able] = np.minimum(caps, scale * h[able])
    return share


def most_telling(belief: Posterior, effects: Floats, labelled: Floats, left: Integers, size: int) -> Integers:
    """Labels of each cell by steps to where they lower the metrics' posterior variance most, (K,), at most `size` in all.

    Greedy c-optimal design: after each step the covariance of the rates is updated as if they were normal.
    """
    own = belief.mean * (1 - belief.mean)
    covariance = belief.covariance(moderate(belief, effects * left))
    noise = np.maximum(own - np.diag(covariance), 1e-15)
    covariance += np.diag((own * DOUBT) ** 2 / (1 + DOUBT**2 * own * labelled))
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
    """Weights of the draws, (J,), lower for those far out; `stakes` turn rates into the metrics, (T, K)."""
    weight = belief.weight.copy()
    for stake in stakes:
        value = belief.within @ stake
        by_value = np.argsort(value)
        at = np.searchsorted(np.cumsum(belief.weight[by_value]), [0.16, 0.5, 0.84])
        low, middle, high = value[by_value[np.minimum(at, len(value) - 1)]]
        scale = max((high - low) / 2, 1e-300)
        weight *= np.minimum(1, FAR * scale / np.maximum(np.abs(value - middle), 1e-300)) ** 2
    return weight / weight.sum()
