"""Two result files side by side, so that a change's effect on all cells is seen at a glance."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import ndtri

from benchmarks import tables
from sampleval.cli.options import Commands
from sampleval.simulation.summary import BAND

CELL = ["pool", "metric", "budget", "method"]
Z = float(ndtri((1 + BAND) / 2))


def compare(before: Path, after: Path) -> pd.DataFrame:
    """MSE ratio after/before with a 95 % band from both files' bands, and the change in coverage.

    Returns:
        Columns pool, metric, budget, method, ratio, low, high, coverage_before, coverage_after, changed:
        "better" or "worse" where the band excludes 1.
    """
    both = pd.read_csv(before).merge(pd.read_csv(after), on=CELL, suffixes=("_before", "_after"))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(both["mse_after"] / both["mse_before"])
        spread = np.hypot(_log_error(both, "before"), _log_error(both, "after"))
    table = both[CELL].assign(
        ratio=np.exp(ratio),
        low=np.exp(ratio - Z * spread),
        high=np.exp(ratio + Z * spread),
        coverage_before=both["coverage_before"],
        coverage_after=both["coverage_after"],
    )
    verdict = np.select([table["high"] < 1, table["low"] > 1], ["better", "worse"], "")
    return table.assign(changed=verdict)


def _log_error(frame: pd.DataFrame, side: str) -> pd.Series:
    """Standard error of log MSE, from the width of its bootstrap band."""
    return (np.log(frame[f"mse_high_{side}"]) - np.log(frame[f"mse_low_{side}"])) / (2 * Z)


def add(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add_parser("compare", help="two result files of `efficiency`")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--out", type=Path, default=Path("compare.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    return tables.write(compare(arguments.before, arguments.after), arguments.out)
