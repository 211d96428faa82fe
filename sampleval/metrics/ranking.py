"""How well scores rank items: area under the ROC curve and average precision, from the ranks of the whole pool.

Ranks of scores are known before any label. So a census gives the area of scikit-learn, which is that of all pairs of
items and not of a few thresholds, and its average precision to within 1/2,000 (exactly for up to a hundred distinct
scores). Items are in bins of similar rank. Between bins, labelled counts are compared as in a curve; within a bin, the
known ranks are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sampleval.memo import once_each
from sampleval.metrics.base import Encoded, Loss, Metric
from sampleval.metrics.makers import repeatable
from sampleval.metrics.ranks import Ranking, Ranks, growing
from sampleval.pool import Flags, Floats, Integers, Items

AREA_BINS, PRECISION_BINS = 32, 100
ALONE = 0.5  # items of one score that fill at least this share of a bin have a bin of their own


def _metric(
    name: str,
    title: str,
    *,
    loss: Callable[[Ranking], Loss],
    g: Callable[[Floats], Floats],
    jacobian: Callable[[Floats], Floats],
    about: str,
    undefined: str,
    members: Flags | None = None,
) -> Metric:
    """A metric of the ranks among these members of the pool, (N,) bool; `None` for all."""
    ranking = Ranking(members)
    again = partial(_metric, name, title, loss=loss, g=g, jacobian=jacobian, about=about, undefined=undefined)
    return Metric(
        name,
        title,
        loss(ranking),
        g,
        jacobian,
        cells=ranking.codes,
        about=about,
        undefined=undefined,
        needs_positives=True,
        of_scores=True,
        graded=True,
        among=lambda others: again(members=others),
    )


def _area_loss(ranking: Ranking) -> Loss:
    """ℓ = (1 − y by bin, y by bin, (y − k)·h) with k the mean score of the bin and h = n_b(r − ½)/N, r the rank in it.

    Σh = 0 in every bin, so that a census does not depend on k; the expected share of positives gives the least variance.
    """

    def loss(items: Items, y: Encoded) -> Floats:
        ranks, code = ranking.of(items), ranking.codes(items)
        all_items, below = max(ranks.items, 1), np.cumsum(ranks.size) - ranks.size
        of = np.floor(AREA_BINS * (below + ranks.size / 2) / all_items).astype(np.intp)
        total = _by_bin(of, ranks.size)
        start = np.cumsum(total) - total
        shift = (below - start[of] + (ranks.size - total[of]) / 2) / all_items
        expected = _by_bin(of, ranks.size * ranks.score) / np.maximum(total, 1)
        out, row, bins = np.zeros((len(y), 2 * AREA_BINS + 1)), np.arange(len(y)), of[code]
        out[row, bins], out[row, AREA_BINS + bins] = 1 - y, y
        out[:, -1] = (y - expected[bins]) * shift[code]
        return out

    return loss


def _by_bin(of: Integers, weight: Floats) -> Floats:
    return np.bincount(of, weight, AREA_BINS).astype(float)


def _area_parts(risk: Floats) -> tuple[Any, ...]:
    """(negatives by bin, positives by bin, the sum inside bins, all negatives, all positives)."""
    negative, positive, inside = risk[:AREA_BINS], risk[AREA_BINS:-1], risk[-1]
    return negative, positive, inside, negative.sum(axis=0), positive.sum(axis=0)


def _area(risk: Floats) -> Floats:
    """[Σ_b pos_b(neg_{<b} + ½neg_b) + S(P + Q)]/(PQ) with P positives and Q negatives: Mann & Whitney's U/(PQ)."""
    negative, positive, inside, q, p = _area_parts(risk)
    pairs = (positive * (np.cumsum(negative, axis=0) - negative / 2)).sum(axis=0)
    return np.asarray((pairs + inside * (p + q)) / (p * q))[None]


def _area_slope(risk: Floats) -> Floats:
    negative, positive, inside, q, p = _area_parts(risk)
    area = _area(risk)[0]
    above = p - np.cumsum(positive) + positive / 2
    below = np.cumsum(negative) - negative / 2
    by_negative, by_positive = (above + inside) / (p * q) - area / q, (below + inside) / (p * q) - area / p
    return np.concatenate([by_negative, by_positive, [(p + q) / (p * q)]])


@repeatable
def area_under_roc() -> Metric:
    """U/(PQ): the probability that a positive scores above a negative, with ties counted as one half.

    U = Σ_pos rank − P(P+1)/2 with ranks of the whole pool (Mann & Whitney 1947). It is exact for pools with up to 2,048
    distinct scores, otherwise to within 1/2,000 for any labels.
    """
    return _metric(
        "auc",
        "Area under the ROC curve",
        loss=_area_loss,
        g=_area,
        jacobian=_area_slope,
        about="The chance that a random positive scores higher than a random negative.",
        undefined="no positive or no negative was found",
    )


