"""What the Data page shows about a pool. It is kept in memory, because summarising ten million scores takes seconds."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from sampleval import frames
from sampleval.pool import Labels, Pool, deciding_threshold, scored
from sampleval.pool.fingerprint import digest


@dataclass(frozen=True, slots=True)
class Look:
    """A pool in numbers.

    Attributes:
        scores: Of `frames.histogram`; `None` where there are decisions only.
        positive: Of `frames.predicted_positive`.
        trust: Of `frames.reliability`; `None` without labels, or without scores.
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
    of_classes = not numbers and scored(_pool)
    return Look(
        frames.histogram(_pool) if numbers or of_classes else None,
        frames.predicted_positive(_pool),
        frames.reliability(_pool, _known) if _known is not None and count and of_classes else None,
        count,
        deciding_threshold(_pool),
    )
