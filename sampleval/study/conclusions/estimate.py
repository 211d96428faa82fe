"""Estimates of scalar metrics: a value, its interval, and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from sampleval._checks import InputError
from sampleval.designs import Problem
from sampleval.estimators import Inference, Run, tangled, tried
from sampleval.intervals import Interval, joined, nothing
from sampleval.metrics import Metric, alike_in_cells, told_by_outputs
from sampleval.numerals import many, within
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNASKED, unanswerable
from sampleval.study.conclusions.anytime import refuse_any_look
from sampleval.study.conclusions.census import exact, inferred, is_census
from sampleval.study.conclusions.class_means import widened_for_unmet
from sampleval.study.conclusions.future import About, of_pool, of_source, widened_to_source
from sampleval.study.conclusions.limits import cautioned, interval_of
from sampleval.study.conclusions.remarks import left_out, remarks, worst
from sampleval.study.conclusions.settling import within_reach
from sampleval.study.conclusions.too_few import blind_spot, lone_voices, may_be_too_narrow, warned


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of a metric.

    >>> import pandas as pd, sampleval as sv
    >>> pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7]}))
    >>> study = sv.create_study(pool, metric="accuracy", budget=2, held={"0": 0, "1": 0})
    >>> found = study.estimate()
    >>> found.value, found.interval.low, found.interval.high, found.method  # where all labels are known
    (0.5, 0.5, 0.5, 'census')

    Attributes:
        metric: Its name.
        value: Estimated value; `nan` if the labels do not determine one, with the reason in `note`.
        variance: Estimated sampling variance.
        interval: Limits.
        labels: Number of answers that it rests on, including skipped and unsure ones but not labels held beforehand.
        method: Key of the estimator, or "census".
        note: Remarks on the estimate, in words.
        about: "pool": this pool's metric; "future": that of the source the pool was drawn from.
        undefined: Why the metric is undefined for these labels, which `note` says too; "" if it is not, or without labels.
        leaning: A clause on the few labels that speak for much of the pool, if the limits may be too narrow for it; otherwise "".
    """

    metric: str
    value: float
    variance: float
    interval: Interval
    labels: int
    method: str
    note: str = ""
    about: About = "pool"
    undefined: str = ""
    leaning: str = ""

    def __repr__(self) -> str:
        """The line of `str`, with the notes."""
        note = f"; {self.note}" if self.note and not np.isnan(self.value) else ""
        return f"<{type(self).__name__} {self}{note}>"

    def __str__(self) -> str:
        """One line without the notes, but for the one that says why nothing is known."""
        limits = self.interval.low, self.interval.high
        said = "unknown" if np.isnan(self.value) else within(self.value, *limits)
        why = f"; {self.note}" if self.note and np.isnan(self.value) else ""
        return f"{self.metric} {said}, {self.interval}, {many(self.labels, 'answer')}{why}"


def conclude(
    metric: Metric,
    run: Run | None,
    problem: Problem,
    method: Method,
    *,
    family: str,
    about: About = "pool",
    waiting: int = 0,
    noted: bool = True,
) -> Callable[[float], Estimate]:
    """From an answered run, the estimate with its interval and notes as a function of the interval's level.

    Args:
        metric: A scalar metric.
        run: The answered run; `None` before the first answer.
        problem: The problem that the sample was drawn for.
        method: The design, estimator and interval.
        family: Key in `INTERVALS`.
        about: "pool", or "future" to include the pool's own sampling variance.
        waiting: Number of answers given out of order that wait for items before them.
        noted: `False` to leave out remarks on known values, a tenth of the time or more, as simulations do, which never show them.

    Raises:
        InputError: A metric of several components or with cells of unlike items, or an interval for any look where none is known.
    """
    if metric.vector:
        raise InputError(f"`metric` {metric.name!r} has several components; ask for them with Study.curve")
    alike_in_cells(problem.pool, metric)
    labels = 0 if run is None else len(run.items)
    by_outputs = told_by_outputs(problem.pool, metric) if about == "pool" else None
    if by_outputs is not None:
        return partial(_unasked, metric, float(by_outputs[0]) * metric.scale(problem.pool.size), labels)
    metric = method.form(metric)
    census = run is not None and is_census(metric, run, method)
    if family == "anytime" and not census:
        refuse_any_look(problem, method, about)
    why = unanswerable(metric, run, problem, method)
    if why or run is None:
        return partial(_unknown, metric, labels, problem, method, about, why)
    if census:
        outcome = partial(_by_census, exact(metric, run), about)
    else:
        outcome = partial(_by_sample, *inferred(metric, run, replace(method, interval=family)), about)
    return lambda level: _noted(metric, run, outcome(level), about, waiting, noted)


