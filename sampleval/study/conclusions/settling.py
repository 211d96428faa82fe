"""Whether unknown labels could still change an estimate: labels not asked for, and missing answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators import HorvitzThompson, Inference, Run
from sampleval.metrics import Metric
from sampleval.pool import Flags
from sampleval.presets import Method
from sampleval.study.conclusions.census import everyone, final, is_census
from sampleval.study.conclusions.variances import variances_of
from sampleval.surrogates import unsettled

SETTLED = "every item whose label matters here has one"


def settled(result: Inference) -> Flags:
    """Whether each component has variance 0 and cannot be changed by any unknown label, (m,).

    Where an item may get another label when asked again, no label is known for good.
    """
    metric, run, problem = result.metric, result.run, result.run.problem
    none = variances_of(result) == 0
    if not none.any() or not run.responded.all():
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


def all_asked(metric: Metric, run: Run, method: Method) -> bool:
    """Whether everything is known except for missing answers."""
    return is_census(metric, as_if_answered(run), method)


def as_if_answered(run: Run) -> Run:
    """The run with the stand-ins for missing answers treated as answers."""
    return replace(run, responded=np.ones(len(run.items), bool))


def counted_once(run: Run, method: Method) -> tuple[Run, Method]:
    """The run and method for the case that all items are asked: each has weight 1, however it was drawn.

    Otherwise the value would use the design weights but its limits would not, so that they might exclude it.
    """
    return everyone(run), replace(method, estimator=HorvitzThompson(), interval="korn-graubard")


def left_open(metric: Metric, run: Run) -> Run | None:
    """A run of the unlabelled items of a part as if asked but not answered; `None` if they are most of the part.

    The result is also `None` for metrics of the whole pool, stochastic oracles and tasks without classes.
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
