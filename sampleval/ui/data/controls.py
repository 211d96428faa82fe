"""Controls that all kinds of table share: a column for a role, fields to show, the threshold, the scale of the scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.pool import Columns
from sampleval.pool.guessing.scales import Transform, of_margins
from sampleval.ui.data import offers

NONE = "–"
KNOWN = (
    "Kept apart from the items. If all labels are known, only simulations, the true values on Results and an "
    "oracle, which can answer in your place, use them; if only some are, a study can count them."
)


def one(
    place: DeltaGenerator,
    question: str,
    df: pd.DataFrame,
    guess: str | None,
    key: str,
    *,
    help: str | None = None,
) -> str | None:
    """A select box of columns, the first option being "none"."""
    names = [NONE, *map(str, df.columns)]
    index = names.index(guess) if guess in names else 0
    chosen = place.selectbox(question, names, index, key=key, help=help)
    return None if chosen in (NONE, None) else chosen


def label(place: DeltaGenerator, df: pd.DataFrame, guess: Columns, key: str) -> str | None:
    """Ask for the label column, where there is not one per class."""
    question = f"True {'labels' if guess.kind == 'multilabel' else 'label'}, if some are known"
    return one(place, question, df, first(guess.label), f"label_{guess.kind}_{key}", help=KNOWN)


def fields(df: pd.DataFrame, columns: Columns, key: str) -> Columns:
    """The columns with those to show as confirmed; asked anew where other ones turn out to give the answer away.

    Not before the model's are known: its scores would be on offer, and chosen.
    """
    if not columns.systems:
        return replace(columns, fields=())
    taken = {*columns.model, *columns.label}  # an id may be what is looked up, such as a house's number
    free = [str(name) for name in df.columns if name not in taken]
    chosen = st.multiselect(
        "Shown while labelling",
        free,
        [name for name in columns.fields if name in free],
        key=f"fields_{key}|{columns.hidden}",
        help="What a person needs to find the true label; nothing that gives the model's answer away.",
    )
    hidden = tuple(name for name in columns.hidden if name not in chosen)
    return replace(columns, fields=tuple(chosen), hidden=hidden)


def threshold(
    place: DeltaGenerator, outcome: str, usual: float, key: str, *, decided: bool, help: str
) -> float:
    """Ask from which score on this is predicted; grey where the table has decisions of its own."""
    return place.slider(
        f"Threshold: {outcome} from this score on",
        0.0,
        1.0,
        usual,
        0.01,
        key=f"threshold_{key}",
        disabled=decided,
        help="Not used, since the table has its own decisions." if decided else help,
    )


def scale(place: DeltaGenerator, columns: Columns, usual: Transform | None, key: str) -> Transform | None:
    """Ask for the scale of the scores, if there are scores."""
    if not columns.scores:
        return None
    scales: list[Transform | Literal[""]] = ["", "percent", of_margins(columns.kind)]
    if columns.kind == "binary" and all(system.pred for system in columns.systems):
        scales.append("confidence")
    chosen = place.selectbox(
        "The scores are",
        scales,
        scales.index(usual) if usual in scales else 0,
        format_func=offers.SCALES.__getitem__,
        key=f"scale_{columns.kind}_{key}",
        help="Percentages are divided by 100, log-odds mapped through 1/(1 + e^−x), those of several classes "
        "through the softmax; confidence c in a negative decision becomes 1 − c. The last is wrong for "
        "scores that are already probabilities of “positive”.",
    )
    return chosen or None


def first(names: tuple[str, ...]) -> str | None:
    """The first column of a role; `None` if there is none."""
    return names[0] if names else None
