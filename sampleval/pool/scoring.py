"""What a pool says without labels: scores, or decisions in their place, and of how many items."""

from __future__ import annotations

import numpy as np

from sampleval.pool.core import Pool
from sampleval.pool.task import Integers

AT_ONCE = 1 << 12  # items looked at together: nearly every pool of scores shows it by its first ones


def scored(pool: Pool) -> bool:
    """Whether the first system has scores of its own: some lie between 0 and 1, as decisions in their place never do.

    Args:
        pool: The pool.
    """
    systems = pool.columns.systems
    if systems and not systems[0].score:
        return False
    runs = (pool.score[start : start + AT_ONCE] for start in range(0, pool.size, AT_ONCE))
    return any(bool(((run > 0) & (run < 1)).any()) for run in runs)


def predicted(pool: Pool) -> Integers:
    """How many items the first system decides to be of each class, or to bear each label, (C,)."""
    if pool.task.kind == "regression":
        return np.empty(0, np.intp)
    pred = np.asarray(pool.pred, np.intp)
    return pred.sum(axis=0) if pred.ndim == 2 else np.bincount(pred, minlength=pool.task.width)
