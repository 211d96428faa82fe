"""A census: whether every label is known, and what a metric is then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators import HorvitzThompson, Inference, Run, infer
from sampleval.metrics import Metric, mean_loss
from sampleval.pool import Labels, Pool, belonging
from sampleval.presets import Method


def true_value(metric: Metric, pool: Pool, known: Labels | None) -> float:
    """G(R) of the whole pool, as demos and simulations compare it with; `nan` unless every item's label is known.

    Args:
        metric: A scalar metric.
        pool: The pool.
        known: Its known labels.

    Raises:
        InputError: Labels of another pool.
    """
    if known is None or not belonging(known, pool, "known").complete:
        return float("nan")
    risk = mean_loss(metric, pool.items, known.values)
    return float(metric.value(risk)[0]) * metric.scale(pool.size)


def is_census(metric: Metric, run: Run, method: Method) -> bool:
    """Whether every item has a label, or every item of the metric's part; for a ratio, every item that could be asked.

    Items that are never asked add nothing to a ratio, but a total counts them.
    """
    if has_all(metric, run):
        return True
    if metric.total:
        return False
    reached = run.problem.reached(method.design.inclusion)
    return has_labels(run, int(np.count_nonzero(reached)))


def has_all(metric: Metric, run: Run) -> bool:
    """Whether every item has a label, or every one of the metric's part."""
    return has_labels(run, run.sample.population) or has_part(metric, run)


def has_part(metric: Metric, run: Run) -> bool:
    """Whether the run, with what is held, is the labels of all items of a part of the pool, for good."""
    if metric.parts is None or run.problem.stochastic or not run.responded.all():
        return False
    parts, items = metric.parts, run.problem.pool.items
    size = run.problem.once((metric, "part"), lambda: np.count_nonzero(parts(items)))
    labelled = items.take(np.unique(run.known.index))
    return bool(np.count_nonzero(parts(labelled)) == size)


def has_labels(run: Run, items: int) -> bool:
    """Whether the run has the labels of exactly this many items, for good: another answer for a held item is never asked."""
    anew = run.problem.stochastic and len(run.items) > 0
    if anew or len(run.items) < items or not run.responded.all():
        return False
    return len(np.unique(run.items.index)) == items


def everyone(run: Run) -> Run:
    """A census's run with every item counted once, however it was drawn."""
    rows = np.unique(run.items.index, return_index=True)[1]
    return replace(run, sample=Inclusions(rows, np.ones(len(rows)), len(rows)))


def exact(metric: Metric, run: Run) -> Inference:
    """What a census's run says about a metric."""
    found = infer(metric, everyone(run), HorvitzThompson())
    metric.attained(found.risk)
    return found
