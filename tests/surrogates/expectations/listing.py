"""Metrics of every kind of label, with beliefs whose labels are listed one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval.metrics import Metric, dense, effects, finite
from sampleval.metrics.base import Encoded
from sampleval.pool import Floats, Kind, Pool
from sampleval.surrogates import Belief

CLASSES: dict[Kind, int] = {"binary": 2, "multiclass": 4, "multilabel": 3, "regression": 1}
CASES: list[tuple[Kind, str]] = [
    ("binary", "f1"),
    ("binary", "pr_curve"),
    ("binary", "precision[new - old]"),
    ("multiclass", "macro_f1"),
    ("multiclass", "class_precision"),
    ("multiclass", "class_recall"),
    ("multiclass", "kappa[new - old]"),
    ("multilabel", "class_f1"),
    ("multilabel", "macro_f1[new - old]"),
    ("multilabel", "exact_match"),
    ("multilabel", "exact_match[new - old]"),
    ("regression", "r2"),
    ("regression", "mae[new - old]"),
]
cases = pytest.mark.parametrize(("kind", "name"), CASES)


def pool_of(kind: Kind, size: int = 14) -> Pool:
    """The same items to an old and a new system."""
    rng, columns = np.random.default_rng(2), dict[str, Floats]()
    for system in ("old", "new"):
        if kind == "binary":
            columns[f"{system}.score"] = rng.random(size)
        elif kind == "regression":
            columns[f"{system}.pred"] = rng.normal(3, 2, size)
        else:
            score = rng.dirichlet(np.full(CLASSES[kind], 0.5), size)
            columns |= {f"{system}.score_{k}": column for k, column in enumerate(score.T)}
    return Pool.from_frame(pd.DataFrame(columns), task=kind)


def belief_of(pool: Pool, seed: int = 4) -> Belief:
    """Any chances, of which some are 0 or 1."""
    rng, n, width = np.random.default_rng(seed), pool.size, CLASSES[pool.task.kind]
    if pool.task.kind == "regression":
        return Belief(pool.task, rng.normal(3, 2, n), rng.uniform(0.3, 2, n))
    if pool.task.kind == "multiclass":
        return Belief(pool.task, np.vstack([rng.dirichlet(np.ones(width), n - width), np.eye(width)]))
    shape = (n,) if pool.task.kind == "binary" else (n, width)
    return Belief(pool.task, rng.uniform(-0.2, 1.2, shape).clip(0, 1))


def outcomes(belief: Belief) -> tuple[list[Floats], list[Encoded]]:
    """All labels of every item, or numbers at Gauss's nodes, and their chances."""
    chances, labels = zip(*belief.scenarios(), strict=True)
    return list(chances), list(labels)


def some_risk(metric: Metric, pool: Pool, seed: int = 1) -> Floats:
    """R of labels that are drawn one by one from all possible ones."""
    rng, (_, labels) = np.random.default_rng(seed), outcomes(belief_of(pool))
    each = np.stack([metric.loss(pool.items, y) for y in labels])
    return np.asarray(each[rng.integers(len(each), size=pool.size), np.arange(pool.size)].mean(axis=0))


def by_hand(metric: Metric, pool: Pool, belief: Belief, risk: Floats) -> tuple[Floats, Floats]:
    """The chance of each label of each item, (L, N), and its d, (L, N, m)."""
    chances, labels = outcomes(belief)
    jacobian = dense(finite(metric.gradient(risk)))
    return np.stack(chances), np.stack([effects(metric.loss(pool.items, y), jacobian) for y in labels])
