"""Roles of columns: who holds the score, the decision, the id; what was told of them, and which can matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from sampleval._checks import fail, listed, shown
from sampleval.pool.naming import by_prefix, column_role
from sampleval.pool.task import Kind, Task

OUTPUT = frozenset({"score", "pred", "error"})  # a system's
ColumnSpec = str | Sequence[str] | Mapping[str, str]
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


@dataclass(frozen=True, slots=True)
class Columns:
    """Every role and the columns that play it.

    Attributes:
        kind: The kind of task.
        classes: Class names; binary: (negative, positive).
        systems: The systems and their columns.
        id: The id column; None: row numbers.
        label: The label column, in multilabel one per class; () if there is none.
        fields: The columns to show.
        system: In a long table (one row per item and system) the column that names the system.
        hidden: Columns left out of the fields because they may give the answer or the model away, or number the rows.
        explanation: The guess in one sentence.
        question: What must be told because it cannot be guessed; "" if nothing.
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
    def model(self) -> tuple[str, ...]:
        """Every column that holds a system's output."""
        return tuple(dict.fromkeys(name for role, name in self.roles if role in OUTPUT))

    @property
    def roles(self) -> Iterator[tuple[str, str]]:
        """(role, column) of every role but that of a field."""
        for system in self.systems:
            yield from (("score", name) for name in system.score)
            yield from (("pred", name) for name in system.pred)
            yield from (("error", name) for name in (system.error,) if name)
        yield from (("label", name) for name in self.label)
        yield from ((role, name) for role, name in (("id", self.id), ("system", self.system)) if name)

    def by_threshold(self) -> Columns:
        """The same roles without guessed decisions, where scores and a threshold that was told make them."""
        if self.kind not in ("binary", "multilabel") or not all(own.score for own in self.systems):
            return self
        unused = [name for own in self.systems for name in own.pred if name not in self.hidden]
        systems = tuple(replace(own, pred=()) for own in self.systems)
        return replace(self, systems=systems, hidden=(*self.hidden, *dict.fromkeys(unused)))


def one_role_each(columns: Columns) -> None:
    """Refuse a column that is told to be two things; only a system's own output may stand for more of it."""
    first: dict[str, str] = {}
    for role, name in columns.roles:
        other = first.setdefault(name, role)
        if other != role and not {other, role} <= OUTPUT:
            why = "a prediction is no known label" if role == "label" else "each column says one thing"
            fail(
                role, f"and `{other}` must be different columns", name, remedy=f"{why}: name another, or none"
            )


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller said about the columns; None: guess."""

    id: str | None = None
    score: ColumnSpec | None = None
    pred: ColumnSpec | None = None
    label: ColumnSpec | None = None
    fields: Sequence[str] | None = None
    task: Kind | Task | None = None
    classes: Sequence[str] | None = None
    system: SystemSpec | None = None
    error: str | None = None

    @property
    def nothing(self) -> bool:
        """Whether every role is left to be guessed."""
        return all(getattr(self, part.name) is None for part in fields(self))


def chosen(threshold: object) -> bool:
    """Whether a threshold is another than the default, so that somebody chose it."""
    return not (isinstance(threshold, float) and threshold == 0.5)


def strings(told: object) -> set[str]:
    """Every string in nested lists and mappings' values.

    >>> sorted(strings({"a": {"score": "p_a"}, "b": ["p_b"]}))
    ['p_a', 'p_b']
    """
    if isinstance(told, str):
        return {told}
    inner = told.values() if isinstance(told, Mapping) else told
    return set().union(*map(strings, inner)) if isinstance(inner, Iterable) else set()


def wanted(names: list[str], told: Told) -> list[str]:
    """The columns to read: all, or where fields are told those and every possible role.

    Args:
        names: The file's columns.
        told: What is known of them.
    """
    if told.fields is None:
        return names
    kept = strings(told.fields) | _by_cells(names, told)
    return [name for name in names if name in kept or plays(name, told)] or names


def _by_cells(names: list[str], told: Told) -> set[str]:
    """The columns whose cells may give them a role that no name suggests: the first, and those whose names begin alike."""
    roles = {column_role(name)[0] for name in names}
    kept = set[str]()
    if told.id is None and not roles & {"id", "weak id"}:
        kept |= set(names[:1])
    if told.score is None and told.system is None and not roles & {"score", "weak score"}:
        kept |= strings(by_prefix(names))
    return kept


def plays(name: str, told: Told) -> bool:
    """Whether a column is told to play a role, or may do so by its name: any other can only be a field.

    >>> plays("p_toxic", Told()), plays("version", Told()), plays("version", Told(label="version"))
    (True, False, True)
    """
    roles = [part.name for part in fields(told) if part.name not in ("task", "classes", "fields")]
    prefixes = tuple(strings([told.score, told.pred, told.label]))
    return (
        name in strings([getattr(told, role) for role in roles]) or name.startswith(prefixes) or _sounds(name)
    )


def _sounds(name: str) -> bool:
    """Whether the name, or what follows a system's prefix, suggests a role."""
    return bool(column_role(name)[0])


def in_code(names: Sequence[str], most: int | None = None) -> str:
    """Columns as a message names them, the first few of many.

    >>> in_code(["id", "score", "text"], 2)
    '`id`, `score` …'
    """
    more = " …" if most is not None and len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def short_code(names: Iterable[str]) -> str:
    """Names of any length as a message shows them, the first dozen of many.

    >>> short_code(["id", "x" * 50])
    '`id`, `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`'
    """
    return listed([f"`{shown(name, 40)[1:-1]}`" for name in names])
