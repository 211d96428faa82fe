"""Predicted numbers that no name tells, and columns beside predicted ones, which may give these or the truth away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sampleval.pool.guessing.cells import ENOUGH, HEAD, loose, numeric
from sampleval.pool.naming import folded, says_bound
from sampleval.pool.task import Floats

CLOSE = 0.5  # R² from which predictions tell what a column holds
# What programs call a predicted number that they write beside its bounds, in the spelling of `folded`.
_CENTRE = frozenset(
    {"mean", "fit", "fitted", "fitted value", "fitted values", "point forecast", "expected value", "mu"}
)


def between_bounds(df: pd.DataFrame, names: Sequence[str]) -> str | None:
    """The column of predicted numbers that only its bounds tell, as `fit` of R beside `lwr` and `upr`; `None` if none is.

    It is called as such columns are, and in each row one bound is below it and one above.
    """
    bounds = [name for name in names if says_bound(name) and numeric(df[name])]
    found = [name for name in central(df, names) if _enclosed(df, name, bounds)]
    return found[0] if len(found) == 1 else None


def central(df: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """The columns of numbers that are called as predictions may be, as `mean` and `fit`."""
    return [name for name in names if folded(name) in _CENTRE and numeric(df[name])]


def _enclosed(df: pd.DataFrame, name: str, bounds: Sequence[str]) -> bool:
    """Whether the numbers in a column are nowhere below one of these bounds and nowhere above another, and mostly between."""
    centre, others = loose(df[name]), [loose(df[bound]) for bound in bounds]
    low = any((other <= centre).all() and (other < centre).mean() > 0.5 for other in others)
    return low and any((other >= centre).all() and (other > centre).mean() > 0.5 for other in others)


def beside_predictions(df: pd.DataFrame, preds: Sequence[str], names: Sequence[str]) -> set[str]:
    """The columns named after a predicted number, as `yhat_lower` is after `yhat`, and those of its bounds."""
    after = tuple(f"{pred}{sign}" for pred in preds for sign in "_-. (")
    named = {name for name in names if name.startswith(after)}
    bounds = {name for name in names if name not in named and says_bound(name)}
    found = named | {name for name in bounds if any(_one_sided(df, name, pred) for pred in preds)}
    return {name for name in found if numeric(df[name])}


def _one_sided(df: pd.DataFrame, name: str, pred: str) -> bool:
    """Whether the numbers in a column are nowhere below the predicted ones, or nowhere above them, as a bound is."""
    values, said = loose(df[name]), loose(df[pred])
    return bool((values >= said).all() or (values <= said).all())


def come_close(df: pd.DataFrame, preds: Sequence[str], name: str) -> bool:
    """Whether predictions come close to what a column holds, which is then the truth or what another model says."""
    head = df.head(HEAD)
    return any(_r2(loose(head[name]), loose(head[pred])) >= CLOSE for pred in preds)


def _r2(truth: Floats, said: Floats) -> float:
    """R² of numbers where both are known; −∞ in too few rows."""
    rows = np.isfinite(truth) & np.isfinite(said)
    if rows.sum() < ENOUGH or not (spread := np.var(truth[rows])):  # that of numbers near 1e-300 is 0
        return -np.inf
    return float(1.0 - np.mean((truth - said)[rows] ** 2) / spread)
