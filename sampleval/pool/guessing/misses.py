"""Columns computed from labels, by how far predictions miss them: beside the predictions they tell the truth."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail
from sampleval.pool.answer_columns import encode_cells
from sampleval.pool.columns import Columns, SystemColumns, Told
from sampleval.pool.guessing.cells import FIRST, head_and_all, loose, names_in, numeric
from sampleval.pool.polarity import polar
from sampleval.pool.task import YES_NO, Flags, Floats, Integers, Task, of_class
from sampleval.pool.thresholds import decide

FEW = 8  # labels: with fewer, a column may agree by chance
SLACK = 0.01  # of the usual miss: columns may be computed before labels and predictions are rounded
HEAD = 64  # rows that tell most columns from what is computed: each pair of a label and a column is compared
PLACES = 6  # most decimals that a column is taken to be rounded to


def misses(
    df: pd.DataFrame, columns: Columns, labels: Collection[str], names: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """The columns that are computed from the prediction and a label in every labelled row: name → (label column, formula).

    Args:
        df: The table.
        columns: The roles found.
        labels: The columns that hold the label, or that may hold it.
        names: The columns to examine.

    Where items have sets of labels none is found, since people compute too many different things from sets.
    """
    found: dict[str, tuple[str, str]] = {}
    asked = [name for name in names if name not in labels]
    begun, held, heads = np.empty(0, np.intp), list[str](), np.empty((0, 0))
    for label in labels if columns.kind != "multilabel" else ():
        rows = _known(df[label])
        if len(rows) < FEW:
            continue
        # Of a wide table all columns would take long to copy, once for each column that may be the label.
        used = pd.DataFrame({name: df[name].iloc[rows] for name in (label, *columns.model)})
        computed = list(_computed(used, columns, label))
        if not computed:
            continue
        if not np.array_equal(rows, begun):
            begun, (held, heads) = rows, _heads(df, asked, rows)
        near = np.array([_near(heads, values) for _, values in computed])
        for name in (held[at] for at in np.flatnonzero(near.any(axis=0))):
            cells = _numbers(df[name].iloc[rows])
            assert cells is not None  # `_heads` holds no others
            for formula, values in computed:
                if _equal(cells, values):
                    found.setdefault(name, (label, formula))  # the simplest comes first
    return found


def _heads(df: pd.DataFrame, names: Sequence[str], rows: Integers) -> tuple[list[str], Floats]:
    """The columns that hold numbers or say yes and no, and the first of these rows of their `_numbers`, (K, HEAD)."""
    numbers = ((name, _numbers(df[name].iloc[rows])) for name in names)
    # Of each a copy, since a view would keep all its rows.
    heads = {name: cells[:HEAD].copy() for name, cells in numbers if cells is not None}
    return list(heads), np.array([*heads.values()]).reshape(len(heads), len(rows[:HEAD]))


@np.errstate(all="ignore")
def _near(heads: Floats, values: Floats) -> Flags:
    """Which columns, of these first rows, (K, HEAD), are not too far from these values, (n,), for `_equal` to hold, (K,)."""
    most = 0.5 + SLACK * float(np.max(values, where=np.isfinite(values), initial=0.0)) + 1e-9
    gaps = np.abs(heads - values[:HEAD])
    return np.asarray(~((gaps > most) & np.isfinite(gaps)).any(axis=1))


def labelled(df: pd.DataFrame, label: str) -> pd.DataFrame:
    """The first rows with a cell in the column of labels: enough to judge by, however many there are."""
    return df.iloc[_known(df[label])]


def _known(labels: pd.Series[Any]) -> Integers:
    """The positions of the first rows with a label."""
    return np.flatnonzero(labels.notna())[:FIRST]


def without_misses(df: pd.DataFrame, columns: Columns, told: Told) -> Columns:
    """The columns without error scales that are computed from the label: no design may know how far off a prediction is.

    They are hidden from annotators, as is the column from which they would tell the truth.

    An error scale that the caller named is refused if it is computed from the label. It stays if no label is known: one that
    is computed from another model's prediction is a good one.
    """
    errors = [own.error for own in columns.systems if own.error]
    if not errors:
        return columns
    named, known = told.error is not None or isinstance(told.system, Mapping), bool(columns.label)
    found = misses(df, columns, columns.label, errors) if known else _perhaps_misses(df, columns, errors)
    if found and named and known:
        name, (_, formula) = next(iter(found.items()))
        rule = f"must be expected before the label is known; `{name}` is {formula}"
        fail("error", rule, name, remedy="leave it out")
    why = columns.explanation + _in_words(found, named=named, known=known)
    kept = [own if named or own.error not in found else replace(own, error=None) for own in columns.systems]
    lost = {} if named else found
    hidden = (*lost, *(truth for truth, _ in lost.values()))
    return replace(columns, systems=tuple(kept), explanation=why, hidden=hidden)


def _in_words(found: Mapping[str, tuple[str, str]], *, named: bool, known: bool) -> str:
    """What the explanation adds on error scales that may be `misses`, if they are `named` by the caller and if not."""
    said = ""
    for name, (truth, formula) in found.items():
        if named:
            said += f"; `{name}` is {formula}: if `{truth}` is the truth, leave it out"
        elif known:
            said += f"; `{name}` is no error scale, as it is {formula}, which takes the label"
        else:
            remedy = f"if `{truth}` is not the truth, name it with error"
            said += f"; `{name}` is no error scale, as it is {formula}: {remedy}"
    return said


def _perhaps_misses(df: pd.DataFrame, columns: Columns, errors: Sequence[str]) -> dict[str, tuple[str, str]]:
    """As `misses`, where no label is known: error scales that one column explains, and no other, if it holds the true numbers.

    Half the distance of two predictions is how far each of them is from their mean, though neither is the truth.
    """
    found = [misses(df, columns, [name], errors) for name in _perhaps_true(df, columns)]
    explained = {error: [each[error] for each in found if error in each] for error in errors}
    return {error: ways[0] for error, ways in explained.items() if len(ways) == 1}


def _perhaps_true(df: pd.DataFrame, columns: Columns) -> list[str]:
    """The columns that may hold the true numbers, as `sales` beside `forecast`: on both sides of what each system predicts.

    A bound is on one side of its own system's predictions.
    """
    preds = columns.preds
    asked = [name for name in df.columns if name not in columns.model and numeric(df[name])]
    return [name for name in asked if _on_both_sides(labelled(df[[name, *preds]], name), name, preds)]


def _on_both_sides(df: pd.DataFrame, name: str, preds: Sequence[str]) -> bool:
    """Whether the numbers in a column are now smaller and now larger than each of these predictions; missing ones are neither."""
    values = loose(df[name])
    return all(
        (values < pred).any() and (values > pred).any() for pred in (loose(df[each]) for each in preds)
    )


def _numbers(series: pd.Series[Any]) -> Floats | None:
    """The sizes of the numbers in a column, or 1 for yes and 0 for no; `None` if it holds neither, or always the same.

    A word that stands in some cells while all others are empty, as the + of Weka, says yes.
    """
    if numeric(series):
        values = np.abs(loose(series))
    elif series.isna().any() and len(names_in(series, 1)) == 1:
        values = series.notna().to_numpy(np.float64)
    elif all(polar(names_in(rows)) for rows in head_and_all(series)):
        answers, known = encode_cells(YES_NO, series)
        values = np.where(known, answers, np.nan)
    else:
        return None
    return values if np.nanmin(values, initial=np.inf) < np.nanmax(values, initial=-np.inf) else None


@np.errstate(all="ignore")  # of numbers near the largest
def _equal(cells: Floats, values: Floats) -> bool:
    """Whether the cells are these values in every row where both are known, but for rounding."""
    rows = np.isfinite(cells) & np.isfinite(values)
    if rows.sum() < FEW:
        return False
    own, other = cells[rows], values[rows]
    gap, slack = np.abs(own - other).max(), SLACK * float(np.median(other)) + 1e-9
    places = (k for k in range(PLACES) if gap <= 0.5 * 10.0**-k + slack)  # few or none, where columns differ
    if gap > slack and not any(np.allclose(own, own.round(k), 0.0, 1e-9) for k in places):
        return False
    unusual = (own != np.median(own)).sum()
    return bool(unusual > 1)  # a flag of a single row may well be at the only wrong decision


def _computed(df: pd.DataFrame, columns: Columns, label: str) -> Iterator[tuple[str, Floats]]:
    """What people compute from a label and each system's output, (N,), by its formula; nan where the label is unknown."""
    try:
        truth, known = encode_cells(columns.task, df[label])
        for own in columns.systems:
            if columns.kind == "regression":
                found = _of_amounts(df, own.pred[0], truth, label)
            else:
                found = _of_classes(df, columns.task, own, truth, label)
            yield from ((formula, np.where(known, values, np.nan)) for formula, values in found.items())
    except _checks.InputError:  # it is no label of this task, or the output will be refused
        return


