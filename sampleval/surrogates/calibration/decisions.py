"""What decisions say about the level of the scores, if scores claim many times the positives that are predicted.

Margins through a logistic function, similarities, and scores from balanced training rank items well, but their level
means nothing. Whoever made the decisions has chosen a threshold that means something. Where most items are predicted
positive, the same holds of the negatives.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.score_cells import ScoreCells

# Scores may claim so many of the rarer class for each predicted one before decisions contradict them: one missed per find.
MOST = 2.0
# From so many claimed for each predicted one on, scores are doubted as much as they can be.
FAR_TOO_MANY = 100.0
ALIKE = 1e-9  # log-odds that part nothing
SLOPES = np.geomspace(1.0, 1000.0, 200)


def excess(cells: ScoreCells) -> float:
    """How far scores claim more of the rarer class than decisions can have missed: from 0, not at all, to 1, far too many.

    On a logarithmic scale from `MOST` to `FAR_TOO_MANY` for each predicted one.
    """
    sign, predicted = rarer(cells)
    if not predicted or np.isnan(boundary(cells)):
        return 0.0
    claimed = float(expit(sign * cells.log_odds) @ cells.size)
    return float(np.clip(np.log(claimed / (MOST * predicted)) / np.log(FAR_TOO_MANY / MOST), 0.0, 1.0))


def decided(cells: ScoreCells, beyond: float, *, shared: float = 1.0) -> Floats:
    """The scores' log-odds, (K,), turned about the decisions' boundary, now 0, to leave few of the rarer class beyond it.

    Args:
        cells: The pool, with a `turn`.
        beyond: Items of the rarer class beyond the boundary for each predicted one, at most.
        shared: Power of the turn that applies to the rarer class's own side: if the other side is purer than scores
            say, this one need not be.
    """
    away, slope = cells.log_odds - boundary(cells), turn(cells, beyond)
    return np.where(rarer(cells)[0] * away > 0, slope**shared, slope) * away


def turn(cells: ScoreCells, beyond: float) -> float:
    """The least factor on the log-odds' distance from the boundary that leaves no more than that beyond it; nan if none does."""
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
    # No boundary is better than having all items on one side, or all scores are alike.
    if wrong[below] >= 0 or below + 1 == len(cells) or np.ptp(cells.log_odds) < ALIKE:
        return np.nan
    return float(cells.log_odds[below : below + 2].mean())
