"""What a page has put into the address, so that it sees when the browser's back button has taken some of it out."""

from __future__ import annotations

import streamlit as st


def begin(page: str, *, linked: bool) -> set[str]:
    """Begin a run of a page; returns the keys that the address had, and has no more.

    Args:
        page: Key in `PAGES`.
        linked: Whether a link led here, which carries none of the page's choices. They stand as on the way from
            another page: the address is told them again.
    """
    before, told = st.session_state.get("_address", ("", set()))
    if linked or page != before:
        told = set()
    st.session_state["_address"] = page, told & st.query_params.keys()
    return set(told - st.query_params.keys())


def told() -> set[str]:
    """The keys that this page has put into the address, to add to and to take from."""
    keys: set[str] = st.session_state.setdefault("_address", ("", set()))[1]
    return keys
