"""Pictures of a pool: its scores, and how well known labels agree with them."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from sampleval.numerals import limits, many, number
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed, upright
from sampleval.plots.style import BAND, BLUE, DOTTED, ORANGE, UNIT, hatched
from sampleval.plots.traces import Trace, area, diagonal, error_bars, trace

DECISIONS = {"predicted positive": hatched(ORANGE)}


@drawn_from("frames.histogram(pool)")
def histogram(frame: pd.DataFrame, *, threshold: float | None = None) -> go.Figure:
    """The number of items in each bin of the score, on a square-root scale so that rare scores stay visible.

    Args:
        frame: From `frames.histogram`.
        threshold: Score from which items are predicted positive, drawn as a line if given.
    """
    bars: list[Trace] = [
        {
            "type": "bar",
            "x": (part["low"] + part["high"]) / 2,
            "y": part["items"] ** 0.5,
            "width": part["high"] - part["low"],
            "name": str(decision),
            "marker": DECISIONS.get(str(decision), {"color": BLUE, "line": {"width": 0}}),
            "customdata": part[["low", "high"]],
            "hovertext": [many(n, "item") for n in part["items"]],
            "hovertemplate": "%{customdata[0]:.3g} to %{customdata[1]:.3g}: %{hovertext}",
        }
        for decision, part in frame.groupby("decision", sort=False)
    ]
    most = float(frame["items"].max())
    ticks = [n for n in _NICE if 0.01 * most <= n <= most]  # smaller ones would overlap at the foot
    quantity = str(frame["quantity"].iloc[0])
    return framed(
        bars,
        title="Where the predictions lie" if quantity == "predicted value" else "Where the scores lie",
        x=quantity,
        y="items (square-root scale)",
        y_axis={"tickvals": [n**0.5 for n in ticks], "ticktext": [f"{n:,}" for n in ticks]},
        marks=[upright(threshold, DOTTED)] if threshold is not None else [],
        height=320,
        legend=len(bars) > 1,
        layout={"barmode": "overlay", "bargap": 0},
    )


_NICE = tuple(k * 10**e for e in range(9) for k in (1, 3))


@drawn_from("frames.reliability(pool, labels)")
def reliability(frame: pd.DataFrame, *, outcome: str = "positive") -> go.Figure:
    """The share of positives against the score. On the diagonal, scores can be trusted as probabilities.

    Args:
        frame: From `frames.reliability`.
        outcome: The outcome whose probability the score is; "right" with several classes, for the predicted class.
    """
    hover = (
        f"score %{{x:.3f}}: %{{y:.1%}} {outcome}<br>"
        "%{customdata[0]:.1%} to %{customdata[1]:.1%}, %{hovertext}<extra></extra>"
    )
    return framed(
        [
            diagonal("perfectly calibrated"),
            _groups(frame, "score", "positive", name="known labels", hover=hover),
        ],
        title="Can the scores be trusted?",
        x="mean score of the group",
        y=f"share {outcome}",
        x_axis={"range": UNIT, "tickformat": ".0%"},
        y_axis={"range": UNIT, "tickformat": ".0%"},
        height=320,
    )


@drawn_from("frames.prediction_error(pool, labels)")
def prediction_error(frame: pd.DataFrame) -> go.Figure:
    """Known numbers against predictions. On the diagonal, predictions are right on average.

    Args:
        frame: From `frames.prediction_error`.
    """
    told = zip(*(frame[name] for name in ("mean", "low", "high", "items")), strict=True)
    texts = [f"{number(mean)} ({limits(low, high)}), {many(n, 'item')}" for mean, low, high, n in told]
    hover = "prediction %{x:.4~g}: mean %{hovertext}<extra></extra>"
    at = frame["prediction"]
    return framed(
        [
            diagonal("right on average", (at.min(), at.max())),
            *area(at, frame["tenth"], frame["ninetieth"], BAND, name="four in five known numbers"),
            _groups(frame, "prediction", "mean", name="mean of the known numbers", hover=hover)
            | {"hovertext": texts},
        ],
        title="Can the predictions be trusted?",
        x="mean prediction of the group",
        y="known number",
        height=320,
    )


def _groups(frame: pd.DataFrame, x: str, y: str, *, name: str, hover: str) -> Trace:
    """Every group as a dot on its interval, joined by a thin line."""
    bars = error_bars(frame["low"], frame[y], frame["high"], colour=BLUE, thickness=1.5, width=4)
    marker = {"color": BLUE, "size": 8}
    return trace(frame[x], frame[y], BLUE, hover=hover, name=name, width=1, marker=marker) | {
        "error_y": bars,
        "customdata": frame[["low", "high"]],
        "hovertext": [many(n, "item") for n in frame["items"]],
    }
