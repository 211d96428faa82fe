"""Estimates as rows, and the distribution behind one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

from sampleval.intervals import Basis, beta_parameters
from sampleval.metrics import Metric
from sampleval.study import Estimate


def estimates(found: Iterable[Estimate]) -> pd.DataFrame:
    """One row an estimate: of several metrics, or of one after ever more labels (`Study.history`).

    Returns:
        Columns metric, value, low, high, level, variance, labels, method, interval, about, note.
    """
    rows = [
        {
            "metric": e.metric,
            "value": e.value,
            "low": e.interval.low,
            "high": e.interval.high,
            "level": e.interval.level,
            "variance": e.variance,
            "labels": e.labels,
            "method": e.method,
            "interval": e.interval.method,
            "about": e.about,
            "note": e.note,
        }
        for e in found
    ]
    columns = [
        "metric", "value", "low", "high", "level", "variance", "labels", "method", "interval", "about", "note",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def density(estimate: Estimate, metric: Metric, population: int, *, points: int = 200) -> pd.DataFrame:
    """The Beta distribution with the estimate's mean and variance (Y), on its metric's own scale.

    Args:
        estimate: The estimate.
        metric: Its metric.
        population: N, the unit of metrics that are totals.
        points: Rows wanted.

    Returns:
        Columns value, density, above (probability that the metric is at least value); no rows where
        there is no such Beta.
    """
    scale = population if metric.total else 1
    low, high = (end * scale for end in metric.range)
    parameters = beta_parameters(Basis(estimate.value, estimate.variance, range=(low, high)))
    if parameters is None:
        return pd.DataFrame({"value": [], "density": [], "above": []}, dtype=float)
    beta = stats.beta(*parameters)
    share = np.linspace(beta.ppf(1e-4), beta.ppf(1 - 1e-4), points)
    return pd.DataFrame(
        {
            "value": low + share * (high - low),
            "density": beta.pdf(share) / (high - low),
            "above": beta.sf(share),
        }
    )


def to_json(frame: pd.DataFrame) -> str:
    """The rows as a JSON list; what is not known is null.

    >>> to_json(pd.DataFrame({"metric": ["f1"], "value": [np.nan]}))
    '[{"metric":"f1","value":null}]'
    """
    return str(frame.to_json(orient="records", double_precision=15))
