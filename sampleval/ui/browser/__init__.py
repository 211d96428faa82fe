"""What every page adds in the browser: a style sheet, and scripts for the keyboard, fingers, paper and translators."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

ALWAYS = ("keyboard", "opened", "print", "touch", "translation")  # scripts that run on each visit of a page


def style(*, presenting: bool) -> None:
    """Add the style sheet and, if the page is presented to a room, that for large type."""
    st.html(
        "".join(f"<style>{_read(f'{name}.css')}</style>" for name in ("page", "present")[: 1 + presenting])
    )


def run(page: str) -> None:
    """Run the scripts. A rerun of the same page leaves the scroll position as it is."""
    before, visit = st.session_state.get("_visit", ("", 0))
    if page != before:
        visit += 1
        st.session_state["_visit"] = page, visit
    # A session's first page stays where the browser opened it: its address may name a place on it.
    names = ["top"] * (visit > 1) + [*ALWAYS]
    # A browser runs a script anew when the text around it changes: so once a visit. All are in one, since each takes room.
    mark = f'<i class="arrival" data-visit="{visit}"></i>'
    scripts = "".join(f"<script>{_read(f'{name}.js')}</script>" for name in names)
    st.html(mark + scripts, unsafe_allow_javascript=True)


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
