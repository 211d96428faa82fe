"""The pictures of the lessons, for the Learn page and the notebooks."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from sampleval.numerals import sure
from sampleval.plots.layout import framed, level, mark_labels, upright
from sampleval.plots.style import (
    BLUE,
    DASHED,
    DOTTED,
    GREEN,
    GREY,
    ORANGE,
    PINK,
    UNIT,
    faint,
    hatched,
    stroke,
    title_of,
)
from sampleval.plots.traces import Trace, banded, error_bars, marks, trace

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
    drawn: list[Trace] = []
    for design, part in samples.groupby("design", sort=False):
        look, silent = stroke(str(design)), int(part["value"].isna().sum())
        drawn.append(
            {
                "type": "histogram",
                "x": part["value"].dropna(),
                "xbins": {"start": 0, "end": 1 + BIN, "size": BIN},
                "name": title_of(str(design)) + (f" ({silent} say nothing)" if silent else ""),
                # The bars of both overlap: the upper ones are striped, so that the lower ones are seen through them.
                "marker": hatched(look.colour) if drawn else {"color": look.colour, "line": {"width": 0}},
                "hovertemplate": "F1 about %{x}: %{y} samples<extra></extra>",
            }
        )
    repeats = int(samples["repeat"].max()) + 1
    return framed(
        drawn,
        title=f"{repeats} samples of each kind: what each says of F1 (line: the truth)",
        x="estimated F1",
        y="samples",
        x_axis={"range": UNIT},
        marks=[upright(float(samples["truth"].iloc[0]), {"color": ORANGE, "width": 3})],
        height=400,
        layout={"barmode": "overlay", "bargap": 0.02},
    )


def weights(items: pd.DataFrame) -> go.Figure:
    """One sample: where its draws fall, and how much each of them counts.

    Args:
        items: From `lessons.drawn`.
    """
    hover = (
        "score %{x:.3f}: drawn %{customdata[0]:.2f} × as often as evenly, so each draw counts "
        "%{y:.2f}; here %{customdata[1]} ×<extra></extra>"
    )
    drawn: list[Trace] = []
    for outcome, (colour, symbol) in OUTCOMES.items():
        part = items[items["outcome"] == outcome]
        size = 7 + 3 * part["times"].clip(upper=6)
        marker = {"color": colour, "symbol": symbol, "size": size, "opacity": 0.9}
        points = marks(part["score"], part["weight"], marker, hover=hover, name=outcome)
        drawn.append(points | {"customdata": part[["relative", "times"]]})
    return framed(
        drawn,
        title="One sample: each draw and its weight",
        x="score",
        y="importance weight 1/(N·q)",
        x_axis={"range": [-0.03, 1.03]},
        y_axis={"type": "log", "tickformat": "~g", "dtick": 1},
        marks=[level(1, DASHED)],
        height=380,
    )


def tilts(spread: pd.DataFrame, *, tilt: float) -> go.Figure:
    """Error against the tilt of the draws towards items that matter, with its band and a mark at the chosen tilt.

    Args:
        spread: From `lessons.spread`.
        tilt: The chosen tilt.
    """
    hover = "q ∝ h^%{x}: error %{y:.3f}<extra></extra>"
    curve = trace(spread["tilt"], spread["rmse"], BLUE, hover=hover, marker={"size": 7})
    return framed(
        banded(curve, spread["rmse_low"], spread["rmse_high"], "rmse"),
        title="Many samples: the error of F1",
        x="lean: 0 even, 1 in proportion to h",
        y="error (RMSE)",
        y_axis={"rangemode": "tozero"},
        marks=[upright(tilt, {"color": ORANGE, "width": 2, "dash": "dot"})],
        height=280,
        legend=False,
    )


def waterline(items: pd.DataFrame) -> go.Figure:
    """Water-filling: inclusion above 1 is cut off and spread over the other items.

    Args:
        items: From `lessons.filled`.
    """
    full = items["inclusion"] >= 1
    certain, chance, over = items[full], items[~full], items[items["wanted"] > 1]
    pieces = (
        (certain, certain["inclusion"], "certain (b = 1)", ORANGE, "asked with chance %{y:.2f}"),
        (chance, chance["inclusion"], "by chance (b < 1)", BLUE, "asked with chance %{y:.2f}"),
        (over, over["wanted"] - 1, "cut off", faint(ORANGE, 0.25), "κh is %{y:.2f} above 1"),
    )
    bars: list[Trace] = [
        {
            "type": "bar",
            "x": part["rank"],
            "y": heights,
            "name": name,
            "marker": {"color": colour, "line": {"width": 0}},
            "hovertemplate": f"item %{{x}}: {told}<extra></extra>",
        }
        for part, heights, name, colour, told in pieces
    ]
    name, hover = "importance sampling", "item %{x}: %{y:.2f} by importance sampling<extra></extra>"
    return framed(
        [*bars, trace(items["rank"], items["importance"], GREEN, hover=hover, name=name, dash="dash")],
        title="What gets asked: b = min(1, κh)",
        x="items, those that matter most first",
        y="chance to be asked",
        y_axis={"range": [0, max(1.35, min(float(items["wanted"].max()) * 1.05, 3.0))]},
        marks=[level(1, {"color": GREY, "width": 1.5})],
        height=420,
        layout={"barmode": "stack", "bargap": 0.15},
    )


def belief(groups: pd.DataFrame) -> go.Figure:
    """Believed and true shares of positives along the score, with the shares among the labels.

    Args:
        groups: From `lessons.believed`.
    """
    seen = groups[groups["labelled"] > 0]
    return framed(
        [
            trace(
                groups["score"],
                groups["true"],
                ORANGE,
                hover="score %{x:.2f}: truly %{y:.2f}<extra></extra>",
                name="truth",
                dash="dash",
            ),
            marks(
                seen["score"],
                seen["positive"] / seen["labelled"],
                {
                    "color": faint(GREY, 0.55),
                    "size": (6 + 1.2 * seen["labelled"]).clip(upper=26),
                    "line": {"color": GREY, "width": 1.5},
                    "opacity": 1,  # plotly makes marks of several sizes fainter still
                },
                hover="%{customdata[0]:.0f} of %{customdata[1]:.0f} labels positive<extra></extra>",
                name="labels so far",
            )
            | {"customdata": seen[["positive", "labelled"]]},
            trace(
                groups["score"],
                groups["believed"],
                BLUE,
                hover="score %{x:.2f}: believed %{y:.2f}<extra></extra>",
                name="belief",
                width=3,
                marker={"size": 7},
            ),
        ],
        title="What is believed, and what is true",
        x="score",
        y="probability of “positive”",
        x_axis={"range": UNIT},
        y_axis={"range": [-0.04, 1.04]},
        height=420,
    )


def replicates(studies: pd.DataFrame) -> go.Figure:
    """One interval per study, with another colour and symbol for those that miss the truth.

    Args:
        studies: From `lessons.replicates`.
    """
    drawn: list[Trace] = []
    hover = "%{y:.3f}: %{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>"
    place = pd.Series(range(1, len(studies) + 1), index=studies.index)
    for hit, name, colour, symbol in (
        (True, "holds the truth", BLUE, "circle"),
        (False, "misses", ORANGE, "x"),
    ):
        part = studies[studies["hit"] == hit]
        limits = error_bars(part["low"], part["value"], part["high"], colour=colour, thickness=1.5, width=0)
        marker, called = {"color": colour, "symbol": symbol, "size": 6}, f"{name} ({len(part)})"
        points = marks(place[part.index], part["value"], marker, hover=hover, name=called)
        drawn.append(points | {"error_y": limits, "customdata": part[["low", "high"]]})
    held = studies["hit"].mean()
    return framed(
        drawn,
        title=f"{held:.0%} of {len(studies)} intervals hold the truth; promised: {sure(studies['level'].iloc[0])}",
        x="studies, in order of their estimate",
        y="estimate and interval",
        x_axis={"showticklabels": False, "showgrid": False},
        marks=[level(float(studies["truth"].iloc[0]), {"color": GREY, "width": 2})],
        height=400,
    )


def peeking(looks: pd.DataFrame, *, labels: int | None = None) -> go.Figure:
    """The share of studies whose interval misses the truth at each look, with its band.

    The lines show misses at this look, at any look so far, and at any look so far of an interval made to hold at all.

    Args:
        looks: From `lessons.watched`.
        labels: A number of labels to mark, e.g. that of the studies shown beside this picture.
    """
    lines = (
        ("ever", "at some look so far", ORANGE, "solid"),
        ("now", "at this look alone", BLUE, "dash"),
        ("anytime", "at some look, interval made for that", GREEN, "dashdot"),
    )
    drawn = list[Trace]()
    for column, name, colour, dash in lines:
        hover = f"%{{x}} labels: %{{y:.0%}} missed {name}<extra></extra>"
        curve = trace(looks["labels"], looks[column], colour, hover=hover, name=name, dash=dash)
        drawn += banded(curve, looks[f"{column}_low"], looks[f"{column}_high"], column)
    return framed(
        drawn,
        title="Studies that have missed the truth",
        x="labels",
        y="share of studies",
        y_axis={"tickformat": ".0%", "rangemode": "tozero"},
        marks=[level(1 - float(looks["level"].iloc[0]), DOTTED), *mark_labels(labels, logarithmic=False)],
    )
