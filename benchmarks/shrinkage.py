"""Check the advice on λ: errors by simulation with known labels, compared with those of the best λ and of λ = 0.9."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pandas as pd

import sampleval as sv
from benchmarks import pools, tables
from benchmarks.pools import CALIBRATIONS, Case, case, made
from sampleval.cli.options import Commands
from sampleval.metrics import resolve
from sampleval.planning import advice_of, plausible
from sampleval.presets import PRESETS
from sampleval.surrogates import Shrunk
from sampleval.surrogates.shrunk import Toward

SHRINKAGES = (0.3, 0.7, 0.9, 0.98, 0.998, 1.0)
DEFAULT = 0.9


def rare(seed: int = 0, *, size: int = 20_000, share: float = 0.02) -> Iterable[Case]:
    """Generated pools with about 2 % positives for every calibration, and a `share` of items predicted positive."""
    rng = np.random.default_rng(seed)
    for calibration in CALIBRATIONS:
        frame = made(size, 3 * share, calibration, rng, sharp=3.0, ties=False)
        top = frame["score"] >= frame["score"].quantile(1 - share)
        yield case(f"2 %, {calibration}", frame.assign(pred=top.astype(int)))


def measure(
    cases: Iterable[Case],
    *,
    preset: str = "yilmaz-bs",
    metric: str = "f1",
    toward: Sequence[Toward] = get_args(Toward),
    budgets: Sequence[int] = (200, 500),
    repeats: int = 200,
    jobs: int = 1,
) -> pd.DataFrame:
    """The errors with the suggested λ and their ratios to others, in one row per case, target of shrinkage and budget.

    Args:
        cases: Pools with known labels.
        preset: A method with shrunk scores.
        metric: The metric to be estimated.
        toward: The targets towards which scores are shrunk.
        budgets: Numbers of labels.
        repeats: Studies for each λ.
        jobs: Worker processes.

    Returns:
        Columns pool, toward, budget, suggested, best (λ with the least error), error (of the suggested λ), ratio
        (of its error to the best's), default_ratio (the same for λ = 0.9), expected (error that the advice predicts).
    """
    rows = []
    for one in cases:
        scope = plausible(one.pool)
        for where in toward:
            method = replace(PRESETS[preset].method, surrogate=Shrunk(DEFAULT, where))
            for budget in budgets:
                advice = advice_of(scope, one.pool, resolve(metric), method, budget)
                shrinkages = sorted({*SHRINKAGES, advice.shrinkage})
                methods = {f"{v:g}": replace(method, surrogate=Shrunk(v, where)) for v in shrinkages}
                found = sv.simulate(
                    one.pool,
                    one.labels,
                    presets=methods,
                    metric=metric,
                    budgets=[budget],
                    repeats=repeats,
                    jobs=jobs,
                )
                error = pd.Series(found["rmse"].to_numpy(), found["method"].astype(float))
                rows.append(
                    {
                        "pool": one.name,
                        "toward": where,
                        "budget": budget,
                        "suggested": advice.shrinkage,
                        "best": float(error.sort_values().index[0]),
                        "error": error[advice.shrinkage],
                        "ratio": error[advice.shrinkage] / error.min(),
                        "default_ratio": error[DEFAULT] / error.min(),
                        "expected": advice.at(advice.shrinkage),
                    }
                )
    return pd.DataFrame(rows)


def markdown(table: pd.DataFrame) -> str:
    """The rows as a table in Markdown."""
    lines = [
        "| pool | towards | labels | suggested λ | its RMSE | × best | λ = .9: × best | best λ |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.pool} | {r.toward} | {r.budget} | {r.suggested:g} | {r.error:.3f} | {r.ratio:.2f} | {r.default_ratio:.2f} | {r.best:g} |"
        for r in table.itertuples()
    ]
    return "\n".join(lines) + "\n"


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("shrinkage", help="errors at the suggested λ, the best one and 0.9")
    parser.add_argument("--pools", type=Path, help="folder of Parquet pools besides the made ones")
    parser.add_argument("--budgets", nargs="+", type=int, default=[200, 500])
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("shrinkage.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    found = [] if arguments.pools is None else list(pools.from_folder(arguments.pools))
    table = measure(
        [*found, *rare()],
        budgets=arguments.budgets,
        repeats=arguments.repeats,
        jobs=arguments.jobs,
    )
    return tables.write(table, arguments.out, markdown)
