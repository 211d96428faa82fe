"""What the methods paragraph says was done is what was done."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import events, report
from sampleval.designs import DESIGNS, Uniform
from sampleval.estimators import ModelAssisted
from sampleval.presets import AXES, Method, misfit
from sampleval.study import agreed, agreement, shared
from sampleval.surrogates import SURROGATES
from tests.pools import binary, calibrated, multiclass
from tests.studies import holding


def methods_of(**options: Any) -> str:
    """The methods paragraph of a study of spam with these settings."""
    study = sv.create_study(binary(120)[0], metric="f1", budget=20, seed=3, **options)
    return report.methods(study, study.estimate())


@pytest.fixture(scope="module")
def study() -> sv.Study:
    """Fifty of the sixty labels allowed, of a pool of 400 items."""
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=60, seed=2, preset="queue")
    study.answer(labels, 50)
    return study


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"preset": "queue"}, "This is the preset “queue” (Duffield"),
        ({"preset": "queue", "interval": "anytime"}, "This is the preset “queue” (Duffield"),
        (
            {"preset": "queue", "design": "poisson", "shrinkage": 0.5},
            "It began as the preset “queue”, with other settings.",
        ),
        ({"preset": "queue", "defensive": 0.1}, "It began as the preset “queue”, with other settings."),
        ({}, "This is the preset “recommended” (sampleval)."),
        ({"design": "uniform"}, ""),
    ],
)
def test_a_study_is_called_a_preset_only_where_it_is_one(options: dict[str, Any], expected: str) -> None:
    said = methods_of(**options)
    assert expected in said
    assert said.count("the preset") == bool(expected)


def test_a_metric_with_kinks_is_told_to_be_resampled() -> None:
    pool, labels = binary(120)
    study = sv.create_study(pool, metric="ece", budget=60, preset="queue", seed=3)
    study.answer(labels, 60)
    estimate = study.estimate()
    assert estimate.interval.method == "resampled"
    said = report.methods(study, estimate)
    assert "its spread by a multiplier bootstrap. Intervals are resampled, from the basic bootstrap" in said
    assert "delta method" not in said
    assert "its variance by the delta method. Intervals are Korn" in report.methods(
        study, study.estimate("f1")
    )


def test_limits_for_future_items_are_said_to_take_in_the_pools_own_variance() -> None:
    pool, labels = binary(120)
    study = sv.create_study(pool, metric="f1", budget=60, seed=3)
    study.answer(labels, 60)
    taken_in = "including the sampling variance of the pool itself."
    assert taken_in in report.methods(study, study.estimate(about="future"))
    assert taken_in not in report.methods(study, study.estimate())


def test_what_was_expected_of_a_label_is_told_only_where_it_decided_whom_to_ask() -> None:
    for preset, told in (("uniform", False), ("stratified", False), ("queue", True), ("recommended", True)):
        assert ("The label to expect of each item" in methods_of(preset=preset)) == told
    with_repeats = methods_of(design=Uniform(replacement=True), estimator="importance-sampling")
    assert "equal chances, with replacement; random seed 3." in with_repeats
    assert "equal chances, without replacement; random seed 3." in methods_of(preset="uniform")


def test_answers_are_told_with_their_days_and_apart_from_those_that_are_no_labels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = sv.create_study(binary()[0], metric="f1", budget=20, preset="queue", seed=3)
    said = []
    for day, item, answer in zip((1, 2, 4), study.ask(3), ("spam", sv.UNSURE, "ham"), strict=True):
        clock = SimpleNamespace(now=partial(datetime, 2026, 5, day, 12, 0, 0, 0))
        monkeypatch.setattr(events, "datetime", clock)
        study.tell(item, answer, annotator="ann")
        said.append(report.methods(study, study.estimate()))
    assert "Of 20 answers allowed, 1 was given by ann on 2026-05-01 (UTC)." in said[0]
    told = "3 were given (0 skipped, 1 unsure) by ann between 2026-05-01 and 2026-05-04 (UTC)."
    assert told in said[-1]
    study.tell(study.item(1), sv.SKIP)
    assert "3 were given (1 skipped, 0 unsure)" in report.methods(study, study.estimate())


def test_how_often_annotators_agree_is_told_in_a_report_as_on_the_pages() -> None:
    """It said that intervals do not include disagreement, and not that one answer in four was such."""
    study = sv.create_study(binary()[0], metric="f1", budget=20, preset="queue", seed=3)
    items = study.ask(4)
    study.tell_all([(item, "ham") for item in items], annotator="ann")
    assert "Several people" not in report.methods(study, study.estimate())
    study.tell_all([(item, "ham") for item in items[:3]], annotator="bob")
    both = report.methods(study, study.estimate())
    assert "given by ann (4), bob (3) on " in both
    assert "answered 3 items, 3 of them alike: 100% (90% interval 37% to 100%). No estimate" in both
    study.tell(items[3], "spam", annotator="bob")
    said = f"{agreed(agreement(shared(study.state)))} Where they differ, the last answer counts."
    assert "answered 4 items, 3 of them alike: 75%" in said
    assert said in report.methods(study, study.estimate())


def test_a_sample_of_random_size_is_told_with_its_own_size_beside_the_expected_one() -> None:
    """It said "Of 60 answers allowed, 61 were given"."""
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=60, seed=2, preset="yilmaz-bs")
    assert "Of 60 answers allowed, 0 were given." in report.methods(study, study.estimate())
    study.answer(labels, 20)
    drawn = len(study.state.queue)
    told = f"Of {drawn} answers asked for, a number set by chance (60 expected), 20 were given by oracle"
    assert drawn != 60
    assert told in report.methods(study, study.estimate())


def test_options_that_change_what_is_done_change_what_is_said() -> None:
    assert "here all in one round" in methods_of(preset="marchant-is")
    assert "was taken from the scores as they are." in methods_of(preset="marchant-is")
    for preset, depth in (("marchant-flat", 1), ("marchant-tree", 8)):
        said = methods_of(preset=preset)
        assert f"a Dirichlet tree of depth {depth} (Marchant" in said
        assert "in one round" not in said


NUMBERS = pd.DataFrame({"pred": np.linspace(0, 9, 40)})


@pytest.mark.parametrize(
    ("frame", "metric", "preset", "holds", "expected"),
    [
        (
            NUMBERS,
            "mae",
            "queue",
            "predictions",
            "was taken from the predictions, with errors alike for all.",
        ),
        (
            NUMBERS.assign(pred_sd=np.linspace(1, 2, 40)),
            "mae",
            "yilmaz-bs",
            "predictions",
            "was taken from the expected errors, trusted with λ = 0.9 and shrunk towards their mean.",
        ),
        (
            pd.DataFrame({"pred": ["ham", "ham", "spam", "ham"] * 10}),
            "accuracy",
            "queue",
            "decisions",
            "was taken from the decisions, trusted with λ = 0.9 and shrunk towards their mean.",
        ),
        (
            pd.DataFrame({"score_a": 0.5, "score_b": 0.3, "score_c": np.full(40, 0.2)}),
            "accuracy",
            "yilmaz-bs",
            "scores and decisions",
            "was taken from the scores, trusted with λ = 0.9 and shrunk towards equal chances of all classes.",
        ),
    ],
)
def test_what_was_trusted_is_called_what_it_is(
    frame: pd.DataFrame, metric: str, preset: str, holds: str, expected: str
) -> None:
    study = sv.create_study(sv.Pool.from_frame(frame), metric=metric, budget=10, preset=preset, seed=3)
    said = report.methods(study, study.estimate())
    assert f"items with the model's {holds} (SHA-256" in said
    assert f"The label to expect of each item {expected}" in said


def test_no_blind_design_goes_with_an_estimator_that_adds_what_is_believed() -> None:
    """Otherwise the belief would decide the estimate, and the report would have to say so."""
    for blind in (design for design in DESIGNS.values() if design.blind):
        for estimator in AXES["estimator"].values():
            for surrogate in SURROGATES.values():
                method = Method(surrogate(), blind(), estimator())
                assert misfit(method) or not method.adds_belief


@pytest.mark.parametrize("preset", ["queue", "uniform"])
def test_the_methods_tell_of_corrected_means_over_classes_below_another_main_metric(preset: str) -> None:
    """The paragraph of accuracy was silent about the macro-F1 in the same table."""
    pool, labels = multiclass(60)
    study = sv.create_study(pool, metric="accuracy", preset=preset, budget=10, seed=1)
    study.answer(labels, 10)
    said = report.methods(study, study.estimate())
    assert "means over classes with a correction for the bias of ratios" in said
    assert ("one for unequal weights" in said) == (preset == "queue")


def test_methods_name_what_was_done(study: sv.Study) -> None:
    said = report.methods(study, study.estimate("f1"))
    for part in (
        "400 items",
        "priority sampling",
        "seed 2",
        "50 were given by oracle",
        "Korn–Graubard",
        "90%",
    ):
        assert part in said


def test_methods_of_the_recommended_preset_are_its_own(study: sv.Study) -> None:
    recommended = sv.create_study(study.pool, metric="f1", budget=60, seed=2, preset="recommended")
    recommended.tell_all([(item, item.place % 2) for item in recommended.ask(5)])
    said = report.methods(recommended, recommended.estimate("f1"))
    assert "posterior draws of the calibration curve" in said
    assert "delta method" not in said
    assert "confidence sequence" not in said
    any_look = recommended.estimate("accuracy", interval="anytime", level=0.995)
    assert "pressed below 0.5% of what" in report.methods(recommended, any_look)
    assert "at the 99.5% level" in report.methods(recommended, any_look)


@pytest.mark.parametrize(("random", "given"), [(False, "those asked for"), (True, "all labels")])
def test_the_methods_say_from_which_labels_the_others_are_predicted(random: bool, given: str) -> None:
    """Labels that somebody picked teach nothing."""
    pool, labels = binary(60)
    held = dict(list(labels.by_id(pool).items())[:9])
    study = sv.create_study(pool, metric="f1", budget=20, held=held, held_random=random)
    study.answer(labels, 10)
    said = report.methods(study, study.estimate())
    assert f"say, given {given}" in said
    assert ("so that what chose them biases no estimate" in said) is not random
    lead = "from 10 answers and 9 labels known beforehand in a pool of 60 items"
    assert lead in report.html(study)


def test_methods_say_how_the_first_round_enters() -> None:
    pool, known = multiclass()
    for estimator, said in ((None, True), (ModelAssisted(), False)):
        study = sv.create_study(pool, metric="accuracy", budget=60, preset="recommended", estimator=estimator)
        study.answer(known, 60)
        words = report.methods(study, study.estimate("accuracy"))
        assert "difference estimator" in words
        assert ("as a ratio to their weights" in words) == said


@pytest.mark.parametrize("preset", ["queue", "recommended"])
def test_the_methods_paragraph_mentions_only_what_was_done(preset: str) -> None:
    study = holding(0, preset=preset)
    assert " No estimate is given: no labels yet. Computed with" in report.methods(study, study.estimate())
    for item in study.ask(5):
        study.tell(item, sv.SKIP)
    skipped = report.methods(study, study.estimate())
    assert "No estimate is given: no labels yet." in skipped
    assert "Intervals are" not in skipped
    census = holding(40, preset=preset)
    counted = report.methods(census, census.estimate())
    assert "metrics were counted over the pool, not estimated. Computed with" in counted
    assert "delta method" not in counted
    future = report.methods(census, census.estimate(about="future"))
    assert "not estimated. Intervals are Korn–Graubard" in future
    assert "future items from the source" in future


def test_the_methods_say_why_there_is_no_estimate_or_no_interval() -> None:
    study = holding(0, preset="queue")
    for item in study.ask(3):
        study.tell(item, 0)
    said = report.methods(study, study.estimate("recall"))
    assert "No estimate is given: no positive is among the labels yet. Computed with" in said
    assert "Intervals are" not in said
    numbers = sv.create_study(sv.Pool.from_frame(NUMBERS), metric="mae", budget=9, preset="queue")
    numbers.tell(numbers.ask(1)[0], 3.0)
    said = report.methods(numbers, numbers.estimate())
    assert "No interval is given: the variance cannot be estimated yet. Computed with" in said
    assert "Intervals are" not in said


@pytest.mark.parametrize("preset", ["queue", "marchant-tree"])
def test_not_every_item_is_said_to_be_labelled_where_those_that_matter_are(preset: str) -> None:
    """All items predicted negative have a label: so no positive can be missed beyond those known."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.1] * 4 + [0.9] * 26}))
    study = sv.create_study(pool, metric="recall", budget=28, preset=preset, seed=1)
    while items := study.ask(28):
        study.tell_all((item, int(int(item.id) >= 4)) for item in items)
    main = study.estimate()
    assert (main.interval.width, len(study.known_labels())) == (0, 28)
    assert "every item is labelled" not in report.methods(study, main)


