"""Summarise repeated estimates: error, coverage and width, each with its band."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from sampleval.intervals import LEVEL, clopper_pearson
from sampleval.pool import Floats, Integers

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
        Columns method, metric, budget, repeats, truth; defined (share of estimates that have a value), coverage,
        missed_ever (share of repeats whose interval has missed at this or a smaller budget), informative (share of
        intervals that are not the whole range); bias, rmse, mse, and the means of width, labels, wasted (labels whose
        answer does not move the metric), seconds (to ask for the labels and to estimate all metrics once); each of these
        with _low and _high, the 95 % band of Clopper and Pearson for a share, else of a bootstrap (`RESAMPLES`); absolute
        (mean absolute error, with half a standard deviation to each side as absolute_low and absolute_high); level.
        Errors are over defined estimates. An undefined estimate covers the truth, since its interval is the whole range.
        If the truth is undefined, coverage, missed_ever and the errors are `nan`, and so is the band of an infinite width.
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
    off = np.abs(error)
    low, high = group["low"].to_numpy(float), group["high"].to_numpy(float)
    held, missed = int(holds(low, high, truth).sum()), int(group["missed"].sum())
    told = np.nan if np.isnan(truth) else 1.0
    square = _mean("mse", known**2)
    return {
        "repeats": len(group),
        "truth": truth,
        **_share("defined", len(known), len(group)),
        **_mean("bias", known),
        **{name.replace("mse", "rmse"): np.sqrt(value) for name, value in square.items()},
        **square,
        **{name: told * value for name, value in _share("coverage", held, len(group)).items()},
        **{name: told * value for name, value in _share("missed_ever", missed, len(group)).items()},
        **_mean("width", high - low),
        **_share("informative", int((group["interval"] != "none").sum()), len(group)),
        **_mean("labels", group["labels"].to_numpy(float)),
        "absolute": off.mean(),
        "absolute_low": np.maximum(off.mean() - off.std() / 2, 0),
        "absolute_high": off.mean() + off.std() / 2,
        **_mean("wasted", group["wasted"].to_numpy(float)),
        **_mean("seconds", group["seconds"].to_numpy(float)),
    }


def _share(name: str, hits: int, repeats: int) -> dict[str, float]:
    """The share of the repeats, with its band."""
    low, high = clopper_pearson(hits, repeats - hits, BAND)
    return {name: hits / repeats, f"{name}_low": float(low), f"{name}_high": float(high)}


def _mean(name: str, values: Floats) -> dict[str, float]:
    """The mean over the repeats, with its band; `nan` without values."""
    low, high = bootstrap_band(values)
    return {name: values.mean() if len(values) else np.nan, f"{name}_low": low, f"{name}_high": high}


def bootstrap_band(values: Floats) -> tuple[float, float]:
    """The percentile bootstrap band of a mean; (`nan`, `nan`) without values, or if some are not finite."""
    if not len(values) or not np.isfinite(values).all():
        return np.nan, np.nan
    if (values == values[0]).all():  # whose means differ in the last digit, and from the numbers too
        return float(values.mean()), float(values.mean())
    low, high = np.quantile(values[_resamples(len(values))].mean(axis=1), [(1 - BAND) / 2, (1 + BAND) / 2])
    return float(low), float(high)


@lru_cache(maxsize=8)
def _resamples(size: int) -> Integers:
    """Positions of `RESAMPLES` resamples, always the same, so that equal values always have the same band."""
    return np.random.default_rng(0).integers(0, size, (RESAMPLES, size))
