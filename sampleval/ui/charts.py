"""Show a figure with a download of the numbers behind it, and without Plotly's button for uploads."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from sampleval import sheets
from sampleval.plots.layout import broken, entitled
from sampleval.plots.style import AROUND_ONE, SHADES
from sampleval.ui import shell

LARGER = 1.3  # type in a room against that on a desk
SEVERAL = 14  # size there of type below each other at one tick: amounts beside each other would touch
# Shades of cells → the same on a dark page, where pale ones would glare and light letters stand on all of them.
NIGHT = ((0, "#1B2733"), (1, "#0072B2"))
AT_NIGHT = ((SHADES, NIGHT), (AROUND_ONE, ((0, "#0072B2"), (0.5, "#1B2733"), (1, "#A85200"))))
MIME = {
    "csv": "text/csv",
    "html": "text/html",
    "ipynb": "application/x-ipynb+json",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
CONFIG = {
    "showSendToCloud": False,
    "displaylogo": False,
    "toImageButtonOptions": {"scale": 3},  # the chart's own pixels would be blurred on a slide
    # Dragging zooms and a double click shows all again; where nothing hovers the bar stays, and more buttons would need more room.
    "modeBarButtonsToRemove": [
        f"{name}2d" for name in ("zoom", "pan", "select", "lasso", "zoomIn", "zoomOut", "autoScale")
    ],
}


def chart(figure: go.Figure, frame: pd.DataFrame, *, key: str, alt: str, bar: bool = True) -> None:
    """Show a figure and, below it, a download of the rows from which it was drawn, called `<key>.csv`.

    `alt` tells screen readers what it shows; with `bar`, buttons stand above it.
    """
    picture(figure, key=key, alt=alt, bar=bar)
    download(frame, key=f"{key}_csv", file=f"{key}.csv")


def picture(figure: go.Figure, *, key: str, alt: str, bar: bool = True) -> None:
    """Show the figure alone, in larger type if the page is presented to a room. The arguments are those of `chart`."""
    if st.context.theme.type == "dark":
        figure = at_night(figure)
    shown = enlarged(figure) if shell.presenting() else figure
    st.plotly_chart(shown, key=key, config=CONFIG | ({} if bar else {"displayModeBar": False}), alt=alt)


def at_night(figure: go.Figure) -> go.Figure:
    """The figure with dark cells for a dark page, on which empty cells would glare. Lines suit both backgrounds."""
    if not any(trace.type == "heatmap" for trace in figure.data):
        return figure
    dark = go.Figure(figure)
    for trace in (trace for trace in dark.data if trace.type == "heatmap"):
        for day, night in AT_NIGHT:
            if trace.colorscale == go.Heatmap(colorscale=day).colorscale:
                trace.update(colorscale=night, textfont_color="#F2F5F8")
                break
    return dark


def enlarged(figure: go.Figure) -> go.Figure:
    """The figure in larger type for a room, with lines and symbols unchanged."""
    large = go.Figure(figure).update_layout(
        font_size=round(12 * LARGER), height=round((figure.layout.height or 450) * LARGER)
    )
    large.for_each_xaxis(_stand_off)
    large.for_each_yaxis(_stand_off)
    large.for_each_xaxis(fit)
    large.for_each_annotation(lambda mark: mark.update(font={"size": round((mark.font.size or 12) * LARGER)}))
    title = figure.layout.title.text
    return entitled(large, _whole(title), by=LARGER) if title else large


def _whole(title: str) -> str:
    """The words of a title, which stands in its figure escaped and broken into lines."""
    return unescape(title.replace("<br>", " "))


def _stand_off(axis: go.layout.XAxis | go.layout.YAxis) -> None:
    """Move an axis's title away from its numbers in proportion to their larger type."""
    if axis.title.standoff is not None:
        axis.title.standoff *= LARGER


def fit(axis: go.layout.XAxis) -> None:
    """Break an axis's title into lines that fit a telephone, and keep numbers of several lines apart there."""
    if axis.title.text:
        axis.title.text = broken(_whole(axis.title.text), LARGER)
    if axis.ticktext is not None:
        axis.tickfont.size = SEVERAL


def download(frame: pd.DataFrame, *, key: str, file: str) -> None:
    """A button that downloads the numbers as CSV, of which no spreadsheet runs a cell as a formula or garbles a letter."""
    downloadable("Figures as CSV", file, lambda: sheets.to_csv(frame), key=key, type="tertiary")


def downloadable(
    label: str,
    file: str,
    make: Callable[[], str | bytes],
    *,
    key: str,
    type: Literal["secondary", "tertiary"] = "secondary",
    rerun: bool = False,
) -> None:
    """A button that downloads a file, made when it is pressed; its ending tells the browser what it is. It may rerun the page."""
    mime, icon = MIME[file.rpartition(".")[2]], ":material/download:"
    st.download_button(
        label,
        make,
        file_name=file,
        mime=mime,
        key=key,
        icon=icon,
        type=type,
        on_click="rerun" if rerun else "ignore",
    )
