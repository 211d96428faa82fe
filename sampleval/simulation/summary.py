"""Summarise repeated estimates: error, coverage and width, each with its band."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from sampleval.intervals import LEVEL, clopper_pearson
from sampleval.pool import Floats

ROUNDING = 1e-12  # by how much a limit may fall short of the truth and still count as covering it
RESAMPLES = 400  # resamples of a bootstrap
BAND = 0.95  # level of the bands of errors and coverage


def summarise(raw: pd.DataFrame, truth: Mapping[str, float], *, level: float = LEVEL) -> pd.DataFrame:
    """Error, coverage, width and cost of repeated estimates, in one row per method, metric and budget.

    Args:
        raw: One row per repeat and budget: method, repeat, metric, budget, value, low, high, interval, labels, wasted, seconds.
        truth: Metric → true value.
        level: Nominal coverage.

    Returns:
        Columns method, metric, budget, repeats, truth, defined (share of estimates that have a value), bias,
        rmse, mse, these three with _low and _high (95 % band of a bootstrap, `RESAMPLES`), coverage, coverage_low, coverage_high
        (95 % Clopper–Pearson band), missed_ever (share of repeats whose interval has missed at this or a smaller
        budget, with missed_ever_low and missed_ever_high), width, informative (share of intervals that are not the
        whole range), labels, absolute (mean absolute error, with half a standard deviation to each side as
        absolute_low and absolute_high), wasted (labels whose answer does not move the metric), seconds (to ask for
        the labels and to estimate all metrics once), level.
        Errors are over defined estimates. An undefined estimate covers the truth, since its interval is the whole range.
        If the truth is undefined, coverage, missed_ever and the errors are `nan`.
    """
    raw = raw.assign(missed=missed(raw, truth))
    rows = [
        {"method": method, "metric": metric, "budget": budget}
        | _cell(group, truth[str(metric)])
        | {"level": level}
        for (method, metric, budget), group in raw.groupby(["method", "metric", "budget"], sort=False)
    ]
    return pd.DataFrame(rows)


def missed(raw: pd.DataFrame, truth: Mapping[str, float]) -> pd.Series:
    """Whether each repeat's interval has missed the truth at its budget or a smaller one, as if each were a look."""
    value = raw["metric"].map(truth)
    now = value.notna() & ~holds(raw["low"], raw["high"], value)
    rising = raw.sort_values("budget", kind="stable").index
    return (
        now[rising]
        .groupby([raw[name] for name in ("method", "metric", "repeat")])
        .cummax()
        .reindex(raw.index)
    )


def errors_of_most(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary with errors only where at least half of the estimates have a value: those of a lucky few mislead.

    >>> errors_of_most(pd.DataFrame({"defined": [0.5, 0.4], "rmse": 0.2, "width": 0.7})).to_dict("list")
    {'defined': [0.5, 0.4], 'rmse': [0.2, nan], 'width': [0.7, 0.7]}
    """
    errors = [str(c) for c in summary if str(c).startswith(("bias", "mse", "rmse", "absolute"))]
    return summary.assign(**summary[errors].where(summary["defined"] >= 0.5, axis=0))


def holds(low: Any, high: Any, truth: Any) -> Any:
    """Whether limits contain the truth, apart from rounding; for numbers, arrays and series."""
    return (low - ROUNDING <= truth) & (truth <= high + ROUNDING)


def _cell(group: pd.DataFrame, truth: float) -> dict[str, float]:
    error = (group["value"] - truth).to_numpy(float)
    known = error[np.isfinite(error)]
    error = known if len(known) else np.array([np.nan])
    off, mse = np.abs(error), (error**2).mean()
    low, high = group["low"].to_numpy(float), group["high"].to_numpy(float)
    bias_low, bias_high = bootstrap_band(known)
    mse_low, mse_high = bootstrap_band(known**2)
    counts = np.array([holds(low, high, truth).sum(), group["missed"].sum()])
    bands = np.array([counts / len(group), *clopper_pearson(counts, len(group) - counts, BAND)])
    share, bottom, top = np.full_like(bands, np.nan) if np.isnan(truth) else bands
    return {
        "repeats": len(group),
        "truth": truth,
        "defined": len(known) / len(group),
        "bias": error.mean(),
        "bias_low": bias_low,
        "bias_high": bias_high,
        "rmse": np.sqrt(mse),
        "rmse_low": np.sqrt(mse_low),
        "rmse_high": np.sqrt(mse_high),
        "mse": mse,
        "mse_low": mse_low,
        "mse_high": mse_high,
        "coverage": share[0],
        "coverage_low": bottom[0],
        "coverage_high": top[0],
        "missed_ever": share[1],
        "missed_ever_low": bottom[1],
        "missed_ever_high": top[1],
        "width": (high - low).mean(),
        "informative": float((group["interval"] != "none").mean()),
        "labels": group["labels"].mean(),
        "absolute": off.mean(),
        "absolute_low": np.maximum(off.mean() - off.std() / 2, 0),
        "absolute_high": off.mean() + off.std() / 2,
        "wasted": group["wasted"].mean(),
        "seconds": group["seconds"].mean(),
    }


def bootstrap_band(values: Floats) -> tuple[float, float]:
    """The percentile bootstrap band of a mean; (`nan`, `nan`) without values."""
    if not len(values):
        return np.nan, np.nan
    rng = np.random.default_rng(0)  # fixed, so that equal values always have the same band
    means = values[rng.integers(0, len(values), (RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - BAND) / 2, (1 + BAND) / 2])
    return float(low), float(high)
