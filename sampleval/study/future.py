"""From this pool to the source it was drawn from: the pool's own sampling variance, and limits that allow for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.estimators import Estimator, Linear
from sampleval.estimators.inference import Inference, Run
from sampleval.intervals import Basis, Interval, interval
from sampleval.metrics import Metric, effects, finite
from sampleval.surrogates import moments


def pool_variance(metric: Metric, run: Run, estimator: Estimator, result: Inference) -> float:
    """Var d / N: how far the pool itself may be from the source it was drawn from."""
    if not isinstance(estimator, Linear):
        items, belief = run.problem.pool.items, run.problem.believe(run.said)
        return float(moments(metric, items, belief, risk=result.risk).square.mean()) / run.population
    effect = effects(metric.loss(run.items, run.labels), finite(metric.gradient(result.risk)))
    return float(estimator.mean(run.sample, effect**2)[0]) / run.population


def beyond(found: Interval, pool: Basis) -> Interval:
    """Limits for the source: distances of the pool's limits and of a census's from the estimate, √(a² + b²) (MOVER).

    Zou & Donner 2008: so any interval can take in the pool's own variance, however it was made.
    """
    if pool.variance == 0:
        return found
    census = interval(pool, found.level, "korn-graubard")
    low = pool.value - np.hypot(pool.value - found.low, pool.value - census.low)
    high = pool.value + np.hypot(found.high - pool.value, census.high - pool.value)
    low, high = np.clip([low, high], *pool.range)
    return replace(found, low=float(low), high=float(high))
