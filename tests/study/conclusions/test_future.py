"""From a pool to its source: where every label agrees, limits say how many items could have shown otherwise."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sampleval as sv
from sampleval.intervals import INTERVALS, Basis
from sampleval.metrics import METRICS, for_kind, resolve, within
from sampleval.presets import PRESETS
from sampleval.study import Study
from tests.pools import binary
from tests.studies import answered, begun

N, LEVEL = 40, 0.9
TAIL = (1 - LEVEL) / 2


def census(pred: np.ndarray, label: np.ndarray, *, preset: str = "uniform", answers: int = N) -> Study:
    """A study of items with these decisions and labels, answered to the end or to so many answers."""
    classes = sorted({str(y) for y in (*pred, *label)})
    df = pd.DataFrame({"pred": pred.astype(str), "label": label.astype(str)})
    pool = sv.Pool.from_frame(df, task="binary" if len(classes) <= 2 else "multiclass", fields=[])
    study = sv.create_study(pool, metric="accuracy", budget=answers, preset=preset)
    study.answer(sv.Labels.from_frame(df, pool), answers)
    return study


def clopper_pearson(right: int, items: int) -> tuple[float, float]:
    found = stats.binomtest(right, items).proportion_ci(LEVEL, method="exact")
    return found.low, found.high


TRUE, THREE = np.repeat([1, 0], [12, 28]), np.arange(N) % 3


@pytest.mark.parametrize(
    ("metric", "pred", "right", "items"),
    [
        ("accuracy", TRUE, 40, 40),
        ("accuracy", 1 - TRUE, 0, 40),
        ("precision", TRUE, 12, 12),
        ("precision", 1 - TRUE, 0, 28),
        ("recall", TRUE, 12, 12),
        ("recall", 1 - TRUE, 0, 12),
        ("recall", np.ones(N, int), 12, 12),
        ("specificity", TRUE, 28, 28),
        ("f1", TRUE, 12, 12),
        ("f1", 1 - TRUE, 0, 20),
    ],
)
def test_a_share_where_all_agree_has_clopper_pearson_limits(
    metric: str, pred: np.ndarray, right: int, items: int
) -> None:
    found = census(pred, TRUE).estimate(metric, about="future")
    assert (found.value, found.variance, found.method) == (right / items, 0, "census")
    np.testing.assert_allclose(
        (found.interval.low, found.interval.high), clopper_pearson(right, items), rtol=1e-9
    )
    assert f"those of {items} items, all alike" in found.note
    assert census(pred, TRUE).estimate(metric).interval.width == 0


@pytest.mark.parametrize(
    ("pred", "label"), [(TRUE, TRUE), (1 - TRUE, TRUE), (THREE, THREE)], ids=["right", "wrong", "three"]
)
def test_limits_for_future_items_allow_for_kinds_of_items_that_the_pool_misses(
    pred: np.ndarray, label: np.ndarray
) -> None:
    """A kind that makes up ρ of the source misses the pool with chance (1 − ρ)^N: at a tail of it, G stays inside."""
    study, rare = census(pred, label), 1 - TAIL ** (1 / N)
    pool, looked = study.pool, 0
    encoded = np.array([pool.task.classes.index(str(y)) for y in label])
    for metric in map(METRICS.__getitem__, for_kind(pool.task.kind)):
        found = study.estimate(metric, about="future", level=LEVEL)
        risk = metric.loss(pool.items, encoded).mean(axis=0)
        if not np.isfinite(found.value) or found.variance or not np.isfinite(metric.range).all():
            continue
        looked += 1
        for y in range(pool.task.width):
            for kind in metric.loss(pool.items, np.full(N, y)):
                moved = metric.value((1 - rare) * risk + rare * kind)[0] * metric.scale(N)
                assert not moved < found.interval.low - 1e-9, metric.name
                assert not moved > found.interval.high + 1e-9, metric.name
        assert found.interval.method == "korn-graubard" or metric.name == "ece"  # its gaps have no slope at 0
    assert looked >= 9


@pytest.mark.parametrize("preset", ["uniform", "queue", "recommended"])
def test_a_sample_where_all_agree_allows_for_the_pool_too(preset: str) -> None:
    study = census(TRUE, TRUE, preset=preset, answers=15)
    pool, future = study.estimate("accuracy"), study.estimate("accuracy", about="future")
    assert future.value == pool.value == 1
    assert 0 < future.interval.low < pool.interval.low
    assert future.interval.low < clopper_pearson(N, N)[0]


def test_a_metric_settled_before_the_census_is_not_settled_for_the_source() -> None:
    study = census(TRUE, TRUE, answers=1)
    study.extend(N - 1)
    for item in study.ask(N):
        if study.estimate("precision").interval.width or study.labels < 2:
            study.tell(item, TRUE[int(item.id)])
    here, future = study.estimate("precision"), study.estimate("precision", about="future")
    assert (here.interval.low, here.interval.high, here.labels < N) == (1, 1, True)
    assert 0 < future.interval.low < 0.9
    assert future.interval.method == "korn-graubard"


@pytest.mark.parametrize("held", [0, 8, 30])
def test_labels_held_beforehand_vary_like_the_others(held: int) -> None:
    pool = census(TRUE, TRUE).pool
    wrong = {str(k): 1 - y if k < 8 else y for k, y in enumerate(TRUE)}
    study = sv.create_study(
        pool, metric="accuracy", budget=N, preset="uniform", held={str(k): wrong[str(k)] for k in range(held)}
    )
    for item in study.ask(N):
        study.tell(item, wrong[item.id])
    found = study.estimate(about="future")
    assert found.value == pytest.approx(0.8)
    assert found.variance == pytest.approx(0.16 / N)


def test_numbers_without_a_largest_error_have_no_limits_where_none_is_seen() -> None:
    df = pd.DataFrame({"pred": np.arange(8.0), "label": np.arange(8.0)})
    pool = sv.Pool.from_frame(df, task="regression", fields=[])
    study = sv.create_study(pool, metric="mae", budget=8, preset="uniform")
    study.answer(sv.Labels.from_frame(df, pool), 8)
    found = study.estimate("mae", about="future")
    assert (found.value, found.interval.low, found.interval.high) == (0, 0, np.inf)
    assert "without a largest value" in found.note


def test_weights_of_one_s_own_count_as_items_of_the_heaviest() -> None:
    def cost(items: sv.pool.Items, y: np.ndarray) -> np.ndarray:
        amount = 1.0 + 9 * (items.index < 4)
        return np.column_stack([amount * (y == items.pred), amount])

    own = dataclasses.replace(METRICS["accuracy"], name="cost", loss=cost, cells=None)
    found = census(TRUE, TRUE).estimate(own, about="future")
    assert found.interval.low == pytest.approx(TAIL ** (10 / (36 + 40)))


def test_korn_graubard_rests_on_no_fewer_items_than_are_counted() -> None:
    family = INTERVALS["korn-graubard"].limits
    assert family(Basis(0.4, 0.24 / 50, least_size=20), LEVEL) == family(Basis(0.4, 0.24 / 50), LEVEL)
    few = family(Basis(0.4, 0.24 / 5, least_size=50), LEVEL)
    assert (few.low, few.high) == pytest.approx(clopper_pearson(20, 50))


def test_sets_of_labels_rest_on_the_items_that_any_set_could_move() -> None:
    truth = np.random.default_rng(0).random((N, 3)) < 0.3
    df = pd.DataFrame(np.where(truth, 0.9, 0.1), columns=list("abc"))
    df["label"] = ["|".join(np.array(list("abc"))[row]) or "[]" for row in truth]
    pool = sv.Pool.from_frame(df, score=dict(zip("abc", "abc", strict=True)), task="multilabel")
    study = sv.create_study(pool, metric="macro_f1", budget=N, preset="queue")
    study.answer(sv.Labels.from_frame(df, pool, label="label"), N)
    for part in (np.ones(N, bool), np.arange(N) < N / 2):
        metric = within(resolve("macro_f1"), part, "part")
        gradient = metric.gradient(metric.loss(pool.items, truth).mean(axis=0))
        sets = [np.tile(y, (N, 1)) for y in itertools.product([0, 1], repeat=3)]
        most = max(np.abs(metric.loss(pool.items, y) @ gradient.T).max() for y in sets)
        found = study.estimate(metric, about="future")
        assert found.interval.low == pytest.approx(stats.beta(N / most, 1).ppf(TAIL))


def test_a_source_of_numbers_has_student_s_limits() -> None:
    """A census of a few items: scipy's t, whose degrees are no more than one less than there are items."""
    error = np.array([1.0, -2.0, 0.5, 4.0, -3.5])
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.zeros(5)}), task="regression")
    study = sv.create_study(pool, metric="bias", budget=5, preset="uniform")
    study.tell_all([(item, error[int(item.id)]) for item in study.ask(5)])
    found = study.estimate(about="future").interval
    half = (found.high - found.low) / 2
    spread = np.sqrt(((error - error.mean()) ** 2).mean() / 5)
    assert stats.t(4).ppf(0.95) * spread <= half * (1 + 1e-9) <= stats.t(2).ppf(0.95) * spread


