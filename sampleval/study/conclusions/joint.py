"""What a study concludes about a metric of several components: bands around curves, regions, tables by class."""

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
        value: Estimated values, (m,); `nan` where the labels cannot tell.
        variance: Estimated sampling variances, (m,).
        low: Lower limits, component by component, (m,).
        high: Upper limits, (m,).
        band_low: Lower limits that hold for all components at once, (m,).
        band_high: Upper limits that do, (m,).
        level: Coverage aimed at by each pair of limits.
        labels: Answers it rests on.
        method: The estimator.
        note: What to know about it, in words.
        spread: Its covariance, in factors.
        draws: Draws, or labels, that the estimate rests on: J of the ellipsoid.
        moved: How far answers not given could move the components, down and up, (2, m).
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
        """The region that holds all components at once (M 3.3.2), for few components.

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

    An estimator's posterior gives the limits where there is one. Otherwise they are Korn–Graubard's on a finite range
    and Student's on an infinite one. Where a component shows no variation, the effective size that the belief predicts
    for this many labels stands in, as for a scalar metric.

    Args:
        metric: Any metric.
        run: The answered run; `None` before the first answer.
        problem: What the sample was drawn for.
        method: How it was drawn and is weighed.
        level: Coverage to aim at.
        waiting: Answers given out of order that wait for the gaps before them.
    """
    method = method.speaking_of(metric, problem.pool)
    unknown = unanswerable(metric, run, problem, method)
    if unknown or run is None:
        return _unknown(metric, problem, level, method, unknown, 0 if run is None else len(run.items))
    whole = is_census(metric, run, method)
    if not whole and unseen(metric, run):
        said = joined(remarks(metric, run, waiting, "", "the limits are all that is possible"), UNSEEN)
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
    """What a run says of a vector metric, before any words; of totals as shares of what they count over.

    Attributes:
        run: The run, each item counted once where all are asked.
        result: Values and spread.
        variance: Estimated sampling variances, (m,).
        pointwise: Limits of each component.
        band: Those that hold for all at once.
        moved: How far answers not given could move the components, down and up, (2, m).
        method: The estimator, or "census".
        few: What the labels are too few to tell of, "" if nothing.
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
    """No variance and limits of width 0."""
    result = exact(metric, run)
    value, none = result.value, np.zeros_like(result.value)
    return JointOutcome(
        run, result, none, (value, value), (value, value), np.zeros((2, len(value))), "census"
    )


def _sampled(metric: Metric, run: Run, method: Method, level: float) -> JointOutcome:
    """What the method makes of a sample."""
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
    """An estimate that says nothing but why."""
    outputs = metric.components(problem.pool.task)
    none, low, high = (np.full(len(outputs), end) for end in (np.nan, *metric.ends(problem.pool.size)))
    name = method.estimator.key
    return JointEstimate(metric.name, outputs, none, none, low, high, low, high, level, labels, name, note)


def _limits(
    metric: Metric, run: Run, method: Method, found: Inference, level: float, moved: Floats
) -> tuple[Limits, Limits, Floats]:
    """Pointwise limits, simultaneous ones, and the variance of each component."""
    variance = variances_of(metric, found)
    bottom, top = metric.range
    # What varies by rounding alone would count as one more component that moves.
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
    """Each component's limits as a scalar's, the whole range where most draws leave it undefined."""
    known, (bottom, top) = np.isfinite(found.value), metric.range
    draws, value = np.where(known, np.asarray(found.draws), 0.0), np.where(known, found.value, 0.0)

    def at(level: float) -> Limits:
        low, high = posterior_limits(draws, value, run.speaking, level, metric.range)
        return np.where(known, low, bottom), np.where(known, high, top)

    return at


def _from_sizes(metric: Metric, run: Run, method: Method, found: Inference) -> Callable[[float], Limits]:
    """Korn–Graubard limits at each component's effective size, Student's on an infinite range."""
    known, (bottom, top) = grounded(metric, run, method, found), metric.range
    # What answers not given could move is added to these limits: here they are taken as they are believed.
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
    """How far the worst labels of unanswered items could move each component, down and up, to first order, (2, m)."""
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
