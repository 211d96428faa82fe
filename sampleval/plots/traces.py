"""What pictures draw: curves, areas, dots and their error bars, in Plotly's form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sampleval.plots.style import BLUE, EDGES, GREY, brief, escaped, faint, stroke, title_of

# A figure made of finished traces and a finished layout is checked by Plotly once; each later change takes as long again.
Trace = dict[str, Any]


def trace(
    x: object,
    y: object,
    colour: str,
    *,
    hover: str | None,
    name: str | None = None,
    width: float = 2.5,
    dash: str | None = None,
    marker: Trace | None = None,
) -> Trace:
    """A curve, with marks at its points if a marker is given, its name in the legend, and a text at the pointer.

    Without a text the pointer passes over it.
    """
    pointer: Trace = {"hovertemplate": hover, "hoverinfo": None if hover else "skip"}
    look: Trace = {"line": {"color": colour, "width": width, "dash": dash}, "marker": marker}
    mode = "lines" if marker is None else "lines+markers"
    return {"type": "scatter", "x": x, "y": y, "mode": mode, **look, "name": name, **pointer}


def marks(x: object, y: object, marker: Trace, *, hover: str, name: str | None = None) -> Trace:
    """Marks that no line joins, with their name in the legend and a text at the pointer."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "markers",
        "marker": marker,
        "name": name,
        "hovertemplate": hover,
    }


def line(x: object, y: object, design: str, *, hover: str, width: float = 2.5, title: str = "") -> Trace:
    """A design's curve, under the design's own title or another."""
    look, title = stroke(design), title or title_of(design)
    told = f"{hover}<extra>{title}</extra>"
    return trace(x, y, look.colour, hover=told, name=title, width=width, dash=look.dash)


def diagonal(name: str = "", ends: tuple[float, float] = (0, 1)) -> Trace:
    """The dotted line on which both axes are equal, between two places. It is in the legend if it has a name."""
    dotted = trace(ends, ends, GREY, hover=None, name=name, width=2, dash="dot")
    return dotted | {"showlegend": bool(name)}


def area(
    x: object,
    low: object,
    high: object,
    fill: str,
    *,
    name: str = "",
    group: str | None = None,
    edge: str = "",
) -> list[Trace]:
    """The area between two curves over x, in the legend if it has a name of its own.

    It is switched on and off there with the line of its group. A dotted line in the colour `edge` surrounds it; without
    that, a thin one does where the area is the only one of its colour.
    """
    border: Trace = {"width": 1.5, "dash": "dot", "color": edge}
    if not edge:
        border = {"width": 1, "color": EDGES[fill]} if fill in EDGES else {"width": 0}
    drawn: Trace = {"mode": "lines", "line": border, "hoverinfo": "skip", "legendgroup": group}
    curve: Trace = {"type": "scatter", "x": x, **drawn}
    filled: Trace = {"fill": "tonexty", "fillcolor": fill, "name": name}
    return [
        {"y": high, "showlegend": False, **curve},
        {"y": low, "showlegend": bool(name), **filled, **curve},
    ]


def banded(curve: Trace, low: object, high: object, group: str) -> list[Trace]:
    """A curve on a band of its own colour, which the legend switches on and off with it."""
    fill = faint(curve["line"]["color"])
    return [*area(curve["x"], low, high, fill, group=group), curve | {"legendgroup": group}]


def whisker(rows: pd.DataFrame, names: Sequence[str], *, size: int = 10) -> Trace:
    """Every row (value, low, high) as a dot on its interval. Long names appear in full only at the pointer."""
    value = rows["value"]
    hover = "%{hovertext}: %{x:.3f}<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>"
    return marks(value, brief(names), {"size": size, "color": BLUE}, hover=hover) | {
        "hovertext": [escaped(name) for name in names],
        "error_x": error_bars(rows["low"], value, rows["high"], colour=BLUE, thickness=2.5, width=size / 2),
        "customdata": rows[["low", "high"]],
    }


def error_bars(
    low: ArrayLike,
    value: ArrayLike,
    high: ArrayLike,
    *,
    colour: str | None = None,
    thickness: float = 2,
    width: float | None = None,
) -> dict[str, Any]:
    """Error bars from low to high around a value, in the marker's colour or another.

    The thickness is theirs, the width that of the strokes across their ends, in pixels.
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