@pytest.mark.parametrize("family", ["normal", "log-normal"])
def test_a_kind_of_interval_that_was_asked_for_and_taken_needs_no_reason(family: str) -> None:
    """The pool's own share of the limits has its kind, which was said to be that of the whole."""
    rng = np.random.default_rng(3)
    df = pd.DataFrame({"pred": rng.normal(size=N), "label": rng.normal(size=N)})
    pool = sv.Pool.from_frame(df, pred="pred", label="label", task="regression", fields=[])
    study = sv.create_study(pool, metric="rmse", budget=20, preset="uniform")
    study.answer(sv.Labels.from_frame(df, pool), 20)
    found = study.estimate("rmse", interval=family, about="future")
    assert (found.interval.method, found.note) == (family, "")


@pytest.mark.parametrize("preset", ["recommended", "uniform", "stratified"])
def test_the_items_of_a_source_have_the_spread_of_draws_from_it(preset: str) -> None:
    """Right or wrong is a draw with chance p: its variance is p(1 − p), not only what is uncertain of each item."""
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="accuracy", budget=100, seed=1, preset=preset)
    study.answer(labels, 100)
    here, there = (study.estimate("accuracy", about=about) for about in ("pool", "future"))
    assert there.variance - here.variance == pytest.approx(here.value * (1 - here.value) / 400, rel=0.02)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_limits_about_future_items_allow_for_the_pool_too(preset: str) -> None:
    study = answered(begun(preset=preset, budget=24), 1)
    while study.ask():
        answered(study, 24)
    for metric in study.scalars:
        pool, future = study.estimate(metric), study.estimate(metric, about="future")
        np.testing.assert_equal(future.value, pool.value)
        assert future.interval.low <= pool.interval.low
        assert pool.interval.high <= future.interval.high
        if metric in ("f1", "accuracy", "ece", "brier") and not math.isnan(pool.value):
            assert future.variance > pool.variance
            assert future.interval.width > pool.interval.width
