"""Estimates of vector metrics: bands around curves, regions, tables by class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from sampleval import _checks
from sampleval.designs import Draws, Problem
from sampleval.estimators import Inference, Linear, Run, Spread, infer, weighted_mean
from sampleval.intervals import (
    Ellipsoid,
    doubt,
    effective_size,
    joined,
    limits,
    posterior_limits,
    quantile,
    simultaneous_level,
    standing_in,
)
from sampleval.metrics import Metric, effects, finite
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNSEEN, unanswerable, unseen
from sampleval.study.conclusions.census import exact, is_census
from sampleval.study.conclusions.off_target import blind_spot, warned
from sampleval.study.conclusions.rare_classes import Limits, wary
from sampleval.study.conclusions.remarks import remarks, worst
from sampleval.study.conclusions.settling import all_asked, as_if_answered, counted_once, settled
from sampleval.study.conclusions.variances import at_most, grounded, variances_of
from sampleval.surrogates import expected_loss, option_effects


@dataclass(frozen=True, slots=True, eq=False)
class JointEstimate:
    """An estimate of a vector metric.

    Attributes:
        metric: Its name.
        outputs: Names of its m components.
        value: Estimated values, (m,); `nan` where the labels do not determine one.
        variance: Estimated sampling variances, (m,).
        low: Lower limits, component by component, (m,).
        high: Upper limits, (m,).
        band_low: Lower limits that hold for all components at once, (m,).
        band_high: Upper limits that hold for all components at once, (m,).
        level: Nominal coverage of each pair of limits.
        labels: Number of answers that it rests on.
        method: Key of the estimator, or "census".
        note: Remarks on the estimate, in words.
        spread: Covariance of the values, in factors.
        draws: Number of draws, or of labels, that the estimate rests on: J of the ellipsoid.
        moved: How far missing answers could change the components, down and up, (2, m).
    """

    metric: str
    outputs: tuple[str, ...]
    value: Floats
    variance: Floats
    low: Floats
    high: Floats
    band_low: Floats
    band_high: Floats
    level: float
    labels: int
    method: str
    note: str = ""
    spread: Spread = field(default_factory=lambda: Spread.unknown(1), repr=False)
    draws: int = 0
    moved: Floats = field(default_factory=lambda: np.zeros((2, 1)), repr=False)

    def ellipsoid(self, level: float | None = None) -> Ellipsoid:
        """The simultaneous confidence region of all components (M 3.3.2), for up to 20 of them.

        Args:
            level: Coverage, in (0, 1); that of the limits by default.
        """
        if len(self.value) > 20 or not np.isfinite(self.spread.covariance).all():
            raise _checks.InputError(
                f"{self.metric!r} has no ellipsoid: {self.note or 'too many components; use the bands'}"
            )
        level = self.level if level is None else _checks.level(level)
        return Ellipsoid(self.value, self.spread.covariance, self.draws, level, *self.moved)


def conclude_jointly(
    metric: Metric, run: Run | None, problem: Problem, method: Method, *, level: float, waiting: int = 0
) -> JointEstimate:
    """A vector estimate with pointwise and simultaneous limits, from an answered run.

    The limits come from the estimator's posterior if it has one. Otherwise they are Korn–Graubard limits on a finite
    range and Student's t limits on an infinite one. If a component shows no variation, the effective size that the belief
    predicts for this number of labels stands in, as for a scalar metric.

    Args:
        metric: Any metric.
        run: The answered run; `None` before the first answer.
        problem: What the sample was drawn for.
        method: The design, estimator and interval.
        level: Nominal coverage.
        waiting: Number of answers given out of order that wait for items before them.
    """
    method = method.speaking_of(metric, problem.pool)
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        return _unknown(metric, problem, level, method, unknown, 0 if run is None else len(run.items))
    whole = is_census(metric, run, method)
    if not whole and unseen(metric, run):
        said = joined(remarks(metric, run, waiting, "", "the limits are the whole possible range"), UNSEEN)
        nothing = _unknown(metric, problem, level, method, said, len(run.items))
        value = infer(metric, run, method.estimator).value * metric.scale(problem.pool.size)
        return replace(nothing, value=value)
    found = _census(metric, run) if whole else _sampled(metric, run, method, level)
    run, result, scale = found.run, found.result, metric.scale(problem.pool.size)
    some = np.isnan(result.value).any()
    undefined = f"some parts are undefined: {metric.reason(result.risk, run.items.task)}" if some else ""
    allowed = f"the limits allow for {worst(problem.pool.task.kind)}, to first order"
    return JointEstimate(
        metric.name,
        metric.components(problem.pool.task),
        result.value * scale,
        found.variance * scale**2,
        found.pointwise[0] * scale,
        found.pointwise[1] * scale,
        found.band[0] * scale,
        found.band[1] * scale,
        level,
        len(run.items),
        found.method,
        joined(remarks(metric, run, waiting, undefined, allowed), found.few),
        Spread(result.spread.factor * scale, result.spread.minus * scale),
        int(run.sample.draws) if isinstance(run.sample, Draws) else len(run.items),
        found.moved * scale,
    )


@dataclass(frozen=True, slots=True, eq=False)
class JointOutcome:
    """The numerical results for a vector metric, without notes; totals are given as shares of what they count over.

    Attributes:
        run: The run, with each item counted once if all are asked.
        result: Values and their covariance.
        variance: Estimated sampling variances, (m,).
        pointwise: Limits of each component.
        band: Limits that hold for all components at once.
        moved: How far missing answers could change the components, down and up, (2, m).
        method: Key of the estimator, or "census".
        few: Warning if there are too few labels of some kind, otherwise "".
    """

    run: Run
    result: Inference
    variance: Floats
    pointwise: Limits
    band: Limits
    moved: Floats
    method: str
    few: str = ""


def _census(metric: Metric, run: Run) -> JointOutcome:
    """The outcome of a census: variances of 0 and limits of width 0."""
    result = exact(metric, run)
    value, none = result.value, np.zeros_like(result.value)
    return JointOutcome(
        run, result, none, (value, value), (value, value), np.zeros((2, len(value))), "census"
    )


def _sampled(metric: Metric, run: Run, method: Method, level: float) -> JointOutcome:
    """The outcome of a sample."""
    if all_asked(metric, run, method):
        run, method = counted_once(run, method)
    result = infer(metric, run, method.estimator)
    moved = _silent(metric, run, method, result)
    pointwise, band, variance = _limits(metric, run, method, result, level, moved)
    few = warned(blind_spot(metric, run))
    return JointOutcome(run, result, variance, pointwise, band, moved, method.estimator.key, few)


def _unknown(
    metric: Metric, problem: Problem, level: float, method: Method, note: str, labels: int
) -> JointEstimate:
    """An estimate of `nan` with the whole range as limits, and the reason as its note."""
    outputs = metric.components(problem.pool.task)
    none, low, high = (np.full(len(outputs), end) for end in (np.nan, *metric.ends(problem.pool.size)))
    name = method.estimator.key
    return JointEstimate(metric.name, outputs, none, none, low, high, low, high, level, labels, name, note)


def _limits(
    metric: Metric, run: Run, method: Method, found: Inference, level: float, moved: Floats
) -> tuple[Limits, Limits, Floats]:
    """Pointwise limits, simultaneous limits, and the variance of each component."""
    variance = variances_of(metric, found)
    bottom, top = metric.range
    # A component that varies by rounding errors alone would count as one more in the simultaneous level.
    factor = np.where(variance > 0, np.nan_to_num(found.spread.root), 0.0)
    joint = simultaneous_level(factor, level, np.random.default_rng([run.problem.seed, 3]))
    at = (
        _from_draws(metric, run, found)
        if found.draws is not None
        else _from_sizes(metric, run, method, found)
    )
    at = wary(metric, run, method, found.value, at)
    below, above = moved
    pointwise, band = (
        (np.clip(low + below, bottom, top), np.clip(high + above, bottom, top))
        for low, high in (at(level), at(joint))
    )
    return pointwise, band, variance


def _from_draws(metric: Metric, run: Run, found: Inference) -> Callable[[float], Limits]:
    """Function from a level to posterior limits of each component; the whole range if its value is undefined."""
    known, (bottom, top) = np.isfinite(found.value), metric.range
    draws, value = np.where(known, np.asarray(found.draws), 0.0), np.where(known, found.value, 0.0)

    def at(level: float) -> Limits:
        low, high = posterior_limits(draws, value, run.speaking, level, metric.range)
        return np.where(known, low, bottom), np.where(known, high, top)

    return at


def _from_sizes(metric: Metric, run: Run, method: Method, found: Inference) -> Callable[[float], Limits]:
    """Function from a level to Korn–Graubard limits of each component at its effective size, Student's t if unbounded."""
    known, (bottom, top) = grounded(metric, run, method, found), metric.range
    # The effect of missing answers is added to these limits later: here their expected losses are used.
    most = at_most(metric, run)
    fixed, width = settled(metric, as_if_answered(run), found), top - bottom

    def shares(level: float) -> Limits:
        p = np.clip((known.value - bottom) / width, 0.0, 1.0)
        own = effective_size(p, known.variance / width**2 * doubt(level, known.degrees))
        predicted = (known.predicted - bottom) / width
        size, _ = standing_in(own, predicted, known.anticipated / width**2, known.telling)
        low, high = (bottom + width * end for end in limits(p, size, level))
        high = np.fmax(np.fmin(high, most), known.value)
        return np.where(fixed, known.value, low), np.where(fixed, known.value, high)

    def normal(level: float) -> Limits:
        wide = np.where(known.variance > 0, known.variance, known.anticipated)
        half = quantile(level, known.degrees) * np.sqrt(np.where(fixed, 0.0, wide))
        low, high = (np.nan_to_num(known.value + side * half, nan=side * np.inf) for side in (-1, 1))
        return low, high

    return shares if np.isfinite(width) else normal


def _silent(metric: Metric, run: Run, method: Method, found: Inference) -> Floats:
    """How far the worst labels of unanswered items could change each component, down and up, to first order, (2, m)."""
    silent = np.flatnonzero(~run.responded)
    if not len(silent):
        return np.zeros((2, len(found.value)))
    jacobian, items, belief = (
        finite(metric.gradient(found.risk)),
        run.items.take(silent),
        run.belief.take(silent),
    )
    standing = effects(expected_loss(metric, items, belief), jacobian)
    each = option_effects(metric, items, belief, jacobian)
    moved = []
    for end in (each.min(axis=1).sum(axis=0), each.max(axis=1).sum(axis=0)):
        change = np.zeros((len(run.items), standing.shape[1]))
        change[silent] = end - standing
        if isinstance(method.estimator, Linear):
            moved.append(
                weighted_mean(method.estimator, run.sample, change) * run.sample.population / run.population
            )
        else:
            moved.append(change.sum(axis=0) / run.population)
    return np.array(moved)
