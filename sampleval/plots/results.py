"""Pictures of estimates: dot and whisker, convergence, density."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sampleval.frames import late
from sampleval.numerals import as_typed, many
from sampleval.plots.style import (
    BAND,
    BLUE,
    ORANGE,
    OWN,
    UNIT,
    Titles,
    area,
    error_bars,
    escaped,
    trace,
    whisker,
)

INK, TRUTH = BLUE, ORANGE
NAMED = 0.12  # of a picture's width that a threshold's name takes, on a narrow screen
FEW = 6  # answers: on an axis with fewer, Plotly puts marks at halves


def whiskers(estimates: pd.DataFrame, *, titles: Titles = OWN) -> go.Figure:
    """Every estimate as a dot on its interval, with the first one on top.

    Args:
        estimates: Frame of `frames.estimates`, with one row per metric, on one scale.
        titles: Metric name → title to show.
    """
    known = estimates[estimates["value"].notna()]
    names = [titles.get(name, name) for name in known["metric"]]
    figure = go.Figure(whisker(known, names, size=11))
    figure.update_yaxes(autorange="reversed", type="category", automargin=True)
    figure.update_xaxes(range=UNIT, tickformat=".1f", title="estimate (0 to 1)")
    return _framed(figure, height=96 + 38 * max(len(names), 2))


def convergence(history: pd.DataFrame, *, truth: float | None = None, title: str = "") -> go.Figure:
    """Estimate and interval against the number of answers.

    If they leave the range from 0 to 1, the axis may cut off the limits after the first few answers (`frames.late`).

    Args:
        history: Frame of `frames.estimates` of `Study.history`.
        truth: The metric's true value, drawn as a line if given.
        title: The name of the vertical axis.
    """
    uncut, x = history[["low", "high"]], history["labels"]
    ends = _ends(history, truth)
    history = _drawable(history, ends)
    hover = "%{hovertext}: %{y:.3f}<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>"
    drawn = trace(x, history["value"], INK, hover=hover)
    drawn.update(customdata=uncut, hovertext=[many(n, "answer") for n in x])
    figure = go.Figure([*area(x, history["low"], history["high"], BAND), drawn])
    if len(history) == 1:  # no line to draw yet
        limits = error_bars(history["low"], history["value"], history["high"], colour=INK)
        figure.data[-1].update(mode="markers", marker_color=INK, error_y=limits)
    if truth is not None:
        figure.add_hline(
            truth,
            line={"dash": "dash", "color": TRUTH, "width": 2},
            annotation={"text": f"true value {truth:.3f}"},
            annotation_position="bottom right" if history["value"].iloc[-1] >= truth else "top right",
        )
    figure.update_xaxes(title="answers", rangemode="tozero")
    if x.max() < FEW:
        figure.update_xaxes(dtick=1)
    figure.update_yaxes(title=escaped(title))
    if ends is not None:
        figure.update_yaxes(range=list(ends))
    return _framed(figure, height=356)


def _ends(history: pd.DataFrame, truth: float | None) -> tuple[float, float] | None:
    """The ends of the vertical axis; `None` if all numbers are fit for a scale from 0 to 1."""
    limits = ["low", "value", "high"]
    if (history[limits].isna() | history[limits].map(_of_a_share)).to_numpy().all():
        return None
    numbers = late(history)
    finite = np.append(numbers[np.isfinite(numbers)], [] if truth is None else truth)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    room = high - low or abs(high) or 1.0
    below, above = (0.25 if (numbers == end).any() else 0.05 for end in (-np.inf, np.inf))
    return low - below * room, high + above * room


def _of_a_share(value: float) -> bool:
    return 0 <= value <= 1


def _drawable(history: pd.DataFrame, ends: tuple[float, float] | None) -> pd.DataFrame:
    """The rows with infinite limits replaced by finite ones at or beyond the axis's end, since JSON has no infinity."""
    if ends is None:
        return history
    numbers = history[["low", "value", "high"]].to_numpy(float)
    finite = [*numbers[np.isfinite(numbers)], *ends]
    limits = {name: history[name].clip(min(finite), max(finite)) for name in ("low", "high")}
    return history.assign(**limits)


def density(
    curve: pd.DataFrame,
    *,
    value: float,
    low: float,
    high: float,
    threshold: float | None = None,
    title: str = "",
) -> go.Figure:
    """The distribution behind an estimate, its interval shaded, and a threshold to compare it with.

    Args:
        curve: Frame of `frames.density`.
        value: The estimate.
        low: Lower limit.
        high: Upper limit.
        threshold: A value to mark.
        title: The metric's title, for the axis.
    """
    top = 1.05 * _highest(curve, value)
    shaded = go.Scatter(
        x=[low, low, high, high],  # which may lie farther out than the curve
        y=[0, top, top, 0],
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=BAND,
        hoverinfo="skip",
    )
    hover = "at least %{x:.3f}: %{customdata:.0%}<extra></extra>"
    drawn = trace(curve["value"], curve["density"], INK, hover=hover).update(customdata=curve["above"])
    figure = go.Figure([shaded, drawn])
    figure.add_vline(value, line={"color": INK, "width": 1.5, "dash": "dot"})
    if threshold is not None:
        figure.add_vline(
            threshold,
            line={"color": TRUTH, "width": 2},
            annotation={"text": as_typed(threshold)},
            annotation_position=_aside(threshold, value, [*curve["value"], low, high]),
        )
    figure.update_xaxes(title=escaped(title))
    figure.update_yaxes(title="how likely", showticklabels=False, showgrid=False, range=[0, top])
    return _framed(figure, height=276)


def _aside(threshold: float, value: float, drawn: Sequence[float]) -> str:
    """Where the threshold's name stands: away from the estimate, whose line would cut it, unless the edge would.

    >>> _aside(0.6, 0.5, [0.3, 0.8]), _aside(0.79, 0.5, [0.3, 0.8]), _aside(0.9, 0.5, [0.3, 0.8])
    ('top right', 'top left', 'top left')
    """
    left, right = min(threshold, *drawn), max(threshold, *drawn)
    room = right - threshold if threshold > value else threshold - left
    fits = room > NAMED * (right - left)
    return "top right" if (threshold > value) == fits else "top left"


def _highest(curve: pd.DataFrame, value: float) -> float:
    """The density at the top of the picture: the largest, unless the curve shoots up at an end and hides the rest.

    An exponential curve is e times as high at its end as at its mean, so that only steeper ones are cut.
    """
    heights = curve["density"].to_numpy()
    if heights.argmax() not in (0, len(heights) - 1):
        return float(heights.max())
    here = 4 * np.interp(value, curve["value"].to_numpy(), heights)
    return float(min(heights.max(), here) if here > 0 else heights.max())


def _framed(figure: go.Figure, *, height: int) -> go.Figure:
    """The figure without a title, but with room above for the chart's buttons."""
    return figure.update_layout(
        height=height, margin={"l": 8, "r": 8, "t": 32, "b": 8}, showlegend=False, hovermode="closest"
    )
