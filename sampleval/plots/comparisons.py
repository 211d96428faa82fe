"""Pictures for two questions to a simulation: which metric to sample for, and how far to trust the scores."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

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
    area,
    escaped,
    faint,
    framed,
    trace,
)


def matrix(frame: pd.DataFrame, *, value: str = "ratio", titles: Titles = OWN) -> go.Figure:
    """A matrix of pre-sampling metrics by reported metrics (Y fig 10, 11).

    Args:
        frame: From `simulation.matrix`, for one budget.
        value: The column to show: "ratio", "rmse" or "coverage".
        titles: Metric name → title to show.
    """
    pre, post = list(dict.fromkeys(frame["pre"])), list(dict.fromkeys(frame["post"]))
    table = frame.pivot_table(index="pre", columns="post", values=value, sort=False)
    table = table.reindex(index=pre, columns=post)  # a pivot lacks what is blank throughout
    written = ".0%" if value == "coverage" else ".2f" if value == "ratio" else ".3f"
    relative = value == "ratio"
    figure = go.Figure(
        go.Heatmap(
            z=table.to_numpy(),
            x=[escaped(titles.get(m, m)) for m in post],
            y=[escaped(titles.get(m, m)) for m in pre],
            texttemplate=f"%{{z:{written}}}",
            colorscale=AROUND_ONE if relative else SHADES,
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


def sweep(frame: pd.DataFrame) -> go.Figure:
    """Error and coverage against λ, with a mark at the best λ.

    Args:
        frame: From `simulation.swept`, for one metric and budget.
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.09, row_heights=[0.58, 0.42])
    for row, (column, colour) in enumerate({"rmse": BLUE, "coverage": ORANGE}.items(), 1):
        limits = (frame[f"{column}_low"], frame[f"{column}_high"])
        figure.add_traces(area(frame["shrinkage"], *limits, faint(colour), group=column), rows=row, cols=1)
        hover = f"λ = %{{x}}: {column} %{{y:.3f}}<extra></extra>"
        drawn = trace(frame["shrinkage"], frame[column], colour, hover=hover)
        figure.add_trace(drawn.update(mode="lines+markers", marker_size=8, showlegend=False), row=row, col=1)
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
    figure.add_hline(float(frame["level"].iloc[0]), row=2, col=1, line=DASHED)
    figure.update_yaxes(rangemode="tozero", row=1, col=1)
    framed(figure, title="How far to trust the model", x="", y="error (RMSE)", height=500, legend=False)
    figure.update_xaxes(title="λ: 0 not at all, 1 wholly", row=2, col=1)
    figure.update_yaxes(title="coverage", tickformat=".0%", range=SHARE, row=2, col=1)
    return figure
