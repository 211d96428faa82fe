"""Compute the papers' figures again: `python -m benchmarks figures`, for all of them or a few by name."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pandas as pd

from benchmarks.pools import DEMO
from sampleval._checks import choice
from sampleval.cli.options import Commands
from sampleval.simulation import figures
from sampleval.simulation.figures import FIGURES

FOLDER = DEMO / "figures"


def make(
    names: Sequence[str] = (), *, folder: Path = FOLDER, repeats: int | None = None, jobs: int = 2
) -> pd.DataFrame:
    """Compute figures and write them as small Parquet files.

    Args:
        names: Keys in `FIGURES`; all by default.
        folder: The folder to write to.
        repeats: Studies per line; by default as each recipe says.
        jobs: Worker processes.

    Returns:
        Columns figure, seconds, bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory(prefix="figures-") as cache:
        for name in names or FIGURES:
            recipe, start = FIGURES[choice(name, FIGURES, "names")], perf_counter()
            if repeats is not None and recipe.repeats > 1:
                recipe = replace(recipe, repeats=repeats)
            frame = figures.make(recipe, figures.from_folder(DEMO), jobs=jobs, cache=Path(cache))
            path = figures.keep(frame, folder / f"{name}.parquet")
            rows.append((name, perf_counter() - start, path.stat().st_size))
            print(f"{name}: {rows[-1][1]:.0f} s", flush=True)
    return pd.DataFrame(rows, columns=["figure", "seconds", "bytes"])


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("figures", help="the papers' figures that the app shows as precomputed")
    parser.add_argument("names", nargs="*", metavar="FIGURE", help="all by default")
    parser.add_argument("--repeats", type=int, help="studies a line in place of each figure's own")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    return make(arguments.names, folder=arguments.out, repeats=arguments.repeats, jobs=arguments.jobs)
