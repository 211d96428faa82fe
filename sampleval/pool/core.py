"""The pool: scored items without their labels, so that nothing can leak into a design."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sampleval import _checks
from sampleval._checks import Text, fail
from sampleval.numerals import many
from sampleval.pool import building, files
from sampleval.pool.columns import ColumnName, Columns, ColumnSpec, SystemSpec, ThresholdSpec, Told, chosen
from sampleval.pool.fields import read_fields
from sampleval.pool.fingerprint import fingerprint
from sampleval.pool.guessing.roles import resolve
from sampleval.pool.guessing.scales import Transform, scale
from sampleval.pool.reporting import kind_in_words, report
from sampleval.pool.rows import places
from sampleval.pool.tables.reading import opened
from sampleval.pool.tables.spread import in_frame
from sampleval.pool.task import Floats, Integers, Items, Kind, System, Task
from sampleval.pool.thresholds import Threshold, thresholds


@dataclass(frozen=True, eq=False)
class Pool:
    """N scored items of a finite population, without their labels: `from_frame` takes a table, `read` a file.

    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9], "label": [0, 0, 1]}))
    >>> bool((pool.pred == (pool.score >= pool.threshold)).all()), "label" in pool.fields
    (True, False)

    Attributes:
        ids: Ids as text, (N,), all different.
        task: What is predicted.
        systems: The systems under test, one or more, each on all N items.
        fields: What may be shown to annotators, (N, …): text, numbers, truth values or bytes.
        threshold: Score from which an item is predicted positive, possibly one per label; columns of decisions win over it.
        columns: The columns that played each role.
        report: What was understood, in plain words.
        rows: Index of its frame, (N,), by which labels without ids are seen to be in another order; `None` for 0, 1, …
    """

    ids: Text
    task: Task
    systems: tuple[System, ...]
    fields: pd.DataFrame = field(default_factory=pd.DataFrame)
    threshold: Threshold = 0.5
    columns: Columns = field(default_factory=Columns)
    report: tuple[str, ...] = ()
    rows: pd.Index[Any] | None = None

    def __post_init__(self) -> None:
        if not self.systems:
            fail("systems", "must hold at least one system")
        if self.fields.empty:
            object.__setattr__(self, "fields", pd.DataFrame(index=pd.RangeIndex(len(self.ids))))
        for system in self.systems:
            if not len(self.ids) == len(system.pred) == len(system.score) == len(self.fields):
                fail("systems", f"must hold {len(self)} items, as many as there are ids", len(system.pred))
        # A pool is shared, so nobody may change it.
        for array in (self.ids, *(array for s in self.systems for array in (s.score, s.pred, s.error))):
            array.flags.writeable = False

    def __repr__(self) -> str:
        return f"<Pool of {many(self.size, 'item')}: {kind_in_words(self.task)}>"

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def size(self) -> int:
        """The number of items N."""
        return len(self.ids)

    @cached_property
    def items(self) -> Items:
        """All items in the form that losses take."""
        return Items(self.task, np.arange(self.size), self.systems)

    @property
    def score(self) -> Floats:
        """The first system's scores: (N,) binary, (N, C) otherwise, (N, 0) in regression."""
        return self.systems[0].score

    @property
    def pred(self) -> NDArray[Any]:
        """The first system's decisions, encoded as labels are."""
        return self.systems[0].pred

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of ids, systems, task and fields, as 64 hexadecimal digits. Labels are not part of it."""
        return fingerprint(self.ids, self.systems, self.task, self.fields)

    def __contains__(self, id: object) -> bool:
        """Whether an item has this id, as text or as the number it was read from."""
        return _checks.id_of(id) in self._index

    @cached_property
    def _index(self) -> pd.Index[str]:
        return pd.Index(self.ids, dtype=object, copy=False)

    def position(self, item: object) -> int:
        """The position of one id; an unknown id is refused.

        Args:
            item: The id, as text or as the number it was read from.
        """
        return int(self.positions([item])[0])

    def positions(self, ids: Iterable[object]) -> Integers:
        """The positions of these ids, (n,).

        Args:
            ids: Ids, as text or as the numbers they were read from.

        Raises:
            InputError: No list of ids, or an unknown id.
        """
        given: object = [ids] if isinstance(ids, str | bytes) else ids
        if not _checks.listable(given):
            fail("ids", "must be a list of ids", given, remedy="for one id ask for its position")
        wanted = [_checks.id_of(item) for item in given]
        found = places(wanted, self._index)
        if (found < 0).any():
            lost = wanted[int((found < 0).argmax())]
            fail("id", "is not in the pool", lost, remedy=_checks.nearest(lost, self.ids[:2000]))
        return found

    @classmethod
    def from_frame(
        cls,
        df: pd.DataFrame,
        *,
        id: ColumnName | None = None,
        score: ColumnSpec | None = None,
        pred: ColumnSpec | None = None,
        threshold: ThresholdSpec = 0.5,
        label: ColumnSpec | None = None,
        fields: Sequence[ColumnName] | None = None,
        task: Kind | Task | None = None,
        transform: Transform | None = None,
        classes: Sequence[str] | None = None,
        system: SystemSpec | None = None,
        error: ColumnName | None = None,
    ) -> Pool:
        """The pool in a frame. Roles that are not given are guessed, and the report says how.

        Args:
            df: One row per item, or per item and system; unnamed columns are called by their number, records spread as in `read`.
            id: Column of ids, which are kept as text; row numbers if there is none.
            score: Column of p(positive), in [0, 1] up to 1e-6; or a list, a prefix ("score_"), a mapping class → column.
            pred: Column(s) of decisions, which win over the threshold; () for none.
            threshold: Score in [0, 1] from which an item is predicted positive, or a mapping
                label → threshold. Any value but the default also replaces guessed columns of decisions.
            label: Column(s) of known labels, which stay out of the pool and serve only to find the class names.
            fields: Columns to show; by default those without a role that do not seem to give the answer away.
            task: "binary", "multiclass", "multilabel", "regression", or a Task.
            transform: "sigmoid" maps margins to probabilities, "softmax" rows of margins; "percent" divides by 100; with
                "confidence" c is the decision's own probability: the score is c if it is positive and 1 − c if not.
            classes: Class names; binary: (negative, positive).
            system: Column that names the system in a long table, or a mapping name → {"score": …, "pred": …, "error": …}.
            error: Column of the standard deviation expected of y − pred (regression).

        Raises:
            InputError: The input is unsound; the message names argument, rule, value, row and remedy.
        """
        told = Told.by_caller(id, score, pred, label, fields, task, classes, system, error)
        return cls._told(in_frame(_checks.frame(df), told), told, threshold, transform)

    @classmethod
    def _told(
        cls, df: pd.DataFrame, told: Told, threshold: ThresholdSpec, transform: Transform | None
    ) -> Pool:
        columns = resolve(df, told)
        if told.pred is None and chosen(threshold):
            columns = columns.by_threshold()
        return cls.from_columns(df, columns, threshold=threshold, transform=transform)

    @classmethod
    def from_columns(
        cls,
        df: pd.DataFrame,
        columns: Columns,
        *,
        threshold: ThresholdSpec = 0.5,
        transform: Transform | None = None,
    ) -> Pool:
        """The pool in a frame in which the role of every column is known (see `guess_columns`).

        Args:
            df: One row per item, or per item and system.
            columns: The column of every role.
            threshold: As in `from_frame`.
            transform: As in `from_frame`.

        Raises:
            InputError: `columns` holds a question, or the input is unsound.
        """
        df, remedy = _checks.frame(df), "make them with sampleval.pool.guess_columns(df)"
        _checks.instance(columns, Columns, "columns", remedy=remedy)
        if columns.question:
            raise _checks.InputError(columns.question)
        columns.refuse_second_roles()
        df = in_frame(df, columns.told)
        for name in (*(name for _, name in columns.roles), *columns.fields):
            _checks.column(df, name, "columns")
        if transform is not None:
            _checks.choice(transform, get_args(Transform), "transform")
        task = columns.task
        rules = building.Rules(thresholds(task, threshold), scale(df, columns, transform))
        ids = building.read_ids(df, columns)
        systems = [building.read_system(df, task, own, rules, ids) for own in columns.systems]
        shown = df
        if columns.system is not None:
            ids, rows = building.split_long(df, columns, ids)
            systems = [system.take(rows[system.name]) for system in systems]
            shown = df.iloc[rows[systems[0].name]]
        elif columns.id is not None:
            _checks.unique(ids, columns.id)
        fields, notes = read_fields(shown, columns.fields)
        words = report(df, columns, tuple(systems), rules, len(ids), notes)
        return cls(ids, task, tuple(systems), fields, rules.threshold, columns, words, shown.index)

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        id: ColumnName | None = None,
        score: ColumnSpec | None = None,
        pred: ColumnSpec | None = None,
        threshold: ThresholdSpec = 0.5,
        label: ColumnSpec | None = None,
        fields: Sequence[ColumnName] | None = None,
        task: Kind | Task | None = None,
        transform: Transform | None = None,
        classes: Sequence[str] | None = None,
        system: SystemSpec | None = None,
        error: ColumnName | None = None,
    ) -> Pool:
        """The pool in a CSV, TSV, Parquet, JSON or Excel file (also `.gz`), as the ending of its name says.

        The other arguments are those of `from_frame`. Ids in CSV keep their leading zeros; scores by class in records or lists
        become columns `score_CLASS`, a decision and its score in a record columns `decision` and `confidence`. If the fields
        are given, only the columns needed are read. A saved pool, which holds its decisions, takes no threshold.

        Raises:
            InputError: If the file is missing or damaged, or its columns do not make a pool.
        """
        told = Told.by_caller(id, score, pred, label, fields, task, classes, system, error)
        if told.nothing and files.is_saved(path):
            files.as_saved(threshold, transform)
            return cls.from_parquet(path)
        with opened(path, told) as df:
            return cls._told(df, told, threshold, transform)

    def to_parquet(self, path: str | Path) -> Path:
        """Write the pool to one self-contained file, which appears whole or not at all, and return its path.

        Args:
            path: The file; an existing one is replaced.
        """
        return files.write_pool(self, _checks.path(path))

    @classmethod
    def from_parquet(cls, path: str | Path) -> Pool:
        """The pool in a file that `to_parquet` wrote; a damaged file is refused.

        Args:
            path: The file.

        Raises:
            InputError: The file is missing, damaged or changed, or holds no pool.
        """
        return files.read_pool(_checks.path(path), cls)


def checked(pool: object) -> Pool:
    """The argument, if it is a pool; anything else is refused."""
    return _checks.instance(pool, Pool, "pool", remedy="make one with Pool.from_frame(df)")
