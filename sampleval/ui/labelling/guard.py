"""Presses of ordinary buttons count for what was on screen: the second of two quick ones would answer an item unseen.

A press says nothing of what it was meant for: Python runs what it drew last, which may be on its way to the browser still. So
the browser is told, in hidden fields, what it shows, and sends these along with every press; what it does not show yet, no
press reaches. What it has only just shown, its script keeps from presses, as the desk does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.ui import shell

TOLD = "told"  # begins the keys of hidden fields; `page.css` hides them


@contextmanager
def desk(place: str) -> Iterator[DeltaGenerator]:
    """Guard the presses of what is drawn meanwhile, at a place of this key; gives the box for the item that they are about."""
    with st.container(key=f"{place}_desk"):
        yield st.container(border=True, key=f"{place}_shown")
        script = Path(__file__).with_name("browser").joinpath("guard.js").read_text("utf-8")
        st.html(f"<script>{script.replace('PLACE', place)}</script>", unsafe_allow_javascript=True)


def told(key: str, what: str | None = None) -> None:
    """Tell the browser something that comes back under this key with every press; by default what the session has there."""
    if what is not None:
        st.session_state[key] = what
    with st.container(key=f"{TOLD}_{key}"):
        st.text_input("Shown", key=key, label_visibility="collapsed")


def too_soon(key: str, what: str) -> bool:
    """Whether a press came from a browser that did not show this yet; says so, since the press does not count."""
    soon = st.session_state.get(key) != what
    if soon:
        shell.say("Too soon: that press did not count")
    return soon
