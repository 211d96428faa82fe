"""Simulate: repeat whole studies with known labels, and see which method to trust."""

import streamlit as st

from sampleval.ui import shell
from sampleval.ui.laboratory import VIEWS, gallery, subject

shell.page("Simulate")
titles = {name: view.title for name, view in VIEWS.items()} | {"papers": "Figures of the papers"}
view = st.segmented_control(
    "What do you want to find out?", list(titles), default=next(iter(titles)), key="view", bind="query-params",
    required=True, format_func=titles.__getitem__, label_visibility="collapsed",
)  # fmt: skip
if view == "papers":
    st.markdown("Do the published findings hold on other data, made and measured here?")
    gallery()
else:
    chosen = VIEWS[view or next(iter(VIEWS))]
    st.markdown(chosen.question)
    about = subject()
    if about is not None:
        chosen.show(about)
shell.next_step("Learn", "understand why, in five lessons")