def test_no_item_is_said_to_be_labelled_where_the_predictions_tell_the_metric() -> None:
    numbers = np.linspace(0, 1, 20)
    frame = pd.DataFrame({"a.pred": numbers, "b.pred": numbers**2})
    pool = sv.Pool.from_frame(frame, task="regression")
    study = sv.create_study(pool, metric="bias[a - b]", budget=9)
    said = report.methods(study, study.estimate())
    assert "No label is needed: the predictions tell it exactly." in said
    assert "has a label" not in said


@pytest.mark.parametrize("preset", ["queue", "yilmaz-is"])
def test_what_may_be_answered_otherwise_is_not_said_to_be_certain(preset: str) -> None:
    """Labels known beforehand widen the limits then, each by its own loss, and yet were called certain."""
    pool, labels = binary(60)
    held = dict(list(labels.by_id(pool).items())[:10])
    options: dict[str, Any] = {"metric": "f1", "budget": 20, "preset": preset, "held": held}
    for oracle in ("deterministic", "stochastic"):
        study = sv.create_study(pool, oracle=oracle, **options)
        study.answer(labels, 20)
        said = report.methods(study, study.estimate())
        certain = oracle == "deterministic"
        assert ("Taken as certain: 10 labels known beforehand" in said) == certain
        one = "Taken for one of the answers that their items could get: 10 labels known beforehand"
        assert (one in said) != certain
        assert ("another answer may differ" in said) != certain
