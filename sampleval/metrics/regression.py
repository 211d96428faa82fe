"""Metrics of predicted numbers: MAE, MSE, RMSE, R², bias."""

from __future__ import annotations

import numpy as np

from sampleval.memo import once_each
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.counts import Counts
from sampleval.metrics.ratios import ratio
from sampleval.pool import Floats, Items, Kind, System, Task

NUMBER: frozenset[Kind] = frozenset({"regression"})


def residual(items: Items, y: Encoded) -> Floats:
    """y − ŷ, (n,)."""
    return np.asarray(y - items.pred, float)


mae = ratio(
    "mae",
    "Mean absolute error",
    lambda items, y: (np.abs(residual(items, y)), 1.0),
    kinds=NUMBER,
    range=(0.0, np.inf),
    about="How far off the prediction is, on average, in the label's own unit.",
    unit="in the label's own unit",
    better="less",
)
mse = ratio(
    "mse",
    "Mean squared error",
    lambda items, y: (residual(items, y) ** 2, 1.0),
    kinds=NUMBER,
    range=(0.0, np.inf),
    about="The mean of the squared errors: large ones count most.",
    unit="in the square of the label's unit",
    better="less",
)
rmse = Metric(
    "rmse",
    "Root mean squared error",
    mse.loss,
    lambda risk: np.sqrt(risk[0] / risk[1]),
    lambda risk: np.array([1.0, -risk[0] / risk[1]]) / (2 * np.sqrt(risk[0] * risk[1])),
    NUMBER,
    range=(0.0, np.inf),
    about="The size of a typical error, in the label's own unit; large ones count most.",
    unit="in the label's own unit",
    counts=Counts(nonnegative=True),
    better="less",
)
bias = ratio(
    "bias",
    "Mean error (label − prediction)",
    lambda items, y: (residual(items, y), 1.0),
    kinds=NUMBER,
    range=(-np.inf, np.inf),
    about="Whether predictions are too low (above 0) or too high (below 0) on average.",
    unit="in the label's own unit",
    better="",
)
mean_label = ratio(
    "mean_label",
    "Mean label",
    lambda items, y: (y, 1.0),
    kinds=NUMBER,
    range=(-np.inf, np.inf),
    about="The mean of the true values.",
    unit="in the label's own unit",
    better="",
)


def _fit(items: Items, y: Encoded) -> Floats:
    """ℓ = ((y−ŷ)², z, z², 1), (n, 4), with z = y − k and means R₁, R₂, R₃ and R₀.

    A shift k does not change a variance, but squares of numbers far from 0 lose precision.
    """
    z = y - _centre(items.everywhere)
    return np.column_stack([residual(items, y) ** 2, z, z**2, np.ones(len(y))])


@once_each
def _centre(system: System) -> float:
    """The shift k, which is the mean of all predictions and so known before any label."""
    return float(system.pred.mean())


def _spread(risk: Floats) -> tuple[Floats, Floats]:
    """R₀R₃ − R₂², and the largest value of it that may be a rounding error: sums over a million items are off by 2e-12."""
    _, first, second, one = risk
    return np.asarray(second * one - first**2), np.asarray(1e-11 * second * one)


def _r2(risk: Floats) -> Floats:
    """1 − R₀R₁/(R₀R₃ − R₂²), which the row in Table 2 of M's technical report does not give."""
    left, rounding = _spread(risk)
    return np.where(left > rounding, 1 - risk[0] * risk[3] / left, np.nan)


def _r2_slope(risk: Floats) -> Floats:
    error, first, second, one = risk
    left, _ = _spread(risk)
    share = error * one / left
    return np.array([-one, -2 * share * first, share * one, share * second - error]) / left


def _no_spread(risk: Floats, _: Task) -> str:
    """The reason why R² is undefined; weighted sample means may give E y² < (E y)² although labels differ."""
    left, rounding = _spread(risk)
    if left < -rounding:
        return "the labels so far do not show how much the true values vary"
    return "all labels found are alike"


r2 = Metric(
    "r2",
    "R² (variance explained)",
    _fit,
    _r2,
    _r2_slope,
    NUMBER,
    range=(-np.inf, 1.0),
    about="1 is perfect, 0 no better than always predicting the mean.",
    undefined=_no_spread,
)

REGRESSION = (rmse, mae, r2, mse, bias, mean_label)
