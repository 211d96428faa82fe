"""Which column plays which role: a guess to confirm, and the pool that follows from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from sampleval.pool import Columns, InputError, Kind, Labels, Pool
from sampleval.pool.columns import SystemColumns, Told
from sampleval.pool.guessing import Transform, nested, positive_name, resolve
from sampleval.pool.polarity import polar
from sampleval.ui import shell, words
from sampleval.ui.data import choices, confirmed, offers
from sampleval.ui.data.confirmed import Mapping
from sampleval.ui.labelling import desk

KINDS: dict[Kind, str] = {
    "binary": "one of two classes",
    "multiclass": "one of several classes",
    "multilabel": "any of several labels",
    "regression": "a number",
}
KNOWN = (
    "Kept apart from the pool: if all are known, only simulations, the truth of a demo and the oracle see them; "
    "if some are, a study can count them."
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A pool as the mapping makes it, with the labels known beforehand."""

    pool: Pool
    labels: Labels | None


def confirm(df: pd.DataFrame, *, classes: tuple[str, ...] = (), key: str) -> Mapping:
    """Show the guessed roles for correction.

    Args:
        df: The table.
        classes: Names for (negative, positive), () for the table's own.
        key: Tells the widgets of one file from those of another.
    """
    guessed = partial(_guessed, df, Told(classes=classes or None), key)
    usual = confirmed.usual(key, guessed, asked=f"kind_{key}" in st.session_state)
    guess = usual.columns
    with st.expander(
        "**Columns**: is this right?",
        expanded=bool(guess.question or not guess.systems),
        icon=":material/view_column:",
    ):
        head = st.container()
        kind = st.selectbox(
            "What is predicted?",
            [*KINDS],
            [*KINDS].index(guess.kind),
            format_func=lambda kind: KINDS[kind],
            key=f"kind_{key}",
        )
        if kind != guess.kind:
            guess = _guessed(df, Told(task=kind, classes=classes or None), key)
            usual = Mapping(guess)
        choose = _two_classes if kind == "binary" else _several
        mapping = choose(df, usual, classes, key)
        with head:
            if asked := question(mapping.columns, guess):
                st.warning(words.sentence(asked), icon=":material/help:")
            elif mapping.columns.explanation:
                st.caption(words.sentence(mapping.columns.explanation))
    if asked:
        st.stop()
    confirmed.keep(mapping, key)
    offers.label(df, mapping.columns, key)
    return mapping


def question(columns: Columns, guess: Columns) -> str:
    """What still has to be chosen; the library's own question says how to tell it in Python."""
    if not columns.systems:
        none = "no column is taken for the model's score or prediction"
        return guess.explanation if guess.explanation and not guess.systems else f"{none}: choose it here"
    return columns.question and f"{columns.question.partition('?')[0]}? Choose it here"


