"""Which column plays which role: what was told, completed by a guess from names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.answers import polar
from sampleval.pool.columns import Columns, ColumnSpec, SystemColumns, Told, role_of
from sampleval.pool.task import Kind, Task


@dataclass(slots=True)
class Parts:
    """The columns of one system by role: those that fill it alone, and those that name a class."""

    score: list[str] = field(default_factory=list)
    pred: list[str] = field(default_factory=list)
    error: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    scores: dict[str, str] = field(default_factory=dict)
    preds: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)


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
    item, long = _identity(df, told)
    parts = _told_parts(df, told, _parts(df, {name: name for name in df.columns if name not in (item, long)}))
    kind, classes, systems, why = _systems(df, told, parts, long)
    columns = Columns(kind, classes, systems, item, system=long, explanation=why)
    columns = _classes(df, replace(columns, label=_label(columns, parts)), told, parts)
    return _fields(df, columns, told, parts)


# ------------------------------------------------------------------ what names and values say


def _parts(df: pd.DataFrame, names: Mapping[str, str]) -> Parts:
    """Sort columns by the roles their (bare) names suggest."""
    parts, weak = Parts(), []
    for bare, name in names.items():
        role, suffix = role_of(bare)
        if role == "weak score" and _numeric(df[name]):
            weak.append(name)
        elif role in ("score", "pred", "error", "label") and not suffix:
            getattr(parts, role).append(name)
        elif role in ("score", "pred", "error", "label") and (role in ("pred", "label") or _numeric(df[name])):
            getattr(parts, role + "s")[suffix] = name
    if not (parts.score or parts.scores) and len(weak) == 1:
        parts.score = weak
    for role in ("score", "pred", "label"):
        getattr(parts, role).sort(key=_rank)
    return parts


def _rank(name: str) -> int:
    """Short, plain names first: `label` before `true_class`."""
    plain = ("score", "prob", "probability", "pred", "prediction", "label", "y", "y_true")
    return plain.index(name.lower()) if name.lower() in plain else len(plain)


def _numeric(series: pd.Series[Any]) -> bool:
    """Whether the cells are numbers or, as text, mostly read as numbers."""
    kind = getattr(series.dtype, "kind", "O")
    if kind in "biuf":
        return True
    head = series.dropna().head(100)
    if kind in "mMc" or head.empty:
        return False
    return any(_reads(cell) for cell in head)


def _reads(cell: object) -> bool:
    try:
        float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _loose(series: pd.Series[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The cells as numbers for a look at them; nan throughout if some are none."""
    try:
        return _checks.cells(series, "cells")
    except _checks.InputError:
        return np.full(len(series), np.nan)


def _sum_to_one(df: pd.DataFrame, names: Sequence[str]) -> bool:
    total = np.zeros(len(df))
    for name in names:
        total += _loose(df[name])
    seen = total[np.isfinite(total)]
    return bool(seen.size and np.mean(np.abs(seen - 1.0) <= 0.01) >= 0.99)


def _names(df: pd.DataFrame, column: str, most: int = 2) -> list[str]:
    """Up to most + 1 distinct names in a column; [] if its cells are lists or records."""
    try:
        distinct = list(_checks.plain(df[column]).dropna().unique())[: 50 * (most + 1)]
    except TypeError:
        return []
    if any(isinstance(cell, list | dict | tuple | set | np.ndarray) for cell in distinct):
        return []
    return list(dict.fromkeys(name_of(cell, column) for cell in distinct))[: most + 1]


def _nested(series: pd.Series[Any]) -> bool:
    head = series.dropna().head(1)
    return not head.empty and isinstance(head.iloc[0], list | tuple | np.ndarray)


# ------------------------------------------------------------------ ids and long tables


