"""Which column plays which role: what was told, completed by a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.cells import names_in_sets
from sampleval.pool.columns import Columns, Told, one_role_each, role_of, strings
from sampleval.pool.identity import identity
from sampleval.pool.parts import (
    Parts,
    column_named,
    labels_in,
    names_in,
    nested,
    numeric,
    sort_columns,
    told_parts,
)
from sampleval.pool.polarity import polar, sense
from sampleval.pool.systems import find_systems, in_order
from sampleval.pool.task import Task


def guess_columns(df: pd.DataFrame) -> Columns:
    """Guess every role from the names and values of the columns; nothing is changed.

    Args:
        df: (N, …) frame, one row per item (or per item and system).

    Returns:
        The roles, with a sentence of explanation and, where the guess needs help, a question.
    """
    return resolve(_checks.frame(df), Told())


def resolve(df: pd.DataFrame, told: Told) -> Columns:
    """What was told, completed by guesses: every role, or a question in the result."""
    # What is told to be a system's output is not guessed to be the id or the label, whatever its name.
    taken = told_parts(df, replace(told, label=None), Parts()).columns | strings(told.system)
    item, long = identity(df, told, taken)
    free = {name: name for name in df.columns if name not in {item, long, *taken}}
    parts = told_parts(df, told, sort_columns(df, free))
    kind, classes, systems, why = find_systems(df, told, parts, long)
    columns = Columns(kind, classes, systems, item, system=long, explanation=why)
    columns = replace(columns, label=_label(columns, parts))
    one_role_each(columns)
    columns = _classes(df, columns, told)
    return _fields(df, columns, told, parts)


def _label(columns: Columns, parts: Parts) -> tuple[str, ...]:
    """The label column, in multilabel one per class if each has its own."""
    if columns.kind == "multilabel" and parts.labels:
        named = tuple(parts.labels[c] for c in columns.classes if c in parts.labels)
        if len(named) == len(columns.classes):
            return named
        if len(parts.labels) == len(columns.classes):
            return tuple(parts.labels.values())
    one = parts.label or (list(parts.labels.values()) if len(parts.labels) == 1 else [])
    return tuple(one[:1])


def _classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """Complete the class names from what was told, the columns' names, or their values."""
    if columns.kind == "regression" or not columns.systems:
        return replace(columns, classes=() if columns.kind == "regression" else ("0", "1"))
    given = (
        told.classes
        if told.classes is not None
        else (told.task.classes if isinstance(told.task, Task) else None)
    )
    if given is not None:
        return _given(columns, given)
    if columns.kind == "binary":
        return _binary_classes(df, columns, told)
    if columns.classes:
        return columns
    classes = _classes_by_value(df, columns)
    if len(classes) < (2 if columns.kind == "multiclass" else 1):
        return replace(columns, classes=classes, question=_too_few(columns, classes))
    return replace(columns, classes=classes)


def _too_few(columns: Columns, classes: tuple[str, ...]) -> str:
    """The question where a table names no class, or just one of several."""
    own, other = columns.systems[0], 'or choose another task (task="binary")'
    if own.score:
        return f"which columns hold the scores of the other classes? `{own.score[0]}` is one alone: name one per class, {other}"
    named = _listed(classes) if classes else "none"
    return f"which classes are there? `{own.pred[0]}` names {named}: name them all with `classes`, {other}"


