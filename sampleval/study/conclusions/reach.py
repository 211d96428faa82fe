"""How far the labels not known yet can move a total, such as the number of missed positives, or a share, such as accuracy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.estimators import Inference, Run
from sampleval.intervals import Interval
from sampleval.metrics import Metric, dense, finite
from sampleval.metrics.blocks import blocks
from sampleval.pool import Floats, Integers, Items
from sampleval.study.conclusions.settling import SETTLED
from sampleval.surrogates import Belief, worst_labels


def within_reach(result: Inference, found: Interval) -> tuple[Inference, Interval]:
    """The value and limits of a total of two classes, or a share of several, as far as the unknown labels allow for them.

    Without this, up to ten of six items predicted negative were missed positives, and accuracy had limits up to .803 where
    36 of 178 items were known to be wrong. Other metrics are returned as they are. Shares of two classes are too, since
    they are components of curves, whose limits are their own.
    """
    metric, run = result.metric, result.run
    kind = run.items.task.kind
    # With a known denominator, accuracy is no ratio but the mean of one loss.
    share = metric.share or (metric.fraction and len(result.risk) == 1)
    counted = metric.total if kind == "binary" else share and kind == "multiclass"
    # One answer of a stochastic oracle settles nothing.
    if metric.terms or not counted or run.problem.stochastic:
        return result, found
    low, high = reach(metric, run)
    value = np.clip(result.value, low, high)
    if low == high:
        return replace(result, value=value), Interval(low, high, found.level, "census", SETTLED)
    over = float(np.nan_to_num(result.value - value)[0])
    # Limits that lay beyond reach as well would all but meet: they keep their distance from the value.
    lower, upper = found.low - max(over, 0.0), found.high - min(over, 0.0)
    lower, upper = np.clip([lower, upper], low, high).tolist()
    return replace(result, value=value), replace(found, low=lower, high=upper)


def reach(metric: Metric, run: Run) -> tuple[float, float]:
    """Smallest and largest value over all labels of the items without one, as a share of what a total counts over.

    Both are infinite where g is no sum of the items' losses, so that the effect of a label depends on the others.
    """
    problem, pool, known = run.problem, run.problem.pool, run.known
    slope = finite(dense(metric.gradient(problem.predicted_risk(metric))))

    def ends_of(items: Integers) -> Floats:
        return _ends(metric, pool.items.take(items), problem.belief.take(items), slope)

    every = np.arange(pool.size)
    ends = problem.once((metric, "reach"), lambda: sum(ends_of(every[rows]) for rows in blocks(pool.size)))
    told = problem.losses(metric, known).sum(axis=0)
    risk = (ends - ends_of(known.index) + told) / pool.size
    low, middle, high = (float(metric.value(r)[0]) for r in (risk[0], risk.mean(axis=0), risk[1]))
    return (low, high) if np.isclose(middle, (low + high) / 2) else (-np.inf, np.inf)


def _ends(metric: Metric, items: Items, belief: Belief, slope: Floats) -> Floats:
    """Σℓ, (2, d), with the labels of all items that make the total smallest, and with those that make it largest."""
    return np.stack(
        [metric.loss(items, labels).sum(axis=0) for labels in worst_labels(metric, items, belief, slope)]
    )
