"""Positive items among the labels: how many there are, and when they are few."""

from __future__ import annotations

import numpy as np

from sampleval.estimators import Run

FEW = 10  # with fewer labels than this, whatever needs them rests on single items


def no_positive(run: Run) -> bool:
    """Whether no label given so far is positive, where labels are positive or not."""
    return run.items.task.kind in ("binary", "multilabel") and not run.known.labels.any()


def positives(run: Run) -> int:
    """Items of two classes known to be positive, those held beforehand with them."""
    return int(np.count_nonzero(run.known.labels == 1))
