"""Who labels a study at this moment, so that two people who label at the same time get different items."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from sampleval.designs.between_rounds.schedule import too_small
from sampleval.study import Item, Study
from sampleval.ui import words

KEPT = 120.0  # seconds without an answer after which a place is free again: a break, or a closed tab


def offered(study: Study, identity: str, annotator: str, most: int) -> list[Item]:
    """The next items for this annotator: of k people, each begins with every k-th item of the queue.

    That way the answered run, which estimates use, grows evenly, and no item waits for one person: people with none
    of their own items left help with the others', from the far end. What another person has on screen comes last of
    all. It is offered only where nothing else is left, as at the end of a round. Each name counts as one person, and all
    people without a name count as one.
    """
    here = _seated(identity, annotator)
    items = _shared_out(study.ask(most * len(here)), list(here).index(annotator), len(here))
    seen = {seat.shown for who, seat in here.items() if who != annotator}
    items.sort(key=lambda item: item.place in seen)
    if items and here[annotator].shown not in {item.place for item in items}:  # else it stays on screen
        here[annotator].shown = items[0].place
    return items[:most]


def crowded(study: Study, identity: str, annotator: str) -> str:
    """What to do if more people label now than the open round has items for; "" if it has enough."""
    people = len(_seated(identity, annotator))
    if not (size := too_small(study.method.design, study.state.rounds, people)):
        return ""
    return (
        f"{people} people label here now, and this round has {words.many(size, 'item')}: when those are taken, people get "
        "items that others are answering, and all answers to an item count as one label. Less work is done twice in a "
        f"study that is planned for {people} people: on the Plan page, “How many people will label at the same time?”."
    )


def _shared_out(items: Sequence[Item], seat: int, seats: int) -> list[Item]:
    """The items in the order in which one of several people labels them.

    >>> items = [Item(str(place), place, {}) for place in range(3, 9)]
    >>> [item.place for item in _shared_out(items, 1, 2)], [item.place for item in _shared_out(items, 0, 1)]
    ([3, 5, 7, 8, 6, 4], [3, 4, 5, 6, 7, 8])
    """
    own = [item for item in items if item.place % seats == seat]
    return own + [item for item in reversed(items) if item.place % seats != seat]


def name(question: str, *, help: str | None = None, width: int | Literal["stretch"] = "stretch") -> str:
    """Ask for the name that answers are stored with; all pages and the address have the same one."""
    said = st.text_input(question, key="who", bind="query-params", max_chars=100, help=help, width=width)
    return (said or "").strip()


@dataclass(slots=True)
class Seat:
    """When somebody was last seen, and the place in the queue of the item on their screen; −1 for none."""

    at: float
    shown: int = -1


def _seated(identity: str, annotator: str) -> dict[str, Seat]:
    """The people who label this study now, including this annotator, in the order in which they came."""
    seats, mine, now = _seats(), (identity, annotator), time.monotonic()
    left: tuple[str, str] | None = st.session_state.get("_seat")
    if left and left != mine:
        seats.pop(left, None)  # who gives a name, or opens another study, is here no longer
    st.session_state["_seat"] = mine
    if left != mine:  # a page that was just opened shows the first item, whatever was on screen before
        seats[mine] = Seat(now)
    seats.setdefault(mine, Seat(now)).at = now
    present = [(who, seat) for (study, who), seat in list(seats.items()) if study == identity]
    return {who: seat for who, seat in present if now - seat.at <= KEPT}


@st.cache_resource(show_spinner=False)
def _seats() -> dict[tuple[str, str], Seat]:
    """The mapping (study, annotator) → seat, which all sessions of this server share."""
    return {}
