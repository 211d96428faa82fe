"""Comparisons by simulation: which metric to sample for, and how far to trust the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sampleval._checks import fail
from sampleval.designs import Importance
from sampleval.presets import Method, method_of
from sampleval.surrogates import Shrunk

SHRINKAGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


def sweep(base: Method, shrinkages: Sequence[float] = SHRINKAGES) -> dict[str, Method]:
    """A dictionary from each λ in [0, 1], as text, to the method with this λ.

    Raises:
        InputError: The method's surrogate has no λ.

    >>> list(sweep(method_of("queue"), (0.5, 0.9)))
    ['0.5', '0.9']
    """
    believed = base.surrogate
    if not isinstance(believed, Shrunk):
        rule, remedy = "must believe in shrunk scores to have a λ", "e.g. method_of('queue')"
        fail("base", rule, believed.key, remedy=remedy)
    return {
        f"{value:g}": replace(base, surrogate=replace(believed, shrinkage=value))
        for value in map(float, shrinkages)
    }


def swept(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary of `sweep`'s methods with λ as a number and the λ of least error marked, for each metric and budget.

    Returns:
        The summary's columns, shrinkage (λ) and best (bool; the smallest λ of those that tie, and none if all errors are
        equal), by rising λ.
    """
    frame = summary.assign(shrinkage=summary["method"].astype(float))
    frame = frame.sort_values("shrinkage", ignore_index=True)
    each = frame.groupby(["metric", "budget"])["mse"]
    least, most = each.transform("min"), each.transform("max")
    ties = frame.loc[(frame["mse"] == least) & (least < most), ["metric", "budget"]]
    return frame.assign(best=frame.index.isin(ties.drop_duplicates().index))


def as_close(summary: pd.DataFrame, best: pd.Series) -> pd.Series:
    """Whether each other row of a summary may have as small an error as the best one, as far as the 95 % bands tell.

    >>> bands = pd.DataFrame({"rmse_low": [0.1, 0.15, 0.3], "rmse_high": [0.2, 0.4, 0.5]})
    >>> as_close(bands, bands["rmse_low"] == 0.1).tolist()
    [False, True, False]
    """
    return ~best & (summary["rmse_low"] <= summary.loc[best, "rmse_high"].iloc[0])


def matrix(summary: pd.DataFrame) -> pd.DataFrame:
    """Errors by pre-sampling and reported metric, relative to those of sampling for the reported metric itself (Y fig 10, 11).

    Args:
        summary: The summary of a simulation at one or several budgets, in which each method has the name of the metric
            that it samples for.

    Returns:
        Columns budget, pre, post, rmse, coverage, ratio (rmse over the diagonal's; 1 on the diagonal), each with _low and
        _high: the summary's bands, and for ratios those of the ends of both bands that are farthest apart, but 1 on the
        diagonal.
    """
    frame = summary.rename(columns={"method": "pre", "metric": "post"})
    own = frame[frame["pre"] == frame["post"]].set_index(["budget", "post"])
    diagonal = own.reindex(pd.MultiIndex.from_frame(frame[["budget", "post"]])).reset_index()
    ratios = {
        "ratio": ("rmse", "rmse"),
        "ratio_low": ("rmse_low", "rmse_high"),
        "ratio_high": ("rmse_high", "rmse_low"),
    }
    with np.errstate(all="ignore"):
        found = {
            name: frame[above].to_numpy() / diagonal[below].to_numpy()
            for name, (above, below) in ratios.items()
        }
    same = (frame["pre"] == frame["post"]).to_numpy()
    found |= {name: np.where(same, found["ratio"], found[name]) for name in ("ratio_low", "ratio_high")}
    banded = [f"{name}{end}" for name in ("rmse", "coverage") for end in ("", "_low", "_high")]
    return frame.assign(**found)[["budget", "pre", "post", *banded, *ratios]]


def equal_cost(shrinkage: float | None = None, defensive: float = 0.0) -> Mapping[str, Method]:
    """Importance and Bernoulli sampling by name, with the same expected number of labels (Y eq 83)."""
    bernoulli = method_of("yilmaz-bs", shrinkage=shrinkage, defensive=defensive)
    drawn = replace(
        method_of("yilmaz-is", shrinkage=shrinkage),
        design=Importance(defensive=defensive, draws="equal-cost"),
    )
    return {"importance": drawn, "Bernoulli": bernoulli}
