"""Pools as frames: where the scores lie, and how well known labels agree with them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.intervals import LEVEL, clopper_pearson
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
    if not len(score):
        return pd.DataFrame({name: [] for name in ("score", "positive", "low", "high", "items")}, dtype=float)
    group = _grouped(score, groups)
    items = np.bincount(group, minlength=groups)
    met = items > 0
    hits = np.bincount(group, truth, minlength=len(items))[met]
    total = np.bincount(group, score, minlength=len(items))[met]
    n = items[met]
    low, high = clopper_pearson(hits, n - hits, level)
    return pd.DataFrame(
        {"score": total / n, "positive": hits / n, "low": low, "high": high, "items": n.astype(int)}
    )


def _grouped(score: Floats, groups: int) -> Integers:
    """A group number for every score, (n,). Groups hold equal parts of Σ√(s(1−s)), and equal scores stay together."""
    values, place, count = np.unique(score, return_inverse=True, return_counts=True)
    spread = np.cumsum(count * (np.sqrt(values * (1 - values)) + 1e-9))
    group = np.minimum((spread / spread[-1] * groups).astype(np.intp), groups - 1)
    return np.asarray(group[place], np.intp)


def _outcomes(pool: Pool, labels: Labels) -> tuple[Floats, Floats]:
    """The scores of the labelled items, (n,), and whether the label agrees with what is scored, (n,)."""
    if pool.task.kind == "regression":
        rule = "must have scores; a regression pool has none"
        _checks.fail("pool", rule, remedy="compare predictions instead")
    known = belonging(labels, pool).known
    said = np.asarray(labels.values)[known]
    if pool.task.kind == "multilabel":
        return pool.score[known].ravel(), said.ravel().astype(float)
    items = pool.items.take(np.flatnonzero(known))
    return claim(items), kept(items, said)
