"""Labelling in a spreadsheet: a sheet with the next items goes out, and its answers come back."""

from __future__ import annotations

from functools import partial

import streamlit as st

from sampleval import offline
from sampleval._checks import listed, shown
from sampleval.sheets import Format
from sampleval.study import Study, method_name, progress
from sampleval.ui import address, asking, charts, shell, words
from sampleval.ui.headings import heading
from sampleval.ui.labelling import tables

FORMS: dict[Format, str] = {"xlsx": "Excel workbook", "csv": "CSV file"}
DONE = "_sheet_read"
USUAL = 50  # items to propose for a sheet
WHOLE = method_name("queue")  # its order is known before the first answer


def spreadsheet(study: Study, annotator: str) -> None:
    """Show the download of a sheet and the upload of its answers side by side."""
    out, back = st.columns(2, gap="large")
    with out:
        heading("1. Take the next items along")
        _take(study)
    with back:
        heading("2. Bring the answers back")
        _bring(study, annotator)


def _take(study: Study) -> None:
    if not (rest := progress(study.state).rest):
        st.caption("Every item of this budget has an answer.")
        return
    waiting = len(study.state.open_places())  # none before a round is opened: its size is not known yet
    most = min(rest, waiting) if waiting else rest
    n = _how_many(most)
    if most < rest:
        st.caption(
            f"{words.many(most, 'item')} of this round {'is' if most == 1 else 'are'} left: which come next depends on the "
            f"answers. To take the whole budget along at once, plan a study with the method “{WHOLE}”."
        )
    with st.container(horizontal=True):
        for form, label in FORMS.items():
            file, make = f"{study.name}_next_{n}.{form}", partial(offline.write, study, n, form)
            charts.downloadable(label, file, make, key=f"sheet_{form}")
    st.caption(
        "Write into the column *answer* and keep *id* as it is. The workbook shows pictures, the CSV file leaves them "
        "out. Text that a spreadsheet would run as a formula is written with an apostrophe before it. "
        "To label in another tool, load *id* and *place* with the items, and bring its CSV or JSON export back."
    )


def _how_many(most: int) -> int:
    """Ask for how many items. The usual number follows what is left, and is nobody's choice to keep for another study."""
    key, control = "sheet_items", f"sheet_items_{most}"  # `most` changes with each answer
    told = address.recall(key)
    if not (chosen := address.taken(told, 1, most)):
        address.refused(key, told)
    st.session_state[control] = int(float(told)) if chosen else min(most, USUAL)
    address.remember(key, told if chosen else "")
    return int(st.number_input("How many?", 1, most, **address.tied(key, control=control)))


def _bring(study: Study, annotator: str) -> None:
    with st.form("bring", border=False, clear_on_submit=True):
        file = st.file_uploader(
            "The filled-in sheet: CSV, Excel (.xlsx) or JSON",  # of other files it is told how to save them
            key="sheet_back",
            help="Of several people, write a line for each item and person, with their names in a column *annotator*.",
        )
        corrections = st.toggle(
            "Replace answers that differ",
            key="sheet_corrections",
            help="Off: earlier answers stay, and the lines that differ are listed. On: a second person's equal answers "
            "are recorded too, and count as agreement; where people differ already, the sheet decides. Answers of people whom "
            "the sheet names in a column *annotator* join those of others either way, and decide nothing.",
        )
        if (sent := asking.submitted("Read the answers", file, first=_forget)) is not None:
            with shell.mistakes_in_words():
                found = offline.read(study, sent.getvalue(), annotator=annotator, corrections=corrections)
            st.session_state[DONE] = (study.name, found)
            st.rerun()
    done: tuple[str, offline.Imported] | None = st.session_state.get(DONE)
    if done is not None and done[0] == study.name:
        _outcome(done[1])


def _forget() -> None:
    """Forget the outcome of the last sheet, so that nobody takes it for the outcome of this one."""
    st.session_state.pop(DONE, None)


def _outcome(found: offline.Imported) -> None:
    """Show what became of the lines of a sheet."""
    others = {
        "corrected": len(found.corrected),
        "the same as before": len(found.unchanged),
        "without an answer": found.empty,
    }
    said = [f"**{len(found.imported)}** new", *(f"{n} {what}" for what, n in others.items() if n)]
    if found.imported or found.corrected or found.unchanged:
        st.success(f"{', '.join(said)}.", icon=":material/check:")
    else:  # a tick would say that it went well
        st.info(f"{', '.join(said)}.", icon=":material/info:")
    if found.bare:
        st.warning(
            f"{words.many(found.bare, 'line')} without an answer: {words.plain(offline.UNTOLD)}.",
            icon=":material/warning:",
        )
    if found.conflicts:
        st.warning(
            f"{words.many(len(found.conflicts), 'line')} with an answer that differs from the earlier one, which stays.",
            icon=":material/warning:",
        )
        st.dataframe(tables.conflicts(found.conflicts), hide_index=True)
    if found.rejected:
        st.error(f"{words.many(len(found.rejected), 'line')} could not be used.", icon=":material/error:")
        if any(line.reason.endswith(offline.NOT_ASKED) for line in found.rejected):
            st.caption(
                f"{words.sentence(offline.ELSEWHERE)} Upload it on the page Data, and begin a new study."
            )
        st.table(tables.rejected(found.rejected), hide_index=True)  # its cells wrap
    if found.people:
        people = words.plain(listed([shown(who) for who in found.people]))
        st.info(f"The sheet says who answered: {people}.", icon=":material/group:")
    if found.disputed:
        st.warning(
            f"People differ on {words.many(len(found.disputed), 'item')}: the last answer counts until somebody decides, above "
            "at *Where annotators disagree*.",
            icon=":material/warning:",
        )
    if found.settled:
        st.info(
            f"The sheet decided {words.many(len(found.settled), 'item')} on which people differed. For one more person's own "
            "answers, write their name in a column *annotator*: then nothing is decided.",
            icon=":material/group:",
        )
    if found.altered:
        st.info(
            f"{words.many(len(found.altered), 'id')} changed by the spreadsheet (for example zeros before a number): the column "
            f"*place* told which items are meant, {words.plain(listed([shown(id) for id in found.altered], 3))}.",
            icon=":material/info:",
        )
    st.caption(
        "Answers count from the head of the queue; later ones wait until the items before them are answered."
    )
