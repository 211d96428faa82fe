"""Names of classes, from the caller, from column names, or from cells."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pandas as pd
from pandas.api.types import is_scalar

from sampleval._checks import fail, listed, name_of, shown
from sampleval.pool.answer_columns import names_in_sets, same_length, says_unsure
from sampleval.pool.answers import is_many
from sampleval.pool.columns import Columns, Told, short_code
from sampleval.pool.guessing.heads import first_known
from sampleval.pool.guessing.names import first_seen, labels_in, names_in, nested
from sampleval.pool.naming import folded, role_of
from sampleval.pool.polarity import polar, sense, unpadded, whole

_VERSION = re.compile(r"[\s_]+v\d+(\.\d+)*$", re.IGNORECASE)  # a model's version: `p_spam_v2` is about spam
_SHARE = re.compile(r"[01](\.\d+)?|\d(\.\d+)?e-\d+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
MOST = 1000  # names of classes that are looked for in a column
_UNKNOWN = "leave cells empty whose label is not known"
# What tools add to a class's name: fastText writes __label__spam, Hugging Face LABEL_1, a language model "Yes."
_ADDED = re.compile(r"^(?:__label__|label_)(?=.)|(?<=.)[.!]+$")
SIGNS = frozenset("?-–—.…")  # what people write for an unknown answer


def name_classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """The columns completed by the class names: the caller's, else from column names, else from the values.

    Args:
        df: (N, …) frame.
        columns: The roles found.
        told: What the caller said.
    """
    if columns.kind == "regression" or not columns.systems:
        return replace(columns, classes=() if columns.kind == "regression" else ("0", "1"))
    if question := _records(df, columns):
        return replace(columns, classes=columns.classes or ("0", "1"), question=question)
    if told.names is not None:
        named = _given(columns, told.names)
        if columns.kind == "binary" and told.score is None:
            _not_turned(named)
        return named
    if columns.kind == "binary":
        return _binary_classes(df, columns, told)
    if columns.classes:
        return columns
    classes = _classes_by_value(df, columns)
    if len(classes) < (2 if columns.kind == "multiclass" else 1):
        return replace(columns, classes=classes, question=_too_few(columns, classes))
    if columns.kind == "multilabel":
        question = _by_place(df, columns) or _doubt(classes)
    else:
        question = _unnamed(df, columns, classes) or _doubt(classes) or _apart(df, columns)
    return replace(columns, classes=classes, question=question)


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
        other = alike.setdefault(_ADDED.sub("", unicodedata.normalize("NFC", name.casefold())), name)
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
    alike = {unpadded(one).casefold() for one in decided} & {unpadded(one).casefold() for one in labelled}
    if alike or min(len(decided), len(labelled)) < 2 or max(len(decided), len(labelled)) > MOST:
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


def keys_in(series: pd.Series[Any]) -> list[str]:
    """The keys of the records in a column, judged by its first known cell; [] if it holds none."""
    return _keys(next(iter(first_known(series, 1)), None))


def _keys(cell: object) -> list[str]:
    """The keys of a record, of the first one in a list of them, or of either as text, as CSV files hold it; else [].

    >>> _keys({"label": "spam"}), _keys('[{"label": "spam"}]'), _keys("{'label': 'spam'}"), _keys("[spam]")
    (['label'], ['label'], ['label'], [])
    """
    if isinstance(cell, str) and cell.strip()[:1] in ("{", "["):
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return _keys(read(cell.strip()))
    if is_many(cell):
        return _keys(next(iter(cell), None))
    return [str(key) for key in cell] if isinstance(cell, dict) else []


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


def _given(columns: Columns, given: Sequence[Any]) -> Columns:
    """The columns with the caller's class names. Columns per class are put in their order if they have the same names."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        fail("classes", "must be a list of names", given)
    names = tuple("" if is_scalar(name) and pd.isna(name) else name_of(name, "classes") for name in given)
    if len(set(names)) < len(names) or not all(names) or len(names) < 2:
        fail("classes", "must hold two or more different names", list(given))
    if columns.kind == "binary" and len(names) != 2:
        fail("classes", "must be (negative, positive) in a binary task", list(given))
    if columns.classes and len(columns.classes) != len(names):
        fail("classes", f"must name the {len(columns.classes)} score columns", list(given))
    own = _respelt(columns.classes, names)
    if set(own) == set(names):
        systems = tuple(system.in_order(own, names) for system in columns.systems)
        label = columns.label
        if len(label) == len(own):
            label = tuple(label[own.index(name)] for name in names)
        return replace(columns, classes=names, systems=systems, label=label)
    _not_moved(columns, names)
    return replace(columns, classes=names)


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


