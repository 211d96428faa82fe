"""What names and values of columns suggest, and what the caller told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.answers import MANY
from sampleval.pool.columns import ColumnSpec, Told, strings
from sampleval.pool.naming import by_prefix, role_of, said
from sampleval.pool.polarity import polar, sense, whole

NAMELESS = frozenset(
    {"", "nan", "<na>", r"\n", *map(str.lower, _checks.ERRORS)}
)  # what people, pandas and databases write for a missing value: no class has such a name
HEAD = 1000  # rows that tell of most columns what they are not
NAMES = 50  # as many may be those of classes
NANS = 12  # their spellings in capitals and small letters


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

    @property
    def columns(self) -> set[str]:
        """Every column here."""
        return strings([getattr(self, part.name) for part in fields(self)])


def sort_columns(df: pd.DataFrame, names: Mapping[str, str]) -> Parts:
    """Sort columns by the roles their (bare) names suggest."""
    parts, weak, bare_of_numbers = Parts(), [], {}
    answers = _no_and_yes(df, names)
    for bare, name in names.items():
        role, suffix = role_of(bare) if name not in answers else ("", "")
        if role == "weak score" and numeric(df[name]):
            weak.append(name)
        elif role in ("score", "pred", "error", "label") and not suffix:
            getattr(parts, role).append(name)
        elif role in ("score", "pred", "error", "label") and (role in ("pred", "label") or numeric(df[name])):
            getattr(parts, role + "s")[suffix] = name
        elif role == "score":
            bare_of_numbers[suffix] = name
    # A score column without numbers is kept if its class has a label or decision, to be refused by name: left out, it
    # would take its class along.
    paired = parts.labels.keys() | parts.preds.keys()
    if paired & parts.scores.keys():
        parts.scores |= {suffix: name for suffix, name in bare_of_numbers.items() if suffix in paired}
    if not (parts.score or parts.scores) and len(weak) == 1:
        parts.score = weak
    if not (parts.score or parts.scores):
        free = [name for name in names.values() if name in answers or _free(df, name)]
        outputs = [*parts.pred, *parts.label]
        parts.scores = _shares(df, free, outputs)
        if answers and not (outputs or parts.scores):
            parts.scores = {bare: name for bare, name in names.items() if name in answers}
    for role in ("score", "pred", "label"):
        getattr(parts, role).sort(key=_rank)
    return parts


def _no_and_yes(df: pd.DataFrame, names: Mapping[str, str]) -> set[str]:
    """Two columns named no and yes whose numbers sum to 1 in each row: they are classes, and `True` is no truth."""
    pair = {bare: name for bare, name in names.items() if sense(bare) is not None}
    shares = (
        len(pair) == 2 and polar(pair) is not None and all(_fractions(df[name]) for name in pair.values())
    )
    return set(pair.values()) if shares and _are_shares(df, pair.values()) else set()


def _free(df: pd.DataFrame, name: str) -> bool:
    """Whether a column may be a class's by its name; `no` is a number of items only where it holds no fractions."""
    role = said(name)[0]
    return not role or (role == "weak id" and _fractions(df[name]))


def _fractions(series: pd.Series[Any]) -> bool:
    """Whether some cell is a number that is not whole."""
    return numeric(series) and bool((loose(series) % 1 > 0).any())


def _shares(df: pd.DataFrame, names: Iterable[str], outputs: Sequence[str]) -> dict[str, str]:
    """Class → column of numbers that sum to 1 in each row, and begin alike or are called as the classes are.

    {} where several groups of columns do, or where decisions and labels name none of these classes.
    """
    free = [name for name in names if numeric(df[name])]
    found = [group for group in by_prefix(free).values() if _are_shares(df, group.values())]
    if len(found) > 1 or len(free) < 2:
        return {}
    # Read only now that there are such columns: predicted numbers need not name anything.
    met = wholes(name for column in outputs for name in names_in(df, column, NAMES))
    if found:  # labels may be spelt as the classes are, "a", or as their columns, "topic a"
        spelt = {name: name for name in found[0].values()}
        return next((group for group in (found[0], spelt) if not met or met & wholes(group)), {})
    # A class that is never predicted has a column, too.
    called = [name for name in free if whole(name) in met]
    return next(({n: n for n in group} for group in (called, free) if called and _are_shares(df, group)), {})


def _are_shares(df: pd.DataFrame, names: Collection[str]) -> bool:
    """Whether these columns, two at least, sum to 1 in each row and are never negative."""
    several = len(names) > 1 and all(sum_to_one(rows, list(names)) for rows in (df.head(HEAD), df))
    return several and not any((loose(df[name]) < 0).any() for name in names)


def _rank(name: str) -> int:
    """Short, plain names first: `label` before `true_class`."""
    plain = ("score", "prob", "probability", "pred", "prediction", "label", "y", "y_true")
    return plain.index(name.lower()) if name.lower() in plain else len(plain)


def numeric(series: pd.Series[Any]) -> bool:
    """Whether the cells are numbers or, as text, one of the first hundred reads as one."""
    kind = getattr(series.dtype, "kind", "O")
    if kind in "biuf":
        return True
    head = series.dropna().head(100)
    if kind in "mMc" or head.empty:
        return False
    return any(_reads(cell) for cell in head)


