"""Estimates of scalar metrics: a value, its interval, and notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sampleval._checks import InputError
from sampleval.designs import Problem
from sampleval.estimators import HorvitzThompson, Inference, Linear, Run, extremes, infer, tangled, tried
from sampleval.estimators.resampling import kinked, resampled
from sampleval.intervals import NOISE, Basis, Interval, interval, joined, nothing
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNSEEN, unanswerable, unseen
from sampleval.study.conclusions.anytime import anytime_interval, prior_draws, refused
from sampleval.study.conclusions.census import everyone, exact, is_census
from sampleval.study.conclusions.future import beyond, of_pool, of_source
from sampleval.study.conclusions.off_target import blind_spot, narrowed, warned
from sampleval.study.conclusions.positives import FEW, positives
from sampleval.study.conclusions.rare_classes import averaged
from sampleval.study.conclusions.remarks import remarks, worst
from sampleval.study.conclusions.settling import all_asked, counted_once, left_open, settled
from sampleval.study.conclusions.variances import grounded, variances_of

About = Literal["pool", "future"]
KINKED = (
    "gaps of either sign add up, so that with few labels the value is too high, and the limits allow for it"
)
FROM_DRAWS = ("posterior", "anytime")  # families that prefer posterior draws to a variance


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of a metric.

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
        problem: The problem that the sample was drawn for.
        method: The design, estimator and interval.
        level: Nominal coverage.
        family: Key in `INTERVALS`.
        about: "pool", or "future" to include the pool's own sampling variance.
        waiting: Number of answers given out of order that wait for items before them.
    """
    if metric.vector:
        raise InputError(f"`metric` {metric.name!r} has several components; ask for them with Study.curve")
    metric = method.form(metric)
    whole = run is not None and is_census(metric, run, method)
    if family == "anytime" and not whole and (reason := refused(problem, method, about)):
        raise InputError(reason)
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        return _unknown(metric, problem, level, method, unknown, 0 if run is None else len(run.items), about)
    found = (
        _census(metric, run, level, about) if whole else _sampled(metric, run, method, level, family, about)
    )
    value, limits, task = float(found.result.value[0]), found.interval, run.items.task
    undefined = metric.reason(found.result.risk, task) if np.isnan(value) else ""
    order = ", to first order" if tangled(metric, run) and not tried(run) else ""
    allowed = f"the interval allows for {worst(task.kind)}{order}"
    noted = remarks(metric, run, waiting, undefined and f"undefined: {undefined}", allowed)
    few = blind_spot(metric, run) if narrowed(limits) else ""
    scale = metric.scale(problem.pool.size)
    return Estimate(
        metric.name,
        value * scale,
        found.variance * scale**2,
        replace(limits, low=limits.low * scale, high=limits.high * scale),
        len(run.items),
        found.method,
        joined(noted, warned(few), limits.note),
        about,
        undefined,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The numerical results for a scalar metric, without notes; a total is given as a share of what it counts over.

    Attributes:
        result: Value and its variance in factors.
        variance: Estimated sampling variance.
        interval: Limits.
        method: Key of the estimator, or "census".
    """

    result: Inference
    variance: float
    interval: Interval
    method: str


def _census(metric: Metric, run: Run, level: float, about: About) -> Outcome:
    """The outcome of a census: variance 0 and an interval of width 0, or the pool's own variance for future items.

    Where g is undefined, no label is left that could change it, and the limits are `nan` too.
    """
    result = exact(metric, run)
    value = float(result.value[0])
    if np.isnan(value):
        none = Interval(np.nan, np.nan, level, "none")
        variance = np.nan
        found = none if about == "pool" else nothing(Basis(value, variance, range=metric.range), level, "")
    elif about == "future":
        pool = of_pool(metric, everyone(run), HorvitzThompson(), result)
        variance, found = pool.variance, of_source(pool, level)
    else:
        variance, found = 0.0, Interval(value, value, level, "census")
    return Outcome(result, variance, found, "census")


def _sampled(metric: Metric, run: Run, method: Method, level: float, family: str, about: About) -> Outcome:
    """The outcome of a sample, for future items with the pool's own variance."""
    if all_asked(metric, run, method):
        run, method = counted_once(run, method)
        family = method.interval
    method, asked = method.speaking_of(metric, run.problem.pool), method
    if method is not asked and family == "posterior":
        family = method.interval
    result = infer(metric, run, method.estimator)
    variance, found = interval_of(metric, run, method, result, level, family)
    if about == "future" and not np.isnan(result.value[0]):
        pool = of_pool(metric, run, method.estimator, result)
        variance, found = variance + pool.variance, beyond(found, pool)
    return Outcome(result, variance, cautioned(found, metric, run), method.estimator.key)


def interval_of(
    metric: Metric, run: Run, method: Method, result: Inference, level: float, family: str
) -> tuple[float, Interval]:
    """(variance, interval), widened for missing answers; the whole range if the sample does not determine limits."""
    value = float(result.value[0])
    if np.isnan(value):
        return np.nan, nothing(Basis(value, np.nan, range=metric.range), level, "")
    if family == "anytime" and result.draws is None and not settled(metric, run, result).all():
        return float(variances_of(metric, result)[0]), anytime_interval(metric, run, method, value, level)
    variance, found = _fixed_time(metric, run, method, result, level, family)
    if run.responded.all():
        return variance, found
    ends = [
        _fixed_time(metric, answered, method, told, level, family)[1]
        for answered, told in extremes(metric, run, method.estimator, result)
        if not np.isnan(told.value[0])
    ]
    if ends and all(end.method == "census" for end in ends):  # only the missing answers are unknown
        found = replace(ends[0], method="bounds", note="")
    low = min([value, found.low, *(e.low for e in ends)])
    high = max([value, found.high, *(e.high for e in ends)])
    return variance, Interval(low, high, level, found.method, found.note)


def _fixed_time(
    metric: Metric, run: Run, method: Method, result: Inference, level: float, family: str
) -> tuple[float, Interval]:
    """(variance, interval) for a single look, with expected losses in place of missing answers."""
    value, variance = float(result.value[0]), float(variances_of(metric, result)[0])
    if result.draws is not None and (family in FROM_DRAWS or not metric.smooth):
        draws = result.draws[:, 0]
        before = prior_draws(metric, run.problem, method) if family == "anytime" else None
        basis = Basis(value, variance, range=metric.range, draws=draws, before=before, labels=run.speaking)
        found = interval(basis, level, family)
        return variance, found if metric.smooth else unlifted(found, draws, metric, result.risk)
    if settled(metric, run, result).all():
        return 0.0, Interval(value, value, level, "census", "every item whose label matters here has one")
    if unseen(metric, run):
        return np.nan, at_worst(metric, run, value, level)
    if not metric.smooth and np.isfinite(variance):
        assert isinstance(method.estimator, Linear)
        rng = np.random.default_rng([run.problem.seed, 2])
        spread, low, high = resampled(metric, run, method.estimator, result, level, rng)
        if spread > NOISE:  # otherwise no label showed a gap, and there is nothing to resample
            return spread, Interval(low, high, level, "resampled", f"the interval is resampled: {KINKED}")
    basis = grounded(metric, run, method, result).basis
    return basis.variance, averaged(interval(basis, level, family), metric, run, result.risk)


def at_worst(metric: Metric, run: Run, value: float, level: float) -> Interval:
    """Limits for a part of the pool without any asked item: the extremes over all labels that are not held, if they are few.

    Without this, the limits of a part with 100 of 103 items held were the whole range.
    """
    rest = left_open(metric, run)
    if rest is not None and (tried(rest) or not tangled(metric, rest)):
        by_count = HorvitzThompson()
        ends = extremes(metric, rest, by_count, infer(metric, rest, by_count))
        possible = [value, *(float(told.value[0]) for _, told in ends)]
        low, high = float(np.min(possible)), float(np.max(possible))
        # If the metric is undefined for labels that were tried, its extremes over the other labels are unknown.
        if ends and np.isfinite([low, high]).all() and (low, high) != metric.range:
            return Interval(low, high, level, "bounds", UNSEEN)
    return nothing(Basis(value, np.nan, range=metric.range), level, UNSEEN)


def unlifted(found: Interval, draws: Floats, metric: Metric, risk: Floats) -> Interval:
    """Posterior limits of a metric with kinks, widened to those of `kinked`, since noise biases every draw upwards.

    With calibrated scores, whose gaps are all 0, every draw is larger than the truth: without this, the limits covered
    it in no study.
    """
    centre = float(metric.value(risk)[0])
    low, high = kinked(draws[np.isfinite(draws)], centre, found.level, metric.range)
    wider = replace(found, low=min(low, found.low), high=max(high, found.high))
    return replace(wider, note=joined(found.note, KINKED))


def cautioned(found: Interval, metric: Metric, run: Run) -> Interval:
    """The interval, with a warning if it is Yilmaz's Beta interval and rests on few positives."""
    if found.method != "beta" or not metric.needs_positives or run.items.task.kind != "binary":
        return found
    known = positives(run)
    if known >= FEW:
        return found
    warning = (
        f"Beta intervals are known to be too narrow with few positives, here {known}; choose Korn–Graubard"
    )
    return replace(found, note=joined(found.note, warning))


def _unknown(
    metric: Metric, problem: Problem, level: float, method: Method, note: str, labels: int, about: About
) -> Estimate:
    """An estimate of `nan` with the whole range as interval, and the reason as its note."""
    whole = Interval(*metric.ends(problem.pool.size), level, "none", note)
    return Estimate(metric.name, np.nan, np.nan, whole, labels, method.estimator.key, note, about)
