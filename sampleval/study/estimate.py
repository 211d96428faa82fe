"""What a study concludes: a number, how sure to be, and why it may not be known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sampleval._checks import InputError, conforms
from sampleval.designs import Inclusions, Problem, Redrawing
from sampleval.estimators import HorvitzThompson, Linear
from sampleval.estimators.inference import Inference, Run, extremes, infer
from sampleval.estimators.resampling import resampled
from sampleval.intervals import Basis, Interval, interval, joined, nothing, told
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats
from sampleval.presets import Method
from sampleval.study.anytime import anytime_interval, foreseen, refused
from sampleval.study.future import beyond, of_pool, of_source
from sampleval.surrogates import unsettled

About = Literal["pool", "future"]
FROM_DRAWS = ("posterior", "anytime")  # what an estimator's posterior tells better than its variance
FEW = 10  # positives below which what needs them rests on single items


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


def is_census(metric: Metric, run: Run, method: Method) -> bool:
    """Whether every item has a label; for a ratio, every item that has a chance to be asked: the rest add nothing."""
    if has_labels(run, run.sample.population):
        return True
    reached = run.problem.reached(method.design.inclusion)
    return not metric.total and has_labels(run, int(np.count_nonzero(reached)))


def has_labels(run: Run, items: int) -> bool:
    """Whether the run is the labels of exactly so many items, for good."""
    if run.problem.stochastic or len(run.items) < items or not run.responded.all():
        return False
    return len(np.unique(run.items.index)) == items


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
    if metric.vector:
        raise InputError(f"`metric` {metric.name!r} has several components; ask for them with Study.curve")
    metric = method.form(metric)
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        return _nan(metric, problem, level, method, unknown, 0 if run is None else len(run.items), about)
    notes = [f"{waiting} answers out of order wait for the items before them" if waiting else ""]
    if is_census(metric, run, method):
        value, variance, found = _census(metric, run, level, about)
        name = "census"
    else:
        if family == "anytime" and (reason := refused(problem, method, about)):
            raise InputError(reason)
        method, asked = method.speaking_of(metric, problem.pool), method
        if method is not asked and family == "posterior":
            family = method.interval
        result = infer(metric, run, method.estimator)
        value = float(result.value[0])
        variance, found = interval_of(metric, run, method, result, level, family)
        if about == "future" and not np.isnan(value):
            pool = of_pool(metric, run, method.estimator, result)
            variance, found = variance + pool.variance, beyond(found, pool)
        found, name = cautioned(found, metric, run), method.estimator.key
    if np.isnan(value):
        notes.append(f"undefined: {metric.reason(_risk(metric, run, method), run.items.task)}")
    silent = int((~run.responded).sum())
    if silent:
        any_label = "the 0.5 % and 99.5 % quantiles believed of them, as numbers have no worst case"
        allowed = any_label if run.items.task.kind == "regression" else "any label"
        notes.append(f"{silent} items without an answer: the interval allows for {allowed}")
    scale = metric.scale(problem.pool.size)
    notes.append(found.note)
    limits = Interval(found.low * scale, found.high * scale, level, found.method, found.note)
    return Estimate(
        metric.name,
        value * scale,
        variance * scale**2,
        limits,
        len(run.items),
        name,
        joined(*notes),
        about,
    )


def unanswerable(metric: Metric, run: Run | None, problem: Problem, method: Method) -> str:
    """Why this metric cannot be estimated from this sample, "" if it can."""
    if problem.pool.task.kind not in metric.kinds:
        return f"{metric.title} is not defined for {problem.pool.task.kind} labels"
    drawn = problem.title
    if run is None or not (run.responded.any() or len(run.held)):
        able = problem.target.possible.any()
        return "no labels yet" if able else f"no label can change {drawn} here, so none is asked"
    if has_labels(run, run.sample.population):
        return ""
    design = method.design
    kept = not conforms(design, Redrawing) or design.keeps(problem, metric)
    if not (kept and problem.covers(metric, design.inclusion)):
        return (
            f"the sample was drawn for {drawn} and never asks some items that matter here; set δ > 0 for that"
        )
    return ""


def _variance(metric: Metric, result: Inference) -> float:
    return float(told(result.spread.variance, result.value, metric.range)[0])


def interval_of(
    metric: Metric, run: Run, method: Method, result: Inference, level: float, family: str
) -> tuple[float, Interval]:
    """(variance, interval), widened for missing answers, the whole range where the sample says too little."""
    value, variance = float(result.value[0]), _variance(metric, result)
    whole = Basis(value, variance, range=metric.range)
    if np.isnan(value):
        return variance, nothing(whole, level, "")
    if metric.needs_positives and no_positive(run):
        return variance, nothing(whole, level, "no positive among the labels: they say nothing yet")
    if family == "anytime" and result.draws is None and not _settled(metric, run, result):
        return variance, anytime_interval(metric, run, method, value, level)
    variance, found = _fixed_time(metric, run, method, result, level, family)
    if run.responded.all():
        return variance, found
    ends = [
        _fixed_time(metric, run, method, end, level, family)[1]
        for end in extremes(metric, run, method.estimator, result)
        if not np.isnan(end.value[0])
    ]
    low, high = min([found.low, *(e.low for e in ends)]), max([found.high, *(e.high for e in ends)])
    return variance, Interval(low, high, level, found.method, found.note)


def _settled(metric: Metric, run: Run, result: Inference) -> bool:
    """Whether no label that is not known yet could move the metric."""
    certain = _variance(metric, result) == 0 and run.responded.all()
    return bool(certain and not may_move(metric, run, result).any())


def _fixed_time(
    metric: Metric, run: Run, method: Method, result: Inference, level: float, family: str
) -> tuple[float, Interval]:
    """(variance, interval) for one look after so many labels, the labels not given as they are believed."""
    value, variance = float(result.value[0]), _variance(metric, result)
    if result.draws is not None and family in FROM_DRAWS:
        before = foreseen(metric, run.problem, method) if family == "anytime" else None
        basis = Basis(
            value,
            variance,
            range=metric.range,
            draws=result.draws[:, 0],
            before=before,
            labels=len(run.items),
        )
        return variance, interval(basis, level, family)
    if _settled(metric, run, result):
        return 0.0, Interval(value, value, level, "census", "every item whose label matters here has one")
    if metric.smooth or result.draws is not None or not np.isfinite(variance):  # draws need no derivative
        return variance, interval(_basis(metric, run, method, value, variance), level, family)
    assert isinstance(method.estimator, Linear)
    rng = np.random.default_rng([run.problem.seed, 2])
    spread, low, high = resampled(metric, run, method.estimator, result, level, rng)
    note = (
        "no derivative where gaps vanish, so the interval is resampled; with few labels the value is too high"
    )
    return spread, Interval(low, high, level, "resampled", note)


def may_move(metric: Metric, run: Run, result: Inference) -> Flags:
    """Whether labels not known yet could still move each component, (m,)."""
    return unsettled(metric, run.problem.pool.items, run.problem.belief, run.said.index, result.risk)


def _basis(metric: Metric, run: Run, method: Method, value: float, variance: float) -> Basis:
    basis = Basis(value, variance, range=metric.range)
    if basis.settled:
        return basis
    anticipated, predicted = anticipate(metric, run.problem, method, len(run.items))
    return Basis(value, variance, anticipated, predicted, metric.range)


def anticipate(metric: Metric, problem: Problem, method: Method, labels: int) -> tuple[float, float]:
    """(V_model, value) that the first belief predicts for this many labels."""
    variance = method.design.variance(problem.profile_for(metric), np.array([max(labels, 1)], float))
    return float(variance[0]), float(metric.value(problem.predicted_risk(metric))[0])


def everyone(run: Run) -> Run:
    """A census's run with every item counted once, however it was drawn."""
    rows = np.unique(run.items.index, return_index=True)[1]
    return replace(run, sample=Inclusions(rows, np.ones(len(rows)), len(rows)))


