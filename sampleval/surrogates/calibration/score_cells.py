"""Score cells: groups of items of similar scores and equal decisions, finer where labels could matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, logit

from sampleval.metrics.codes import compact, paired, summed
from sampleval.pool import Flags, Floats, Integers, System
from sampleval.surrogates.calibration.averages import averaged
from sampleval.surrogates.probabilities import LEAST, MOST, inside

# Gaps between log-odds count up to this width only: a wider gap does not need more cells.
WIDEST = 0.5
MANY = 0.02  # least share of the pool for a cell to count as `certain`
# Least share of the items decided alike, and least number, for a cell to count as `tied`.
TIED, FEWEST = 0.05, 12
ALIKE = 1e-9  # difference in log-odds that is only rounding
FARTHEST = 1.0  # distance in log-odds up to which rates of a cell's items are taken to follow a straight line
PASSES = 8  # after these iterations borders hardly move
APART = 2.0  # distance in log-odds at which systems are half-way to disputing an item altogether


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """A partition of the pool by score and decision of one or a few systems.

    Attributes:
        code: Cell of every item, (N,) in 0..K−1, in rising order of the score, or of the mean score of several systems.
        count: Items in each cell, (K,).
        score: Mean score of each cell, (K,), kept inside (0.1/N, 1 − 0.1/N).
        raw: Mean log-odds of each cell, (K,), without these limits.
        decisions: Whether each system predicts the cell's items positive, (K, S).
        tilt: Mean difference between each system's log-odds and the mean of all systems, (K, S'); (K, 0) for one system.
        apart: That difference of each item less its cell's mean, (N, S' − 1), shortened where it is long. The last system's
            is left out, as it is minus the sum of the others.
        certain: Whether the cell consists of many scores of exactly 0 or 1 and no others, (K,).
        tied: Whether the cell consists of many items that have one and the same score, (K,); with several systems, of
            each of them.
    """

    code: Integers
    count: Integers
    score: Floats
    raw: Floats
    decisions: Flags
    tilt: Floats
    apart: Floats
    certain: Flags
    tied: Flags

    def __len__(self) -> int:
        return len(self.count)

    @cached_property
    def log_odds(self) -> Floats:
        """Log-odds of the mean score, (K,)."""
        return logit(self.score)

    @cached_property
    def votes(self) -> Floats:
        """Share of the systems that predict the cell's items positive, (K,); 0 or 1 for one system."""
        return self.decisions.mean(axis=1)

    @cached_property
    def disputed(self) -> Flags:
        """Whether the systems decide the cell's items unlike each other, (K,)."""
        return (self.votes > 0) & (self.votes < 1)

    @cached_property
    def dispute(self) -> Floats:
        """How far the systems disagree about the cell's items, from their distance to the mean, (K,) in [0, 1)."""
        distance = np.linalg.norm(self.tilt, axis=1) / np.sqrt(max(self.tilt.shape[1], 1))
        return distance / (distance + APART)

    def prevalence(self, sign: float = 1.0) -> float:
        """Share of positives according to the scores, or of negatives for sign −1; at least 0.1/N."""
        score = self.score if sign > 0 else 1 - self.score
        return float(self.count @ score / self.count.sum())

    def total(self, values: Floats, index: Integers | None = None) -> Floats:
        """Sums of values over each cell, (n, d) to (K, d), for all items or for those at these positions."""
        code = self.code if index is None else self.code[index]
        return summed(values, code, len(self))

    def tally(self, index: Integers, weight: Floats | None = None) -> Floats:
        """Number of the items at these positions in each cell, or the sum of their weights, (K,)."""
        return np.bincount(self.code[index], weight, len(self)).astype(float)


