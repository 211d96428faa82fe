"""Limits by class for classes with hardly any labels, whose estimated variance is far too small."""

from __future__ import annotations

import numpy as np

from sampleval.estimators import Inference, Run, weights
from sampleval.intervals import clopper_pearson, kish_size
from sampleval.metrics import Metric
from sampleval.metrics.class_counts import flags
from sampleval.pool import SEVERAL, Flags, Floats, Integers, Items

MET = 3  # least number of labels of a class for its own limits

Limits = tuple[Floats, Floats]


def met(run: Run, metric: Metric | None = None) -> Integers:
    """Number of known labels of each class, (C,), including those held beforehand.

    Of a metric of a part of the pool, labels inside the part alone count; of a difference, the fewer of both.
    """
    if metric is not None and metric.terms:
        return np.minimum(*(met(run, term) for term in metric.terms))
    of_class = flags(run.known.labels, run.items.task.width)
    if metric is not None:
        of_class = of_class[in_part(metric, run.problem.pool.items.take(run.known.index))]
    return np.asarray(of_class.sum(axis=0), np.intp)


def met_by_chance(run: Run) -> Integers:
    """Number of labels of each class that chance chose, (C,): those asked for, and held ones if it chose them.

    Other held labels say nothing of the rest of a class. With three of each of ten classes held, limits of macro recall by
    `queue` from 100 labels held in .6 of studies.
    """
    if run.problem.held_random:
        return met(run)
    of_class = flags(run.labels[run.responded], run.items.task.width)
    return np.asarray(of_class.sum(axis=0), np.intp)


def in_part(metric: Metric, items: Items) -> Flags:
    """Whether each item counts for the metric, (n,): all of them do, or those of a part of the pool."""
    return np.ones(len(items), bool) if metric.part is None else metric.part.codes(items) > 0


def widened_for_rare(result: Inference, limits: Limits, level: float) -> Limits:
    """Limits of a metric by class, as shares of the pool, widened for classes with hardly any label.

    The model-assisted mean of a class without labels varies only through the predictions: its limits covered the count
    in 1 study of 6. Clopper–Pearson limits at Kish's effective size, (Σw)²/Σw², use the labels alone.
    """
    metric, run = result.metric, result.run
    if run.items.task.kind not in SEVERAL or not metric.counts.of_class:
        return limits
    labels = met(run, metric)
    if metric.counts.of_class == "ratio":
        bottom, top = (np.full(len(labels), end) for end in metric.range)
        return _wider_where(labels == 0, limits, (bottom, top))
    return _wider_where(labels < MET, limits, _share_limits(result, level))


def _wider_where(few: Flags, limits: Limits, least: Limits) -> Limits:
    """The wider of both pairs of limits where labels are few; limits of width 0 do not change."""
    low, high = limits
    few = few & (low < high)
    return np.where(few, np.fmin(low, least[0]), low), np.where(few, np.fmax(high, least[1]), high)


def _share_limits(result: Inference, level: float) -> Limits:
    """Clopper–Pearson limits of shares of the pool, (C,) each.

    Held labels are exact, and items known to be of another class do not count towards a class.
    """
    metric, run = result.metric, result.run
    size = kish_size(weights(run, result.estimator)[run.responded & in_part(metric, run.items)])
    pool = run.problem.pool.items
    items = int(in_part(metric, pool).sum())
    held = in_part(metric, pool.take(run.held.index)).sum() / items
    exact = metric.value(run.problem.losses(metric, run.held).mean(axis=0)) * held if held else 0.0
    least = -1 if metric.terms else 0
    share = (
        np.clip((result.value - exact) / (1 - held), least, 1) if held < 1 else np.zeros(len(result.value))
    )
    low, high = clopper_pearson(size * np.abs(share), size * (1 - np.abs(share)), level)
    if metric.terms:  # either of the two may count more items of the class
        low = -high
    labelled = in_part(metric, pool.take(run.labelled)).sum()
    most = 1 - (labelled - met(run, metric)) / items
    return np.maximum(exact + (1 - held) * low, least * most), np.minimum(exact + (1 - held) * high, most)
