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
ALIKE = 1e-9  # log-odds that part nothing
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


def decided(cells: ScoreCells, beyond: float, *, shared: float = 1.0) -> Floats:
    """Log-odds, (K,), even at the decisions' boundary, that leave few of the rarer class beyond it: the scores', turned about it.

    Args:
        cells: The pool, with a `turn`.
        beyond: Items of the rarer class beyond the boundary for each predicted one, at most.
        shared: Power of the turn that the rarer class's own side shares: where the other is purer than scores say, it
            need not be.
    """
    away, slope = cells.log_odds - boundary(cells), turn(cells, beyond)
    return np.where(rarer(cells)[0] * away > 0, slope**shared, slope) * away


def turn(cells: ScoreCells, beyond: float) -> float:
    """The least factor on log-odds away from the boundary that leaves no more beyond it; nan where none does."""
    sign, predicted = rarer(cells)
    away = sign * (cells.log_odds - boundary(cells))
    other = away < 0
    enough = expit(SLOPES[:, None] * away[other]) @ cells.size[other] <= beyond * predicted
    return float(SLOPES[enough.argmax()]) if other.any() and enough.any() else np.nan


def rarer(cells: ScoreCells) -> tuple[float, float]:
    """The class that is predicted less often, 1 for the positives or −1, and how often it is."""
    positives = float(cells.size @ cells.votes)
    negatives = float(cells.size.sum()) - positives
    return (1.0, positives) if positives <= negatives else (-1.0, negatives)


def boundary(cells: ScoreCells) -> float:
    """Log-odds that part the items predicted positive from the others with the fewest errors; nan if none does."""
    wrong = np.cumsum((2 * cells.votes - 1) * cells.size)
    below = int(wrong.argmin())
    # All on one side is as good, or scores that are all alike.
    if wrong[below] >= 0 or below + 1 == len(cells) or np.ptp(cells.log_odds) < ALIKE:
        return np.nan
    return float(cells.log_odds[below : below + 2].mean())
