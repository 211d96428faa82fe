"""A second look at answers: disagreements between annotators, corrections of single answers, and notes."""

from __future__ import annotations

from functools import partial
from itertools import islice

import streamlit as st

from sampleval import frames
from sampleval._checks import isolated
from sampleval.events import Answered
from sampleval.study import (
    Answer,
    Item,
    Shared,
    Study,
    agreed,
    agreement,
    expected_range,
    label_of,
    shared,
)
from sampleval.ui import shell, words
from sampleval.ui.labelling import buttons, desk, guard, seats, tables
from sampleval.ui.labelling.pictures import picture

LATEST = 50  # to show at once; of one's own answers any other is found by its id


def disagreements(study: Study, annotator: str | None = None) -> None:
    """Show the items on which annotators disagree, with a button to settle each; show nothing if there are none.

    Without an annotator, who settles them is asked here.
    """
    found = shared(study.state)
    if not found:
        return
    waiting = sum(item.open for item in found)
    title = f"Where annotators disagree ({words.count(waiting)} to settle)"
    asks = waiting > 0 and annotator is None
    # Keys keep these boxes open when their titles change, or what stands above them.
    with st.expander(title, icon=":material/group:", expanded=asks, key="disagreements_box"):
        st.markdown(agreed(agreement(found)))
        if asks:
            annotator = seats.name("Who decides?", width=300)
        stays = _settled_here(study)
        here = [item for item in found if item.open or item.place in stays]
        for item in here[: LATEST + len(stays)]:
            _settle(study, item, annotator or "")
        if settled := [item for item in found if item.decision]:
            st.table(tables.settled(study, settled), hide_index=True)


def _settle(study: Study, item: Shared, annotator: str) -> None:
    """Show one item with a button for each answer that somebody gave. The last answer counts until somebody decides."""
    counts = study.state.given.current(item.place)
    task = desk.shown_task(study.pool.task)
    given: dict[str, list[str]] = {}
    kept: dict[str, Answer] = {}
    for who, answer in item.own.items():
        said = words.answer(task, answer.what)
        given.setdefault(said, []).append(who or "no name")
        kept[said] = answer
    with st.container(border=True):
        _show(study, item.place, f"settle_{item.place}")
        with st.container(horizontal=True):
            for said, people in given.items():
                now = (
                    " · counts now" if counts is not None and said == words.answer(task, counts.what) else ""
                )
                st.button(
                    f"**{words.name(words.short(said))}** ({', '.join(map(words.name, people))}{now})",
                    key=f"settle_{item.place}_{said}",
                    on_click=shell.press(partial(_repeat, study, kept[said], annotator)),
                    disabled=not item.open,
                )


def _settled_here(study: Study) -> set[int]:
    """Places settled on this visit of the page: shown still, since the second of two quick presses would meet the next item."""
    visit = study.name, st.session_state.get("_visit")
    before, places = st.session_state.get("_settled", (None, set[int]()))
    if before != visit:
        places = set[int]()
        st.session_state["_settled"] = visit, places
    return places


def _repeat(study: Study, answer: Answer, annotator: str) -> None:
    """Record one of the answers given as the decision."""
    what = answer.what
    study.tell(Item(what.id, what.place, {}), label_of(study.pool.task, what), annotator=annotator)
    _settled_here(study).add(what.place)


def correct(study: Study, annotator: str) -> None:
    """Let an annotator correct one of their answers; show nothing before the first."""
    own: dict[int, Answered] = {}
    for answer in islice(study.state.given.by(annotator), LATEST):
        own.setdefault(answer.what.place, answer.what)  # the latest comes first, and stands
    if not own:
        return
    task = desk.shown_task(study.pool.task)
    said = {
        place: " · ".join(map(isolated, (what.id, *_begins(study, place), words.answer(task, what))))
        for place, what in own.items()
    }
    if "correct_item" in st.session_state:
        # Told anew: the browser would go on naming the item with the answer that was corrected, which no option has any more.
        st.session_state["correct_item"] = st.session_state["correct_item"]
    with st.expander("Correct an answer", icon=":material/edit_note:", key="correct_box"):
        chosen = st.selectbox(
            "Which item?",
            list(said),
            index=None,
            format_func=lambda chosen: said.get(chosen, str(chosen)),
            placeholder="A recent answer, or type an id",
            accept_new_options=True,
            key="correct_item",
        )
        if chosen is None:
            return
        place = asked(study, chosen)
        mine = None if place is None else study.state.given.of(place, annotator)
        if place is None or mine is None:
            st.caption(f"You answered no item with the id “{words.name(chosen)}”.")
            return
        _answer_anew(study, place, mine, annotator)


def _begins(study: Study, place: int) -> list[str]:
    """How the first text of an item begins, if it has one: where fields are shown, nobody ever sees its id."""
    texts = (text for text in study.item(place).fields.values() if isinstance(text, str) and text.strip())
    return [words.short(" ".join(text.split())) for text in texts if picture(text) is None][:1]


def _answer_anew(study: Study, place: int, mine: Answer, annotator: str) -> None:
    """Show an item with the answer given, and buttons for another answer."""
    task, item = desk.shown_task(study.pool.task), study.item(place)

    def tell(label: object) -> None:
        study.tell(item, label, annotator=annotator)

    former = label_of(task, mine.what) if task.kind == "multilabel" and mine.what.kind == "label" else ()
    # A key of its own for each answer: the set is preselected anew after every correction.
    key = f"correct_{place}_{mine.uuid}" if former else f"correct_{place}"
    before, span = sorted(former, key=task.classes.index), expected_range(study.state)
    with guard.desk("correct") as shows:
        with shows:
            _show(study, place, "correct")
        st.markdown(f"You said **{words.name(words.answer(task, mine.what))}**. What is right?")
        buttons.answers(task, tell, key=key, before=before, span=span)
        with st.container(horizontal=True):
            buttons.silences(tell, "correct")


def asked(study: Study, chosen: int | str) -> int | None:
    """The place of the item that was chosen from the list or whose id was typed. An id may look like a place."""
    return chosen if isinstance(chosen, int) else study.state.asked_place(chosen)


def _show(study: Study, place: int, key: str) -> None:
    """Show an item as the annotators saw it; the key distinguishes places on the page."""
    item = study.item(place)
    st.markdown(f"**{words.name(item.id)}**")
    buttons.show(desk.cards(study, [item])[0], key)


def notes(study: Study) -> None:
    """Show the notes of annotators, if there are any."""
    noted = frames.notes(study)
    if noted.empty:
        return
    with st.expander(f"Notes on items ({words.count(len(noted))})", icon=":material/sticky_note_2:"):
        titles = {"id": "Item", "answer": "Answer", "note": "Note"}
        st.dataframe(noted.rename(columns=titles)[[*titles.values()]], hide_index=True)
