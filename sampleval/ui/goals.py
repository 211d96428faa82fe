"""The goal of a study: how far it is, and where to set it."""

from __future__ import annotations

import streamlit as st

from sampleval.study import Estimate, Study, towards_goal
from sampleval.ui import words


def towards(study: Study, estimate: Estimate) -> None:
    """How many more labels the goal takes; nothing where none is set."""
    if study.goal is not None:
        said = words.plain(towards_goal(study, estimate, study.goal)).replace("± ", "±\N{NO-BREAK SPACE}")
        st.markdown(f":material/flag: {said}")


def setting(study: Study) -> None:
    """Set, change or give up the goal, in the unit of the study's main metric."""
    title = words.plain(study.metric(study.scalars[0]).title)
    label = "Set a goal" if study.goal is None else f"Goal ± {study.goal:g}"
    with st.popover(label, icon=":material/flag:"), st.form("goal", border=False):
        half = st.number_input(
            f"{title}: how narrow should the interval be? (± x)",
            min_value=0.0,
            value=study.goal,
            format="%.4g",
            key="goal_half",
            help="Half the width of the interval. Leave it empty for no goal.",
        )
        if st.form_submit_button("Save", type="primary"):
            study.aim(half or None)
            st.rerun()
