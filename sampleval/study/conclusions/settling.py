"""What is left that could move a conclusion: labels not asked for, and answers not given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators import HorvitzThompson, Inference, Run
from sampleval.metrics import Metric
from sampleval.pool import Flags
from sampleval.presets import Method
from sampleval.study.conclusions.census import everyone, is_census
from sampleval.study.conclusions.variances import variances_of
from sampleval.surrogates import unsettled


def settled(metric: Metric, run: Run, result: Inference) -> Flags:
    """Components that no label still unknown could move, (m,): they show no variance, and none is left to show.

    Args:
        metric: Any metric.
        run: The answered run.
        result: What it says about the metric.
    """
    none = variances_of(metric, result) == 0
    if not none.any() or not run.responded.all():
        return np.zeros(len(none), bool)
    if metric.smooth:
        return none & ~may_move(metric, run, result)
    return none & ~may_move(bare(metric), run, result).any()


def may_move(metric: Metric, run: Run, result: Inference) -> Flags:
    """Whether labels not known yet could still move each component, (m,)."""
    return unsettled(metric, run.problem.pool.items, run.problem.belief, run.known.index, result.risk)


def bare(metric: Metric) -> Metric:
    """The mean loss itself as a metric: where g has a kink, its derivative may be 0 though a label would move it."""
    return replace(
        metric, g=lambda risk: risk, jacobian=lambda risk: np.eye(len(risk)), outputs=lambda task: ()
    )


def all_asked(metric: Metric, run: Run, method: Method) -> bool:
    """Whether nothing is open but the answers not given."""
    return is_census(metric, as_if_answered(run), method)


def as_if_answered(run: Run) -> Run:
    """The run with what stands in for the answers not given taken for answers."""
    return replace(run, responded=np.ones(len(run.items), bool))


def counted_once(run: Run, method: Method) -> tuple[Run, Method]:
    """The run and method once all items are asked: each counts for itself, however it was drawn.

    Otherwise a value would rest on the design's weights, but its limits on the labels as they are, and these might
    not hold it.
    """
    return everyone(run), replace(method, estimator=HorvitzThompson(), interval="korn-graubard")


def left_open(metric: Metric, run: Run) -> Run | None:
    """A run of the part's unlabelled items, as if asked but not answered; `None` where they are most of the part.

    Args:
        metric: Of a part of the pool, none of whose items was asked.
        run: The answered run.
    """
    problem, items = run.problem, run.problem.pool.items
    if metric.parts is None or problem.stochastic or not items.task.classified:
        return None
    inside = np.flatnonzero(metric.parts(items))
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