def _identity(df: pd.DataFrame, told: Told) -> tuple[str | None, str | None]:
    """The id column, and in a long table the column that names the system."""
    long = told.system if isinstance(told.system, str) else None
    if long is not None:
        _checks.column(df, long, "system")
    if told.id is not None:
        _checks.column(df, told.id, "id")
        item: str | None = told.id
    else:
        item = _guess_id(df)
    if told.system is None and item is not None and _repeats(df[item]):
        named = [name for name in df.columns if role_of(name)[0] == "system" and name != item]
        long = next((name for name in named if not _repeats(df[[item, name]])), None)
    return item, long


def _guess_id(df: pd.DataFrame) -> str | None:
    named = [name for name in df.columns if role_of(name)[0] == "id"]
    named.sort(key=lambda name: name.lower() != "id")
    if len(named) > 1:
        named.sort(key=lambda name: _repeats(df[name]))
    return named[0] if named else None


def _repeats(cells: pd.Series[Any] | pd.DataFrame) -> bool:
    try:
        return bool(cells.duplicated().any())
    except TypeError:
        return False


# ------------------------------------------------------------------ what was told


def _told_parts(df: pd.DataFrame, told: Told, parts: Parts) -> Parts:
    """The guessed parts with the told ones in their place."""
    if told.score is not None:
        parts.score, parts.scores = _spec(df, told.score, "score")
    if told.pred is not None:
        parts.pred, parts.preds = _spec(df, told.pred, "pred")
    if told.label is not None:
        parts.label, parts.labels = _spec(df, told.label, "label")
    if told.error is not None:
        parts.error = [_column(df, told.error, "error")]
    return parts


def _spec(df: pd.DataFrame, spec: ColumnSpec, role: str) -> tuple[list[str], dict[str, str]]:
    """A column, a prefix of columns, a list of columns, or a mapping class → column."""
    if isinstance(spec, str):
        group = {name[len(spec) :]: name for name in df.columns if name.startswith(spec) and name != spec}
        if spec in df.columns or not (spec and group and not spec[-1].isalnum()):
            return [_column(df, spec, role)], {}
        return [], group
    if isinstance(spec, Mapping):
        return [], {str(key): _column(df, name, role) for key, name in spec.items()}
    if not isinstance(spec, Sequence):
        fail(role, "must be a column name, a list of them, or a mapping class → column", spec)
    names = [_column(df, name, role) for name in spec]
    if len(set(names)) < len(names):
        fail(role, "must name different columns", list(names))
    if len(names) == 1:
        return names, {}
    return [], {role_of(name)[1] or name: name for name in names}


def _column(df: pd.DataFrame, name: object, role: str) -> str:
    _checks.column(df, name, role)
    return str(name)


# ------------------------------------------------------------------ systems and the kind of task

Decision = tuple[Kind, tuple[str, ...], SystemColumns, str]


def _systems(
    df: pd.DataFrame, told: Told, parts: Parts, long: str | None
) -> tuple[Kind, tuple[str, ...], tuple[SystemColumns, ...], str]:
    """The kind of task, its classes as far as columns name them, the systems, and why."""
    named = _several(df, told, parts, long)
    if not named:
        decision = _decide(df, told, parts)
        if decision is None:
            return _told_kind(told) or "binary", (), (), ""
        return decision[0], decision[1], (decision[2],), decision[3]
    kinds: list[Decision] = []
    for name, own in named.items():
        decision = _decide(df, told, own)
        if decision is None:
            fail("system", f"has neither score nor pred for {name!r}", remedy="name a column for it")
        kinds.append((decision[0], decision[1], replace(decision[2], name=name), decision[3]))
    kind, classes = kinds[0][:2]
    for other in kinds[1:]:
        if other[0] != kind or set(other[1]) != set(classes):
            both = f"{kinds[0][2].name!r} is {kind}, {other[2].name!r} is {other[0]}"
            fail("system", f"must give systems of one kind with the same classes; {both}", remedy="name the columns")
    systems = tuple(_ordered(decision, classes) for decision in kinds)
    return kind, classes, systems, f"{len(systems)} systems ({', '.join(named)}): {kinds[0][3]}"


