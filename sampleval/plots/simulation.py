"""Pictures of repeated studies: error, coverage and width; metric against metric; λ; divergence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sampleval.plots.style import (
    AMBER,
    BLUE,
    CELLS,
    GREEN,
    GREY,
    LOG,
    ORANGE,
    PALE,
    PINK,
    SHADES,
    SKY,
    area,
    faint,
    framed,
)

NEAR = (
    8  # a logarithmic axis whose ends differ by no more than this factor has room for a number at every digit
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A column of a summary and how it is drawn.

    Attributes:
        name: In a word.
        title: Of the picture.
        axis: Of its vertical axis.
        low: Column of the lower edge of its band, "" for none.
        high: Column of the upper edge.
        log: Whether the axis is logarithmic.
        hover: Format of a value.
    """

    name: str
    title: str
    axis: str
    low: str = ""
    high: str = ""
    log: bool = False
    hover: str = ".3f"


QUANTITIES: MappingProxyType[str, Quantity] = MappingProxyType(
    {
        "rmse": Quantity(
            "Error", "How far off", "root mean squared error", "rmse_low", "rmse_high", log=True
        ),
        "mse": Quantity(
            "Squared error", "How far off, squared", "mean squared error", "mse_low", "mse_high", True, ".2g"
        ),
        "coverage": Quantity(
            "Coverage", "How often the interval holds the truth", "coverage", "coverage_low", "coverage_high"
        ),
        "width": Quantity("Width", "How wide the interval is", "mean width"),
        "bias": Quantity("Bias", "Off to one side", "mean error", hover=".4f"),
        "wasted": Quantity("Wasted labels", "Labels that moved nothing", "labels wasted", hover=",.0f"),
        "seconds": Quantity("Time", "Time of a whole study", "seconds", log=True),
    }
)

# Colour, dash and symbol, so that no pair of methods differs by colour alone.
LOOKS = (
    *((BLUE, "solid", "circle"), (ORANGE, "dash", "square"), (GREEN, "dot", "diamond")),
    *((PINK, "dashdot", "triangle-up"), (SKY, "solid", "cross"), (AMBER, "dash", "x")),
    *(
        (GREY, "longdashdot", "circle-open"),
        (BLUE, "dot", "square-open"),
        (ORANGE, "dashdot", "diamond-open"),
    ),
    *((SKY, "dashdot", "triangle-down"), (PINK, "dash", "star"), (GREEN, "solid", "hexagon")),
)
Look = tuple[str, str, str]
# The symbols in text, for a legend outside a picture.
GLYPHS: MappingProxyType[str, str] = MappingProxyType(
    {
        "circle": "●",
        "square": "■",
        "diamond": "◆",
        "triangle-up": "▲",
        "triangle-down": "▼",
        "cross": "✚",
        "x": "✖",
        "star": "★",
        "hexagon": "⬢",
        "circle-open": "○",
        "square-open": "□",
        "diamond-open": "◇",
    }
)
# Which look each preset has everywhere; in the order of LOOKS.
FIXED: MappingProxyType[str, int] = MappingProxyType(
    {
        name: k
        for k, names in enumerate(
            (
                *(
                    ("queue",),
                    ("yilmaz-is", "importance"),
                    ("marchant-tree", "Ours-8 (tree)"),
                    ("recommended",),
                ),
                *(
                    ("yilmaz-bs", "Bernoulli"),
                    ("oasis", "OASIS"),
                    ("uniform", "passive"),
                    ("yilmaz-online-bs",),
                    ("marchant-is", "IS"),
                ),
                *(("marchant-flat", "Ours-1 (flat)"), ("stratified",), ("active-testing",)),
            )
        )
        for name in names
    }
)


def looks(names: list[str]) -> dict[str, Look]:
    """Colour, dash and symbol of each method: presets look the same everywhere, others take what is free."""
    taken = {FIXED[name] for name in names if name in FIXED}
    free = [k for k in range(len(LOOKS)) if k not in taken] or list(range(len(LOOKS)))
    others = [name for name in names if name not in FIXED]
    place = {name: free[k % len(free)] for k, name in enumerate(others)}
    return {name: LOOKS[FIXED.get(name, place.get(name, 0))] for name in names}


def labels_axis(labels: pd.Series) -> dict[str, object]:
    """A logarithmic axis for these numbers of labels, with as many of them written as there is room for."""
    near = labels.max() <= NEAR * labels.min()
    minor = {"dtick": "D1", "ticks": "outside", "ticklen": 3}
    return {"type": "log", "tickformat": ",", "dtick": "D1" if near else "D2", "minor": minor}


def comparison(summary: pd.DataFrame, *, quantity: str = "rmse", fraction: int | None = None) -> go.Figure:
    """One quantity of every method against labels, with its band.

    Args:
        summary: Of `simulation.summarise`, for one metric.
        quantity: Key in `QUANTITIES`.
        fraction: N, to show the labelled fraction in place of the number of labels (Y's axis).
    """
    look = QUANTITIES[quantity]
    styles = looks([str(name) for name in summary["method"].unique()])
    figure = go.Figure()
    for name, part in summary.groupby("method", sort=False):
        colour, dash, symbol = styles[str(name)]
        x = part["labels"] / fraction if fraction else part["labels"]
        if look.low:
            figure.add_traces(area(x, part[look.low], part[look.high], faint(colour), group=str(name)))
        figure.add_scatter(
            x=x,
            y=part[quantity],
            name=str(name),
            legendgroup=str(name),
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 8},
            hovertemplate=f"%{{x:,.4~g}}: %{{y:{look.hover}}}<extra>{name}</extra>",
        )
    figure.update_xaxes(**({"tickformat": "~%"} if fraction else labels_axis(summary["labels"])))
    y_title = look.axis
    if look.log and (summary[quantity] > 0).all():
        figure.update_yaxes(type="log", dtick="D2", tickformat=".2~g")
        y_title += LOG
    if quantity == "coverage":
        level = float(summary["level"].iloc[0])
        figure.add_hline(level, line={"color": GREY, "dash": "dash", "width": 1.5})
        figure.update_yaxes(tickformat=".0%", range=[-0.02, 1.05])
        y_title = f"{y_title} (dashed: promised {level:.0%})"
    elif not look.log:
        figure.update_yaxes(rangemode="tozero" if quantity != "bias" else "normal")
    x_title = "share of the pool that is labelled" if fraction else f"labels{LOG}"
    return framed(figure, title=look.title, x=x_title, y=y_title, height=440)


