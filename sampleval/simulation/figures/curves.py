"""Whole precision–recall curves of many studies, each sampled for the curve itself (M fig 4, 8)."""

from __future__ import annotations

from collections.abc import Iterator

import joblib
import numpy as np
import pandas as pd

from sampleval.designs import Problem
from sampleval.estimators import infer
from sampleval.metrics import Metric, mean_loss, resolve
from sampleval.pool import Floats
from sampleval.simulation.figures.recipe import Load, Means, Recipe, tidy
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import Replicate, replicate
from sampleval.simulation.summary import bootstrap_band

BATCH = 10  # studies per piece of work; they share whatever does not depend on chance


def curves(recipe: Recipe, means: Means) -> pd.DataFrame:
    """Estimated curves of many studies, and the true one (M fig 4)."""
    stem = recipe.pools[0]
    parts = [_drawn(_truth(recipe, means, stem), "truth", "truth")]
    for name, _, repeat, value in _studies(recipe, means, stem):
        parts.append(_drawn(value, name, str(repeat)))
    return tidy(pd.concat(parts))


def total_errors(recipe: Recipe, means: Means, stem: str) -> pd.DataFrame:
    """The mean over studies of the squared errors of precision and recall, summed over thresholds τ, by labels (M fig 8).

    Only thresholds at which the truth is defined count. An undefined estimate counts as a guess of ½.

    Returns:
        Columns group, x, y, low, high (95 % bootstrap band).
    """
    truth = _truth(recipe, means, stem)
    defined = np.isfinite(truth)
    frame = pd.DataFrame(
        [
            (name, k, float(((np.nan_to_num(value[defined], nan=0.5) - truth[defined]) ** 2).sum()))
            for name, k, _, value in _studies(recipe, means, stem)
        ],
        columns=["group", "x", "error"],
    )
    rows = [
        (group, x, part["error"].mean(), *bootstrap_band(part["error"].to_numpy()))
        for (group, x), part in frame.groupby(["group", "x"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["group", "x", "y", "low", "high"])


def _studies(recipe: Recipe, means: Means, stem: str) -> Iterator[tuple[str, int, int, Floats]]:
    """(method, labels, repeat, curve) of every study at every number of labels."""
    batches = [
        (name, range(first, min(first + BATCH, recipe.repeats)))
        for name in recipe.arms
        for first in range(0, recipe.repeats, BATCH)
    ]
    tasks = (joblib.delayed(_batch)(recipe, means.load, stem, *batch) for batch in batches)
    for done, found in enumerate(joblib.Parallel(n_jobs=means.jobs, return_as="generator")(tasks), 1):
        if means.progress is not None:
            means.progress(done, len(batches))
        yield from found


def _batch(
    recipe: Recipe, load: Load, stem: str, name: str, repeats: range
) -> list[tuple[str, int, int, Floats]]:
    """The items of `_studies` for some studies of one method."""
    pool, labels = load(stem)
    metric, method, oracle = resolve(recipe.metric), recipe.arms[name], Known(labels)
    problem = Problem(pool, method.forms({metric: 1.0}), method.surrogate)
    budgets = recipe.budgets(pool.size)
    found = []
    for repeat in repeats:
        problem = problem.reseeded(repeat)
        study = replicate(problem, method, oracle, max(budgets))
        found += [(name, k, repeat, _estimate(metric, study, k)) for k in budgets]
    return found


def _estimate(metric: Metric, study: Replicate, k: int) -> Floats:
    """A study's estimate of the curve after its first k answers, (m,)."""
    run = study.run(k)
    assert run is not None
    return infer(metric, run, study.method.estimator).value


def _truth(recipe: Recipe, means: Means, stem: str) -> Floats:
    pool, labels = means.load(stem)
    metric = resolve(recipe.metric)
    return metric.value(mean_loss(metric, pool.items, labels.values))


def _drawn(value: Floats, panel: str, group: str) -> pd.DataFrame:
    """A curve as rows of points (recall, precision)."""
    precision, recall = np.split(value, 2)
    return pd.DataFrame({"panel": panel, "group": group, "x": recall, "y": precision})
