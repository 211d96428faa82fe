"""Pictures of how an adaptive study learns."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed
from sampleval.plots.style import BLUE, GREEN, GREY, UNIT, hatched
from sampleval.plots.traces import Trace, diagonal, error_bars, marks, trace


@drawn_from("frames.moved(study)")
def moved(frame: pd.DataFrame, *, found: str = "positive") -> go.Figure:
    """The chance that a draw falls into each stratum of the score, before and now, with the labels found there.

    Args:
        frame: From `frames.moved`.
        found: A word for what the column "found" counts.
    """
    bars: Trace = {
        "type": "bar",
        "x": ranges(frame),
        "customdata": frame[["labels", "found", "items"]],
        "hovertemplate": (
            "scores %{x}: %{y:.1%} of draws<br>%{customdata[0]:.0f} of %{customdata[2]:,.0f} items labelled, "
            f"%{{customdata[1]:.0f}} {found}<extra>%{{fullData.name}}</extra>"
        ),
    }
    counts = zip(frame["found"], frame["labels"], strict=True)
    told: Trace = {
        "text": [f"{f:.0f}/{n:.0f}" if n else "" for f, n in counts],
        "textposition": "outside",
        "textangle": -90,  # turned, for otherwise they would cover each other
        "cliponaxis": False,
        "constraintext": "none",
        "textfont": {"size": 10},
    }
    most = frame[["before", "now"]].to_numpy(float).max(initial=0.01)
    return framed(
        [
            {"y": frame["before"], "name": "last round", "marker": hatched(GREY), **bars},
            {"y": frame["now"], "name": "this round", "marker": {"color": BLUE}, **told, **bars},
        ],
        title="Where it draws",
        x="score",
        y="share of draws",
        x_axis={"type": "category"},
        y_axis={"tickformat": ".0%", "range": [0, 1.3 * most]},  # room for the numbers
        layout={"barmode": "group", "bargap": 0.25},
    )


@drawn_from("frames.believed(study)")
def believed(frame: pd.DataFrame, *, y: str = "share of positives") -> go.Figure:
    """The belief in each stratum with its limits, against the mean score there.

    Args:
        frame: From `frames.believed`.
        y: What the belief is about.
    """
    filled = frame["labels"] > 0
    hover = (
        "scores %{customdata[0]:.3g} to %{customdata[1]:.3g}: %{y:.3f} (%{customdata[5]:.3f} to %{customdata[6]:.3f})<br>"
        "%{customdata[3]:.0f} of %{customdata[2]:,.0f} items labelled, %{customdata[4]:.0f} found<extra></extra>"
    )
    strata = [
        marks(
            rows["score"],
            rows["mean"],
            {"size": 10, "color": colour, "symbol": symbol},
            hover=hover,
            name=name,
        )
        | {
            "error_y": error_bars(rows["lower"], rows["mean"], rows["upper"], thickness=1.5),
            "customdata": rows[["low", "high", "items", "labels", "found", "lower", "upper"]],
        }
        for name, rows, colour, symbol in (
            ("with labels", frame[filled], BLUE, "circle"),
            ("without labels", frame[~filled], GREEN, "circle-open"),
        )
    ]
    return framed(
        [diagonal("as the scores say"), *strata],
        title="What it believes, range by range",
        x="mean score",
        y=y,
        x_axis={"range": UNIT},
        y_axis={"range": UNIT},
        height=380,
    )


@drawn_from("frames.divergence(study, labels)")
def diverged(frame: pd.DataFrame) -> go.Figure:
    """KL(q* ‖ q_t) of a study's rounds against the number of labels (M fig 2).

    Args:
        frame: From `frames.divergence`.
    """
    hover = "round %{customdata[0]}, %{x:,} labels: %{y:.3f}<extra></extra>"
    curve = trace(frame["labels"], frame["kl"], BLUE, hover=hover, marker={})
    return framed(
        [curve | {"customdata": frame[["round"]]}],
        title="How far the sampling is from the best one",
        x="labels",
        y="KL(q* ‖ q)",
        y_axis={"rangemode": "tozero"},
        legend=False,
    )


def ranges(frame: pd.DataFrame) -> list[str]:
    """The score range of each stratum in words, all of them different."""
    return [
        f"{low:.2g}–{high:.2g}" + "\u200b" * number
        for number, (low, high) in enumerate(zip(frame["low"], frame["high"], strict=True))
    ]
