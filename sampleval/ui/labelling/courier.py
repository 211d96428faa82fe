"""Answers that were on their way when the Label page was left: the browser holds them, other pages cannot see them."""

from __future__ import annotations

import streamlit as st

from sampleval.study import Study
from sampleval.ui.labelling import desk, labelling, received

KEY = "courier"  # `style.PLAIN` hides it


def deliver(study: Study, identity: str) -> None:
    """Fetch the last answers of whoever labelled this study in this session, without showing anything.

    Args:
        study: The study.
        identity: Its identity.
    """
    place, annotator = st.session_state.get("_seat") or ("", "")
    if place != identity:
        return
    inbox = desk.inbox(st.session_state, study, annotator)
    with inbox.patience():
        inbox.take(received(study=identity, annotator=annotator, key=KEY))
    with st.container(key=f"{KEY}_hidden"):
        late = labelling(
            (),
            task=desk.shown_task(study.pool.task),
            acknowledged=inbox,
            refused=inbox.refused,
            study=identity,
            annotator=annotator,
            key=KEY,
        )
    if late and not inbox.away:
        with inbox.patience():
            inbox.take(late)
        if not inbox.away:
            st.rerun()