def _ordered(decision: Decision, classes: tuple[str, ...]) -> SystemColumns:
    """One system's per-class columns in the order of these classes."""
    own, columns = decision[1], decision[2]

    def sort(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[own.index(c)] for c in classes) if len(names) == len(own) > 1 else names

    return replace(columns, score=sort(columns.score), pred=sort(columns.pred))


def _several(df: pd.DataFrame, told: Told, parts: Parts, long: str | None) -> dict[str, Parts]:
    """The parts of each system where there are several, else {}."""
    if isinstance(told.system, Mapping):
        return {str(name): _mapped(df, str(name), spec, parts) for name, spec in told.system.items()}
    if long is not None:
        return dict.fromkeys(_names(df, long, 1000), parts)
    if told.score is not None or told.pred is not None:
        return {}
    return _dotted(df, parts) or _suffixed(df, told, parts)


def _mapped(df: pd.DataFrame, name: str, spec: object, parts: Parts) -> Parts:
    """What `system={name: {"score": …, "pred": …, "error": …}}` says."""
    if not isinstance(spec, Mapping):
        fail("system", f'must give {name!r} a mapping such as {{"score": "score_a"}}', spec)
    own = Parts(label=parts.label, labels=parts.labels)
    for role, names in spec.items():
        role = _checks.choice(role, ("score", "pred", "error"), "system")
        found, group = _spec(df, names, role)
        setattr(own, role, found)
        setattr(own, role + "s", group)
    return own


def _dotted(df: pd.DataFrame, parts: Parts) -> dict[str, Parts]:
    """Systems told by a prefix: `a.score`, `a.pred`, `b.score`."""
    if parts.score or parts.scores or parts.pred or parts.preds:
        return {}
    names: dict[str, dict[str, str]] = {}
    for name in df.columns:
        system, dot, bare = name.partition(".")
        if dot and system and role_of(bare)[0] in ("score", "pred", "error"):
            names.setdefault(system, {})[bare] = name
    own = {system: _parts(df, bare) for system, bare in names.items()}
    own = {system: p for system, p in own.items() if p.score or p.scores or p.pred or p.preds}
    for p in own.values():
        p.label, p.labels = parts.label, parts.labels
    return own


def _suffixed(df: pd.DataFrame, told: Told, parts: Parts) -> dict[str, Parts]:
    """Systems told by a suffix, `score_a` and `score_b`, where one label serves them all."""
    groups = parts.scores or parts.preds
    if told.task is not None or parts.score or len(groups) < 2 or parts.labels or not parts.label:
        return {}
    if parts.scores and (parts.pred or _sum_to_one(df, list(parts.scores.values()))):
        return {}
    if parts.scores and parts.preds and set(parts.preds) != set(parts.scores):
        return {}
    names = _names(df, parts.label[0], 20)
    if set(names) & set(groups) or (parts.scores and len(names) > 2):
        return {}
    return {suffix: _one_of(parts, suffix) for suffix in groups}


def _one_of(parts: Parts, suffix: str) -> Parts:
    def pick(group: dict[str, str]) -> list[str]:
        return [group[suffix]] if suffix in group else []

    return Parts(pick(parts.scores), pick(parts.preds), pick(parts.errors), parts.label)


def _told_kind(told: Told) -> Kind | None:
    kind = told.task.kind if isinstance(told.task, Task) else told.task
    if kind is not None:
        _checks.choice(kind, get_args(Kind), "task")
    return kind


