"""What a page has put into the address, so that it notices when the browser's back button has removed some of it."""

from __future__ import annotations

import streamlit as st


def begin(page: str, *, linked: bool) -> set[str]:
    """Begin a run of a page and return the keys that the back button has removed from the address.

    A link carries none of the page's choices. They are then kept, as on the way from another page, and the address is
    told them again. The button undoes one choice at a time; if more are gone, a link left them out.

    Args:
        page: Key in `PAGES`.
        linked: Whether a link is known to have led here.
    """
    before, told = st.session_state.get("_address", ("", set()))
    gone = set(told - st.query_params.keys())
    if linked or page != before or len(gone) > 1:
        gone, told = set(), set()
    st.session_state["_address"] = page, told & st.query_params.keys()
    return gone


def in_address() -> set[str]:
    """The keys that this page has put into the address, as a set that can be changed."""
    keys: set[str] = st.session_state.setdefault("_address", ("", set()))[1]
    return keys
