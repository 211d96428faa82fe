"""What all pictures share: colours that colour-blind readers tell apart, on white and on black, and a frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from types import MappingProxyType

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from sampleval.designs import DESIGNS

BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, GREY = "#56B4E9", "#E69F00", "#7F7F7F"
# Cells of a table: opaque and light, so that one dark ink is read on all of them, on white pages and on black ones.
PALE = "#F7F7F7"
SHADES = ((0, PALE), (1, SKY))
# Of ratios: blue is better, white equal, orange worse; told apart by colour-blind readers too.
AROUND_ONE = ((0, SKY), (0.5, PALE), (1, AMBER))
CELLS: MappingProxyType[str, object] = MappingProxyType(
    {"showscale": False, "xgap": 2, "ygap": 2, "textfont": {"color": "#1C2733"}}
)
LOG = " (log\N{NO-BREAK SPACE}scale)"  # after an axis's name
# Of axes from 0 to 1: room for a mark at the end, and for the cap of a band above it.
UNIT, SHARE = (-0.02, 1.02), (-0.02, 1.05)
# Room above a plot: the title or, at the right, the chart's buttons, and below them the name of a mark.
TOP, LINE = 44, 20
# Letters of a title that fit beside the buttons in a window of 400 pixels; Plotly breaks no lines itself.
LETTERS = 36
NAME = 26  # letters of a name beside an axis: longer ones leave a telephone no picture


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a design is drawn everywhere: colour and dash, so that colour alone decides nothing."""

    colour: str
    dash: str = "solid"


STROKES: MappingProxyType[str, Stroke] = MappingProxyType(
    {
        "targeted": Stroke(BLUE),
        "priority": Stroke(SKY),
        "poisson": Stroke(SKY, "dot"),
        "importance": Stroke(ORANGE, "dash"),
        "uniform": Stroke(GREY, "longdashdot"),
        "stratified": Stroke(AMBER, "dashdot"),
        "adaptive": Stroke(GREEN),
        "rounds": Stroke(PINK),
        "sequential": Stroke(GREEN, "dash"),
    }
)


def diagonal(name: str = "") -> go.Scatter:
    """The dotted line from (0, 0) to (1, 1), in the legend if it has a name."""
    line = {"color": GREY, "dash": "dot"}
    return go.Scatter(
        x=[0, 1], y=[0, 1], mode="lines", line=line, name=name, showlegend=bool(name), hoverinfo="skip"
    )


def stroke(design: str) -> Stroke:
    """How to draw this design; a design of one's own is drawn thin and grey."""
    return STROKES.get(design, Stroke(GREY, "dot"))


def escaped(text: str) -> str:
    """Text of the user's for a place where Plotly reads tags and entities, and nothing else.

    >>> escaped("<b> $ & €")
    '&lt;b&gt; $ &amp; €'
    """
    return escape(text, quote=False)


def title_of(design: str) -> str:
    """A design's name in words."""
    return str(getattr(DESIGNS.get(design), "title", design))


def faint(colour: str, opacity: float = 0.22) -> str:
    """A colour given as #rrggbb, seen through; so faint that several areas may lie on each other."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Of one area alone: seen on white pages and on black ones, a line of the same colour on it too.
BAND, SECOND = faint(BLUE, 0.34), faint(ORANGE, 0.34)


def area(
    x: object,
    low: object,
    high: object,
    fill: str,
    *,
    name: str = "",
    group: str | None = None,
    edge: str = "",
) -> list[go.Scatter]:
    """The area between two curves, in the legend if it has a name of its own.

    Args:
        x: Where both are known.
        low: The lower one.
        high: The upper one.
        fill: Colour of the area.
        name: Its name.
        group: Name of the line in the legend that it comes and goes with.
        edge: Colour of a dotted line round it, none if empty.
    """
    border = {"width": 1.5, "dash": "dot", "color": edge} if edge else {"width": 0}
    curve = {"x": x, "mode": "lines", "line": border, "hoverinfo": "skip", "legendgroup": group}
    return [
        go.Scatter(y=high, showlegend=False, **curve),
        go.Scatter(y=low, fill="tonexty", fillcolor=fill, name=name, showlegend=bool(name), **curve),
    ]


def whisker(rows: pd.DataFrame, names: Sequence[str], *, size: int = 10) -> go.Scatter:
    """Every row as a dot on its interval.

    Args:
        rows: Columns value, low, high.
        names: What each row is about, shown as it is; long ones in full only where the pointer is.
        size: Of the dots.
    """
    return go.Scatter(
        x=rows["value"],
        y=brief(names),
        hovertext=[escaped(name) for name in names],
        mode="markers",
        marker={"size": size, "color": BLUE},
        error_x=reach(rows["low"], rows["value"], rows["high"], colour=BLUE, thickness=2.5, width=size / 2),
        customdata=rows[["low", "high"]],
        hovertemplate="%{hovertext}: %{x:.3f}<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
    )


def brief(names: Sequence[str]) -> list[str]:
    """Names for an axis: of long ones both ends, since either may be what tells them apart.

    Two that look alike differ by letters without width: Plotly would draw them in one place.

    >>> brief(["spam", "customers who ask for their money back"])
    ['spam', 'customers who…r money back']
    """
    found: list[str] = []
    for name in names:
        half = NAME // 2
        shown = name if len(name) <= NAME else f"{name[:half].rstrip()}…{name[1 - half :].lstrip()}"
        while escaped(shown) in found:
            shown += "\u200b"
        found.append(escaped(shown))
    return found


def line(frame_x: object, frame_y: object, design: str, *, hover: str, width: float = 2.5) -> go.Scatter:
    """A design's curve."""
    look = stroke(design)
    return go.Scatter(
        x=frame_x,
        y=frame_y,
        name=title_of(design),
        mode="lines",
        line={"color": look.colour, "dash": look.dash, "width": width},
        hovertemplate=f"{hover}<extra>{title_of(design)}</extra>",
    )


