"""The first rows of a table, which show most of what there is to see in it."""

from __future__ import annotations

from typing import Any, TypeVar

import pandas as pd

from sampleval import _checks

HEAD = 1000  # first rows, in which most columns already show what they are not
Rows = TypeVar("Rows", "pd.DataFrame", "pd.Series[Any]")


def head_and_all(rows: Rows) -> tuple[Rows, Rows]:
    """The first rows, then all rows: under `all(…)`, a test looks at all of them only if the first ones pass it."""
    return rows.head(HEAD), rows


def first_known(cells: pd.Series[Any], most: int) -> list[Any]:
    """The first cells that are not missing, up to so many.

    >>> first_known(pd.Series([None, "a", None, "b"]), 1)
    ['a']
    """
    known = cells.head(HEAD).dropna()
    return list((known if len(known) >= most else cells.dropna()).head(most))


def first_distinct(cells: pd.Series[Any], most: int) -> list[Any]:
    """The first distinct cells that are not missing, up to so many; a `TypeError` if some are lists or records.

    >>> first_distinct(pd.Series(["b", None, "a", "b"]), 3)
    ['b', 'a']
    """
    # Only among any Python objects may lists follow where the first rows hold none.
    rows = cells if cells.dtype == object else cells.head(HEAD + most)
    distinct = _checks.plain(rows).dropna().unique()
    if len(distinct) < most and len(rows) < len(cells):
        distinct = _checks.plain(cells).dropna().unique()
    return list(distinct[:most])
