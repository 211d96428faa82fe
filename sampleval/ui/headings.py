"""Headings in the size of the text, and estimates in larger letters.

Bold words alone are no headings for screen readers, which leaf through headings.
"""

from __future__ import annotations

import streamlit as st

from sampleval.metrics import Metric
from sampleval.study import Estimate
from sampleval.ui import words


def heading(text: str, level: int = 2) -> None:
    """Show a heading that needs no larger letters, in Markdown, in which what users wrote is escaped already.

    Its level is one more than that of the heading of which it is a part.
    """
    st.markdown(f'<strong role="heading" aria-level="{level}">{text}</strong>', unsafe_allow_html=True)


def headline(metric: Metric, estimate: Estimate, after: str = "") -> None:
    """Show an estimate in large letters over its interval, with the metric's title and what comes after it."""
    st.metric(
        f"{words.plain(metric.title)}{after}",
        words.value(estimate, whole=metric.total),
        words.between(estimate, whole=metric.total),
        delta_color="off",
        delta_arrow="off",
    )
