"""Find the role of every column: what the caller says, completed by guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, listed, shown
from sampleval.pool.column_groups import class_by_class, named_alike
from sampleval.pool.columns import Columns, ColumnSpec, Told, in_code, strings
from sampleval.pool.guessing.by_role import ByRole, sort_columns
from sampleval.pool.guessing.cells import numeric, sum_to_one
from sampleval.pool.guessing.classes import name_classes
from sampleval.pool.guessing.forecasts import between_bounds
from sampleval.pool.guessing.hidden import probabilities, to_hide
from sampleval.pool.guessing.identity import identity
from sampleval.pool.guessing.kinds import label_in_doubt
from sampleval.pool.guessing.misses import without_misses
from sampleval.pool.guessing.no_output import without_output
from sampleval.pool.guessing.systems import aspects, find_systems
from sampleval.pool.guessing.told import column_named, set_role, told_roles
from sampleval.pool.naming import role_of, suggesting
from sampleval.pool.tables.spread import in_frame
from sampleval.pool.task import Task


def guess_columns(df: pd.DataFrame) -> Columns:
    """Guess every role from the names and values of the columns. The frame is not changed.

    Args:
        df: (N, …) frame, one row per item (or per item and system).

    Returns:
        The roles, with a sentence of explanation and, if the guess needs help, a question.
    """
    return resolve(in_frame(_checks.frame(df), Told()), Told())


def resolve(df: pd.DataFrame, told: Told) -> Columns:
    """The roles that the caller gave, completed by guesses. If a guess needs help, the result holds a question."""
    # Columns given as a system's output are not guessed to be the id or the label, whatever their names.
    taken = told_roles(df, replace(told, label=None), ByRole()).columns | strings(told.system)
    item, long = identity(df, told, taken)
    free = {name: name for name in df.columns if name not in {item, long, *taken}}
    by_role = told_roles(df, told, sort_columns(df, free))
    columns = find_systems(df, told, by_role, long)
    numbers = not columns.systems and told.kind in (None, "regression") and told.classes is None
    numbers = numbers and _may_be_numbers(df, by_role.of("label"))
    if numbers and (number := between_bounds(df, suggesting(free, "", by_role.columns))):
        by_role.pred = [number]
        columns = find_systems(df, told, by_role, long)
    explanation, label = columns.explanation + _rivals(by_role), _label(columns.task, by_role, told.label)
    columns = replace(columns, id=item, system=long, label=label, explanation=explanation)
    columns.refuse_second_roles()
    doubt = _doubt(df, columns, told)  # about a label too that the next step gives up
    columns = name_classes(df, columns, told)
    label = columns.label or _labels_by_class(df, columns.task, by_role, told.label)
    columns = replace(columns, label=label, question=columns.question or doubt)
    # What an error scale tells is held against the labels, and what is hidden for it is no field.
    return _fields(df, without_misses(df, columns, told), told, by_role)


def _doubt(df: pd.DataFrame, columns: Columns, told: Told) -> str:
    """A question if what the caller left open may well be meant otherwise than it was understood; otherwise ""."""
    doubt = label_in_doubt(df, columns) if told.kind is told.label is told.pred is None else ""
    if not doubt and told.kind is told.system is told.score is None:
        doubt = aspects(df, columns)
    return doubt


def _may_be_numbers(df: pd.DataFrame, labels: Sequence[str]) -> bool:
    """Whether numbers may be predicted, as far as the labels tell: they are neither names nor two numbers, such as 0 and 1."""
    known = [cells for name in labels if len(cells := df[name].dropna())]
    return all(numeric(cells) and cells.nunique() != 2 for cells in known)


def _rivals(by_role: ByRole) -> str:
    """A clause on other columns whose names fit a role that one column was taken for; "" if there are none."""
    roles = {"score": by_role.score, "pred": by_role.pred, "label": by_role.label}
    found = {role: in_code(names[1:]) for role, names in roles.items() if len(names) > 1}
    return "".join(f"; {others} could be the {role} too" for role, others in found.items())


def _label(task: Task, by_role: ByRole, spec: ColumnSpec | None) -> tuple[str, ...]:
    """The label column, or in multilabel one per class if every class has one; () if there is none."""
    if task.kind == "multilabel" and by_role.labels:
        named = tuple(by_role.labels[c] for c in task.classes if c in by_role.labels)
        if len(named) == task.width:
            return named
        if isinstance(spec, Mapping):  # it says whose each column is
            return ()
        if len(by_role.labels) == task.width:
            return class_by_class([*by_role.labels.values()], task.classes)
    return by_role.lone("label")


def _labels_by_class(
    df: pd.DataFrame, task: Task, by_role: ByRole, spec: ColumnSpec | None
) -> tuple[str, ...]:
    """The label column of each class in multilabel, which only the classes' names tell; () in other tasks."""
    if task.kind != "multilabel":
        return ()
    return named_labels(df, task, spec) if isinstance(spec, Mapping) else _label(task, by_role, spec)


def named_labels(df: pd.DataFrame, task: Task, spec: ColumnSpec) -> tuple[str, ...]:
    """The label column, or in multilabel one per class, that the caller names."""
    own = ByRole()
    set_role(df, own, "label", spec)
    found = _label(task, own, spec)
    if not found or (own.labels and len(found) != task.width):
        labels = listed(list(map(shown, task.classes)))
        rule = f"must name one column, or in a multilabel task one per label ({labels})"
        fail("label", rule, own.of("label") if isinstance(spec, str) else spec)
    return found


def _fields(df: pd.DataFrame, columns: Columns, told: Told, by_role: ByRole) -> Columns:
    """The columns with the fields to show and those hidden because they may give the answer away or say nothing."""
    used = columns.used
    rest = [name for name in df.columns if name not in used]
    shares = [name for name in rest if probabilities(df[name])]
    unclaimed = [] if columns.kind == "regression" else _summing(df, shares)
    secret = to_hide(df, columns, by_role, rest, shares) | {*unclaimed, *columns.hidden}
    hidden = [name for name in rest if name in secret or _numbers_rows(df, name)]
    if told.fields is None:
        hidden += [name for name in rest if name not in hidden and df[name].isna().all()]
        fields = [name for name in rest if name not in hidden]
    else:
        fields = _told_fields(df, columns, told.fields)
        hidden = [name for name in hidden if name not in fields]
    columns = replace(columns, fields=tuple(fields), hidden=tuple(hidden))
    if columns.systems:
        return columns
    return without_output(df, columns, unclaimed, numbers=_may_be_numbers(df, columns.label))


def _summing(df: pd.DataFrame, shares: Sequence[str]) -> list[str]:
    """The columns that sum to 1 in each row, of those named alike or of all: scores of classes that no name tells."""
    groups = [*([*group.values()] for group in named_alike(shares)), [*shares]]
    return next((group for group in groups if len(group) > 1 and sum_to_one(df, group)), [])


def _numbers_rows(df: pd.DataFrame, name: str) -> bool:
    """Whether a column is the row index that pandas saves. A column named index that holds text is not."""
    return role_of(name)[0] == "row" and numeric(df[name])


def _told_fields(df: pd.DataFrame, columns: Columns, told: Sequence[str]) -> list[str]:
    if isinstance(told, str):
        told = [told]
    if not isinstance(told, Sequence):
        fail("fields", "must be a list of column names", told)
    fields = list(dict.fromkeys(column_named(df, name, "fields") for name in told))
    for name in fields:
        if name in columns.label:
            fail("fields", "must not hold the label, or it would be shown", name, remedy="leave it out")
    return fields
