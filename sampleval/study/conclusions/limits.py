"""Limits of a scalar metric from a sample, widened for missing answers, kinks and parts without labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Problem
from sampleval.designs.streams import LIMITS, stream
from sampleval.estimators import HorvitzThompson, Inference, Linear, Run, extremes, infer, tangled, tried
from sampleval.estimators.resampling import kinked, resampled
from sampleval.intervals import NOISE, Basis, Interval, interval, joined, joined_limits, nothing
from sampleval.metrics import Metric, between_parts
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNSEEN, unseen
from sampleval.study.conclusions.anytime import anytime_interval, prior_draws
from sampleval.study.conclusions.rare_classes import averaged
from sampleval.study.conclusions.settling import left_open, settled
from sampleval.study.conclusions.too_few import FEW, positives
from sampleval.study.conclusions.variances import grounded, variances_of

KINKED = "gaps that arise by chance never cancel, so that with few labels the value is too high; the limits allow for this"
FROM_DRAWS = ("posterior", "anytime")  # families that prefer posterior draws to a variance


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
        basis = Basis(
            value, variance, range=metric.range, draws=draws, before=before, labels=run.random_labels
        )
        found = interval(basis, level, family)
        return variance, found if metric.smooth else unlifted(found, draws, metric, result.risk)
    if settled(metric, run, result).all():
        return 0.0, Interval(value, value, level, "census", "every item whose label matters here has one")
    if unseen(metric, run):
        return np.nan, at_worst(metric, run, value, level)
    if not metric.smooth and np.isfinite(variance):
        assert isinstance(method.estimator, Linear)
        rng = stream(run.problem.seed, LIMITS)
        spread, low, high = resampled(metric, run, method.estimator, result, level, rng)
        if spread > NOISE:  # otherwise no label showed a gap, and there is nothing to resample
            return spread, Interval(low, high, level, "resampled", f"the interval is resampled: {KINKED}")
    basis = grounded(metric, run, method, result).basis
    if disjoint(metric, run.problem):
        return basis.variance, of_parts(metric, run, method, level, family)
    return basis.variance, averaged(interval(basis, level, family), metric, run, method, result)


def disjoint(metric: Metric, problem: Problem) -> bool:
    """`between_parts` in the pool, found out once."""
    return bool(metric.terms) and problem.once(
        (metric, "disjoint"), lambda: between_parts(metric, problem.pool.items)
    )


def of_parts(metric: Metric, run: Run, method: Method, level: float, family: str) -> Interval:
    """Limits of a difference between parts of the pool without common items, from the limits of both.

    The labels of a small part may all be alike. From the difference's own variance, which the other part then makes up, its
    limits held in as few as .36 of studies of 60 labels.
    """
    results = [infer(term, run, method.estimator) for term in metric.terms]
    first, second = (
        _fixed_time(term, run, method, result, level, family)[1]
        for term, result in zip(metric.terms, results, strict=True)
    )
    minuend, subtrahend = (float(result.value[0]) for result in results)
    moved = replace(first, low=first.low - subtrahend, high=first.high - subtrahend)
    below, above = second.high - subtrahend, subtrahend - second.low
    found = joined_limits(moved, minuend - subtrahend, below, above, metric.range)
    known = second if first.method == "census" else first
    return replace(found, method=known.method, note=joined(first.note, second.note))


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
