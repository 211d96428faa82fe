"""Error, coverage and width of every preset on every pool, target metric and budget."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

import sampleval as sv
from benchmarks import pools, tables
from benchmarks.pools import Case
from sampleval.cli.options import Commands
from sampleval.metrics import resolve
from sampleval.simulation import prepare, run, summarise, truths

TARGETS = ("f1", "recall", "precision", "accuracy")
BUDGETS = (50, 100, 200, 500, 1000, 2000)
CELL = ["pool", "metric", "budget"]


def measure(
    cases: Iterable[Case],
    presets: Sequence[str],
    *,
    repeats: int,
    targets: Sequence[str] = TARGETS,
    budgets: Sequence[int] = BUDGETS,
    jobs: int = 2,
    cache: Path | None = None,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Results of repeated studies that are drawn for each target metric and judged by it.

    Returns:
        The summary, with one row per pool, metric, budget and method, and the raw results, with one row per repeat.
    """
    summaries, raws = [], []
    for case in cases:
        for target in targets:
            within = [b for b in budgets if b < case.pool.size]
            work = prepare(
                case.pool,
                case.labels,
                presets,
                metric=target,
                metrics=None,
                budgets=within,
                repeats=repeats,
                seed=seed,
            )
            raw = run(work, jobs=jobs, progress=sys.stderr.isatty(), cache=cache)  # a log needs no bar
            truth = truths(work)
            summaries.append(summarise(raw, truth).assign(pool=case.name))
            raws.append(raw.assign(pool=case.name, truth=truth[target]))
            print(f"{case.name} {target}: done", flush=True)
    return pd.concat(summaries, ignore_index=True), pd.concat(raws, ignore_index=True)


def against_best(raw: pd.DataFrame, method: str = "recommended") -> pd.DataFrame:
    """The MSE of a method relative to that of the best other method, for each cell.

    The best method is chosen on even repeats and compared on odd ones, so that it does not profit from the luck for which
    it was chosen. An undefined estimate counts as a `guess`; a cell without a guess for it has no best method and no ratio.

    Returns:
        Columns pool, metric, budget, best, ratio, low, high (99 % bootstrap band of the ratio).
    """
    errors = raw.assign(square=(raw["value"].fillna(raw["metric"].map(guess)) - raw["truth"]) ** 2)
    rows: list[tuple[object, ...]] = []
    for cell, group in errors.groupby(CELL, sort=False):
        if group["square"].isna().any():
            rows.append((*cell, "", np.nan, np.nan, np.nan))
            continue
        others = group[(group["method"] != method) & (group["repeat"] % 2 == 0)]
        best = others.groupby("method")["square"].mean().idxmin()
        odd = group[group["repeat"] % 2 == 1]
        mine = odd.loc[odd["method"] == method, "square"].to_numpy()
        theirs = odd.loc[odd["method"] == best, "square"].to_numpy()
        rows.append((*cell, best, *ratio_band(mine, theirs)))
    return pd.DataFrame(rows, columns=[*CELL, "best", "ratio", "low", "high"])


def guess(metric: str) -> float:
    """The middle of a metric's range; `nan` if the range has no end, or one that depends on the pool's size.

    >>> guess("f1"), guess("mcc"), guess("mse")
    (0.5, 0.0, nan)
    """
    found = resolve(metric)
    middle = sum(found.range) / 2
    return np.nan if found.total or not np.isfinite(middle) else middle


def ratio_band(
    mine: np.ndarray[tuple[int], np.dtype[np.float64]], theirs: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[float, float, float]:
    """The ratio of two means with its 99 % bootstrap band. It is 1 if both are zero, as in a census."""
    if not theirs.any():
        return (1.0, 1.0, 1.0) if not mine.any() else (np.inf, np.inf, np.inf)
    rng = np.random.default_rng(0)
    shares = [
        values[rng.integers(0, len(values), (400, len(values)))].mean(axis=1) for values in (mine, theirs)
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(shares[0] == shares[1], 1.0, shares[0] / shares[1])
    low, high = np.quantile(
        ratios, [0.005, 0.995], method="nearest"
    )  # of two infinite ones no other has a middle
    return float(mine.mean() / theirs.mean()), float(low), float(high)


def report(summary: pd.DataFrame) -> str:
    """Tables of error, coverage and width as Markdown."""
    return "".join(f"## {value}\n\n{markdown(summary, value)}\n" for value in ("rmse", "coverage", "width"))


def markdown(summary: pd.DataFrame, value: str) -> str:
    """A table with one row per cell and one column per method."""
    table = summary.pivot_table(index=CELL, columns="method", values=value, sort=False).reset_index()
    return tables.markdown(table)


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("efficiency", help="error, coverage and width of every preset")
    parser.add_argument(
        "--pools",
        type=Path,
        default=pools.DEMO,
        help=f"folder of Parquet pools, or one of: {', '.join(pools.MADE)}",
    )
    parser.add_argument("--presets", nargs="+", default=list(sv.presets), choices=list(sv.presets))
    parser.add_argument("--targets", nargs="+", default=list(TARGETS))
    parser.add_argument("--budgets", nargs="+", type=int, default=list(BUDGETS))
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--cache", type=Path, help="folder of finished batches; a stopped run goes on from it"
    )
    parser.add_argument("--out", type=Path, default=Path("efficiency.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    made = pools.MADE.get(str(arguments.pools))
    cases = made(arguments.seed) if made else pools.from_folder(arguments.pools)
    summary, raw = measure(
        cases,
        arguments.presets,
        repeats=arguments.repeats,
        targets=arguments.targets,
        budgets=arguments.budgets,
        jobs=arguments.jobs,
        cache=arguments.cache,
        seed=arguments.seed,
    )
    tables.write(summary, arguments.out, report)
    if "recommended" not in arguments.presets or len(arguments.presets) < 2:
        return summary
    return tables.write(against_best(raw), arguments.out.with_suffix(".ratios.csv"))
