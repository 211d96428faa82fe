"""How far the labels not known yet can move a total, such as the number of missed positives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.estimators import Inference, Run
from sampleval.intervals import Interval
from sampleval.metrics import Metric
from sampleval.metrics.blocks import blocks
from sampleval.pool import Floats, Items


def within_reach(metric: Metric, run: Run, result: Inference, found: Interval) -> tuple[Inference, Interval]:
    """The value and limits of a total of two classes, as far as some labels of the other items allow for them.

    Without this, up to ten of six items predicted negative were missed positives. Other metrics are returned as they are.

    Args:
        metric: Any metric.
        run: The answered run.
        result: The inference about the metric.
        found: Its limits.
    """
    counted = metric.total and not metric.terms and run.items.task.kind == "binary"
    if not counted or run.problem.stochastic:  # one answer of a stochastic oracle settles nothing
        return result, found
    low, high = reach(metric, run)
    value = np.clip(result.value, low, high)
    over = float((result.value - value)[0])
    # Limits that lay beyond reach as well would all but meet: they keep their distance from the value.
    lower, upper = found.low - max(over, 0.0), found.high - min(over, 0.0)
    lower, upper = np.clip([lower, upper], low, high).tolist()
    return replace(result, value=value), replace(found, low=lower, high=upper)


def reach(metric: Metric, run: Run) -> tuple[float, float]:
    """Smallest and largest value over all labels of the items without one, as a share of what the total counts over.

    Args:
        metric: A total of two classes, and no difference.
        run: The answered run.
    """
    pool, known = run.problem.pool, run.known
    ends = run.problem.once(
        (metric, "reach"), lambda: sum(_ends(metric, pool.items.take(rows)) for rows in blocks(pool.size))
    )
    items = pool.items.take(known.index)
    sums = ends - _ends(metric, items) + metric.loss(items, known.labels).sum(axis=0)
    low, high = (float(metric.value(end / pool.size)[0]) for end in sums)
    return low, high


def _ends(metric: Metric, items: Items) -> Floats:
    """Σℓ, (2, d), with the smaller loss of each item's two labels, and with the larger."""
    losses = np.stack([metric.loss(items, np.full(len(items), y)) for y in (0, 1)])
    return np.stack([losses.min(axis=0).sum(axis=0), losses.max(axis=0).sum(axis=0)])
