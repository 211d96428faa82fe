"""The pictures of the lessons, for the Learn page and the notebooks."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from sampleval.numerals import sure
from sampleval.plots.style import (
    BLUE,
    DASHED,
    DOTTED,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    UNIT,
    error_bars,
    faint,
    framed,
    mark_labels,
    stroke,
    title_of,
    trace,
)

OUTCOMES: Mapping[str, tuple[str, str]] = {
    "found": (BLUE, "circle"),
    "missed": (ORANGE, "x"),
    "false alarm": (PINK, "triangle-up"),
    "rightly left out": (GREY, "circle-open"),
}
BIN = 0.025


def rare(samples: pd.DataFrame) -> go.Figure:
    """Estimates from many samples whose labels are spent evenly, and from samples that spend them where they matter.

    Args:
        samples: From `lessons.rare`.
    """
    figure = go.Figure()
    for design, part in samples.groupby("design", sort=False):
        look, silent = stroke(str(design)), int(part["value"].isna().sum())
        figure.add_histogram(
            x=part["value"].dropna(),
            xbins={"start": 0, "end": 1 + BIN, "size": BIN},
            name=title_of(str(design)) + (f" ({silent} say nothing)" if silent else ""),
            marker={"color": look.colour, "line": {"width": 0}},
            opacity=0.65,
            hovertemplate="F1 about %{x}: %{y} samples<extra></extra>",
        )
    figure.add_vline(float(samples["truth"].iloc[0]), line={"color": ORANGE, "width": 3})
    figure.update_layout(barmode="overlay", bargap=0.02)
    figure.update_xaxes(range=UNIT)
    repeats = int(samples["repeat"].max()) + 1
    return framed(
        figure,
        title=f"{repeats} samples of each kind: what each says of F1 (line: the truth)",
        x="estimated F1",
        y="samples",
        height=400,
    )


def weights(items: pd.DataFrame) -> go.Figure:
    """One sample: where its draws fall, and how much each of them counts.

    Args:
        items: From `lessons.drawn`.
    """
    figure = go.Figure()
    for outcome, (colour, symbol) in OUTCOMES.items():
        part = items[items["outcome"] == outcome]
        figure.add_scatter(
            x=part["score"],
            y=part["weight"],
            mode="markers",
            name=outcome,
            marker={
                "color": colour,
                "symbol": symbol,
                "size": 7 + 3 * part["times"].clip(upper=6),
                "opacity": 0.8,
            },
            customdata=part[["relative", "times"]],
            hovertemplate=(
                "score %{x:.3f}: drawn %{customdata[0]:.2f} × as often as evenly, so each draw counts "
                "%{y:.2f}; here %{customdata[1]} ×<extra></extra>"
            ),
        )
    figure.add_hline(1, line=DASHED)
    figure.update_yaxes(type="log", tickformat="~g", dtick=1)
    figure.update_xaxes(range=[-0.03, 1.03])
    return framed(
        figure,
        title="One sample: each draw and its weight",
        x="score",
        y="importance weight 1/(N·q)",
        height=380,
    )


def tilts(spread: pd.DataFrame, *, tilt: float) -> go.Figure:
    """Error against the tilt of the draws towards items that matter, with a mark at the chosen tilt.

    Args:
        spread: From `lessons.spread`.
        tilt: The chosen tilt.
    """
    drawn = trace(spread["tilt"], spread["rmse"], BLUE, hover="q ∝ h^%{x}: error %{y:.3f}<extra></extra>")
    figure = go.Figure(drawn.update(mode="lines+markers", marker_size=7))
    figure.add_vline(tilt, line={"color": ORANGE, "width": 2, "dash": "dot"})
    figure.update_yaxes(rangemode="tozero")
    return framed(
        figure,
        title="Many samples: the error of F1",
        x="lean: 0 even, 1 in proportion to h",
        y="error (RMSE)",
        height=280,
        legend=False,
    )


def waterline(items: pd.DataFrame) -> go.Figure:
    """Water-filling: inclusion above 1 is cut off and spread over the other items.

    Args:
        items: From `lessons.filled`.
    """
    certain = items["inclusion"] >= 1
    figure = go.Figure()
    for name, mask, colour in (("certain (b = 1)", certain, ORANGE), ("by chance (b < 1)", ~certain, BLUE)):
        part = items[mask]
        figure.add_bar(
            x=part["rank"],
            y=part["inclusion"],
            name=name,
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate="item %{x}: asked with chance %{y:.2f}<extra></extra>",
        )
    over = items[items["wanted"] > 1]
    figure.add_bar(
        x=over["rank"],
        y=over["wanted"] - 1,
        name="cut off",
        marker={"color": faint(ORANGE, 0.25), "line": {"width": 0}},
        hovertemplate="item %{x}: κh is %{y:.2f} above 1<extra></extra>",
    )
    name, hover = "importance sampling", "item %{x}: %{y:.2f} by importance sampling<extra></extra>"
    figure.add_trace(trace(items["rank"], items["importance"], GREEN, hover=hover, name=name, dash="dash"))
    figure.add_hline(1, line={"color": GREY, "width": 1.5})
    figure.update_layout(barmode="stack", bargap=0.15)
    figure.update_yaxes(range=[0, max(1.35, min(float(items["wanted"].max()) * 1.05, 3.0))])
    return framed(
        figure,
        title="Who gets asked: b = min(1, κh)",
        x="items, those that matter most first",
        y="chance to be asked",
        height=420,
    )


def belief(groups: pd.DataFrame) -> go.Figure:
    """Believed and true shares of positives along the score, with the shares among the labels.

    Args:
        groups: From `lessons.believed`.
    """
    seen = groups[groups["labelled"] > 0]
    figure = go.Figure(
        [
            trace(
                groups["score"],
                groups["true"],
                ORANGE,
                hover="score %{x:.2f}: truly %{y:.2f}<extra></extra>",
                name="truth",
                dash="dash",
            ),
            go.Scatter(
                x=seen["score"],
                y=seen["positive"] / seen["labelled"],
                mode="markers",
                name="labels so far",
                marker={"color": faint(GREY, 0.55), "size": (6 + 1.2 * seen["labelled"]).clip(upper=26)},
                customdata=seen[["positive", "labelled"]],
                hovertemplate="%{customdata[0]:.0f} of %{customdata[1]:.0f} labels positive<extra></extra>",
            ),
            trace(
                groups["score"],
                groups["believed"],
                BLUE,
                hover="score %{x:.2f}: believed %{y:.2f}<extra></extra>",
                name="belief",
                width=3,
            ).update(mode="lines+markers", marker_size=7),
        ]
    )
    figure.update_xaxes(range=UNIT)
    figure.update_yaxes(range=[-0.04, 1.04])
    return framed(
        figure,
        title="What is believed, and what is true",
        x="score",
        y="probability of “positive”",
        height=420,
    )


def replicates(studies: pd.DataFrame) -> go.Figure:
    """One interval per study, with another colour and symbol for those that miss the truth.

    Args:
        studies: From `lessons.replicates`.
    """
    figure = go.Figure()
    place = pd.Series(range(1, len(studies) + 1), index=studies.index)
    for hit, name, colour, symbol in (
        (True, "holds the truth", BLUE, "circle"),
        (False, "misses", ORANGE, "x"),
    ):
        part = studies[studies["hit"] == hit]
        figure.add_scatter(
            x=place[part.index],
            y=part["value"],
            mode="markers",
            name=f"{name} ({len(part)})",
            marker={"color": colour, "symbol": symbol, "size": 6},
            error_y=error_bars(
                part["low"], part["value"], part["high"], colour=colour, thickness=1.5, width=0
            ),
            customdata=part[["low", "high"]],
            hovertemplate="%{y:.3f}: %{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
        )
    figure.add_hline(float(studies["truth"].iloc[0]), line={"color": GREY, "width": 2})
    figure.update_xaxes(showticklabels=False, showgrid=False)
    held = studies["hit"].mean()
    return framed(
        figure,
        title=f"{held:.0%} of {len(studies)} intervals hold the truth; promised: {sure(studies['level'].iloc[0])}",
        x="studies, in order of their estimate",
        y="estimate and interval",
        height=400,
    )


def peeking(looks: pd.DataFrame, *, labels: int | None = None) -> go.Figure:
    """The share of studies whose interval misses the truth at each look.

    The lines show misses at this look, at any look so far, and at any look so far of an interval made to hold at all.

    Args:
        looks: From `lessons.watched`.
        labels: A number of labels to mark, e.g. that of the studies shown beside this picture.
    """
    figure = go.Figure()
    for column, name, colour, dash in (
        ("ever", "at some look so far", ORANGE, "solid"),
        ("now", "at this look alone", BLUE, "dash"),
        ("anytime", "at some look, interval made for that", GREEN, "dashdot"),
    ):
        hover = f"%{{x}} labels: %{{y:.0%}} missed {name}<extra></extra>"
        figure.add_trace(trace(looks["labels"], looks[column], colour, hover=hover, name=name, dash=dash))
    figure.add_hline(1 - float(looks["level"].iloc[0]), line=DOTTED)
    mark_labels(figure, labels, logarithmic=False)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return framed(
        figure,
        title="Studies that have missed the truth",
        x="labels",
        y="share of studies",
    )
