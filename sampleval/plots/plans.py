"""Pictures of plans: what a budget buys, which items it asks, what it costs."""

from __future__ import annotations

import math
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import choice, fail
from sampleval.numerals import duration, many, money
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed, mark_labels
from sampleval.plots.style import BAND, BLUE, GREEN, LOG, LOG_AXIS, ORANGE, OWN, SHARE, Titles, escaped
from sampleval.plots.traces import Trace, area, line, marks, trace

LONG = 11  # letters of an amount from which amounts stand farther apart
AXES = {
    "width": ("How sure you can be with more labels", "width of the interval"),
    "error": ("How far off you may be with more labels", "expected error"),
}


@drawn_from("sv.plan_curve(pool, metric=…)")
def curves(
    curve: pd.DataFrame,
    *,
    quantity: Literal["width", "error"] = "width",
    budget: int | None = None,
    design: str = "",
    titles: Titles = OWN,
) -> go.Figure:
    """The expected interval width or error against the budget, with a line per design.

    Args:
        curve: Frame of `plan_curve`.
        quantity: The column to draw.
        budget: The budget M, marked if given.
        design: The chosen design, drawn as a thick line.
        titles: Design → title to show; its own by default.
    """
    title, axis = AXES[choice(quantity, AXES, "quantity")]
    hover = "%{x:,} labels: %{y:.3f}"
    return framed(
        _by_design(curve, "budget", quantity, hover=hover, chosen=design, titles=titles),
        title=title,
        x=f"labels (M){LOG}",
        y=axis,
        x_axis=LOG_AXIS,
        y_axis={"rangemode": "tozero"},
        marks=mark_labels(budget),
        height=480,
    )


@drawn_from("frames.sorted_inclusion(plans)")
def sorted_inclusion(
    frame: pd.DataFrame, *, budget: int | None = None, design: str = "", titles: Titles = OWN
) -> go.Figure:
    """Inclusion probabilities in falling order (Y fig 4).

    Args:
        frame: From `frames.sorted_inclusion`.
        budget: The budget M, for the title.
        design: The chosen design, drawn as a thick line.
        titles: Design → title to show; its own by default.
    """
    hover = "item %{x:,}: asked with chance %{y:.3f}"
    return framed(
        _by_design(frame, "rank", "inclusion", hover=hover, chosen=design, titles=titles),
        title="What gets asked" + (f" with {many(budget, 'label')}" if budget is not None else ""),
        x=f"items, most informative first{LOG}",
        y="chance to be asked (b)",
        x_axis=LOG_AXIS,
        y_axis={"range": SHARE, "tickformat": ".0%"},
        height=360,
    )


def _by_design(
    frame: pd.DataFrame, x: str, y: str, *, hover: str, chosen: str, titles: Titles
) -> list[Trace]:
    """A line per design, the chosen one thick."""
    if chosen:
        _one_of(frame, chosen)
    return [
        _standing_out(
            line(part[x], part[y], str(design), hover=hover, width=2, title=titles.get(str(design), "")),
            chosen=design == chosen,
        )
        for design, part in frame.groupby("design", sort=False)
    ]


def _standing_out(drawn: Trace, *, chosen: bool) -> Trace:
    """The line, thick and whole if its design is chosen, and below the others: where they coincide, all are seen."""
    look = {"zorder": -1, "line": drawn["line"] | {"width": 4, "dash": "solid"}}
    return drawn | look if chosen else drawn


def _one_of(frame: pd.DataFrame, design: str) -> str:
    """The design, if the frame has it."""
    return choice(design, frame["design"].unique(), "design")


@drawn_from("sv.plan_curve(pool, metric=…)")
def certain(curve: pd.DataFrame, *, design: str, onset: float, budget: int | None = None) -> go.Figure:
    """The share of items that are certain to be asked against the budget, with a mark at the theoretical onset (Y eq 88).

    Args:
        curve: Frame of `plan_curve`.
        design: The design whose curve to draw.
        onset: `Plan.onset`; `nan` draws no mark.
        budget: The budget M, marked if given.
    """
    part = curve[curve["design"] == _one_of(curve, design)]
    drawn = [line(part["budget"], part["certain"], design, hover="%{x:,} labels: %{y:.2%} certain")]
    if math.isfinite(onset):
        # Its name is in the legend, for beside the line it could collide with the mark of M.
        name = f"first at {onset:,.0f}"
        drawn.append(trace([onset, onset], SHARE, ORANGE, hover=None, name=name, width=1.5, dash="dash"))
    return framed(
        drawn,
        title="When items become certain",
        x=f"labels (M){LOG}",
        y="share of items certain",
        x_axis=LOG_AXIS,
        y_axis={"range": SHARE, "tickformat": ".0%"},
        marks=mark_labels(budget),
        height=360,
    )


