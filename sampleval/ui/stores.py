"""Where data is stored, and what is kept in memory. Its keys follow the content, so that the app never shows old data.

Streamlit hashes large arguments by sampling them; so nothing here is keyed on data, only on fingerprints
and names. A pool is read-only and shared by all sessions; a study belongs to one session.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit as st

from sampleval import _checks
from sampleval.cli import app
from sampleval.pool import Labels, Pool
from sampleval.storage import Storage, StudyRecord, data_url, pools_folder
from sampleval.study import Study, load_study
from sampleval.study.settings import OtherVersion
from sampleval.ui import address, shell

POOLS_IN_MEMORY = 3  # besides those in use
OpenStudy = tuple[str, str, Study]  # its identity and its name when it was opened, and this session's copy


def demo_folder() -> Path:
    """The folder of demo data, which lies beside the app in a checkout and in an installed wheel."""
    return app.script().parent / "demo_data"


def storage() -> Storage:
    """The database of studies: SAMPLEVAL_STORAGE (an SQLAlchemy URL), or else `sampleval.db` in the data folder."""
    url = os.environ.get("SAMPLEVAL_STORAGE") or data_url()
    return _storage(url, pools_folder(url))


@st.cache_resource(show_spinner=False)
def _storage(url: str, folder: Path) -> Storage:
    return Storage.at(url, folder)


_IN_USE: WeakValueDictionary[str, Pool] = WeakValueDictionary()


@st.cache_resource(show_spinner="Reading the pool …", max_entries=POOLS_IN_MEMORY)
def pool(fingerprint: str) -> Pool:
    """The one read-only copy of a stored pool."""
    # A study keeps its pool for longer than this cache does: a class at work on six demos would read nearly one for each person.
    held = _IN_USE.get(fingerprint)
    if held is None:
        held = _IN_USE[fingerprint] = storage().load_pool(fingerprint)
    return held


@st.cache_resource(show_spinner=False, max_entries=POOLS_IN_MEMORY)
def labels(fingerprint: str) -> Labels | None:
    """The known labels of a stored pool, from a demo or a label column; `None` if there are none."""
    return storage().load_labels(pool(fingerprint))


def truth(fingerprint: str) -> Labels | None:
    """The labels of a stored pool if all are known; otherwise `None`."""
    known = labels(fingerprint)
    return known if known is not None and known.complete else None


def keep(pool: Pool, known: Labels | None) -> None:
    """Store a pool and its known labels, and choose it for the page that follows."""
    store = storage()
    store.save_pool(pool)
    if known is not None:
        store.save_labels(known)
        labels.clear(pool.fingerprint)
    address.carry("pool", pool.fingerprint)
    note_shown(None)


def note_shown(shown: tuple[Pool, Labels | None, str] | None) -> None:
    """Note what the Data page shows, for whoever leaves it by a link, which presses none of its buttons.

    These are the items, their known labels, and a short name for studies made from them; `None` while there are none.
    """
    st.session_state["_shown_data"] = shown


def choose_shown() -> None:
    """Choose what the Data page showed last, unless a button or the address has chosen. Call this before `shell.page`.

    Otherwise the link to Plan would lead to the data chosen before, and nothing there would tell.
    """
    shown = st.session_state.pop("_shown_data", None)
    if shown is not None and "pool" not in st.query_params:
        pool, known, stem = shown
        if pool.fingerprint != named_pool():
            keep(pool, known)
            address.remember("name", stem)


def chosen_pool() -> Pool | None:
    """The pool in the URL, or else the pool of the study in the URL; `None` without either."""
    name = named_pool()
    if not name:
        return None
    with shell.mistakes_in_words(offer=partial(shell.next_step, "Data", "choose the data")):
        if not hexadecimal(name):  # it names a file
            raise _checks.InputError(
                f"`pool` in the address must be a pool's fingerprint; got {name!r}; choose the data again"
            )
        return pool(name)


def named_pool() -> str:
    """The fingerprint of the pool in the URL, whether or not the pool is stored; "" without one."""
    return address.recall("pool") or (record.pool if (record := chosen_record()) else "")


def hexadecimal(text: str) -> bool:
    """Whether a text is a SHA-256 in 64 hexadecimal digits, which can name a file and cannot lead anywhere else."""
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def chosen_record() -> StudyRecord | None:
    """The record of the study in the URL; `None` if no study of that name is stored."""
    name = address.recall("study")
    if not name:
        return None
    record = storage().find(name)
    if record is None:
        return _renamed(name)
    _names()[name] = record.id
    return record


def _renamed(name: str) -> StudyRecord | None:
    """The study that this session knew by this name, if it was renamed since; the URL then follows it."""
    known = _names().get(name)
    record = next((record for record in storage().studies() if record.id == known), None)
    if record is not None:
        address.remember("study", record.name)
    return record


def _names() -> dict[str, str]:
    """The names that this session knew studies by → their identities: the way back leads to addresses with former names."""
    names: dict[str, str] = st.session_state.setdefault("_study_names", {})
    return names


def chosen_study() -> Study | None:
    """This session's copy of the study in the URL; `None` without one.

    A study in the URL that is not stored is said so, and the page stops.
    """
    record, name = chosen_record(), address.recall("study")
    if not name:
        return None
    held: OpenStudy | None = st.session_state.get("_open_study")
    if held is not None and record is not None and held[:2] == (record.id, record.name):
        return held[2]
    elsewhere = partial(shell.next_step, "Studies", "see which studies there are")
    with shell.mistakes_in_words(offer=elsewhere if record is None else None):
        if record is None:
            raise _checks.InputError(
                f"there is no study {_checks.shown(name)} here: was it renamed or deleted?"
            )
        opened = _opened(record)
        st.session_state["_open_study"] = (record.id, record.name, opened)
        return opened


def _opened(record: StudyRecord) -> Study:
    """The stored study. One of another version is said to be so, with a link to where its labels can be taken over."""
    try:
        return load_study(record.name, storage(), pool=pool(record.pool))
    except OtherVersion:
        query = {"pool": record.pool, "held": record.name}
        anew = partial(shell.next_step, "Plan", "plan a study that takes over its labels", query)
        with shell.mistakes_in_words(offer=anew):
            raise


def no_study() -> None:
    """Say that no study is open and where to get one, on a page that needs a study."""
    st.info("No study is open. Plan one, or resume one that was begun.", icon=":material/info:")
    shell.next_step("Plan", "plan a study")
    shell.next_step("Studies", "resume a study")
