"""Questions that the columns alone cannot answer, asked next to them and answered by pressing a button."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from sampleval.pool import Columns, Pool
from sampleval.pool.guessing.likely_labels import possible_labels
from sampleval.pool.guessing.scales import Transform, plausible_transforms
from sampleval.ui import words

SCALES: dict[Transform | Literal[""], str] = {
    "": "probabilities",
    "percent": "percentages",
    "sigmoid": "margins (log-odds)",
    "softmax": "margins (log-odds)",
    "confidence": "confidence in the decision",
}
MOST_ASKED = 3  # columns of which the page asks whether they hold the label


def label(df: pd.DataFrame, columns: Columns, key: str) -> None:
    """Ask which column is the label if none was recognised. Annotators who saw it among the fields would see the answer."""
    found = {} if columns.label else _possible_labels(f"{key}|{columns}", df, columns)
    if not found:
        return
    # What a judge or a filter said is as often the decision to be evaluated.
    free = columns.kind == "binary" and not columns.preds
    with st.container(border=True):
        for name in sorted(found, key=lambda name: not found[name])[:MOST_ASKED]:
            seen = "It is shown" if name in columns.fields else "Because it may be, it is not shown"
            truth = "value" if columns.kind == "regression" else "label"
            st.markdown(words.coded(f"Is `{name}` the true {truth}? {seen} while labelling."))
            with st.container(horizontal=True):
                st.button(
                    "Yes, it is",
                    key=f"is_label_{name}",
                    on_click=_take,
                    args=(f"label_{columns.kind}_{key}", name),
                )
                if free and found[name]:
                    st.button(
                        "It is the model’s decision",
                        key=f"is_pred_{name}",
                        on_click=_take,
                        args=(f"pred_{key}", name),
                    )


@st.cache_resource(show_spinner=False, max_entries=16)
def _possible_labels(key: str, _df: pd.DataFrame, _columns: Columns) -> dict[str, bool]:
    return possible_labels(_df, _columns)


def scales(df: pd.DataFrame, columns: Columns, key: str) -> None:
    """Offer buttons that say what scores outside [0, 1] are."""
    with st.container(horizontal=True):
        for scale in plausible_transforms(df, columns):
            _offer(scale, columns, key)


def confidence(pool: Pool, key: str) -> None:
    """If negative decisions have high scores too, ask whether the scores say how certain a decision is."""
    columns = pool.columns
    if pool.task.kind != "binary" or len(columns.systems) > 1:
        return
    own, negative = columns.systems[0], pool.pred == 0
    if not (own.score and own.pred and negative.any()) or np.min(pool.score[negative]) < 0.5:
        return
    with st.container(border=True):
        said = f"Does `{own.score[0]}` say how sure the model is of its decision? It is high for negative decisions too."
        st.markdown(words.coded(said))
        _offer("confidence", columns, key)


def _offer(scale: Transform, columns: Columns, key: str) -> None:
    st.button(
        f"They are {SCALES[scale]}" if scale != "confidence" else "Yes, it does",
        key=f"are_{scale}",
        icon=":material/auto_fix_high:",
        on_click=_take,
        args=(f"scale_{columns.kind}_{key}", scale),
    )


def _take(control: str, value: str) -> None:
    """Set a control of the page before the page is drawn again."""
    st.session_state[control] = value
