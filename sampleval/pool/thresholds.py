"""Thresholds: how callers give them, their precision in columns, and the decisions that they make from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sampleval import _checks
from sampleval._checks import fail
from sampleval.pool.task import Floats, Task

Threshold = float | tuple[float, ...]


def thresholds(task: Task, threshold: object) -> Threshold:
    """One threshold, or in multilabel one per label from a mapping label → threshold."""
    if not isinstance(threshold, Mapping):
        if task.kind == "multilabel" and _checks.listable(threshold):
            remedy = f"one per label: {{{task.classes[0]!r}: 0.3, …}}"
            fail("threshold", "must be a number, or a mapping", threshold, remedy=remedy)
        return _checks.unit(threshold, "threshold")
    if task.kind != "multilabel":
        rule = f"can be given per label only in a multilabel task, this one is {task.kind}"
        fail("threshold", rule, threshold)
    for name in threshold:
        _checks.choice(name, task.classes, "threshold")
    return tuple(_checks.unit(threshold.get(name, 0.5), f"threshold[{name!r}]") for name in task.classes)


def as_scored(
    threshold: Threshold, scores: Sequence[pd.Series[Any]], whole: float = 1.0
) -> tuple[float, ...]:
    """The thresholds in the precision of the score columns, so that a single-precision 0.9 (0.8999999762) reaches 0.9.

    Args:
        threshold: One number, or one per label.
        scores: The columns: a single one, one per class or label, or one whose cells hold a score per label.
        whole: The number that stands for a probability of 1 in them.

    >>> as_scored(0.9, [pd.Series([0.9], dtype="float32")]), as_scored(0.9, [pd.Series([0.9])])
    ((0.8999999761581421,), (0.9,))
    """
    count = max(np.size(threshold), len(scores))
    held = [_precision(column) for column in scores] * (count // len(scores))
    told = np.broadcast_to(threshold, count).tolist()
    return tuple(_rounded(one, precision, whole) for one, precision in zip(told, held, strict=True))


def _precision(scores: pd.Series[Any]) -> Any:
    """The type of a column's numbers, or of the numbers in its lists."""
    head = _checks.plain(scores.head(1))
    return getattr(head.iloc[0], "dtype", head.dtype)


def _rounded(threshold: float, precision: Any, whole: float) -> float:
    """A threshold rounded to this type, if the type has less than double precision."""
    if getattr(precision, "kind", "O") != "f" or precision.itemsize >= 8:
        return threshold
    return float(np.dtype(f"f{precision.itemsize}").type(threshold * whole)) / whole


def decide(task: Task, score: Floats | None, threshold: Threshold) -> NDArray[np.generic]:
    """Decisions from scores: at or above the threshold, or the class with the largest score.

    Args:
        task: Binary, multiclass or multilabel.
        score: (N,) or (N, C).
        threshold: One number, or one per label.
    """
    if score is None:
        fail("score", f"or pred must be named for a {task.kind} task", remedy="name the column")
    if task.kind == "multiclass":
        classes: NDArray[np.int32] = score.argmax(axis=1).astype(np.int32)
        return classes
    positive: NDArray[np.int8] = (score >= np.asarray(threshold)).astype(np.int8)
    return positive
