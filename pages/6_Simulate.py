"""Simulate: repeat whole studies with known labels, and see which method to trust."""

import streamlit as st

from sampleval.ui import shell
from sampleval.ui.simulate import VIEWS, gallery, subject

shell.page("Simulate")
titles = {name: view.title for name, view in VIEWS.items()} | {"papers": "Figures of the papers"}
view = shell.choice("What do you want to find out?", titles, key="view")
if view == "papers":
    st.markdown("Do the published findings hold on other data, made and measured here?")
    gallery()
else:
    st.markdown(VIEWS[view].question)
    about = subject()
    if about is not None:
        VIEWS[view].show(about)
shell.next_step("Learn", "understand why, in five lessons")
