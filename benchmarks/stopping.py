"""Stopping at a goal: how often intervals hold where a study ends as soon as its interval is as narrow as wanted."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from benchmarks import pools, repeated, tables
from benchmarks.pools import Case
from benchmarks.repeated import LEVEL, METHODS, Rows
from sampleval.cli.options import Commands
from sampleval.simulation.summary import holds

LOOKS = np.unique(np.geomspace(10, 400, 48).astype(int))
GOALS = (50, 100, 200, 300)  # labels at which half of the studies are as narrow as the goal
LARGEST = 20_000  # items, so that a look takes little time; each pool has more than the last look needs


def measure(
    cases: Iterable[Case], *, methods: Sequence[str] = tuple(METHODS), repeats: int = 20, jobs: int = 2
) -> pd.DataFrame:
    """Coverage at a number of labels fixed beforehand, and where the goal is first reached, in repeated studies for F1.

    Args:
        cases: Pools.
        methods: Keys of `benchmarks.repeated.METHODS`.
        repeats: Studies per pool and method.
        jobs: Worker processes.

    Returns:
        One row per method and metric: held_fixed and held_stopped (shares of intervals that hold at the labels of
        `GOALS` and at the first look at which a study is as narrow as half of the studies are there), labels (mean
        share of those labels that had been given then) and stops (number of stopped studies, four goals each).
    """
    rows = repeated.rows_of(_batch, cases, methods, repeats=repeats, jobs=jobs)
    columns = ["pool", "method", "metric", "repeat", "labels", "width", "held"]
    return summary(pd.DataFrame(rows, columns=columns))


def _batch(case: Case, name: str, repeats: range) -> Rows:
    """All looks at some studies of one pool and method."""
    rows: Rows = []
    for repeat, study, metric, truth in repeated.studies(case, name, repeats, int(LOOKS[-1])):
        for labels in LOOKS if np.isfinite(truth) else ():
            [found] = study.estimates([metric], labels, level=LEVEL, family=METHODS[name].interval)
            held = holds(found.interval.low, found.interval.high, truth)
            rows.append((case.name, name, metric.name, repeat, labels, found.interval.width, held))
    return rows


def summary(raw: pd.DataFrame) -> pd.DataFrame:
    """The frame of `measure` from one row per look: pool, method, metric, repeat, labels (rising), width and held."""
    cells = raw.groupby(["pool", "method", "metric"], sort=False)
    stops = pd.DataFrame([(*cell[1:], *stop) for cell, looks in cells for stop in _stops(looks)])
    stops.columns = pd.Index(["method", "metric", "held_fixed", "held_stopped", "labels"])
    by_method = stops.groupby(["method", "metric"], sort=False)
    return by_method.mean().join(by_method.size().rename("stops")).reset_index()


def _stops(looks: pd.DataFrame) -> Iterator[tuple[bool, bool, float]]:
    """Per study and goal: whether the interval holds at the goal's labels and at the stop, and the labels there."""
    for labels in (LOOKS[np.abs(LOOKS - goal).argmin()] for goal in GOALS):
        there = looks[looks["labels"] == labels].set_index("repeat")
        wanted = there["width"].median()
        narrow = looks[looks["width"] <= wanted] if wanted > 0 else looks[:0]
        for repeat, stop in narrow.groupby("repeat").head(1).set_index("repeat").iterrows():
            yield bool(there.loc[repeat, "held"]), bool(stop["held"]), float(stop["labels"] / labels)


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("stopping", help="studies that end once their goal is reached: coverage")
    parser.add_argument("--seed", type=int, default=0, help="seed of the pools")
    repeated.add_options(parser, repeats=20, out="stopping.csv")
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    cases = [case for case in pools.synthetic(arguments.seed) if case.pool.size <= LARGEST]
    found = measure(cases, methods=arguments.methods, repeats=arguments.repeats, jobs=arguments.jobs)
    return tables.write(found, arguments.out)
