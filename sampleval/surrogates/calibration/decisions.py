"""The level of the scores derived from the decisions, for scores that claim many times the predicted positives.

Margins through a logistic function, similarities, and scores from balanced training rank items well, but their level
means nothing. The threshold of the decisions was chosen by someone and is informative. If most items are predicted
positive, the same holds for the negatives.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.score_cells import ScoreCells

# Up to this ratio of claimed to predicted items of the rarer class, decisions do not contradict scores: one miss per find.
MOST = 2.0
# From this ratio on, scores are doubted as much as possible.
FAR_TOO_MANY = 100.0
ALIKE = 1e-9  # least range of log-odds for a boundary
SLOPES = np.geomspace(1.0, 1000.0, 200)


def excess(cells: ScoreCells) -> float:
    """How far the scores claim more items of the rarer class than the decisions can have missed, in [0, 1].

    The ratio of claimed to predicted items on a logarithmic scale, with 0 at `MOST` and 1 at `FAR_TOO_MANY`.
    """
    sign, predicted = rarer(cells)
    if np.isnan(boundary(cells)):  # as it also is where all items are decided alike
        return 0.0
    claimed = float(expit(sign * cells.log_odds) @ cells.count)
    return float(np.clip(np.log(claimed / (MOST * predicted)) / np.log(FAR_TOO_MANY / MOST), 0.0, 1.0))


def decided(cells: ScoreCells, beyond: float, *, shared: float = 1.0) -> Floats:
    """Log-odds, (K,), with the decision boundary moved to 0 and made steep enough for few of the rarer class beyond it.

    Args:
        cells: The pool, with a finite `turn`.
        beyond: Largest number of items of the rarer class beyond the boundary, as a multiple of those predicted.
        shared: Exponent of the factor `turn` on the rarer class's own side of the boundary. That side need not be purer
            than its scores claim if the other side is.
    """
    away, slope = cells.log_odds - boundary(cells), turn(cells, beyond)
    return np.where(rarer(cells)[0] * away > 0, slope**shared, slope) * away


def turn(cells: ScoreCells, beyond: float) -> float:
    """Least factor on the log-odds' distance from the boundary that leaves at most `beyond` of the rarer class beyond it.

    `beyond` is a multiple of the items predicted to be of that class. The result is nan if no factor does.
    """
    sign, predicted = rarer(cells)
    away = sign * (cells.log_odds - boundary(cells))
    other = away < 0
    enough = expit(SLOPES[:, None] * away[other]) @ cells.count[other] <= beyond * predicted
    return float(SLOPES[enough.argmax()]) if other.any() and enough.any() else np.nan


def rarer(cells: ScoreCells) -> tuple[float, float]:
    """The class that is predicted less often, 1 for positives or −1 for negatives, and the number of such items."""
    positives = float(cells.count @ cells.votes)
    negatives = float(cells.count.sum()) - positives
    return (1.0, positives) if positives <= negatives else (-1.0, negatives)


def boundary(cells: ScoreCells) -> float:
    """Log-odds that separate the items predicted positive from the others with the fewest errors; nan if none do."""
    wrong = np.cumsum((2 * cells.votes - 1) * cells.count)
    below = int(wrong.argmin())
    # Either no boundary is better than having all items on one side, or all scores are equal.
    if wrong[below] >= 0 or below + 1 == len(cells) or np.ptp(cells.log_odds) < ALIKE:
        return np.nan
    return float(cells.log_odds[below : below + 2].mean())
