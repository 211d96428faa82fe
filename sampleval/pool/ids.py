"""Where a pool has ids that a table or a caller names."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import Text, fail
from sampleval.pool.task import Integers


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
    """The positions of a table's ids in a pool, (n,). One message tells all that it lacks: such a row may have a misspelt id.

    Args:
        ids: (n,) ids in the table.
        known: (N,) ids of the pool.
        name: The table's column of ids.
    """
    found = places(ids, pd.Index(known, dtype=object))
    if len(lost := np.flatnonzero(found < 0)):
        _refuse_strangers(ids, lost, known, name)
    return found


def _refuse_strangers(ids: Text, lost: Integers, known: Text, name: str) -> NoReturn:
    rows = _checks.listed([f"{_checks.shown(ids[row])} at row {row}" for row in lost], 5)
    first, near = str(ids[lost[0]]), known[:2000].tolist()
    if len(lost) == len(ids):
        remedy = _checks.nearest(first, near)
        fail(name, f"must hold ids of the pool; none of these is one: {rows}", remedy=remedy)
    some = f"{len(lost):,} of {len(ids):,} rows {'has' if len(lost) == 1 else 'have'} an id that is not in it: {rows}"
    meant = f" ({found})" if (found := _checks.alike(first, near)) else ""
    keep = f"to drop these rows, if none is a typing error{meant}, keep df[df[{name!r}].astype(str).isin(pool.ids)]"
    fail(name, f"must hold ids of the pool; {some}", remedy=keep)
