"""Rounding errors count as nothing: as no variance, no variation and no class."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs.adaptive.drawing import draw
from sampleval.designs.adaptive.proposal import Proposal
from sampleval.designs.between_rounds.aim import Aim, Linearised
from sampleval.intervals import simultaneous_level
from sampleval.metrics import METRICS, confusion_shares, resolve
from sampleval.pool import Pool
from tests.pools import multiclass


def asked(scores: Any, answers: list[int], **options: Any) -> sv.Study:
    """A study of 2,000 items with 60 labels."""
    pool = Pool.from_frame(pd.DataFrame({"score": np.resize(scores, 2000)}), score="score")
    study = sv.create_study(pool, metric="f1", budget=60, **options)
    given = cycle(answers)
    while items := study.ask(60):
        study.tell_all([(item, next(given)) for item in items])
    return study


@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-is", "yilmaz-bs", "oasis", "active-testing"])
def test_a_metric_that_no_label_moves_is_known(preset: str) -> None:
    """The log-loss at a score of ½ is log 2 whatever the label. Its limits had been nan."""
    found = asked(0.5, [0, 1], preset=preset).estimate("log_loss")
    assert found.value == pytest.approx(np.log(2))
    assert (found.variance, found.interval.low, found.interval.high) == (0, found.value, found.value)


@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-bs", "yilmaz-is"])
def test_no_variation_but_rounding_leaves_the_width_that_is_believed(preset: str) -> None:
    """Without a negative κ is 0 to fifteen digits: its interval had been as narrow, beside the value."""
    found = asked(np.linspace(0.1, 0.9, 17), [1], preset=preset).estimate("kappa")
    assert found.variance == 0
    assert found.interval.low <= found.value <= found.interval.high
    assert found.interval.width > 0.01


def test_decisions_of_one_class_have_no_correlation() -> None:
    """Model-assisted sums leave the other classes 1e-16 of the decisions, which had made a correlation of 1e-8."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(np.full((600, 3), 1 / 3), columns=["score_a", "score_b", "score_c"])
    pool = Pool.from_frame(frame, score="score_", task="multiclass")
    study = sv.create_study(pool, metric="accuracy", budget=60)
    while items := study.ask(10):
        study.tell_all([(item, rng.choice(["a", "b", "c"])) for item in items])
    assert np.isnan(study.estimate("mcc").value)
    assert "one class" in study.estimate("mcc").note
    for found in study.estimates():
        assert np.isnan(found.value) or found.interval.low <= found.value <= found.interval.high


@pytest.mark.parametrize("name", ["mcc", "kappa"])
def test_one_item_of_a_million_is_another_class(name: str) -> None:
    risk = np.array([1e-6, 1 - 1e-6, 0, 0, 0, 0, 1.0])  # TP, FP and FN of two classes
    assert METRICS[name].value(risk)[0] == pytest.approx(1)


@pytest.mark.parametrize("missed", [0, 0.5])
def test_nothing_right_has_no_gradient_and_no_warning(missed: float) -> None:
    risk = np.array([0, 0, 0.5, 0.5, missed, missed, 1.0])
    assert np.isnan(METRICS["macro_f1_of_means"].gradient(risk)).any()


def test_bands_are_never_narrower_than_limits() -> None:
    """Two components that move as one: the level of their band is drawn, and came out below."""
    factor = np.outer(np.random.default_rng(0).normal(size=30), [1.0, -1.0])
    levels = [simultaneous_level(factor, 0.9, np.random.default_rng(seed)) for seed in range(20)]
    assert min(levels) >= 0.9


def test_the_slope_of_a_confusion_matrix_fits_many_classes() -> None:
    """As a table of all its entries 200 classes took 13 GB."""
    pool, labels = multiclass(300, 4)
    even = np.concatenate([np.full(200**2, 1 / 200**2), np.full(200, 1 / 200), [1.0]])
    for metric in (METRICS["confusion"], confusion_shares):
        risk = metric.loss(pool.items, labels.values).mean(axis=0)
        assert metric.gradient(even).nnz == 2 * 200**2
        steps = 1e-6 * np.eye(len(risk))
        by_hand = [(metric.value(risk + step) - metric.value(risk - step)) / 2e-6 for step in steps]
        np.testing.assert_allclose(metric.gradient(risk).toarray(), np.transpose(by_hand), atol=1e-6)


def test_error_scales_of_0_throughout_tell_nothing() -> None:
    """Such scales claim certainty about every item, and had caused a division by 0."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"pred": rng.normal(10, 3, 200), "sd": 0.0})
    pool = Pool.from_frame(frame, pred="pred", error="sd", task="regression")
    study = sv.create_study(pool, metric="rmse", budget=30)
    while items := study.ask(10):
        study.tell_all([(item, rng.normal(10)) for item in items])
    found = study.estimate()
    assert 0 < found.interval.low < found.value < found.interval.high


def test_predictions_that_are_all_alike_say_nothing_of_their_errors() -> None:
    """Without a scale errors are taken to be as wide as predictions, which are then of no width."""
    pool = Pool.from_frame(pd.DataFrame({"pred": np.full(40, 3.0)}), pred="pred", task="regression")
    study = sv.create_study(pool, metric="rmse", budget=10, preset="queue")
    np.testing.assert_allclose(study.method.design.inclusion(study.state.problem, 10), 10 / 40)
    assert study.state.problem.profile.square.max() > 0
    assert len(study.ask(10)) == 10


def test_items_are_drawn_alike_whatever_the_last_digit_of_their_chances() -> None:
    """Once a third of alike items are left, another processor had drawn others, and refused the study as not its own."""
    pool = Pool.from_frame(pd.DataFrame({"pred": np.arange(60)}), pred="pred", task="regression")
    problem = sv.create_study(pool, metric="bias", budget=60, preset="marchant-is").state.problem
    cells, ulp, drawn = problem.cells, np.finfo(float).eps, set()
    for k in range(-6, 7):
        chances = np.full(60, 1 / 60) * (1 + k * ulp)
        proposal = Proposal(cells, cells.count, chances, np.arange(0), np.empty(0))
        found = draw(problem, proposal, (), 60)
        assert found is not None
        drawn.add((*found.queue.tolist(), *found.facts.count.tolist()))
    assert len(drawn) == 1


def test_systems_of_equal_value_leave_nothing_of_items_that_they_decide_alike() -> None:
    """Of the effects of two systems that cancel 1e-16 was left on some processors, which drew other items."""
    frame = pd.DataFrame({"old.score": [0.1, 0.9, 0.9], "new.score": [0.2, 0.8, 0.1]})
    pool, metric = Pool.from_frame(frame), resolve("accuracy[new - old]")
    ulp = np.finfo(float).eps
    for off in (1 - ulp, 1.0, 1 + ulp):
        risk = np.array([0.1, 0.13, 0.1 * off, 0.13])
        target = Aim((Linearised(metric, risk, 1.0),))
        for y in (0, 1):
            size, _ = target.deviation(pool.items, np.full(3, y))
            assert (size > 0).tolist() == [False, False, True]
