"""Answers that were on their way when the Label page was left: the browser holds them, other pages cannot see them."""

from __future__ import annotations

import streamlit as st

from sampleval.ui.labelling import desk, labelling, received

KEY = "courier"  # `style.PLAIN` hides it


def deliver() -> None:
    """Fetch the last answers of whoever labelled in this session, without showing anything."""
    inbox = desk.last_inbox(st.session_state)
    if inbox is None:
        return
    study, annotator = inbox.identity, inbox.annotator
    with inbox.patience():
        inbox.take(received(study=study, annotator=annotator, key=KEY))
    with st.container(key=f"{KEY}_hidden"):
        late = labelling(
            (),
            task=desk.shown_task(inbox.study.pool.task),
            acknowledged=inbox,
            refused=inbox.refused,
            study=study,
            annotator=annotator,
            key=KEY,
        )
    if late and not inbox.away:
        with inbox.patience():
            inbox.take(late)
        if not inbox.away:
            st.rerun()
