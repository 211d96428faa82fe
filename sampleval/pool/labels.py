"""Known labels, which are kept apart from the pool and refer to it by its fingerprint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from sampleval import _checks
from sampleval._checks import Text, fail, shown, undamaged
from sampleval.numerals import many
from sampleval.pool import files
from sampleval.pool.answer_columns import encode_cells, unknown_labels
from sampleval.pool.answers import decode_label, dtype_of, stored, unlabelled
from sampleval.pool.columns import ColumnName, ColumnSpec, Told
from sampleval.pool.core import Pool, checked
from sampleval.pool.guessing.identity import possible_ids
from sampleval.pool.guessing.roles import named_labels, resolve
from sampleval.pool.guessing.scales import one_unit
from sampleval.pool.naming import role_of
from sampleval.pool.reporting import kind_in_words, labels_in_words
from sampleval.pool.rows import places_in_pool, rows_in_order
from sampleval.pool.tables.spread import in_frame
from sampleval.pool.task import YES_NO, Flags, Integers, Task


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The labels known for a pool's items, in the pool's order.

    >>> df = pd.DataFrame({"id": ["a", "b"], "score": [0.2, 0.7], "label": ["no", "yes"]})
    >>> pool = Pool.from_frame(df)
    >>> Labels.from_frame(df, pool).by_id(pool)
    {'a': 'no', 'b': 'yes'}

    Attributes:
        task: What is predicted.
        values: Encoded labels, (N,) or in multilabel (N, C), with −1 (in regression nan) where unknown.
        known: Which items have a label, (N,) bool.
        fingerprint: The fingerprint of the pool they belong to.
        report: What was understood, in plain words.
    """

    task: Task
    values: NDArray[np.generic]
    known: Flags
    fingerprint: str
    report: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.values.flags.writeable = False
        self.known.flags.writeable = False

    def __repr__(self) -> str:
        known = f"{self.known.sum():,} of {many(len(self), 'item')}"
        return f"<{type(self).__name__} of {known}: {kind_in_words(self.task)}>"

    def __len__(self) -> int:
        return len(self.known)

    @property
    def complete(self) -> bool:
        """Whether every item of the pool has a label."""
        return bool(self.known.all())

    def of(self, index: Integers) -> NDArray[np.generic]:
        """The encoded labels at these positions.

        Args:
            index: Positions in the pool, (n,).

        Raises:
            InputError: A position is not in the pool, or has no known label.
        """
        index = _checks.as_array(index)
        if index.size and (index.dtype.kind not in "iu" or index.min() < 0 or index.max() >= len(self)):
            fail("index", f"must hold positions from 0 to {len(self) - 1}", index.tolist())
        index = index.astype(np.intp)
        if len(missing := index[~self.known[index]]):
            rule = "must hold positions with a known label"
            fail("index", rule, int(missing[0]), remedy="ask for items in `known` only")
        return self.values[index]

    def by_id(self, pool: Pool) -> dict[str, str | float | tuple[str, ...]]:
        """A dictionary id → label of all labelled items, in the form that a study takes labels held beforehand.

        Args:
            pool: The pool that the labels belong to.

        Raises:
            InputError: They belong to another pool.
        """
        belonging(self, pool)
        at = np.flatnonzero(self.known)
        return {
            str(id): decode_label(self.task, y) for id, y in zip(pool.ids[at], self.values[at], strict=True)
        }

    @classmethod
    def from_frame(
        cls, df: pd.DataFrame, pool: Pool, label: ColumnSpec | None = None, *, id: ColumnName | None = None
    ) -> Labels:
        """The labels in a frame, matched to the pool by id; missing cells are unknown.

        Args:
            df: Rows in any order, of all or some of the pool's items.
            pool: The pool.
            label: Column, or in multilabel one per label (list, prefix or mapping); by default
                the pool's own label columns, or else one whose name suggests a label.
            id: Id column; by default the pool's, or if its ids are row numbers a column whose name says id.

        Raises:
            InputError: A cell is no label of the task, an id is not in the pool, or an item has two labels.
        """
        df, pool = _checks.frame(df), checked(pool)
        item = id if id is not None else _id_column(df, pool)
        told = Told.by_caller(item, (), (), label, (), pool.task)
        if label is None and not pool.columns.label:  # a decision in records is no label
            df = in_frame(df, told)
        names = _label_columns(df, pool, told)
        rows = _rows(df, pool, told.id)
        if pool.task.kind == "regression":
            one_unit(df, [*names, *(name for name in pool.columns.model if name in df.columns)])
        values, known = _encoded(df, pool, names, pool.ids[rows])
        labels = _aligned(pool, rows, values, known, names)
        roles = {*names, *pool.columns.fields, *pool.columns.hidden}
        said = unknown_labels(pool.task, df, names)
        if not item:
            why = "may hold ids, but those of the pool are row numbers: the labels are taken in the order of the rows"
            said += [f"`{name}` {why}" for name in possible_ids(df, roles)]
        new = [line for each in said if (line := f"{each}.") not in pool.report]  # both are read together
        return replace(labels, report=(*labels.report, *new))

    def to_parquet(self, path: str | Path) -> Path:
        """Write the labels to one file, which appears whole or not at all, and return its path.

        Args:
            path: The file; an existing one is replaced.

        Raises:
            InputError: The file cannot be written.
        """
        about = {
            "task": asdict(self.task),
            "fingerprint": self.fingerprint,
            "report": self.report,
        }
        columns = {"known": pa.array(self.known), **files.spread("value", self.values)}
        return files.write_table("labels", columns, about, _checks.path(path))

    @classmethod
    def from_parquet(cls, path: str | Path, pool: Pool | None = None) -> Labels:
        """The labels in a file that `to_parquet` wrote.

        Args:
            path: The file.
            pool: The pool that they must belong to; by default any pool.

        Raises:
            InputError: The file is missing or damaged, a value is no label of its task, or the labels are another pool's.
        """
        table, about = files.read_table(_checks.path(path), "labels")
        with undamaged("labels file", remedy=files.DAMAGED, name="path", place=str(path)):
            task = files.read_task(about["task"])
            wide = task.kind == "multilabel"
            found = files.gather(table, "value", task, wide=wide, dtype=np.float64)
            known = np.array(table.column("known").to_numpy(), dtype=bool)
            labels = cls(
                task, stored(task, found, known), known, about["fingerprint"], tuple(about["report"])
            )
        return labels if pool is None else belonging(labels, pool, "path")


