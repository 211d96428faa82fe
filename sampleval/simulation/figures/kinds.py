"""Kinds of figures: from a recipe to its tidy frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd

from sampleval.designs import Problem
from sampleval.estimators.inference import infer
from sampleval.metrics import mean_loss, precision_recall_curve, resolve, score_grid
from sampleval.simulation.divergence import divergences
from sampleval.simulation.figures.recipe import Means, Recipe, tidy
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import replicate
from sampleval.simulation.running import run
from sampleval.simulation.summary import summarise
from sampleval.simulation.work import Simulation, prepare, truths
from sampleval.study.assembly import assemble

GRID = 40


def _work(recipe: Recipe, means: Means, stem: str) -> Simulation:
    pool, labels = means.load(stem)
    return prepare(
        pool,
        labels,
        recipe.arms,
        metric=recipe.metric,
        metrics=recipe.metrics,
        budgets=recipe.budgets(pool.size),
        repeats=recipe.repeats,
        level=0.9,
    )


def _summary(recipe: Recipe, means: Means, stem: str) -> tuple[pd.DataFrame, int]:
    """Summary and N."""
    work = _work(recipe, means, stem)
    raw = run(work, jobs=means.jobs, cache=means.cache)
    if recipe.guess:
        return summarise(raw.assign(value=raw["value"].fillna(0.5)), truths(work)), work.pool.size
    summary = summarise(raw, truths(work))
    known = summary["defined"] >= 0.5
    errors = [str(c) for c in summary if str(c).startswith(("mse", "rmse", "absolute"))]
    summary[errors] = summary[errors].where(known, axis=0)
    return summary, work.pool.size


def single(recipe: Recipe, means: Means) -> pd.DataFrame:
    """One study per method: estimate and limits against the labelled fraction (Y fig 1, 7)."""
    work = _work(recipe, means, recipe.pools[0])
    raw, truth = run(work, jobs=means.jobs, cache=means.cache), truths(work)
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


def errors(recipe: Recipe, means: Means) -> pd.DataFrame:
    """One quantity against labels, a panel per metric, or per pool if there are several (Y fig 2, 3, 5–11, M fig 5)."""
    parts = []
    for stem in recipe.pools:
        summary, size = _summary(recipe, means, stem)
        x = summary["labels"] / (size if recipe.x == "fraction" else 1)
        panel = summary["metric"].map(_title) if len(recipe.pools) == 1 else stem.replace("_", " ")
        low, high = (summary.get(f"{recipe.quantity}_{end}") for end in ("low", "high"))
        parts.append(
            summary.assign(
                panel=panel, group=summary["method"], x=x, y=summary[recipe.quantity], low=low, high=high
            ).drop(columns="truth")
        )
    return tidy(pd.concat(parts))


def convergence(recipe: Recipe, means: Means) -> pd.DataFrame:
    """Divergence from the best proposal above, error below (M fig 2, 6, 7)."""
    parts = []
    for stem in recipe.pools:
        pool, labels = means.load(stem)
        name = "" if len(recipe.pools) == 1 else f"{stem.replace('_', ' ')}: "
        drawing = {
            n: m
            for n, m in recipe.arms.items()
            if hasattr(m.design, "proposal") or hasattr(m.design, "propose")
        }
        metric = str(recipe.metric)
        kl = divergences(
            pool, labels, drawing, metric=metric, budget=recipe.budgets(pool.size)[-1], repeats=3
        )
        parts.append(
            kl.assign(
                panel=f"{name}KL(q* ‖ q)", group=kl["method"], x=kl["labels"].clip(lower=1), y=kl["mean"]
            )
        )
        summary, _ = _summary(recipe, means, stem)
        parts.append(
            summary.assign(
                panel=f"{name}MSE", group=summary["method"], x=summary["labels"], y=summary["mse"],
                low=summary["mse_low"], high=summary["mse_high"],
            ).drop(columns="truth")
        )  # fmt: skip
    return tidy(pd.concat(parts))


def bars(recipe: Recipe, means: Means) -> pd.DataFrame:
    """Error at one number of labels, pool by pool (M fig 3, 6b)."""
    frame = errors(recipe, means)
    return frame[frame["x"] == frame.groupby("panel")["x"].transform("max")].reset_index(drop=True)


def chances(recipe: Recipe, means: Means) -> pd.DataFrame:
    """Share of certain items, and sorted chances at a few fractions (Y fig 4)."""
    pool, _ = means.load(recipe.pools[0])
    arms = {
        name: (m, Problem(pool, {resolve(str(recipe.metric)): 1.0}, m.surrogate))
        for name, m in recipe.arms.items()
    }
    fractions = np.linspace(0.01, 1, 100)
    parts = []
    for name, (method, problem) in arms.items():
        budgets = [max(1, round(f * pool.size)) for f in fractions]
        share = [float((method.design.inclusion(problem, b) >= 1).mean()) for b in budgets]
        parts.append(pd.DataFrame({"panel": "share with b = 1", "group": name, "x": fractions, "y": share}))
        for fraction in recipe.at:
            falling = np.sort(method.design.inclusion(problem, round(fraction * pool.size)))[::-1]
            at = np.unique(np.linspace(0, pool.size - 1, 150).round().astype(int))
            panel = f"chances with {fraction:.0%} labelled"
            parts.append(pd.DataFrame({"panel": panel, "group": name, "x": at + 1, "y": falling[at]}))
    return tidy(pd.concat(parts))


def curves(recipe: Recipe, means: Means) -> pd.DataFrame:
    """Estimated precision–recall curves of many studies over the true one (M fig 4)."""
    pool, labels = means.load(recipe.pools[0])
    metric = precision_recall_curve(score_grid(pool.score, GRID))
    oracle, k = Known(labels), recipe.budgets(pool.size)[-1]
    parts = [_curve(metric.value(mean_loss(metric, pool.items, oracle.labels.values)), "truth", "truth")]
    for name, method in recipe.arms.items():
        target = method.form(resolve(str(recipe.metric)))
        problem = Problem(pool, {target: 1.0}, method.surrogate)
        for seed in range(recipe.repeats):
            study = replicate(problem.reseeded(seed), method, oracle, k)
            every = np.ones(len(study.queue), bool)
            found = assemble(study.problem, method, study.rounds, study.queue, study.answers, every)
            assert found is not None
            parts.append(_curve(infer(metric, found, method.estimator).value, name, str(seed)))
    return tidy(pd.concat(parts))


def _curve(value: object, panel: str, group: str) -> pd.DataFrame:
    both = np.asarray(value, float)
    precision, recall = both[: len(both) // 2], both[len(both) // 2 :]
    return pd.DataFrame({"panel": panel, "group": group, "x": recall, "y": precision})


def _title(name: str) -> str:
    return resolve(name).title


KINDS: Mapping[str, Callable[[Recipe, Means], pd.DataFrame]] = MappingProxyType(
    {
        "single": single,
        "errors": errors,
        "convergence": convergence,
        "bars": bars,
        "chances": chances,
        "curves": curves,
    }
)
