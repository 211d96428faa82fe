"""Estimates of scalar metrics: a value, its interval, and notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sampleval._checks import InputError
from sampleval.designs import Problem
from sampleval.estimators import Run, tangled, tried
from sampleval.intervals import Interval, joined
from sampleval.metrics import Metric, told_by_outputs
from sampleval.numerals import many, within
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNASKED, unanswerable
from sampleval.study.conclusions.anytime import refused
from sampleval.study.conclusions.census import is_census
from sampleval.study.conclusions.future import About
from sampleval.study.conclusions.outcome import Outcome
from sampleval.study.conclusions.remarks import remarks, worst
from sampleval.study.conclusions.too_few import blind_spot, narrowed, warned


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

    Raises:
        InputError: A metric of several components, or an interval for any look where none is known.
    """
    if metric.vector:
        raise InputError(f"`metric` {metric.name!r} has several components; ask for them with Study.curve")
    told = told_by_outputs(problem.pool, metric) if about == "pool" else None
    if told is not None:
        return partial(_unasked, metric, float(told[0]) * metric.scale(problem.pool.size), run)
    metric = method.form(metric)
    whole = run is not None and is_census(metric, run, method)
    if family == "anytime" and not whole and (reason := refused(problem, method, about)):
        raise InputError(reason)
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        ends, labels = metric.ends(problem.pool.size), 0 if run is None else len(run.items)

        def nothing(level: float) -> Estimate:
            everything = Interval(*ends, level, "none", unknown)
            return Estimate(
                metric.name, np.nan, np.nan, everything, labels, method.estimator.key, unknown, about
            )

        return nothing
    found = (
        partial(Outcome.of_census, metric, run, about)
        if whole
        else Outcome.of_sample(metric, run, method, family, about)
    )
    return lambda level: _told(metric, run, found(level), about, waiting)


def _unasked(metric: Metric, value: float, run: Run | None, level: float) -> Estimate:
    """The exact estimate of a metric that needs no label."""
    labels, found = 0 if run is None else len(run.items), Interval(value, value, level, "census", UNASKED)
    return Estimate(metric.name, value, 0.0, found, labels, "census", UNASKED)


def _told(metric: Metric, run: Run, found: Outcome, about: About, waiting: int) -> Estimate:
    """The estimate that an outcome is, in the unit of the metric and with its notes."""
    value, limits = float(found.result.value[0]), found.interval
    undefined = metric.reason(found.result.risk, run.items.task) if np.isnan(value) else ""
    scale = metric.scale(run.problem.pool.size)
    return Estimate(
        metric.name,
        value * scale,
        found.variance * scale**2,
        replace(limits, low=limits.low * scale, high=limits.high * scale),
        len(run.items),
        found.method,
        _note(metric, run, limits, waiting, undefined),
        about,
        undefined,
    )


def _note(metric: Metric, run: Run, limits: Interval, waiting: int, undefined: str) -> str:
    """What there is to know about an estimate, each remark once."""
    order = ", to first order" if tangled(metric, run) and not tried(run) else ""
    allowed = f"the interval allows for {worst(run.items.task.kind)}{order}"
    noted = remarks(metric, run, waiting, undefined and f"undefined: {undefined}", allowed)
    few = blind_spot(metric, run) if narrowed(limits) else ""
    return joined(noted, warned(few), limits.note)
