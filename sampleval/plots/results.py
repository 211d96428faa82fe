"""Pictures of estimates: dot and whisker, convergence, density."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import distinct, fail
from sampleval.frames import late
from sampleval.numerals import as_typed, many
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed, level, upright
from sampleval.plots.style import BAND, BLUE, ORANGE, OWN, UNIT, Titles
from sampleval.plots.traces import Trace, area, error_bars, trace, whisker

INK, TRUTH = BLUE, ORANGE
HISTORY = "frames.estimates(study.history())"
NAMED = 0.12  # of a picture's width that a threshold's name takes, on a narrow screen
FEW = 6  # answers: on an axis with fewer, Plotly puts marks at halves


@drawn_from("frames.estimates(study.estimates())")
def whiskers(estimates: pd.DataFrame, *, titles: Titles = OWN) -> go.Figure:
    """Every estimate as a dot on its interval, with the first one on top.

    Args:
        estimates: Frame of `frames.estimates`, with one row per metric, on one scale.
        titles: Metric name → title to show.
    """
    remedy = "keep the last of each, or pass a history to plots.convergence"
    distinct(estimates["metric"], "estimates", "must have one row per metric", remedy=remedy)
    known = estimates[estimates["value"].notna()]
    names = [titles.get(name, name) for name in known["metric"]]
    return framed(
        [whisker(known, names, size=11)],
        x="estimate (0 to 1)",
        y="",
        x_axis={"range": UNIT, "tickformat": ".1f"},
        y_axis={"autorange": "reversed", "type": "category"},
        height=96 + 38 * max(len(names), 2),
        legend=False,
    )


@drawn_from(HISTORY, one=["metric"])
def convergence(
    history: pd.DataFrame,
    *,
    truth: float | None = None,
    title: str = "",
    heading: str = "",
    height: int = 356,
) -> go.Figure:
    """Estimate and interval against the number of answers.

    If they leave the range from 0 to 1, the axis may cut off the limits after the first few answers, and far ones (`frames.late`).

    Args:
        history: Frame of `frames.estimates` of `Study.history`.
        truth: The metric's true value, drawn as a line if given.
        title: The name of the vertical axis.
        heading: The title above the picture, if it is to have one.
        height: Its height in pixels.
    """
    uncut, x = history[["low", "high"]], history["labels"]
    if not x.is_monotonic_increasing:  # its line would run back and forth
        fail(
            "history",
            "must be of one study, with more labels from row to row",
            list(x),
            remedy=f"pass {HISTORY}",
        )
    ends = _ends(history, truth)
    history = _drawable(history, ends)
    hover = "%{hovertext}: %{y:.3f}<br>%{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>"
    look: Trace = {"customdata": uncut, "hovertext": [many(n, "answer") for n in x]}
    if len(history) == 1:  # no line to draw yet
        limits = error_bars(history["low"], history["value"], history["high"], colour=INK)
        look |= {"mode": "markers", "marker": {"color": INK}, "error_y": limits}
    marks = []
    if truth is not None:
        line = {"dash": "dash", "color": TRUTH, "width": 2}
        above = bool(history["value"].iloc[-1] < truth)
        marks = [level(truth, line, name=f"true value {truth:.3f}", above=above)]
    return framed(
        [
            *area(x, history["low"], history["high"], BAND),
            trace(x, history["value"], INK, hover=hover) | look,
        ],
        x="answers",
        y=title,
        x_axis={"rangemode": "tozero"} | ({"dtick": 1} if x.max() < FEW else {}),
        y_axis={} if ends is None else {"range": list(ends)},
        marks=marks,
        title=heading,
        height=height,
        legend=False,
    )


def _ends(history: pd.DataFrame, truth: float | None) -> tuple[float, float] | None:
    """The ends of the vertical axis; `None` if all numbers are fit for a scale from 0 to 1."""
    limits = ["low", "value", "high"]
    if (history[limits].isna() | history[limits].ge(0) & history[limits].le(1)).to_numpy().all():
        return None
    numbers = late(history)
    finite = np.append(numbers[np.isfinite(numbers)], [] if truth is None else truth)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    room = high - low or abs(high) or 1.0
    below, above = (0.25 if (numbers == end).any() else 0.05 for end in (-np.inf, np.inf))
    return low - below * room, high + above * room


def _drawable(history: pd.DataFrame, ends: tuple[float, float] | None) -> pd.DataFrame:
    """The rows with infinite limits replaced by finite ones beyond the axis's end, since JSON has no infinity.

    At its end the limit would be drawn, as if there were one.
    """
    if ends is None:
        return history
    numbers = history[["low", "value", "high"]].to_numpy(float)
    finite = [*numbers[np.isfinite(numbers)], 2 * ends[0] - ends[1], 2 * ends[1] - ends[0]]
    limits = {name: history[name].clip(min(finite), max(finite)) for name in ("low", "high")}
    return history.assign(**limits)


@drawn_from("frames.density(estimate, metric, population)")
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
    shaded = {
        "type": "scatter",
        "x": [low, low, high, high],  # which may lie farther out than the curve
        "y": [0, top, top, 0],
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": BAND,
        "hoverinfo": "skip",
    }
    height = np.minimum(curve["density"], 2 * top)  # of a curve that ends at 1e300 Plotly draws nothing
    hover = "at least %{x:.3f}: %{customdata:.0%}<extra></extra>"
    marks = [upright(value, {"color": INK, "width": 1.5, "dash": "dot"})]
    if threshold is not None:
        right = _right(threshold, value, [*curve["value"], low, high])
        line = {"color": TRUTH, "width": 2}
        marks.append(upright(threshold, line, name=as_typed(threshold), right=right))
    return framed(
        [shaded, trace(curve["value"], height, INK, hover=hover) | {"customdata": curve["above"]}],
        x=title,
        y="how likely",
        y_axis={"showticklabels": False, "showgrid": False, "range": [0, top]},
        marks=marks,
        height=276,
        legend=False,
    )


def _right(threshold: float, value: float, drawn: Sequence[float]) -> bool:
    """Whether the threshold's name stands to its right: away from the estimate, whose line would cut it, unless the edge would.

    >>> _right(0.6, 0.5, [0.3, 0.8]), _right(0.79, 0.5, [0.3, 0.8]), _right(0.9, 0.5, [0.3, 0.8])
    (True, False, False)
    """
    left, right = min(threshold, *drawn), max(threshold, *drawn)
    room = right - threshold if threshold > value else threshold - left
    fits = room > NAMED * (right - left)
    return (threshold > value) == fits


def _highest(curve: pd.DataFrame, value: float) -> float:
    """The density at the top of the picture: the largest, unless the curve shoots up at an end and hides the rest.

    An exponential curve is e times as high at its end as at its mean, so that only steeper ones are cut.
    """
    heights = curve["density"].to_numpy()
    if heights.argmax() not in (0, len(heights) - 1):
        return float(heights.max())
    here = 4 * np.interp(value, curve["value"].to_numpy(), heights)
    return float(min(heights.max(), here) if here > 0 else heights.max())
