"""Columns that may hold the answers or what a model says, which annotators should not see."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.pool.alike import by_prefix
from sampleval.pool.answer_columns import encode_cells, names_in_sets, says_unsure
from sampleval.pool.claims import ranked
from sampleval.pool.columns import Columns, SystemColumns
from sampleval.pool.guessing.amounts import HEAD, fractions, head_and_all, loose, numeric, sum_to_one
from sampleval.pool.guessing.by_role import ByRole
from sampleval.pool.guessing.classes import keys_in, positive_name
from sampleval.pool.guessing.forecasts import beside_predictions, come_close
from sampleval.pool.guessing.misses import labelled, misses
from sampleval.pool.guessing.names import labels_in, names_in
from sampleval.pool.naming import OUTPUTS, column_role, folded, role_of, says_answer, says_decision, says_true
from sampleval.pool.polarity import polar, whole
from sampleval.pool.task import SEVERAL, Floats, Task

CODES = frozenset({"-1", "-9", "-99", "-999", "9", "99", "999", "9999", ".", "-"})  # for a missing value
SPARE = 2  # most of them, and of words such as unsure, in one column
ENOUGH = 20  # labels that show whether a column of no and yes goes with them
APART = 0.2  # from ½: how far from chance a column without a bearing on the class may rank items
FEW = 20  # names in a column that is named as answers are: more of them are texts
# What tells whether a decision is right or how far a predicted number is off: names of columns, and cells.
_VERDICT = re.compile(
    r"(?:(?:is|was) )?(?:in)?correct|is wrong|misclassified|resid(?:uals?)?|(?:abs|absolute|squared) error"
    r"|exact match|acc|acc norm"
)
_CELLS = (
    {"tp", "fp", "tn", "fn"},
    {"true positive", "false positive", "true negative", "false negative"},
    {"correct", "incorrect"},
    {"right", "wrong"},
)
# What ends the names of columns of answers, as in gpt4_verdict, esci_label and Reviewer decision, and Label Studio's `choice`.
_SAID = re.compile(r"\b(?:labels?|truth|gold|verdict|judge?ment|choice|decision|pred|prediction)$")
_IS = re.compile(r"^(?:is|has|was) ")
# What stands before or after the name of what is scored where people said it, as in human_grade and relevance_rating.
_BY_PEOPLE = re.compile(
    r"^(?:true|actual|gold|real|observed|correct|reference|human|manual|expert|annotat(?:or|ed)|rater|reviewer|judge) "
    r"| (?:grade|rating|true|actual|gold|human|manual|expert)$"
)


def telling(
    df: pd.DataFrame, columns: Columns, by_role: ByRole, names: Sequence[str], shares: Sequence[str]
) -> set[str]:
    """The columns without a role that may hold the answers or what a model says.

    Args:
        df: (N, …) frame.
        columns: The roles found.
        by_role: The columns whose names suggest a role.
        names: The columns without a role.
        shares: Those of them whose cells may be probabilities.
    """
    found = {name for name in by_role.of("label") if not _is_judged(df, name)}
    found |= {*by_role.scores.values(), *columns.classes}
    likely = _like_labels(df, columns)
    if columns.kind == "regression":
        found |= likely.keys() | beside_predictions(df, columns.preds, names)
    known = replace(columns, label=columns.label or _named_as_score(df, columns, likely))
    found |= {name for name, sure in likely.items() if sure and not _on_other_matters(df, known, name)}
    found |= misses(df, columns, columns.label or likely, names).keys()
    if columns.kind in SEVERAL:  # 0 and 1 of two classes end many other names
        found |= _one_per_class(df, names, columns.classes)
    found |= _named_alike(columns, names) & {*shares}
    found |= {name for name in shares if columns.kind == "binary" and _other_side(df, columns, name)}
    found |= _said(df, columns, names)
    told = {name for name in names if _tells(name) or _judges(df, columns, name)}
    found |= {name for name in names if _holds_answers(df, columns, name)}
    return found | {name for name in told if not _is_judged(df, name)}


def _is_judged(df: pd.DataFrame, name: str) -> bool:
    """Whether a column `answer` holds texts that a system wrote and people judge, and not what people answered."""
    return folded(name) == "answer" and len(names_in(df[name], FEW)) > FEW and not numeric(df[name])


def possible_labels(df: pd.DataFrame, columns: Columns) -> dict[str, bool]:
    """Columns that may be the label if none is known, each with whether its values are surely answers.

    Sure answers are yes and no, 0 and 1, or names of the classes, also in sets. With two classes, a column of any other two values
    may be the label too, but it may just as well divide the pool into parts. In regression a column counts if the
    prediction has its name, as `price` beside `predicted_price`, or if its own name says so, as `actual_price`; if it is
    like the predictions, it may be.

    Args:
        df: (N, …) frame.
        columns: The roles found so far.
    """
    return {} if columns.label else _like_labels(df, columns)


def _like_labels(df: pd.DataFrame, columns: Columns) -> dict[str, bool]:
    """As `possible_labels`, also where a label is known: what a second annotator or model said is then no field either."""
    used = columns.used
    if columns.kind == "multilabel":
        free = [name for name in df.columns if name not in used]
        return {name: True for name in free if _of_classes(df[name], columns.classes)}
    if columns.kind == "regression":
        named = _named_after(columns.preds)
        free = [name for name in df.columns if name not in used and numeric(df[name])]
        sure = dict.fromkeys([name for name in free if folded(name) in named or says_true(name)], True)
        known = {*sure, *beside_predictions(df, columns.preds, free)}
        rest = [name for name in free if name not in known]
        return sure | {name: False for name in rest if come_close(df, columns.preds, name)}
    most = max(2, len(columns.classes))
    head = df.head(HEAD)
    few = [
        name for name in df.columns if name not in used and len(_few_names(head[name], columns, most)) <= most
    ]
    met = {name: names for name in few if 0 < len(names := _few_names(df[name], columns, most)) < len(df)}
    answers = {name: _answers(names, columns) for name, names in met.items()}
    pairs = {name for name, names in met.items() if len(names) == 2 and columns.kind == "binary"}
    return {name: sure for name, sure in answers.items() if sure or name in pairs}


def _named_as_score(df: pd.DataFrame, columns: Columns, likely: Mapping[str, bool]) -> tuple[str, ...]:
    """The one column of answers that the score is named after, as `Churn` or `is_churn` beside `churn_score`, or ().

    One that a threshold on the score makes holds decisions, which do not stand in for labels.
    """
    asked = _named_after(columns.scores)
    sure = {name: _IS.sub("", folded(name)) for name, sure in likely.items() if sure}
    named = {name: asked[said] for name, said in sure.items() if said in asked}
    if len(named) != 1 or columns.kind != "binary":
        return ()
    name, score = next(iter(named.items()))
    try:
        answers, known = encode_cells(columns.task, df[name], name)
    except _checks.InputError:
        return ()
    order = ranked(loose(df[score])[known], answers[known] == 1)
    return (name,) if order is not None and 0.0 < order.share < 1.0 else ()


def _named_after(names: Sequence[str]) -> dict[str, str]:
    """What these columns are named after, as churn of `churn_score`, in the spelling of `folded` → column."""
    return {said: name for name in names if (said := folded(column_role(name)[1]))}


def _on_other_matters(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column of no and yes answers another question than that of the class, as `smoker` does beside a diagnosis.

    Labels must show it: the column goes with neither the labels nor the scores, and among items of one label not with
    the scores either, as a column would that says which decisions are right.
    """
    if columns.kind != "binary" or not columns.label or polar(names_in(df[name])) is None:
        return False
    df = labelled(df, columns.label[0])
    try:
        label, told = encode_cells(columns.task, df[columns.label[0]], columns.label[0])
        answer, known = encode_cells(Task(), df[name], name)
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
    return encode_cells(task, df[own.pred[0]], own.pred[0])[0].astype(np.float64)


