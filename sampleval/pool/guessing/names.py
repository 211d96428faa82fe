"""The distinct names in a column's cells, and the keys of records in them."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import name_of
from sampleval.pool.answers import MANY, is_many
from sampleval.pool.guessing.heads import first_distinct, first_known
from sampleval.pool.polarity import whole
from sampleval.pool.tables.lines import LINE, renumbered

# What people, pandas and databases write for a missing value, so that no class has such a name.
NAMELESS = frozenset({"", "nan", "<na>", r"\n", *map(str.lower, _checks.ERRORS)})
NAMES = 50  # most distinct names in a column that are compared with names of columns
NANS = 12  # most spellings of a missing value, in capital and small letters, that one column holds


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
        distinct = first_distinct(series, 50 * (most + 1))
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
    named = {name.lower() for name in classes}
    met = names_in(series, most + len(_checks.MISSING))
    return [name for name in met if name.lower() in named or not _checks.says_missing(name)][: most + 1]


def first_seen(df: pd.DataFrame, column: str, name: str) -> str:
    """Where a column first holds a name, as an aside: a row, or the line of the file; "" if it is spelt otherwise there.

    >>> first_seen(pd.DataFrame({"label": [0, 1, 0, 2.0, 2]}), "label", "2")
    ' (first at row 3)'
    """
    code, cells = pd.factorize(_checks.plain(df[column]))  # in the order of the rows
    meant = next((k for k, cell in enumerate(cells) if whole(name_of(cell, column)) == name), None)
    said = "" if meant is None else f" (first at row {np.argmax(code == meant)})"
    return said if (head := df.attrs.get(LINE)) is None else renumbered(said, head)


def nested(series: pd.Series[Any]) -> bool:
    """Whether the cells are lists or sets, judged by the first cell that is not missing."""
    return any(map(is_many, first_known(series, 1)))


def keys_in(series: pd.Series[Any]) -> list[str]:
    """The keys of the records in a column, judged by its first known cell; [] if it holds none."""
    return _keys(next(iter(first_known(series, 1)), None))


def _keys(cell: object) -> list[str]:
    """The keys of a record, of the first one in a list of them, or of either as text, as CSV files hold it; else [].

    >>> _keys({"label": "spam"}), _keys('[{"label": "spam"}]'), _keys("{'label': 'spam'}"), _keys("[spam]")
    (['label'], ['label'], ['label'], [])
    """
    if isinstance(cell, str) and cell.strip()[:1] in ("{", "["):
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return _keys(read(cell.strip()))
    if is_many(cell):
        return _keys(next(iter(cell), None))
    return [str(key) for key in cell] if isinstance(cell, dict) else []
