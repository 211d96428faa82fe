"""What frames a picture: its title, its axes, and lines across it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NamedTuple

import plotly.graph_objects as go

from sampleval.plots.style import BLUE, escaped
from sampleval.plots.traces import Trace

# Room above a plot for the title, at its right the chart's buttons, and below them the name of a mark; or for the buttons alone.
TOP, LINE, BARE = 44, 20, 32
# Letters of a title that fit beside the buttons in a window of 400 pixels. Plotly does not break lines itself.
LETTERS = 36
# The type of a horizontal axis's title against that: below a plot, as wide as there, no buttons take room.
SMALLER = 0.75
# Its distance from the numbers, such that it is below them also where none is right above it; Plotly moves it only off those.
STANDOFF = 14
BELOW = {  # a legend in rows under the picture
    "orientation": "h",
    "yref": "container",
    "y": 0,
    "yanchor": "bottom",
    "x": 0,
    "title": {"text": ""},
}
Settings = Mapping[str, Any]  # of an axis or the like, under Plotly's names
NONE: Settings = MappingProxyType({})


class Mark(NamedTuple):
    """A line across a picture, and what is written at it."""

    shape: Settings
    name: Settings | None = None


def framed(
    traces: Sequence[Trace],
    *,
    title: str = "",
    x: str,
    y: str,
    x_axis: Settings = NONE,
    y_axis: Settings = NONE,
    marks: Sequence[Mark] = (),
    height: int = 340,
    legend: bool = True,
    layout: Settings = NONE,
) -> go.Figure:
    """A picture with a title, or room for the chart's buttons alone, and axis names, in the theme's colours.

    `x` and `y` are the names of the axes. The height, in pixels, is that with a title of one line; `layout` has more settings.
    """
    edges = {"l": 8, "r": 12, "b": 8}
    top = (
        _headed(title, height, margin=edges) if title else {"height": height, "margin": {"t": BARE, **edges}}
    )
    return go.Figure(
        traces,
        {
            **top,
            "xaxis": across(x, x_axis),
            "yaxis": upwards(y, y_axis),
            "showlegend": legend,
            "legend": BELOW,
            "hovermode": "closest",
            "shapes": [mark.shape for mark in marks],
            "annotations": [mark.name for mark in marks if mark.name],
            **layout,
        },
    )


def across(title: str, settings: Settings = NONE) -> dict[str, Any]:
    """Settings of a horizontal axis."""
    return {"title": {"text": broken(title, SMALLER), "standoff": STANDOFF}, "automargin": True, **settings}


def upwards(title: str, settings: Settings = NONE) -> dict[str, Any]:
    """Settings of a vertical axis."""
    return {"title": {"text": broken(title), "standoff": 16}, "automargin": True, **settings}


def _headed(title: str, height: float, by: float = 1, margin: Settings = NONE) -> dict[str, Any]:
    """Settings for a title that is broken into lines before it reaches the chart's buttons, its letters larger `by` a factor.

    The height is that of the picture with a title of one line, the margin that at the other edges.
    """
    text = broken(title, by)
    breaks = text.count("<br>")
    more = round(LINE * by) * breaks
    size = round(15 * by)
    # Plotly puts a single line below this edge, but the first of several lines above it.
    pad = {"t": 10 + (0.7 * size if breaks else 0)}
    place = {"x": 0, "xref": "container", "y": 1, "yref": "container", "yanchor": "top", "pad": pad}
    return {
        "title": {"text": text, "font": {"size": size}, **place},
        "margin": {"t": round(TOP * by) + more, **margin},
        "height": height + more,
    }


def entitled(figure: go.Figure, title: str, *, by: float = 1) -> go.Figure:
    """The figure under a title, for which it grows if that takes several lines; for `by` see `_headed`."""
    return figure.update_layout(_headed(title, figure.layout.height, by))


def broken(text: str, by: float = 1) -> str:
    """The text, escaped here and broken into lines that fit on a phone, its letters larger `by` a factor than usual."""
    return "<br>".join(map(escaped, wrap(text, round(LETTERS / by))))


def upright(at: float, line: Settings, *, name: str = "", right: bool = True) -> Mark:
    """A vertical line, with a name at its top, to the right or to the left of it."""
    shape = {"type": "line", "x0": at, "x1": at, "xref": "x", "y0": 0, "y1": 1, "yref": "y domain"}
    place = {"x": at, "xref": "x", "xanchor": "left" if right else "right"}
    top = {"y": 1, "yref": "y domain", "yanchor": "top"}
    return Mark(shape | {"line": line}, _written(name, place | top))


def level(at: float, line: Settings, *, name: str = "", above: bool = True, plot: str = "") -> Mark:
    """A horizontal line, with a name at its right end, above or below it; of several plots across that numbered `plot`."""
    wide, axis = f"x{plot} domain", f"y{plot}"
    shape = {"type": "line", "x0": 0, "x1": 1, "xref": wide, "y0": at, "y1": at, "yref": axis}
    place = {"y": at, "yref": axis, "yanchor": "bottom" if above else "top"}
    end = {"x": 1, "xref": wide, "xanchor": "right"}
    return Mark(shape | {"line": line}, _written(name, place | end))


def mark_labels(labels: int | None, *, logarithmic: bool = True) -> list[Mark]:
    """A vertical line at a number of labels M, if it is given, with its name above the plot; the axis may be logarithmic."""
    if labels is None:
        return []
    line = upright(labels, {"color": BLUE, "width": 1.5, "dash": "dot"}).shape
    # Annotations, unlike shapes, take the logarithm of the position.
    x = math.log10(max(labels, 1)) if logarithmic else labels
    above = {"x": x, "y": 1, "yref": "paper", "yanchor": "bottom", "font": {"size": 12}}
    return [Mark(line, _written(f"M = {labels:,}", above))]


def _written(name: str, place: Settings) -> Settings | None:
    return {"text": name, "showarrow": False, **place} if name else None
