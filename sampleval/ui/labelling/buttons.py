"""Labelling with ordinary buttons, for screen readers and for browsers in which the keyboard desk cannot run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from sampleval.pool import Task
from sampleval.study import SKIP, UNSURE, Item, Study, expected_range
from sampleval.ui import shell, words
from sampleval.ui.labelling import Card, desk, guard
from sampleval.ui.labelling.numbers import Span, doubtful, number_in
from sampleval.ui.labelling.pictures import SHOWN, enlarged

SEEN = "plain_seen"  # the place of the item that the browser shows, as it says itself


def plain_buttons(study: Study, item: Item, card: Card, *, annotator: str) -> None:
    """Show one item, as its card has it, with a button for each answer. No press counts for an item that was not seen."""
    shown = str(item.place)

    def tell(label: Any) -> None:
        if not guard.too_soon(SEEN, shown):
            study.tell(item, label, annotator=annotator)
            mine = study.state.given.of(item.place, annotator)
            if mine is not None and (said := desk.told_of(study, mine.uuid)):
                shell.say(words.sentence(said))
        _emptied("plain")  # also of what was typed for another item

    def undo() -> None:
        if not guard.too_soon(SEEN, shown):
            study.undo(annotator=annotator)
            _emptied("plain")

    def note() -> None:
        text = st.session_state["plain_note_text"].strip()
        if text and not guard.too_soon(SEEN, shown):
            study.note(item, text, annotator=annotator)
            st.session_state["plain_note_text"] = ""
            shell.say("Note kept")

    with guard.desk("plain") as shows:
        with shows:
            show(card, "plain")
        answers(desk.shown_task(study.pool.task), tell, key="plain", span=expected_range(study.state))
        with st.container(horizontal=True):
            st.button("Undo", on_click=shell.press(undo), key="plain_undo", icon=":material/undo:")
            silences(tell, "plain")
        # The form does not clear itself: what could not be kept stays to be sent again.
        with st.form("plain_note", border=False):
            st.text_input("Note on this item", key="plain_note_text", max_chars=500)
            st.form_submit_button("Keep note", on_click=shell.press(note))
        guard.told(SEEN, shown)


def show(card: Card, key: str) -> None:
    """Show the fields of a card as text and pictures, never as markup; the key distinguishes places on the page."""
    for number, field in enumerate(card.fields):
        st.caption(words.name(field.name))
        if field.kind == "image" and (width := enlarged(field.value)):
            with st.container(key=f"pixels_{key}_{number}"):
                st.image(field.value, width=width, alt=field.name)
        elif field.kind == "image":
            st.image(field.value, width=SHOWN, alt=field.name)
        else:
            st.text(field.value if field.value.strip() else "–", width="stretch")
    if card.note:
        st.caption(words.plain(card.note))


def answers(
    task: Task, tell: Callable[[Any], None], *, key: str, before: Sequence[str] = (), span: Span | None = None
) -> None:
    """Show a control for each possible answer, which `tell` records; the keys of all begin with this one.

    A set of labels begins with those given before, so that saving adds or removes some. For `span` see `expected_range`.
    """
    if task.kind == "regression":
        _number(tell, key, span)
    elif task.kind == "multilabel":
        _set(task, tell, key, before)
    else:
        with st.container(horizontal=True):
            for number, name in enumerate(task.classes):
                st.button(
                    words.name(name),
                    on_click=shell.press(tell),
                    args=(name,),
                    key=f"{key}_{number}",
                    type="primary",
                )


def silences(tell: Callable[[Any], None], key: str) -> None:
    """Show buttons for the answers that are no label; the key distinguishes places on the page."""
    st.button("Skip", on_click=shell.press(tell), args=(SKIP,), key=f"{key}_skip")
    st.button("Unsure", on_click=shell.press(tell), args=(UNSURE,), key=f"{key}_unsure")


def _set(task: Task, tell: Callable[[Any], None], key: str, before: Sequence[str]) -> None:
    """A control to pick all labels that apply."""
    picked = f"{key}_pills"

    def save() -> None:
        tell(st.session_state[picked])
        st.session_state[picked] = []

    with st.form(f"{key}_set", border=False):
        st.pills(
            "All that apply",
            task.classes,
            selection_mode="multi",
            default=list(before),
            format_func=words.name,
            key=picked,
        )
        st.form_submit_button("Save", type="primary", on_click=shell.press(save))


def _number(tell: Callable[[Any], None], key: str, span: Span | None) -> None:
    """A field for a number. A number that is worth a second look counts only when it is saved a second time."""
    field, held_back = _names(key)

    def save() -> None:
        said = st.session_state[field]
        value, again = number_in(said), st.session_state.get(held_back) == said
        if value is None or (doubtful(said, span) and not again):
            st.session_state[held_back] = said
            return
        tell(value)
        _emptied(key)

    with st.form(f"{key}_value", border=False):
        said = st.text_input("Value", key=field, max_chars=40)
        st.form_submit_button("Save", type="primary", on_click=shell.press(save))
    if said and said == st.session_state.get(held_back):
        doubt = doubtful(said, span)
        unclear = f"“{said}” is not clearly a number: write 1234.5 or 1234,5."
        st.warning(words.plain(f"{doubt}. Save it again to keep it." if doubt else unclear))
    guard.told(held_back)  # a second press counts only where the warning has come


def _names(key: str) -> tuple[str, str]:
    """The session keys of the typed number and of the number that waits to be saved a second time."""
    return f"{key}_number", f"_{key}_held_back"


def _emptied(key: str) -> None:
    """Empty the number field, so that a number typed for one item does not appear at the next."""
    for name in _names(key):
        st.session_state[name] = ""
