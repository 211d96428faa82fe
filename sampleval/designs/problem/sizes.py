"""Checks and scales of expected deviations: a floor for items, a unit for metrics, and a check for finite values."""

from __future__ import annotations

import numpy as np

from sampleval._checks import InputError
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats
from sampleval.surrogates import Moments

# Least size, as a share of the mean size, of items whose label could matter although the belief calls it certain.
FLOOR = 1e-3


def checked(metric: Metric, deviation: Moments) -> Moments:
    """The same moments, if all squares are finite: otherwise inclusion probabilities are undefined.

    Args:
        metric: The metric of the deviation.
        deviation: Its moments.

    Raises:
        InputError: A square that is infinite or undefined.
    """
    if not np.isfinite(deviation.square).all():
        raise InputError(
            f"`metric` {metric.name!r} must have a finite loss for every label, also for one that is unlikely; give "
            "labels that a metric of your own cannot judge a loss of 0, and divide numbers too large to be squared"
        )
    return deviation


def floored(h: Floats, able: Flags, count: Floats | None = None) -> Floats:
    """h raised to a thousandth of its mean where `able`, 0 elsewhere, (N,); equal sizes where this mean is 0.

    Args:
        h: Sizes, of items or of groups of alike items.
        able: Whether the item may be asked and some label of it matters.
        count: Items in each group; 1 by default.
    """
    weights = None if count is None else count[able]
    floor = FLOOR * np.average(h[able], weights=weights) if able.any() else 0.0
    return np.where(able, np.maximum(h, floor if floor > 0 else 1.0), 0.0)


def own_best(deviation: Moments) -> float:
    """Variance of a metric, up to a factor, under the best design for it alone: (mean √E d²)².

    In this unit a joint target loses about the same precision for each metric. If metrics were normalised by their
    variances at equal inclusion probabilities instead, those that gain most from their own design would lose most: on a
    pool with one match in a thousand, specificity had 98 times its best variance against 1.2.
    """
    return max(float(np.sqrt(deviation.square).mean()) ** 2, 1e-300)
