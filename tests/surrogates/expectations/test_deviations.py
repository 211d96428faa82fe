"""Expected losses and deviations against a list of all labels, at any R and in blocks of any size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sampleval.designs.between_rounds.aim import Aim, Linearised
from sampleval.metrics import METRICS, Metric, dense, effects, finite, resolve
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
from tests.surrogates.expectations.listing import (
    CASES,
    belief_of,
    by_hand,
    cases,
    outcomes,
    pool_of,
    some_risk,
)


def close(found: Floats, wanted: Floats) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weight", [1.0, 4.0])
def test_sizes_of_label_sets_too_many_to_list_are_the_roots_of_expected_squares(weight: float) -> None:
    pool, metric = pool_of("multilabel"), resolve("micro_f1")
    belief, risk = belief_of(pool), some_risk(metric, pool)
    p, d = by_hand(metric, pool, belief, risk)
    aim = Aim((Linearised(metric, risk, weight),))
    found = aim.expected(pool.items, belief, norm=2, floor=0.0)
    close(found, np.sqrt(weight * np.einsum("ln,lnm->n", p, d**2)))


@pytest.fixture(params=[None, 20], ids=["whole", "blocks"])
def _passes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes over the pool go a few items at a time, too, and at least one where R has more components than fit."""
    if request.param:
        for module in (deviations, losses):
            monkeypatch.setattr(module, "ENTRIES", request.param)


def posed(kind: Kind, name: str, celled: bool) -> tuple[Metric, Pool, Belief]:
    """A metric, with its cells or without, a pool and a belief about its labels."""
    pool, metric = pool_of(kind), resolve(name)
    return metric if celled else replace(metric, cells=None), pool, belief_of(pool)


@pytest.mark.usefixtures("_passes")
@pytest.mark.parametrize("celled", [True, False])
@cases
def test_deviations_at_any_risk_are_those_of_all_labels(kind: Kind, name: str, celled: bool) -> None:
    metric, pool, belief = posed(kind, name, celled)
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
    if kind == "multilabel" and metric.shortcuts.by_label:
        assert (found.absolute >= norm * (1 - 1e-12)).all()
    else:
        close(found.absolute, norm)


@pytest.mark.usefixtures("_passes")
@pytest.mark.parametrize("celled", [True, False])
@cases
def test_the_predicted_risk_counts_each_item_by_its_weight(kind: Kind, name: str, celled: bool) -> None:
    metric, pool, belief = posed(kind, name, celled)
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


def test_the_size_of_a_set_s_effect_is_bounded_for_sets_that_are_two_labels_off_alone() -> None:
    """By Jensen's inequality; sets that differ from the likeliest one in at most one label count as they are."""
    pool, metric = pool_of("multilabel"), resolve("class_f1")
    belief, risk = belief_of(pool), some_risk(metric, pool)
    p, d = by_hand(metric, pool, belief, risk)
    size, far = (
        np.linalg.norm(d, axis=2),
        (np.stack(outcomes(belief)[1]) != (belief.mean > 0.5)).sum(axis=2) > 1,
    )
    rest = np.sqrt((p * far).sum(axis=0) * (p * far * size**2).sum(axis=0))
    found = moments(metric, pool.items, belief, risk=risk).absolute
    np.testing.assert_allclose(found, (p * ~far * size).sum(axis=0) + rest, rtol=1e-7)


def test_of_more_labels_than_can_be_listed_the_worst_sets_are_those_that_a_loss_excepts() -> None:
    """However unlikely they are: a right decision is among them."""
    score = np.random.default_rng(1).random((20, 12))
    pool = Pool.from_frame(
        pd.DataFrame({f"score_{k}": column for k, column in enumerate(score.T)}), task="multilabel"
    )
    metric, belief = resolve("exact_match"), Belief(pool.task, 1 - score)
    least, most = worst_labels(metric, pool.items, belief, np.array([[1.0, 0.0]]))
    np.testing.assert_array_equal(most, pool.pred)
    assert (least != pool.pred).any(axis=1).all()


@pytest.mark.parametrize("celled", [True, False])
def test_no_variance_is_negative_where_every_label_does_the_same(celled: bool) -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.001, 0.999, 500)}))
    cells = (lambda items: np.zeros(len(items), int)) if celled else None
    metric = Metric(
        "same", "Same", lambda items, y: np.full((len(y), 1), 0.1), lambda risk: risk, cells=cells
    )
    assert (moments(metric, pool.items, Belief(pool.task, pool.score)).variance >= 0).all()


def test_a_loss_of_numbers_is_asked_for_numbers_that_are_believed_alone() -> None:
    """Others may have no logarithm, and a warning."""
    pool = Pool.from_frame(pd.DataFrame({"pred": np.linspace(10, 20, 9)}), task="regression")
    metric = Metric(
        "log_error",
        "Error of logarithms",
        lambda items, y: (np.log(y) - np.log(items.pred))[:, None] ** 2,
        lambda risk: risk,
        kinds=frozenset({"regression"}),
        range=(0.0, np.inf),
    )
    belief = Belief(pool.task, pool.items.pred.astype(float), np.full(9, 0.1))
    assert 0 < predicted_risk(metric, pool.items, belief)[0] < 1e-3
