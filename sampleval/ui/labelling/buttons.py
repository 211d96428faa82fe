"""Labelling with ordinary buttons, for screen readers and where the keyboard desk cannot run."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from sampleval.pool import Task
from sampleval.study import SKIP, UNSURE, Item, Study
from sampleval.ui import words
from sampleval.ui.labelling import Card

PICTURE_WIDTH = 220


def plain_buttons(study: Study, item: Item, card: Card, task: Task, *, annotator: str) -> None:
    """One item with a button for each answer.

    Args:
        study: Where answers go.
        item: The item.
        card: How it is shown.
        task: What is asked.
        annotator: Who answers.
    """
    with st.container(border=True):
        show(card)

    def tell(label: Any) -> None:
        study.tell(item, label, annotator=annotator)

    def undo() -> None:
        study.undo(annotator=annotator)

    answers(task, tell)
    with st.container(horizontal=True):
        st.button("Undo", on_click=undo, key="plain_undo", icon=":material/undo:")
        st.button("Skip", on_click=tell, args=(SKIP,), key="plain_skip")
        st.button("Unsure", on_click=tell, args=(UNSURE,), key="plain_unsure")
    with st.form("plain_note", clear_on_submit=True, border=False):
        text = st.text_input("Note on this item", key="plain_note_text", max_chars=500)
        if st.form_submit_button("Keep note") and text.strip():
            study.note(item, text.strip(), annotator=annotator)
            st.toast("Note kept")


def show(card: Card) -> None:
    """The fields of a card, as text and pictures; never as markup."""
    for field in card.fields:
        st.caption(words.plain(field.name))
        if field.kind == "image":
            st.image(field.value, width=PICTURE_WIDTH)
        else:
            st.text(field.value or "–")
    if card.note:
        st.caption(words.plain(card.note))


def number_in(text: str) -> float | None:
    """The number in a text, with a decimal point or comma; not in `1,234`, which may be a thousand.

    A browser's field for numbers drops a comma that its language does not know, and makes 55 of 5,5.

    >>> [number_in(text) for text in ("5,5", "-.5", "1,234", "five")]
    [5.5, -0.5, None, None]
    """
    said = text.strip()
    clear = re.fullmatch(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", said)
    if not clear or re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", said):
        return None
    value = float(said.replace(",", "."))
    return value if math.isfinite(value) else None


def answers(
    task: Task, tell: Callable[[Any], None], *, key: str = "plain", before: Sequence[str] = ()
) -> None:
    """What gives each possible answer, and no more.

    Args:
        task: What is asked.
        tell: Takes the answer.
        key: Begins the keys of the controls.
        before: The labels of a set that were given before, which it begins with: saving it adds or takes some away.
    """
    if task.kind == "regression":
        with st.form(f"{key}_value", clear_on_submit=True, border=False):
            said = st.text_input("Value", key=f"{key}_number", max_chars=40)
            if st.form_submit_button("Save", type="primary") and said:
                value = number_in(said)
                if value is None:
                    st.warning(f"“{words.plain(said)}” is not clearly a number: write 1234.5 or 1234,5.")
                else:
                    tell(value)
                    st.rerun()
    elif task.kind == "multilabel":
        with st.form(f"{key}_set", clear_on_submit=True, border=False):
            picked = st.pills(
                "All that apply",
                task.classes,
                selection_mode="multi",
                default=list(before),
                key=f"{key}_pills",
            )
            if st.form_submit_button("Save", type="primary"):
                tell(picked)
                st.rerun()
    else:
        with st.container(horizontal=True):
            for number, name in enumerate(task.classes):
                st.button(
                    words.plain(name), on_click=tell, args=(name,), key=f"{key}_{number}", type="primary"
                )
