"""The joint deviation of the metrics, from whose moments sizes h are made, and the floor of these sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sampleval._checks import InputError
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats, Items
from sampleval.surrogates import Belief, Moments, moments

# Least size, as a share of the mean size, of items whose label could matter although the belief calls it certain.
FLOOR = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Joint(Moments):
    """Moments of the joint deviation d = (√w_k d_k)_k of one or several metrics; `absolute` is Σ √w_k E ‖d_k‖.

    Attributes:
        each: Moments of each metric's own deviation d_k.
        weights: Each w_k; that of a single metric, whose moments are its own, is 1 up to a factor.
    """

    each: Mapping[Metric, Moments]
    weights: Mapping[Metric, float]


def joint(
    metrics: Mapping[Metric, float], items: Items, belief: Belief, risks: Mapping[Metric, Floats]
) -> Joint:
    """The joint deviation under a belief, with each metric linearised at its R.

    Raises:
        InputError: A square is infinite or undefined, and inclusion probabilities with it.
    """
    each = dict[Metric, Moments]()
    for metric in metrics:
        with np.errstate(invalid="ignore", over="ignore"):
            each[metric] = moments(metric, items, belief, risk=risks[metric])
        if not np.isfinite(each[metric].square).all():
            raise InputError(
                f"`metric` {metric.name!r} must have a finite loss for every label, also for one that is unlikely; give "
                "labels that a metric of your own cannot judge a loss of 0, and divide numbers too large to be squared"
            )
    weights = balanced(each, metrics)
    if len(each) == 1:
        (own,) = each.values()
        return Joint(own.square, own.absolute, own.variance, own.possible, each, weights)
    none, weighed = np.zeros(len(items)), [(w, each[m]) for m, w in weights.items()]
    return Joint(
        sum((w * m.square for w, m in weighed), start=none),
        sum((np.sqrt(w) * m.absolute for w, m in weighed), start=none),
        sum((w * m.variance for w, m in weighed), start=none),
        np.logical_or.reduce([m.possible for m in each.values()]),
        each,
        weights,
    )


def balanced(each: Mapping[Metric, Moments], metrics: Mapping[Metric, float]) -> dict[Metric, float]:
    """w_k: each metric's weight over its variance, up to a factor, under the best design for it alone: (mean √E d²)².

    In this unit a joint target loses about the same precision for each metric. If metrics were normalised by their
    variances at equal inclusion probabilities instead, those that gain most from their own design would lose most: on a
    pool with one match in a thousand, specificity had 98 times its best variance against 1.2.
    """
    return {
        m: weight / max(float(np.sqrt(each[m].square).mean()) ** 2, 1e-300) for m, weight in metrics.items()
    }


def floored(h: Floats, able: Flags, count: Floats | None = None) -> Floats:
    """h raised to a thousandth of its mean where `able`, 0 elsewhere, (N,); equal sizes where this mean is 0.

    Items are able if they may be asked and some label of them matters. Groups of alike items have a `count` each.
    """
    weights = None if count is None else count[able]
    floor = FLOOR * np.average(h[able], weights=weights) if able.any() else 0.0
    return np.where(able, np.maximum(h, floor if floor > 0 else 1.0), 0.0)
