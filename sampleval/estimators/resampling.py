"""Resampling where g has no derivative: values of g at means drawn around R̂ with its own spread."""

from __future__ import annotations

import numpy as np

from sampleval.estimators.base import Linear
from sampleval.estimators.inference import Inference, Run, losses
from sampleval.metrics import Metric
from sampleval.pool import Floats

DRAWS = 1000


def resampled(metric: Metric, run: Run, estimator: Linear, at: Inference, rng: np.random.Generator) -> Floats:
    """G at means drawn around R̂ (multiplier bootstrap), moved so that they centre on Ĝ, (B,), sorted.

    Each draw is R̂ + Σ ξ_j F_j with independent standard normal ξ, F the factor of the spread of R̂. A
    metric such as |·| is biased upwards by noise, so the draws are shifted back by their own bias.

    Args:
        metric: A scalar metric.
        run: The answers.
        estimator: One that accepts the run's sample.
        at: What the run says about the metric.
        rng: Makes the draws.
    """
    loss = losses(metric, run)
    sampled = run.sample.population / run.population
    spread = estimator.spread(run.sample, loss, estimator.mean(run.sample, loss))
    factor = sampled * (spread.factor - spread.minus / np.sqrt(len(spread.factor)))
    values = np.array(
        [metric.value(at.risk + xi @ factor)[0] for xi in rng.normal(size=(DRAWS, len(factor)))]
    )
    low, high = metric.range
    return np.sort(np.clip(values - (np.nanmean(values) - at.value[0]), low, high))