def _reads(cell: object) -> bool:
    """Whether a cell is a number, or would be with a decimal point: such a column is refused by name, not overlooked."""
    if _checks.says_missing(cell):
        return False
    if _checks.comma(cell):
        return True
    try:
        float(cell.rstrip().removesuffix("%") if isinstance(cell, str) else cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def loose(series: pd.Series[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The cells as numbers for a look at them; nan throughout if some are none."""
    try:
        return _checks.cells(series, "cells")
    except _checks.InputError:
        return np.full(len(series), np.nan)


def sum_to_one(df: pd.DataFrame, names: Sequence[str]) -> bool:
    """Whether these columns sum to 1, or as percentages to 100, in nearly every row."""
    total = np.zeros(len(df))
    for name in names:
        total += loose(df[name])
    seen = total[np.isfinite(total)]
    return bool(
        seen.size and any(np.mean(np.abs(seen / whole - 1.0) <= 0.01) >= 0.99 for whole in (1.0, 100.0))
    )


def names_in(df: pd.DataFrame, column: str, most: int = 2) -> list[str]:
    """Up to most + 1 distinct names in a column, `nan` and its like not among them; [] if its cells are lists or records."""
    return [name for name in every_name(df, column, most) if name.lower() not in NAMELESS][: most + 1]


def wholes(names: Iterable[str]) -> set[str]:
    """Names to compare those of columns with those in cells by, where a whole number has no decimals."""
    return set(map(whole, names))


def every_name(df: pd.DataFrame, column: str, most: int) -> list[str]:
    """More than `most` of the distinct names in a column, `nan` and its like too, or all of them in its first distinct cells.

    [] as in `names_in`.
    """
    try:
        distinct = list(_checks.plain(df[column]).dropna().unique())[: 50 * (most + 1)]
    except TypeError:
        return []
    if any(isinstance(cell, (*MANY, dict)) for cell in distinct):
        return []
    names: dict[str, None] = {}
    for cell in distinct:
        names[name_of(cell, column)] = None
        if len(names) > most + NANS:
            break
    return list(names)


def labels_in(df: pd.DataFrame, column: str, classes: Iterable[str] = (), most: int = 2) -> list[str]:
    """As `names_in`, of labels that may be unknown: a word such as NA counts only where a class bears its name."""
    named = {name.lower() for name in classes}
    met = names_in(df, column, most + len(_checks.MISSING))
    return [name for name in met if name.lower() in named or not _checks.says_missing(name)][: most + 1]


def nested(series: pd.Series[Any]) -> bool:
    """Whether the cells are lists or sets."""
    head = series.dropna().head(1)
    # An array without a dimension has no length: it is one value.
    return not head.empty and isinstance(head.iloc[0], MANY) and getattr(head.iloc[0], "ndim", 1) > 0


def told_parts(df: pd.DataFrame, told: Told, parts: Parts) -> Parts:
    """The guessed parts with the told ones in their place."""
    if told.score is not None:
        parts.score, parts.scores = column_spec(df, told.score, "score")
    if told.pred is not None:
        parts.pred, parts.preds = column_spec(df, told.pred, "pred")
    if told.label is not None:
        parts.label, parts.labels = column_spec(df, told.label, "label")
    if told.error is not None:
        parts.error = [column_named(df, told.error, "error")]
    if told.score is not None and not isinstance(told.score, str | Mapping):
        parts.scores = _unprefixed(df, parts)
    return parts


def _unprefixed(df: pd.DataFrame, parts: Parts) -> dict[str, str]:
    """Scores by class, without what all their names begin with, unless a name suggests more or a label begins so."""
    group = next((group for group in by_prefix(parts.scores).values() if len(group) == len(parts.scores)), {})
    met = {name for column in (*parts.pred, *parts.label) for name in names_in(df, column, NAMES)}
    bare = all(name == column for name, column in parts.scores.items()) and not met & parts.scores.keys()
    return group if group and bare else parts.scores


def column_spec(df: pd.DataFrame, spec: ColumnSpec, role: str) -> tuple[list[str], dict[str, str]]:
    """A column, a prefix of columns, a list of columns, or a mapping class → column; classes are named as labels are."""
    if isinstance(spec, str):
        group = {
            name_of(name[len(spec) :]): name for name in df.columns if name.startswith(spec) and name != spec
        }
        if spec in df.columns or not (spec and group and not spec[-1].isalnum()):
            return [column_named(df, spec, role)], {}
        return [], group
    if isinstance(spec, Mapping):
        return [], {name_of(key, role): column_named(df, name, role) for key, name in spec.items()}
    if not isinstance(spec, Sequence):
        fail(role, "must be a column name, a list of them, or a mapping class → column", spec)
    names = [column_named(df, name, role) for name in spec]
    if len(set(names)) < len(names):
        fail(role, "must name different columns", list(names))
    if len(names) == 1:
        return names, {}
    return [], {role_of(name)[1] or name: name for name in names}


def column_named(df: pd.DataFrame, name: object, role: str) -> str:
    """The name, if it is a column's."""
    _checks.column(df, name, role)
    return str(name)
