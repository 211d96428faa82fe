"""Pools as frames: where the scores lie, and how well known labels agree with them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.intervals import LEVEL, clopper_pearson
from sampleval.intervals.families import quantile
from sampleval.metrics.probability import claim, kept
from sampleval.pool import Floats, Integers, Labels, Pool, belonging, checked, of_class, predicted
from sampleval.pool.task import Kind

QUANTITY: dict[Kind, str] = {
    "binary": "score",
    "multiclass": "score of the predicted class",
    "multilabel": "score, all labels together",
    "regression": "predicted value",
}


def histogram(pool: Pool, *, bins: int = 40) -> pd.DataFrame:
    """The number of items in each bin of the score, for each decision, so that the frame is small for any pool.

    Args:
        pool: The scored items.
        bins: Number of bins of equal width.

    Returns:
        Columns quantity (what is binned), low, high, decision, items.
    """
    bins = _checks.count(bins, "bins", minimum=1)
    values, decisions, names = _values(pool)
    low, high = (0.0, 1.0) if pool.task.kind != "regression" else (float(values.min()), float(values.max()))
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    parts = []
    for code, name in enumerate(names):
        items, _ = np.histogram(values[decisions == code], edges)
        parts.append(pd.DataFrame({"low": edges[:-1], "high": edges[1:], "decision": name, "items": items}))
    frame = pd.concat(parts, ignore_index=True)
    frame.insert(0, "quantity", QUANTITY[pool.task.kind])
    return frame


def _values(pool: Pool) -> tuple[Floats, Integers, tuple[str, ...]]:
    """The numbers to bin, (n,), the decision that belongs to each, (n,), and the decisions in words."""
    task, pred = checked(pool).task, np.asarray(pool.pred)
    same = np.zeros(pool.size, np.intp)
    if task.kind == "regression":
        return np.asarray(pred, float), same, ("prediction",)
    if task.kind == "multiclass":
        return of_class(pool.score, pred), same, ("predicted class",)
    return pool.score.ravel(), pred.ravel().astype(np.intp), ("predicted negative", "predicted positive")


def predicted_positive(pool: Pool) -> pd.DataFrame:
    """The number of items predicted positive, for each label.

    Returns:
        Columns label, items, share. There is one row in a binary task, otherwise one per class, none in regression.
    """
    rest = slice(1, None) if checked(pool).task.kind == "binary" else slice(None)
    names, counts = list(pool.task.classes)[rest], predicted(pool)[rest]
    return pd.DataFrame({"label": names, "items": counts, "share": counts / pool.size})


def reliability(pool: Pool, labels: Labels, *, groups: int = 10, level: float = LEVEL) -> pd.DataFrame:
    """The share of positives among labelled items, in groups along the score.

    The groups hold equal parts of Σ√(s(1−s)), so that most of them lie where scores are undecided. Since this uses known
    labels, a design must not see it before it draws.

    Args:
        pool: A pool with scores: binary, multiclass (the predicted class) or multilabel (all together).
        labels: Known labels of some or all of its items.
        groups: Number of groups wanted; equal scores stay together.
        level: Coverage of the Clopper–Pearson interval of each share.

    Returns:
        Columns score (mean of the group), positive (share), low, high, items.
    """
    groups, level = _checks.count(groups, "groups", minimum=1), _checks.level(level)
    score, truth = _outcomes(checked(pool), labels)
    group = _grouped(score, np.sqrt(score * (1 - score)) + 1e-9, groups)
    n = np.bincount(group)
    hits = np.bincount(group, truth)
    low, high = clopper_pearson(hits, n - hits, level)
    return pd.DataFrame(
        {
            "score": np.bincount(group, score) / n,
            "positive": hits / n,
            "low": low,
            "high": high,
            "items": n.astype(int),
        }
    )


def prediction_error(pool: Pool, labels: Labels, *, groups: int = 10, level: float = LEVEL) -> pd.DataFrame:
    """The known numbers of items in groups of like predictions: their mean, and where four in five of them lie.

    The groups hold about as many items each. Since this uses known labels, a design must not see it before it draws.

    Args:
        pool: A regression pool.
        labels: Known numbers of some or all of its items.
        groups: Number of groups wanted; equal predictions stay together.
        level: Coverage of the t interval of each mean.

    Returns:
        Columns prediction (mean of the group), mean (of the known numbers), low, high (nan where a group's numbers
        are all alike, which does not tell how far others may lie), tenth, ninetieth (percentiles of the numbers), items.
    """
    groups, level = _checks.count(groups, "groups", minimum=1), _checks.level(level)
    if checked(pool).task.kind != "regression":
        _checks.fail("pool", "must be a regression pool", pool.task.kind, remedy="see `frames.reliability`")
    known = belonging(labels, pool).known
    prediction = np.asarray(pool.pred, float)[known]
    number = np.asarray(labels.values, float)[known]
    rows = pd.DataFrame({"prediction": prediction, "number": number})
    of_group = rows.groupby(_grouped(prediction, np.ones(len(rows)), groups))
    found = of_group["number"]
    mean, items = found.mean(), found.size()
    half = quantile(level, np.maximum(items - 1, 1)) * found.sem().replace(0.0, np.nan)
    return pd.DataFrame(
        {
            "prediction": of_group["prediction"].mean(),
            "mean": mean,
            "low": mean - half,
            "high": mean + half,
            "tenth": found.quantile(0.1),
            "ninetieth": found.quantile(0.9),
            "items": items,
        }
    ).reset_index(drop=True)


def _grouped(values: Floats, weights: Floats, groups: int) -> Integers:
    """The place of every value's group among at most so many, (n,). Groups hold like parts of the weight, equal values one."""
    _, place = np.unique(values, return_inverse=True)
    weight = np.bincount(place, weights)
    middle = np.cumsum(weight) - weight / 2
    group = (middle / weight.sum() * groups).astype(np.intp)
    return np.asarray(np.unique(group, return_inverse=True)[1][place], np.intp)


def _outcomes(pool: Pool, labels: Labels) -> tuple[Floats, Floats]:
    """The scores of the labelled items, (n,), and whether the label agrees with what is scored, (n,)."""
    if pool.task.kind == "regression":
        rule = "must have scores; a regression pool has none"
        _checks.fail("pool", rule, remedy="see `frames.prediction_error`")
    known = belonging(labels, pool).known
    said = np.asarray(labels.values)[known]
    if pool.task.kind == "multilabel":
        return pool.score[known].ravel(), said.ravel().astype(float)
    items = pool.items.take(np.flatnonzero(known))
    return claim(items), kept(items, said)
