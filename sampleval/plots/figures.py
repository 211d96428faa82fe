"""The panels of the papers' figures, drawn from a tidy frame (panel, group, x, y, low, high, truth)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sampleval.intervals import LEVEL
from sampleval.plots.layout import Mark, framed, level
from sampleval.plots.simulation import Look, labels_axis, looks
from sampleval.plots.style import DASHED, GREY, ORANGE, SHARE, UNIT, faint
from sampleval.plots.traces import Trace, banded, error_bars, trace
from sampleval.simulation.figures import Recipe

QUANTITIES = {
    "value": "estimate with 90% limits",
    "absolute": "mean |error|",
    "mse": "mean squared error",
    "coverage": "share of limits that hold the truth",
}
BANDS = {
    "absolute": "half a standard deviation of the error to each side",
    "mse": "95% bootstrap",
    "coverage": "95% limits of the share, from the number of studies",
}
X = {"fraction": "share of the pool that is labelled", "labels": "labels"}
HEIGHT = 300
Axis = tuple[str, dict[str, Any]]  # its name and its settings


def panels(frame: pd.DataFrame, recipe: Recipe) -> dict[str, go.Figure]:
    """A dictionary from titles to panels. Each panel is a figure of its own, so that a narrow page can stack them.

    Args:
        frame: From `simulation.figures.make`.
        recipe: What it was made by, which says what is drawn.
    """
    styles = _looks(frame)
    made = {
        str(panel): _panel(str(panel), part, frame[frame["panel"] == "truth"], styles, recipe)
        for panel, part in frame.groupby("panel", sort=False)
        if panel != "truth"
    }
    if recipe.kind == "single":
        _alike(made, frame)
    return made


def legend(frame: pd.DataFrame, recipe: Recipe) -> dict[str, tuple[str, str]]:
    """Line → its colour and symbol, to be shown once for all panels, unless the panels name it; empty if they name all."""
    if recipe.kind == "bars":
        return {}
    if recipe.kind == "curves":
        return {"one study": (GREY, "—"), "true curve": (ORANGE, "—")}
    if recipe.kind == "single":
        return {"true value": (ORANGE, "⋯")}
    return {group: (look.colour, look.glyph) for group, look in _looks(frame).items()}


def bands(recipe: Recipe) -> str:
    """What the bands of the panels, or whiskers of bars, show, as a sentence; "" if there are none, or if the axis says it."""
    if recipe.kind in ("single", "chances", "curves"):
        return ""
    divergence = "; of the divergence, the lowest and highest of its three studies"
    extremes = divergence if recipe.kind == "convergence" else ""
    drawn = "Whiskers" if recipe.kind == "bars" else "Bands"
    return f"{drawn}: {BANDS[recipe.quantity]}{extremes}."


def _looks(frame: pd.DataFrame) -> dict[str, Look]:
    return looks([str(group) for group in frame["group"].unique()])


def _panel(
    title: str, part: pd.DataFrame, truth: pd.DataFrame, styles: dict[str, Look], recipe: Recipe
) -> go.Figure:
    if log := _logarithmic(title, part, recipe):
        # Where Plotly draws a line to an error of 0, it falls upright at the last point before, as if all were known there.
        part = part.assign(**{end: part[end].where(part["y"] > 0) for end in ("y", "low", "high")})
    groups = [(str(group), line) for group, line in part.groupby("group", sort=False)]
    if recipe.kind == "curves":
        drawn = _replicates([line for _, line in groups], truth)
    elif recipe.kind == "bars":
        drawn = [_bar(line, group, styles[group]) for group, line in groups]
    else:
        drawn = [trace for group, line in groups for trace in _line(line, group, styles[group])]
    (x, x_axis), (y, y_axis) = _axes(title, part, recipe, log=log)
    return framed(
        drawn,
        title=title,
        x=x,
        y=y,
        x_axis=x_axis,
        y_axis=y_axis,
        marks=_marks(part, recipe),
        height=90 + 34 * len(groups) if recipe.kind == "bars" else HEIGHT,
        legend=False,
    )


def _marks(part: pd.DataFrame, recipe: Recipe) -> list[Mark]:
    """Lines at the truth and at the promised coverage, if there are such."""
    if recipe.kind in ("curves", "bars"):
        return []
    truths = part["truth"].dropna().unique()
    promised = recipe.quantity == "coverage" and recipe.kind != "chances"
    dotted = {"color": ORANGE, "dash": "dot", "width": 1.5}
    return [level(at, dotted) for at in truths] + ([level(LEVEL, DASHED)] if promised else [])


def _line(line: pd.DataFrame, group: str, look: Look) -> list[Trace]:
    """A line, with its band if it is known."""
    hover = f"%{{x:,.4~r}}: %{{y:.3~g}}<extra>{group}</extra>"
    marker: Trace | None = {"symbol": look.symbol, "size": 6} if len(line) < 20 else None
    curve = trace(
        line["x"], line["y"], look.colour, hover=hover, name=group, width=2, dash=look.dash, marker=marker
    )
    return banded(curve, line["low"], line["high"], group) if line["low"].notna().any() else [curve]


def _bar(line: pd.DataFrame, group: str, look: Look) -> Trace:
    """A bar with its band."""
    point = line.iloc[-1]
    return {
        "type": "bar",
        "x": [point["y"]],
        "y": [group],
        "orientation": "h",
        "marker": {"color": look.colour, "line": {"width": 0}},
        "error_x": error_bars([point["low"]], [point["y"]], [point["high"]], colour=GREY),
        "hovertemplate": f"{group}: %{{x:.2~g}}<extra></extra>",
    }


def _replicates(studies: list[pd.DataFrame], truth: pd.DataFrame) -> list[Trace]:
    """All replicated curves as one thin line with gaps, and the true curve on top."""
    gap = pd.DataFrame({"x": [None], "y": [None]}, dtype=float)
    broken = pd.concat([piece for study in studies for piece in (study[["x", "y"]], gap)])
    hover = "true: recall %{x:.2f}, precision %{y:.2f}<extra></extra>"
    return [
        trace(broken["x"], broken["y"], faint(GREY, 0.35), hover=None, width=1),
        trace(truth["x"], truth["y"], ORANGE, hover=hover, width=3),
    ]


def _logarithmic(panel: str, part: pd.DataFrame, recipe: Recipe) -> bool:
    """Whether a panel's vertical scale is logarithmic."""
    lines = recipe.kind in ("errors", "convergence")
    return lines and recipe.quantity == "mse" and "KL" not in panel and bool(part["y"].gt(0).any())


