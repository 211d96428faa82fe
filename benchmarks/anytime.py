"""Intervals at repeated looks: how many studies miss the truth at some look, and how wide intervals for any look are."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import pools, repeated, tables
from benchmarks.pools import Case
from benchmarks.repeated import LEVEL, METHODS, Rows
from sampleval._checks import conforms
from sampleval.cli.options import Commands
from sampleval.designs import Watchable
from sampleval.intervals import clopper_pearson
from sampleval.metrics import Metric
from sampleval.presets import Method
from sampleval.simulation.replicate import Replicate
from sampleval.simulation.summary import holds
from sampleval.study.conclusions.anytime import bets
from sampleval.study.conclusions.too_few import no_positive

WIDTHS = (50, 100, 200, 500)


def measure(
    cases: Iterable[Case],
    *,
    methods: Sequence[str] = tuple(METHODS),
    repeats: int = 100,
    every: int = 10,
    most: int = 500,
    jobs: int = 2,
) -> pd.DataFrame:
    """Misses and widths of intervals in repeated studies that are drawn for F1 and looked at every few labels.

    Args:
        cases: Pools.
        methods: Keys of `benchmarks.repeated.METHODS`.
        repeats: Studies per pool and method.
        every: Labels between two looks.
        most: Labels of each study.
        jobs: Worker processes.

    Returns:
        One row per pool, method and metric: ever_fixed and ever_anytime (share of studies whose interval has
        missed at some look), ever_anytime_high (upper end of the 95 % band of ever_anytime), and for some numbers M of
        labels width_M (mean width of the interval for any look) and times_M (its ratio to that of the interval for
        exactly M labels).
    """
    batch = partial(_batch, every=every, most=most)
    rows = repeated.rows_of(batch, cases, methods, repeats=repeats, jobs=jobs)
    raw = pd.DataFrame(rows, columns=["pool", "method", "metric", "repeat", "labels", *_MEASURED])
    return _summary(raw)


_MEASURED = ("missed_fixed", "missed_anytime", "fixed", "anytime")


def _batch(case: Case, name: str, repeats: range, *, every: int, most: int) -> Rows:
    """The rows of all looks at some studies of one pool and method."""
    return [
        (case.name, name, metric.name, repeat, *look)
        for repeat, study, metric, truth in repeated.studies(case, name, repeats, most)
        for look in _looks(study, metric, truth, METHODS[name], every)
    ]


def _looks(
    study: Replicate, metric: Metric, truth: float, used: Method, every: int
) -> Iterator[tuple[float, ...]]:
    """Per look: labels, whether the fixed and the anytime interval miss, and both widths.

    The anytime interval's width is `nan` at looks for which it is not needed.
    """
    for k in range(every, len(study.queue) + 1, every):
        fixed = study.estimates([metric], k, level=LEVEL, family=used.interval)[0].interval
        wagered = conforms(used.design, Watchable)
        free = None
        if k in WIDTHS or not wagered:
            free = study.estimates([metric], k, level=LEVEL, family="anytime")[0].interval
        if free is None or wagered:
            held = _unrefuted(study, metric, truth, used, k)
        else:
            held = holds(free.low, free.high, truth)
        missed = not holds(fixed.low, fixed.high, truth), not held and fixed.method != "census"
        yield k, *missed, fixed.width, np.nan if free is None else free.width


def _unrefuted(study: Replicate, metric: Metric, truth: float, used: Method, labels: int) -> bool:
    """Whether the wagers do not exclude the truth, which takes less time to find out than the limits."""
    design, run = used.design, study.run(labels)
    assert conforms(used.design, Watchable)
    assert run is not None
    waves = used.design.waves(study.problem, run.past, labels)
    if not waves or (metric.needs_positives and no_positive(run)):
        return True
    return bets(metric, run, design, waves).hold(truth, LEVEL)


def _summary(raw: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for cell, group in raw.groupby(["pool", "method", "metric"], sort=False):
        ever = group.groupby("repeat")[["missed_fixed", "missed_anytime"]].any()
        row: dict[str, object] = dict(zip(("pool", "method", "metric"), cell, strict=True))
        row |= {f"ever_{name}": ever[f"missed_{name}"].mean() for name in ("fixed", "anytime")}
        missed = int(ever["missed_anytime"].sum())
        row["ever_anytime_high"] = float(clopper_pearson(missed, len(ever) - missed, 0.95)[1])
        widths = group[group["labels"].isin(WIDTHS)].groupby("labels")[["fixed", "anytime"]].mean()
        for labels, pair in widths.iterrows():
            row[f"width_{labels}"] = pair["anytime"]
            row[f"times_{labels}"] = pair["anytime"] / pair["fixed"] if pair["fixed"] else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def markdown(summary: pd.DataFrame, labels: Sequence[int] = WIDTHS) -> str:
    """The summary as a table of misses in percent and of widths, each with its ratio to the usual width in brackets."""
    labels = [m for m in labels if f"width_{m}" in summary]  # without those at which there was no look
    head = ["pool", "method", "metric", "fixed: ever missed", "any look: ever missed (at most)"]
    lines = [" | ".join([*head, *(f"width at {m}" for m in labels)]), " | ".join(["---"] * (5 + len(labels)))]
    for row in summary.to_dict("records"):
        ever = f"{row['ever_anytime']:.0%} ({row['ever_anytime_high']:.0%})"
        widths = [_priced(row[f"width_{m}"], row[f"times_{m}"]) for m in labels]
        cells = [row["pool"], row["method"], row["metric"], f"{row['ever_fixed']:.0%}", ever, *widths]
        lines.append(" | ".join(map(str, cells)))
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def _priced(width: float, times: float) -> str:
    return f"{width:.2f} ({times:.1f} ×)" if np.isfinite(times) else f"{width:.2f}"


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser(
        "anytime", help="intervals looked at again and again: misses at any look, widths"
    )
    parser.add_argument(
        "--pools", type=Path, help="more Parquet pools than the two it makes or finds itself", nargs="*"
    )
    parser.add_argument("--every", type=int, default=10, help="labels between two looks")
    repeated.add_options(parser, repeats=100, out="anytime.csv")
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    cases = [*pools.watched(), *(pools.read(path) for path in arguments.pools or ())]
    found = measure(
        cases,
        methods=arguments.methods,
        repeats=arguments.repeats,
        every=arguments.every,
        jobs=arguments.jobs,
    )
    return tables.write(found, arguments.out, markdown)
