"""Time and memory of metrics: plans of every scalar metric on a million items, label sets, and a curve with bands."""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pandas as pd

import sampleval as sv
from benchmarks import tables
from sampleval.cli.options import Commands
from sampleval.metrics import METRICS, for_kind, precision_recall_curve
from sampleval.surrogates import Evidence, moments

LIMITS = {"h": 0.2, "label sets": 1.0, "curve": 0.3}


def measure(size: int = 1_000_000, *, repeats: int = 3) -> pd.DataFrame:
    """The seconds that every step takes, as the best of a few runs.

    Args:
        size: Items of the binary pool; the pool of label sets has a tenth of them.
        repeats: How often each step is run.

    Returns:
        Columns step, seconds (wall clock), cpu (seconds of the processor), megabytes (peak, once), limit.
    """
    return pd.DataFrame([*_scalars(size, repeats), *_label_sets(size // 10, repeats), *_curve(size, repeats)])


def _scalars(size: int, repeats: int) -> list[dict[str, object]]:
    rng = np.random.default_rng(0)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": rng.beta(0.3, 2, size)}))
    items, belief = pool.items, sv.Shrunk().model(pool).believe(Evidence.none(pool))
    return [
        _timed(f"h of {name}", partial(moments, METRICS[name], items, belief), repeats, "h")
        for name in for_kind("binary")
    ]


def _label_sets(size: int, repeats: int) -> list[dict[str, object]]:
    rng = np.random.default_rng(0)
    score = rng.beta(0.2, 3, (size, 28))
    pool = sv.Pool.from_frame(
        pd.DataFrame({f"score_{k}": score[:, k] for k in range(28)}), task="multilabel", fields=[]
    )

    def plans() -> None:
        for name in ("micro_f1", "macro_f1"):
            sv.plan(pool, metric=name, budget=1000)

    return [_timed("plan micro-F1 and macro-F1, 28 labels", plans, repeats, "label sets")]


def _curve(size: int, repeats: int) -> list[dict[str, object]]:
    rng = np.random.default_rng(0)
    score = rng.beta(0.3, 2, size)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    truth = pd.DataFrame({"label": (rng.random(size) < score).astype(int)})
    study = sv.create_study(pool, metric="f1", budget=2000, preset="queue")
    study.answer(sv.Labels.from_frame(truth, pool, label="label"), 2000)
    metric = precision_recall_curve(1024)
    study.curve(metric)  # the belief's predictions are computed once per study, so not in the timing below
    return [
        _timed(
            "curve of 1,024 thresholds with bands, 2,000 labels",
            lambda: study.curve(metric),
            repeats,
            "curve",
        )
    ]


def _timed(step: str, action: Callable[[], object], repeats: int, limit: str) -> dict[str, object]:
    wall, cpu = [], []
    for _ in range(repeats):
        begun, spent = perf_counter(), process_time()
        action()
        wall.append(perf_counter() - begun)
        cpu.append(process_time() - spent)
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "step": step,
        "seconds": min(wall),
        "cpu": min(cpu),
        "megabytes": peak / 1e6,
        "limit": LIMITS[limit],
    }


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("metrics", help="cost of metrics on a million items")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=Path("speed_metrics.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    return tables.write(measure(arguments.size), arguments.out)
