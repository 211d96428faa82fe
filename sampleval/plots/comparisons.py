"""Pictures for two questions to a simulation: which metric to sample for, and how far to trust the scores."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import choice
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import across, framed, level, upwards
from sampleval.plots.style import (
    AROUND_ONE,
    BLUE,
    CELLS,
    DASHED,
    ORANGE,
    OWN,
    SHADES,
    SHARE,
    Titles,
    escaped,
    faint,
)
from sampleval.plots.traces import Trace, area, trace

VALUES = {
    "ratio": "Error relative to sampling for the metric itself",
    "rmse": "Root mean squared error",
    "coverage": "Coverage",
}


@drawn_from("simulation.matrix(summary)", one=["budget"])
def matrix(frame: pd.DataFrame, *, value: str = "ratio", titles: Titles = OWN) -> go.Figure:
    """A matrix of pre-sampling metrics by reported metrics (Y fig 10, 11).

    Args:
        frame: From `simulation.matrix`, for one budget.
        value: The column to show: "ratio", "rmse" or "coverage".
        titles: Metric name → title to show.
    """
    choice(value, VALUES, "value")
    pre, post = list(dict.fromkeys(frame["pre"])), list(dict.fromkeys(frame["post"]))
    table = frame.pivot_table(index="pre", columns="post", values=value, sort=False)
    table = table.reindex(index=pre, columns=post)  # a pivot lacks what is blank throughout
    written = ".0%" if value == "coverage" else ".2f" if value == "ratio" else ".3f"
    relative = value == "ratio"
    cells: Trace = {
        "type": "heatmap",
        "z": table.to_numpy(),
        "x": [escaped(titles.get(m, m)) for m in post],
        "y": [escaped(titles.get(m, m)) for m in pre],
        "texttemplate": f"%{{z:{written}}}",
        "colorscale": AROUND_ONE if relative else SHADES,
        "hovertemplate": f"sampled for %{{y}}, reported %{{x}}: %{{z:{written}}}<extra></extra>",
        **({"zmid": 1, "zmin": 0, "zmax": 2} if relative else {}),
        **CELLS,
    }
    return framed(
        [cells],
        title=VALUES[value],
        x="metric reported",
        y="metric sampled for",
        x_axis={"showgrid": False},
        y_axis={"autorange": "reversed", "showgrid": False},
        height=120 + 56 * len(pre),
        legend=False,
    )


@drawn_from("simulation.swept(summary)", one=["metric", "budget"])
def sweep(frame: pd.DataFrame) -> go.Figure:
    """Error and coverage against λ, with a mark at the best λ.

    Args:
        frame: From `simulation.swept`, for one metric and budget.
    """
    drawn: list[Trace] = []
    for plot, column, colour in (("", "rmse", BLUE), ("2", "coverage", ORANGE)):
        limits = (frame[f"{column}_low"], frame[f"{column}_high"])
        hover = f"λ = %{{x}}: {column} %{{y:.3f}}<extra></extra>"
        look: Trace = {"mode": "lines+markers", "marker": {"size": 8}, "showlegend": False}
        curve = trace(frame["shrinkage"], frame[column], colour, hover=hover) | look
        band = area(frame["shrinkage"], *limits, faint(colour), group=column)
        drawn += [part | {"xaxis": f"x{plot}", "yaxis": f"y{plot}"} for part in (*band, curve)]
    best = frame[frame["best"]]
    chosen = {
        "type": "scatter",
        "x": best["shrinkage"],
        "y": best["rmse"],
        "mode": "markers+text",
        "showlegend": False,
        "hoverinfo": "skip",
        "text": [f"best: λ = {v:g}" for v in best["shrinkage"]],
        "textposition": ["bottom left" if v > 0.5 else "bottom right" for v in best["shrinkage"]],
        "marker": {"size": 18, "symbol": "circle-open", "color": BLUE, "line": {"width": 2.5}},
    }
    return framed(
        [*drawn, chosen],
        title="How far to trust the model",
        x="",
        y="error (RMSE)",
        x_axis={"matches": "x2", "showticklabels": False},
        y_axis={"domain": [0.47, 1], "rangemode": "tozero"},
        layout={
            "xaxis2": across("λ: 0 not at all, 1 wholly", {"anchor": "y2"}),
            "yaxis2": upwards(
                "coverage", {"anchor": "x2", "domain": [0, 0.38], "tickformat": ".0%", "range": SHARE}
            ),
        },
        marks=[level(float(frame["level"].iloc[0]), DASHED, plot="2")],
        height=500,
        legend=False,
    )
