"""Labels that earlier studies have for the items on the Data page."""

from __future__ import annotations

import streamlit as st

from sampleval.pool import Labels, Pool
from sampleval.study import Elsewhere
from sampleval.ui import address, held, shell, stores, words


def offer(pool: Pool, known: Labels | None, stem: str) -> None:
    """Say which earlier study has the most labels of these items, with a way to go on there, and to a plan that takes them over."""
    lines = [line for line in held.found_elsewhere(pool) if not line.refused]
    if not lines:
        return
    most = max(lines, key=lambda line: line.here)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/history: {told(most, others=len(lines) - 1)}", width="content")
        if most.own and st.button("Go on there", key="resume", type="tertiary", icon=":material/play_arrow:"):
            stores.keep(pool, known)
            address.carry("study", most.name)
            shell.go("Label")
        if st.button("Use them on Plan", key="reuse", type="tertiary", icon=":material/arrow_forward:"):
            stores.keep(pool, known)
            shell.go("Plan", {"name": stem, "held": most.name})


def told(most: Elsewhere, *, others: int) -> str:
    """That a study has the most labels of these items, and so many others have some, in Markdown.

    >>> told(Elsewhere("digits", False, 120, 110), others=1)
    '110 of these items were labelled in “digits” (with other scores or columns), and some in 1 other study.'
    """
    of = "" if most.own else " (with other scores or columns)"
    more = f", and some in {words.many(others, 'other study', 'other studies')}" if others else ""
    were = "was" if most.here == 1 else "were"
    return f"{words.count(most.here)} of these items {were} labelled in “{words.name(words.short(most.name))}”{of}{more}."