def _two_classes(df: pd.DataFrame, usual: Mapping, classes: tuple[str, ...], key: str) -> Mapping:
    guess = usual.columns
    own = guess.systems[0] if guess.systems else None
    left, right = shell.columns(1, 1, gap="small")
    score = choices.one(
        left, "Score: the model's probability of “positive”", df, own.score if own else (), f"score_{key}"
    )
    label = choices.one(
        right, "True label, if some are known", df, guess.label, f"label_binary_{key}", help=KNOWN
    )
    pred = choices.one(left, "Decision, if the table has one", df, own.pred if own else (), f"pred_{key}",
                help="Without one, an item is predicted positive when its score reaches the threshold.")  # fmt: skip
    item = choices.one(right, "Identifier", df, (guess.id,) if guess.id else (), f"id_{key}",
                help="Different in every row. Without one, rows are numbered.")  # fmt: skip
    beside = choices.others(left, df, guess, (score, pred, label, item), key)
    chosen = Told(id=item, label=label or (), task="binary", classes=classes or None)
    if score and beside:
        chosen = replace(chosen, system=choices.systems(guess, (score, *beside), pred))
    else:
        chosen = replace(chosen, score=score or (), pred=pred or ())
    same = own and (score, pred, label, beside) == (*_roles(guess), choices.beside(guess))
    columns = guess if same else _resolved(df, chosen, key)
    if not classes and columns.systems and (pred or label):
        likely = None if columns.question else len(columns.classes) - 1
        positive = right.selectbox(
            "Which class is positive?", columns.classes, likely, key=f"positive_{key}|{columns.classes}",
            help="The one whose probability the score is.",
        )  # fmt: skip
        if positive is not None and (columns.question or positive != columns.classes[-1]):
            others = [name for name in columns.classes if name != positive]
            columns = _resolved(df, replace(chosen, classes=(*others, positive)), key)
    bare, called = columns.classes, None
    if columns.systems and desk.unnamed(columns.task):
        columns, called = _named(right, columns, _likely_name(usual, columns), key)
    columns = choices.fields(df, replace(columns, id=item), key)
    with left:
        threshold = st.slider(
            "Threshold: predicted positive from this score on", 0.0, 1.0, usual.threshold, 0.01,
            key=f"threshold_{key}", disabled=pred is not None,
            help="Not used, since the table has its own decisions." if pred else "Higher: fewer items are predicted positive.",
        )  # fmt: skip
    return Mapping(columns, threshold, _scale(right, columns, usual.transform, key), called, bare)


def _likely_name(usual: Mapping, columns: Columns) -> str:
    """What was typed for a positive, or what its score's name says: score_a beside score_b names no class."""
    if usual.called is not None:
        return usual.called
    return "" if len(usual.columns.systems) > 1 else positive_name(columns)


def _named(
    place: st.delta_generator.DeltaGenerator, columns: Columns, guess: str, key: str
) -> tuple[Columns, str]:
    """Ask what is called positive where the table does not say, for buttons, sheets and the report to say it."""
    name = place.text_input(
        "What is a positive called?", guess, key=f"called_{key}|{guess}", placeholder="yes", max_chars=40,
        help="“complaint” makes the answers “not complaint” and “complaint”. Left empty, the buttons say “no” and “yes”.",
    ).strip()  # fmt: skip
    pair = polar([name]) or (f"not {name}", name)
    if pair[1] != name:  # it would turn the table's own answers round
        place.caption(f"“{words.plain(name)}” says what a negative is called, so it is not used.")
    return replace(columns, classes=pair) if name and pair[1] == name else columns, name


def _scale(
    place: st.delta_generator.DeltaGenerator, columns: Columns, usual: Transform | None, key: str
) -> Transform | None:
    """Ask what the scores are, where there are some."""
    if not any(system.score for system in columns.systems):
        return None
    margins: Transform = "softmax" if columns.kind == "multiclass" else "sigmoid"
    scales: list[Transform | Literal[""]] = ["", "percent", margins]
    if columns.kind == "binary" and all(system.pred for system in columns.systems):
        scales.append("confidence")
    chosen = place.selectbox(
        "The scores are", scales, scales.index(usual) if usual in scales else 0, format_func=offers.SCALES.__getitem__, key=f"scale_{columns.kind}_{key}",
        help="Percentages are divided by 100, log-odds mapped through 1/(1 + e^−x), those of several classes "
        "through the softmax; confidence c in a negative decision becomes 1 − c. Wrong for scores that are "
        "probabilities of “positive” already.",
    )  # fmt: skip
    return chosen or None


def _roles(columns: Columns) -> tuple[str | None, str | None, str | None]:
    """The columns of score, decision and label of one system with two classes."""
    own = columns.systems[0]
    return _first(own.score), _first(own.pred), _first(columns.label)


def _first(names: tuple[str, ...]) -> str | None:
    return names[0] if names else None


