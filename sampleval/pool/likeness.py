"""Whether items of two pools that have the same ids are the same items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import pandas as pd

from sampleval._checks import Text, isolated, listed, shown
from sampleval.numerals import as_written
from sampleval.pool.core import Pool
from sampleval.pool.reporting import kind_in_words
from sampleval.pool.tables.workbooks import as_text
from sampleval.pool.task import Task

LOOKED_AT = 64  # ids by which all of a pool are judged
LONGEST = 100  # letters of a cell that are compared as they are
SHORT = 3  # letters of an id that anything may be called
# Row numbers, "i17", "doc 0042": the same in tables that have nothing else in common.
_COUNT = re.compile(r"\D*0*\d{1,7}")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike what is shown of some items is in two pools.

    Attributes:
        items: How many items were compared.
        equal: The fields of both pools that are equal for all of them.
        unlike: Each other field of both pools → for how many of them it differs.
        telling: Whether the equal fields tell most of the items apart, by more than numbers that count them.
    """

    items: int
    equal: tuple[str, ...] = ()
    unlike: dict[str, int] = field(default_factory=dict)
    telling: bool = False

    @property
    def same(self) -> bool:
        """Whether nothing differs and what is equal belongs to these items alone."""
        return self.telling and not self.unlike


def counted(ids: Text) -> bool:
    """Whether ids may be mere counts, such as row numbers, which say nothing of an item.

    >>> import numpy as np
    >>> counted(np.array(["0", "1"])), counted(np.array(["i7", "i9"])), counted(np.array(["3f9a-b2", "77c0-1d"]))
    (True, True, False)
    """
    some = ids[:: max(1, len(ids) // LOOKED_AT)]
    return 2 * sum(len(id) <= SHORT or _COUNT.fullmatch(id) is not None for id in some) >= len(some)


def likeness(pool: Pool, ids: Sequence[str] | Text, fields: pd.DataFrame) -> Likeness:
    """How alike items are in a pool and in another table.

    Args:
        pool: The pool.
        ids: Ids of items of the other table, (n,); those that the pool lacks are left out.
        fields: What the other table shows of them, n rows.
    """
    both = [k for k, id in enumerate(ids) if id in pool]
    known = [str(ids[k]) for k in both]
    own, other = pool.fields.iloc[pool.positions(known)], fields.iloc[both]
    equal, unlike = {}, {}
    for name in (name for name in pool.fields.columns if name in fields.columns):
        cells = [list(map(_shown, table[name])) for table in (own, other)]
        if differ := sum(a != b for a, b in zip(*cells, strict=True)):
            unlike[str(name)] = differ
        else:
            equal[str(name)] = cells[0]
    proper = [cells for cells in equal.values() if not _counts(known, cells)]
    apart = len(set(zip(*proper, strict=True)))
    return Likeness(len(known), tuple(equal), unlike, bool(proper) and 0 < len(known) < 2 * apart)


def brief(fields: pd.DataFrame) -> pd.DataFrame:
    """What `likeness` compares of a table, with pictures and long texts as short digests, to be kept in memory in its place."""
    return fields.map(_shown)


def _shown(cell: Any) -> str:
    """A cell as annotators see it, whatever type its column has: 7 in one table is 7.0 where another cell is missing."""
    if isinstance(cell, bytes):
        return f"bytes {blake2b(cell, digest_size=16).hexdigest()}"
    if len(said := as_text(as_written(cell))) <= LONGEST:
        return said
    return f"text {blake2b(said.encode(errors='surrogatepass'), digest_size=16).hexdigest()}"


def _counts(ids: Iterable[str], cells: Iterable[str]) -> bool:
    """Whether a field only counts the items as their ids do, like the row numbers that a table was written with."""
    ends = [re.search(r"\d+$", id) for id in ids]
    pairs = [(end, re.fullmatch(r"\d+", cell)) for end, cell in zip(ends, cells, strict=True)]
    return all(a and b for a, b in pairs) and len({int(a[0]) - int(b[0]) for a, b in pairs if a and b}) < 2


def incompatible(labelled: Task, task: Task) -> str:
    """Why labels given for one task cannot be taken for those of another; "" if they can, by the names of the classes.

    >>> incompatible(Task(), Task("binary", ("1", "0"))), incompatible(Task(), Task("regression", ()))
    ('', "its task is two classes, '0' (negative) and '1' (positive), and here it is a number per item (regression)")
    >>> incompatible(Task("multiclass", ("a", "b", "c")), Task("multiclass", ("c", "a", "b", "new")))
    "its classes lack 'new', which its labels could not be"
    """
    if labelled.kind != task.kind:
        return f"its task is {kind_in_words(labelled)}, and here it is {kind_in_words(task)}"
    new, gone = (
        [c for c in these if c not in those]
        for these, those in ((task.classes, labelled.classes), (labelled.classes, task.classes))
    )
    if task.kind == "binary" and (new or gone):
        own, here = kind_in_words(labelled), kind_in_words(task)
        return f"its labels are of {own}, and here of {here} (call them alike when reading the table)"
    if gone:
        return f"it has labels of classes that are none here: {_few(gone)}"
    return f"its classes lack {_few(new)}, which its labels could not be" if new else ""


def _few(names: Sequence[str]) -> str:
    return listed([isolated(shown(name)) for name in names], most=3)
