"""Area under the ROC curve and average precision against scikit-learn, on scores that no grid of thresholds fits."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn import metrics as sk

import sampleval as sv
from sampleval.metrics import (
    METRICS,
    Metric,
    difference,
    mean_loss,
    minus,
    of_system,
    ranking,
    score_grid,
    within,
)
from sampleval.metrics.blocks import ROWS
from sampleval.metrics.ranking import _precision_bins
from sampleval.metrics.ranks import MOST, Ranking, growing, ranked
from sampleval.surrogates import Belief, expected_loss, predicted_risk
from sampleval.surrogates.expectations.scenarios import class_effects

REFERENCE: dict[str, Callable[..., float]] = {
    "auc": sk.roc_auc_score,
    "average_precision": sk.average_precision_score,
}
both = pytest.mark.parametrize("name", REFERENCE)

SHAPES: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "smooth": lambda s: s,
    "crowded at 0": lambda s: s**4,
    "two decimals": lambda s: np.round(s, 2),
    "three decimals": lambda s: np.round(s, 3),
    "half of them rounded": lambda s: np.where(np.arange(len(s)) % 2, np.round(s, 2), s),
    "saturated": lambda s: np.where(s > 0.9, 1.0, np.where(s < np.median(s), 0.0, s)),
    "decisions": lambda s: (s > 0.5).astype(float),
}


def scored(n: int, prevalence: float, apart: float = 2.5, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any]]:
    """Calibrated scores of two normal classes, and labels, of each class at least one."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    y[:2] = 0, 1
    logit = apart * (rng.normal(size=n) + apart * y) - apart**2 / 2 + np.log(prevalence / (1 - prevalence))
    return 1 / (1 + np.exp(-logit)), y


def census(metric: Metric, pool: sv.Pool, y: NDArray[Any]) -> float:
    return float(metric.value(mean_loss(metric, pool.items, y))[0])


def pool_of(score: NDArray[Any]) -> sv.Pool:
    return sv.Pool.from_frame(pd.DataFrame({"score": score}))


@both
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("n", "prevalence"), [(40_000, 0.001), (20_000, 0.01), (3000, 0.3), (5000, 0.99)])
def test_a_census_gives_scikit_learns_number(name: str, shape: str, n: int, prevalence: float) -> None:
    score, y = scored(n, prevalence)
    score = SHAPES[shape](score)
    few = len(np.unique(score)) <= (MOST if name == "auc" else 100)
    found = census(METRICS[name], pool_of(score), y)
    assert found == pytest.approx(REFERENCE[name](y, score), abs=1e-12 if few else 2.5e-4)


def test_the_area_is_near_whatever_the_labels() -> None:
    """The worst there are: positives on top in every cell, which a cell cannot see."""
    n = 40_000
    score = np.random.default_rng(0).beta(0.3, 3, n)
    ranks = ranked(score)
    order = np.lexsort([score, ranks.code])
    start = np.cumsum(ranks.size) - ranks.size
    place = np.empty(n)
    place[order] = np.arange(n) - start[ranks.code[order]]
    y = (place >= ranks.size[ranks.code] / 2).astype(int)
    missed = sk.roc_auc_score(y, score) - census(METRICS["auc"], pool_of(score), y)
    assert 1e-4 < missed < 1 / 2000


@pytest.mark.parametrize("side", [-1, 1])
def test_the_average_precision_is_near_whatever_the_labels(side: int) -> None:
    """Positives on top in every bin, and below."""
    n = 50_000
    score = np.random.default_rng(0).beta(0.3, 3, n)
    ranks = ranked(score)
    of = _precision_bins(ranks)[ranks.code]
    size = np.bincount(of)
    place = np.empty(n)
    order = np.lexsort([side * score, of])
    place[order] = np.arange(n) - (np.cumsum(size) - size)[of[order]]
    y = (place < size[of] / 2).astype(int)
    missed = sk.average_precision_score(y, score) - census(METRICS["average_precision"], pool_of(score), y)
    assert 1e-5 < abs(missed) < 5e-4


@both
def test_one_positive_counts_for_itself(name: str) -> None:
    score = np.random.default_rng(0).random(20_000)
    for rank in (1, 150, 151, 9000):
        y = np.zeros(len(score), int)
        y[np.argsort(-score)[rank - 1]] = 1
        assert census(METRICS[name], pool_of(score), y) == pytest.approx(REFERENCE[name](y, score), abs=5e-4)


