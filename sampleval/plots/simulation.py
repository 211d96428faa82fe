"""Pictures of repeated studies: error, coverage and width of each method; divergence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import choice
from sampleval.numerals import many, share, sure
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import Mark, framed, level
from sampleval.plots.style import (
    AMBER,
    BLUE,
    DASHED,
    GREEN,
    GREY,
    LOG,
    LOG_AXIS,
    ORANGE,
    OWN,
    PINK,
    SHARE,
    SKY,
    Titles,
)
from sampleval.plots.traces import Trace, banded, trace

# A logarithmic axis whose ends differ by at most this factor has room for a number at every digit.
NEAR = 8


@dataclass(frozen=True, slots=True)
class Quantity:
    """A column of a summary and how it is drawn, with its band, whose edges are the columns with its key and "_low" or "_high".

    Attributes:
        name: Its name in a word.
        title: The picture's title.
        axis: The name of the vertical axis.
        log: Whether the axis is logarithmic.
        hover: Format of a value at the pointer.
        about: What a reader must know to understand it, in sentences; "" if the title says it.
    """

    name: str
    title: str
    axis: str
    log: bool = False
    hover: str = ",.4~r"
    about: str = ""


QUANTITIES: MappingProxyType[str, Quantity] = MappingProxyType(
    {
        "rmse": Quantity("Error", "How far off", "root mean squared error", log=True),
        "mse": Quantity("Squared error", "How far off, squared", "mean squared error", log=True, hover=".2g"),
        "coverage": Quantity("Coverage", "How often the interval holds the truth", "coverage", hover=".1~%"),
        "width": Quantity("Width", "How wide the interval is", "mean width"),
        "bias": Quantity("Bias", "Off to one side", "mean error"),
        "wasted": Quantity(
            "Wasted labels",
            "Labels that moved nothing",
            "labels wasted",
            hover=",.0f",
            about="Answers that do not move the metric by themselves (d = 0), such as a true negative for F1. A method that "
            "learns from every answer still has a use for them.",
        ),
        "seconds": Quantity("Time", "Time of a whole study", "seconds", log=True),
    }
)


class Look(NamedTuple):
    """How a method is drawn, never by colour alone; `glyph` is the symbol as text, for a legend outside the picture."""

    colour: str
    dash: str
    symbol: str
    glyph: str


# Looks, and the names that always have them.
KNOWN: tuple[tuple[Look, tuple[str, ...]], ...] = (
    (Look(BLUE, "solid", "circle", "●"), ("queue",)),
    (Look(ORANGE, "dash", "square", "■"), ("yilmaz-is", "importance")),
    (Look(GREEN, "dot", "diamond", "◆"), ("marchant-tree", "Ours-8 (tree)")),
    (Look(PINK, "dashdot", "triangle-up", "▲"), ("recommended",)),
    (Look(SKY, "solid", "cross", "✚"), ("yilmaz-bs", "Bernoulli")),
    (Look(AMBER, "dash", "x", "✖"), ("oasis", "OASIS")),
    (Look(GREY, "longdashdot", "circle-open", "○"), ("uniform", "passive")),
    (Look(BLUE, "dot", "square-open", "□"), ("yilmaz-online-bs",)),
    (Look(ORANGE, "dashdot", "diamond-open", "◇"), ("marchant-is", "IS")),
    (Look(SKY, "dashdot", "triangle-down", "▼"), ("marchant-flat", "Ours-1 (flat)")),
    (Look(PINK, "dash", "star", "★"), ("stratified",)),
    (Look(GREEN, "solid", "hexagon", "⬢"), ("active-testing",)),
)
FIXED: Mapping[str, Look] = {name: look for look, names in KNOWN for name in names}


def looks(names: list[str]) -> dict[str, Look]:
    """Method → its look. Presets look the same everywhere; other methods get the unused looks."""
    every = [look for look, _ in KNOWN]
    taken = {FIXED[name] for name in names if name in FIXED}
    unused = cycle([look for look in every if look not in taken] or every)
    return {name: FIXED[name] if name in FIXED else next(unused) for name in names}


def labels_axis(labels: pd.Series) -> dict[str, Any]:
    """A logarithmic axis for these numbers of labels, with as many numbers on it as there is room for."""
    if labels.min() == labels.max():  # Plotly would make up an axis from 1 to 100 around one number
        return LOG_AXIS | {"tickvals": [labels.max()]}
    near = labels.max() <= NEAR * labels.min()
    return LOG_AXIS | {"dtick": "D1" if near else "D2"}


@drawn_from("sv.simulate(pool, labels)", one=["metric"])
def comparison(
    summary: pd.DataFrame,
    *,
    quantity: str = "rmse",
    fraction: int | None = None,
    titles: Titles = OWN,
) -> go.Figure:
    """One quantity of every method against the number of labels, with its band.

    Args:
        summary: From `simulation.summarise`, for one metric.
        quantity: Key in `QUANTITIES`.
        fraction: The pool's size N, if the axis is to show the labelled fraction, as in Y, instead of labels.
        titles: Method → title to show.
    """
    look = QUANTITIES[choice(quantity, QUANTITIES, "quantity")]
    x = summary["labels"] / fraction if fraction else summary["labels"]
    curves = summary[["method"]].assign(
        x=x,
        y=summary[quantity],
        low=summary[f"{quantity}_low"],
        high=summary[f"{quantity}_high"],
        told=[share(at) if fraction else many(at, "label") for at in x],
    )
    y_title, y_axis, marks = _upwards(summary, quantity)
    return framed(
        _by_method(curves, titles, hover=look.hover),
        title=look.title,
        x="share of the pool that is labelled" if fraction else f"labels{LOG}",
        y=y_title,
        x_axis={"tickformat": "~%"} if fraction else labels_axis(summary["labels"]),
        y_axis=y_axis,
        marks=marks,
        height=440,
    )


def _upwards(summary: pd.DataFrame, quantity: str) -> tuple[str, dict[str, Any], list[Mark]]:
    """The name of a quantity's axis, its settings, and what is marked on it."""
    look = QUANTITIES[quantity]
    if quantity == "coverage":
        promised = float(summary["level"].iloc[0])
        name = f"{look.axis} (dashed: promised {sure(promised)})"
        return name, {"tickformat": ".0%", "range": SHARE}, [level(promised, DASHED)]
    if look.log and not (summary[quantity] <= 0).any():
        # Thousands are shortened to k, but small numbers not to m, which people read as million.
        form = ".2~s" if summary[quantity].min() >= 1000 else ",.2~r"
        return look.axis + LOG, {"type": "log", "dtick": "D2", "tickformat": form}, []
    return look.axis, {} if look.log else {"rangemode": "normal" if quantity == "bias" else "tozero"}, []


