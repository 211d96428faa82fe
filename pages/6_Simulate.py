"""Simulate: repeat whole studies with known labels, and see which method to trust."""

import streamlit as st

from sampleval.ui import shell
from sampleval.ui.laboratory import VIEWS, subject

shell.page("Simulate")
view = st.segmented_control(
    "What do you want to find out?", list(VIEWS), default=next(iter(VIEWS)), key="view", bind="query-params",
    required=True, format_func=lambda name: VIEWS[name].title, label_visibility="collapsed",
)  # fmt: skip
chosen = VIEWS[view or next(iter(VIEWS))]
st.markdown(chosen.question)
about = subject()
if about is not None:
    chosen.show(about)
shell.next_step("Learn", "understand why, in five lessons")
