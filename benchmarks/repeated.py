"""Repeated studies for F1 that are looked at again and again: what the benchmarks of many looks share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import joblib

from benchmarks.pools import Case
from sampleval.designs import Problem
from sampleval.metrics import Metric, resolve
from sampleval.presets import method_of
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import Replicate, replicate

METHODS = {
    "uniform": method_of("uniform"),
    "queue": method_of("queue"),
    "queue in rounds": method_of(design="rounds"),
    "yilmaz-online-bs": method_of("yilmaz-online-bs"),
    "recommended": method_of("recommended", kind="binary"),
}
METRICS = ("accuracy", "precision", "recall", "f1")
LEVEL, BATCH = 0.9, 5
Rows = list[tuple[object, ...]]


def rows_of(
    batch: Callable[[Case, str, range], Rows],
    cases: Iterable[Case],
    methods: Sequence[str],
    *,
    repeats: int,
    jobs: int,
) -> Rows:
    """What `batch` gives for every pool, every key of `METHODS` and every few repeats, in several processes."""
    tasks = (
        joblib.delayed(batch)(case, name, range(first, min(first + BATCH, repeats)))
        for case in cases
        for name in methods
        for first in range(0, repeats, BATCH)
    )
    return [row for rows in joblib.Parallel(n_jobs=jobs)(tasks) for row in rows]


def studies(
    case: Case, name: str, repeats: range, most: int
) -> Iterator[tuple[int, Replicate, Metric, float]]:
    """Each repeat, its study of at most so many labels, and each metric with its true value, `nan` if it is undefined."""
    used, oracle = METHODS[name], Known(case.labels)
    problem = Problem(case.pool, {resolve("f1"): 1.0}, used.surrogate)
    truths = {
        metric: float(metric.value(oracle.risk(metric, case.pool))[0]) for metric in map(resolve, METRICS)
    }
    for repeat in repeats:
        study = replicate(problem.reseeded(repeat), used, oracle, min(most, case.pool.size))
        for metric, truth in truths.items():
            yield repeat, study, metric, truth


def add_options(parser: argparse.ArgumentParser, *, repeats: int, out: str) -> None:
    """Add the options that such a benchmark has, with the usual number of repeats and the usual file."""
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--repeats", type=int, default=repeats)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(out))
