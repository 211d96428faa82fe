"""Error, coverage and width of every preset on every pool, target metric and budget."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import tables
from benchmarks.pools import Case
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
    """Repeat studies drawn for each target metric and judged on it.

    Returns:
        (summary, raw): one row per pool, metric, budget and method; one row per repeat.
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
    """MSE of a method relative to the best other one of each cell.

    The best is chosen on the even repeats and compared on the odd ones, so that luck is not compared with
    itself. An undefined estimate counts as a guess in the middle of the range.

    Returns:
        Columns pool, metric, budget, best, ratio, low, high (99 % bootstrap band of the ratio).
    """
    errors = raw.assign(square=(raw["value"].fillna(0.5) - raw["truth"]) ** 2)
    rows = []
    for cell, group in errors.groupby(CELL, sort=False):
        others = group[(group["method"] != method) & (group["repeat"] % 2 == 0)]
        best = others.groupby("method")["square"].mean().idxmin()
        odd = group[group["repeat"] % 2 == 1]
        mine = odd.loc[odd["method"] == method, "square"].to_numpy()
        theirs = odd.loc[odd["method"] == best, "square"].to_numpy()
        rows.append((*cell, best, *ratio_band(mine, theirs)))
    return pd.DataFrame(rows, columns=[*CELL, "best", "ratio", "low", "high"])


def ratio_band(
    mine: np.ndarray[tuple[int], np.dtype[np.float64]], theirs: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[float, float, float]:
    """Ratio of two means with its 99 % bootstrap band; both zero (a census) is a tie."""
    if not theirs.any():
        return (1.0, 1.0, 1.0) if not mine.any() else (np.inf, np.inf, np.inf)
    rng = np.random.default_rng(0)
    shares = [
        values[rng.integers(0, len(values), (400, len(values)))].mean(axis=1) for values in (mine, theirs)
    ]
    with np.errstate(divide="ignore"):
        low, high = np.quantile(shares[0] / shares[1], [0.005, 0.995])
    return float(mine.mean() / theirs.mean()), float(low), float(high)


def report(summary: pd.DataFrame) -> str:
    """Error, coverage and width, a table each."""
    return "".join(f"## {value}\n\n{markdown(summary, value)}\n" for value in ("rmse", "coverage", "width"))


def markdown(summary: pd.DataFrame, value: str) -> str:
    """A table with one row per cell and one column per method."""
    table = summary.pivot_table(index=CELL, columns="method", values=value, sort=False).reset_index()
    return tables.markdown(table)
