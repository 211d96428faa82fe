"""Columns of numbers beside predicted ones, which may give these or the truth away."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from sampleval.pool.guessing.amounts import HEAD, loose, numeric
from sampleval.pool.naming import folded
from sampleval.pool.task import Floats

CLOSE = 0.5  # R² from which predictions tell what a column holds
ENOUGH = 20  # rows that show it
_BOUND = re.compile(r"\b(?:lower|upper|lwr|upr|low|high|lo|hi|lb|ub)\b")  # of an interval


def beside_predictions(df: pd.DataFrame, preds: Sequence[str], names: Sequence[str]) -> set[str]:
    """The columns named after a predicted number, as `yhat_lower` is after `yhat`, and those of its bounds.

    Args:
        df: (N, …) frame.
        preds: The columns of predicted numbers.
        names: The columns in question.
    """
    after = tuple(f"{pred}{sign}" for pred in preds for sign in "_-. (")
    named = {name for name in names if name.startswith(after)}
    bounds = {name for name in names if name not in named and _BOUND.search(folded(name))}
    found = named | {name for name in bounds if any(_bounds(df, name, pred) for pred in preds)}
    return {name for name in found if numeric(df[name])}


def _bounds(df: pd.DataFrame, name: str, pred: str) -> bool:
    """Whether the numbers in a column are all above the predicted ones, or all below them."""
    values, said = loose(df[name]), loose(df[pred])
    return bool((values >= said).all() or (values <= said).all())


def come_close(df: pd.DataFrame, preds: Sequence[str], name: str) -> bool:
    """Whether predictions come close to what a column holds, which is then the truth or what another model says.

    Args:
        df: (N, …) frame.
        preds: The columns of predicted numbers.
        name: A column of numbers.
    """
    head = df.head(HEAD)
    return any(_r2(loose(head[name]), loose(head[pred])) >= CLOSE for pred in preds)


def _r2(truth: Floats, said: Floats) -> float:
    """R² of numbers where both are known; −∞ in too few rows."""
    rows = np.isfinite(truth) & np.isfinite(said)
    if rows.sum() < ENOUGH or not np.ptp(truth[rows]):
        return -np.inf
    return float(1.0 - np.mean((truth - said)[rows] ** 2) / np.var(truth[rows]))
