"""Guess the kind of task from one system's columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, shown
from sampleval.pool.answer_columns import holds_sets, names_in_sets, names_with_bars
from sampleval.pool.columns import Columns
from sampleval.pool.guessing.by_role import ByRole
from sampleval.pool.guessing.cells import (
    NAMES,
    fractions,
    labels_in,
    loose,
    names_in,
    nested,
    numeric,
    sum_to_one,
    wholes,
)
from sampleval.pool.polarity import polar
from sampleval.pool.task import Kind

LONGEST = 60  # most characters of a number: on longer text the pattern below would try every way to split it
# Numbers as people write them, with thousands and a currency,
AMOUNT = re.compile(
    r"^\s*[€$£¥]?\s*[+-]?\s*\d{1,3}([,.’' \u00a0\u202f]?\d{3})*([.,]\d+)?\s*(€|\$|£|¥|%|EUR|USD)?\s*$"
)
MEASURE = re.compile(r"^\s*[+-]?\d{1,9}[.,]\d+\s*[^\W\d_]{1,5}[²³]?\s*$")  # and decimals with a unit
SIZES = 20  # most sizes among which to choose, as 0.5 l and 1.5 l
CODES = 20  # most numbers that are perhaps codes of classes, where nothing else tells


def guess_kind(df: pd.DataFrame, by_role: ByRole, classes: tuple[str, ...]) -> tuple[Kind | None, str]:
    """The kind of task and the reason, if need be from the classes that the caller gave; `None` if the system has no output."""
    scores = list(by_role.scores.values())
    if by_role.score:
        if nested(df[by_role.score[0]]):
            return "multiclass", f"`{by_role.score[0]}` holds a list of scores per row: one class each"
        pred = by_role.lone("pred")
        if pred and (len(classes) > 2 or _names_class(df, pred[0], by_role.label[:1])):
            return "multiclass", f"`{pred[0]}` names one of several classes"
        what = "is the one score column" if len(by_role.score) == 1 else "was taken for the score"
        return "binary", f"`{by_role.score[0]}` {what}: two classes"
    if len(scores) == 1:
        return "binary", f"`{scores[0]}` is the one score column: two classes"
    if scores:
        return _guess_wide(df, by_role, scores)
    if pred := by_role.lone("pred"):
        return _guess_pred(df, pred[0], by_role.label[:1], classes)
    if by_role.preds:
        return "multilabel", f"{len(by_role.preds)} columns of decisions, one per label, and no scores"
    return None, ""


def _guess_wide(df: pd.DataFrame, by_role: ByRole, scores: list[str]) -> tuple[Kind, str]:
    """The kind of task that several columns of scores are of, and the reason."""
    several, answers = f"{len(scores)} score columns", (*by_role.pred[:1], *by_role.label[:1])
    if not by_role.pred and not by_role.scores.keys().isdisjoint((*by_role.preds, *by_role.labels)):
        return "multilabel", f"{several} with their own decisions or labels: any number of labels per item"
    for name in answers:
        if _are_sets_of(df[name], by_role.scores):
            why = f"{several}, and `{name}` holds sets of their labels: any number of labels per item"
            return "multilabel", why
    if sum_to_one(df, scores):
        if len(scores) == 2 and polar(by_role.scores):
            return "binary", "two score columns that sum to 1: two classes"
        return "multiclass", f"{several} that sum to 1 in each row: one class per item"
    for name in answers:
        if wholes(names_in(df[name], NAMES)) & wholes(by_role.scores):
            return "multiclass", f"{several}, and `{name}` names one of their classes"
    why = f"{several} that do not sum to 1: any number of labels per item"
    if len(scores) == 2 and not by_role.pred:
        why += '; if two systems gave them, choose two classes (task="binary")'
    return "multilabel", why


def _are_sets_of(series: pd.Series[Any], classes: Collection[str]) -> bool:
    """Whether cells are sets of these classes, and not each the name of one."""
    met = wholes(one for one in names_in(series, NAMES) if not _checks.says_missing(one))
    joined = holds_sets(series) or not met <= wholes(classes)
    return joined and {*names_in_sets(series)} <= {*classes}


def _names_class(df: pd.DataFrame, name: str, label: list[str]) -> bool:
    """Whether decisions name at least three classes, by names or by numbers, and no label has fewer than three."""
    if any(len(labels_in(df[column])) <= 2 for column in label):
        return False
    met = names_in(df[name], NAMES)
    if numeric(df[name]):
        return 2 < len(met) <= NAMES and all(one.isdecimal() for one in met)
    return len(met) > 2


def _guess_pred(df: pd.DataFrame, name: str, label: list[str], classes: tuple[str, ...]) -> tuple[Kind, str]:
    """The kind of task that decisions without scores are of, and the reason."""
    barred = names_with_bars(df[name])
    if holds_sets(df[name]):
        why = f"no score; `{name}` holds sets of labels: any number per item"
        if len(barred) == 1:
            why += f'; if {shown(barred[0])} is one class, choose several classes (task="multiclass")'
        return "multilabel", why
    if len(classes) > 1:
        kind: Kind = "binary" if len(classes) == 2 else "multiclass"
        return kind, f"no score; `{name}` holds decisions between the {len(classes)} classes named"
    names = names_in(df[name])
    if polar(wholes(names)):  # text such as 1.0 is what files hold of whole numbers with missing cells
        return "binary", f"no score; `{name}` holds decisions between two classes"
    if numeric(df[name]):
        return _guess_numbers(df, name, label)
    if names and _all_amounts(df[name], names):
        remedy = 'write 1214.65 for "€ 1,214.65"; if they name classes, pass task="multiclass"'
        fail("pred", "must hold plain numbers, if numbers are predicted", names[0], remedy=remedy)
    why = f"no score; `{name}` names a class"
    if barred:
        why += f'; {shown(barred[0])} is one, as its parts are met nowhere else (else task="multilabel")'
    return "multiclass", why


def _guess_numbers(df: pd.DataFrame, name: str, label: list[str]) -> tuple[Kind, str]:
    """Whether decisions that are numbers stand for classes or for themselves, and the reason."""
    may_be_codes = not any(fractions(df[one]) for one in label)
    if coded := may_be_codes and _codes(df[name]):
        return "multiclass", f"no score; `{name}` names a class by {coded}"
    why = f"`{name}` holds numbers and there is no score: a number is predicted"
    if any(polar(wholes(labels_in(df[one]))) for one in label) and fractions(df[name]):
        why += f"; as `{label[0]}` says no and yes, it may be a probability: then name it with score"
    few = names_in(df[name], CODES)
    if may_be_codes and len(few) <= CODES and numbered(few) and _recur(df[name]):
        why += '; if these are codes of classes, pass task="multiclass"'
    return "regression", why


def surely_amounts(series: pd.Series[Any]) -> bool:
    """Whether some number is higher than codes of classes are, or than probabilities beside one that is not whole."""
    high = np.nanmax(loose(series), initial=0.0)
    return bool(high > CODES or (high > 1 and fractions(series)))


def _codes(series: pd.Series[Any]) -> str:
    """What shows that numbers stand for classes; "" if nothing does.

    It is the column's name, as `predicted_class`, or as `pred_label` if the numbers recur (of counts and ages there are
    many), or zeros in front of numbers.
    """
    written = names_in(series, NAMES)
    words = {*re.split(r"[\W_]+", str(series.name).lower())}
    if numbered(written) and ("class" in words or ("label" in words and _recur(series))):
        return 'its number; if these are amounts, pass task="regression"'
    zeros = all(map(str.isdecimal, written)) and any(len(one) > 1 and one[0] == "0" for one in written)
    return "codes with leading zeros" if zeros else ""


def _recur(series: pd.Series[Any]) -> bool:
    """Whether each cell of a column occurs at least twice on average."""
    try:
        return bool(2 * series.nunique() <= series.count())
    except TypeError:  # lists and records among the cells
        return False


def _all_amounts(series: pd.Series[Any], names: Sequence[str]) -> bool:
    """Whether all names are amounts. A few that recur with their unit, as 0.5 l and 1.5 l, are the names of sizes."""
    short = all(len(name) <= LONGEST for name in names)
    if not short or all(map(AMOUNT.match, names)):
        return short
    sizes = len(names) <= SIZES and _recur(series)
    return not sizes and all(AMOUNT.match(name) or MEASURE.match(name) for name in names)


def label_in_doubt(df: pd.DataFrame, columns: Columns) -> str:
    """A question if a label beside the one score is perhaps no label, but what the model decided; otherwise "".

    It names several classes, and no score is lower than that of the best of so many.
    """
    if columns.kind != "binary" or columns.preds or len(columns.scores) != 1 or not columns.label:
        return ""
    (score,), label = columns.scores, columns.label[0]
    named = len(labels_in(df[label], (), NAMES))
    if not 2 < named <= NAMES or not _recur(df[label]) or not (loose(df[score]) >= 1 / named).all():
        return ""
    decided = (
        f"`{label}` names several classes: if it is what the model decided, and `{score}` how sure it is"
    )
    return f"{decided}, name it with pred; if it is known to be true, name it with label, and give the decisions a column"


def numbered(names: Sequence[str]) -> bool:
    """Whether all names are whole numbers, as 3, -1 and 2.0 are."""
    return all(one.removeprefix("-").isdecimal() for one in wholes(names))
