"""What the output of a pool's systems tells: whether there are scores, what these decide, how many items are of each predicted class."""

from __future__ import annotations

import numpy as np

from sampleval.pool.core import Pool
from sampleval.pool.task import Integers

AT_ONCE = 1 << 12  # items looked at together: the first block is enough for nearly every pool that has scores


def scored(pool: Pool) -> bool:
    """Whether the first system has scores: some lie strictly between 0 and 1, unlike decisions that stand in for them."""
    systems = pool.columns.systems
    if systems and not systems[0].score:
        return False
    runs = (pool.score[start : start + AT_ONCE] for start in range(0, pool.size, AT_ONCE))
    return any(bool(((run > 0) & (run < 1)).any()) for run in runs)


def told_errors(pool: Pool) -> bool:
    """Whether the table says how large the error of each predicted number may be."""
    return bool(pool.items.error.any())


def deciding_threshold(pool: Pool) -> float | None:
    """The threshold that the decisions between two classes follow; `None` if they were made otherwise.

    >>> import pandas as pd
    >>> scores, pred = {"score": [0.2, 0.6]}, {"pred": [0, 0]}
    >>> [deciding_threshold(Pool.from_frame(pd.DataFrame(told))) for told in (scores, scores | pred)]
    [0.5, None]
    """
    at = pool.threshold
    if pool.task.kind != "binary" or not isinstance(at, float):
        return None
    return at if np.array_equal(pool.score >= at, pool.pred) else None


def predicted(pool: Pool) -> Integers:
    """How many items the first system predicts to be of each class, or to have each label, (C,)."""
    if pool.task.kind == "regression":
        return np.empty(0, np.intp)
    pred = np.asarray(pool.pred, np.intp)
    return pred.sum(axis=0) if pred.ndim == 2 else np.bincount(pred, minlength=pool.task.width)