def _precision_bins(ranks: Ranks) -> Integers:
    """The bin of each cell, (K,), from the top: bins grow with the rank, and many items of one score have their own."""
    of, bins = np.arange(len(ranks.size))[::-1], float(PRECISION_BINS)
    while of[0] >= PRECISION_BINS:  # own bins of single scores may make too many
        places = [growing(ranks.above + share * ranks.size, ranks.items, bins)[::-1] for share in (0, 0.5, 1)]
        alone = ranks.one[::-1] & (places[2] - places[0] >= ALONE)
        new = np.append(True, np.diff(np.floor(places[1])) != 0) | alone | np.append(False, alone[:-1])
        of, bins = (np.cumsum(new) - 1)[::-1], 0.9 * bins
    return of


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """The bins of average precision, with their constants that do not depend on labels.

    Attributes:
        of: The bin of each cell, (K,).
        share: m/rank of the items of each cell, (K,), with m the middle rank of its bin.
        counted: Weight with which an item of each bin (row) counts as above the items of each bin (column), (d, d).
        rest: Weight that every item adds to this at each bin, (d,).
    """

    of: Integers
    share: Floats
    counted: Floats
    rest: Floats


@once_each
def _bins_of(ranks: Ranks) -> Bins:
    """The bins of these ranks, cached because they take longer than the losses of a few items."""
    of, d, inverse = _precision_bins(ranks), PRECISION_BINS, _mean_inverse(ranks)
    total, sums = np.bincount(of, ranks.size, d), np.bincount(of, ranks.size * inverse, d)
    start = np.cumsum(total) - total
    with np.errstate(invalid="ignore", divide="ignore"):
        c = np.where(total > 1, (total - (start + 1) * sums) / ((total - 1) * sums), 1.0)
    middle, counted = start + c * total + (1 - c), np.triu(np.ones((d, d)), 1) + np.diag(c)
    return Bins(of, middle[of] * inverse, counted, (1 - c) / max(ranks.items, 1))


def _precision_loss(ranking: Ranking) -> Loss:
    """ℓ = (y·m/rank by bin, items above, positives above, y) with m the middle rank of the bin.

    Within a bin, an item counts as above another one with weight c: the share of pairs of the bin's items, weighted by
    1/rank, in which the one is at least as high as the other. It counts as above itself with weight 1.
    """

    def loss(items: Items, y: Encoded) -> Floats:
        known, code, d = _bins_of(ranking.of(items)), ranking.codes(items), PRECISION_BINS
        out, bins = np.zeros((len(y), 3 * d + 1)), known.of[code]
        out[np.arange(len(y)), bins] = y * known.share[code]
        out[:, d : 2 * d] = known.counted[bins]
        out[:, 2 * d : -1] = out[:, d : 2 * d] * np.asarray(y)[:, None]
        out[:, d:-1] += np.tile(known.rest, 2)
        out[:, -1] = y
        return out

    return loss


def _mean_inverse(ranks: Ranks) -> Floats:
    """Mean of 1/rank over the items of each cell, (K,), the rank being the number of items scored at least as high."""
    last = np.maximum(ranks.above + ranks.size, 1)
    apart = np.log((last + 0.5) / (ranks.above + 0.5)) / np.maximum(ranks.size, 1)
    return np.where(ranks.one, 1 / last, apart)


def _precision_parts(risk: Floats) -> tuple[Any, ...]:
    """(weighted positives by bin, precision at each bin, items down to it, all positives)."""
    found, items, true = risk[:-1].reshape(3, -1, *risk.shape[1:])
    return found, np.where(items > 0, true / items, 0.0), items, risk[-1]


def _precision(risk: Floats) -> Floats:
    """Σ_b A_b·(T_b/N_b)/P: the mean over all positives of the precision at their rank."""
    found, precision, _, p = _precision_parts(risk)
    return np.asarray((found * precision).sum(axis=0) / p)[None]


def _precision_slope(risk: Floats) -> Floats:
    found, precision, items, p = _precision_parts(risk)
    by_true = np.where(items > 0, found / items, 0.0)
    whole = (found * precision).sum() / p
    return np.concatenate([precision, -by_true * precision, by_true, [-whole]]) / p


@repeatable
def average_precision() -> Metric:
    """The mean over all positives of the precision at their score, as in scikit-learn.

    It is exact for pools with up to 100 distinct scores. Otherwise positives and items above a bin are counted exactly,
    and pairs within a bin as if its positives lay anywhere in it; from bin to bin the rank grows by about a tenth.
    The result is within 1/2,000 for the worst labels among a million items, and far closer for most.
    """
    return _metric(
        "average_precision",
        "Average precision",
        loss=_precision_loss,
        g=_precision,
        jacobian=_precision_slope,
        about="The precision averaged over all recalls: the area under the precision–recall curve.",
        undefined="no positive was found",
    )


RANKINGS = (average_precision(), area_under_roc())