def _unasked(metric: Metric, value: float, labels: int, level: float) -> Estimate:
    """The exact estimate of a metric that needs no label."""
    limits = Interval(value, value, level, "census", UNASKED)
    return Estimate(metric.name, value, 0.0, limits, labels, "census", UNASKED)


def _unknown(
    metric: Metric, labels: int, problem: Problem, method: Method, about: About, why: str, level: float
) -> Estimate:
    """An estimate of `nan` with the whole range as its interval, and the reason as its note."""
    limits = nothing(metric.ends(problem.pool.size), level, why)
    return Estimate(metric.name, np.nan, np.nan, limits, labels, method.estimator.key, why, about)


class Outcome(NamedTuple):
    """The numbers about a scalar metric, without notes; those of a total are shares of what it counts over."""

    result: Inference
    variance: float
    limits: Interval
    method: str


def _by_census(result: Inference, about: About, level: float) -> Outcome:
    """Variance 0 and an interval of width 0, or the pool's own variance for future items.

    Where g is undefined, no label is left that could change it, and the limits are `nan` too.
    """
    value = float(result.value[0])
    if np.isnan(value):
        variance, limits = np.nan, Interval(np.nan, np.nan, level, "none")
        if about == "future":
            limits = nothing(result.metric.range, level, "")
    elif about == "future":
        pool = of_pool(result)
        variance, limits = pool.variance, widened_for_unmet(of_source(pool, level), result)
    else:
        variance, limits = 0.0, Interval(value, value, level, "census")
    return Outcome(result, variance, limits, "census")


def _by_sample(result: Inference, method: Method, about: About, level: float) -> Outcome:
    """What the sample tells, for future items with the pool's own variance."""
    variance, limits = interval_of(result, method.design, level, method.interval)
    if about == "pool":
        result, limits = within_reach(result, limits)
    elif not np.isnan(result.value[0]):
        pool = of_pool(result)
        variance, limits = variance + pool.variance, widened_to_source(limits, pool)
    return Outcome(result, variance, limits, method.estimator.key)


def _noted(metric: Metric, run: Run, outcome: Outcome, about: About, waiting: int, noted: bool) -> Estimate:
    """The estimate that an outcome is, in the unit of the metric and with its notes."""
    value, limits, leaning = float(outcome.result.value[0]), outcome.limits, ""
    if noted and outcome.method != "census":
        leaning = lone_voices(outcome.result, limits)
        limits = cautioned(limits, outcome.result, leaning)
    risk, task = outcome.result.risk, run.items.task
    undefined = metric.reason(risk, task) if np.isnan(value) else ""
    if noted and not undefined:
        limits = replace(limits, note=joined(left_out(metric, risk, task), limits.note))
    scale = metric.scale(run.problem.pool.size)
    return Estimate(
        metric.name,
        value * scale,
        outcome.variance * scale**2,
        replace(limits, low=limits.low * scale, high=limits.high * scale),
        len(run.items),
        outcome.method,
        _note(metric, run, limits, waiting, undefined) if noted else "",
        about,
        undefined,
        leaning,
    )


def _note(metric: Metric, run: Run, limits: Interval, waiting: int, undefined: str) -> str:
    """What there is to know about an estimate, each remark once."""
    order = ", to first order" if tangled(metric, run) and not tried(run) else ""
    allowed = f"the interval allows for {worst(run.items.task.kind)}{order}"
    noted = remarks(metric, run, waiting, undefined and f"undefined: {undefined}", allowed)
    few = blind_spot(metric, run) if may_be_too_narrow(limits) else ""
    return joined(noted, warned(few), limits.note)
