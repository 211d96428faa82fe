"""Roles of columns (score, decision, id …): what the caller says about them, and which columns have to be read."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval._checks import fail, listed, shown
from sampleval.pool.column_groups import named_alike
from sampleval.pool.naming import SCORES, column_role
from sampleval.pool.task import Kind, Task

SYSTEM_ROLES = frozenset({"score", "pred", "error"})  # roles of columns that hold a system's output
ColumnName = str | int  # pandas numbers columns that have no name
ColumnSpec = ColumnName | Sequence[ColumnName] | Mapping[str, ColumnName]
ThresholdSpec = float | Mapping[str, float]
SystemSpec = str | Mapping[str, Mapping[str, ColumnSpec]]


@dataclass(frozen=True, slots=True)
class SystemColumns:
    """The columns of one system.

    Attributes:
        name: The system's name; "" where there is only one.
        score: One column, or one per class in the classes' order; () if there is none.
        pred: One column, in multilabel one per class; () if decisions follow from the scores.
        error: The column of the error scale (regression).
    """

    name: str = ""
    score: tuple[str, ...] = ()
    pred: tuple[str, ...] = ()
    error: str | None = None

    def in_order(self, own: Sequence[str], classes: Sequence[str]) -> SystemColumns:
        """The same columns with those per class, which stand in the order of `own`, in the order of these classes."""
        score, pred = (in_order(names, own, classes) for names in (self.score, self.pred))
        return replace(self, score=score, pred=pred)


def in_order(names: tuple[str, ...], own: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """Columns per class, which stand in the order of `own`, in the order of these classes; any others as they are.

    >>> in_order(("p_b", "p_a"), ["b", "a"], ["a", "b"]), in_order(("p",), ["b", "a"], ["a", "b"])
    (('p_a', 'p_b'), ('p',))
    """
    return tuple(names[own.index(c)] for c in classes) if len(names) == len(own) > 1 else names


@dataclass(frozen=True, slots=True)
class Columns:
    """Every role and the columns that play it.

    Attributes:
        kind: The kind of task.
        classes: Class names; binary: (negative, positive).
        systems: The systems and their columns.
        id: The id column; `None` if row numbers are the ids.
        label: The label column, in multilabel possibly one per class; () if there is none.
        fields: The columns to show.
        system: The column that names the system in a long table, which has one row per item and system.
        hidden: Columns not shown because they are empty, number the rows, or may give the answer or the model away.
        explanation: The guess in one sentence.
        question: What the caller must say because it cannot be guessed; "" if nothing.
    """

    kind: Kind = "binary"
    classes: tuple[str, ...] = ("0", "1")
    systems: tuple[SystemColumns, ...] = ()
    id: str | None = None
    label: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    system: str | None = None
    hidden: tuple[str, ...] = ()
    explanation: str = ""
    question: str = ""

    @property
    def task(self) -> Task:
        """The task that these columns describe."""
        return Task(self.kind, self.classes)

    @property
    def scores(self) -> tuple[str, ...]:
        """The columns of scores of all systems; those that they share, as in a long table, once."""
        return self._of({"score"})

    @property
    def preds(self) -> tuple[str, ...]:
        """The columns of decisions of all systems; those that they share, as in a long table, once."""
        return self._of({"pred"})

    @property
    def model(self) -> tuple[str, ...]:
        """Every column that holds a system's output."""
        return self._of(SYSTEM_ROLES)

    def _of(self, roles: Container[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for role, name in self.roles if role in roles))

    @property
    def roles(self) -> Iterator[tuple[str, str]]:
        """Pairs (role, column) for all roles except the fields to show."""
        for system in self.systems:
            yield from (("score", name) for name in system.score)
            yield from (("pred", name) for name in system.pred)
            yield from (("error", name) for name in (system.error,) if name)
        yield from (("label", name) for name in self.label)
        yield from ((role, name) for role, name in (("id", self.id), ("system", self.system)) if name)

    @property
    def used(self) -> set[str]:
        """Every column with a role except the fields to show."""
        return {name for _, name in self.roles}

    @property
    def told(self) -> Told:
        """The same columns as if the caller had named them, the hidden ones among the fields."""
        return Told(self.id, self.scores, self.preds, self.label, (*self.fields, *self.hidden))

    def by_threshold(self) -> Columns:
        """The same roles without columns of decisions, if the scores and a threshold can make the decisions instead."""
        if self.kind not in ("binary", "multilabel") or not all(own.score for own in self.systems):
            return self
        unused = [name for name in self.preds if name not in self.hidden]
        systems = tuple(replace(own, pred=()) for own in self.systems)
        return replace(self, systems=systems, hidden=(*self.hidden, *unused))

    def refuse_second_roles(self) -> None:
        """Refuse a column in two roles, unless both are roles of a system's output (score, decision, error)."""
        first: dict[str, str] = {}
        for role, name in self.roles:
            other = first.setdefault(name, role)
            if other != role and not {other, role} <= SYSTEM_ROLES:
                why = "a prediction is no known label" if role == "label" else "each column says one thing"
                rule = f"and `{other}` must be different columns"
                fail(role, rule, name, remedy=f"{why}: name another, or none")


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller said about the columns; `None` stands for a role to be guessed."""

    id: str | None = None
    score: ColumnSpec | None = None
    pred: ColumnSpec | None = None
    label: ColumnSpec | None = None
    fields: Sequence[str] | None = None
    task: Kind | Task | None = None
    classes: Sequence[str] | None = None
    system: SystemSpec | None = None
    error: str | None = None

    @classmethod
    def by_caller(cls, *roles: Any) -> Told:
        """What a caller says, in the order of the attributes; columns may be called by number, or listed as `df.columns[2:]`.

        >>> Told.by_caller(0, range(1, 3)).score
        ('1', '2')
        """
        return cls(*map(_in_text, roles))

    @property
    def kind(self) -> Kind | None:
        """The kind of task, given alone or as part of a `Task`."""
        return self.task.kind if isinstance(self.task, Task) else self.task

    @property
    def names(self) -> Sequence[str] | None:
        """The names of the classes, given alone or as part of a `Task`."""
        return self.task.classes if self.classes is None and isinstance(self.task, Task) else self.classes

    @property
    def class_names(self) -> tuple[str, ...]:
        """The same as text, as far as they are a list; () if not given."""
        return tuple(str(name) for name in self.names) if isinstance(self.names, Sequence) else ()

    @property
    def nothing(self) -> bool:
        """Whether every role is left to be guessed."""
        return all(getattr(self, part.name) is None for part in fields(self))


def _in_text(spec: Any) -> Any:
    """The same names as text, as in the checked frame: pandas numbers the columns that nobody named."""
    if isinstance(spec, Mapping):
        return {key: _in_text(inner) for key, inner in spec.items()}
    if isinstance(spec, np.generic | np.ndarray | pd.Index):
        spec = spec.tolist()
    if isinstance(spec, list | tuple | range):
        return tuple(map(_in_text, spec))
    return str(spec) if isinstance(spec, int) and not isinstance(spec, bool) else spec


def chosen(threshold: object) -> bool:
    """Whether a threshold differs from the default, so that somebody must have chosen it."""
    return not (isinstance(threshold, float) and threshold == 0.5)


def strings(told: object) -> set[str]:
    """All strings in nested lists and in the values of mappings.

    >>> sorted(strings({"a": {"score": "p_a"}, "b": ["p_b"]}))
    ['p_a', 'p_b']
    """
    if isinstance(told, str):
        return {told}
    inner = told.values() if isinstance(told, Mapping) else told
    return set().union(*map(strings, inner)) if isinstance(inner, Iterable) else set()


def wanted(names: list[str], told: Told) -> list[str]:
    """The columns of a file to read: all, or if the fields are given only these and the columns that may play a role."""
    if told.fields is None or not strings(told.fields) <= {*names}:  # a refusal tells what the file has
        return names
    kept = strings(told.fields) | _by_cells(names, told)
    return [name for name in names if name in kept or _plays(name, told)] or names


def _by_cells(names: list[str], told: Told) -> set[str]:
    """The columns to read because their cells may show a role that no name suggests.

    Without a name for the id this is the first column; without one for the scores, all columns whose names begin alike.
    """
    roles = {column_role(name)[0] for name in names}
    kept = set[str]()
    if told.id is None and not roles & {"id", "weak id"}:
        kept |= set(names[:1])
    if told.score is None and told.system is None and roles.isdisjoint(SCORES):
        kept |= strings(named_alike(names))
    return kept


def _plays(name: str, told: Told) -> bool:
    """Whether the caller gives a column a role or its name suggests one. All other columns can only be fields.

    >>> _plays("p_toxic", Told()), _plays("version", Told()), _plays("version", Told(label="version"))
    (True, False, True)
    """
    outputs = [told.score, told.pred, told.label]
    named = strings([*outputs, told.id, told.system, told.error])
    return name in named or name.startswith(tuple(strings(outputs))) or bool(column_role(name)[0])


def in_code(names: Sequence[str], most: int | None = None) -> str:
    """Column names in backquotes for a message, at most the first `most` of them.

    >>> in_code(["id", "score", "text"], 2)
    '`id`, `score` …'
    """
    more = " …" if most is not None and len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def short_code(names: Iterable[str]) -> str:
    """Names in backquotes for a message, cut to 40 characters, at most the first twelve of them.

    >>> short_code(["id", "x" * 50])
    '`id`, `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`'
    """
    return listed([f"`{shown(name, 40)[1:-1]}`" for name in names])
