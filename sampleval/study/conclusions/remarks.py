"""Remarks on an estimate, in words."""

from __future__ import annotations

import numpy as np

from sampleval.estimators import Run
from sampleval.intervals import joined
from sampleval.metrics import Metric
from sampleval.pool import Kind


def remarks(metric: Metric, run: Run, waiting: int, undefined: str, allowed: str) -> str:
    """What to know about a value and its limits, in words.

    Args:
        metric: What is estimated; of a part of the pool only the items of that part count.
        run: The answered run.
        waiting: Answers given out of order that wait for the gaps before them.
        undefined: What is undefined and why, "" if nothing is.
        allowed: How limits take items without an answer.
    """
    without = run.items.take(np.flatnonzero(~run.responded))
    silent = len(without) if metric.parts is None else int(np.count_nonzero(metric.parts(without)))
    return joined(
        f"answers that wait for items before them: {waiting:,}" if waiting else "",
        undefined,
        f"items without an answer: {silent:,} ({allowed})" if silent else "",
    )


def worst(kind: Kind) -> str:
    """What limits take the labels not given for, in words.

    Args:
        kind: What is predicted.
    """
    if kind == "regression":
        return "the 0.5% and 99.5% quantiles believed of them, as numbers have no worst case"
    return "any label"
