"""Boxes that ask for columns: for one role, for the scores of classes or systems, for what is shown."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from sampleval.pool import Columns

NONE = "–"


def one(place: st.delta_generator.DeltaGenerator, question: str, df: pd.DataFrame, guess: tuple[str, ...], key: str,
         *, help: str | None = None) -> str | None:  # fmt: skip
    """A select box of columns with "none" first."""
    names = [NONE, *map(str, df.columns)]
    index = names.index(guess[0]) if guess and guess[0] in names else 0
    chosen = place.selectbox(question, names, index, key=key, help=help)
    return None if chosen in (NONE, None) else chosen


def scores(df: pd.DataFrame, guess: tuple[str, ...], key: str) -> tuple[str, ...]:
    """Choose the columns of scores, one per class."""
    chosen = st.multiselect(
        "Scores: one column per class", [*map(str, df.columns)], [*guess], key=key,
        help="The class's probability; its name is taken from the column's: “cat” from “cat” and from “p_cat”.",
    )  # fmt: skip
    return tuple(chosen)


def others(place: st.delta_generator.DeltaGenerator, df: pd.DataFrame, guess: Columns,
            used: tuple[str | None, ...], key: str) -> tuple[str, ...]:  # fmt: skip
    """Choose the scores of other systems that gave the same items one, if there may be any."""
    usual = tuple(name for name in beside(guess) if name not in used)
    may = [str(name) for name, column in df.items() if pd.api.types.is_numeric_dtype(column)]
    names = [*usual, *(name for name in may if name not in {*used, *usual})]
    if guess.system or not names:
        return usual
    help = (
        "Columns with what other systems say of the same items. They and their differences are estimated from the "
        "same labels, which are chosen for the first system."
    )
    return tuple(
        place.multiselect(
            "Other systems' scores, to compare", names, [*usual], key=f"others_{key}", help=help
        )
    )


def systems(guess: Columns, scores: tuple[str, ...], pred: str | None) -> dict[str, dict[str, str]]:
    """Systems with these scores, and with the names and decisions that were guessed of them.

    Args:
        guess: The guess.
        scores: The first system's column, then the others'.
        pred: The first one's decision, as chosen.
    """
    known = {system.score[0]: system for system in guess.systems if len(system.score) == 1}
    preds = {score: system.pred[0] for score, system in known.items() if system.pred} | {scores[0]: pred}
    return {
        (known[score].name if score in known else "") or score: {"score": score}
        | ({"pred": said} if (said := preds.get(score)) else {})
        for score in scores
    }


def beside(columns: Columns) -> tuple[str, ...]:
    """The scores of all systems but the first, where each has a column of its own."""
    return () if columns.system else tuple(name for system in columns.systems[1:] for name in system.score)


def fields(df: pd.DataFrame, columns: Columns, key: str) -> Columns:
    """The columns with those to show as confirmed; asked anew where other ones turn out to give the answer away."""
    taken = {*columns.model, *columns.label, columns.id}
    free = [str(name) for name in df.columns if name not in taken]
    chosen = st.multiselect(
        "Shown while labelling", free, [name for name in columns.fields if name in free],
        key=f"fields_{key}|{columns.hidden}",
        help="What a person needs to find the true label; nothing that gives the model's answer away.",
    )  # fmt: skip
    hidden = tuple(name for name in columns.hidden if name not in chosen)
    return replace(columns, fields=tuple(chosen), hidden=hidden)
