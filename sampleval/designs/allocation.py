"""Where the next labels tell most: cells of a calibration curve, one small step at a time."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration import Cells, Posterior

# Share of a round spread by the cells' own uncertainty, against surprises that no curve foresees: from the
# first to the sum of both as labels pass 500, when the curve has less left to tell.
SPREAD, SPREAD_LATER = 0.3, 0.3
# The spread part never takes a cell for surer than this multiple of the variance its scores claim.
CLAIM = 1.5
# Draws of the posterior farther out than this many standard deviations of the metric count less in
# planning, so that one far-fetched curve does not take the whole budget.
FAR = 1.5
# Planning doubts every cell's own rate by this spread of its log-odds, labels of its own aside.
DOUBT = 1.0
STEPS = 40


def allocate(
    cells: Cells,
    belief: Posterior,
    effects: Floats,
    labelled: Floats,
    left: Integers,
    size: int,
    rng: np.random.Generator,
) -> Integers:
    """Cells of the next labels in the order of asking, (size,).

    Args:
        cells: K cells.
        belief: Their rates after the labels so far.
        effects: How far one more positive of a cell moves each target metric, (T, K).
        labelled: Labels so far in each cell, (K,).
        left: Items that may still be asked, (K,), at least `size` in all.
        size: Labels of the round.
        rng: Rounds fractions and orders the spread part.
    """
    share = SPREAD + SPREAD_LATER * labelled.sum() / (labelled.sum() + 500)
    spread = spread_out(cells, belief, effects, labelled, left, round(share * size), rng)
    rest = left - np.bincount(spread, minlength=len(left))
    telling = most_telling(belief, effects, labelled, rest, size - len(spread))
    chosen = np.concatenate([spread, telling])
    rest = left - np.bincount(chosen, minlength=len(left))
    idle = rng.permutation(np.repeat(np.arange(len(left)), rest))
    # Mixed, so that a round cut short has asked for both reasons.
    return rng.permutation(np.concatenate([chosen, idle[: size - len(chosen)]]))


def spread_out(
    cells: Cells,
    belief: Posterior,
    effects: Floats,
    labelled: Floats,
    left: Integers,
    size: int,
    rng: np.random.Generator,
) -> Integers:
    """Neyman's allocation, n_k ∝ N_k σ_k |effect|, with a rate that sceptics and the scores keep from 0, (≤ size,)."""
    rate = belief.sceptical @ belief.within
    claimed = cells.score * (1 - cells.score)
    variance = np.maximum(rate * (1 - rate), CLAIM * claimed / (1 + labelled * claimed))
    h = left * np.sqrt((effects**2).sum(axis=0) * variance)
    share = capped(h, left, size)
    steps = np.floor(np.cumsum(share) + rng.random() + 1e-9).astype(np.intp)
    counts = np.clip(np.diff(steps, prepend=0), 0, left)
    return rng.permutation(np.repeat(np.arange(len(left)), counts))


def capped(h: Floats, most: Integers, size: int) -> Floats:
    """Shares of `size` in proportion to h, none above its cap, (K,)."""
    share, free = np.zeros(len(h)), (h > 0) & (most > 0)
    while free.any() and (open_ := size - share.sum()) > 1e-9:
        wanted = np.where(free, h, 0.0) / h[free].sum() * open_
        full = free & (wanted >= most)
        if not full.any():
            return share + wanted
        share[full], free = most[full], free & ~full
    return share


def most_telling(belief: Posterior, effects: Floats, labelled: Floats, left: Integers, size: int) -> Integers:
    """Steps to the cell whose labels lower the metrics' posterior variance most, (≤ size,).

    Greedy c-optimal design: after each step the covariance of the rates is updated as if they were normal.
    """
    own = belief.mean * (1 - belief.mean)
    covariance = belief.covariance(moderate(belief, effects * left))
    noise = np.maximum(own - np.diag(covariance), 1e-15)
    covariance += np.diag((own * DOUBT) ** 2 / (1 + DOUBT**2 * own * labelled))
    open_, step = left.astype(float), max(1, size // STEPS)
    chosen: list[Integers] = []
    while size:
        gain = covariance @ (effects * open_).T + (effects * noise).T
        value = (gain**2).sum(axis=1) / (np.diag(covariance) + noise)
        value[(open_ < 1) | ~effects.any(axis=0)] = -1.0
        best = int(np.argmax(value))
        if value[best] <= 0:
            break
        taken = int(min(step, size, open_[best]))
        chosen.append(np.full(taken, best))
        size, open_[best] = size - taken, open_[best] - taken
        column = covariance[:, best].copy()
        covariance -= np.outer(column, column) / (column[best] + noise[best] / taken)
    return np.concatenate(chosen) if chosen else np.empty(0, np.intp)


def moderate(belief: Posterior, stakes: Floats) -> Floats:
    """Weights of the draws with the far-out ones reduced, (J,); `stakes` turn rates into the metrics, (T, K)."""
    weight = belief.weight.copy()
    for stake in stakes:
        value = belief.within @ stake
        by_value = np.argsort(value)
        at = np.searchsorted(np.cumsum(belief.weight[by_value]), [0.16, 0.5, 0.84])
        low, middle, high = value[by_value[np.minimum(at, len(value) - 1)]]
        scale = max((high - low) / 2, 1e-300)
        weight *= np.minimum(1, FAR * scale / np.maximum(np.abs(value - middle), 1e-300)) ** 2
    return weight / weight.sum()
