"""What the user confirmed about a file's columns, kept while the server runs, so that a reload or a return finds it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from sampleval.pool import Columns
from sampleval.pool.guessing.scales import Transform
from sampleval.ui import stores


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the user confirmed: the roles of the columns, and how scores become decisions.

    Attributes:
        columns: The roles.
        threshold: From which score on an item is predicted positive.
        transform: What the scores are, if no probabilities.
        called: What a positive is called, where the table does not say; `None` where it does.
        bare: The classes' names before.
    """

    columns: Columns
    threshold: float = 0.5
    transform: Transform | None = None
    called: str | None = None
    bare: tuple[str, ...] = ()


def usual(key: str, names: frozenset[str], guess: Callable[[], Columns], *, asked: bool) -> Confirmed:
    """What the controls begin with: what was confirmed of this file, or a guess; the same while they are on the page (`asked`).

    The key differs between files and between states of a file.
    """
    held: tuple[str, Confirmed, frozenset[str]] | None = st.session_state.get("_usual")
    if held is not None and held[0] == key and asked:
        return held[1]
    if held is not None and held[0] != key:
        st.session_state["_before"] = [(one, held[2]) for one in _confirmed(held[0])]
    kept = _confirmed(key)
    mapping = kept[0] if kept else Confirmed(guess())
    st.session_state["_usual"] = key, mapping, names
    return mapping


def before() -> tuple[Confirmed, frozenset[str]] | None:
    """What was confirmed of the file before, and its columns; `None` if there was no such file."""
    return next(iter(st.session_state.get("_before", ())), None)


def keep(mapping: Confirmed, key: str) -> None:
    """Remember what was confirmed, except for demo data, with which other users begin too."""
    if key.startswith(str(stores.demo_folder())):
        return
    if mapping.called is not None:  # asked anew, as the table still does not say
        mapping = replace(mapping, columns=replace(mapping.columns, classes=mapping.bare))
    _confirmed(key)[:] = [mapping]


@st.cache_resource(show_spinner=False, max_entries=256)
def _confirmed(key: str) -> list[Confirmed]:
    """What was confirmed of a file, if anything was, as a list that can be changed."""
    return []
