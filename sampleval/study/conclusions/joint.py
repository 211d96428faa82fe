"""Estimates of vector metrics: bands around curves, regions, tables by class."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sampleval import _checks
from sampleval.designs import Draws, Problem
from sampleval.estimators import Inference, Run, Spread, infer
from sampleval.intervals import Ellipsoid, joined
from sampleval.metrics import Metric, told_by_outputs
from sampleval.numerals import many
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.study.conclusions.answerable import UNASKED, UNSEEN, unanswerable, unseen
from sampleval.study.conclusions.census import exact, inferred, is_census
from sampleval.study.conclusions.joint_limits import joint_limits, missing_effects
from sampleval.study.conclusions.rare_classes import Limits
from sampleval.study.conclusions.remarks import remarks, worst
from sampleval.study.conclusions.too_few import blind_spot, warned
from sampleval.study.conclusions.variances import variances_of


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
        missing_effects: How far missing answers could change the components, down and up, (2, m).
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
    spread: Spread = field(default_factory=lambda: Spread.unknown(1))
    draws: int = 0
    missing_effects: Floats = field(default_factory=lambda: np.zeros((2, 1)))

    def __repr__(self) -> str:
        told = f"{self.metric}, {many(len(self.value), 'component')}, {many(self.labels, 'answer')}"
        return f"<{type(self).__name__} {told}{self.note and f'; {self.note}'}>"

    def ellipsoid(self, level: float | None = None) -> Ellipsoid:
        """The simultaneous confidence region of all components (M 3.3.2), for up to 20 of them.

        Args:
            level: Coverage, in (0, 1); that of the limits by default.

        Raises:
            InputError: More than 20 components, or an unknown covariance.
        """
        wide = len(self.value) > 20
        if wide or not np.isfinite(self.spread.covariance).all():
            why = "too many components; use the bands" if wide else self.note
            raise _checks.InputError(f"{self.metric!r} has no ellipsoid: {why}")
        level = self.level if level is None else _checks.level(level)
        return Ellipsoid(self.value, self.spread.covariance, self.draws, level, *self.missing_effects)


def conclude_jointly(
    metric: Metric, run: Run | None, problem: Problem, method: Method, *, level: float, waiting: int
) -> JointEstimate:
    """A vector estimate with pointwise and simultaneous limits, from an answered run.

    The limits come from the estimator's posterior if it has one. Otherwise they are Korn–Graubard limits on a finite
    range and Student's t limits on an infinite one. If a component shows no variation, the effective size that the belief
    predicts for this number of labels stands in, as for a scalar metric. The metric may be any, `level` is the nominal
    coverage, and the other arguments are those of `conclude`.
    """
    labels, by_outputs = 0 if run is None else len(run.items), told_by_outputs(problem.pool, metric)
    if by_outputs is not None:
        return _unasked(metric, by_outputs, labels, problem, level)
    method = method.concluding_on(metric, problem.pool)
    why = unanswerable(metric, run, problem, method)
    if why or run is None:
        return _unknown(metric, labels, problem, method, level, why)
    if is_census(metric, run, method):
        return _noted(metric, _by_census(metric, run), level, waiting)
    if unseen(metric, run):
        note = joined(remarks(metric, run, waiting, "", "the limits are the whole possible range"), UNSEEN)
        value = infer(metric, run, method.estimator).value * metric.scale(problem.pool.size)
        return replace(_unknown(metric, labels, problem, method, level, note), value=value)
    return _noted(metric, _by_sample(*inferred(metric, run, method), level), level, waiting)


def _unasked(metric: Metric, share: Floats, labels: int, problem: Problem, level: float) -> JointEstimate:
    """The exact values of a metric that needs no label."""
    value, none = share * metric.scale(problem.pool.size), np.zeros_like(share)
    return JointEstimate(
        metric.name,
        metric.components(problem.pool.task),
        value,
        none,
        *(value, value, value, value),
        level,
        labels,
        "census",
        UNASKED,
        Spread(none[None], none),
        missing_effects=np.zeros((2, len(share))),
    )


def _unknown(
    metric: Metric, labels: int, problem: Problem, method: Method, level: float, why: str
) -> JointEstimate:
    """An estimate of `nan` with the whole range as limits, and the reason as its note."""
    outputs = metric.components(problem.pool.task)
    none, low, high = (np.full(len(outputs), end) for end in (np.nan, *metric.ends(problem.pool.size)))
    name = method.estimator.key
    return JointEstimate(metric.name, outputs, none, none, low, high, low, high, level, labels, name, why)


class JointOutcome(NamedTuple):
    """The numbers about a vector metric and the run that they are from; those of a total are shares of what it counts over."""

    run: Run
    result: Inference
    variance: Floats
    pointwise: Limits
    band: Limits
    missing: Floats
    method: str


def _by_census(metric: Metric, run: Run) -> JointOutcome:
    """Variances 0 and limits of width 0."""
    result = exact(metric, run)
    value, none = result.value, np.zeros_like(result.value)
    return JointOutcome(run, result, none, (value, value), (value, value), np.stack([none, none]), "census")


def _by_sample(result: Inference, method: Method, level: float) -> JointOutcome:
    """What the sample tells."""
    missing = missing_effects(result)
    pointwise, band = joint_limits(result, method.design, level, missing)
    variance = variances_of(result)
    return JointOutcome(result.run, result, variance, pointwise, band, missing, method.estimator.key)


def _noted(metric: Metric, outcome: JointOutcome, level: float, waiting: int) -> JointEstimate:
    """The estimate that an outcome is, in the unit of the metric and with its notes."""
    run, result = outcome.run, outcome.result
    scale, task = metric.scale(run.problem.pool.size), run.items.task
    some = np.isnan(result.value).any()
    undefined = f"some parts are undefined: {metric.reason(result.risk, task)}" if some else ""
    allowed = f"the limits allow for {worst(task.kind)}, to first order"
    (low, high), (band_low, band_high) = outcome.pointwise, outcome.band
    few = "" if outcome.method == "census" else blind_spot(metric, run)
    return JointEstimate(
        metric.name,
        metric.components(task),
        result.value * scale,
        outcome.variance * scale**2,
        low * scale,
        high * scale,
        band_low * scale,
        band_high * scale,
        level,
        len(run.items),
        outcome.method,
        joined(remarks(metric, run, waiting, undefined, allowed), warned(few)),
        result.spread.scaled(scale),
        int(run.sample.draws) if isinstance(run.sample, Draws) else len(run.items),
        outcome.missing * scale,
    )
