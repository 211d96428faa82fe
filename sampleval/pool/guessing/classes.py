"""Names of classes, from the caller, from column names, or from cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from pandas.api.types import is_scalar

from sampleval._checks import fail, listed, name_of, shown
from sampleval.pool.answer_columns import names_in_sets, same_length
from sampleval.pool.columns import Columns, Told, in_order, short_code
from sampleval.pool.guessing.cells import first_cell, keys_in, labels_in, met_in, nested
from sampleval.pool.guessing.two_classes import name_two_classes, positive_name
from sampleval.pool.naming import folded
from sampleval.pool.spellings import spelt, unpadded
from sampleval.pool.unknown import SIGNS

_SHARE = re.compile(r"[01](\.\d+)?|\d(\.\d+)?e-\d+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
MOST = 1000  # names of classes that are looked for in a column
# What tools add to a class's name: fastText writes __label__spam, Hugging Face LABEL_1, a language model "Yes."
_ADDED = re.compile(r"^(?:__label__|label_)(?=.)|(?<=.)[.!]+$")


def name_classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """The columns completed by the class names: the caller's, else from column names, else from the values."""
    if columns.kind == "regression":
        return replace(columns, classes=())
    if not columns.systems:
        return replace(columns, classes=("0", "1"))
    if question := _records(df, columns):
        return replace(columns, classes=columns.classes or ("0", "1"), question=question)
    if told.names is not None:
        return _with_given(columns, told.names, told)
    if columns.kind == "binary":
        return name_two_classes(df, columns, told)
    if columns.classes:
        return columns
    classes = _classes_by_value(df, columns)
    return replace(columns, classes=classes, question=_question(df, columns, classes))


def _with_given(columns: Columns, given: Sequence[Any], told: Told) -> Columns:
    """The columns with the caller's class names. Columns per class are put in their order if they have the same names."""
    names = _names(columns, given)
    own, named = _respelt(columns.classes, names), replace(columns, classes=names)
    if {*own} == {*names}:
        systems = tuple(system.in_order(own, names) for system in columns.systems)
        named = replace(named, systems=systems, label=in_order(columns.label, own, names))
    else:
        _not_moved(columns, names)
    if columns.kind == "binary" and told.score is None:
        _not_turned(named)
    return named


