"""What the decisions say of the scores' level, where scores claim many times the positives that are predicted.

Margins through a logistic function, similarities and balanced training rank items well and mean nothing in level. Whoever
decided on them has chosen a threshold that does. Where most items are predicted positive, the same holds of the negatives.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.score_cells import ScoreCells

# Scores may claim so many of the rarer class for each predicted one before decisions gainsay them: one missed for each found.
MOST = 2.0
# So many claimed for each predicted one: scores that claim more could not be doubted more.
FAR_TOO_MANY = 100.0
SLOPES = np.geomspace(1.0, 1000.0, 200)


def excess(cells: ScoreCells) -> float:
    """How far the scores claim more of the rarer class than decisions may have missed: 0, not at all, to 1, far too many.

    Logarithmic between `MOST` and `FAR_TOO_MANY` for each predicted one.
    """
    sign, predicted = rarer(cells)
    if not predicted or np.isnan(boundary(cells)):
        return 0.0
    claimed = float(expit(sign * cells.log_odds) @ cells.size)
    return float(np.clip(np.log(claimed / (MOST * predicted)) / np.log(FAR_TOO_MANY / MOST), 0.0, 1.0))


def decided(cells: ScoreCells, missed: float, *, shared: float = 1.0) -> Floats:
    """Log-odds, (K,), even at the decisions' boundary, that leave few of the rarer class to be missed: the scores', turned about it.

    Args:
        cells: The pool.
        missed: Items of the rarer class that decisions miss for each predicted one, at most.
        shared: Power of the turn that those predicted so share: where the others are purer than their scores say,
            these need not be.
    """
    away, slope = cells.log_odds - boundary(cells), turn(cells, missed)
    return np.where(rarer(cells)[0] * away > 0, slope**shared, slope) * away


def turn(cells: ScoreCells, missed: float) -> float:
    """The least factor on log-odds away from the boundary with which decisions miss no more; nan without a boundary."""
    sign, predicted = rarer(cells)
    if np.isnan(at := boundary(cells)):
        return np.nan
    others = cells.size * (1 - cells.votes if sign > 0 else cells.votes)
    enough = expit(sign * SLOPES[:, None] * (cells.log_odds - at)) @ others <= missed * predicted
    return float(SLOPES[enough.argmax() if enough.any() else -1])


def rarer(cells: ScoreCells) -> tuple[float, float]:
    """The class that is predicted less often, 1 for the positives or −1, and how often it is."""
    positives = float(cells.size @ cells.votes)
    negatives = float(cells.size.sum()) - positives
    return (1.0, positives) if positives <= negatives else (-1.0, negatives)


def boundary(cells: ScoreCells) -> float:
    """Log-odds that part the items predicted positive from the others with the fewest errors; nan if none does."""
    wrong = np.cumsum((2 * cells.votes - 1) * cells.size)
    below = int(wrong.argmin())
    if wrong[below] >= 0 or below + 1 == len(cells):  # all on one side is as good
        return np.nan
    return float(cells.log_odds[below : below + 2].mean())