def _of_classes(series: pd.Series[Any], classes: Sequence[str]) -> bool:
    """Whether a column holds only names of these classes and sets of them."""
    known = {name.lower() for name in classes}
    try:
        met = ({name.lower() for name in names_in_sets(part)} for part in head_and_all(series))
        return all(names and names <= known for names in met)
    except _checks.InputError:
        return False


def _one_per_class(df: pd.DataFrame, names: Sequence[str], classes: Sequence[str]) -> set[str]:
    """Columns of 0 and 1 or yes and no, one for each class, whose names end in the classes': `true_a`, `is_b`."""
    known = {name.lower() for name in classes}
    groups = [{rest.lower(): name for rest, name in group.items()} for group in by_prefix(names).values()]
    found = [group[one] for group in groups if known <= group.keys() for one in known]
    return {name for name in found if polar(names_in(df[name]))}


def _answers(names: Sequence[str], columns: Columns) -> bool:
    """Whether these names are answers to the question of an item's class."""
    if columns.kind == "binary" and (polar(names) or _mentions(columns, names)):
        return True
    return {name.lower() for name in names} <= {name.lower() for name in columns.classes}


def _mentions(columns: Columns, names: Sequence[str]) -> bool:
    """Whether the score of two classes is named after one of these two, as `score_spam` is after spam beside ham."""
    return len(names) == 2 and folded(positive_name(columns)) in map(folded, names)


