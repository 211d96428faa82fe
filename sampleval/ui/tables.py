"""Frames for reading: titles in place of names, numbers in words, no more columns than needed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sampleval.study import Estimate, Study
from sampleval.ui import words


def metrics(study: Study, found: Sequence[Estimate]) -> pd.DataFrame:
    """Every estimate with its interval, and what to know about it if there is something to know."""
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
                "To know": estimate.note,
            }
        )
    frame = pd.DataFrame(rows)
    return frame if any(estimate.note for estimate in found) else frame.drop(columns="To know")
