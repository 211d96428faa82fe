"""The papers' figures: recipes, how to compute them, and the precomputed ones."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from sampleval.simulation.figures.kinds import KINDS
from sampleval.simulation.figures.recipe import COLUMNS, Load, Recipe, Resources, from_folder
from sampleval.simulation.figures.table import FIGURES
from sampleval.simulation.running import Progress

DIGITS = 5  # significant digits kept of every number, which are more than a picture shows at any scale


def make(
    recipe: Recipe,
    load: Load,
    *,
    jobs: int = 1,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """The tidy frame of a figure.

    Args:
        recipe: One of `FIGURES`, possibly changed.
        load: File stem of a demo pool → pool and labels.
        jobs: Worker processes.
        cache: Folder of finished batches, which figures of the same studies share.
        progress: Called after each piece of work with the numbers of those done and of all. Every pool counts the same, and
            so do divergences and errors.

    Returns:
        Columns panel, group, x, y, low, high, truth.
    """
    return KINDS[recipe.kind](recipe, Resources(load, jobs, cache, progress))


def keep(frame: pd.DataFrame, path: Path) -> Path:
    """Write a figure's frame to a small file and return its path."""
    numbers = ["x", "y", "low", "high", "truth"]
    short = {c: pd.to_numeric(frame[c]).map(lambda v: float(f"{v:.{DIGITS}g}")) for c in numbers}
    frame = frame.assign(**short)
    frame.dropna(axis=1, how="all").to_parquet(path, index=False, compression="zstd")
    return path


def kept(path: Path) -> pd.DataFrame:
    """The frame in a file that `keep` wrote."""
    return pd.read_parquet(path).reindex(columns=list(COLUMNS))


__all__ = ["COLUMNS", "FIGURES", "KINDS", "Recipe", "from_folder", "keep", "kept", "make"]
