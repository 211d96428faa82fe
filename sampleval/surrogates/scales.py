"""Scales: the standard deviation of some values, and the error that is expected of predicted numbers."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Floats, Items


def error_scale(items: Items) -> Floats:
    """Expected standard deviation of y − ŷ, (n,): the given error scale, or else the standard deviation of all predictions.

    A given scale that is 0 for all items does not distinguish them and is ignored. A scale that is the same for all
    items does not affect the design, only planned errors.
    """
    if items.error.any():
        return items.error
    return np.full(len(items), spread_of(np.asarray(items.pred, float)))


def spread_of(values: Floats) -> float:
    """Standard deviation of some values, and 1 if all are equal: theirs is 0 or a rounding error, by which nothing is divided.

    >>> spread_of(np.array([1.0, 3.0])), spread_of(np.full(1000, 0.1))
    (1.0, 1.0)
    """
    return (np.ptp(values) > 0 and float(values.std())) or 1.0
