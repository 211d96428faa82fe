"""Score cells: items of like scores and decisions, few enough to compute with, fine where labels could matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, logit

from sampleval.metrics.codes import compact, paired, summed
from sampleval.pool import Flags, Floats, Integers, System
from sampleval.surrogates.calibration.together import averaged
from sampleval.surrogates.claims import LEAST, MOST, inside

# Log-odds steps wider than this hold no items worth a cell of their own.
WIDEST = 0.5
MANY = 0.02  # share of the pool from which on a cell is worth a look of its own
ALIKE = 1e-9  # log-odds: no more than rounding
PASSES = 8  # borders hardly move any more
APART = 2.0  # distance in log-odds at which systems are half-way to disputing an item altogether


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """A partition of the pool by score and decision, or those of a few systems.

    Attributes:
        code: Cell of every item, (N,) in 0..K−1, rising with the score, that of several systems on average.
        size: Items in each cell, (K,).
        score: Mean score of each cell, (K,), kept inside (0.1/N, 1 − 0.1/N).
        raw: Mean log-odds of each cell, (K,), as far out as the scores go.
        decisions: Whether each system predicts the cell's items positive, (K, S).
        tilt: By how much its log-odds of them exceed those of all, in the mean, (K, S'); of one system none, (K, 0).
        certain: Whether the cell holds nothing but many scores of exactly 0 or 1, (K,).
    """

    code: Integers
    size: Integers
    score: Floats
    raw: Floats
    decisions: Flags
    tilt: Floats
    certain: Flags

    def __len__(self) -> int:
        return len(self.size)

    @cached_property
    def log_odds(self) -> Floats:
        """Log-odds of the mean score, (K,)."""
        return logit(self.score)

    @cached_property
    def votes(self) -> Floats:
        """Share of the systems that predict the cell's items positive, (K,); of one system 0 or 1."""
        return self.decisions.mean(axis=1)

    @cached_property
    def dispute(self) -> Floats:
        """How much the systems dispute what the cell's items are, by their distance from the mean, (K,) in [0, 1)."""
        distance = np.linalg.norm(self.tilt, axis=1) / np.sqrt(max(self.tilt.shape[1], 1))
        return distance / (distance + APART)

    def prevalence(self, sign: float = 1.0) -> float:
        """Share of positives that the scores claim, or of negatives with −1, never less than a tenth of an item."""
        score = self.score if sign > 0 else 1 - self.score
        return float(self.size @ score / self.size.sum())

    def total(self, values: Floats, index: Integers | None = None) -> Floats:
        """Sums over each cell of values per item, (n, d) to (K, d); of all items, or those at these positions."""
        code = self.code if index is None else self.code[index]
        return summed(values, code, len(self))

    def count(self, index: Integers, weight: Floats | None = None) -> Floats:
        """How many of the items at these positions lie in each cell, or the sum of their weights, (K,)."""
        return np.bincount(self.code[index], weight, len(self)).astype(float)


def score_cells(systems: Sequence[System], *, bins: int = 48) -> ScoreCells:
    """Cut the scores where a third of the log-odds' length, of the items and of their uncertainty lies in between.

    Items of several systems are cut by their average score, by all decisions, and by which systems lie above that
    average and which below. So items of a cell are alike to all systems.

    Args:
        systems: One or a few, on the same items, binary scores in [0, 1].
        bins: Score bins, which several systems share; each gives up to two cells, of S systems up to 2^S·(S² − S + 1).
            Fewer distinct scores give fewer cells.
    """
    decisions = np.stack([np.asarray(system.pred, bool) for system in systems], axis=1)
    score, tilt = _together(systems)
    code = compact(
        paired(_bins(score, max(bins // len(systems), 1)), decisions @ (1 << np.arange(len(systems))))
    )
    if tilt.size:
        code = compact(paired(code, _sides(tilt, code)))
    size, edge = np.bincount(code), 0.1 / len(score)
    ends = np.all([(system.score == 0) | (system.score == 1) for system in systems], axis=0)
    told = np.stack([np.clip(score, edge, 1 - edge), logit(score), ends], axis=1)
    mean, raw, ended = _means(told, code).T
    certain = (ended == 1) & (size >= MANY * len(score))
    return ScoreCells(code, size, mean, raw, _means(decisions, code) > 0, _means(tilt, code), certain)


def _together(systems: Sequence[System]) -> tuple[Floats, Floats]:
    """The systems' scores on average, (N,) in (0, 1), and how far log-odds lie above those of it, (N, S')."""
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
    bin_ = np.minimum((middle * bins).astype(np.intp), bins - 1)
    starts = distinct[np.flatnonzero(np.diff(bin_, prepend=-1))]
    return np.searchsorted(starts, score, side="right") - 1


def _sides(tilt: Floats, code: Integers) -> Integers:
    """Part of its cell that each item lies in, (N,): 0 if systems differ on it as usual, else by who says more and who less.

    Unusual is what lies beyond half the mean distance of what is unusual; these are the borders of three parts of
    least variance (Lloyd 1982) with the middle one fixed. With parts of equal size, the few items that a new version
    of a system scores unlike the old one would share a part with many that both score alike, and be taken for alike.
    """
    apart = tilt - _means(tilt, code)[code]
    distance = np.linalg.norm(apart, axis=1)
    border = np.zeros(code.max() + 1)
    for _ in range(PASSES):
        far = distance > np.maximum(border, ALIKE)[code]
        count, total = (np.bincount(code[far], weight, len(border)) for weight in (None, distance[far]))
        border = np.where(count > 0, total / np.maximum(count, 1) / 2, border)
    return np.where(far, 1 + paired(apart.argmax(axis=1), apart.argmin(axis=1)), 0)


def _means(values: Floats | Flags, code: Integers) -> Floats:
    """Mean of each column over the items of each cell, (N, d) to (K, d)."""
    size = np.bincount(code)
    return summed(values, code, len(size)) / size[:, None]
