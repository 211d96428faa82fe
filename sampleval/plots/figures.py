"""The papers' figures: small panels side by side, from one tidy frame (panel, group, x, y, low, high, truth)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sampleval.plots.simulation import LABELS_AXIS, faint, looks
from sampleval.plots.style import GREY, ORANGE

AXES = MappingProxyType(
    {
        "value": "estimate with 90% limits",
        "absolute": "mean |error|",
        "mse": "mean squared error",
        "coverage": "share of limits that hold the truth",
    }
)
X = MappingProxyType({"fraction": "share of the pool that is labelled", "labels": "labels"})
ACROSS = 3  # panels side by side
LEVEL = 0.9


@dataclass(frozen=True, slots=True)
class Axes:
    """How a figure's axes are drawn.

    Attributes:
        quantity: What is on the vertical axis.
        x: "fraction" or "labels".
    """

    quantity: str
    x: str


def figure(frame: pd.DataFrame, *, kind: str, quantity: str, x: str) -> go.Figure:
    """A figure of a paper.

    Args:
        frame: Of `simulation.figures.make`.
        kind: The recipe's.
        quantity: The recipe's.
        x: The recipe's.
    """
    panels = [p for p in frame["panel"].unique() if p != "truth"]
    across = 1 if kind == "bars" else min(ACROSS, len(panels))
    down = -(-len(panels) // across)
    made = make_subplots(
        rows=down, cols=across, subplot_titles=panels, vertical_spacing=0.2 / down, horizontal_spacing=0.07
    )
    styles = looks([str(group) for group in frame["group"].unique()]) if kind != "curves" else {}
    named: set[str] = set()
    for k, panel in enumerate(panels):
        at = {"row": k // across + 1, "col": k % across + 1}
        part = frame[frame["panel"] == panel]
        if kind == "curves":
            _replicates(made, part, frame[frame["panel"] == "truth"], at)
            continue
        for group, line in part.groupby("group", sort=False):
            DRAW.get(kind, _line)(made, line, str(group), styles[str(group)], str(group) not in named, at)
            named.add(str(group))
        _axes(made, panel, part, kind, Axes(quantity, x), at)
    made.update_annotations(font_size=13)
    _once(made, len(panels), across)
    height = 60 + (70 + 34 * frame["group"].nunique()) * down if kind == "bars" else 90 + 270 * down
    return made.update_layout(
        height=height,
        margin={"l": 8, "r": 12, "t": 36, "b": 8},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "title": ""},
        hovermode="closest",
        showlegend=kind not in ("bars", "curves"),
        barmode="group",
    )


Look = tuple[str, str, str]
Where = dict[str, int]


def _line(made: go.Figure, line: pd.DataFrame, group: str, look: Look, named: bool, at: Where) -> None:
    """A line with its band."""
    colour, dash, symbol = look
    if line["low"].notna().any():
        edge = {
            "x": line["x"],
            "mode": "lines",
            "line": {"width": 0},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        made.add_scatter(y=line["high"], legendgroup=group, **edge, **at)
        made.add_scatter(
            y=line["low"], legendgroup=group, fill="tonexty", fillcolor=faint(colour), **edge, **at
        )
    made.add_scatter(
        x=line["x"],
        y=line["y"],
        name=group,
        legendgroup=group,
        showlegend=named,
        mode="lines+markers" if len(line) < 20 else "lines",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"symbol": symbol, "size": 6},
        hovertemplate=f"%{{x:,.3~g}}: %{{y:.3~g}}<extra>{group}</extra>",
        **at,
    )
    truth = line["truth"].dropna()
    if len(truth):
        made.add_hline(float(truth.iloc[0]), line={"color": ORANGE, "dash": "dot", "width": 1.5}, **at)


def _once(made: go.Figure, panels: int, across: int) -> None:
    """Leave the horizontal axis's title to the lowest panel of each column."""
    for k in range(panels - across):
        at = {"row": k // across + 1, "col": k % across + 1}
        here, below = (
            next(made.select_xaxes(**at | {"row": row})).title for row in (at["row"], at["row"] + 1)
        )
        if here.text == below.text:
            made.update_xaxes(title="", **at)


def _bar(made: go.Figure, line: pd.DataFrame, group: str, look: Look, _named: bool, at: Where) -> None:
    """A bar with its band."""
    point = line.iloc[-1]
    made.add_bar(
        x=[point["y"]],
        y=[group],
        orientation="h",
        marker={"color": look[0], "line": {"width": 0}},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [point["high"] - point["y"]],
            "arrayminus": [point["y"] - point["low"]],
            "color": GREY,
        },
        hovertemplate=f"{group}: %{{x:.2~g}}<extra></extra>",
        **at,
    )


DRAW: MappingProxyType[str, Callable[[go.Figure, pd.DataFrame, str, Look, bool, Where], None]] = (
    MappingProxyType({"bars": _bar})
)


def _axes(made: go.Figure, panel: str, part: pd.DataFrame, kind: str, axes: Axes, at: Where) -> None:
    """Scales, and titles at the left and below."""
    positive = part["y"].gt(0).all() and len(part) > 0
    logarithmic = axes.quantity == "mse" and "KL" not in panel and (positive or part["y"].gt(0).any())
    if kind == "chances":
        share = panel.startswith("share")
        made.update_xaxes(
            title=X["fraction"] if share else "items, falling", tickformat=".0%" if share else ",", **at
        )
        made.update_yaxes(range=[-0.02, 1.05], tickformat=".0%", **at)
        return
    if kind == "bars":
        made.update_xaxes(title=AXES["mse"], rangemode="tozero", **at)
        made.update_yaxes(autorange="reversed", **at)
        return
    made.update_xaxes(
        title=X[axes.x], **at, **({"tickformat": ".0%"} if axes.x == "fraction" else LABELS_AXIS)
    )
    if logarithmic:
        made.update_yaxes(type="log", tickformat=".0e", dtick=1, exponentformat="power", **at)
    elif kind != "single":
        made.update_yaxes(rangemode="tozero", **at)
    if axes.quantity == "coverage":
        made.add_hline(LEVEL, line={"color": GREY, "dash": "dash", "width": 1.5}, **at)
        made.update_yaxes(tickformat=".0%", range=[-0.02, 1.05], **at)
    if at["col"] == 1:
        made.update_yaxes(title="divergence" if "KL" in panel else AXES[axes.quantity], **at)


def _replicates(made: go.Figure, part: pd.DataFrame, truth: pd.DataFrame, at: Where) -> None:
    """All replicated curves as one thin broken line, the true curve on top."""
    gaps = pd.concat(
        [pd.concat([curve[["x", "y"]], pd.DataFrame({"x": [None], "y": [None]}, dtype=float)])
         for _, curve in part.groupby("group", sort=False)]
    )  # fmt: skip
    made.add_scatter(
        x=gaps["x"],
        y=gaps["y"],
        mode="lines",
        line={"color": faint(GREY, 0.35), "width": 1},
        hoverinfo="skip",
        **at,
    )
    made.add_scatter(
        x=truth["x"],
        y=truth["y"],
        mode="lines",
        line={"color": ORANGE, "width": 3},
        hovertemplate="true: recall %{x:.2f}, precision %{y:.2f}<extra></extra>",
        **at,
    )
    made.update_xaxes(title="recall", range=[-0.02, 1.02], **at)
    made.update_yaxes(title="precision" if at["col"] == 1 else "", range=[-0.02, 1.05], **at)
