"""Estimates as rows, and the distribution behind one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
from scipy.ndimage import gaussian_filter1d

from sampleval._checks import count
from sampleval.intervals import Basis, Interval, beta_parameters
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.study import Estimate

# With tails of at least this, limits still say where the metric may lie. Nearer to the median they only say how far they
# were stretched for missing answers, and a picture drawn from them has a hole at the estimate.
MIDDLE = 0.35
LIMITS = 60  # levels whose limits tell a distribution
EARLY = 0.1  # share of the answers before which limits do not set the scale of a metric without ends
# The picture's width in standard deviations of the kernel that takes out the steps of single draws.
SMOOTH = 30


def estimates(found: Estimate | Iterable[Estimate]) -> pd.DataFrame:
    """One row an estimate: of one or several metrics, or of one after ever more labels (`Study.history`).

    Returns:
        Columns metric, value, low, high, level, variance, labels, method, interval, about, note.
    """
    found = [found] if isinstance(found, Estimate) else list(found)
    return pd.DataFrame(
        {
            "metric": [e.metric for e in found],
            "value": [e.value for e in found],
            "low": [e.interval.low for e in found],
            "high": [e.interval.high for e in found],
            "level": [e.interval.level for e in found],
            "variance": [e.variance for e in found],
            "labels": [e.labels for e in found],
            "method": [e.method for e in found],
            "interval": [e.interval.method for e in found],
            "about": [e.about for e in found],
            "note": [e.note for e in found],
        }
    )


def late(history: pd.DataFrame) -> Floats:
    """What sets the scale of a metric without ends, (rows, 3): lower limits, values and upper limits.

    The limits after the first few answers are left out. After one answer an error may be anything, and on a scale
    that shows this, the end cannot be read.

    Args:
        history: Frame of `estimates` of `Study.history`.
    """
    rows = history[history["labels"] >= EARLY * history["labels"].max()]
    return rows[["low", "value", "high"]].to_numpy(float)


def density(estimate: Estimate, metric: Metric, population: int, *, points: int = 200) -> pd.DataFrame:
    """The Beta distribution with the estimate's mean and variance (Y), on its metric's own scale.

    Args:
        estimate: The estimate.
        metric: Its metric.
        population: N, the unit of metrics that are totals.
        points: Rows wanted, at least 1.

    Returns:
        Columns value, density, above (probability that the metric is at least value); no rows where
        there is no such Beta.
    """
    # Takes as long to import as pandas, and most who make frames draw no density.
    from scipy.stats import beta

    points = count(points, "points", minimum=1)
    low, high = metric.ends(population)
    parameters = beta_parameters(Basis(estimate.value, estimate.variance, range=(low, high)))
    if parameters is None:
        return _undrawn()
    told = beta(*parameters)
    share = np.linspace(told.ppf(1e-4), told.ppf(1 - 1e-4), points)
    return pd.DataFrame(
        {
            "value": low + share * (high - low),
            "density": told.pdf(share) / (high - low),
            "above": told.sf(share),
        }
    )


def density_of_limits(limits: Callable[[float], Interval]) -> pd.DataFrame:
    """The distribution whose equal-tailed intervals these are: how sure to be, turned into a picture.

    For intervals that no Beta describes, such as a posterior's with one long tail.

    Args:
        limits: level → interval.

    Returns:
        Columns as in `density`; no rows where the widest interval has no width beyond rounding, or nothing is known.
    """
    tails = np.linspace(0.0025, MIDDLE, LIMITS)
    found = [limits(float(1 - 2 * tail)) for tail in tails]
    value = np.array([i.low for i in found] + [i.high for i in reversed(found)])
    if not found[0].known:
        return _undrawn()
    edges = np.linspace(value[0], value[-1], LIMITS + 1)
    if not (np.diff(edges) > 0).all():  # a width of rounding leaves no room between its ends
        return _undrawn()
    below = np.concatenate([tails, 1 - tails[::-1]])
    share = np.interp(edges, np.maximum.accumulate(value), below)
    return pd.DataFrame(
        {
            "value": (edges[1:] + edges[:-1]) / 2,
            "density": gaussian_filter1d(np.diff(share), LIMITS / SMOOTH) / np.diff(edges),
            "above": 1 - (share[1:] + share[:-1]) / 2,
        }
    )


def _undrawn() -> pd.DataFrame:
    return pd.DataFrame({"value": [], "density": [], "above": []}, dtype=float)


def to_json(frame: pd.DataFrame) -> str:
    """The rows as a JSON list; what is not known is null.

    >>> to_json(pd.DataFrame({"metric": ["f1"], "value": [np.nan]}))
    '[{"metric":"f1","value":null}]'
    """
    return str(frame.to_json(orient="records", double_precision=15))
