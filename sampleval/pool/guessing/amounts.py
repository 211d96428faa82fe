"""Numbers in columns that may hold text: whether there are any, amounts, and whether columns of them sum to 1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.pool.guessing.heads import first_known
from sampleval.pool.task import Flags, Floats

LONGEST = 60  # most characters of a number: on longer text the pattern below would try every way to split it
# Numbers as people write them, with thousands and a currency,
AMOUNT = re.compile(
    r"^\s*[€$£¥]?\s*[+-]?\s*\d{1,3}([,.’' \u00a0\u202f]?\d{3})*([.,]\d+)?\s*(€|\$|£|¥|%|EUR|USD)?\s*$"
)
MEASURE = re.compile(r"^\s*[+-]?\d{1,9}[.,]\d+\s*[^\W\d_]{1,5}[²³]?\s*$")  # and decimals with a unit
SIZES = 20  # most sizes among which to choose, as 0.5 l and 1.5 l


def numeric(series: pd.Series[Any]) -> bool:
    """Whether the cells are numbers, or one of the first hundred is text that can be read as a number."""
    return _checks.holds_numbers(series) or any(map(_reads, first_known(series, 100)))


def _reads(cell: object) -> bool:
    """Whether a cell is a number, also with a decimal comma. A column with commas is refused by name, not overlooked."""
    # Older NumPy makes a number of a list of one.
    if _checks.says_missing(cell) or isinstance(cell, np.ndarray):
        return False
    if _checks.comma(cell):
        return True
    try:
        float(cell.rstrip().removesuffix("%") if isinstance(cell, str) else cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def loose(series: pd.Series[Any]) -> Floats:
    """The cells as numbers, for inspection only; all nan if some cell is not a number."""
    try:
        return _checks.cells(series, "cells")
    except _checks.InputError:
        return np.full(len(series), np.nan)


def fractions(series: pd.Series[Any]) -> bool:
    """Whether some cell holds a number that is not whole."""
    if not numeric(series):
        return False
    values = loose(series)
    return bool((values > np.floor(values)).any())  # infinite ones have no remainder


def recur(series: pd.Series[Any]) -> bool:
    """Whether each cell of a column occurs at least twice on average."""
    try:
        return bool(2 * series.nunique() <= series.count())
    except TypeError:  # lists and records among the cells
        return False


def all_amounts(series: pd.Series[Any], names: Sequence[str]) -> bool:
    """Whether all names are amounts. A few that recur with their unit, as 0.5 l and 1.5 l, are the names of sizes."""
    short = all(len(name) <= LONGEST for name in names)
    if not short or all(map(AMOUNT.match, names)):
        return short
    sizes = len(names) <= SIZES and recur(series)
    return not sizes and all(AMOUNT.match(name) or MEASURE.match(name) for name in names)


def sum_to_one(df: pd.DataFrame, names: Sequence[str]) -> bool:
    """Whether these columns sum to 1, or to 100 as percentages, in at least 99% of the rows."""
    total = np.zeros(len(df))
    for name in names:
        total += loose(df[name])
    known = np.flatnonzero(np.isfinite(total))

    def held(whole: float) -> bool:
        def shares(rows: Flags) -> Floats:
            return np.column_stack([loose(df[name].iloc[known[rows]]) for name in names]) / whole

        return bool(_checks.sums_to_one(total[known] / whole, len(names), shares).mean() >= 0.99)

    return len(known) > 0 and (held(1.0) or held(100.0))