def _respelt(own: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """The columns' class names as the caller spells them, if they are the same but for case, spaces and the like.

    >>> _respelt(("B", "very_good"), ("very good", "b")), _respelt(("0", "1"), ("ham", "spam"))
    (('b', 'very good'), ('0', '1'))
    """
    spelt = {folded(name): name for name in given}
    same = [folded(name) for name in own]
    return tuple(spelt[name] for name in same) if len(spelt) == len(own) and set(same) == set(spelt) else own


def _classes_by_value(df: pd.DataFrame, columns: Columns) -> tuple[str, ...]:
    """Classes that no column name mentions: positions in lists of scores, or the names in decisions and labels."""
    first = columns.systems[0]
    if first.score and nested(df[first.score[0]]):
        return tuple(map(str, range(len(first_known(df[first.score[0]], 1)[0]))))
    if columns.kind == "multilabel":
        names = {name for column in (*columns.preds, *columns.label) for name in names_in_sets(df[column])}
    else:
        names = {name for column in columns.preds for name in names_in(df[column], MOST)}
        names |= {name for column in columns.label for name in labels_in(df[column], names, MOST)}
    return tuple(sorted(names, key=lambda name: (len(name), name) if name.isdigit() else (99, name)))


def _binary_classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """The columns with (negative, positive) from label and decisions, else from a pair of scores; or with a question."""
    of_pred = [whole(name) for column in columns.preds for name in names_in(df[column])]
    of_label = _two_names(df[columns.label[0]], of_pred) if columns.label else []
    if len(of_label) > 2:
        some = ", ".join(shown(name, 40) for name in of_label) + first_seen(
            df, columns.label[0], of_label[-1]
        )
        if told.label is not None:
            rule = f"must hold two classes; `{columns.label[0]}` holds {some} and perhaps more"
            fail(
                "label", rule, remedy=f'{_UNKNOWN}, map another column, or name the task (task="multiclass")'
            )
        why = f"{columns.explanation}; `{columns.label[0]}` is no two-class label, as it holds {some}: {_UNKNOWN}"
        columns, of_label = replace(columns, label=(), explanation=why), []
    # Decisions such as 0 and 1 are no further names beside the labels ham and spam: they say which of these is meant.
    named = any(sense(name) is None and not says_unsure(name) for name in of_label)
    answered = None not in map(sense, of_pred)
    met = list(dict.fromkeys(of_label if named and answered else [*of_label, *of_pred]))
    # If labels are all of one class, they do not show how the other one is spelt. Decisions may.
    known = polar([*of_pred, *of_label]) or polar(of_label) or _by_sense(of_label)
    pair = known or (polar(of_pred) if not named else None) or _mentioned(columns, met)
    if pair or not met:
        return replace(columns, classes=pair or columns.classes or ("0", "1"))
    sources = ((columns.label, of_label), (columns.preds, of_pred))
    where = [f"`{names[0]}`" for names, cells in sources if not {*met}.isdisjoint(cells)]
    hold = " and ".join(where) + (" hold" if len(where) > 1 else " holds")
    some = " and ".join(shown(name) for name in met[:3])
    question = f"{hold} {some}: which class is positive? Name both with `classes`, the negative one first"
    return replace(columns, classes=(*met, f"not {met[0]}")[:2], question=question)


def _two_names(series: pd.Series[Any], of_pred: Sequence[str]) -> list[str]:
    """Up to three names in a column of labels, with one spelling for names of the same meaning: `Yes`, `YES` and `1`.

    A word such as None counts as a name if decisions have it, or if otherwise only one class would have labels.
    """
    names = labels_in(series, of_pred, 20)
    met = names_in(series, 20)
    if len(names) == 1 and len(met) == 2 and not polar(names):
        names = met
    told = [name for name in names if not says_unsure(name)]
    names = [whole(name) for name in (told if len(told) == 2 else names)]
    sides = [sense(name) for name in names]
    meaning = sides if None not in sides else [name.lower() for name in names]
    return list(dict(zip(reversed(meaning), reversed(names), strict=True)).values())[::-1][:3]


def _by_sense(names: Sequence[str]) -> tuple[str, str] | None:
    """(negative, positive) from two names of opposite meaning, possibly of different pairs, such as `0` and `yes`."""
    sides = {sense(name): name for name in names}
    return (sides[0], sides[1]) if len(names) == 2 and sides.keys() == {0, 1} else None


def positive_name(columns: Columns) -> str:
    """The name that the score column gives to positives: "complaint" for `prob_complaint`; "" if it has none.

    Args:
        columns: The roles, of two classes.
    """
    said = set(map(role_of, columns.scores))
    names = {_VERSION.sub("", name).replace("_", " ") for role, name in said if role == "score"}
    name = names.pop() if len(names) == 1 else ""
    return "" if name.isdigit() else name


def _mentioned(columns: Columns, met: Sequence[str]) -> tuple[str, str] | None:
    """(negative, positive), where the positive class is the one in the score column's name, such as `score_spam`."""
    said = {role_of(name)[1].lower() for name in columns.scores}
    suffixes = {_VERSION.sub("", name) for name in said} - {""}
    positive = [name for name in met if name.lower() in suffixes]
    negative = [name for name in met if name.lower() not in suffixes]
    if len(positive) == 1 and len(met) <= 2:
        return (negative[0] if negative else f"not {positive[0]}"), positive[0]
    return None
