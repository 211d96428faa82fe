"""Rows without ids belong to a pool's items by their order, which an index may contradict."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sampleval._checks import fail
from sampleval.numerals import many
from sampleval.pool.core import Pool


def rows_in_order(index: pd.Index[Any], pool: Pool) -> None:
    """Refuse rows without ids that are not the pool's, or that their index puts in another order.

    Args:
        index: The index of the frame.
        pool: The pool.
    """
    if len(index) != pool.size:
        rule = f"must have the pool's {many(pool.size, 'row')}, since there is no id column"
        fail("df", rule, len(index))
    if _reordered(index, _index(pool)):
        rule = (
            "must have its rows in the order of the pool, since there is no id column; its index has another"
        )
        both = "reset the index of this frame and of the pool's"  # one may have been reset already
        fail("df", rule, remedy=f"undo the sorting, or if the rows are in the right order {both}")


def rows_reordered(given: object, pool: Pool) -> bool:
    """Whether a series or frame of N rows has those of the pool, by their index or ids, in another order."""
    if not isinstance(given, pd.Series | pd.DataFrame):
        return False
    ids = pd.Index(pool.ids, dtype=object)  # which are text, also those that were numbers
    readings = (given.index, _index(pool)), (given.index.map(str), ids)
    if any(index.equals(known) for index, known in readings):
        return False
    return any(_reordered(index, known) for index, known in readings)


def classes_reordered(given: object, pool: Pool) -> bool:
    """Whether a frame of C columns has those of the pool's classes in another order."""
    if not isinstance(given, pd.DataFrame):
        return False
    return _reordered(given.columns.map(str), pd.Index(pool.task.classes, dtype=object))


def _index(pool: Pool) -> pd.Index[Any]:
    """The index of the frame that the pool was made from."""
    return pd.RangeIndex(pool.size) if pool.rows is None else pool.rows


def _reordered(index: pd.Index[Any], known: pd.Index[Any]) -> bool:
    """Whether an index as long as the known one has all its rows, but in another order."""
    return not index.equals(known) and known.is_unique and index.is_unique and bool(index.isin(known).all())