def _axes(panel: str, part: pd.DataFrame, recipe: Recipe, *, log: bool) -> tuple[Axis, Axis]:
    """The horizontal and the vertical axis."""
    shares = {"range": SHARE, "tickformat": ".0%"}
    if recipe.kind == "curves":
        return ("recall", {"range": UNIT}), ("precision", {"range": SHARE})
    if recipe.kind == "chances":
        if panel.startswith("share"):
            return (X["fraction"], {"tickformat": ".0%"}), ("items", shares)
        return ("items, falling", {"tickformat": ","}), ("chance to be asked", shares)
    if recipe.kind == "bars":
        return (QUANTITIES["mse"], {"rangemode": "tozero"}), ("", {"autorange": "reversed"})
    across = {"tickformat": ".0%"} if recipe.x == "fraction" else labels_axis(part["x"])
    up: dict[str, Any] = {} if recipe.kind == "single" else {"rangemode": "tozero"}
    if log:
        up = {"type": "log", "dtick": 1, "exponentformat": "power"}
    if recipe.quantity == "coverage":
        up |= shares
    return (X[recipe.x], across), ("divergence" if "KL" in panel else QUANTITIES[recipe.quantity], up)


def _alike(made: dict[str, go.Figure], frame: pd.DataFrame) -> None:
    """Give the panels of a metric one vertical scale. Panel titles are "metric, method" or the method alone."""
    metric = frame["panel"].str.rpartition(", ")[0]
    for _, part in frame.groupby(metric):
        ends = part[["y", "low", "high"]].to_numpy(float)
        low, high = np.nanmin(ends), np.nanmax(ends)
        room = 0.04 * (high - low)
        for title in part["panel"].unique():
            made[str(title)].update_yaxes(range=[low - room, high + room])