def belonging(labels: object, pool: Pool, name: str = "labels", *, remedy: str = "") -> Labels:
    """The labels, if they belong to this pool; others are refused, since they may be of other items or in another order.

    Args:
        labels: The argument passed as labels.
        pool: The pool that they must belong to.
        name: The argument's name, for the message.
        remedy: Advice for labels of another pool; by default how to make them.
    """
    remedy = remedy or "make them with Labels.from_frame(df, pool)"
    own = _checks.instance(labels, Labels, name, remedy=remedy)
    if (own.fingerprint, own.task, len(own)) != (checked(pool).fingerprint, pool.task, pool.size):
        fail(name, "must hold the labels of this pool; these are of another", remedy=remedy)
    return own


def all_of(labels: object, pool: Pool) -> Labels:
    """The labels, if they belong to this pool and none is missing, as computing the true values requires.

    Args:
        labels: The argument passed as labels.
        pool: The pool that they must belong to.
    """
    own = belonging(labels, pool)
    if not own.complete:
        missing = str(pool.ids[np.flatnonzero(~own.known)[0]])
        remedy = "take a pool whose labels are all known"
        fail("labels", f"must hold every item's label; item {shown(missing)} has none", remedy=remedy)
    return own


def _id_column(df: pd.DataFrame, pool: Pool) -> str | None:
    """The frame's id column, or `None`: the pool's own one, or if its ids are row numbers a column named like an id."""
    own = pool.columns.id
    known = [name for name in df.columns if (role_of(name)[0] == "id" if own is None else name == own)]
    return known[0] if known else None


def _label_columns(df: pd.DataFrame, pool: Pool, told: Told) -> tuple[str, ...]:
    """One label column, or in multilabel one per class."""
    if told.label is not None:
        return named_labels(df, pool.task, told.label)
    if pool.columns.label and all(name in df.columns for name in pool.columns.label):
        return pool.columns.label
    found = resolve(df, Told(id=told.id, task=pool.task, fields=())).label
    if not found:
        remedy = _checks.nearest("label", df.columns)
        fail("label", "must name a column: none looks like a label", remedy=remedy)
    return found


def _rows(df: pd.DataFrame, pool: Pool, item: str | None) -> Integers:
    """The position in the pool of every row of the frame."""
    if item is None:
        if pool.columns.id is not None:
            rule = f"must name the id column: the pool's, {pool.columns.id!r}, is not in the frame"
            remedy = _checks.nearest(pool.columns.id, df.columns)
            indexed = df.index.name == pool.columns.id
            fail("id", rule, remedy="its index is: pass df.reset_index()" if indexed else remedy)
        rows_in_order(df.index, pool)
        return np.arange(pool.size, dtype=np.intp)
    ids = _checks.identifiers(_checks.column(df, item, "id"), item)
    if len(ids) == pool.size and (ids == pool.ids).all():  # the pool's own frame: no look-up needed
        return np.arange(pool.size, dtype=np.intp)
    return places_in_pool(ids, pool.ids, item)


def _encoded(
    df: pd.DataFrame, pool: Pool, names: tuple[str, ...], ids: Text
) -> tuple[NDArray[np.generic], Flags]:
    if len(names) == 1:
        return encode_cells(pool.task, df[names[0]], ids)
    parts = [encode_cells(YES_NO, df[name], ids) for name in names]
    values = np.column_stack([part[0] for part in parts]).astype(dtype_of(pool.task))
    known = np.logical_and.reduce([part[1] for part in parts])
    return values, known


def _aligned(
    pool: Pool, rows: Integers, values: NDArray[np.generic], known: Flags, names: Sequence[str]
) -> Labels:
    """The labels in the pool's order; two different labels of one item are refused."""
    task = pool.task
    out = unlabelled(task, pool.size)
    have = np.zeros(pool.size, dtype=bool)
    out[rows[known]] = values[known]
    have[rows[known]] = True
    differ = out[rows[known]] != values[known]
    differ = differ.any(axis=1) if differ.ndim == 2 else differ
    if differ.any():
        one = np.flatnonzero(known)[differ][0]
        other = np.flatnonzero(known & (rows == rows[one]))[-1]  # the row written last is in `out`
        where = f"{shown(pool.ids[rows[one]])} has others at rows {one} and {other}"
        rule = f"must not give one item two labels; {where}"
        fail(names[0], rule, remedy="settle the disagreement first")
    said = labels_in_words(task, pool.systems, pool.columns.systems, out, have, names)
    return Labels(task, out, have, pool.fingerprint, said)