def _decide(df: pd.DataFrame, told: Told, parts: Parts) -> Decision | None:
    """The kind of task that one system's columns speak of; None if they hold no output."""
    kind = _told_kind(told)
    if kind is None:
        kind, why = _guess_kind(df, parts)
    else:
        why = f"{kind}, as told"
    if kind is None:
        return None
    pred, error = tuple(parts.pred[:1]), parts.error[0] if parts.error else None
    if kind == "regression":
        found = pred or tuple(parts.preds.values())[:1]
        return (kind, (), SystemColumns("", (), found, error), why) if found else None
    if kind == "binary":
        return _binary(parts, pred, why)
    scores = tuple(parts.scores.values()) or tuple(parts.score[:1])
    if kind == "multiclass":
        return (kind, tuple(parts.scores), SystemColumns("", scores, pred), why) if scores or pred else None
    classes = tuple(parts.scores) or tuple(parts.preds)
    preds = tuple(parts.preds[c] for c in classes if c in parts.preds)
    preds = preds if len(preds) == len(classes) else ()
    preds = preds or pred
    return (kind, classes, SystemColumns("", scores, preds), why) if scores or preds else None


def _binary(parts: Parts, pred: tuple[str, ...], why: str) -> Decision | None:
    """One score column: the only one, or the positive class's of two."""
    scores = tuple(parts.score[:1])
    if not scores and parts.scores:
        pair = polar(parts.scores) if len(parts.scores) == 2 else None
        scores = (parts.scores[pair[1]],) if pair else tuple(parts.scores.values())[-1:]
    pred = pred or (tuple(parts.preds.values()) if len(parts.preds) == 1 else ())
    return ("binary", (), SystemColumns("", scores, pred), why) if scores or pred else None


def _guess_kind(df: pd.DataFrame, parts: Parts) -> tuple[Kind | None, str]:
    scores = list(parts.scores.values())
    if parts.score:
        if _nested(df[parts.score[0]]):
            return "multiclass", f"`{parts.score[0]}` holds a list of scores per row: one class each"
        return "binary", f"`{parts.score[0]}` is the one score column: two classes"
    if len(scores) == 1:
        return "binary", f"`{scores[0]}` is the one score column: two classes"
    if scores:
        return _guess_wide(df, parts, scores)
    if parts.pred:
        return _guess_pred(df, parts.pred[0])
    if len(parts.preds) > 1:
        return "multilabel", f"{len(parts.preds)} columns of decisions, one per label, and no scores"
    if parts.preds:
        return _guess_pred(df, next(iter(parts.preds.values())))
    return None, ""


def _guess_wide(df: pd.DataFrame, parts: Parts, scores: list[str]) -> tuple[Kind, str]:
    several = f"{len(scores)} score columns"
    per_label = set(parts.scores) & (set(parts.preds) | set(parts.labels))
    if per_label and not parts.pred:
        return "multilabel", f"{several} with their own decisions or labels: any number of labels per item"
    if _sum_to_one(df, scores):
        if len(scores) == 2 and polar(parts.scores):
            return "binary", "two score columns that sum to 1: two classes"
        return "multiclass", f"{several} that sum to 1 in each row: one class per item"
    known = [name for name in (*parts.pred[:1], *parts.label[:1]) if set(_names(df, name, 50)) & set(parts.scores)]
    if known:
        return "multiclass", f"{several}, and `{known[0]}` names one of their classes"
    return "multilabel", f"{several} that do not sum to 1: any number of labels per item"


def _guess_pred(df: pd.DataFrame, name: str) -> tuple[Kind, str]:
    names = _names(df, name)
    if polar(names):
        return "binary", f"no score; `{name}` holds decisions between two classes"
    if _numeric(df[name]):
        return "regression", f"`{name}` holds numbers and there is no score: a number is predicted"
    return "multiclass", f"no score; `{name}` names a class"


# ------------------------------------------------------------------ labels, classes, fields


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


def _classes(df: pd.DataFrame, columns: Columns, told: Told, parts: Parts) -> Columns:
    """Complete the class names from what was told, the columns' names, or their values."""
    if columns.kind == "regression" or not columns.systems:
        return replace(columns, classes=() if columns.kind == "regression" else ("0", "1"))
    given = told.classes if told.classes is not None else (told.task.classes if isinstance(told.task, Task) else None)
    if given is not None:
        return _given(columns, given)
    if columns.kind == "binary":
        return _binary_classes(df, columns, told, parts)
    if columns.classes:
        return columns
    return replace(columns, classes=_classes_by_value(df, columns))


