"""The bias of means over classes: a ratio whose whole is estimated too is off, and over many classes this adds up."""

from __future__ import annotations

import numpy as np

from sampleval.estimators.spread import Spread
from sampleval.metrics import Jacobian, Metric
from sampleval.pool import Floats


def ratio_bias(metric: Metric, risk: Floats, spread: Spread) -> float:
    """The estimated bias of a mean of ratios, such as macro recall; 0 for any other metric.

    A whole such as the number of items of a class is mostly estimated too low, and rarely far too high, since few of the
    items that the model misses are found. Its recall is then too high in most studies. This is little beside the
    uncertainty of one class, but the same for all, and the mean over many classes is nearly as certain as it is biased:
    of 100 labels, limits for macro-F1 held in half of the studies of 500 answers. `spread` is the covariance of R̂ itself.
    """
    if metric.terms:
        halves = (np.split(each, 2, axis=-1) for each in (risk, spread.factor, spread.minus))
        first, second = (
            ratio_bias(term, own, Spread(factor, minus))
            for term, own, factor, minus in zip(metric.terms, *halves, strict=True)
        )
        return first - second
    return sum(slope * float(by_class(each, risk, spread).mean()) for each, slope in metric.by_classes(risk))


def by_class(metric: Metric, risk: Floats, spread: Spread) -> Floats:
    """The estimated bias of the ratio of each class at R̂, (d,), as (C,); 0 where it is unknown.

    E T̂/P̂ − T/P = −Cov(T̂/P̂, P̂)/P if T̂ and P̂ are unbiased (Hartley & Ross 1954), here with the covariance to first order
    and times P²/(P² + Var P̂): without this factor it would have no bounds for classes with hardly any label.
    """
    if metric.wholes is None:
        return np.zeros(len(metric.value(risk)))
    value, whole = metric.value(risk), np.asarray(metric.wholes(risk))
    share, of = metric.gradient(risk).T, metric.whole_slopes(len(risk))
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = -_covariances(spread, share, of) * whole / (whole**2 + _covariances(spread, of, of))
        low, high = np.minimum(metric.range[0], value), np.maximum(metric.range[1], value)
        return np.nan_to_num(value - np.clip(value - bias, low, high))


def _covariances(spread: Spread, a: Jacobian, b: Jacobian) -> Floats:
    """Covariances of R̂·a and R̂·b, column by column, (C,); `root` would have others where draws are repeated."""
    each, fixed = ((part @ a) * (part @ b) for part in (spread.factor, spread.minus))
    return np.asarray(each.sum(axis=0) - fixed)
