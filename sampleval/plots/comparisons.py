"""Pictures for two questions to a simulation: which metric to sample for, and how far to trust the scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

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
)
from sampleval.plots.traces import Trace, banded, trace

FEW = 6  # most columns with which the cells of a matrix have room for bands
VALUES = {
    "ratio": "Error relative to sampling for the metric itself",
    "rmse": "Root mean squared error",
    "coverage": "Coverage",
}


@drawn_from("simulation.matrix(summary)", one=["budget"])
def matrix(frame: pd.DataFrame, *, value: str = "ratio", titles: Titles = OWN) -> go.Figure:
    """A matrix of pre-sampling metrics by reported metrics (Y fig 10, 11), with the bands where there is room.

    Args:
        frame: From `simulation.matrix`, for one budget.
        value: The column to show: "ratio", "rmse" or "coverage".
        titles: Metric name → title to show.
    """
    choice(value, VALUES, "value")
    pre, post = list(dict.fromkeys(frame["pre"])), list(dict.fromkeys(frame["post"]))
    written = ".0%" if value == "coverage" else ".2f" if value == "ratio" else ".3f"
    relative = value == "ratio"

    def table(column: str) -> NDArray[np.float64]:
        found = frame.pivot_table(index="pre", columns="post", values=column, sort=False)
        found = found.reindex(index=pre, columns=post)  # a pivot lacks what is blank throughout
        return found.to_numpy(float)

    shown = table(value)
    bands = np.stack([shown, table(f"{value}_low"), table(f"{value}_high")], axis=-1)
    told = [[_cell(at, low, high, written) for at, low, high in row] for row in bands.tolist()]
    roomy = len(post) <= FEW
    cells: Trace = {
        "type": "heatmap",
        "z": shown,
        "x": [escaped(titles.get(m, m)) for m in post],
        "y": [escaped(titles.get(m, m)) for m in pre],
        "text": [[text if roomy else text.partition("<br>")[0] for text in row] for row in told],
        "customdata": [[_in_a_line(text) for text in row] for row in told],
        "texttemplate": "%{text}",
        "colorscale": AROUND_ONE if relative else SHADES,
        "hovertemplate": "sampled for %{y}, reported %{x}: %{customdata}<extra></extra>",
        **({"zmid": 1, "zmin": 0, "zmax": 2} if relative else {}),
        **CELLS,
    }
    return framed(
        [cells],
        title=VALUES[value],
        x="metric reported",
        y="metric sampled for",
        x_axis={"showgrid": False, "autotickangles": [0, 90]},  # tilted names touch on a telephone
        y_axis={"autorange": "reversed", "showgrid": False},
        height=120 + (64 if roomy else 56) * len(pre),
        legend=False,
    )


def _cell(value: float, low: float, high: float, written: str) -> str:
    """A number above its band; "" if it is unknown, and alone if it has none, as a ratio of a sampler to itself.

    The ends stand on lines of their own: side by side they would be too small to read on a telephone.
    """
    ends = f"<br>{low:{written}}–<br>{high:{written}}" if low < high else ""
    return f"{value:{written}}{ends}" if np.isfinite(value) else ""


def _in_a_line(cell: str) -> str:
    """What a cell says, in one line."""
    return cell.replace("<br>", ", 95% band ", 1).replace("<br>", "")


@drawn_from("simulation.swept(summary)", one=["metric", "budget"])
def sweep(frame: pd.DataFrame) -> go.Figure:
    """Error and coverage against λ, with a mark at the best λ.

    Args:
        frame: From `simulation.swept`, for one metric and budget.
    """
    drawn: list[Trace] = []
    for plot, column, colour in (("", "rmse", BLUE), ("2", "coverage", ORANGE)):
        hover = f"λ = %{{x}}: {column} %{{y:.3f}}<extra></extra>"
        curve = trace(frame["shrinkage"], frame[column], colour, hover=hover, marker={"size": 8})
        parts = banded(curve, frame[f"{column}_low"], frame[f"{column}_high"], column)
        drawn += [part | {"xaxis": f"x{plot}", "yaxis": f"y{plot}"} for part in parts]
    best = frame[frame["best"]]
    chosen = {
        "type": "scatter",
        "x": best["shrinkage"],
        "y": best["rmse"],
        "mode": "markers+text",
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