def matrix(
    frame: pd.DataFrame, *, value: str = "ratio", titles: Mapping[str, str] = MappingProxyType({})
) -> go.Figure:
    """Metric that shaped the sample × metric reported (Y fig 10, 11).

    Args:
        frame: Of `simulation.matrix`, at one budget.
        value: "ratio", "rmse" or "coverage".
        titles: Metric name → how to write it.
    """
    pre, post = list(dict.fromkeys(frame["pre"])), list(dict.fromkeys(frame["post"]))
    table = frame.pivot_table(index="pre", columns="post", values=value, sort=False).reindex(pre)[post]
    written = ".0%" if value == "coverage" else ".2f" if value == "ratio" else ".3f"
    relative = value == "ratio"
    figure = go.Figure(
        go.Heatmap(
            z=table.to_numpy(),
            x=[titles.get(m, m) for m in post],
            y=[titles.get(m, m) for m in pre],
            texttemplate=f"%{{z:{written}}}",
            colorscale=_AROUND_ONE if relative else SHADES,
            **({"zmid": 1, "zmin": 0, "zmax": 2} if relative else {}),
            **CELLS,
            hovertemplate=f"sampled for %{{y}}, reported %{{x}}: %{{z:{written}}}<extra></extra>",
        )
    )
    figure.update_xaxes(showgrid=False)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    names = {"ratio": "Error relative to sampling for the metric itself", "rmse": "Root mean squared error"}
    title = names.get(value, "Coverage")
    return framed(
        figure,
        title=title,
        x="metric reported",
        y="metric sampled for",
        height=120 + 56 * len(pre),
        legend=False,
    )


# Blue is better than one's own sampler, white equal, orange worse: told apart by colour-blind readers too.
_AROUND_ONE = ((0, SKY), (0.5, PALE), (1, AMBER))


def sweep(frame: pd.DataFrame) -> go.Figure:
    """Error and coverage against λ, the best λ marked.

    Args:
        frame: Of `simulation.swept`, for one metric and budget.
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.09, row_heights=[0.58, 0.42])
    for row, (column, colour) in enumerate({"rmse": BLUE, "coverage": ORANGE}.items(), 1):
        limits = (frame[f"{column}_low"], frame[f"{column}_high"])
        for trace in area(frame["shrinkage"], *limits, faint(colour), group=column):
            figure.add_trace(trace, row=row, col=1)
        figure.add_scatter(
            x=frame["shrinkage"],
            y=frame[column],
            mode="lines+markers",
            row=row,
            col=1,
            showlegend=False,
            line={"color": colour, "width": 2.5},
            marker={"size": 8},
            hovertemplate=f"λ = %{{x}}: {column} %{{y:.3f}}<extra></extra>",
        )
    best = frame[frame["best"]]
    figure.add_scatter(
        x=best["shrinkage"],
        y=best["rmse"],
        mode="markers+text",
        row=1,
        col=1,
        showlegend=False,
        hoverinfo="skip",
        text=[f"best: λ = {v:g}" for v in best["shrinkage"]],
        textposition=["bottom left" if v > 0.5 else "bottom right" for v in best["shrinkage"]],
        marker={"size": 18, "symbol": "circle-open", "color": BLUE, "line": {"width": 2.5}},
    )
    figure.add_hline(
        float(frame["level"].iloc[0]), row=2, col=1, line={"color": GREY, "dash": "dash", "width": 1.5}
    )
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    framed(figure, title="How far to trust the scores", x="", y="error (RMSE)", height=500, legend=False)
    figure.update_xaxes(title="λ: 0 ignores the scores, 1 takes them as they are", row=2, col=1)
    figure.update_yaxes(title="coverage", tickformat=".0%", range=[-0.02, 1.05], row=2, col=1)
    return figure


def divergence(frame: pd.DataFrame) -> go.Figure:
    """KL(q* ‖ q_t) against labels (M fig 3): how far the proposal is from the best one.

    Args:
        frame: Of `simulation.divergences`.
    """
    styles = looks([str(name) for name in frame["method"].unique()])
    figure = go.Figure()
    for name, part in frame.groupby("method", sort=False):
        colour, dash, symbol = styles[str(name)]
        x = part["labels"].clip(lower=1)
        figure.add_traces(area(x, part["low"], part["high"], faint(colour), group=str(name)))
        figure.add_scatter(
            x=x,
            y=part["mean"],
            name=str(name),
            legendgroup=str(name),
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2.5},
            marker={"symbol": symbol, "size": 8},
            hovertemplate=f"%{{x:,}} labels: %{{y:.3f}}<extra>{name}</extra>",
        )
    figure.update_xaxes(**labels_axis(frame["labels"].clip(lower=1)))
    figure.update_yaxes(rangemode="tozero")
    return framed(
        figure,
        title="How far the proposal is from the best one",
        x=f"labels{LOG}",
        y="KL(q* ‖ q)",
        height=440,
    )
