"""Score cells: items of like score and one decision, few enough to compute with, fine where labels could matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logit

from sampleval.partition import compact
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates.claims import inside

# Log-odds steps wider than this hold no items worth a cell of their own.
WIDEST = 0.5
MANY = 0.02  # share of the pool from which on a cell is worth a look of its own


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """A partition of the pool by score and decision.

    Attributes:
        code: Cell of every item, (N,) in 0..K−1, rising with the score.
        size: Items in each cell, (K,).
        score: Mean score of each cell, (K,), kept inside (0.1/N, 1 − 0.1/N).
        raw: Mean log-odds of each cell, (K,), as far out as the scores go.
        flagged: Whether the cell's items are predicted positive, (K,).
        certain: Whether it holds nothing but many scores of exactly 0 or 1, (K,).
    """

    code: Integers
    size: Integers
    score: Floats
    raw: Floats
    flagged: Flags
    certain: Flags

    def __len__(self) -> int:
        return len(self.size)

    @cached_property
    def log_odds(self) -> Floats:
        """Log-odds of the mean score, (K,)."""
        return logit(self.score)

    @property
    def prevalence(self) -> float:
        """Share of positives that the scores claim, never less than a tenth of an item."""
        return float(self.size @ self.score / self.size.sum())

    def total(self, values: Floats, index: Integers | None = None) -> Floats:
        """Sums over each cell of values per item, (n, d) to (K, d); of all items, or those at these positions."""
        code = self.code if index is None else self.code[index]
        return np.stack([np.bincount(code, column, len(self)) for column in values.T], axis=1)

    def count(self, index: Integers, weight: Floats | None = None) -> Floats:
        """How many of the items at these positions lie in each cell, or the sum of their weights, (K,)."""
        return np.bincount(self.code[index], weight, len(self)).astype(float)


def score_cells(score: Floats, flagged: Flags, *, bins: int = 48) -> ScoreCells:
    """Cut the scores where a third of the log-odds' length, of the items and of their uncertainty lies in between.

    Args:
        score: (N,) in [0, 1].
        flagged: Decisions, (N,).
        bins: Score bins; each gives up to two cells. Fewer distinct scores give fewer cells.
    """
    size, end = len(score), (score == 0) | (score == 1)
    score = inside(score)
    distinct, count = np.unique(score, return_counts=True)
    far = np.log(10 * size)
    odds = np.clip(logit(distinct), -far, far)
    gaps = np.minimum(np.diff(odds, prepend=odds[:1]), WIDEST)
    spread = count / (2 * np.cosh(odds / 2))
    mass = sum(part / max(part.sum(), 1e-300) for part in (gaps, count.astype(float), spread))
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    bin_ = np.minimum((middle * bins).astype(np.intp), bins - 1)
    starts = distinct[np.flatnonzero(np.diff(bin_, prepend=-1))]
    split = 2 * (np.searchsorted(starts, score, side="right") - 1) + flagged
    return _described(compact(split), score, flagged, end)


def _described(code: Integers, score: Floats, flagged: Flags, end: Flags) -> ScoreCells:
    size = np.bincount(code)
    edge = 0.1 / len(score)
    return ScoreCells(
        code,
        size,
        np.bincount(code, np.clip(score, edge, 1 - edge)) / size,
        np.bincount(code, logit(score)) / size,
        np.bincount(code, flagged) > 0,
        (np.bincount(code, end) == size) & (size >= MANY * len(score)),
    )
