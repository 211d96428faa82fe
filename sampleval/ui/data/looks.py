"""What the Data page shows about a pool. It is kept in memory, because summarising ten million scores takes seconds."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from sampleval import frames, plots
from sampleval.intervals import LEVEL
from sampleval.pool import Labels, Pool, deciding_threshold, scored
from sampleval.pool.fingerprint import digest
from sampleval.ui import charts, words


@dataclass(frozen=True, slots=True)
class Look:
    """A pool in numbers.

    Attributes:
        scores: Of `frames.histogram`; `None` where there are decisions only.
        positive: Of `frames.predicted_positive`.
        trust: Of `frames.reliability`, or of `frames.prediction_error` in regression; `None` without labels or scores.
        known: How many labels are known.
        threshold: To mark among the scores, `None` if there is not exactly one, or decisions do not follow it.
    """

    scores: pd.DataFrame | None
    positive: pd.DataFrame
    trust: pd.DataFrame | None
    known: int
    threshold: float | None


def look(pool: Pool, known: Labels | None) -> Look:
    """The numbers that describe a pool."""
    labels = "" if known is None else digest(known.values)
    return _look(f"{pool.fingerprint}|{pool.threshold}|{labels}", pool, known)


@st.cache_resource(show_spinner="Counting …", max_entries=8)
def _look(key: str, _pool: Pool, _known: Labels | None) -> Look:
    count = 0 if _known is None else int(_known.known.sum())
    numbers = _pool.task.kind == "regression"
    seen = numbers or scored(_pool)
    against = frames.prediction_error if numbers else frames.reliability
    return Look(
        frames.histogram(_pool) if seen else None,
        frames.predicted_positive(_pool),
        against(_pool, _known) if _known is not None and count and seen else None,
        count,
        deciding_threshold(_pool),
    )


def show_trust(rows: pd.DataFrame, pool: Pool) -> None:
    """A picture of how well scores or predictions agree with the known labels."""
    sure = words.sure(LEVEL)
    if pool.task.kind == "regression":
        alt = f"Mean known number against the mean prediction of ten groups, with {sure} intervals."
        charts.chart(plots.prediction_error(rows), rows, key="calibration", alt=alt)
        return
    outcome = "right" if pool.task.kind == "multiclass" else "truly positive"
    alt = f"Share of items {outcome} against the mean score of ten groups, with {sure} intervals."
    charts.chart(plots.reliability(rows, outcome=outcome), rows, key="calibration", alt=alt)
