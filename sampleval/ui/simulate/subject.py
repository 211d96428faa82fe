"""The pool that is studied: the data chosen before if all their labels are known, or else a demo or an upload."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from sampleval.pool import Labels, Pool
from sampleval.ui import address, held, stores, words
from sampleval.ui.data import mapping, sources


@dataclass(frozen=True, slots=True)
class Subject:
    """A pool whose labels are all known."""

    pool: Pool
    labels: Labels


def subject() -> Subject | None:
    """The stored pool if all its labels are known, or else a demo or an upload; `None` until there is one."""
    stored = stores.chosen_pool()
    known = stores.labels(stored.fingerprint) if stored is not None else None
    if stored is not None and known is not None and known.complete:
        here = st.toggle(
            f"The data chosen before: {words.many(stored.size, 'item')}",
            True,
            help="Switch off to choose other data.",
            **address.switch("chosen"),
        )
        if here:
            return Subject(stored, known)
    with st.expander(
        "**Data**: which pool with known labels?",
        expanded=stored is not None or address.recall("source") not in ("", "demo"),  # they may be refused
        icon=":material/table_view:",
    ):
        source = sources.choose()
        if source is None:
            if stored is not None:
                _lacking(known, stored.size, "Choose others.")
            return None
        pool, labels = mapping.of(source)
    if labels is None or not labels.complete:
        _lacking(labels, pool.size, "Choose others, or say above which column is the true label.")
        return None
    st.caption(f"{words.plain(source.name)} · {words.many(pool.size, 'item')}, all labels known.")
    return Subject(pool, labels)


def _lacking(known: Labels | None, size: int, remedy: str) -> None:
    """Say that labels are missing, and what the user can do."""
    have = f"{words.count(held.partly(known))} of {words.count(size)}"
    st.warning(
        f"Simulating needs the true label of every item; these data have {have}. {remedy}",
        icon=":material/help:",
    )
