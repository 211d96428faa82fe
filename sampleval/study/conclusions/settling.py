"""Whether unknown labels could still change an estimate, and how far: labels not asked for, and missing answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators import Inference, Run
from sampleval.intervals import Interval
from sampleval.metrics import Metric, dense, finite
from sampleval.metrics.blocks import blocks
from sampleval.pool import Flags, Floats, Integers
from sampleval.study.conclusions.census import final
from sampleval.study.conclusions.class_means import may_gain_classes
from sampleval.study.conclusions.variances import variances_of
from sampleval.surrogates import unsettled, worst_labels

SETTLED = "every item whose label matters here has one"


def settled(result: Inference) -> Flags:
    """Whether each component has variance 0 and cannot be changed by any unknown label, (m,).

    Where an item may get another label when asked again, no label is known for good. The derivative by a class without a value
    is 0, although its first item changes the mean over classes.
    """
    metric, run, problem = result.metric, result.run, result.run.problem
    none = variances_of(result) == 0
    if not none.any() or not run.responded.all() or may_gain_classes(result):
        return np.zeros(len(none), bool)
    moved = metric if metric.smooth else bare(metric)
    known = run.known.index if final(run) else np.empty(0, np.intp)
    open_ = unsettled(moved, problem.pool.items, problem.belief, known, result.risk)
    return none & ~(open_ if metric.smooth else open_.any())


def bare(metric: Metric) -> Metric:
    """The mean loss itself as a metric: at a kink of g, its derivative may be 0 although a label would change it."""
    return replace(
        metric, g=lambda risk: risk, jacobian=lambda risk: np.eye(len(risk)), outputs=lambda task: ()
    )


def left_open(metric: Metric, run: Run) -> Run | None:
    """A run of the unlabelled items of a part as if asked but not answered; `None` if they are most of the part.

    The result is also `None` for metrics of the whole pool, stochastic oracles and tasks without classes.
    """
    problem, items = run.problem, run.problem.pool.items
    if metric.part is None or problem.stochastic or not items.task.classified:
        return None
    inside = np.flatnonzero(metric.part.codes(items))
    rest = np.setdiff1d(inside, run.known.index)
    if 2 * len(rest) > len(inside):
        return None
    return replace(
        run,
        items=items.take(rest),
        labels=np.zeros((len(rest), *run.labels.shape[1:]), run.labels.dtype),
        responded=np.zeros(len(rest), bool),
        belief=problem.belief.take(rest),
        sample=Inclusions(np.arange(len(rest)), np.ones(len(rest)), run.sample.population),
    )


def within_reach(result: Inference, found: Interval) -> tuple[Inference, Interval]:
    """The value and limits of a total of two classes, or a share of several, as far as the unknown labels allow for them.

    Without this, up to ten of six items predicted negative were missed positives, and accuracy had limits up to .803 where
    36 of 178 items were known to be wrong. Other metrics are returned as they are. Shares of two classes are too, since
    they are components of curves, whose limits are their own.
    """
    metric, run = result.metric, result.run
    kind = run.items.task.kind
    # With a known denominator, accuracy is no ratio but the mean of one loss.
    share = metric.counts.share or (metric.fraction and len(result.risk) == 1)
    counted = metric.total if kind == "binary" else share and kind == "multiclass"
    # One answer of a stochastic oracle settles nothing.
    if metric.terms or not counted or run.problem.stochastic:
        return result, found
    low, high = reach(metric, run)
    value = np.clip(result.value, low, high)
    if low == high:
        return replace(result, value=value), Interval(low, high, found.level, "census", SETTLED)
    over = float(np.nan_to_num(result.value - value)[0])
    # A value that is cut takes its inner limit along: if that lay beyond reach as well, both limits would almost meet.
    lower, upper = found.low - max(over, 0.0), found.high - min(over, 0.0)
    lower, upper = np.clip([lower, upper], low, high).tolist()
    return replace(result, value=value), replace(found, low=lower, high=upper)


def reach(metric: Metric, run: Run) -> tuple[float, float]:
    """Smallest and largest value over all labels of the items without one, as a share of what a total counts over.

    Both are infinite where g is no sum of the items' losses, so that the effect of a label depends on the others.
    """
    problem, pool, known = run.problem, run.problem.pool, run.known
    slope = finite(dense(metric.gradient(problem.predicted_risk(metric))))

    def ends_of(index: Integers) -> Floats:
        """Σℓ, (2, d), with the labels of these items that make the total smallest, and with those that make it largest."""
        items, belief = pool.items.take(index), problem.belief.take(index)
        ends = worst_labels(metric, items, belief, slope)
        return np.stack([metric.loss(items, labels).sum(axis=0) for labels in ends])

    every = np.arange(pool.size)
    ends = problem.once((metric, "reach"), lambda: sum(ends_of(every[rows]) for rows in blocks(pool.size)))
    told = problem.losses(metric, known).sum(axis=0)
    risk = (ends - ends_of(known.index) + told) / pool.size
    low, middle, high = (float(metric.value(r)[0]) for r in (risk[0], risk.mean(axis=0), risk[1]))
    return (low, high) if np.isclose(middle, (low + high) / 2) else (-np.inf, np.inf)
