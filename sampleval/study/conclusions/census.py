"""From a run to the inference about a metric: whether it is a census, whose value is exact, or else a sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators import HorvitzThompson, Inference, Run, infer
from sampleval.metrics import Metric, alike_in_cells, mean_loss
from sampleval.pool import Labels, Pool, belonging
from sampleval.presets import Method
from sampleval.study.conclusions.remarks import left_out


def true_value(metric: Metric, pool: Pool, known: Labels | None) -> float:
    """G(R) of the whole pool, with which demos and simulations compare; `nan` unless every item's label is known.

    Args:
        metric: A scalar metric.
        pool: The pool.
        known: Its known labels.

    Raises:
        InputError: Labels of another pool, or a metric with cells of unlike items.
    """
    alike_in_cells(pool, metric)
    if known is None or not belonging(known, pool, "known").complete:
        return float("nan")
    risk = mean_loss(metric, pool.items, known.values)
    return float(metric.value(risk)[0]) * metric.scale(pool.size)


def truth_without(metric: Metric, pool: Pool, known: Labels) -> str:
    """The classes that a mean over classes leaves out of its true value, as `left_out` tells it; the arguments are those of `true_value`."""
    return left_out(metric, mean_loss(metric, pool.items, known.values), pool.task)


def is_census(metric: Metric, run: Run, method: Method) -> bool:
    """Whether every item has a label, or every item of the metric's part, or every item that the design could ask.

    The last is not sufficient for a total: items with inclusion probability 0 do not affect other metrics, but a total
    counts them.
    """
    if has_all(metric, run):
        return True
    if metric.total:
        return False
    reached = run.problem.reached(method.design.inclusion)
    return has_labels(run, int(np.count_nonzero(reached)))


def has_all(metric: Metric, run: Run) -> bool:
    """Whether every item, or every item of the metric's part, has a label."""
    return has_labels(run, run.sample.population) or has_part(metric, run)


def has_part(metric: Metric, run: Run) -> bool:
    """Whether all items of the metric's part of the pool have final labels, held ones included."""
    if metric.part is None or run.problem.stochastic or not run.responded.all():
        return False
    part, items = metric.part, run.problem.pool.items
    size = run.problem.once((metric, "part"), lambda: np.count_nonzero(part.codes(items)))
    labelled = items.take(run.labelled)
    return bool(np.count_nonzero(part.codes(labelled)) == size)


def has_labels(run: Run, items: int) -> bool:
    """Whether the run has final labels of exactly this many distinct items."""
    if not final(run) or len(run.items) < items or not run.responded.all():
        return False
    return len(np.unique(run.items.index)) == items


def final(run: Run) -> bool:
    """Whether an item that has a label would get the same one again. Held labels alone are always final."""
    return not (run.problem.stochastic and len(run.items))


def everyone(run: Run) -> Run:
    """The run of a census with weight 1 for every item, however it was drawn."""
    rows = np.unique(run.items.index, return_index=True)[1]
    return replace(run, sample=Inclusions(rows, np.ones(len(rows)), len(rows)))


def exact(metric: Metric, run: Run) -> Inference:
    """The exact inference about a metric from the run of a census."""
    found = infer(metric, everyone(run), HorvitzThompson())
    metric.attained(found.risk)
    return found


def inferred(metric: Metric, run: Run, method: Method) -> tuple[Inference, Method]:
    """The inference about a metric from the run of a sample, and the method as it was used for this metric.

    If everything is known except for missing answers, each item has weight 1, however it was drawn. Otherwise the value would
    use the design weights but its limits would not, so that they might exclude it.
    """
    if is_census(metric, as_if_answered(run), method):
        run = everyone(run)
        method = replace(method, estimator=HorvitzThompson(), interval="korn-graubard")
    method = method.concluding_on(metric, run.problem.pool)
    return infer(metric, run, method.estimator), method


def as_if_answered(run: Run) -> Run:
    """The run with the stand-ins for missing answers treated as answers."""
    return replace(run, responded=np.ones(len(run.items), bool))
