"""What a study concludes: a number, how sure to be, and why it may not be known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sampleval.designs import Inclusions, Problem
from sampleval.estimators import Estimator, HorvitzThompson
from sampleval.estimators.inference import Inference, Run, extremes, infer
from sampleval.intervals import INTERVALS, Basis, Interval, nothing
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.surrogates import moments

About = Literal["pool", "future"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of a metric.

    Attributes:
        metric: Its name.
        value: Estimated value; `nan` where the labels cannot tell, with the reason in `note`.
        variance: Estimated sampling variance.
        interval: Limits.
        labels: Answers it rests on.
        method: The estimator.
        note: What to know about it, in words.
        about: "pool": this pool's metric; "future": that of the source the pool was drawn from.
    """

    metric: str
    value: float
    variance: float
    interval: Interval
    labels: int
    method: str
    note: str = ""
    about: About = "pool"


def is_census(run: Run) -> bool:
    """Whether every item of the pool has a label."""
    population = run.sample.population
    if len(run.items) < population or not run.responded.all():
        return False
    return len(np.unique(run.items.index)) == population


def conclude(
    metric: Metric,
    run: Run | None,
    problem: Problem,
    method: Method,
    *,
    level: float,
    family: str,
    about: About = "pool",
    waiting: int = 0,
) -> Estimate:
    """An estimate with its interval and notes, from an answered run.

    Args:
        metric: A scalar metric.
        run: The answered run; `None` before the first answer.
        problem: What the sample was drawn for.
        method: How it was drawn and is weighed.
        level: Coverage to aim at.
        family: Key in `INTERVALS`.
        about: Whether the pool's own sampling variance counts.
        waiting: Answers given out of order that wait for the gaps before them.
    """
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        return _nan(
            metric, problem, level, method, _sentences(unknown), 0 if run is None else len(run.items), about
        )
    notes = [f"{waiting} answers out of order wait for the items before them" if waiting else ""]
    if is_census(run):
        value, variance, interval = _census(metric, run, level, about)
        name = "census"
    else:
        result = infer(metric, run, method.estimator)
        value, variance = float(result.value[0]), float(result.spread.variance[0])
        if about == "future":
            variance += _pool_variance(metric, run, method.estimator, result)
        interval = interval_of(metric, run, problem, method, result, value, variance, level, family)
        name = method.estimator.key
    if np.isnan(value):
        notes.append(f"undefined: {metric.undefined or 'the labels so far cannot tell'}")
    silent = int((~run.responded).sum())
    if silent:
        notes.append(f"{silent} items without an answer: the interval allows for any label")
    scale = problem.pool.size if metric.total else 1
    notes.append(interval.note)
    limits = Interval(interval.low * scale, interval.high * scale, level, interval.method, interval.note)
    return Estimate(
        metric.name,
        value * scale,
        variance * scale**2,
        limits,
        len(run.items),
        name,
        _sentences(*notes),
        about,
    )


def unanswerable(metric: Metric, run: Run | None, problem: Problem, method: Method) -> str:
    """Why this metric cannot be estimated from this sample, "" if it can."""
    if problem.pool.task.kind not in metric.kinds:
        return f"{metric.title} is not defined for {problem.pool.task.kind} labels"
    if run is None or not (run.responded.any() or len(run.held)):
        return "no labels yet"
    if not is_census(run) and not problem.covers(metric, method.design.inclusion):
        drawn = " and ".join(m.title for m in problem.metrics)
        return (
            f"the sample was drawn for {drawn} and never asks some items that matter here; set δ > 0 for that"
        )
    return ""


def interval_of(
    metric: Metric,
    run: Run,
    problem: Problem,
    method: Method,
    result: Inference,
    value: float,
    variance: float,
    level: float,
    family: str,
) -> Interval:
    """The interval, widened for missing answers, the whole range where the sample says too little."""
    if np.isnan(value):
        return nothing(Basis(value, variance, range=metric.range), level, "")
    if metric.needs_positives and _no_positive(run):
        return nothing(
            Basis(value, variance, range=metric.range),
            level,
            "no positive among the labels: they say nothing yet",
        )
    interval = INTERVALS[family](_basis(metric, run, problem, method, value, variance), level)
    if run.responded.all():
        return interval
    ends = [
        INTERVALS[family](
            _basis(metric, run, problem, method, float(end.value[0]), float(end.spread.variance[0])), level
        )
        for end in extremes(metric, run, method.estimator, result)
        if not np.isnan(end.value[0])
    ]
    low, high = min([interval.low, *(e.low for e in ends)]), max([interval.high, *(e.high for e in ends)])
    return Interval(low, high, level, interval.method, interval.note)


def _basis(
    metric: Metric, run: Run, problem: Problem, method: Method, value: float, variance: float
) -> Basis:
    basis = Basis(value, variance, range=metric.range)
    if variance > 0 and 0 < basis.share < 1:
        return basis
    anticipated, predicted = anticipate(metric, problem, method, len(run.items))
    return Basis(value, variance, anticipated, predicted, metric.range)


def anticipate(metric: Metric, problem: Problem, method: Method, labels: int) -> tuple[float, float]:
    """(V_model, value) that the first belief predicts for this many labels."""
    typical = problem.profile.typical
    predicted = problem.predicted_risk(metric)
    at = moments(metric, problem.pool.items.take(typical), problem.belief.take(typical), risk=predicted)
    profile = problem.profile.with_square(at.square)
    variance = method.design.variance(profile, np.array([max(labels, 1)], float))
    return float(variance[0]), float(metric.value(predicted)[0])


def _census(metric: Metric, run: Run, level: float, about: About) -> tuple[float, float, Interval]:
    """The exact value and an interval of width 0; for future items the pool's own variance remains."""
    rows = np.unique(run.items.index, return_index=True)[1]
    everyone = Inclusions(rows, np.ones(len(rows)), len(rows))
    exact = Run(run.items, run.labels, run.responded, run.belief, everyone, run.held, run.held_labels)
    result = infer(metric, exact, HorvitzThompson())
    value = float(result.value[0])
    if about == "future":
        variance = _pool_variance(metric, exact, HorvitzThompson(), result)
        return value, variance, INTERVALS["korn-graubard"](Basis(value, variance, range=metric.range), level)
    if np.isnan(value):
        return value, 0.0, nothing(Basis(value, 0.0, range=metric.range), level, "")
    return value, 0.0, Interval(value, value, level, "census")


def _pool_variance(metric: Metric, run: Run, estimator: Estimator, result: Inference) -> float:
    """Var d / N: how far the pool itself may be from the source it was drawn from."""
    effects: Floats = metric.loss(run.items, run.labels) @ metric.gradient(result.risk).T
    return float(estimator.mean(run.sample, effects**2)[0]) / run.population


def _no_positive(run: Run) -> bool:
    return run.items.task.kind == "binary" and not (run.labels[run.responded].any() or run.held_labels.any())


def _nan(
    metric: Metric, problem: Problem, level: float, method: Method, note: str, labels: int, about: About
) -> Estimate:
    scale = problem.pool.size if metric.total else 1
    low, high = metric.range
    whole = Interval(low * scale, high * scale, level, "none", note)
    return Estimate(metric.name, np.nan, np.nan, whole, labels, method.estimator.key, note, about)


def _sentences(*notes: str) -> str:
    return "; ".join(dict.fromkeys(note for note in notes if note))
