"""Estimated precision–recall curves and the true one, drawn as in Marchant & Rubinstein's figure 4."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go

import sampleval as sv
from benchmarks import tables
from benchmarks.pools import Case, read
from sampleval import frames
from sampleval.cli.options import Commands
from sampleval.metrics import mean_loss, precision_recall_curve, score_grid
from sampleval.simulation.summary import holds


def measure(
    path: Path,
    *,
    budget: int = 5000,
    repeats: int = 100,
    presets: Sequence[str] = ("uniform", "queue", "yilmaz-is"),
    thresholds: int = 1024,
    seed: int = 0,
) -> pd.DataFrame:
    """Replicated estimates of the curve of one pool, from samples drawn for the curve itself.

    Args:
        path: Parquet pool with columns id, score, label.
        budget: Labels of each replicate.
        repeats: Replicates of each preset.
        presets: Methods to compare.
        thresholds: The largest number of thresholds L.
        seed: Seed of the first replicate.

    Returns:
        Columns preset ("truth" for the exact curve), replicate, quantity, threshold, value, low, high, band_low,
        band_high.
    """
    found = read(path)
    metric = precision_recall_curve(score_grid(found.pool.score, thresholds))
    exact = metric.value(mean_loss(metric, found.pool.items, found.labels.values))
    rows = [_rows(found, metric, preset, budget, seed + k) for preset in presets for k in range(repeats)]
    truth = rows[0].assign(preset="truth", replicate=0, value=exact, low=exact, high=exact)
    return pd.concat([truth, *rows], ignore_index=True).drop(columns=["variance", "note"])


def _rows(found: Case, metric: sv.metrics.Metric, preset: str, budget: int, seed: int) -> pd.DataFrame:
    study = sv.create_study(found.pool, metric=metric, budget=budget, preset=preset, seed=seed)
    study.answer(found.labels, budget)
    return frames.curve(study.curve(metric)).assign(preset=preset, replicate=seed)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Error of the curve and coverage of its limits by preset, over the thresholds at which the truth is defined.

    Returns:
        Columns preset, quantity, rmse, pointwise (coverage), simultaneous (share of replicates whose whole
        curve lies in its band), width.
    """
    truth = table[table["preset"] == "truth"].set_index(["quantity", "threshold"])["value"].rename("exact")
    rows = table[table["preset"] != "truth"].join(truth, on=["quantity", "threshold"]).dropna(subset="exact")
    rows = rows.assign(
        error=(rows["value"] - rows["exact"]) ** 2,
        inside=holds(rows["low"], rows["high"], rows["exact"]),
        within=holds(rows["band_low"], rows["band_high"], rows["exact"]),
        width=rows["high"] - rows["low"],
    )
    by = rows.groupby(["preset", "quantity"], sort=False)
    whole = rows.groupby(["preset", "quantity", "replicate"], sort=False)["within"].all()
    return pd.DataFrame(
        {
            "rmse": by["error"].mean() ** 0.5,
            "pointwise": by["inside"].mean(),
            "simultaneous": whole.groupby(["preset", "quantity"], sort=False).mean(),
            "width": by["width"].mean(),
        }
    ).reset_index()


def figure(table: pd.DataFrame, preset: str) -> go.Figure:
    """Every replicate as a faint line over the true curve."""
    chart = go.Figure([_line(rows, "rgba(0, 114, 178, 0.15)", 1) for rows in _replicates(table, preset)])
    for rows in _replicates(table, "truth"):
        chart.add_trace(_line(rows, "#D55E00", 2.5))
    chart.update_layout(title=preset, xaxis_title="recall", yaxis_title="precision", showlegend=False)
    return chart.update_xaxes(range=[0, 1.02]).update_yaxes(range=[0, 1.02])


def _replicates(table: pd.DataFrame, preset: str) -> Iterator[pd.DataFrame]:
    for _, rows in table[table["preset"] == preset].groupby("replicate"):
        wide = rows.pivot_table(index="threshold", columns="quantity", values="value", dropna=False)
        yield wide.dropna()  # empty if the replicate found no positive


def _line(rows: pd.DataFrame, colour: str, width: float) -> go.Scatter:
    return go.Scatter(
        x=rows["recall"], y=rows["precision"], mode="lines", line={"color": colour, "width": width}
    )


def write(table: pd.DataFrame, out: Path) -> pd.DataFrame:
    """Write the summary as a table with a picture (HTML) per preset beside it, and return the summary."""
    found = tables.write(summary(table), out)
    for preset in found["preset"].unique():
        figure(table, preset).write_html(
            out.with_name(f"{out.stem}_{preset}.html"), include_plotlyjs="directory"
        )
    return found


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("curves", help="replicated precision–recall curves over the true one")
    parser.add_argument("pool", type=Path, help="Parquet file with columns id, score, label")
    parser.add_argument("--budget", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument(
        "--presets", nargs="+", default=["uniform", "queue", "yilmaz-is"], choices=list(sv.presets)
    )
    parser.add_argument("--out", type=Path, default=Path("curves.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    found = measure(
        arguments.pool, budget=arguments.budget, repeats=arguments.repeats, presets=arguments.presets
    )
    return write(found, arguments.out)