def score_cells(systems: Sequence[System], *, bins: int = 48) -> ScoreCells:
    """Cells of the systems' scores, in bins of equal mass: the mean of log-odds length, items and their uncertainty.

    With several systems, items are grouped by their mean score, by all decisions, and by which system lies most above
    and which most below that mean. So items of a cell are alike to all systems.

    Args:
        systems: One or a few, on the same items, with binary scores in [0, 1].
        bins: Number of score bins, shared by several systems. Each gives up to two cells for one system and up to
            2^S·(S² − S + 1) for S systems. Fewer distinct scores give fewer cells.
    """
    decisions = np.stack([np.asarray(system.pred, bool) for system in systems], axis=1)
    score, tilt = _together(systems)
    code = compact(
        paired(_bins(score, max(bins // len(systems), 1)), decisions @ (1 << np.arange(len(systems))))
    )
    if tilt.size:
        code = compact(paired(code, _sides(tilt, code)))
    count, edge = np.bincount(code), 0.1 / len(score)
    ends = np.all([(system.score == 0) | (system.score == 1) for system in systems], axis=0)
    told = np.stack([np.clip(score, edge, 1 - edge), logit(score), ends], axis=1)
    mean, raw, ended = _means(told, code).T
    certain = (ended == 1) & (count >= MANY * len(score))
    decided = _means(decisions, code) > 0
    tied = _constant(systems, code) & (count >= np.maximum(TIED * _decided_alike(decided, count), FEWEST))
    apart = np.clip(tilt - (tilted := _means(tilt, code))[code], -FARTHEST, FARTHEST)
    apart -= _means(apart, code)[code]
    return ScoreCells(code, count, mean, raw, decided, tilted, apart[:, :-1], certain, tied)


def _together(systems: Sequence[System]) -> tuple[Floats, Floats]:
    """Mean score of the systems, (N,) in (0, 1), and each system's log-odds minus the mean, (N, S')."""
    if len(systems) == 1:
        return inside(systems[0].score), np.empty((len(systems[0].score), 0))
    odds, tilt = averaged(systems)
    return np.clip(expit(odds), LEAST, MOST), tilt


def _bins(score: Floats, bins: int) -> Integers:
    """Bin of every item, (N,), rising with its score in (0, 1)."""
    far = np.log(10 * len(score))
    distinct, count = np.unique(score, return_counts=True)
    odds = np.clip(logit(distinct), -far, far)
    gaps = np.minimum(np.diff(odds, prepend=odds[:1]), WIDEST)
    spread = count / (2 * np.cosh(odds / 2))
    mass = sum(part / max(part.sum(), 1e-300) for part in (gaps, count.astype(float), spread))
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    bin_ = (middle * bins).astype(np.intp)
    starts = distinct[np.flatnonzero(np.diff(bin_, prepend=-1))]
    return np.searchsorted(starts, score, side="right") - 1


def _sides(tilt: Floats, code: Integers) -> Integers:
    """Part of its cell that each item lies in, (N,): 0 if systems differ as usual, else by the highest and lowest system.

    A difference is unusual if it exceeds half the mean distance of unusual ones. Such borders give three parts of least
    variance (Lloyd 1982) with the middle one fixed. With parts of equal size, the few items that a new version of a
    system scores differently would share a part with many items that both versions score alike.
    """
    apart = tilt - _means(tilt, code)[code]
    distance = np.linalg.norm(apart, axis=1)
    border = np.zeros(code.max() + 1)
    for _ in range(PASSES):
        far = distance > np.maximum(border, ALIKE)[code]
        count, total = (np.bincount(code[far], weight, len(border)) for weight in (None, distance[far]))
        border = np.where(count > 0, total / np.maximum(count, 1) / 2, border)
    return np.where(far, 1 + paired(apart.argmax(axis=1), apart.argmin(axis=1)), 0)


def _constant(systems: Sequence[System], code: Integers) -> Flags:
    """Whether each system gives all items of a cell one score, (K,)."""
    differs, first = np.zeros(len(code), bool), np.zeros(code.max() + 1, np.intp)
    first[code] = np.arange(len(code))
    for system in systems:
        differs |= system.score != system.score[first][code]
    return np.bincount(code, differs) == 0


def _decided_alike(decisions: Flags, count: Integers) -> Floats:
    """Number of items with the same decisions as those of each cell, (K,), given the cells' decisions, (K, S)."""
    _, inverse = np.unique(decisions, axis=0, return_inverse=True)
    pattern = inverse.ravel()
    return np.bincount(pattern, count).astype(float)[pattern]


def _means(values: Floats | Flags, code: Integers) -> Floats:
    """Mean of each column over the items of each cell, (N, d) to (K, d)."""
    size = np.bincount(code)
    return summed(values, code, len(size)) / size[:, None]
