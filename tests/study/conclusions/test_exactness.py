"""What studies claim to know for certain is only what no missing label could change."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.metrics import Metric, resolve, within
from sampleval.pool import Flags
from sampleval.presets import fitting, method_of
from sampleval.study import Study, finding
from sampleval.study.conclusions.census import true_value
from sampleval.surrogates import Shrunk


def answered(study: Study, truth: Flags) -> None:
    """Every item that the study asks for, labelled."""
    while items := study.ask(20):
        for item in items:
            study.tell(item.id, bool(truth[int(item.id)]))


def drawn(
    score: np.ndarray[tuple[int], np.dtype[np.float64]], metric: str, budget: int, preset: str, truth: Flags
) -> Study:
    """A finished study of such scores, which are taken as they are even if the preset would shrink them."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(len(score)), "score": score}))
    shrinkage = 1.0 if isinstance(method_of(preset).surrogate, Shrunk) else None
    study = sv.create_study(pool, metric=metric, budget=budget, preset=preset, shrinkage=shrinkage)
    answered(study, truth)
    return study


@pytest.mark.parametrize("preset", fitting("binary"))
def test_where_nothing_is_predicted_positive_f1_is_0_once_a_positive_is_known(preset: str) -> None:
    score = np.random.default_rng(3).uniform(0.05, 0.45, 60)
    study = drawn(score, "f1", 40, preset, np.arange(60) % 5 == 0)
    assert (f1 := study.estimate()).value == f1.interval.low == f1.interval.high == 0
    assert study.estimate("accuracy").interval.width > 0


@pytest.mark.parametrize(
    ("preset", "metric"),
    [
        *((preset, "f1") for preset in fitting("binary")),
        *product(("queue", "recommended"), ("precision", "recall")),
    ],
)
@pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
def test_no_width_only_where_nothing_is_left_unknown(preset: str, metric: str, hard: bool) -> None:
    """Whatever the sample was drawn for, and whatever the scores are sure of."""
    rng = np.random.default_rng(5)
    score = rng.beta(0.4, 2, 50)
    truth = rng.random(50) < 0.2 + 0.6 * score
    score = score.round() if hard else score
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(50), "score": score}))
    known = sv.Labels.from_frame(pd.DataFrame({"id": range(50), "label": truth}), pool, label="label")
    for budget in (10, 30, 49):
        study = drawn(score, metric, budget, preset, truth)
        for name in ("precision", "recall", "f1", "accuracy", "specificity"):
            found = study.estimate(name)
            if found.interval.width < 1e-9:
                assert found.value == pytest.approx(true_value(resolve(name), pool, known), abs=1e-9)


def test_a_targeted_sample_for_precision_says_of_it_alone_and_with_its_own_weights() -> None:
    """The items that it may ask are fewer than those that its estimate is about."""
    held, repeats = 0, 20
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        score = 1 / (1 + np.exp(-rng.normal(-2, 2, 600)))
        truth = rng.random(600) < score
        pool = sv.Pool.from_frame(pd.DataFrame({"id": range(600), "score": score}))
        study = sv.create_study(
            pool, metric="precision", budget=30, preset="recommended", estimator="assisted", seed=seed
        )
        answered(study, truth)
        limits = study.estimate().interval
        held += limits.low <= truth[score >= 0.5].mean() <= limits.high
        untold = study.estimate("accuracy")
        assert np.isnan(untold.value)
        assert "a sample drawn for this metric too would ask them" in untold.note
    assert held >= 0.7 * repeats


@pytest.mark.parametrize("preset", ["queue", "recommended", "marchant-is"])
def test_a_total_counts_items_that_cost_nothing_whatever_they_are(preset: str) -> None:
    """They are never asked. Multiplied from the asked items to the whole pool, a cost of 7 was 15.6."""
    rng = np.random.default_rng(4)
    score = rng.random(60)
    truth = rng.random(60) < score
    missed = Metric(
        "missed",
        "Cost of what is missed",
        lambda items, y: np.column_stack([y * (1.0 - items.pred)]),
        lambda risk: risk,
        range=(0.0, np.inf),
        total=True,
    )
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(60), "score": score}))
    study = sv.create_study(pool, metric=missed, budget=60, preset=preset)
    answered(study, truth)
    assert (found := study.estimate()).labels == np.count_nonzero(pool.pred == 0)
    cost = np.count_nonzero(truth & (pool.pred == 0))
    assert (found.value, found.interval.low, found.interval.high) == pytest.approx((cost, cost, cost))


