"""Frames for reading: titles in place of names, numbers in words, no more columns than needed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from sampleval.metrics import Metric
from sampleval.offline import Conflict, Rejected
from sampleval.study import Estimate, Study
from sampleval.ui import words


def is_share(metric: Metric) -> bool:
    """Whether a metric lies between 0 and 1, so that it can stand on one scale with others."""
    return metric.range == (0.0, 1.0) and not metric.total


def bounds(metric: Metric, population: int) -> tuple[float | None, float | None]:
    """Smallest and largest value in the metric's own unit, `None` where there is no end."""
    low, high = (end * (population if metric.total else 1) for end in metric.range)
    return low if math.isfinite(low) else None, high if math.isfinite(high) else None


def metrics(study: Study, found: Sequence[Estimate]) -> pd.DataFrame:
    """Every estimate with its interval."""
    level = words.share(found[0].interval.level) if found else ""
    rows = []
    for estimate in found:
        metric, interval = study.metric(estimate.metric), estimate.interval
        written = words.count if metric.total else words.number
        rows.append(
            {
                "Metric": metric.title,
                "Estimate": written(estimate.value),
                f"{level} interval": f"{written(interval.low)} to {written(interval.high)}",
            }
        )
    return pd.DataFrame(rows)


def conflicts(found: Sequence[Conflict]) -> pd.DataFrame:
    """Lines of a sheet that differ from the answer given before."""
    return pd.DataFrame(
        [{"Line": c.line, "Item": c.id, "Given before": c.given, "In the sheet": c.answer} for c in found]
    )


def rejected(found: Sequence[Rejected]) -> pd.DataFrame:
    """Lines of a sheet that could not be used, and why."""
    return pd.DataFrame(
        [{"Line": r.line, "Item": r.id, "In the sheet": r.answer, "Why not": r.reason} for r in found]
    )