@both
def test_ranks_are_those_of_the_system_and_the_part(name: str) -> None:
    a, y = scored(30_000, 0.01)
    b = np.round(scored(30_000, 0.01, 1.0)[0] * 0.2 + a**2 * 0.8, 4)
    rng = np.random.default_rng(2)
    part, half = rng.random(len(y)) < 0.03 + 0.2 * y, rng.random(len(y)) < 0.5
    pool = sv.Pool.from_frame(
        pd.DataFrame({"a": a, "b": b}), system={"a": {"score": "a"}, "b": {"score": "b"}}
    )
    metric, of = METRICS[name], REFERENCE[name]
    inside = of(y[part], a[part])
    cases = [
        (of_system(metric, "b"), of(y, b)),
        (difference(metric, "a", "b"), of(y, a) - of(y, b)),
        (within(metric, part, "x"), inside),
        (within(of_system(metric, "b"), part, "x"), of(y[part], b[part])),
        (of_system(within(metric, part, "x"), "b"), of(y[part], b[part])),
        (within(difference(metric, "a", "b"), part, "x"), inside - of(y[part], b[part])),
        (within(within(metric, part, "x"), half, "z"), of(y[part & half], a[part & half])),
        (minus(within(metric, part, "x"), within(metric, ~part, "z")), inside - of(y[~part], a[~part])),
    ]
    for k, (found, wanted) in enumerate(cases):
        assert census(found, pool, y) == pytest.approx(wanted, abs=5e-4), k
    assert np.isnan(census(within(metric, np.zeros(len(y), bool), "none"), pool, y))


def test_systems_compared_have_no_more_cells_than_items() -> None:
    rng = np.random.default_rng(0)
    a, b, y = rng.random(3000), rng.random(3000), rng.integers(0, 2, 3000)
    systems = {name: {"score": name} for name in "ab"}
    pool = sv.Pool.from_frame(pd.DataFrame({"a": a, "b": b}), system=systems)
    whole, part = difference(METRICS["auc"], "a", "b"), a < 0.5
    halves = minus(within(whole, part, "low"), within(whole, ~part, "high"))
    for metric in (whole, halves):
        assert metric.cells is not None
        assert int(metric.cells(pool.items).max()) < len(pool)
    low, high = (sk.roc_auc_score(y[p], a[p]) - sk.roc_auc_score(y[p], b[p]) for p in (part, ~part))
    assert census(halves, pool, y) == pytest.approx(low - high, abs=1e-9)


@both
@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_studies_and_simulations_aim_at_that_number(name: str, preset: str) -> None:
    score, y = scored(600, 0.05)
    frame = pd.DataFrame({"score": score, "label": y})
    pool = sv.Pool.from_frame(frame, score="score", label="label")
    labels = sv.Labels.from_frame(frame, pool, label="label")
    wanted = REFERENCE[name](y, score)
    study = sv.create_study(pool, metric="f1", budget=600, preset=preset)
    study.answer(labels, 400)
    assert study.estimate(name).value == pytest.approx(wanted, abs=0.02)
    study.answer(labels, 200)
    found = study.estimate(name)
    assert found.value == pytest.approx(wanted, abs=1e-4)
    assert (found.method, found.interval.width) == ("census", 0)
    rows = sv.simulate(pool, labels, presets=preset, metrics=name, budgets=[50], repeats=2)
    assert rows["truth"].tolist() == pytest.approx([wanted], abs=1e-4)


@both
def test_what_is_held_of_a_pool_does_not_grow_with_it(name: str) -> None:
    pool = pool_of(np.random.default_rng(0).random(200_000))
    metric = METRICS[name]
    assert metric.cells is not None
    assert metric.cells(pool.items).max() < MOST
    assert metric.loss(pool.items.take(slice(3)), np.ones(3)).shape[1] <= 301


def test_ranks_of_many_parts_do_not_fill_the_memory() -> None:
    """Those of 70 parts of a million items took 195 MB per system."""
    n = 200_000
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, n)}))
    tracemalloc.start()
    for part in range(70):
        Ranking(np.arange(n) % 70 == part).of(pool.items)
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 130 * n