def test_a_share_that_no_label_can_move_is_known_exactly_from_the_first_label_on() -> None:
    """Of four equal scores every class has the same Brier score: the page said "nothing can be said yet" and "known exactly"."""
    pool = sv.Pool.from_frame(
        pd.DataFrame(dict.fromkeys("abcd", [0.25] * 40)), score=[*"abcd"], task="multiclass"
    )
    study = sv.create_study(pool, metric="accuracy", budget=9, preset="uniform", seed=1)
    study.tell(study.ask(1)[0], "a")
    found = study.estimate("brier")
    assert (found.interval.low, found.interval.high) == (0.375, 0.375)
    assert finding(study, found) == "The Brier score is exactly 0.375: no label left could change that."


@pytest.mark.parametrize("preset", fitting("regression"))
def test_a_difference_of_mean_errors_needs_no_label(preset: str) -> None:
    """The labels cancel. From 60 labels its 90% interval was 0.5 to 0.6 wide, for predictions that differ by 0.3."""
    rng = np.random.default_rng(2)
    a, b = rng.normal(0, 3, 400), rng.normal(0.3, 3, 400)
    frame = pd.DataFrame({"a": a, "b": b, "kind": np.arange(400) % 2})
    systems = {"a": {"pred": "a"}, "b": {"pred": "b"}}
    pool = sv.Pool.from_frame(frame, task="regression", system=systems)
    study = sv.create_study(pool, metric="mae", budget=20, preset=preset, seed=1)
    part = within(resolve("bias[a - b]"), np.arange(400) % 2 == 1, "kind = 1")
    for items in ([], study.ask(20)):
        study.tell_all([(item, 0.0) for item in items])
        for metric, rows in (("bias[a - b]", slice(None)), (part, slice(1, None, 2))):
            found = study.estimate(metric)
            exact = (b - a)[rows].mean()  # the error is the label less the prediction
            assert (found.value, found.interval.low, found.interval.high) == pytest.approx((exact,) * 3)
            assert (found.method, found.labels) == ("census", len(items))
            assert "no label is needed" in found.note
    assert study.estimate("bias[a]").interval.width > 0
    assert study.estimate("mae[a - b]").interval.width > 0
    assert study.estimate("bias[a - b]", about="future").interval.width > 0
    assert "exactly" in finding(study, study.estimate("bias[a - b]"))


def test_how_many_items_are_predicted_of_each_class_needs_no_label() -> None:
    """Of 1,783 items predicted of a class, limits from 100 labels were 1,482 to 1,988."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"a": rng.choice([*"xyz"], 300, p=[0.6, 0.3, 0.1]), "b": rng.choice([*"xyz"], 300)})
    systems = {"a": {"pred": "a"}, "b": {"pred": "b"}}
    pool = sv.Pool.from_frame(frame, task="multiclass", system=systems)
    study = sv.create_study(pool, metric="accuracy", budget=20, seed=1)
    counts = np.array([[np.count_nonzero(frame[of] == each) for each in "xyz"] for of in "ab"])
    for items in ([], study.ask(20)):
        study.tell_all([(item, "x") for item in items])
        for metric, exact in (
            ("class_predicted", counts[0]),
            ("class_predicted[a - b]", counts[0] - counts[1]),
        ):
            found = study.curve(metric)
            for each in (found.value, found.low, found.high, found.band_low, found.band_high):
                np.testing.assert_allclose(each, exact, atol=1e-9)
            assert found.method == "census"
    assert (study.curve("class_support").high > study.curve("class_support").low).any()