def reach(
    low: ArrayLike,
    value: ArrayLike,
    high: ArrayLike,
    *,
    colour: str | None = None,
    thickness: float = 2,
    width: float | None = None,
) -> dict[str, object]:
    """Error bars from low to high around a value, as plotly wants them.

    Args:
        low: Lower ends.
        value: Where the markers are.
        high: Upper ends.
        colour: The marker's if `None`.
        thickness: Of the bars, in pixels.
        width: Of the strokes across their ends, in pixels.
    """
    return {
        "type": "data",
        "symmetric": False,
        "array": np.subtract(high, value),
        "arrayminus": np.subtract(value, low),
        "color": colour,
        "thickness": thickness,
        "width": width,
    }


def framed(
    figure: go.Figure, *, title: str, x: str, y: str, height: int = 340, legend: bool = True
) -> go.Figure:
    """Title, axis names and room for them on a narrow screen; colours of text and paper are the theme's."""
    # Plotly merges what is not overwritten key by key, which takes longer than all the rest of a figure.
    figure.update_xaxes(title={"text": escaped(x), "standoff": 6}, automargin=True, overwrite=True)
    figure.update_yaxes(title={"text": escaped(y), "standoff": 16}, automargin=True, overwrite=True)
    figure.update_layout(
        overwrite=True,
        height=height,
        margin={"l": 8, "r": 12, "t": TOP, "b": 8},
        showlegend=legend,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "title": ""},
        hovermode="closest",
    )
    return entitled(figure, title)


def entitled(figure: go.Figure, title: str, *, by: float = 1) -> go.Figure:
    """The figure under a title that breaks into lines before it reaches a chart's buttons, and taller by them.

    Args:
        figure: As tall as for a title of one line.
        title: Its words.
        by: How much larger than usual the letters are.
    """
    text = broken(title, by)
    breaks = text.count("<br>")
    more = round(LINE * by) * breaks
    size = round(15 * by)
    # Plotly hangs a single line from this edge, but sets the first of several on it.
    pad = {"t": 10 + (0.7 * size if breaks else 0)}
    place = {"x": 0, "xref": "container", "y": 1, "yref": "container", "yanchor": "top", "pad": pad}
    return figure.update_layout(
        overwrite=True,
        title={"text": text, "font": {"size": size}, **place},
        margin_t=round(TOP * by) + more,
        height=figure.layout.height + more,
    )


def broken(text: str, by: float = 1) -> str:
    """Words escaped and broken into lines that a telephone shows in full.

    Args:
        text: As it is.
        by: How much larger than usual the letters are.
    """
    return "<br>".join(map(escaped, wrap(text, round(LETTERS / by))))


def mark_labels(figure: go.Figure, labels: int | None, *, logarithmic: bool = True) -> None:
    """A vertical line at a number of labels M, with its name above the plot, if one is given.

    Args:
        figure: Gets the line.
        labels: M.
        logarithmic: Whether the horizontal axis is.
    """
    if labels is None:
        return
    figure.add_vline(labels, line={"color": BLUE, "width": 1.5, "dash": "dot"})
    figure.add_annotation(
        # Annotations, unlike shapes, want the logarithm.
        x=math.log10(max(labels, 1)) if logarithmic else labels,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"M = {labels:,}",
        showarrow=False,
        font={"size": 12},
    )