def _by_method(curves: pd.DataFrame, titles: Titles, *, hover: str) -> list[Trace]:
    """A line per method, with its band: columns method, x, y, low, high and told (x in words); `hover` is the format of y."""
    drawn, styles = list[Trace](), looks([str(name) for name in curves["method"].unique()])
    for name, part in curves.groupby("method", sort=False):
        look, title = styles[str(name)], titles.get(str(name), str(name))
        told = f"%{{customdata}}: %{{y:{hover}}}<extra>{title}</extra>"
        marker = {"symbol": look.symbol, "size": 8}
        curve = trace(
            part["x"], part["y"], look.colour, hover=told, name=title, dash=look.dash, marker=marker
        )
        drawn += banded(curve | {"customdata": part["told"]}, part["low"], part["high"], str(name))
    return drawn


@drawn_from("simulation.divergences(pool, labels, methods)")
def divergence(frame: pd.DataFrame, *, titles: Titles = OWN) -> go.Figure:
    """KL(q* ‖ q_t) against labels, which shows how far the proposal is from the best one (M fig 2).

    Args:
        frame: From `simulation.divergences`.
        titles: Method → title to show.
    """
    x = frame["labels"].clip(lower=1)
    told = [many(at, "label") for at in frame["labels"]]  # including 0, which the log scale lacks
    return framed(
        _by_method(frame.assign(x=x, y=frame["mean"], told=told), titles, hover=".3f"),
        title="How far the proposal is from the best one",
        x=f"labels{LOG}",
        y="KL(q* ‖ q)",
        x_axis=labels_axis(x),
        y_axis={"rangemode": "tozero"},
        height=440,
    )
