"""What scores claim, as chances that have log-odds."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Floats, Pool

LEAST, MOST = np.nextafter(0, 1), np.nextafter(1, 0)
RIGHT = 0.9  # precision and recall that mere decisions, without degrees, are taken to claim


def claimed(pool: Pool) -> Floats:
    """A pool's scores in (0, 1): classes share a whole, but each of several labels has degrees or decisions of its own."""
    if pool.task.kind == "multilabel":
        return np.column_stack([inside(column) for column in pool.score.T])
    return inside(pool.score)


def inside(score: Floats) -> Floats:
    """Scores in (0, 1), of the same shape: exactly 0 and 1 are moved half-way to the nearest score in between.

    No vote out of a hundred, or 0.00 after rounding, claims less than the smallest score above it, but it claims no
    certainty. If there are no scores in between, the scores are decisions, which claim the precision and recall
    `RIGHT`.
    """
    low, high = score.min(where=score > 0, initial=1.0), score.max(where=score < 1, initial=0.0)
    if low == 1:
        taken = int(np.count_nonzero(score))
        missed = max((1 - RIGHT) * taken, 0.1) / max(int(score.size) - taken, 1)
        return np.where(score > 0, RIGHT, min(missed, 1 - RIGHT))
    return np.clip(score, max(low / 2, LEAST), min((1 + high) / 2, MOST))


def drawn_in(odds: Floats, size: int) -> Floats:
    """Log-odds with the far ends drawn in logarithmically: Naive Bayes goes out to hundreds.

    Args:
        odds: Log-odds, of any shape.
        size: Items in the pool: scores further out than a tenth of one is likely to be wrong are far.
    """
    far = max(np.log(10 * size), 8.0)
    out = np.abs(odds)
    drawn = np.sign(odds) * (far + 2.5 * np.log(np.maximum(out, far) / far))
    return np.where(out > far, drawn, odds)
