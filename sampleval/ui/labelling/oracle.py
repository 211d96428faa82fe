"""The oracle, which answers from known labels a few at a time, so that a class can watch the estimate converge."""

from __future__ import annotations

import streamlit as st

from sampleval.pool import Labels
from sampleval.study import Study
from sampleval.ui import words

STEPS = 25  # pictures on the way, however many labels are asked for
LEFT, TOTAL, WHOM = "_oracle_left", "_oracle_total", "_oracle_study"


def step(study: Study, known: Labels | None, identity: str) -> bool:
    """Answer the next few items that the oracle was asked for in this study, and return whether more are left."""
    if st.session_state.get(WHOM) != identity:
        st.session_state[WHOM], st.session_state[LEFT] = identity, 0
    left, total = _told()
    if known is None or not left:
        return False
    wanted = min(left, max(1, -(-total // STEPS)))
    done = study.answer(known, wanted)
    st.session_state[LEFT] = left - done if done == wanted else 0
    return bool(st.session_state[LEFT])


def controls(rest: int, budget: int) -> None:
    """Show buttons for the next 10, 100 or the rest of the labels and, while they come in, the progress and a button to stop.

    The buttons stay meanwhile, and where fewer labels are left than one names, it gives those: a button that goes takes the
    keyboard's focus with it, which then begins the page anew.
    """
    left, total = _told()
    st.caption("The labels of this pool are known. An oracle can give them in your place:")
    choices = [(min(n, rest), f"Next {n}", f"Next_{n}") for n in (10, 100) if n < budget]
    with st.container(horizontal=True):
        for n, label, key in [*choices, (rest, f"All {words.count(rest)}", "All")]:
            st.button(label, on_click=_tell, args=(n,), key=f"oracle_{key}")
    if left:
        st.progress((total - left) / total, text=f"The oracle answers: {words.count(left)} to go")
        st.button(
            "Stop the oracle", icon=":material/stop_circle:", on_click=_tell, args=(0,), key="oracle_stop"
        )


def _told() -> tuple[int, int]:
    """How many labels the oracle still has to give, and how many it was asked for."""
    return st.session_state.get(LEFT, 0), st.session_state.get(TOTAL, 0)


def _tell(n: int) -> None:
    st.session_state[LEFT] = st.session_state[TOTAL] = n
