"""Show a figure with its download: no upload button, and no figure without the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from sampleval.ui import shell

NARROW = 32  # letters of a large title in a window of 400 pixels; Plotly does not break lines itself
CONFIG = {
    "showSendToCloud": False,
    "displaylogo": False,
    # Dragging zooms and a double click shows all again; where nothing hovers the bar stays, and more buttons hide the title.
    "modeBarButtonsToRemove": [
        "zoom2d",
        "pan2d",
        "select2d",
        "lasso2d",
        "zoomIn2d",
        "zoomOut2d",
        "autoScale2d",
    ],
}


def chart(figure: go.Figure, frame: pd.DataFrame, *, key: str, alt: str) -> None:
    """Show a figure and, below it, a download of the figures behind it.

    Args:
        figure: From `sampleval.plots`.
        frame: The rows it was drawn from.
        key: Unique on the page; the download is `<key>.csv`.
        alt: What it shows, for screen readers.
    """
    picture(figure, key=key, alt=alt)
    download(lambda: frame.to_csv(index=False), key=f"{key}_csv", file=f"{key}.csv")


def picture(figure: go.Figure, *, key: str, alt: str) -> None:
    """The figure alone, in larger type when the page is shown to a room.

    Args:
        figure: From `sampleval.plots`.
        key: Unique on the page.
        alt: What it shows, for screen readers.
    """
    st.plotly_chart(enlarged(figure) if shell.presenting() else figure, key=key, config=CONFIG, alt=alt)


def enlarged(figure: go.Figure, by: float = 1.3) -> go.Figure:
    """The figure for a room: larger type, lines and symbols stay.

    Args:
        figure: From `sampleval.plots`.
        by: How much larger.
    """
    title = figure.layout.title.font.size or 15
    lines = wrap(figure.layout.title.text or "", NARROW)
    more = round(1.3 * title * by) * max(len(lines) - 1, 0)
    return go.Figure(figure).update_layout(
        font_size=round(12 * by),
        title_font_size=round(title * by),
        title_text="<br>".join(lines),
        margin_t=(figure.layout.margin.t or 44) + more,
        height=round((figure.layout.height or 450) * by) + more,
    )


def download(make: Callable[[], str], *, key: str, file: str, label: str = "Figures as CSV") -> None:
    """A quiet download button; the file is made only when it is pressed."""
    st.download_button(
        label,
        make,
        file_name=file,
        mime="text/csv",
        key=key,
        icon=":material/download:",
        type="tertiary",
        on_click="ignore",
    )