def _resolved(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The roles that follow from what is told; the page stops with words if none do."""
    with shell.mistakes_in_words():
        return _resolve(f"{key}|{told}", df, told)


def _guessed(df: pd.DataFrame, told: Told, key: str) -> Columns:
    """The roles as guessed; where the table allows no guess, none but the reason, so that they can be chosen."""
    try:
        return _resolve(f"{key}|{told}", df, told)
    except InputError as error:
        kind = told.task if isinstance(told.task, str) else "binary"
        return Columns(kind, explanation=str(error))


@st.cache_resource(show_spinner=False, max_entries=16)
def _resolve(key: str, _df: pd.DataFrame, _told: Told) -> Columns:
    return resolve(_df, _told)


def _several(df: pd.DataFrame, usual: Mapping, classes: tuple[str, ...], key: str) -> Mapping:
    guess = usual.columns
    if len(guess.systems) < 2:
        guess = _one_system(df, guess, key)
    left, right = shell.columns(1, 1, gap="small")
    transform = _scale(right, guess, usual.transform, key)
    item = choices.one(left, "Identifier", df, (guess.id,) if guess.id else (), f"id_{key}")
    columns = choices.fields(df, replace(guess, id=item), key)
    threshold = usual.threshold
    if guess.kind == "multilabel":
        threshold = left.slider(
            "Threshold: a label is predicted from this score on", 0.0, 1.0, usual.threshold, 0.01, key=f"threshold_{key}",
            disabled=any(system.pred for system in guess.systems),
        )  # fmt: skip
    return Mapping(columns, threshold, transform)


def _one_system(df: pd.DataFrame, guess: Columns, key: str) -> Columns:
    """Ask for the columns of the only system, and for the label unless there is one per class."""
    own = guess.systems[0] if guess.systems else SystemColumns()
    here, score = f"{guess.kind}_{key}", own.score
    told = Told(id=guess.id, task=guess.kind, error=own.error)
    if len(own.pred) > 1 and len(own.pred) == len(guess.classes):
        told = replace(told, pred=dict(zip(guess.classes, own.pred, strict=True)))
    if len(guess.label) > 1 and len(guess.label) == len(guess.classes):
        told = replace(told, label=dict(zip(guess.classes, guess.label, strict=True)))
    if guess.kind != "regression":
        score = choices.scores(df, own.score, f"scores_{here}")
        named = score == own.score and len(score) == len(guess.classes) > 0
        told = replace(told, score=dict(zip(guess.classes, score, strict=True)) if named else score)
    pred, label = _first(own.pred), _first(guess.label)
    left, right = shell.columns(1, 1, gap="small")
    several = guess.kind == "multilabel"
    if len(own.pred) < 2:  # one column a label is no choice of one column
        pred = choices.one(
            left, "Decisions: the labels predicted" if several else "Prediction", df, own.pred, f"pred_{here}",
            help="A column of sets such as “bug|praise”. Without one, labels are predicted from the threshold on."
            if several else None,
        )  # fmt: skip
        told = replace(told, pred=pred or ())
    if len(guess.label) < 2:
        question = "True labels, if some are known" if several else "True label, if some are known"
        label = choices.one(right, question, df, guess.label, f"label_{here}", help=KNOWN)
        told = replace(told, label=label or ())
    if (score, pred, label) == (own.score, _first(own.pred), _first(guess.label)):
        return guess
    columns = _resolved(df, told, key)
    if len(score) == 1 and not nested(df[score[0]]):
        return replace(columns, question="which columns hold the scores of the other classes?")
    return columns


def draft(df: pd.DataFrame, mapping: Mapping, key: str) -> Draft:
    """The pool and the known labels; the page stops with words where the table does not allow them."""
    offer = partial(offers.scales, df, mapping.columns, key) if mapping.transform is None else None
    with shell.mistakes_in_words(offer=offer):
        made = _draft(f"{key}|{asdict(mapping)}", df, mapping)
        if mapping.transform is None:
            offers.confidence(made.pool, key)
        return made


@st.cache_resource(show_spinner="Checking every row …", max_entries=2)
def _draft(key: str, _df: pd.DataFrame, _mapping: Mapping) -> Draft:
    pool = Pool.from_columns(
        _df, _mapping.columns, threshold=_mapping.threshold, transform=_mapping.transform
    )
    known = Labels.from_frame(_df, pool) if _mapping.columns.label else None
    return Draft(pool, known)
