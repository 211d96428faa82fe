"""Expected losses and deviations against a list of all labels, at any R and in blocks of any size."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from sampleval.metrics import METRICS, Metric, dense, effects, finite, resolve
from sampleval.metrics.base import Encoded
from sampleval.pool import Floats, Kind, Pool
from sampleval.surrogates import (
    Belief,
    expected_effects,
    expected_squares,
    moments,
    pooled_squares,
    predicted_risk,
    worst_labels,
)
from sampleval.surrogates.expectations import deviations, losses

CLASSES: dict[Kind, int] = {"binary": 2, "multiclass": 4, "multilabel": 3, "regression": 1}
CASES: list[tuple[Kind, str]] = [
    ("binary", "f1"),
    ("binary", "pr_curve"),
    ("binary", "precision[new - old]"),
    ("multiclass", "macro_f1"),
    ("multiclass", "class_precision"),
    ("multiclass", "kappa[new - old]"),
    ("multilabel", "class_f1"),
    ("multilabel", "macro_f1[new - old]"),
    ("multilabel", "exact_match"),
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


def close(found: Floats, wanted: Floats) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@pytest.fixture(params=[None, 20], ids=["whole", "blocks"])
def _passes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes over the pool go a few items at a time, too, and at least one where R has more components than fit."""
    if request.param:
        for module in (deviations, losses):
            monkeypatch.setattr(module, "ENTRIES", request.param)


@pytest.mark.usefixtures("_passes")
@pytest.mark.parametrize("celled", [True, False])
@cases
def test_deviations_at_any_risk_are_those_of_all_labels(kind: Kind, name: str, celled: bool) -> None:
    pool = pool_of(kind)
    metric, belief = resolve(name), belief_of(pool)
    metric = metric if celled else replace(metric, cells=None)
    risk, weight = some_risk(metric, pool), np.random.default_rng(0).random(pool.size)
    p, d = by_hand(metric, pool, belief, risk)
    mean, squares = np.einsum("ln,lnm->nm", p, d), np.einsum("ln,lnm->nm", p, d**2)
    jacobian = finite(metric.gradient(risk))
    close(expected_effects(metric, pool.items, belief, risk), mean)
    close(expected_squares(metric, pool.items, belief, jacobian), squares)
    pooled = pooled_squares(metric, pool.items, belief, weight, jacobian)
    close(pooled, weight @ squares)
    found = moments(metric, pool.items, belief, risk=risk)
    close(found.square, squares.sum(axis=1))
    close(found.variance, (squares - mean**2).sum(axis=1))
    assert (found.variance >= 0).all()
    norm = np.einsum("ln,ln->n", p, np.linalg.norm(d, axis=2))
    if kind == "multilabel" and metric.by_label:
        assert (found.absolute >= norm * (1 - 1e-12)).all()
    else:
        close(found.absolute, norm)


@pytest.mark.usefixtures("_passes")
@pytest.mark.parametrize("celled", [True, False])
@cases
def test_the_predicted_risk_counts_each_item_by_its_weight(kind: Kind, name: str, celled: bool) -> None:
    pool = pool_of(kind)
    metric, belief = resolve(name), belief_of(pool)
    metric = metric if celled else replace(metric, cells=None)
    weight = np.random.default_rng(0).random(pool.size) * (np.arange(pool.size) % 3 > 0)
    p, labels = outcomes(belief)
    each = np.stack([metric.loss(pool.items, y) for y in labels])
    found = predicted_risk(metric, pool.items, belief, weight=weight)
    close(found, np.einsum("ln,n,lnd->d", p, weight, each) / pool.size)


@cases
def test_a_label_can_matter_if_it_moves_the_metric_at_some_risk(kind: Kind, name: str) -> None:
    """However unlikely it is: a belief may be sure and wrong."""
    pool = pool_of(kind)
    metric, belief = resolve(name), belief_of(pool)
    able = np.zeros(pool.size, bool)
    for seed in range(5):
        _, d = by_hand(metric, pool, belief, some_risk(metric, pool, seed))
        able |= (np.abs(d) > 1e-9).any(axis=(0, 2))
    np.testing.assert_array_equal(moments(metric, pool.items, belief).possible, able)


@pytest.mark.parametrize(
    ("kind", "name"), [case for case in CASES if not METRICS[case[1].split("[")[0]].vector]
)
def test_worst_labels_are_those_of_all_labels(kind: Kind, name: str) -> None:
    pool = pool_of(kind)
    metric, belief = resolve(name), belief_of(pool)
    gradient = dense(metric.gradient(some_risk(metric, pool)))
    labels = list(belief.candidates()) if kind == "regression" else outcomes(belief)[1]
    every = np.stack([effects(metric.loss(pool.items, y), gradient)[:, 0] for y in labels])
    least, most = (
        effects(metric.loss(pool.items, y), gradient)[:, 0]
        for y in worst_labels(metric, pool.items, belief, gradient)
    )
    np.testing.assert_allclose(least, every.min(axis=0), atol=1e-12)
    np.testing.assert_allclose(most, every.max(axis=0), atol=1e-12)


def test_where_a_gradient_is_undefined_nothing_is_expected_of_labels() -> None:
    pool = pool_of("multiclass")
    metric, belief = resolve("class_precision"), belief_of(pool)
    risk = 0 * some_risk(metric, pool)
    assert np.isnan(dense(metric.gradient(risk))).any()
    assert (expected_effects(metric, pool.items, belief, risk) == 0).all()
    assert (moments(metric, pool.items, belief, risk=risk).square == 0).all()


@pytest.mark.parametrize("open_label", [0, 1, 2])
def test_the_size_of_a_set_s_effect_is_exact_where_one_label_is_open(open_label: int) -> None:
    pool, metric = pool_of("multilabel"), resolve("class_f1")
    sure = np.array(list(product((0.0, 1.0), repeat=3)) * 2)[: pool.size]
    sure[:, open_label] = np.linspace(0.05, 0.95, pool.size)
    belief, risk = Belief(pool.task, sure), some_risk(metric, pool)
    p, d = by_hand(metric, pool, belief, risk)
    found = moments(metric, pool.items, belief, risk=risk).absolute
    np.testing.assert_allclose(found, np.einsum("ln,ln->n", p, np.linalg.norm(d, axis=2)), rtol=1e-7)
