"""The estimate while it comes in: a small chart that is drawn anew every few labels only."""

from __future__ import annotations

import streamlit as st

from sampleval import frames, plots
from sampleval.study import Study
from sampleval.ui import words
from sampleval.ui.charts import CONFIG

STEP = 5  # labels between two drawings
POINTS = 40


def live_estimate(study: Study, *, height: int = 230) -> None:
    """The pre-sampling metric's estimate and its convergence so far.

    Args:
        study: The study.
        height: Of the chart, in pixels.
    """
    metric = study.metric()
    history = _history(study)
    if not history:
        st.caption(f"{metric.title} will appear here after {STEP} labels.")
        return
    last = history[-1]
    st.metric(
        f"{metric.title} after {last.labels} labels",
        words.number(last.value),
        words.between(last),
        delta_color="off",
        delta_arrow="off",
    )
    figure = plots.convergence(frames.estimates(history)).update_layout(height=height)
    st.plotly_chart(
        figure,
        key="live_chart",
        config=CONFIG | {"displayModeBar": False},
        alt=f"{metric.title} and its interval against the number of labels",
    )


def _history(study: Study) -> list:
    """The history up to the last multiple of `STEP`; the same list until the next, so that nothing flickers."""
    length = study.state.run_length()
    upto = length - length % STEP if length < study.budget else length
    kept = st.session_state.get("_live")
    mark = (study.name, upto, study.budget)
    if not isinstance(kept, tuple) or kept[0] != mark:
        found = [e for e in study.history(points=POINTS) if e.labels <= upto] if upto else []
        kept = st.session_state["_live"] = (mark, found)
    return kept[1]
