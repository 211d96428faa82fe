"""Positive items among the labels: their number, and when there are too few."""

from __future__ import annotations

import numpy as np

from sampleval.estimators import Run

FEW = 10  # with fewer positive labels than this, an estimate that needs them rests on single items


def no_positive(run: Run) -> bool:
    """Whether no known label is positive; false for tasks other than binary and multi-label."""
    return run.items.task.kind in ("binary", "multilabel") and not run.known.labels.any()


def positives(run: Run) -> int:
    """Number of known positive labels of a binary task, including those held beforehand."""
    return int(np.count_nonzero(run.known.labels == 1))