def _names(columns: Columns, given: Sequence[Any]) -> tuple[str, ...]:
    """The given names as text, if they are different, as many as the columns per class, and of two classes two."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        fail("classes", "must be a list of names", given)
    names = tuple("" if is_scalar(name) and pd.isna(name) else name_of(name, "classes") for name in given)
    if len(set(names)) < len(names) or not all(names) or len(names) < 2:
        fail("classes", "must hold two or more different names", list(given))
    if columns.kind == "binary" and len(names) != 2:
        fail("classes", "must be (negative, positive) in a binary task", list(given))
    if columns.classes and len(columns.classes) != len(names):
        fail("classes", f"must name the {len(columns.classes)} score columns", list(given))
    return names


def _respelt(own: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """The columns' class names as the caller spells them, if they are the same but for case, spaces and the like.

    >>> _respelt(("B", "very_good"), ("very good", "b")), _respelt(("0", "1"), ("ham", "spam"))
    (('b', 'very good'), ('0', '1'))
    """
    spelt = {folded(name): name for name in given}
    same = [folded(name) for name in own]
    return tuple(spelt[name] for name in same) if len(spelt) == len(own) and set(same) == set(spelt) else own


def _not_moved(columns: Columns, names: tuple[str, ...]) -> None:
    """Refuse new names for the columns if one of them is that of another column. Numbers may only count the columns."""
    score, place = columns.systems[0].score, {folded(name): k for k, name in enumerate(names)}
    if len(score) != len(names):
        return
    for k, name in enumerate(columns.classes):
        if place.get(folded(name), k) != k and not name.isdigit():
            rule = f"must be in the order of the score columns, or hold the same names as these, but {shown(name)} is `{score[k]}`"
            remedy = f"the columns are those of {listed([shown(each) for each in columns.classes])}"
            fail("classes", rule, list(names), remedy=remedy)


def _not_turned(columns: Columns) -> None:
    """Refuse (negative, positive) if the guessed score is named after the negative class."""
    called = folded(positive_name(columns))
    negative, positive = columns.classes
    if called and called == folded(negative) != folded(positive):
        score = columns.systems[0].score[0]
        rule = f"must be (negative, positive), but `{score}` seems to be the score of {shown(negative)}"
        remedy = f'turn them round, or if it is that of {shown(positive)}, pass score="{score}"'
        fail("classes", rule, list(columns.classes), remedy=remedy)


def _question(df: pd.DataFrame, columns: Columns, classes: tuple[str, ...]) -> str:
    """A question if it is not clear whether these are all classes, and how each is spelt; otherwise ""."""
    if len(classes) < (2 if columns.kind == "multiclass" else 1):
        return _too_few(columns, classes)
    if columns.kind == "multilabel":
        return _by_place(df, columns) or _doubt(classes)
    return _unnamed(df, columns, classes) or _doubt(classes) or _apart(df, columns)


def _unnamed(df: pd.DataFrame, columns: Columns, classes: tuple[str, ...]) -> str:
    """A question if labels or decisions name other classes than 0, 1, …, the places in lists of scores; otherwise ""."""
    score = columns.systems[0].score
    for name in (*columns.systems[0].pred, *columns.label) if score else ():
        met = labels_in(df[name], classes, len(classes))
        if len(met) <= len(classes) and not {*map(unpadded, met)} <= {*classes}:  # a text has too many names
            some = listed([shown(one) for one in sorted(met)], 3)
            rule = f"`{score[0]}` holds lists of {len(classes)} scores, and `{name}` names {some}"
            return f"{rule}: give each class a column, or name all with `classes` in the order of the lists"
    return ""


def _doubt(classes: tuple[str, ...]) -> str:
    """A question if two names seem to mean one class, or if a name seems to mean unknown; otherwise ""."""
    alike: dict[str, str] = {}
    for name in classes:
        other = alike.setdefault(_ADDED.sub("", spelt(name)), name)
        if other != name:
            return f"are {shown(other)} and {shown(name)} one class? Spell it in one way, or name all with `classes`"
    sign = next((name for name in classes if name in SIGNS and "+" not in classes), "")
    return (
        sign and f"is {sign!r} a class, or is nothing known there? Leave it empty, or name all with `classes`"
    )


def _apart(df: pd.DataFrame, columns: Columns) -> str:
    """A question if decisions and labels have no class in common, as POS, NEG and positive, negative; otherwise ""."""
    if not columns.preds or not columns.label:
        return ""
    decided = sorted({one for name in columns.preds for one in labels_in(df[name], (), MOST)})
    labelled = sorted(labels_in(df[columns.label[0]], decided, MOST))
    alike = {unpadded(spelt(one)) for one in decided} & {unpadded(spelt(one)) for one in labelled}
    counts = len(decided), len(labelled)
    if alike or min(counts) < 2 or max(counts) > MOST:
        return ""  # a single label may be of a class that is never predicted
    one, other = (listed([shown(name) for name in names], 3) for names in (decided, labelled))
    rule = f"`{columns.preds[0]}` names {one}, `{columns.label[0]}` {other}: no class in common"
    return f"{rule}. Spell classes in one way, or name all with `classes`"


def _records(df: pd.DataFrame, columns: Columns) -> str:
    """A remedy if decisions or labels are records, such as {"label": "spam", "score": 0.9}; otherwise ""."""
    labels = () if columns.kind == "binary" else columns.label  # one without two classes is left out
    for name in (*columns.systems[0].pred, *labels):
        if keys := keys_in(df[name]):
            return f"`{name}` holds records with {short_code(keys)}: give each of these a column of its own"
    return ""


def _by_place(df: pd.DataFrame, columns: Columns) -> str:
    """A question if what should be sets of labels are lists of 0 and 1, or of scores, one for each label; otherwise ""."""
    for name in (*columns.systems[0].pred, *columns.label):
        if not same_length(df[name]):  # then numbers are names of labels
            continue
        met = names_in_sets(df[name])
        if set(met) <= {"0", "1"} or set(met) <= {"False", "True"}:
            return f"`{name}` holds lists of 0 and 1: name the label of each place with `classes`"
        margins = any(each.startswith("-") for each in met) and all(map(_NUMBER.fullmatch, met))
        if any("." in each for each in met) and (margins or all(map(_SHARE.fullmatch, met))):
            return f"`{name}` holds lists of numbers: if they are scores, name it with `score`, and the labels with `classes`"
    return ""


def _too_few(columns: Columns, classes: tuple[str, ...]) -> str:
    """The question to ask if a table names no class, or only one of several."""
    own, other = columns.systems[0], 'or choose another task (task="binary")'
    if own.score:
        return f"which columns hold the scores of the other classes? `{own.score[0]}` is one alone: name one per class, {other}"
    named = short_code(classes) if classes else "none"
    return f"which classes are there? `{own.pred[0]}` names {named}: name them all with `classes`, {other}"


def _classes_by_value(df: pd.DataFrame, columns: Columns) -> tuple[str, ...]:
    """Classes that no column name mentions: positions in lists of scores, or the names in decisions and labels."""
    first = columns.systems[0]
    if first.score and nested(df[first.score[0]]):
        return tuple(map(str, range(len(first_cell(df[first.score[0]])))))
    if columns.kind == "multilabel":
        names = {name for column in (*columns.preds, *columns.label) for name in names_in_sets(df[column])}
    else:
        names = met_in(df, columns.preds, MOST)
        names |= {name for column in columns.label for name in labels_in(df[column], names, MOST)}
    return tuple(sorted(names, key=lambda name: (len(name), name) if name.isdigit() else (99, name)))
