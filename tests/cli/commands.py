"""The console command in a process of its own, and the sheets that it writes, answered."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

import sampleval as sv
from tests.places import ROOT
from tests.pools import scored

MODULE = [sys.executable, "-m", "sampleval"]


def command() -> list[str]:
    """The installed console command beside this Python, or else the package as a module."""
    installed = Path(sys.executable).parent / "sampleval"
    if installed.exists() and find_spec("sampleval") and os.access(installed, os.X_OK):
        return [str(installed)]
    return MODULE


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SAMPLEVAL_")}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"} | more


def run(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own."""
    return started([*command(), *words], folder, **env)


def started(words: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, env=environment(**env), capture_output=True, text=True, check=False
    )


def pool(folder: Path) -> sv.Pool:
    return sv.Pool.read(folder / "scores.csv")


def read(sheet: Path) -> pd.DataFrame:
    """The lines of a sheet as text, with "" in empty cells."""
    if sheet.suffix == ".csv":
        return pd.read_csv(sheet, dtype=str, keep_default_na=False)
    return pd.read_excel(sheet, dtype=str, keep_default_na=False)


def fill(sheet: Path, *, lines: int | None = None) -> None:
    """Answer the sheet from the top down, as its owner would."""
    truth = dict(zip(scored(60)["id"], (scored(60)["label"] == "spam").astype(int), strict=True))
    table = read(sheet)
    done = len(table) if lines is None else lines
    table["answer"] = [str(truth[id]) if k < done else "" for k, id in enumerate(table["id"])]
    table.to_csv(sheet, index=False) if sheet.suffix == ".csv" else table.to_excel(sheet, index=False)


def study(folder: Path, sheet: Path, budget: int = 20) -> sv.Study:
    """The same study, made through the library."""
    made = sv.create_study(pool(folder), metric="f1", budget=budget, seed=7, preset="queue")
    for item, answer in zip(made.ask(budget), read(sheet)["answer"], strict=True):
        if answer:
            made.tell(item, answer)
    return made