def _given(columns: Columns, given: Sequence[str]) -> Columns:
    """Told class names; per-class columns follow their order if they bear the same names."""
    if isinstance(given, str) or not isinstance(given, Sequence):
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
        return replace(columns, classes=names, systems=tuple(_ordered(d, names) for d in decisions))
    return replace(columns, classes=names)


def _classes_by_value(df: pd.DataFrame, columns: Columns) -> tuple[str, ...]:
    """Classes that no column names: positions in a block of scores, or the values met."""
    first = columns.systems[0]
    if first.score and _nested(df[first.score[0]]):
        return tuple(str(k) for k in range(len(df[first.score[0]].dropna().iloc[0])))
    names: set[str] = set()
    for name in (*(n for system in columns.systems for n in system.pred), *columns.label):
        names.update(_names(df, name, 1000))
    return tuple(sorted(names, key=lambda name: (len(name), name) if name.isdigit() else (99, name)))


def _binary_classes(df: pd.DataFrame, columns: Columns, told: Told, parts: Parts) -> Columns:
    """(negative, positive) from the names met in label and decisions, or a question."""
    of_label = _names(df, columns.label[0]) if columns.label else []
    of_pred = [name for s in columns.systems for p in s.pred for name in _names(df, p)]
    if len(of_label) > 2:
        if told.label is not None:
            some = ", ".join(_checks.shown(name) for name in of_label)
            fail("label", f"must hold two classes; `{columns.label[0]}` holds {some} and perhaps more",
                 remedy="map another column, or name the task (task=\"multiclass\")")
        why = f"{columns.explanation}; `{columns.label[0]}` is no two-class label"
        columns, of_label = replace(columns, label=(), explanation=why), []
    met = list(dict.fromkeys([*of_label, *of_pred]))
    pair = polar(of_label) or polar(of_pred) or _mentioned(columns, met)
    if pair or not met:
        return replace(columns, classes=pair or ("0", "1"))
    where = columns.label[0] if of_label else columns.systems[0].pred[0]
    some = " and ".join(_checks.shown(name) for name in met[:3])
    question = f"`{where}` holds {some}: which class is positive? Pass classes=(negative, positive)"
    return replace(columns, classes=(*met, "?")[:2] if len(met) < 2 else tuple(met[:2]), question=question)


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
    alike = {*parts.label, *parts.labels.values()}
    rest = [name for name in df.columns if name not in used]
    hidden = [name for name in rest if name in alike or _tells(name)]
    if told.fields is None:
        fields = [name for name in rest if name not in hidden and not df[name].isna().all()]
        empty = [name for name in rest if name not in hidden and name not in fields]
        hidden += empty
    else:
        fields = _told_fields(df, columns, told.fields)
        hidden = [name for name in hidden if name not in fields]
    question = columns.question
    if not columns.systems:
        question = f"no column holds a score or a prediction; there is {_listed(df.columns)}: name one, score=…"
    return replace(columns, fields=tuple(fields), hidden=tuple(hidden), question=question)


def _tells(name: str) -> bool:
    """Whether a name sounds like an answer or a model's output."""
    role = role_of(name)[0]
    return role in ("label", "score", "weak score", "pred", "margin") or (role == "error" and name.startswith("pred"))


def _told_fields(df: pd.DataFrame, columns: Columns, told: Sequence[str]) -> list[str]:
    if isinstance(told, str):
        told = [told]
    if not isinstance(told, Sequence):
        fail("fields", "must be a list of column names", told)
    fields = list(dict.fromkeys(_column(df, name, "fields") for name in told))
    for name in fields:
        if name in columns.label:
            fail("fields", "must not hold the label, or it would be shown", name, remedy="leave it out")
    return fields


def _listed(names: Sequence[str] | pd.Index[Any]) -> str:
    shown = ", ".join(f"`{_checks.shown(str(name), 40)[1:-1]}`" for name in list(names)[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")
