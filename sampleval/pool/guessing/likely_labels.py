"""Columns that may be the label, where none is known, or a second one: what they hold, and what they are named after."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.pool.answer_columns import encode_cells, names_in_sets
from sampleval.pool.claims import ranked
from sampleval.pool.columns import Columns, SystemColumns
from sampleval.pool.guessing.cells import ENOUGH, HEAD, head_and_all, labels_in, loose, names_in, numeric
from sampleval.pool.guessing.forecasts import beside_predictions, come_close
from sampleval.pool.guessing.misses import labelled
from sampleval.pool.guessing.two_classes import positive_name
from sampleval.pool.naming import column_role, folded, says_true
from sampleval.pool.polarity import polar
from sampleval.pool.spellings import spelt, whole
from sampleval.pool.task import YES_NO, Floats, Task
from sampleval.pool.unknown import CODES, says_unsure

SPARE = 2  # most codes for a missing value, and words such as unsure, in one column
APART = 0.2  # from ½: how far from chance a column without a bearing on the class may rank items
_IS = re.compile(r"^(?:is|has|was) ")


def possible_labels(df: pd.DataFrame, columns: Columns) -> dict[str, bool]:
    """Columns without a role that may be a label, or a second one, each with whether its values are surely answers.

    Sure answers are yes and no, 0 and 1, or names of the classes, also in sets. With two classes, a column of any other two values
    may be the label too, but it may just as well divide the pool into parts. In regression a column counts if the
    prediction has its name, as `price` beside `predicted_price`, or if its own name says so, as `actual_price`; if it is
    like the predictions, it may be.
    """
    used = columns.used
    free = [name for name in df.columns if name not in used]
    if columns.kind == "regression":
        return _true_numbers(df, columns, free)
    if columns.kind == "multilabel":
        return {name: True for name in free if _of_classes(df[name], columns.classes)}
    return _few_answers(df, columns, free)


def _few_answers(df: pd.DataFrame, columns: Columns, free: Sequence[str]) -> dict[str, bool]:
    """The columns of answers, and with two classes those of any other two names."""
    found, most = dict[str, bool](), max(2, len(columns.classes))
    for name in free:
        if len(few_names(df[name].head(HEAD), columns, most)) > most:
            continue
        names = few_names(df[name], columns, most)
        told = 0 < len(names) < len(df)
        sure = told and _answers(names, columns)
        if sure or (told and len(names) == 2 and columns.kind == "binary"):
            found[name] = sure
    return found


def _true_numbers(df: pd.DataFrame, columns: Columns, free: Sequence[str]) -> dict[str, bool]:
    """The columns that are named as the true numbers are, which are sure, and those of numbers like the predicted ones."""
    numbers = [name for name in free if numeric(df[name])]
    predicted = named_after(columns.preds)
    sure = [name for name in numbers if folded(name) in predicted or says_true(name)]
    known = {*sure, *beside_predictions(df, columns.preds, numbers)}
    close = [name for name in numbers if name not in known and come_close(df, columns.preds, name)]
    return dict.fromkeys(sure, True) | dict.fromkeys(close, False)


def answering(df: pd.DataFrame, columns: Columns, likely: Mapping[str, bool]) -> set[str]:
    """The likely labels that answer what is asked of an item, and not another question about it."""
    if columns.kind != "binary":
        return {*likely}
    sure = [name for name in likely if likely[name]]
    known = replace(columns, label=columns.label or _named_as_score(df, columns, sure))
    return {name for name in sure if not _on_other_matters(df, known, name)}


def _named_as_score(df: pd.DataFrame, columns: Columns, sure: Sequence[str]) -> tuple[str, ...]:
    """The one column of answers that the score is named after, as `Churn` or `is_churn` beside `churn_score`, or ().

    One that a threshold on the score makes holds decisions, which do not stand in for labels.
    """
    asked = named_after(columns.scores)
    named = {name: asked[said] for name in sure if (said := without_is(name)) in asked}
    if len(named) != 1:
        return ()
    name, score = next(iter(named.items()))
    try:
        answers, known = encode_cells(columns.task, df[name])
    except _checks.InputError:
        return ()
    order = ranked(loose(df[score])[known], answers[known] == 1)
    return (name,) if order is not None and 0.0 < order.share < 1.0 else ()


def without_is(name: str) -> str:
    """A name as `folded` spells it, without the verb before what is asked.

    >>> without_is("Is_churn"), without_is("Churn")
    ('churn', 'churn')
    """
    return _IS.sub("", folded(name))


def named_after(names: Sequence[str]) -> dict[str, str]:
    """What these columns are named after, as churn of `churn_score`, in the spelling of `folded` → column."""
    return {said: name for name in names if (said := folded(column_role(name)[1]))}


def _on_other_matters(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column of no and yes answers another question than that of the class, as `smoker` does beside a diagnosis.

    Labels must show it: the column goes with neither the labels nor the scores, and among items of one label not with
    the scores either, as a column would that says which decisions are right.
    """
    if not columns.label or polar(names_in(df[name])) is None:
        return False
    df = labelled(df, columns.label[0])
    try:
        label, told = encode_cells(columns.task, df[columns.label[0]])
        answer, known = encode_cells(YES_NO, df[name])
        outputs = [_output(df, columns.task, own) for own in columns.systems]
    except _checks.InputError:
        return False
    rows, positive, yes = known & told, label == 1, answer == 1
    if rows.sum() < ENOUGH:
        return False
    parts = (rows, rows & positive, rows & ~positive)
    orders = [ranked(yes[rows] * 1.0, positive[rows])]
    orders += [ranked(output[part], yes[part]) for output in outputs for part in parts]
    return all(order is not None and abs(order.share - 0.5) <= APART for order in orders)


def _output(df: pd.DataFrame, task: Task, own: SystemColumns) -> Floats:
    """A system's scores of two classes, or its decisions as 0 and 1, (N,)."""
    if own.score:
        return loose(df[own.score[0]])
    return encode_cells(task, df[own.pred[0]])[0].astype(np.float64)


def _of_classes(series: pd.Series[Any], classes: Sequence[str]) -> bool:
    """Whether a column holds only names of these classes and sets of them."""
    known = {*map(spelt, classes)}
    try:
        met = ({*map(spelt, names_in_sets(part))} for part in head_and_all(series))
        return all(names and names <= known for names in met)
    except _checks.InputError:
        return False


def _answers(names: Sequence[str], columns: Columns) -> bool:
    """Whether these names are answers to the question of an item's class."""
    if columns.kind == "binary" and (polar(names) or _mentions(columns, names)):
        return True
    return {*map(spelt, names)} <= {*map(spelt, columns.classes)}


def _mentions(columns: Columns, names: Sequence[str]) -> bool:
    """Whether the score of two classes is named after one of these two, as `score_spam` is after spam beside ham."""
    return len(names) == 2 and folded(positive_name(columns)) in map(folded, names)


def few_names(series: pd.Series[Any], columns: Columns, most: int) -> list[str]:
    """Up to `most` + 1 distinct names in a column, without what stands for an unknown one; [] if its cells cannot be names."""
    try:
        met = labels_in(series, columns.classes, most + SPARE)
    except _checks.InputError:
        return []
    known = [one for one in met if one in columns.classes or not (whole(one) in CODES or says_unsure(one))]
    return (known or met)[: most + 1]
