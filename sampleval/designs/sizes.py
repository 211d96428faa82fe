"""How large expected deviations are: a floor for items, a scale for metrics, and none that is no number."""

from __future__ import annotations

import numpy as np

from sampleval._checks import InputError
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats
from sampleval.surrogates import Moments

# Items whose label could matter but which the belief calls certain keep this share of the mean size.
FLOOR = 1e-3


def checked(metric: Metric, deviation: Moments) -> Moments:
    """The same moments, refused where one is no number: no chance to be asked could be made of it.

    Args:
        metric: Whose deviation it is.
        deviation: Its moments.
    """
    if not np.isfinite(deviation.square).all():
        raise InputError(
            f"`metric` {metric.name!r} must have a finite loss for every label, also for one that is unlikely; give "
            "labels that a metric of your own cannot judge a loss of 0, and divide numbers too large to be squared"
        )
    return deviation


def floored(h: Floats, able: Flags, count: Floats | None = None) -> Floats:
    """h with a small floor where an item may be asked and some label matter, 0 elsewhere, (N,).

    Args:
        h: Sizes, of items or of groups of like items.
        able: Where asking makes sense.
        count: Items in each group; 1 by default.
    """
    weights = None if count is None else count[able]
    floor = FLOOR * np.average(h[able], weights=weights) if able.any() else 0.0
    return np.where(able, np.maximum(h, floor if floor > 0 else 1.0), 0.0)


def own_best(deviation: Moments) -> float:
    """Variance of a metric, up to a factor, under the design made for it alone: (mean √E d²)².

    In this unit a joint target spreads the loss evenly. If metrics were normalised by their variances at equal
    inclusion instead, those that gain most from their own design would be left behind: on a pool with one match in a
    thousand, specificity had 98 times its best variance against 1.2.
    """
    return max(float(np.sqrt(deviation.square).mean()) ** 2, 1e-300)
