"""What the labels say of a metric in numbers, without notes: after a census and from a sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from sampleval.estimators import Inference, Run, infer
from sampleval.intervals import Basis, Interval, nothing
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.presets import Method
from sampleval.study.conclusions.census import exact
from sampleval.study.conclusions.future import About, beyond, of_pool, of_source
from sampleval.study.conclusions.joint_limits import joint_limits, missing_effects
from sampleval.study.conclusions.limits import cautioned, interval_of
from sampleval.study.conclusions.rare_classes import Limits
from sampleval.study.conclusions.reach import within_reach
from sampleval.study.conclusions.settling import all_asked, counted_once
from sampleval.study.conclusions.too_few import blind_spot, warned
from sampleval.study.conclusions.variances import variances_of


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

    @classmethod
    def of_census(cls, metric: Metric, run: Run, about: About, level: float) -> Outcome:
        """The outcome of a census: variance 0 and an interval of width 0, or the pool's own variance for future items.

        Where g is undefined, no label is left that could change it, and the limits are `nan` too.
        """
        result = exact(metric, run)
        value = float(result.value[0])
        if np.isnan(value):
            variance, found = np.nan, Interval(np.nan, np.nan, level, "none")
            if about == "future":
                found = nothing(Basis(value, variance, range=metric.range), level, "")
        elif about == "future":
            pool = of_pool(result)
            variance, found = pool.variance, of_source(pool, level)
        else:
            variance, found = 0.0, Interval(value, value, level, "census")
        return cls(result, variance, found, "census")

    @classmethod
    def of_sample(
        cls, metric: Metric, run: Run, method: Method, family: str, about: About
    ) -> Callable[[float], Outcome]:
        """The outcome of a sample by level, for future items with the pool's own variance."""
        if all_asked(metric, run, method):
            run, method = counted_once(run, method)
            family = method.interval
        used = method.concluding_on(metric, run.problem.pool)
        if used is not method and family == "posterior":
            family = used.interval
        return partial(cls._with_limits, infer(metric, run, used.estimator), used, family, about)

    @classmethod
    def _with_limits(
        cls, result: Inference, method: Method, family: str, about: About, level: float
    ) -> Outcome:
        variance, found = interval_of(result, method.design, level, family)
        if about == "future" and not np.isnan(result.value[0]):
            pool = of_pool(result)
            variance, found = variance + pool.variance, beyond(found, pool)
        if about == "pool":
            result, found = within_reach(result, found)
        return cls(result, variance, cautioned(found, result), method.estimator.key)


@dataclass(frozen=True, slots=True, eq=False)
class JointOutcome:
    """The numerical results for a vector metric, without notes; totals are given as shares of what they count over.

    Attributes:
        run: The run, with each item counted once if all are asked.
        result: Values and their covariance.
        variance: Estimated sampling variances, (m,).
        pointwise: Limits of each component.
        band: Limits that hold for all components at once.
        missing_effects: How far missing answers could change the components, down and up, (2, m).
        method: Key of the estimator, or "census".
        few: Warning if there are too few labels of some kind, otherwise "".
    """

    run: Run
    result: Inference
    variance: Floats
    pointwise: Limits
    band: Limits
    missing_effects: Floats
    method: str
    few: str = ""

    @classmethod
    def of_census(cls, metric: Metric, run: Run) -> JointOutcome:
        """The outcome of a census: variances of 0 and limits of width 0."""
        result = exact(metric, run)
        value, none = result.value, np.zeros_like(result.value)
        return cls(run, result, none, (value, value), (value, value), np.zeros((2, len(value))), "census")

    @classmethod
    def of_sample(cls, metric: Metric, run: Run, method: Method, level: float) -> JointOutcome:
        """The outcome of a sample."""
        if all_asked(metric, run, method):
            run, method = counted_once(run, method)
        result = infer(metric, run, method.estimator)
        missing = missing_effects(result)
        limits = joint_limits(result, method.design, level, missing)
        few = warned(blind_spot(metric, run))
        return cls(run, result, variances_of(result), *limits, missing, method.estimator.key, few)
