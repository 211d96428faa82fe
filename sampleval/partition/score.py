"""Strata of similar score: methods for cutting a score into parts with similar labels."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from sampleval.metrics.codes import compact
from sampleval.pool import Floats, Integers, Pool

# Least number of histogram bins per stratum under the cumulative √frequency rule.
BINS_PER_STRATUM = 20


def csf(score: Floats, strata: int) -> Floats:
    """Cuts at equal steps of the cumulative square root of frequency (Dalenius & Hodges 1959)."""
    bins = max(1000, BINS_PER_STRATUM * strata)
    if np.ptp(score) < 2 * bins * np.spacing(np.abs(score).max()):
        return equal_size(score, strata)  # a histogram cannot separate scores that differ by rounding alone
    count, edges = np.histogram(score, bins)
    cumulative = np.cumsum(np.sqrt(count))
    at = np.searchsorted(cumulative, np.linspace(0, cumulative[-1], strata + 1)[1:-1])
    return np.asarray(edges[at + 1])


def geometric(score: Floats, strata: int) -> Floats:
    """Cuts in geometric progression from the smallest positive score to the largest (Gunning & Horgan 2004)."""
    positive = score[score > 0]
    if not len(positive):
        return np.empty(0)
    return np.geomspace(positive.min(), positive.max(), strata + 1)[1:-1]


def equal_width(score: Floats, strata: int) -> Floats:
    """Cuts at equal steps of the score, (K−1,)."""
    return np.linspace(score.min(), score.max(), strata + 1)[1:-1]


def equal_size(score: Floats, strata: int) -> Floats:
    """Cuts with the same number of items in every stratum, except for ties, (K−1,)."""
    ranks = (np.arange(1, strata) * len(score)) // strata
    return np.partition(score, ranks)[ranks] if len(ranks) else np.empty(0)


def thresholds(score: Floats, strata: int) -> Floats:
    """Cuts at the thresholds τ = 1/K, 2/K, … of a precision–recall curve within the scores, whose loss is constant between two."""
    grid = np.arange(1, strata) / strata
    return grid[(grid > score.min()) & (grid <= score.max())]


CUTS: MappingProxyType[str, Callable[[Floats, int], Floats]] = MappingProxyType(
    {
        "csf": csf,
        "geometric": geometric,
        "equal-width": equal_width,
        "equal-size": equal_size,
        "thresholds": thresholds,
    }
)


def cut(score: Floats, by: str, strata: int) -> Integers:
    """The stratum of every score, (n,), numbered in rising order without gaps."""
    at = np.searchsorted(np.unique(CUTS[by](score, strata)), score, side="right")
    return compact(at)


def strata_of(pool: Pool) -> list[tuple[Integers, Floats]]:
    """Positions of the items of each group, (n,), and the score by which it is cut, (n,): a group per predicted class if multiclass, else one."""
    kind, everyone = pool.task.kind, np.arange(pool.size)
    if kind == "binary":
        return [(everyone, pool.score)]
    if kind == "regression":
        return [(everyone, np.asarray(pool.pred, float))]
    if kind == "multilabel":
        return [(everyone, pool.score.max(axis=1))]
    groups = [np.flatnonzero(pool.pred == c) for c in range(pool.task.width)]
    return [(index, pool.score[index, c]) for c, index in enumerate(groups) if len(index)]