@drawn_from("frames.costs(curve, price=…, seconds=…)")
def costs(
    frame: pd.DataFrame,
    *,
    design: str,
    budget: int | None = None,
    currency: str = "",
    titles: Titles = OWN,
) -> go.Figure:
    """Labels, money, time and interval width of a design in one picture, beside those of uniform sampling.

    Args:
        frame: From `frames.costs`.
        design: The chosen design.
        budget: The budget M, marked if given.
        currency: Sign before amounts, shown as it is.
        titles: Design → title to show; its own by default.
    """
    currency = escaped(currency)
    shown = frame[frame["design"].isin([_one_of(frame, design), "uniform"])]
    hover = (
        f"%{{x:,}} labels, {currency} %{{customdata[0]}}, %{{customdata[1]}}: width %{{y:.3f}}<extra></extra>"
    )
    ticks = _ticks(shown[shown["design"] == design], currency)
    return framed(
        [
            _standing_out(
                line(part["budget"], part["width"], str(name), hover="", title=titles.get(str(name), "")),
                chosen=name == design,
            )
            | {
                "hovertemplate": hover,
                "customdata": list(zip(part["money"].map(money), part["hours"].map(duration), strict=True)),
            }
            for name, part in shown.groupby("design", sort=False)
        ],
        title="What certainty costs",
        x=f"labels, money and time{LOG}",
        y="width of the interval",
        x_axis={
            "type": "log",
            "tickvals": ticks["budget"],
            "ticktext": _priced(ticks, currency),
            "tickangle": 0,
        },
        y_axis={"rangemode": "tozero"},
        marks=mark_labels(budget),
        height=420,
    )


def _ticks(rows: pd.DataFrame, currency: str) -> pd.DataFrame:
    """The rows of round numbers of labels, or of powers of ten alone where amounts are too long to stand closer.

    With fewer than two of them, as in a small pool, those at both ends: around a single one at the edge Plotly cannot place
    the axis's name.
    """
    budgets = rows["budget"]
    ticks = rows[budgets.isin(_ROUND)]
    if any(len(money(amount, currency)) > LONG for amount in ticks["money"]):
        ticks = ticks[::2]
    return ticks if len(ticks) > 1 else rows[budgets.isin([budgets.min(), budgets.max()])]


def _priced(rows: pd.DataFrame, currency: str) -> list[str]:
    """Numbers of labels, each above what they cost."""
    columns = (rows[name].tolist() for name in ("budget", "money", "hours"))
    return [
        f"{labels:,}<br>{money(amount, currency)}<br>{duration(hours)}"
        for labels, amount, hours in zip(*columns, strict=True)
    ]


@drawn_from("frames.advice(planning.advise_shrinkage(pool, metric=…, budget=…))")
def advice(frame: pd.DataFrame, *, budget: int, metric: str = "") -> go.Figure:
    """The expected error against λ over plausible calibrations: median, central 80 %, the suggested λ and the method's.

    Args:
        frame: From `frames.advice`.
        budget: The budget M, for the title.
        metric: The metric's title, for the axis.
    """
    shrinkages = [f"{value:g}" for value in frame["shrinkage"]]
    hover = "λ = %%{x}: %s error %%{y:.3f}<extra></extra>"
    return framed(
        [
            *area(shrinkages, frame["low"], frame["high"], BAND, name="8 of 10 calibrations"),
            trace(
                shrinkages, frame["median"], BLUE, hover=hover % "median", name="median", width=2, dash="dot"
            ),
            trace(shrinkages, frame["expected"], BLUE, hover=hover % "expected", name="expected", width=3),
            _marked(
                frame, "default", "the method's own", {"size": 13, "symbol": "circle-open", "color": ORANGE}
            ),
            _marked(frame, "suggested", "suggested", {"size": 13, "symbol": "star", "color": GREEN}),
        ],
        title=f"How far to trust the scores, with {many(budget, 'label')}",
        x="λ: 0 not at all, 1 wholly (steps not to scale)",
        y=f"expected error{f' of {metric}' if metric else ''}",
        x_axis={"type": "category", "categoryorder": "array", "categoryarray": shrinkages},
        y_axis={"rangemode": "tozero"},
        height=400,
    )


def _marked(frame: pd.DataFrame, column: str, name: str, marker: dict[str, object]) -> Trace:
    """A marker at the one λ that a column marks."""
    if not frame[column].any():
        fail(
            "frame",
            f"must have the row of the λ that is {name}",
            list(frame["shrinkage"]),
            remedy="pass all rows",
        )
    row = frame[frame[column]].iloc[0]
    level = f"{row['shrinkage']:g}"
    hover = f"{name}, λ = {level}: expected error %{{y:.3f}}<extra></extra>"
    return marks([level], [row["expected"]], marker, hover=hover, name=f"{name}: λ = {level}")


_ROUND = [k * 10**e for e in range(1, 12) for k in (1, 3)]
