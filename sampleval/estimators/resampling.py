"""Resampling where g has no derivative: values of g at means drawn around R̂ with its own spread."""

from __future__ import annotations

import numpy as np

from sampleval.estimators.base import Linear
from sampleval.estimators.inference import Inference, residuals
from sampleval.estimators.run import Run
from sampleval.metrics import Metric
from sampleval.pool import Floats

DRAWS = 1000
SURE = 2.0  # errors from 0 beyond which a component is not all noise


def resampled(
    metric: Metric, run: Run, estimator: Linear, at: Inference, level: float, rng: np.random.Generator
) -> tuple[float, float, float]:
    """(variance, low, high) from values of G at means drawn around R̂ (multiplier bootstrap).

    Each draw is R̂ + Σ ξ_j F_j with independent standard normal ξ, F the factor of the spread of R̂. For a metric
    such as |·|, noise biases the draws upwards, and the estimate too, by an amount that depends on how near the truth
    is to a kink. The limits allow for all of this bias and for none: they reach from the basic interval's (2Ĝ − G*)
    to those of draws centred on Ĝ, and hold Ĝ. What lies within two errors of 0 may be nothing but noise, so the
    limits also reach to those of the basic interval without it. With calibrated scores all of it is noise. Where gaps
    are subtracted, as in a difference, noise hides at the upper end.

    Args:
        metric: A scalar metric.
        run: The answers.
        estimator: One that accepts the run's sample.
        at: What the run says about the metric.
        level: Coverage to aim at, in (0, 1).
        rng: Makes the draws.
    """
    rest, mean, _ = residuals(metric, run, estimator)
    sampled = run.sample.population / run.population
    spread = estimator.spread(run.sample, rest, mean)
    factor = sampled * spread.root
    noise = rng.normal(size=(DRAWS, len(factor))) @ factor
    values = _drawn(metric, at.risk, noise)
    low, high = kinked(values, float(at.value[0]), level, metric.range)
    error = np.sqrt((factor**2).sum(axis=0))
    sure = (np.abs(at.risk) > SURE * error) | (error == 0)
    calm = np.where(sure, at.risk, 0.0)
    ends = np.quantile(_drawn(metric, calm, noise * sure), [(1 + level) / 2, (1 - level) / 2])
    least, most = np.clip(2 * metric.value(calm)[0] - ends, *metric.range)
    return float(values.var()), float(np.fmin(low, least)), float(np.fmax(high, most))


def _drawn(metric: Metric, risk: Floats, noise: Floats) -> Floats:
    """Values of G at R and noise, (J, d) to (≤ J,): those that are defined, or `nan`."""
    values = np.array([metric.value(risk + each)[0] for each in noise])
    defined = values[np.isfinite(values)]
    return defined if len(defined) else np.array([np.nan])


def kinked(values: Floats, centre: float, level: float, range: tuple[float, float]) -> tuple[float, float]:
    """Limits around an estimate from draws that noise biases by an amount not known, see `resampled`.

    Args:
        values: Draws of G, (J,).
        centre: Ĝ.
        level: Coverage to aim at, in (0, 1).
        range: Smallest and largest possible value.
    """
    tails = (1 - level) / 2, (1 + level) / 2
    ends = np.quantile([2 * centre - values, values - values.mean() + centre], tails, axis=1)
    low, high = np.clip([min(*ends[0], centre), max(*ends[1], centre)], *range)
    return float(low), float(high)
