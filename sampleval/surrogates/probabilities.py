"""Scores as probabilities inside (0, 1), which have finite log-odds."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Floats, System, Task

LEAST, MOST = np.nextafter(0, 1), np.nextafter(1, 0)
RIGHT = 0.9  # precision and recall that scores of only 0 and 1 are taken to claim


def claimed(task: Task, system: System) -> Floats:
    """A system's scores in (0, 1): those of classes are treated together, those of several labels label by label."""
    if task.kind == "multilabel":
        return np.column_stack([inside(column) for column in system.score.T])
    return inside(system.score)


def inside(score: Floats) -> Floats:
    """Scores in (0, 1), of the same shape: scores of exactly 0 or 1 are moved half-way to the nearest score in between.

    A score of 0, from no vote out of a hundred or after rounding, claims less than the smallest positive score, but not
    certainty. If there are no scores in between, the scores are decisions, which are taken to have the precision and
    recall `RIGHT`.
    """
    low, high = score.min(where=score > 0, initial=1.0), score.max(where=score < 1, initial=0.0)
    if low == 1:
        taken = int(np.count_nonzero(score))
        missed = max((1 - RIGHT) * taken, 0.1) / max(int(score.size) - taken, 1)
        return np.where(score > 0, RIGHT, min(missed, 1 - RIGHT))
    return np.clip(score, max(low / 2, LEAST), min((1 + high) / 2, MOST))


def drawn_in(odds: Floats, size: int) -> Floats:
    """Log-odds with extreme values compressed logarithmically, since those of Naive Bayes may be hundreds.

    Among N = `size` items, values beyond log 10N, at least 8, are extreme.
    """
    far = max(np.log(10 * size), 8.0)
    drawn = np.array(odds)
    beyond = np.abs(odds) > far  # few, if any: fifty million logarithms take seconds
    extreme = drawn[beyond]
    drawn[beyond] = np.sign(extreme) * (far + 2.5 * np.log(np.abs(extreme) / far))
    return drawn
