"""Where a pool has the rows of a table: by ids, or without ids by their order, which an index may contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import Text, fail
from sampleval.numerals import many
from sampleval.pool.task import Integers

if TYPE_CHECKING:
    from sampleval.pool.core import Pool


def places(ids: list[str] | Text, known: pd.Index[str]) -> Integers:
    """The positions of ids among known ones, (n,), also where spaces stand around them; −1 where there is none.

    >>> places(["b", " a ", "c"], pd.Index(["a", "b"]))
    array([ 1,  0, -1])
    """
    found: Integers = known.get_indexer(pd.Index(ids, dtype=object)).astype(np.intp)
    if len(rest := np.flatnonzero(found < 0)):
        found[rest] = known.get_indexer(pd.Index([str(ids[row]).strip() for row in rest], dtype=object))
    return found


def places_in_pool(ids: Text, known: Text, name: str) -> Integers:
    """The positions of a table's ids, from its column `name`, among the N of a pool, (n,).

    One message tells all that the pool lacks: such a row may have a misspelt id.
    """
    found = places(ids, pd.Index(known, dtype=object))
    if not len(lost := np.flatnonzero(found < 0)):
        return found
    rows = _checks.listed([f"{_checks.shown(ids[row])} at row {row}" for row in lost], 5)
    first, near = str(ids[lost[0]]), known[:2000].tolist()
    if len(lost) == len(ids):
        remedy = _checks.nearest(first, near)
        fail(name, f"must hold ids of the pool; none of these is one: {rows}", remedy=remedy)
    some = f"{len(lost):,} of {len(ids):,} rows {'has' if len(lost) == 1 else 'have'} an id that is not in it: {rows}"
    meant = f" ({alike})" if (alike := _checks.alike(first, near)) else ""
    keep = f"to drop these rows, if none is a typing error{meant}, keep df[df[{name!r}].astype(str).isin(pool.ids)]"
    return fail(name, f"must hold ids of the pool; {some}", remedy=keep)


def rows_in_order(index: pd.Index[Any], pool: Pool) -> None:
    """Refuse rows without ids that are not the pool's, or that their index puts in another order."""
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
