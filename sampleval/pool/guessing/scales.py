"""The scale of scores that are not probabilities, as the caller gave it or as their range suggests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail
from sampleval.pool.columns import Columns
from sampleval.pool.guessing.cells import loose
from sampleval.pool.task import Kind

Transform = Literal["sigmoid", "softmax", "percent", "confidence"]
# What the task may be, if another transform of margins was meant.
_OTHER_TASK: dict[Kind, str] = {
    "multiclass": 'or name task="multilabel"',
    "multilabel": 'or if each item has one class, name task="multiclass"',
}


def scale(df: pd.DataFrame, columns: Columns, transform: Transform | None) -> Transform | None:
    """The transform to apply. "percent" is dropped if all cells, such as `20%`, say percent themselves.

    Raises:
        InputError: There are no scores to transform, another transform fits the kind of task, or it is "percent" but
            they look like probabilities.
    """
    if transform not in (None, "confidence") and not columns.scores:
        remedy = "leave it out; if a column holds scores, name one, score=…"
        fail("transform", "needs scores, and no column was taken for them", transform, remedy=remedy)
    if transform in ("sigmoid", "softmax") and transform != (fit := of_margins(columns.kind)):
        rule = "must be 'softmax'" if fit == "softmax" else "must be 'sigmoid'"  # the console looks for these
        remedy = _OTHER_TASK.get(columns.kind, "")
        fail("transform", f"{rule} in a {columns.kind} task", transform, remedy=remedy)
    if transform != "percent":
        return transform
    told = [
        [name for name in own.score if not _checks.in_percent(df[name])]
        for own in columns.systems
        if own.score
    ]
    for names in filter(None, told):
        high = np.max([loose(df[name]).max() for name in names])
        if 0.0 < high <= 1.0:
            remedy = (
                "leave it out; if they are percentages, none above 1%, divide the scores by 100 beforehand"
            )
            rule = f"cannot be 'percent' where all scores of `{names[0]}` lie in [0, 1]"
            fail("transform", rule, float(high), remedy=remedy)
    return transform if any(told) else None


def one_unit(df: pd.DataFrame, names: Sequence[str]) -> None:
    """Refuse columns of numbers to be compared if the cells of some say percent and those of others do not."""
    said = {name: _checks.in_percent(df[name]) for name in names if df[name].notna().any()}
    percent, plain = ([name for name in said if said[name] == side] for side in (True, False))
    if percent and plain:
        rule = f"says percent and `{plain[0]}` does not: one of them may be 100 times the other"
        fail(percent[0], rule, remedy="write both with the sign or both without")


def of_margins(kind: Kind) -> Transform:
    """The transform that makes scores of margins in this kind of task."""
    return "softmax" if kind == "multiclass" else "sigmoid"


def plausible_transforms(df: pd.DataFrame, columns: Columns) -> tuple[Transform, ...]:
    """The transforms that fit scores outside [0, 1]: "percent" if they reach far enough into [0, 100], and margins.

    The result is empty if the scores leave [0, 1] only by rounding, or if their cells say that they are percentages.
    """
    if any(_checks.in_percent(df[name]) for name in columns.scores):
        return ()
    scores = [loose(df[name]) for name in columns.scores]
    low, high = np.min([x.min() for x in scores] or [0.0]), np.max([x.max() for x in scores] or [1.0])
    if not np.isfinite([low, high]).all() or (low >= -_checks.NEAR and high <= 1.0 + _checks.NEAR):
        return ()
    margins = of_margins(columns.kind)
    return ("percent", margins) if _checks.may_be_percent(low, high) else (margins,)


def doubtful(df: pd.DataFrame, columns: Columns, transform: Transform | None) -> list[str]:
    """Remarks on scores that a transform was applied to, although they look like ratings or log-probabilities."""
    notes = []
    for name in columns.scores if transform is not None else ():
        high = float(loose(df[name]).max())
        if transform == "percent" and 0.0 < high <= _checks.RATED:
            rated = "if it holds ratings, divide them by the highest possible one beforehand instead"
            notes.append(f"`{name}` is nowhere above {high:g}%: {rated}")
        if transform == "sigmoid" and high <= 0.0:
            logs = "if it holds log-probabilities, take exp of them beforehand instead"
            notes.append(f"`{name}` is nowhere above 0: {logs}")
    return notes
