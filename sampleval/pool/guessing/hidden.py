"""Columns to hide from annotators, since they may hold the answers or what a model says."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from sampleval.pool.column_groups import by_prefix
from sampleval.pool.columns import Columns
from sampleval.pool.guessing.by_role import ByRole
from sampleval.pool.guessing.cells import (
    fractions,
    head_and_all,
    keys_in,
    loose,
    names_in,
    numeric,
    sum_to_one,
)
from sampleval.pool.guessing.forecasts import beside_predictions
from sampleval.pool.guessing.likely_labels import (
    answering,
    few_names,
    named_after,
    possible_labels,
    without_is,
)
from sampleval.pool.guessing.misses import misses
from sampleval.pool.naming import MARGINS, OUTPUTS, folded, role_of, says_answer, says_decision
from sampleval.pool.polarity import polar
from sampleval.pool.spellings import spelt
from sampleval.pool.task import SEVERAL

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
# What ends the names of columns of answers beside those of decisions, as in gpt4_verdict and esci_label, and Label Studio's `choice`.
_SAID = re.compile(r"\b(?:labels?|truth|gold|verdict|judge?ment|choice)$")
# What stands before or after the name of what is scored where people said it, as in human_grade and relevance_rating.
_BY_PEOPLE = re.compile(
    r"^(?:true|actual|gold|real|observed|correct|reference|human|manual|expert|annotat(?:or|ed)|rater|reviewer|judge) "
    r"| (?:grade|rating|true|actual|gold|human|manual|expert)$"
)


def to_hide(
    df: pd.DataFrame, columns: Columns, by_role: ByRole, names: Sequence[str], shares: Sequence[str]
) -> set[str]:
    """The columns, of those without a role, that may hold the answers or what a model says.

    The `shares` are those whose numbers may be probabilities.
    """
    labels = {*by_role.of("label")}
    told = {name for name in names if name in labels or _tells(name) or _judges(df, columns, name)}
    judged = {name for name in told if _is_judged(df, name)}
    answers = _answers(df, columns, names)
    outputs = {*by_role.scores.values()} | _outputs(df, columns, names, shares)
    return (told - judged) | answers | outputs


def _answers(df: pd.DataFrame, columns: Columns, names: Sequence[str]) -> set[str]:
    """The columns that hold answers, or what is computed from them, whether or not their names suggest a role."""
    likely = possible_labels(df, columns)  # also where a label is known: of a second annotator, or model
    found = answering(df, columns, likely) | misses(df, columns, columns.label or likely, names).keys()
    if columns.kind in SEVERAL:  # 0 and 1 of two classes end many other names
        found |= _one_per_class(df, names, columns.classes)
    found |= {name for name in names if _holds_answers(df, columns, name)}
    return found | _said(df, columns, names)


def _outputs(df: pd.DataFrame, columns: Columns, names: Sequence[str], shares: Sequence[str]) -> set[str]:
    """The columns that hold what a model says, by those of the systems and by the names of the classes."""
    found = {*columns.classes} | (_beside_scores(columns, names) & {*shares})
    if columns.kind == "regression":
        found |= beside_predictions(df, columns.preds, names)
    if columns.kind == "binary":
        found |= {name for name in shares if _other_side(df, columns, name)}
    return found


def _is_judged(df: pd.DataFrame, name: str) -> bool:
    """Whether a column `answer` holds texts that a system wrote and people judge, and not what people answered."""
    return folded(name) == "answer" and len(names_in(df[name], FEW)) > FEW and not numeric(df[name])


def _one_per_class(df: pd.DataFrame, names: Sequence[str], classes: Sequence[str]) -> set[str]:
    """Columns of 0 and 1 or yes and no, one for each class, whose names end in the classes': `true_a`, `is_b`."""
    known = {*map(spelt, classes)}
    groups = [{spelt(rest): name for rest, name in group.items()} for group in by_prefix(names).values()]
    found = [group[one] for group in groups if known <= group.keys() for one in known]
    return {name for name in found if polar(names_in(df[name]))}


def _said(df: pd.DataFrame, columns: Columns, names: Sequence[str]) -> set[str]:
    """The columns that are named as answers are and hold a few names, or numbers under the name of what is scored.

    Beside `toxicity_score`, a share `toxicity` is that of the annotators who said so, but a text `title` beside
    `title_score` is what was scored, as is a text `reference_answer` beside `answer_score`.
    """
    asked, predicted, found = named_after(columns.model), named_after(columns.preds), set[str]()
    for name in names:
        said = folded(name)
        bare = _BY_PEOPLE.sub("", without_is(name))
        by_people = bare != said
        true = by_people and bare in predicted  # as true_date beside predicted_date
        numbers = bare in asked and np.isfinite(loose(df[name])).any()
        named = by_people and bare in asked and columns.kind == "binary"  # else the names asked are classes
        answers = named or _SAID.search(said) or says_decision(name)
        if true or numbers or (answers and len(few_names(df[name], columns, FEW)) <= FEW):
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
    told = role == "label" or not {role, last}.isdisjoint((*OUTPUTS, *MARGINS)) or says_answer(name)
    return told or (role == "error" and name.startswith("pred"))


def _judges(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column tells which decisions are right, by its name or by cells such as TP, FP, TN and FN."""
    if _VERDICT.fullmatch(folded(name)):
        return True
    parts = head_and_all(df[name])  # a sorted table may begin with the state of Tennessee
    found = ({*map(folded, few_names(rows, columns, 4))} for rows in parts)
    return all(any(met and met <= cells for cells in _CELLS) for met in found)


def _other_side(df: pd.DataFrame, columns: Columns, name: str) -> bool:
    """Whether a column is 1 − the score, as `q` beside `p`."""
    pairs = (df[[own.score[0], name]] for own in columns.systems if own.score)
    return any(all(sum_to_one(rows, [*rows.columns]) for rows in head_and_all(pair)) for pair in pairs)


def _beside_scores(columns: Columns, names: Sequence[str]) -> set[str]:
    """The names that begin like a score column's name, as `model_b` beside the score `model_a`."""
    scores = set(columns.scores)
    groups = by_prefix([*scores, *names]).values()
    return {name for group in groups if scores & {*group.values()} for name in group.values()} - scores


def probabilities(series: pd.Series) -> bool:
    """Whether the cells may be a model's probabilities: all lie between 0 and 1, and some strictly between."""
    return series.dtype.kind == "f" and bool(series.dropna().between(0, 1).all()) and fractions(series)
