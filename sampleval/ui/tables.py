"""Frames for reading: titles in place of names, numbers in words, no more columns than needed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sampleval.offline import Conflict, Rejected
from sampleval.study import Estimate, Study
from sampleval.ui import words


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