@np.errstate(all="ignore")
def _of_amounts(df: pd.DataFrame, pred: str, truth: Any, label: str) -> dict[str, Floats]:
    """How far a predicted number is off: absolute, squared and relative."""
    miss, formula = np.abs(truth - loose(df[pred])), f"|`{label}` − `{pred}`|"
    relative = miss / np.abs(truth)
    return {
        formula: miss,
        f"{formula}²": miss**2,
        f"{formula} / |`{label}`|": relative,
        f"{formula} / |`{label}`| in percent": 100.0 * relative,
    }


@np.errstate(all="ignore")  # −log(0)
def _of_classes(
    df: pd.DataFrame, task: Task, own: SystemColumns, truth: Any, label: str
) -> dict[str, Floats]:
    """Whether a decision is right or wrong, and how far the score of the label's class is from 1."""
    found, scores = dict[str, Floats](), _by_class(df, task, own)
    if own.pred:
        pred = encode_cells(task, df[own.pred[0]])[0]
    elif scores is not None:  # of two classes the usual threshold decides, since no other is known yet
        pred = decide(task, scores if task.kind == "multiclass" else scores[:, 1], 0.5)
    else:
        return found
    wrong = (pred != truth).astype(np.float64)
    found[f"1 where the decision is not `{label}`"] = wrong
    found[f"1 where the decision is `{label}`"] = 1.0 - wrong
    if scores is not None:
        score, formula = of_class(scores, truth), f"1 − the score of `{label}`"
        found[formula] = 1.0 - score
        found[f"({formula})²"] = (1.0 - score) ** 2
        found[f"−log of the score of `{label}`"] = -np.log(score)
    return found


def _by_class(df: pd.DataFrame, task: Task, own: SystemColumns) -> Floats | None:
    """The scores of all classes, (N, C); `None` if they are no columns of numbers from 0 to 1."""
    scores = np.column_stack([loose(df[name]) for name in own.score]) if own.score else np.empty((0, 0))
    if task.kind == "binary" and scores.shape[1] == 1:
        scores = np.column_stack([1.0 - scores[:, 0], scores[:, 0]])
    within = scores.shape[1] == task.width and bool(((scores >= 0.0) & (scores <= 1.0)).all())
    return scores if within else None