def _census(metric: Metric, run: Run, level: float, about: About) -> tuple[float, float, Interval]:
    """The exact value and an interval of width 0; for future items the pool's own variance remains."""
    exact = everyone(run)
    result = infer(metric, exact, HorvitzThompson())
    value = float(result.value[0])
    if np.isnan(value):
        return value, 0.0, nothing(Basis(value, 0.0, range=metric.range), level, "")
    if about == "future":
        pool = of_pool(metric, exact, HorvitzThompson(), result)
        return value, pool.variance, of_source(pool, level)
    return value, 0.0, Interval(value, value, level, "census")


def _risk(metric: Metric, run: Run, method: Method) -> Floats:
    """R̂, to say why g is undefined there."""
    return infer(metric, run, method.estimator).risk


def cautioned(found: Interval, metric: Metric, run: Run) -> Interval:
    """The interval, with a warning where it is Yilmaz's Beta and rests on few positives (THEORY section 7)."""
    positives = int(run.said.labels.sum())
    if found.method != "beta" or not metric.needs_positives or run.items.task.kind != "binary":
        return found
    if positives >= FEW:
        return found
    warning = f"Beta intervals are known to be too narrow with few positives, here {positives}; choose Korn–Graubard"
    return replace(found, note=joined(found.note, warning))


def no_positive(run: Run) -> bool:
    """Whether no label given so far is positive, where labels are positive or not."""
    return run.items.task.kind in ("binary", "multilabel") and not run.said.labels.any()


def _nan(
    metric: Metric, problem: Problem, level: float, method: Method, note: str, labels: int, about: About
) -> Estimate:
    scale = metric.scale(problem.pool.size)
    low, high = metric.range
    whole = Interval(low * scale, high * scale, level, "none", note)
    return Estimate(metric.name, np.nan, np.nan, whole, labels, method.estimator.key, note, about)
