"""Resampling for g without a derivative: values of g at means drawn around R̂ with the estimated covariance of R̂."""

from __future__ import annotations

import numpy as np

from sampleval.estimators.inference import Inference, values_at
from sampleval.metrics import Metric
from sampleval.pool import Floats

DRAWS = 1000
SURE = 2.0  # a component further than so many standard errors from 0 is not noise alone


def resampled(result: Inference, level: float, rng: np.random.Generator) -> tuple[float, float, float]:
    """(variance, low, high) from values of G at means drawn around R̂ (multiplier bootstrap).

    Each draw is R̂ + Σ ξ_j F_j with independent standard normal ξ, F the factor of the covariance of R̂. For a metric
    such as |·|, noise biases both the draws and the estimate upwards, by an amount that depends on how near the truth
    is to a kink. The limits allow for anything between all of this bias and none: they cover the basic interval
    (2Ĝ − G*), the interval of draws centred on Ĝ, and Ĝ. A component of R̂ within two standard errors of 0 may be
    nothing but noise, so the limits also cover the basic interval with all such components set to 0. With calibrated
    scores all of them are noise. In a difference of gaps, the noise of the subtracted one affects the upper limit.
    """
    metric, left = result.metric, result.residuals
    assert left is not None
    # For two classes, post-stratified cells tell what is not shown of G, not of R.
    unshown = result.run.items.task.kind != "binary"
    factor = left.covariance(np.eye(len(result.risk)), unshown=unshown).root
    noise = rng.normal(size=(DRAWS, len(factor))) @ factor
    values = _drawn(metric, result.risk, noise)
    low, high = kinked_limits(values, float(result.value[0]), level, metric.range)
    error = np.sqrt((factor**2).sum(axis=0))
    sure = (np.abs(result.risk) > SURE * error) | (error == 0)
    calm = np.where(sure, result.risk, 0.0)
    ends = np.quantile(_drawn(metric, calm, noise * sure), [(1 + level) / 2, (1 - level) / 2])
    least, most = np.clip(2 * metric.value(calm)[0] - ends, *metric.range)
    return float(values.var()), float(np.fmin(low, least)), float(np.fmax(high, most))


def _drawn(metric: Metric, risk: Floats, noise: Floats) -> Floats:
    """The defined values of G at R + noise, (J, d) to (≤ J,); a single `nan` if there are none."""
    values = values_at(metric, risk + noise)[:, 0]
    defined = values[np.isfinite(values)]
    return defined if len(defined) else np.array([np.nan])


def kinked_limits(
    values: Floats, centre: float, level: float, range: tuple[float, float]
) -> tuple[float, float]:
    """Limits around an estimate Ĝ from draws of G, (J,), that noise biases by an unknown amount, see `resampled`."""
    tails = (1 - level) / 2, (1 + level) / 2
    ends = np.quantile([2 * centre - values, values - values.mean() + centre], tails, axis=1)
    low, high = np.clip([min(*ends[0], centre), max(*ends[1], centre)], *range)
    return float(low), float(high)
