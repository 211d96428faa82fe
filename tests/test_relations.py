"""What must follow if the input is changed in a way whose effect is known: no reference is needed for that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.metrics import for_pool, resolve
from sampleval.presets import fitting
from sampleval.study import Study
from tests.pools import emotions, multiclass, two_systems
from tests.studies import study_of

PRESETS = ("recommended", "queue", "yilmaz-is", "stratified", "oasis", "active-testing")


def limits(study: Study, metric: str, **options: Any) -> list[float]:
    """Value and limits of a metric."""
    found = study.estimate(metric, **options)
    return [found.value, found.interval.low, found.interval.high]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_difference_of_two_systems_taken_the_other_way_round_is_its_negative(preset: str) -> None:
    pool, y = two_systems(100)
    study = study_of(pool, y, "f1", 40, preset=preset)
    for metric in ("f1", "kappa", "missed_positives", "auc"):
        for family in {"korn-graubard", study.method.interval}:
            one = limits(study, f"{metric}[old - new]", interval=family)
            value, low, high = limits(study, f"{metric}[new - old]", interval=family)
            np.testing.assert_allclose(one, [-value, -high, -low], rtol=1e-6, atol=1e-9)


# Marchant's floor of ‖d‖ is a number without a unit, as published.
@pytest.mark.parametrize("preset", sorted({*fitting("regression")} - {"marchant-is"}))
def test_numbers_in_another_unit_are_the_same_numbers(preset: str) -> None:
    rng = np.random.default_rng(1)
    pred, error = rng.normal(3, 2, 80), rng.gamma(2, 0.5, 80)
    truth = pred + error * rng.normal(size=80)
    studies = []
    for unit, zero in ((1.0, 0.0), (1000.0, 50.0)):
        frame = pd.DataFrame({"id": range(80), "pred": unit * pred + zero, "pred_sd": unit * error})
        pool = sv.Pool.from_frame(frame, id="id", pred="pred", error="pred_sd", task="regression")
        studies.append(study_of(pool, unit * truth + zero, "mae", 30, preset=preset))
    asked = [list(study.state.queue) for study in studies]
    assert asked[0] == asked[1]
    for name, factor in (("mae", 1e3), ("mse", 1e6), ("rmse", 1e3), ("bias", 1e3), ("r2", 1.0)):
        one, other = (np.array(limits(study, name)) for study in studies)
        np.testing.assert_allclose(other, factor * one, rtol=1e-6, atol=1e-9 * factor)


@pytest.mark.parametrize("preset", ["queue", "uniform", "recommended"])
def test_classes_in_another_order_are_the_same_classes(preset: str) -> None:
    pool, labels = multiclass(120)
    names, turned = list(pool.task.classes), list(pool.task.classes)[::-1]
    frame = pd.DataFrame(pool.score, columns=names).assign(id=pool.ids)
    other = sv.Pool.from_frame(
        frame, id="id", score={c: c for c in turned}, task="multiclass", classes=turned
    )
    y = np.asarray(labels.values, int)
    studies = [study_of(each, at, "macro_f1", 40, preset=preset) for each, at in ((pool, y), (other, 3 - y))]
    for metric in ("accuracy", "kappa", "macro_f1", "brier"):
        one, mirrored = (limits(study, metric) for study in studies)
        np.testing.assert_allclose(one, mirrored, rtol=1e-6, atol=1e-9)
    for metric in ("class_recall", "class_precision", "confusion"):
        first, second = (study.curve(metric) for study in studies)
        for end in ("value", "low", "high"):
            np.testing.assert_allclose(getattr(first, end), getattr(second, end)[::-1], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel"])
def test_each_item_twice_leaves_every_metric_of_all_labels_as_it_is(task: str) -> None:
    if task == "multiclass":
        pool, labels = multiclass(60)
        y: Any = np.asarray(labels.values, int)
    else:
        pool, y = two_systems(60) if task == "binary" else emotions(60)
    frame = pd.DataFrame({"id": pool.ids})
    if task == "binary":
        frame["score"] = pool.score
    else:
        for k, name in enumerate(pool.task.classes):
            frame[f"score_{name}"] = pool.score[:, k]
    both = pd.concat([frame, frame.assign(id=frame["id"] + "'")], ignore_index=True)
    once, twice = (sv.Pool.from_frame(rows, id="id", task=pool.task.kind) for rows in (frame, both))
    metric = for_pool(once)[0]
    one = study_of(once, y, metric, 60, preset="uniform")
    two = study_of(twice, np.concatenate([y, y]), metric, 120, preset="uniform")
    for name in for_pool(once):
        factor = 2 if resolve(name).total else 1
        np.testing.assert_allclose(limits(two, name), factor * np.array(limits(one, name)), rtol=1e-9)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_more_certain_interval_holds_a_less_certain_one(preset: str) -> None:
    pool, y = two_systems(100)
    study = study_of(pool, y, "f1", 25, preset=preset)
    for metric in ("f1", "positives", "auc", "recall[old - new]"):
        for family in {"beta", study.method.interval}:
            ends = np.array([limits(study, metric, interval=family, level=p)[1:] for p in (0.5, 0.8, 0.95)])
            assert (np.diff(ends[:, 0]) <= 1e-9).all()
            assert (np.diff(ends[:, 1]) >= -1e-9).all()


def test_which_of_ten_labels_is_the_wrong_one_does_not_matter_where_all_items_are_alike() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(100), "score": np.linspace(0.6, 0.9, 100)}))
    for metric in ("accuracy", "f1", "f0.5"):
        found = []
        for wrong in range(10):
            study = sv.create_study(pool, metric="accuracy", budget=10, seed=1, preset="uniform")
            study.tell_all((item, k != wrong) for k, item in enumerate(study.ask(10)))
            found.append(limits(study, metric))
        np.testing.assert_allclose(found, [found[0]] * 10, rtol=1e-6)
