"""The controls for a table whose items belong to one of two classes."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from sampleval.pool import Columns
from sampleval.pool.columns import SystemColumns, Told
from sampleval.pool.guessing.two_classes import positive_name
from sampleval.pool.polarity import is_bare, polar
from sampleval.ui import shell, words
from sampleval.ui.data import controls, roles
from sampleval.ui.data.confirmed import Confirmed


def choose(df: pd.DataFrame, usual: Confirmed, classes: tuple[str, ...], key: str) -> Confirmed:
    """Ask for the columns of one system or several, for the positive class, the threshold and the scale."""
    guess = usual.columns
    left, right = shell.columns(1, 1, gap="small")
    score, pred, label, item = _columns(left, right, df, guess, key)
    others = _others(left, df, guess, (score, pred, label, item), key)
    chosen = Told(id=item, label=label or (), task="binary", classes=classes or None)
    if score and others:
        chosen = replace(chosen, system=_systems(guess, (score, *others), pred))
    else:
        chosen = replace(chosen, score=score or (), pred=pred or ())
    same = guess.systems and (score, pred, label, others) == (*_roles(guess), _beside(guess))
    columns = guess if same else roles.resolved(df, chosen, key)
    if not classes and columns.systems and (pred or label):
        columns = _turned(right, df, columns, chosen, key)
    bare, called = columns.classes, None
    if columns.systems and is_bare(columns.classes):
        columns, called = _named(right, columns, _likely_name(usual, columns), key)
    columns = controls.fields(df, replace(columns, id=item), key)
    threshold = controls.threshold(
        left,
        "predicted positive",
        usual.threshold,
        key,
        decided=pred is not None,
        help="Higher: fewer items are predicted positive.",
    )
    return Confirmed(columns, threshold, controls.scale(right, columns, usual.transform, key), called, bare)


def _columns(
    left: DeltaGenerator, right: DeltaGenerator, df: pd.DataFrame, guess: Columns, key: str
) -> tuple[str | None, str | None, str | None, str | None]:
    """Ask for the columns of score, decision, label and identifier."""
    score, pred, _ = _roles(guess)
    score = controls.one(left, "Score: the model's probability of “positive”", df, score, f"score_{key}")
    label = controls.label(right, df, guess, key)
    pred = controls.one(
        left,
        "Decision, if the table has one",
        df,
        pred,
        f"pred_{key}",
        help="Without one, an item is predicted positive when its score reaches the threshold.",
    )
    item = controls.one(
        right,
        "Identifier",
        df,
        guess.id,
        f"id_{key}",
        help="Different in every row. Without one, rows are numbered.",
    )
    return score, pred, label, item


def _others(
    place: DeltaGenerator, df: pd.DataFrame, guess: Columns, used: tuple[str | None, ...], key: str
) -> tuple[str, ...]:
    """Ask for the scores that other systems gave to the same items, if there may be any."""
    usual = tuple(name for name in _beside(guess) if name not in used)
    may = [str(name) for name, column in df.items() if pd.api.types.is_numeric_dtype(column)]
    names = [*usual, *(name for name in may if name not in {*used, *usual})]
    if guess.system or not names:
        return usual
    chosen = place.multiselect(
        "Other systems' scores, to compare",
        names,
        [*usual],
        key=f"others_{key}",
        help="Columns with the scores of other systems for the same items. All systems and their differences "
        "are estimated from the same labels. With two classes, the scores of up to three systems together "
        "choose the items to label.",
    )
    return tuple(chosen)


def _systems(guess: Columns, scores: tuple[str, ...], pred: str | None) -> dict[str, dict[str, str]]:
    """The systems with these scores, with the names and decisions guessed for them, but the first one's decision as chosen."""
    known = {system.score[0]: system for system in guess.systems if len(system.score) == 1}
    preds = {score: system.pred[0] for score, system in known.items() if system.pred} | {scores[0]: pred}
    return {
        (known[score].name if score in known else "") or score: {"score": score}
        | ({"pred": said} if (said := preds.get(score)) else {})
        for score in scores
    }


def _beside(columns: Columns) -> tuple[str, ...]:
    """The scores of all systems but the first, if each system has a column of its own."""
    return () if columns.system else tuple(name for system in columns.systems[1:] for name in system.score)


def _turned(place: DeltaGenerator, df: pd.DataFrame, columns: Columns, chosen: Told, key: str) -> Columns:
    """Ask which class is positive, and return the columns with that class last."""
    likely = None if columns.question else len(columns.classes) - 1
    positive = place.selectbox(
        "Which class is positive?",
        columns.classes,
        likely,
        key=f"positive_{key}|{columns.classes}",
        help="The class whose probability the score gives.",
    )
    if positive is None or (positive == columns.classes[-1] and not columns.question):
        return columns
    others = [name for name in columns.classes if name != positive]
    return roles.resolved(df, replace(chosen, classes=(*others, positive)), key)


def _likely_name(usual: Confirmed, columns: Columns) -> str:
    """The name typed for positives, or else the one in the score's name; with several systems that name is the system's."""
    if usual.called is not None:
        return usual.called
    return "" if len(usual.columns.systems) > 1 else positive_name(columns)


def _named(place: DeltaGenerator, columns: Columns, guess: str, key: str) -> tuple[Columns, str]:
    """Ask what a positive is called, if the table does not say it. Buttons, sheets and the report use the name."""
    name = place.text_input(
        "What is a positive called?",
        guess,
        key=f"called_{key}|{guess}",
        placeholder="yes",
        max_chars=40,
        help="“complaint” makes the answers “not complaint” and “complaint”. Left empty, the buttons say “no” and “yes”.",
    ).strip()
    pair = polar([name]) or (f"not {name}", name)
    if pair[1] != name:  # it would turn the table's own answers round
        place.caption(f"“{words.name(name)}” says what a negative is called, so it is not used.")
    return replace(columns, classes=pair) if name and pair[1] == name else columns, name


def _roles(columns: Columns) -> tuple[str | None, str | None, str | None]:
    """The columns of score, decision and label of one system with two classes."""
    own = columns.systems[0] if columns.systems else SystemColumns()
    return controls.first(own.score), controls.first(own.pred), controls.first(columns.label)
