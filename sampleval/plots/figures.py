"""The panels of the papers' figures, drawn from a tidy frame (panel, group, x, y, low, high, truth)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sampleval.intervals import LEVEL
from sampleval.plots.simulation import Look, labels_axis, looks
from sampleval.plots.style import DASHED, GREY, ORANGE, SHARE, UNIT, area, error_bars, faint, framed, trace
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
    return {group: (look[0], look[3]) for group, look in _looks(frame).items()}


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
    figure = go.Figure()
    if recipe.kind == "curves":
        _replicates(figure, part, truth)
    else:
        draw = _bar if recipe.kind == "bars" else _line
        for group, line in part.groupby("group", sort=False):
            draw(figure, line, str(group), styles[str(group)])
    x, y = _axes(figure, title, part, recipe, log=log)
    height = 90 + 34 * part["group"].nunique() if recipe.kind == "bars" else HEIGHT
    return framed(figure, title=title, x=x, y=y, height=height, legend=False)


def _line(figure: go.Figure, line: pd.DataFrame, group: str, look: Look) -> None:
    """Draw a line with its band, and the truth if there is one."""
    colour, dash, symbol, _ = look
    if line["low"].notna().any():
        figure.add_traces(area(line["x"], line["low"], line["high"], faint(colour), group=group))
    hover = f"%{{x:,.4~r}}: %{{y:.3~g}}<extra>{group}</extra>"
    drawn = trace(line["x"], line["y"], colour, hover=hover, name=group, width=2, dash=dash)
    mode = "lines+markers" if len(line) < 20 else "lines"
    figure.add_trace(drawn.update(mode=mode, marker={"symbol": symbol, "size": 6}))
    truth = line["truth"].dropna()
    if len(truth):
        figure.add_hline(float(truth.iloc[0]), line={"color": ORANGE, "dash": "dot", "width": 1.5})


def _bar(figure: go.Figure, line: pd.DataFrame, group: str, look: Look) -> None:
    """Draw a bar with its band."""
    point = line.iloc[-1]
    figure.add_bar(
        x=[point["y"]],
        y=[group],
        orientation="h",
        marker={"color": look[0], "line": {"width": 0}},
        error_x=error_bars([point["low"]], [point["y"]], [point["high"]], colour=GREY),
        hovertemplate=f"{group}: %{{x:.2~g}}<extra></extra>",
    )


def _replicates(figure: go.Figure, part: pd.DataFrame, truth: pd.DataFrame) -> None:
    """Draw all replicated curves as one thin line with gaps, and the true curve on top."""
    gap = pd.DataFrame({"x": [None], "y": [None]}, dtype=float)
    studies = [study[["x", "y"]] for _, study in part.groupby("group", sort=False)]
    broken = pd.concat([piece for study in studies for piece in (study, gap)])
    figure.add_trace(trace(broken["x"], broken["y"], faint(GREY, 0.35), hover=None, width=1))
    hover = "true: recall %{x:.2f}, precision %{y:.2f}<extra></extra>"
    figure.add_trace(trace(truth["x"], truth["y"], ORANGE, hover=hover, width=3))


def _logarithmic(panel: str, part: pd.DataFrame, recipe: Recipe) -> bool:
    """Whether a panel's vertical scale is logarithmic."""
    lines = recipe.kind in ("errors", "convergence")
    return lines and recipe.quantity == "mse" and "KL" not in panel and bool(part["y"].gt(0).any())


def _axes(figure: go.Figure, panel: str, part: pd.DataFrame, recipe: Recipe, *, log: bool) -> tuple[str, str]:
    """Set the scales of the axes, and return the names of the axes."""
    if recipe.kind == "curves":
        figure.update_xaxes(range=UNIT)
        figure.update_yaxes(range=SHARE)
        return "recall", "precision"
    if recipe.kind == "chances":
        share = panel.startswith("share")
        figure.update_xaxes(tickformat=".0%" if share else ",")
        figure.update_yaxes(range=SHARE, tickformat=".0%")
        return (X["fraction"], "items") if share else ("items, falling", "chance to be asked")
    if recipe.kind == "bars":
        figure.update_xaxes(rangemode="tozero")
        figure.update_yaxes(autorange="reversed")
        return QUANTITIES["mse"], ""
    figure.update_xaxes(**({"tickformat": ".0%"} if recipe.x == "fraction" else labels_axis(part["x"])))
    divergence = "KL" in panel
    if log:
        figure.update_yaxes(type="log", dtick=1, exponentformat="power")
    elif recipe.kind != "single":
        figure.update_yaxes(rangemode="tozero")
    if recipe.quantity == "coverage":
        figure.add_hline(LEVEL, line=DASHED)
        figure.update_yaxes(tickformat=".0%", range=SHARE)
    return X[recipe.x], "divergence" if divergence else QUANTITIES[recipe.quantity]


def _alike(made: dict[str, go.Figure], frame: pd.DataFrame) -> None:
    """Give the panels of a metric one vertical scale. Panel titles are "metric, method" or the method alone."""
    metric = frame["panel"].str.rpartition(", ")[0]
    for _, part in frame.groupby(metric):
        ends = part[["y", "low", "high"]].to_numpy(float)
        low, high = np.nanmin(ends), np.nanmax(ends)
        room = 0.04 * (high - low)
        for title in part["panel"].unique():
            made[str(title)].update_yaxes(range=[low - room, high + room])
