"""Who labels a study at this moment, so that two people at once get different items."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from sampleval.study import Item, Study

KEPT = 120.0  # seconds without an answer after which a place is free again: a break, or a closed tab


def offered(study: Study, identity: str, annotator: str, most: int) -> list[Item]:
    """The next items for this annotator: of k people, each begins with every k-th item of the queue.

    So the answered run, which estimates use, grows evenly, and no item waits for one person: who has none of their
    own left helps with the others', from the far end.

    Args:
        study: The study.
        identity: Of the study, for as long as it exists.
        annotator: Who answers; a name is a person, and people without a name are one.
        most: Items wanted.
    """
    here = seated(identity, annotator)
    items = study.ask(most * len(here))
    return shared_out(items, here.index(annotator), len(here))[:most]


def shared_out(items: Sequence[Item], seat: int, seats: int) -> list[Item]:
    """The items in the order for one seat among several.

    >>> items = [Item(str(place), place, {}) for place in range(3, 9)]
    >>> [item.place for item in shared_out(items, 1, 2)], [item.place for item in shared_out(items, 0, 1)]
    ([3, 5, 7, 8, 6, 4], [3, 4, 5, 6, 7, 8])
    """
    own = [item for item in items if item.place % seats == seat]
    return own + [item for item in reversed(items) if item.place % seats != seat]


def seated(identity: str, annotator: str) -> list[str]:
    """Who labels this study now, this annotator included, in the order in which they came."""
    seats, mine, now = _seats(), (identity, annotator), time.monotonic()
    left: tuple[str, str] | None = st.session_state.get("_seat")
    if left and left != mine:
        seats.pop(left, None)  # who gives a name, or opens another study, is here no longer
    st.session_state["_seat"] = mine
    seats[mine] = now
    return [who for (study, who), at in list(seats.items()) if study == identity and now - at <= KEPT]


@st.cache_resource(show_spinner=False)
def _seats() -> dict[tuple[str, str], float]:
    """(Study, annotator) → when they were last here; one for all sessions of this server."""
    return {}
