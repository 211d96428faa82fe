"""Estimates as frames, and the distribution behind an estimate."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
from scipy.ndimage import gaussian_filter1d

from sampleval._checks import count, fail, instance, listable
from sampleval.intervals import Basis, Interval, beta_parameters
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.study import Estimate

# Limits with tails below this show where the metric may lie. Those nearer to the median only show how far they were
# stretched for missing answers, and a picture drawn from them would have a hole at the estimate.
MIDDLE = 0.35
LIMITS = 60  # number of levels whose limits describe a distribution
EARLY = 0.1  # share of the answers before which limits do not set the scale of an unbounded metric
FAR = 2  # median widths of an interval from the values, beyond which limits do not set it either
FOUND = "pass study.estimates(), or what study.estimate(...) returns"
# The picture's width in standard deviations of the kernel that smooths the steps of single draws.
SMOOTH = 30


def estimates(found: Estimate | Iterable[Estimate]) -> pd.DataFrame:
    """Estimates as a frame with one row each, of one or several metrics or of one over time (`Study.history`).

    Returns:
        Columns metric, value, low, high, level, variance, labels (answers, skipped and unsure ones included), method,
        interval, about, note.

    Raises:
        InputError: Something given is no estimate.
    """
    listed = [found] if isinstance(found, Estimate) else found
    if not listable(listed):
        fail("found", "must be a list of estimates", listed, remedy=FOUND)
    found = [instance(each, Estimate, "found", remedy=FOUND) for each in listed]
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
    """The lower limits, values and upper limits, (rows, 3), that set the scale of a picture of an unbounded metric.

    Those after the first few answers are left out, and limits that are far off count as infinite: the limits of an error
    after two answers may be so far apart that on their scale the later ones cannot be read.

    Args:
        history: Frame of `estimates` of `Study.history`.
    """
    rows = history[history["labels"] >= EARLY * history["labels"].max()]
    low, value, high = rows[["low", "value", "high"]].to_numpy(float).T
    widths, values = (each[np.isfinite(each)] for each in (high - low, value))
    far = FAR * np.median(widths) if len(widths) and len(values) else np.inf
    if far > 0 and np.isfinite(far):
        low = np.where(low < values.min() - far, -np.inf, low)
        high = np.where(high > values.max() + far, np.inf, high)
    return np.column_stack([low, value, high])


def has_scale(history: pd.DataFrame) -> bool:
    """Whether a picture of a history has a scale: some row has a value, or two limits that are finite.

    Without labels an error of predicted numbers may lie anywhere above 0. A picture made up an axis from 0 to 0.25, and its
    shaded interval seemed to end there.

    Args:
        history: Frame of `estimates` of `Study.history`.
    """
    between = np.isfinite(history[["low", "high"]].to_numpy(float)).all(axis=1)
    return bool((history["value"].notna() | between).any())


def density(estimate: Estimate, metric: Metric, population: int, *, points: int = 200) -> pd.DataFrame:
    """The Beta distribution with the estimate's mean and variance (Y section 2.2), on its metric's own scale.

    Args:
        estimate: The estimate.
        metric: Its metric.
        population: N, the unit of metrics that are totals.
        points: Rows wanted, at least 1.

    Returns:
        Columns value, density, above (probability that the metric is at least value); no rows if there is no Beta
        distribution with this mean and variance.
    """
    # Imported here because it takes as long to import as pandas, and most callers of this module draw no density.
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
    """The distribution whose equal-tailed intervals are given, for intervals that no Beta describes.

    An example are a posterior's intervals with one long tail.

    Args:
        limits: level → interval.

    Returns:
        Columns as in `density`; no rows if the widest interval has no width beyond rounding, or if nothing is known.
    """
    tails = np.linspace(0.0025, MIDDLE, LIMITS)
    found = [limits(float(1 - 2 * tail)) for tail in tails]
    value = np.array([i.low for i in found] + [i.high for i in reversed(found)])
    if not found[0].known:
        return _undrawn()
    edges = np.linspace(value[0], value[-1], LIMITS + 1)
    if not (np.diff(edges) > 0).all():  # the width is mere rounding
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
    """The rows as a JSON list with numbers in full, in which unknown and infinite values are null.

    >>> to_json(pd.DataFrame({"metric": ["f1"], "value": [np.nan], "variance": [2.5e-19]}))
    '[{"metric":"f1","value":null,"variance":2.5e-19}]'
    """
    rows = frame.astype(object).where(~frame.isin([np.inf, -np.inf]) & frame.notna(), None).to_dict("records")
    return json.dumps(rows, separators=(",", ":"), allow_nan=False)
