"""Time and memory of planning, queueing, asking, telling and estimating as the pool grows."""

from __future__ import annotations

import argparse
import tempfile
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

import numpy as np
import pandas as pd

import sampleval as sv
from benchmarks import tables
from sampleval.cli.options import Commands
from sampleval.metrics import for_kind

LABELS = 1000
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
T = TypeVar("T")


def measure(sizes: Sequence[int] = SIZES, *, repeats: int = 3) -> pd.DataFrame:
    """The seconds that every step takes for pools of each size.

    Returns:
        Columns size, step, seconds; bytes per item above the frame for the step "pool".
    """
    return pd.concat([_one(size, repeats) for size in sizes], ignore_index=True)


def by_size(found: pd.DataFrame) -> pd.DataFrame:
    """A table of seconds with a row for each step and a column for each size."""
    return found.pivot_table(index="step", columns="size", values="seconds", sort=False)


def _one(size: int, repeats: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    score = rng.beta(0.1, 2, size)
    frame = pd.DataFrame({"id": [f"item{i}" for i in range(size)], "score": score, "text": "some text"})
    truth = (rng.random(size) < score).astype(int)
    tracemalloc.start()
    pool, seconds = timed(lambda: sv.Pool.from_frame(frame, id="id", score="score", fields=["text"]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    rows = [("pool", seconds, peak / size)]
    budget = min(2 * LABELS, size)
    for step, action in {
        "plan with curves": lambda: (
            sv.plan(pool, metric="f1", budget=budget),
            sv.plan_curve(pool, metric="f1"),
        ),
        "queue": lambda: sv.create_study(pool, metric="f1", budget=budget).ask(1),
    }.items():
        rows.append((step, median(timed(action)[1] for _ in range(repeats)), np.nan))
    with tempfile.TemporaryDirectory() as folder:
        rows += _labelling(pool, truth, Path(folder), budget)
    return pd.DataFrame(rows, columns=["step", "seconds", "bytes_per_item"]).assign(size=size)


def _labelling(
    pool: sv.Pool, truth: np.ndarray[tuple[int], np.dtype[np.int64]], folder: Path, budget: int
) -> list[tuple[str, float, float]]:
    study = sv.create_study(
        pool, metric="f1", budget=budget, storage=f"sqlite:///{folder / 'studies.db'}", name="speed"
    )
    asks, tells = [], []
    for _ in range(min(LABELS, budget)):
        (item, *_), seconds = timed(lambda: study.ask(1))
        asks.append(seconds)
        tells.append(timed(partial(study.tell, item.id, int(truth[int(item.id[4:])])))[1])
    study.estimates()
    everything = median(timed(partial(study.estimates, level=0.9 + k / 100))[1] for k in range(3))
    return [
        ("ask", median(asks), np.nan),
        ("tell", median(tells), np.nan),
        (f"estimate of {len(for_kind('binary'))} metrics", everything, np.nan),
    ]


def timed(action: Callable[[], T], clock: Callable[[], float] = perf_counter) -> tuple[T, float]:
    """The result of an action, and the seconds that it took by this clock."""
    start = clock()
    result = action()
    return result, clock() - start


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("speed", help="how cost grows with the pool")
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--out", type=Path, default=Path("speed.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    table = measure(arguments.sizes)
    tables.write(table, arguments.out, lambda found: tables.markdown(by_size(found).reset_index()))
    return by_size(table)
