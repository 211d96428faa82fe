"""Limits of a scalar metric from a sample, widened for missing answers, kinks and parts without labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.designs import Design
from sampleval.designs.streams import LIMITS, stream
from sampleval.estimators import HorvitzThompson, Inference, extremes, infer, tangled, tried
from sampleval.estimators.resampling import kinked_limits, resampled
from sampleval.intervals import (
    NOISE,
    Basis,
    Interval,
    interval,
    joined,
    joined_limits,
    nothing,
    possible_variance,
)
from sampleval.metrics import between_parts
from sampleval.study.conclusions.answerable import UNSEEN, unseen
from sampleval.study.conclusions.anytime import anytime_interval, prior_draws
from sampleval.study.conclusions.class_means import widened_for_classes
from sampleval.study.conclusions.settling import SETTLED, left_open, settled
from sampleval.study.conclusions.too_few import FEW, lopsided, may_be_too_narrow, positives
from sampleval.study.conclusions.variances import grounded, variances_of

KINKED = "gaps that arise by chance never cancel, so that with few labels the value is too high; the limits allow for this"
FROM_DRAWS = ("posterior", "anytime")  # families that prefer posterior draws to a variance


def interval_of(result: Inference, design: Design, level: float, family: str) -> tuple[float, Interval]:
    """(variance, interval), widened for missing answers; the whole range if the sample does not determine limits."""
    value = float(result.value[0])
    if np.isnan(value):
        return np.nan, nothing(result.metric.range, level, "")
    if family == "anytime" and result.draws is None and not settled(result).all():
        return float(variances_of(result)[0]), anytime_interval(result, design, level)
    variance, found = _fixed_time(result, design, level, family)
    if result.run.responded.all():
        return variance, found
    extreme = [end for end in extremes(result) if not np.isnan(end.value[0])]
    ends = [_fixed_time(end, design, level, family)[1] for end in extreme]
    if ends and all(end.method == "census" for end in ends):  # only the missing answers are unknown
        found = replace(ends[0], method="bounds", note="")
    low = min([value, found.low, *(e.low for e in ends)])
    high = max([value, found.high, *(e.high for e in ends)])
    # Missing labels that move it by rounding errors alone do not tell two systems apart.
    if possible_variance(np.array((high - low) ** 2), np.array(value), result.metric.range) == 0:
        low = high = value
    return variance, Interval(low, high, level, found.method, found.note)


def _fixed_time(result: Inference, design: Design, level: float, family: str) -> tuple[float, Interval]:
    """(variance, interval) for a single look, with expected losses in place of missing answers."""
    metric, run = result.metric, result.run
    value, variance = float(result.value[0]), float(variances_of(result)[0])
    if result.draws is not None and (family in FROM_DRAWS or not metric.smooth):
        draws = result.draws[:, 0]
        before = prior_draws(metric, run.problem, result.estimator) if family == "anytime" else None
        basis = Basis(
            value, variance, range=metric.range, draws=draws, before=before, labels=run.random_labels
        )
        found = interval(basis, level, family)
        return variance, found if metric.smooth else unlifted(found, result)
    if variance == 0 and settled(result).all():
        return 0.0, Interval(value, value, level, "census", SETTLED)
    if unseen(metric, run):
        return np.nan, at_worst(result, level)
    if not metric.smooth and np.isfinite(variance):
        spread, low, high = resampled(result, level, stream(run.problem.seed, LIMITS))
        if spread > NOISE:  # otherwise no label showed a gap, and there is nothing to resample
            return spread, Interval(low, high, level, "resampled", f"the interval is resampled: {KINKED}")
    basis = grounded(result, design).basis
    if metric.terms and between_parts(run.problem.pool, metric):
        return basis.variance, of_parts(result, design, level, family)
    return basis.variance, widened_for_classes(interval(basis, level, family), result)


def of_parts(result: Inference, design: Design, level: float, family: str) -> Interval:
    """Limits of a difference between parts of the pool without common items, from the limits of both.

    The labels of a small part may all be alike. From the difference's own variance, which the other part then makes up, its
    limits held in as few as .36 of studies of 60 labels.
    """
    terms = [infer(term, result.run, result.estimator) for term in result.metric.terms]
    first, second = (_fixed_time(term, design, level, family)[1] for term in terms)
    minuend, subtrahend = (float(term.value[0]) for term in terms)
    moved = replace(first, low=first.low - subtrahend, high=first.high - subtrahend)
    below, above = second.high - subtrahend, subtrahend - second.low
    found = joined_limits(moved, minuend - subtrahend, below, above, result.metric.range)
    known = second if first.method == "census" else first
    value = float(result.value[0])  # the terms' own values are cut at the ends of their ranges
    low, high, note = min(found.low, value), max(found.high, value), joined(first.note, second.note)
    if np.isnan([low, high]).any():  # one of the parts has no value of its own
        return nothing(result.metric.range, level, note)
    return replace(found, low=low, high=high, method=known.method, note=note)


def at_worst(result: Inference, level: float) -> Interval:
    """Limits for a part of the pool without any asked item: the extremes over all labels that are not held, if they are few.

    Without this, the limits of a part with 100 of 103 items held were the whole range.
    """
    metric, value = result.metric, float(result.value[0])
    rest = left_open(metric, result.run)
    if rest is not None and (tried(rest) or not tangled(metric, rest)):
        ends = extremes(infer(metric, rest, HorvitzThompson()))
        possible = [value, *(float(end.value[0]) for end in ends)]
        low, high = float(np.min(possible)), float(np.max(possible))
        # If the metric is undefined for labels that were tried, its extremes over the other labels are unknown.
        if ends and np.isfinite([low, high]).all() and (low, high) != metric.range:
            return Interval(low, high, level, "bounds", UNSEEN)
    return nothing(metric.range, level, UNSEEN)


def unlifted(found: Interval, result: Inference) -> Interval:
    """Posterior limits of a metric with kinks, widened to those of `kinked_limits`, since noise biases every draw upwards.

    With calibrated scores, whose gaps are all 0, every draw is larger than the truth: without this, the limits covered
    it in no study.
    """
    assert result.draws is not None
    metric, draws = result.metric, result.draws[np.isfinite(result.draws)]
    low, high = kinked_limits(draws, float(metric.value(result.risk)[0]), found.level, metric.range)
    wider = replace(found, low=min(low, found.low), high=max(high, found.high))
    return replace(wider, note=joined(found.note, KINKED))


def cautioned(found: Interval, result: Inference, leaning: str) -> Interval:
    """The interval, with a warning if it rests on few large errors, few labels or, as Yilmaz's Beta interval, few positives.

    `leaning` is what `lone_voices` says of it.
    """
    if may_be_too_narrow(found) and found.method not in ("bounds", "resampled"):
        found = replace(found, note=joined(found.note, lopsided(result), leaning))
    if found.method != "beta" or not result.metric.needs_positives or result.run.items.task.kind != "binary":
        return found
    known = positives(result.run)
    if known >= FEW:
        return found
    warning = (
        f"Beta intervals are known to be too narrow with few positives, here {known}; choose Korn–Graubard"
    )
    return replace(found, note=joined(found.note, warning))
