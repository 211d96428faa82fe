"""Kinds of figures: each turns a recipe into a tidy frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import joblib
import numpy as np
import pandas as pd

from sampleval.designs import Adaptive, Importance, Problem
from sampleval.estimators import infer
from sampleval.metrics import Metric, mean_loss, resolve
from sampleval.pool import Floats
from sampleval.simulation.divergence import divergences
from sampleval.simulation.figures.recipe import Load, Recipe, Resources, tidy
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import Replicate, replicate
from sampleval.simulation.running import run
from sampleval.simulation.summary import bootstrap_band, errors_of_most, summarise
from sampleval.simulation.work import Simulation, prepare, truths

BATCH = 10  # studies of whole curves per piece of work; they share whatever does not depend on chance


def _work(recipe: Recipe, resources: Resources, stem: str) -> Simulation:
    pool, labels = resources.load(stem)
    return prepare(
        pool,
        labels,
        recipe.arms,
        metric=recipe.metric,
        metrics=recipe.metrics,
        budgets=recipe.budgets(pool.size),
        repeats=recipe.repeats,
        targets=recipe.targets,
    )


def _summary(recipe: Recipe, resources: Resources, stem: str) -> tuple[pd.DataFrame, int]:
    """The summary of a recipe's simulation on one pool, and the pool's size N."""
    work = _work(recipe, resources, stem)
    raw = run(work, jobs=resources.jobs, cache=resources.cache, progress=resources.progress)
    if recipe.guess:
        return summarise(raw.assign(value=raw["value"].fillna(0.5)), truths(work)), work.pool.size
    return errors_of_most(summarise(raw, truths(work))), work.pool.size


def single(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """One study per method: estimate and limits against the labelled fraction, metric by metric (Y fig 1, 7)."""
    work = _work(recipe, resources, recipe.pools[0])
    raw = run(work, jobs=resources.jobs, cache=resources.cache, progress=resources.progress)
    truth = truths(work)
    raw = raw.sort_values("metric", key=lambda names: names.map(recipe.metrics.index), kind="stable")
    panel = raw["method"] if len(recipe.metrics) == 1 else raw["metric"].map(_title) + ", " + raw["method"]
    return tidy(
        raw.assign(
            panel=panel,
            group=raw["method"],
            x=raw["labels"] / work.pool.size,
            y=raw["value"],
            truth=raw["metric"].map(truth),
        )
    )


def errors(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """One quantity against labels, with a panel per metric, or per pool if there are several.

    Figures: Y fig 2, 3, 5, 6, 8–11, M fig 5.
    """
    parts = []
    for stem, own in zip(recipe.pools, resources.parts(len(recipe.pools)), strict=True):
        summary, size = _summary(recipe, own, stem)
        x = summary["labels"] / (size if recipe.x == "fraction" else 1)
        panel = summary["metric"].map(_title) if len(recipe.pools) == 1 else stem.replace("_", " ")
        low, high = (summary.get(f"{recipe.quantity}_{end}") for end in ("low", "high"))
        parts.append(
            summary.assign(
                panel=panel, group=summary["method"], x=x, y=summary[recipe.quantity], low=low, high=high
            ).drop(columns="truth")
        )
    return tidy(pd.concat(parts))


def convergence(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """Divergence from the best proposal and error against labels, in a panel each (M fig 2, 6–8)."""
    errors_of = total_errors if resolve(recipe.metric).vector else _squares
    parts = []
    for stem, own in zip(recipe.pools, resources.parts(len(recipe.pools)), strict=True):
        drawing, estimating = own.parts(2)
        name = "" if len(recipe.pools) == 1 else f"{stem.replace('_', ' ')}: "
        parts.append(_divergences(recipe, drawing, stem).assign(panel=f"{name}KL(q* ‖ q)"))
        parts.append(errors_of(recipe, estimating, stem).assign(panel=f"{name}MSE"))
    return tidy(pd.concat(parts))


def _divergences(recipe: Recipe, resources: Resources, stem: str) -> pd.DataFrame:
    """KL(q* ‖ q) of the methods that draw by importance."""
    pool, labels = resources.load(stem)
    drawing = {
        name: method
        for name, method in recipe.arms.items()
        if isinstance(method.design, Adaptive | Importance)
    }
    most = recipe.budgets(pool.size)[-1]
    kl = divergences(
        pool, labels, drawing, metric=recipe.metric, budget=most, repeats=3, progress=resources.progress
    )
    return kl.assign(group=kl["method"], x=kl["labels"].clip(lower=1), y=kl["mean"])


def _squares(recipe: Recipe, resources: Resources, stem: str) -> pd.DataFrame:
    """Mean squared error of a scalar metric against labels."""
    summary, _ = _summary(recipe, resources, stem)
    return pd.DataFrame(
        {"group": summary["method"], "x": summary["labels"]}
        | {end: summary[column] for end, column in (("y", "mse"), ("low", "mse_low"), ("high", "mse_high"))}
    )


def bars(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """Error at one number of labels, pool by pool (M fig 3, 6b)."""
    frame = errors(recipe, resources)
    return frame[frame["x"] == frame.groupby("panel")["x"].transform("max")].reset_index(drop=True)


def chances(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """The share of certain items, and sorted inclusion probabilities at a few labelled fractions (Y fig 4)."""
    pool, _ = resources.load(recipe.pools[0])
    fractions = np.linspace(0.01, 1, 100)
    budgets = [max(1, round(f * pool.size)) for f in fractions]
    parts = []
    for name, method in recipe.arms.items():
        problem = Problem(pool, {resolve(recipe.metric): 1.0}, method.surrogate)
        share = [float((method.design.inclusion(problem, b) >= 1).mean()) for b in budgets]
        parts.append(pd.DataFrame({"panel": "share with b = 1", "group": name, "x": fractions, "y": share}))
        for fraction in recipe.at:
            falling = np.sort(method.design.inclusion(problem, round(fraction * pool.size)))[::-1]
            at = np.unique(np.linspace(0, pool.size - 1, 150).round().astype(int))
            panel = f"chances with {fraction:.0%} labelled"
            parts.append(pd.DataFrame({"panel": panel, "group": name, "x": at + 1, "y": falling[at]}))
    return tidy(pd.concat(parts))


def curves(recipe: Recipe, resources: Resources) -> pd.DataFrame:
    """Estimated curves of many studies, and the true one (M fig 4)."""
    stem = recipe.pools[0]
    parts = [_drawn(_truth(recipe, resources, stem), "truth", "truth")]
    for name, _, repeat, value in _studies(recipe, resources, stem):
        parts.append(_drawn(value, name, str(repeat)))
    return tidy(pd.concat(parts))


def total_errors(recipe: Recipe, resources: Resources, stem: str) -> pd.DataFrame:
    """The mean over studies of the squared errors of precision and recall, summed over thresholds τ, by labels (M fig 8).

    Only thresholds at which the truth is defined count. An undefined estimate counts as a guess of ½.

    Returns:
        Columns group, x, y, low, high (95 % bootstrap band).
    """
    truth = _truth(recipe, resources, stem)
    defined = np.isfinite(truth)
    frame = pd.DataFrame(
        [
            (name, k, float(((np.nan_to_num(value[defined], nan=0.5) - truth[defined]) ** 2).sum()))
            for name, k, _, value in _studies(recipe, resources, stem)
        ],
        columns=["group", "x", "error"],
    )
    rows = [
        (group, x, part["error"].mean(), *bootstrap_band(part["error"].to_numpy()))
        for (group, x), part in frame.groupby(["group", "x"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["group", "x", "y", "low", "high"])


def _studies(recipe: Recipe, resources: Resources, stem: str) -> Iterator[tuple[str, int, int, Floats]]:
    """(method, labels, repeat, curve) of every study at every number of labels."""
    batches = [
        (name, range(first, min(first + BATCH, recipe.repeats)))
        for name in recipe.arms
        for first in range(0, recipe.repeats, BATCH)
    ]
    tasks = (joblib.delayed(_batch)(recipe, resources.load, stem, *batch) for batch in batches)
    for done, found in enumerate(joblib.Parallel(n_jobs=resources.jobs, return_as="generator")(tasks), 1):
        if resources.progress is not None:
            resources.progress(done, len(batches))
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


def _truth(recipe: Recipe, resources: Resources, stem: str) -> Floats:
    pool, labels = resources.load(stem)
    metric = resolve(recipe.metric)
    return metric.value(mean_loss(metric, pool.items, labels.values))


def _drawn(value: Floats, panel: str, group: str) -> pd.DataFrame:
    """A curve as rows of points (recall, precision)."""
    precision, recall = np.split(value, 2)
    return pd.DataFrame({"panel": panel, "group": group, "x": recall, "y": precision})


def _title(name: str) -> str:
    return resolve(name).title


KINDS: Mapping[str, Callable[[Recipe, Resources], pd.DataFrame]] = MappingProxyType(
    {
        "single": single,
        "errors": errors,
        "convergence": convergence,
        "bars": bars,
        "chances": chances,
        "curves": curves,
    }
)
