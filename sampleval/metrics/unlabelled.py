"""Metrics that the systems' outputs tell without any label, or that no label moves."""

from __future__ import annotations

import numpy as np

from sampleval.memo import once_each
from sampleval.metrics.base import Metric
from sampleval.metrics.differences import between_systems
from sampleval.metrics.mean import mean_loss
from sampleval.metrics.registry import built_in
from sampleval.pool import Floats, Pool


def needs_no_label(metric: Metric) -> bool:
    """Whether labels do not matter: numbers of items predicted of each class, and differences of mean errors.

    The mean error is that of the labels less that of the predictions, so that of two systems the labels cancel.

    >>> from sampleval.metrics import resolve
    >>> needs_no_label(resolve("bias[a - b]")), needs_no_label(resolve("bias[a]")), needs_no_label(resolve("class_predicted"))
    (True, False, True)
    """
    family = metric.name.partition("[")[0]
    if family == "bias":
        return between_systems(metric) and built_in(metric)
    return family == "class_predicted" and built_in(metric) and all(map(needs_no_label, metric.terms))


@once_each
def told_by_outputs(pool: Pool, metric: Metric) -> Floats | None:
    """G of the pool if it needs no label, (m,), for a total as a share of what it counts over; otherwise `None`."""
    if pool.task.kind not in metric.kinds or not needs_no_label(metric):
        return None
    value = metric.value(mean_loss(metric, pool.items, pool.pred))  # any labels will do
    return value if np.isfinite(value).all() else None


def unmoved(metric: Metric, pool: Pool) -> bool:
    """Whether a scalar metric of two classes has the same value for very different labels, as far as it has one.

    If no item is predicted positive, this tells F1, which is 0, from the share of positives, which may be expected to be 0.

    >>> import pandas as pd
    >>> from sampleval.metrics import resolve
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3]}))
    >>> unmoved(resolve("f1"), pool), unmoved(resolve("prevalence"), pool)
    (True, False)
    """
    turns, best = np.arange(pool.size) % 2, (pool.score == pool.score.max()).astype(int)
    labelled = (turns, 1 - turns, best, np.ones_like(best))
    found = np.array([float(metric.value(mean_loss(metric, pool.items, y))[0]) for y in labelled])
    known = found[np.isfinite(found)]
    return len(known) > 0 and np.allclose(known, known[0], rtol=0, atol=1e-12)
