"""Metrics: one definition each, G = g(mean of a loss), for sampling, estimating and intervals alike."""

from __future__ import annotations

import re
from types import MappingProxyType

from sampleval._checks import choice
from sampleval.metrics.base import Encoded, Metric, numeric_jacobian, ratio
from sampleval.metrics.binary import BINARY, f_alpha, f_beta
from sampleval.pool import Kind

METRICS = MappingProxyType({metric.name: metric for metric in BINARY})


def resolve(metric: str | Metric) -> Metric:
    """The metric of this name; a `Metric` is returned as it is, "f0.5" makes F_β for any β.

    >>> resolve("f3").title
    'F3 score'
    """
    if isinstance(metric, Metric):
        return metric
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?)", metric):
        return f_beta(float(match[1]))
    return METRICS[choice(metric, METRICS, "metric")]


def for_kind(kind: Kind) -> tuple[str, ...]:
    """Names of the metrics defined for this kind of task, the usual one first."""
    return tuple(name for name, metric in METRICS.items() if kind in metric.kinds)


__all__ = [
    "METRICS",
    "Encoded",
    "Metric",
    "f_alpha",
    "f_beta",
    "for_kind",
    "numeric_jacobian",
    "ratio",
    "resolve",
]