def _few_names(series: pd.Series[Any], columns: Columns, most: int) -> list[str]:
    """Up to `most` + 1 distinct names in a column, without what stands for an unknown one; [] if its cells cannot be names."""
    try:
        met = labels_in(series, columns.classes, most + SPARE)
    except _checks.InputError:
        return []
    known = [one for one in met if one in columns.classes or not (whole(one) in CODES or says_unsure(one))]
    return (known or met)[: most + 1]


def _said(df: pd.DataFrame, columns: Columns, names: Sequence[str]) -> set[str]:
    """The columns that are named as answers are and hold a few names, or numbers under the name of what is scored.

    Beside `toxicity_score`, a share `toxicity` is that of the annotators who said so, but a text `title` beside
    `title_score` is what was scored, as is a text `reference_answer` beside `answer_score`.
    """
    asked, predicted, found = _named_after(columns.model), _named_after(columns.preds), set[str]()
    for name in names:
        said = folded(name)
        bare = _BY_PEOPLE.sub("", _IS.sub("", said))
        by_people = bare != said
        true = by_people and bare in predicted  # as true_date beside predicted_date
        numbers = bare in asked and np.isfinite(loose(df[name])).any()
        named = by_people and bare in asked and columns.kind == "binary"  # else the names asked are classes
        answers = named or _SAID.search(said) or says_decision(name)
        if true or numbers or (answers and len(_few_names(df[name], columns, FEW)) <= FEW):
            found.add(name)
    return found


def _holds_answers(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether the records in a column name a label among other things, or say something of each class."""
    keys = [folded(key) for key in keys_in(df[name])]
    classes = {*map(folded, columns.classes)} if columns.kind != "regression" else set()
    labels = (key for key in keys if role_of(key)[0] == "label")
    return any(key != "answer" for key in labels) or (len(keys) > 1 and {*keys} <= classes)


def _tells(name: str) -> bool:
    """Whether a column's name, or what follows its last point as in `suggestion.score`, suggests an answer or an output."""
    role, last = role_of(name)[0], role_of(name.rpartition(".")[2])[0]
    told = role == "label" or not {role, last}.isdisjoint((*OUTPUTS, "margin")) or says_answer(name)
    return told or (role == "error" and name.startswith("pred"))


def _judges(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column tells which decisions are right, by its name or by cells such as TP, FP, TN and FN."""
    if _VERDICT.fullmatch(folded(name)):
        return True
    parts = head_and_all(df[name])  # a sorted table may begin with the state of Tennessee
    found = ({*map(folded, _few_names(rows, columns, 4))} for rows in parts)
    return all(any(met and met <= cells for cells in _CELLS) for met in found)


def _other_side(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column is 1 − the score, as `q` beside `p`."""
    pairs = (df[[own.score[0], name]] for own in columns.systems if own.score)
    return any(all(sum_to_one(rows, [*rows.columns]) for rows in head_and_all(pair)) for pair in pairs)


def _named_alike(columns: Columns, names: Sequence[str]) -> set[str]:
    """The names that begin like a score column's name, as `model_b` beside the score `model_a`."""
    scores = set(columns.scores)
    groups = by_prefix([*scores, *names]).values()
    return {name for group in groups if scores & {*group.values()} for name in group.values()} - scores


def probabilities(series: pd.Series) -> bool:
    """Whether the cells may be a model's probabilities: all lie between 0 and 1, and some strictly between."""
    return series.dtype.kind == "f" and bool(series.dropna().between(0, 1).all()) and fractions(series)