def _given(columns: Columns, given: Sequence[str]) -> Columns:
    """Told class names; per-class columns follow their order if they bear the same names."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        fail("classes", "must be a list of names", given)
    names = tuple(name_of(name, "classes") for name in given)
    if len(set(names)) < len(names) or not all(names) or len(names) < 2:
        fail("classes", "must hold two or more different names", list(given))
    if columns.kind == "binary" and len(names) != 2:
        fail("classes", "must be (negative, positive) in a binary task", list(given))
    if columns.classes and len(columns.classes) != len(names):
        fail("classes", f"must name the {len(columns.classes)} score columns", list(given))
    if set(columns.classes) == set(names):
        decisions = [(columns.kind, columns.classes, system, "") for system in columns.systems]
        return replace(columns, classes=names, systems=tuple(in_order(d, names) for d in decisions))
    return replace(columns, classes=names)


def _classes_by_value(df: pd.DataFrame, columns: Columns) -> tuple[str, ...]:
    """Classes that no column names: positions in a block of scores, or the values met."""
    first = columns.systems[0]
    if first.score and nested(df[first.score[0]]):
        return tuple(str(k) for k in range(len(df[first.score[0]].dropna().iloc[0])))
    outputs = [name for system in columns.systems for name in system.pred]
    if columns.kind == "multilabel":
        names = {name for column in (*outputs, *columns.label) for name in names_in_sets(df[column])}
    else:
        names = {name for column in outputs for name in names_in(df, column, 1000)}
        names |= {name for column in columns.label for name in labels_in(df, column, names, 1000)}
    return tuple(sorted(names, key=lambda name: (len(name), name) if name.isdigit() else (99, name)))


def _binary_classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """(negative, positive) from the names met in label and decisions, or a question."""
    of_pred = [name for s in columns.systems for p in s.pred for name in names_in(df, p)]
    of_label = _two_names(df, columns.label[0], of_pred) if columns.label else []
    if len(of_label) > 2:
        if told.label is not None:
            some = ", ".join(_checks.shown(name) for name in of_label)
            fail(
                "label",
                f"must hold two classes; `{columns.label[0]}` holds {some} and perhaps more",
                remedy='map another column, or name the task (task="multiclass")',
            )
        why = f"{columns.explanation}; `{columns.label[0]}` is no two-class label"
        columns, of_label = replace(columns, label=(), explanation=why), []
    met = list(dict.fromkeys([*of_label, *of_pred]))
    pair = polar(of_label) or _by_sense(of_label) or polar(of_pred) or _mentioned(columns, met)
    if pair or not met:
        return replace(columns, classes=pair or ("0", "1"))
    where = columns.label[0] if of_label else columns.systems[0].pred[0]
    some = " and ".join(_checks.shown(name) for name in met[:3])
    question = (
        f"`{where}` holds {some}: which class is positive? Name both with `classes`, the negative one first"
    )
    return replace(columns, classes=(*met, "?")[:2] if len(met) < 2 else tuple(met[:2]), question=question)


def _two_names(df: pd.DataFrame, label: str, of_pred: Sequence[str]) -> list[str]:
    """The names in a column of labels, each in one spelling where several mean the same: `Yes`, `YES` and `1`.

    A word such as None is a name where decisions bear it, or where else one class would have no label.
    """
    names = labels_in(df, label, of_pred, 20)
    met = names_in(df, label, 20)
    if len(names) == 1 and len(met) == 2 and not polar(names):
        names = met
    sides = [sense(name) for name in names]
    meaning = sides if None not in sides else [name.lower() for name in names]
    return list(dict(zip(reversed(meaning), reversed(names), strict=True)).values())[::-1][:3]


def _by_sense(names: Sequence[str]) -> tuple[str, str] | None:
    """(negative, positive) of two names of different pairs, such as `0` and `yes`."""
    sides = {sense(name): name for name in names}
    return (sides[0], sides[1]) if len(names) == 2 and sides.keys() == {0, 1} else None


def positive_name(columns: Columns) -> str:
    """What the score column's name says a positive is: "complaint" for `prob_complaint`; "" if nothing.

    Args:
        columns: The roles, of two classes.
    """
    said = {role_of(name) for system in columns.systems for name in system.score}
    names = {name.replace("_", " ") for role, name in said if role == "score"}
    name = names.pop() if len(names) == 1 else ""
    return "" if name.isdigit() else name


def _mentioned(columns: Columns, met: Sequence[str]) -> tuple[str, str] | None:
    """The class that the score column's name mentions (`score_spam`) is the positive one."""
    suffixes = {role_of(name)[1].lower() for system in columns.systems for name in system.score} - {""}
    positive = [name for name in met if name.lower() in suffixes]
    negative = [name for name in met if name.lower() not in suffixes]
    if len(positive) == 1 and len(met) <= 2:
        return (negative[0] if negative else f"not {positive[0]}"), positive[0]
    return None