def test_bins_are_computed_once_for_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer than the losses of a few items, for which designs ask again and again."""
    made = Mock(wraps=_precision_bins)
    monkeypatch.setattr(ranking, "_precision_bins", made)
    items, metric = pool_of(np.random.default_rng(0).random(500)).items, METRICS["average_precision"]
    for k in range(3):
        metric.loss(items.take(slice(k, k + 2)), np.ones(2))
    assert made.call_count == 1


def test_a_difference_of_areas_holds_the_losses_of_few_items_at_once() -> None:
    """Nearly every item is unlike all others to two systems: at a million items, their losses took two gigabytes."""
    score, y = scored(30_000, 0.1)
    other = np.clip(score + np.random.default_rng(2).normal(0, 0.05, len(y)), 0, 1)
    pool = sv.Pool.from_frame(pd.DataFrame({"a.score": score, "b.score": other}))
    metric = difference(METRICS["auc"], "a", "b")
    loss = Mock(side_effect=metric.loss)
    sv.plan(pool, metric=replace(metric, loss=loss), budget=50)
    assert max(len(call.args[1]) for call in loss.call_args_list) <= ROWS
    belief = Belief(pool.task, score)
    whole = expected_loss(metric, pool.items, belief).mean(axis=0)
    assert predicted_risk(metric, pool.items, belief) == pytest.approx(whole, abs=1e-12)


def test_effects_on_a_difference_come_from_the_few_cells_of_its_metrics() -> None:
    """They took 602 numbers for each of 600,000 items: average precisions of a million items were planned in 10 s."""
    score, y = scored(3000, 0.1)
    pool = sv.Pool.from_frame(pd.DataFrame({"a.score": score, "b.score": np.roll(score, 1)}))
    metric = difference(METRICS["average_precision"], "a", "b")
    slope = metric.gradient(mean_loss(metric, pool.items, y))
    loss = Mock(side_effect=metric.loss)
    found = list(class_effects(replace(metric, loss=loss), pool.items, slope))
    assert not loss.called
    for label, effect in enumerate(found):
        alone = metric.loss(pool.items, np.full(len(y), label)) @ slope.T
        np.testing.assert_allclose(effect, alone, atol=1e-12)


def test_thresholds_that_follow_the_scores_are_dense_at_the_top() -> None:
    score = np.random.default_rng(0).beta(0.05, 3, 50_000)
    tau = score_grid(score, 200)
    assert len(tau) <= 200
    above = (score[:, None] >= tau).sum(axis=0)
    assert above[-10:].tolist() == list(range(10, 0, -1))
    assert np.abs(np.diff(above)).max() <= 50_000 / 99
    assert score_grid(np.array([0.3, 0.1, 0.3]), 200).tolist() == [0.1, 0.3]


def test_growing_places_end_where_they_are_told() -> None:
    assert growing(np.array([1.0, 5.0, 1e6]), 1e6, 100.0) == pytest.approx([1, 5, 100])


@pytest.mark.parametrize("name", ["balanced_accuracy", "mcc", "kappa", "f1", "recall", "auc"])
@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_no_positive_found_says_nothing_of_what_needs_one(name: str, preset: str) -> None:
    score = np.random.default_rng(3).beta(1, 8, 2000)
    pool, metric = pool_of(score), METRICS[name]
    study = sv.create_study(pool, metric="f1", budget=60, preset=preset)
    for item in study.ask(20):
        study.tell(item, 0)
    found = study.estimate(name)
    assert (found.interval.low, found.interval.high) == metric.range
    assert "no positive" in found.note or "undefined" in found.note


@pytest.mark.parametrize("preset", ["uniform", "queue", "yilmaz-bs"])
def test_skipped_items_that_may_be_the_only_negatives_leave_limits(preset: str) -> None:
    """With all of them positive there is no area, and its slope has no end: no sum over it may overflow."""
    pool = pool_of(np.linspace(0.05, 0.95, 40))
    study = sv.create_study(pool, metric="accuracy", budget=12, preset=preset, seed=13)
    for place, item in enumerate(study.ask(8)):
        study.tell(item.id, sv.SKIP if place in (2, 3) else 1)
    estimate = study.estimate("auc")
    assert 0 <= estimate.interval.low <= estimate.value <= estimate.interval.high <= 1
