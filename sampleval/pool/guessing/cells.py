"""What the cells of a column hold: numbers, names, lists or records. The first rows show most of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import name_of
from sampleval.pool.answers import MANY, is_many
from sampleval.pool.spellings import spelt, whole
from sampleval.pool.tables.written import begins_nested, from_text
from sampleval.pool.task import Flags, Floats
from sampleval.pool.unknown import NAMELESS

HEAD = 1000  # first rows, in which most columns already show what they are not
FIRST = 20_000  # rows that are compared where all might take long
ENOUGH = 20  # rows, items or labels: with fewer, what is seen in all of them may be chance
Rows = TypeVar("Rows", "pd.DataFrame", "pd.Series[Any]")
NAMES = 50  # most distinct names in a column that are compared with names of columns
NANS = 12  # most spellings of a missing value, in capital and small letters, that one column holds


def head_and_all(rows: Rows) -> tuple[Rows, Rows]:
    """The first rows, then all rows: under `all(…)`, a test looks at all of them only if the first ones pass it."""
    return rows.head(HEAD), rows


def _first_known(cells: pd.Series[Any], most: int) -> list[Any]:
    """The first cells that are not missing, up to so many.

    >>> _first_known(pd.Series([None, "a", None, "b"]), 1)
    ['a']
    """
    known = cells.head(HEAD).dropna()
    return list((known if len(known) >= most else cells.dropna()).head(most))


def first_cell(cells: pd.Series[Any]) -> Any:
    """The first cell that is not missing; `None` if there is none."""
    return next(iter(_first_known(cells, 1)), None)


def _first_distinct(cells: pd.Series[Any], most: int) -> list[Any]:
    """The first distinct cells that are not missing, up to so many; a `TypeError` if some are lists or records.

    >>> _first_distinct(pd.Series(["b", None, "a", "b"]), 3)
    ['b', 'a']
    """
    # Only among any Python objects may lists follow where the first rows hold none.
    rows = cells if cells.dtype == object else cells.head(HEAD + most)
    distinct = _checks.plain(rows).dropna().unique()
    if len(distinct) < most and len(rows) < len(cells):
        distinct = _checks.plain(cells).dropna().unique()
    return list(distinct[:most])


def numeric(series: pd.Series[Any]) -> bool:
    """Whether the cells are numbers, or one of the first hundred is text that can be read as a number."""
    return _checks.holds_numbers(series) or any(map(_reads, _first_known(series, 100)))


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


def names_in(series: pd.Series[Any], most: int = 2) -> list[str]:
    """Up to `most` + 1 distinct names in a column, without `nan` and other spellings of missing values.

    The result is empty if the cells are lists or records.
    """
    return [name for name in every_name(series, most) if name.lower() not in NAMELESS][: most + 1]


def met_in(df: pd.DataFrame, columns: Iterable[str], most: int = NAMES) -> set[str]:
    """The names in several columns, of each as `names_in`."""
    return {name for column in columns for name in names_in(df[column], most)}


def wholes(names: Iterable[str]) -> set[str]:
    """Names with whole numbers written without decimals, so that names of columns and names in cells can be compared."""
    return set(map(whole, names))


def every_name(series: pd.Series[Any], most: int) -> list[str]:
    """Distinct names in the first 50·(most + 1) distinct cells of a column, including spellings of missing values.

    It stops once there are more than `most` + `NANS` names, so that more than `most` remain without the missing values.
    The result is empty if the cells are lists or records.
    """
    try:
        distinct = _first_distinct(series, 50 * (most + 1))
    except TypeError:
        return []
    if any(isinstance(cell, (*MANY, dict)) for cell in distinct):
        return []
    names: dict[str, None] = {}
    for cell in distinct:
        names[name_of(cell, str(series.name))] = None
        if len(names) > most + NANS:
            break
    return list(names)


def labels_in(series: pd.Series[Any], classes: Iterable[str] = (), most: int = 2) -> list[str]:
    """As `names_in`, for labels that may be unknown: a word such as NA counts only if it is the name of a class."""
    named = {*map(spelt, classes)}
    met = names_in(series, most + len(_checks.MISSING))
    return [name for name in met if spelt(name) in named or not _checks.says_missing(name)][: most + 1]


def nested(series: pd.Series[Any]) -> bool:
    """Whether the cells are lists or sets, judged by the first cell that is not missing."""
    return is_many(first_cell(series))


def keys_in(series: pd.Series[Any]) -> list[str]:
    """The keys of the records in a column, judged by its first known cell; [] if it holds none."""
    return _keys(first_cell(series))


def _keys(cell: object) -> list[str]:
    """The keys of a record, of the first one in a list of them, or of either as text, as CSV files hold it; else [].

    >>> _keys({"label": "spam"}), _keys('[{"label": "spam"}]'), _keys("{'label': 'spam'}"), _keys("[spam]")
    (['label'], ['label'], ['label'], [])
    """
    if isinstance(cell, str) and begins_nested(cell):
        return _keys(from_text(cell))
    if is_many(cell):
        return _keys(next(iter(cell), None))
    return [str(key) for key in cell] if isinstance(cell, dict) else []