def _fields(df: pd.DataFrame, columns: Columns, told: Told, parts: Parts) -> Columns:
    """The columns to show, and those held back because they may give the answer away."""
    used = {columns.id, columns.system, *columns.label, *columns.model}
    answers = [name for name, sure in possible_labels(df, columns).items() if sure]
    rest = [name for name in df.columns if name not in used]
    sets = [name for name in rest if columns.kind == "multilabel" and _of_classes(df[name], columns.classes)]
    telling = {*parts.label, *parts.labels.values(), *columns.classes, *answers, *sets}
    hidden = [name for name in rest if name in telling or _tells(name)]
    if told.fields is None:
        fields = [name for name in rest if name not in hidden and not df[name].isna().all()]
        empty = [name for name in rest if name not in hidden and name not in fields]
        hidden += empty
    else:
        fields = _told_fields(df, columns, told.fields)
        hidden = [name for name in hidden if name not in fields]
    question = columns.question
    if not columns.systems:
        question = (
            f"no column holds a score or a prediction; there is {_listed(df.columns)}: name one, score=…"
        )
    return replace(columns, fields=tuple(fields), hidden=tuple(hidden), question=question)


def possible_labels(df: pd.DataFrame, columns: Columns) -> dict[str, bool]:
    """Columns that by their values may be the label where none is known to be, and whether the values are answers.

    Answers are yes and no, 0 and 1, or names of the classes. With two classes any other two values may be the label
    too, but as often they tell parts of the pool apart. A number is the answer where the prediction bears its name:
    `price` beside `predicted_price`.

    Args:
        df: (N, …) frame.
        columns: The roles found so far.
    """
    if columns.label or columns.kind == "multilabel":
        return {}
    if columns.kind == "regression":
        named = {role_of(name)[1].lower() for system in columns.systems for name in system.pred} - {""}
        return {name: True for name in df.columns if name.lower() in named and numeric(df[name])}
    used, most = {columns.id, columns.system, *columns.model}, max(2, len(columns.classes))
    head = df.head(1000)  # texts are not read to their end
    few = [
        name for name in df.columns if name not in used and len(_few_names(head, name, columns, most)) <= most
    ]
    met = {name: names for name in few if 0 < len(names := _few_names(df, name, columns, most)) < len(df)}
    answers = {name: _answers(names, columns) for name, names in met.items()}
    pairs = {name for name, names in met.items() if len(names) == 2 and columns.kind == "binary"}
    return {name: sure for name, sure in answers.items() if sure or name in pairs}


def _of_classes(series: pd.Series[Any], classes: Sequence[str]) -> bool:
    """Whether a column holds names of these classes and sets of them, and nothing else."""
    known = {name.lower() for name in classes}
    try:
        met = [{name.lower() for name in names_in_sets(part)} for part in (series.head(1000), series)]
    except _checks.InputError:
        return False
    return all(names and names <= known for names in met)


def _answers(names: Sequence[str], columns: Columns) -> bool:
    """Whether these names are answers to the question which class an item is of."""
    sense = columns.kind == "binary" and polar(names)
    return bool(sense) or {name.lower() for name in names} <= {name.lower() for name in columns.classes}


def _few_names(df: pd.DataFrame, name: str, columns: Columns, most: int) -> list[str]:
    """Up to most + 1 distinct names in a column; [] if its cells are no names."""
    try:
        return labels_in(df, name, columns.classes, most)
    except _checks.InputError:
        return []


def _tells(name: str) -> bool:
    """Whether a name sounds like an answer or a model's output."""
    role = role_of(name)[0]
    return role in ("label", "score", "weak score", "pred", "margin") or (
        role == "error" and name.startswith("pred")
    )


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


def _listed(names: Sequence[str] | pd.Index[Any]) -> str:
    return _checks.listed([f"`{_checks.shown(str(name), 40)[1:-1]}`" for name in names])
