"""The controls for a table of several classes, of sets of labels or of numbers."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.pool import SEVERAL, Columns
from sampleval.pool.columns import ColumnSpec, SystemColumns, Told
from sampleval.pool.guessing.cells import nested
from sampleval.ui import shell
from sampleval.ui.data import controls, roles
from sampleval.ui.data.confirmed import Confirmed

SCALE = (
    "A column with the model's own uncertainty, such as a standard deviation. Items that may be further off are asked "
    "more often. Without one, that follows from the labels."
)

DECISIONS = (
    "Decisions: the labels predicted",
    "A column of sets such as “bug|praise”. Without one, labels are predicted from the threshold on.",
)


def choose(df: pd.DataFrame, usual: Confirmed, key: str) -> Confirmed:
    """Ask for the columns and, if items have sets of labels, for the threshold."""
    guess = usual.columns
    guess = _one_system(df, guess, key) if len(guess.systems) < 2 else _compared(df, guess, key)
    left, right = shell.columns(1, 1, gap="small")
    transform = controls.scale(right, guess, usual.transform, key)
    item = controls.one(left, "Identifier", df, guess.id, f"id_{key}")
    columns = controls.fields(df, _classes(right, replace(guess, id=item), key), key)
    threshold = usual.threshold
    if guess.kind == "multilabel":
        threshold = controls.threshold(
            left,
            "a label is predicted",
            usual.threshold,
            key,
            decided=bool(guess.preds),
            help="Higher: fewer labels are predicted.",
        )
    return Confirmed(columns, threshold, transform)


def _classes(place: DeltaGenerator, columns: Columns, key: str) -> Columns:
    """If only predictions name the classes, ask for further ones, which may occur among the labels."""
    if columns.kind not in SEVERAL or columns.scores:
        return columns
    typed = place.multiselect(
        "Classes that no item is predicted to be",
        [],
        key=f"classes_{columns.kind}_{key}",
        accept_new_options=True,
        placeholder="Type a name and press Enter",
        help="The other classes are taken from the predictions. Without this list, nobody could answer with a class that is never predicted.",
    )
    new = [name for name in dict.fromkeys(map(str.strip, typed)) if name and name not in columns.classes]
    return replace(columns, classes=(*columns.classes, *new), question="") if new else columns


def _one_system(df: pd.DataFrame, guess: Columns, key: str) -> Columns:
    """The roles that follow from the columns chosen for the only system."""
    own, numbers = guess.systems[0] if guess.systems else SystemColumns(), guess.kind == "regression"
    chosen = score, pred, label, error = _asked(df, guess, own, key)
    if chosen == (own.score, controls.first(own.pred), controls.first(guess.label), own.error):
        return guess
    named = score == own.score and len(score) == len(guess.classes) > 0
    by_class = dict(zip(guess.classes, score, strict=True)) if named else score
    told = Told(
        id=guess.id,
        task=guess.kind,
        score=None if numbers else by_class,
        pred=_by_class(guess, own.pred) if len(own.pred) > 1 else pred or (),
        label=_by_class(guess, guess.label) if len(guess.label) > 1 else label or (),
        error=error if numbers else None,
    )
    columns = roles.resolved(df, told, key)
    if error is None:
        columns = _without_scale(columns)
    if len(score) == 1 and not nested(df[score[0]]):
        return replace(columns, question="which columns hold the scores of the other classes?")
    return columns


def _asked(
    df: pd.DataFrame, guess: Columns, own: SystemColumns, key: str
) -> tuple[tuple[str, ...], str | None, str | None, str | None]:
    """Ask for the columns of score, prediction, label and error scale; not for one column where each class has its own."""
    here, numbers = f"{guess.kind}_{key}", guess.kind == "regression"
    score, pred, label, error = own.score, controls.first(own.pred), controls.first(guess.label), own.error
    if not numbers:
        score = _scores(df, own.score, f"scores_{here}")
    left, right = shell.columns(1, 1, gap="small")
    if len(own.pred) < 2:
        question, help = DECISIONS if guess.kind == "multilabel" else ("Prediction", None)
        pred = controls.one(left, question, df, pred, f"pred_{here}", help=help)
    if len(guess.label) < 2:
        label = controls.label(right, df, guess, key)
    if numbers:
        question = "How far off each prediction may be"
        error = controls.one(left, question, df, error, f"error_{here}", help=SCALE)
    return score, pred, label, error


def _scores(df: pd.DataFrame, guess: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Ask for the columns of scores, one per class."""
    chosen = st.multiselect(
        "Scores: one column per class",
        [*map(str, df.columns)],
        [*guess],
        key=key,
        help="The probability of each class. A class is named after its column: “cat” after “cat” or “p_cat”.",
    )
    return tuple(chosen)


def _without_scale(columns: Columns) -> Columns:
    """The columns without error scales, whatever their names say; nobody is shown these, since they are the model's."""
    scales = tuple(own.error for own in columns.systems if own.error)
    systems = tuple(replace(own, error=None) for own in columns.systems)
    return replace(columns, systems=systems, hidden=(*columns.hidden, *scales))


def _compared(df: pd.DataFrame, guess: Columns, key: str) -> Columns:
    """Ask for the label column of several systems, unless there is one per class."""
    if len(guess.label) > 1:
        return guess
    place, _ = shell.columns(1, 1, gap="small")
    label = controls.label(place, df, guess, key)
    if label == controls.first(guess.label):
        return guess
    systems = guess.system or {own.name: _told(guess, own) for own in guess.systems}
    return roles.resolved(df, Told(id=guess.id, task=guess.kind, label=label or (), system=systems), key)


def _told(guess: Columns, own: SystemColumns) -> dict[str, ColumnSpec]:
    """The columns of one of several systems, each role as a caller would give it."""
    told = {
        "score": _by_class(guess, own.score) or own.score,
        "pred": _by_class(guess, own.pred) or own.pred,
        "error": own.error or (),
    }
    return {role: names for role, names in told.items() if names}


def _by_class(guess: Columns, names: tuple[str, ...]) -> dict[str, str] | None:
    """Class → its column, if there are several and each has one; otherwise `None`."""
    return dict(zip(guess.classes, names, strict=True)) if len(names) == len(guess.classes) > 1 else None
