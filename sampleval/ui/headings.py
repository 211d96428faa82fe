"""Headings in the size of the text. Bold words alone are none for screen readers, which leaf through headings."""

from __future__ import annotations

import streamlit as st


def heading(text: str, level: int = 2) -> None:
    """Show a heading of a part of the page that needs no larger letters.

    Args:
        text: Markdown; what users wrote is escaped.
        level: One more than that of the heading of which it is a part.
    """
    st.markdown(f'<strong role="heading" aria-level="{level}">{text}</strong>', unsafe_allow_html=True)
