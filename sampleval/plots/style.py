"""What all pictures share: a frame, and colours that colour-blind readers can tell apart on white and on black."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
# Cells of a table are opaque and light, so that one dark ink is legible on all of them, on white and black pages.
PALE = "#F7F7F7"
SHADES = ((0, PALE), (1, SKY))
# Colours of ratios: blue is better, white equal, orange worse, which colour-blind readers can tell apart too.
AROUND_ONE = ((0, SKY), (0.5, PALE), (1, AMBER))
CELLS: Mapping[str, object] = {"showscale": False, "xgap": 2, "ygap": 2, "textfont": {"color": "#1C2733"}}
Titles = Mapping[str, str]  # what a picture calls a metric, a design or a method, by its name
OWN: Titles = MappingProxyType({})  # each by its own title, or else by its name
LOG = " (log\N{NO-BREAK SPACE}scale)"  # added to an axis's name
LOG_AXIS: dict[str, object] = {
    "type": "log",
    "dtick": 1,
    "tickformat": ",",
    "minor": {"dtick": "D1", "ticks": "outside", "ticklen": 3},
}
# Grey lines across a picture: at a place on an axis, such as a threshold; and at what was promised or would be even.
DOTTED, DASHED = ({"color": GREY, "dash": dash, "width": 1.5} for dash in ("dot", "dash"))
# Ranges of axes from 0 to 1, with room for a mark at the ends, and in the second for the cap of a band.
UNIT, SHARE = (-0.02, 1.02), (-0.02, 1.05)
# Room above a plot for the title, at its right the chart's buttons, and below them the name of a mark.
TOP, LINE = 44, 20
# Letters of a title that fit beside the buttons in a window of 400 pixels. Plotly does not break lines itself.
LETTERS = 36
NAME = 26  # most letters of a name beside an axis: longer names leave no room for the picture on a phone


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a design is drawn everywhere: colour and dash, so that designs never differ by colour alone."""

    colour: str
    dash: str = "solid"


STROKES: Mapping[str, Stroke] = {
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


def diagonal(name: str = "") -> go.Scatter:
    """The dotted line from (0, 0) to (1, 1), which is in the legend if it has a name."""
    line = {"color": GREY, "dash": "dot"}
    return go.Scatter(
        x=[0, 1], y=[0, 1], mode="lines", line=line, name=name, showlegend=bool(name), hoverinfo="skip"
    )


def stroke(design: str) -> Stroke:
    """How to draw this design. An unknown design, such as the caller's own, is drawn thin and grey."""
    return STROKES.get(design, Stroke(GREY, "dot"))


def escaped(text: str) -> str:
    """The user's text for places where Plotly would read tags and entities, so that it appears as it is.

    >>> escaped("<b> $ & €")
    '&lt;b&gt; $ &amp; €'
    """
    return escape(text, quote=False)


def title_of(design: str) -> str:
    """A design's name in words."""
    return str(getattr(DESIGNS.get(design), "title", design))


def faint(colour: str, opacity: float = 0.22) -> str:
    """The colour #rrggbb made transparent, by default enough for several areas to overlap."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


# Colours of a single area, strong enough for white and black pages but fainter than a line of the same colour on it.
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
        x: Positions at which both curves are known.
        low: The lower curve.
        high: The upper curve.
        fill: Colour of the area.
        name: Its name in the legend.
        group: Name of the line with which it is switched on and off in the legend.
        edge: Colour of a dotted line round the area; "" for none.
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
        names: What each row is about. Names are escaped, and long ones appear in full only at the pointer.
        size: Size of the dots.
    """
    return go.Scatter(
        x=rows["value"],
        y=brief(names),
        hovertext=[escaped(name) for name in names],
        mode="markers",
        marker={"size": size, "color": BLUE},
        error_x=error_bars(
            rows["low"], rows["value"], rows["high"], colour=BLUE, thickness=2.5, width=size / 2
        ),
        customdata=rows[["low", "high"]],
        hovertemplate="%{hovertext}: %{x:.3f}<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
    )


def brief(names: Sequence[str]) -> list[str]:
    """Names for an axis. Long names keep both ends, since either may distinguish them.

    Names that still look alike get letters without width, since Plotly draws equal names in one place.

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


def trace(
    x: object,
    y: object,
    colour: str,
    *,
    hover: str | None,
    name: str | None = None,
    width: float = 2.5,
    dash: str | None = None,
) -> go.Scatter:
    """A curve, with its name in the legend and a text at the pointer; without a text the pointer passes over it."""
    line = {"color": colour, "width": width, "dash": dash}
    skip = None if hover else "skip"
    return go.Scatter(x=x, y=y, mode="lines", line=line, name=name, hovertemplate=hover, hoverinfo=skip)


def line(x: object, y: object, design: str, *, hover: str, width: float = 2.5, title: str = "") -> go.Scatter:
    """A design's curve, under the design's own title or another."""
    look, title = stroke(design), title or title_of(design)
    told = f"{hover}<extra>{title}</extra>"
    return trace(x, y, look.colour, hover=told, name=title, width=width, dash=look.dash)


def error_bars(
    low: ArrayLike,
    value: ArrayLike,
    high: ArrayLike,
    *,
    colour: str | None = None,
    thickness: float = 2,
    width: float | None = None,
) -> dict[str, object]:
    """Error bars from low to high around a value, in plotly's form.

    Args:
        low: Lower ends.
        value: Positions of the markers.
        high: Upper ends.
        colour: Colour of the bars; the marker's if `None`.
        thickness: Thickness of the bars, in pixels.
        width: Width of the strokes across their ends, in pixels.
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
    """The figure with a title, axis names and room for them on a narrow screen, in the theme's colours."""
    # Without overwriting, Plotly merges layouts key by key, which takes longer than all the rest of a figure.
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
    """The figure with a title that is broken into lines before it reaches the chart's buttons.

    Args:
        figure: The figure, with a height for a title of one line; more lines make it taller.
        title: The title's text.
        by: Factor by which the letters are larger than usual.
    """
    text = broken(title, by)
    breaks = text.count("<br>")
    more = round(LINE * by) * breaks
    size = round(15 * by)
    # Plotly puts a single line below this edge, but the first of several lines above it.
    pad = {"t": 10 + (0.7 * size if breaks else 0)}
    place = {"x": 0, "xref": "container", "y": 1, "yref": "container", "yanchor": "top", "pad": pad}
    return figure.update_layout(
        overwrite=True,
        title={"text": text, "font": {"size": size}, **place},
        margin_t=round(TOP * by) + more,
        height=figure.layout.height + more,
    )


def broken(text: str, by: float = 1) -> str:
    """The text, escaped and broken into lines that fit on a phone.

    Args:
        text: The text, not yet escaped.
        by: Factor by which the letters are larger than usual.
    """
    return "<br>".join(map(escaped, wrap(text, round(LETTERS / by))))


def mark_labels(figure: go.Figure, labels: int | None, *, logarithmic: bool = True) -> None:
    """Draw a vertical line at a number of labels M, with its name above the plot, if the number is given.

    Args:
        figure: The figure that gets the line.
        labels: The number of labels M.
        logarithmic: Whether the horizontal axis is logarithmic.
    """
    if labels is None:
        return
    figure.add_vline(labels, line={"color": BLUE, "width": 1.5, "dash": "dot"})
    figure.add_annotation(
        # Annotations, unlike shapes, take the logarithm of the position.
        x=math.log10(max(labels, 1)) if logarithmic else labels,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"M = {labels:,}",
        showarrow=False,
        font={"size": 12},
    )
