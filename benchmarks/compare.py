"""Compare two result files, to see the effect of a change on all cells at a glance."""

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
    """The ratio of MSE after to before, with a 95 % band from the bands of both files, and both coverages.

    Returns:
        Columns pool, metric, budget, method, ratio, low, high, coverage_before, coverage_after, changed ("better" or
        "worse" if the band excludes 1).
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
    """The standard error of log MSE, from the width of its bootstrap band."""
    return (np.log(frame[f"mse_high_{side}"]) - np.log(frame[f"mse_low_{side}"])) / (2 * Z)


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("compare", help="two result files of `efficiency`")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--out", type=Path, default=Path("compare.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Compare the two files, write the tables and return the comparison."""
    return tables.write(compare(arguments.before, arguments.after), arguments.out)
