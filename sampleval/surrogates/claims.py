"""What scores claim, as chances that have log-odds."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Floats

LEAST, MOST = np.nextafter(0, 1), np.nextafter(1, 0)


def inside(score: Floats) -> Floats:
    """Scores in (0, 1), of the same shape: exactly 0 and 1 are moved half-way to the nearest score in between.

    No vote out of a hundred, or 0.00 after rounding, claims less than the least score above it, but no certainty.
    Where there are no others, nobody is sure beyond the pool's size: by a tenth of an item.
    """
    low, high = score.min(where=score > 0, initial=1.0), score.max(where=score < 1, initial=0.0)
    if low == 1:
        low, high = 0.2 / max(len(score), 1), 1 - 0.2 / max(len(score), 1)
    return np.clip(score, max(low / 2, LEAST), min((1 + high) / 2, MOST))
