"""The names of two classes, (negative, positive), as labels, decisions and the name of the score show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of, shown
from sampleval.pool.columns import Columns, Told
from sampleval.pool.guessing.cells import labels_in, names_in
from sampleval.pool.naming import folded, role_of
from sampleval.pool.polarity import polar, sense
from sampleval.pool.spellings import spelt, whole
from sampleval.pool.tables.lines import renumbered
from sampleval.pool.tables.notes import LINE
from sampleval.pool.unknown import says_unsure

_VERSION = re.compile(r"[\s_]+v\d+(\.\d+)*$", re.IGNORECASE)  # a model's version: `p_spam_v2` is about spam


def name_two_classes(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """The columns with (negative, positive) from label and decisions, else from a pair of scores; or with a question.

    A label that the caller named is refused if it holds more classes; a guessed one is then no label.
    """
    decided = [whole(name) for column in columns.preds for name in names_in(df[column])]
    labelled = _two_names(df[columns.label[0]], decided) if columns.label else []
    if len(labelled) > 2:
        columns, labelled = _without_label(df, columns, told, labelled), []
    # Decisions such as 0 and 1 are no further names beside the labels ham and spam: they say which of these is meant.
    named = any(sense(name) is None and not says_unsure(name) for name in labelled)
    answered = None not in map(sense, decided)
    met = list(dict.fromkeys(labelled if named and answered else [*labelled, *decided]))
    # If labels are all of one class, they do not show how the other one is spelt. Decisions may.
    pair = polar([*decided, *labelled]) or polar(labelled) or _by_sense(labelled)
    pair = pair or (None if named else polar(decided)) or _mentioned(columns, met)
    if pair or not met:
        return replace(columns, classes=pair or columns.classes or ("0", "1"))
    sources = ((columns.label, labelled), (columns.preds, decided))
    where = [f"`{names[0]}`" for names, cells in sources if not {*met}.isdisjoint(cells)]
    return replace(columns, classes=(*met, f"not {met[0]}")[:2], question=_which_is_positive(where, met))


def _which_is_positive(where: Sequence[str], met: Sequence[str]) -> str:
    """The question to ask of names that were met in these columns, and that do not tell which of them is positive."""
    hold = " and ".join(where) + (" hold" if len(where) > 1 else " holds")
    some = " and ".join(shown(name) for name in met[:3])
    return f"{hold} {some}: which class is positive? Name both with `classes`, the negative one first"


def _without_label(df: pd.DataFrame, columns: Columns, told: Told, met: Sequence[str]) -> Columns:
    """The columns without a label that names these classes, more than two; if the caller named it, it is refused."""
    label, unknown = columns.label[0], "leave cells empty whose label is not known"
    some = ", ".join(shown(name, 40) for name in met) + _first_seen(df, label, met[-1])
    if told.label is not None:
        remedy = f'{unknown}, map another column, or name the task (task="multiclass")'
        fail("label", f"must hold two classes; `{label}` holds {some} and perhaps more", remedy=remedy)
    why = f"{columns.explanation}; `{label}` is no two-class label, as it holds {some}: {unknown}"
    return replace(columns, label=(), explanation=why)


def _first_seen(df: pd.DataFrame, column: str, name: str) -> str:
    """Where a column first holds a name, as an aside: a row, or the line of the file; "" if it is spelt otherwise there.

    >>> _first_seen(pd.DataFrame({"label": [0, 1, 0, 2.0, 2]}), "label", "2")
    ' (first at row 3)'
    """
    code, cells = pd.factorize(_checks.plain(df[column]))  # in the order of the rows
    meant = next((k for k, cell in enumerate(cells) if whole(name_of(cell, column)) == name), None)
    said = "" if meant is None else f" (first at row {np.argmax(code == meant)})"
    return said if (head := df.attrs.get(LINE)) is None else renumbered(said, head)


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
    meaning = sides if None not in sides else [*map(spelt, names)]
    return list(dict(zip(reversed(meaning), reversed(names), strict=True)).values())[::-1][:3]


def _by_sense(names: Sequence[str]) -> tuple[str, str] | None:
    """(negative, positive) from two names of opposite meaning, possibly of different pairs, such as `0` and `yes`."""
    sides = {sense(name): name for name in names}
    return (sides[0], sides[1]) if len(names) == 2 and sides.keys() == {0, 1} else None


def positive_name(columns: Columns) -> str:
    """The name that the score column gives to positives: "complaint" for `prob_complaint`; "" if it has none."""
    said = set(map(role_of, columns.scores))
    names = {_VERSION.sub("", name).replace("_", " ") for role, name in said if role == "score"}
    name = names.pop() if len(names) == 1 else ""
    return "" if name.isdigit() else name


def _mentioned(columns: Columns, met: Sequence[str]) -> tuple[str, str] | None:
    """(negative, positive), where the positive class is the one in the score column's name, such as `score_spam`."""
    said = {folded(_VERSION.sub("", role_of(name)[1])) for name in columns.scores} - {""}
    positive = [name for name in met if folded(name) in said]
    negative = [name for name in met if folded(name) not in said]
    if len(positive) == 1 and len(met) <= 2:
        return (negative[0] if negative else f"not {positive[0]}"), positive[0]
    return None
