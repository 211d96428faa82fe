"""What the labels cannot tell is said, and nothing else."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study import all_known, caveats
from sampleval.study.conclusions.future import About
from tests.pools import binary
from tests.studies import holding

Oracle = Literal["deterministic", "stochastic"]


def test_caveats_name_the_classes_hardly_met() -> None:
    frame = pd.DataFrame(
        {f"score_{c}": np.full(60, share) for c, share in zip("abc", (0.6, 0.3, 0.1), strict=True)}
    )
    study = sv.create_study(sv.Pool.from_frame(frame), metric="macro_f1", budget=20, seed=1)
    for n, item in enumerate(study.ask(12)):
        study.tell(item.id, "c" if n < 2 else "ab"[n % 2])
    assert "Classes with fewer than 3 labels: 'c'." in "\n".join(caveats(study, study.estimates()))
    study.tell(study.ask(1)[0].id, "c")
    assert "Classes with fewer" not in "\n".join(caveats(study, study.estimates()))


@pytest.mark.parametrize("held", [0, 3])
def test_labels_known_beforehand_do_not_count_for_a_class_hardly_met(held: int) -> None:
    """They speak for themselves alone, and three of them silenced the warning."""
    frame = pd.DataFrame(
        {f"score_{c}": np.full(60, share) for c, share in zip("abc", (0.6, 0.3, 0.1), strict=True)}
    )
    before = {str(n): "c" for n in range(held)} or None
    study = sv.create_study(
        sv.Pool.from_frame(frame), metric="macro_f1", budget=20, preset="queue", seed=1, held=before
    )
    for n, item in enumerate(study.ask(12)):
        study.tell(item.id, "ab"[n % 2])
    beside = " beside those known beforehand" if held else ""
    assert f"Classes with fewer than 3 labels{beside}: 'c'." in "\n".join(caveats(study, study.estimates()))


def test_labels_held_of_every_item_are_known_and_counted() -> None:
    study = holding(40)
    said = caveats(study, study.estimates())
    assert not np.isnan(study.estimate().value)
    assert not any("nothing is known" in line for line in said)
    assert said[0].startswith("The results are about this pool, as scored")


@pytest.mark.parametrize("preset", ["queue", "recommended"])
def test_labels_held_of_some_items_are_spoken_of_where_no_other_is_known(preset: str) -> None:
    study = holding(20, preset=preset)
    assert study.estimate().note == "no answers yet, and labels known beforehand (20) are not enough"
    [said] = caveats(study, study.estimates())
    assert said == "Labels known beforehand: 20. No other item has one yet: nothing is known of the rest."


def test_caveats_name_waiting_answers_and_not_missing_labels() -> None:
    study = holding(0)
    study.tell(study.ask(3)[2], 1)
    [said] = caveats(study, study.estimates())
    assert said.startswith("1 answer waits for items before it that have no answer yet.")
    assert "They" not in said


def test_caveats_name_few_positives_silence_and_gaps() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 40)}))
    study = sv.create_study(pool, metric="f1", budget=20, seed=1)
    assert caveats(study, study.estimates("f1")) == ["No item has a label yet: nothing is known."]
    items = study.ask(5)
    for item, answer in zip([*items[:3], items[4]], [1, 0, sv.SKIP, 1], strict=True):
        study.tell(item, answer)
    said = "\n".join(caveats(study, study.estimates("f1")))
    assert "Only 1 positive among the labelled items: recall and F scores rest on so few." in said
    assert "unsure: 1." in said
    assert "1 answer waits for items before it" in said
    assert "The results are about this pool, as scored" in said
    assert "same source" in "\n".join(caveats(study, study.estimates("f1", about="future")))


@pytest.mark.parametrize(("preset", "told"), [("queue", True), ("uniform", False), ("stratified", False)])
def test_a_sample_that_no_metric_shaped_is_not_said_to_be_drawn_for_one(preset: str, told: bool) -> None:
    pool, labels = binary(60)
    study = sv.create_study(pool, metric="f1", budget=20, preset=preset, seed=1)
    study.answer(labels, 20)
    said = "\n".join(caveats(study, study.estimates()))
    assert ("The sample was drawn for the F1 score" in said) == told


def test_where_no_rejected_item_is_asked_nothing_is_said_of_rejected_ones() -> None:
    pool, labels = binary(60)
    study = sv.create_study(pool, metric="precision", budget=20, preset="queue", seed=1)
    study.answer(labels, 5)
    assert "rejects" not in "\n".join(caveats(study, study.estimates()))


@pytest.mark.parametrize(("labels", "heavy"), [(40, True), (60, False)])
def test_answers_that_speak_for_more_than_one_item_in_fifty_are_said_to_weigh_much(
    labels: int, heavy: bool
) -> None:
    pool, known = binary(200)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    study.answer(known, labels)
    assert ("Single answers weigh much" in "\n".join(caveats(study, study.estimates()))) == heavy


def test_caveats_of_a_sample_are_none_of_a_census() -> None:
    """Every item has its label: few positives, or another metric's sample, could change nothing."""
    frame = pd.DataFrame({"score": np.linspace(0.05, 0.95, 12), "label": [0, 0, 1] * 4})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=12, seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 11)
    assert "rest on so few" in "\n".join(caveats(study, study.estimates()))
    study.answer(sv.Labels.from_frame(frame, pool), 1)
    said = "\n".join(caveats(study, study.estimates()))
    assert "rest on so few" not in said
    assert "drawn for" not in said
    assert "The results are about this pool, as scored" in said


def test_an_item_without_a_label_is_not_said_to_weigh_much() -> None:
    """The heaviest item had been skipped, and a wrong label there was said to move the result."""
    pool, _ = binary(60)
    study = sv.create_study(pool, metric="accuracy", budget=5, preset="uniform", seed=1)
    study.tell_all((item, sv.SKIP) for item in study.ask(5))
    assert "weigh" not in "\n".join(caveats(study, study.estimates()))


@pytest.mark.parametrize("about", ["pool", "future"])
def test_a_census_is_no_sample_that_was_drawn_for_a_metric(about: About) -> None:
    """Draws with replacement gave one item the weight of two, although each label then counts once."""
    pool, labels = binary(60)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="marchant-is", seed=0)
    study.answer(labels, 60)
    said = "\n".join(caveats(study, study.estimates(about=about)))
    assert all_known(study.state)
    assert "speaks for" not in said
    assert "drawn for" not in said


def test_the_classifier_is_not_said_to_miss_any_where_all_rejected_items_are_labelled() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.1] * 12 + [0.9] * 48}))
    study = sv.create_study(pool, metric="recall", budget=60, preset="uniform", seed=1)
    rejected = 0
    for item in study.ask(60):
        study.tell(item, int(item.id) % 2 if int(item.id) >= 12 else 0)
        rejected += int(item.id) < 12
        said = "\n".join(caveats(study, study.estimates(["accuracy"])))
        assert ("That does not show that the model misses none" in said) == (0 < rejected < 12)


def test_what_is_undefined_for_good_is_told_from_what_is_not_known() -> None:
    """Recall was "undefined", without a reason, where all items that the sample asks for precision have their label."""
    frame = pd.DataFrame({"a": [0.3] * 40, "b": [0.2] * 20 + [0.8] * 20})
    pool = sv.Pool.from_frame(frame, system={"a": {"score": "a"}, "b": {"score": "b"}})
    study = sv.create_study(pool, metric="precision[b]", budget=20, preset="queue", seed=1)
    study.tell_all((item, 1) for item in study.ask(20))
    said = caveats(study, study.estimates(["precision", "recall"]))
    assert said[0] == "Undefined: Precision; no labelled item is predicted positive."
    assert said[1].startswith("Not known: Recall (sensitivity); the sample was drawn for")


@pytest.mark.parametrize("oracle", ["deterministic", "stochastic"])
def test_labels_are_assumed_to_be_right_unless_each_is_one_of_many(oracle: Oracle) -> None:
    pool, labels = binary(60)
    study = sv.create_study(pool, metric="f1", budget=20, preset="marchant-is", oracle=oracle, seed=1)
    study.answer(labels, 20)
    said = "\n".join(caveats(study, study.estimates()))
    assert ("Labels are assumed to be right" in said) == (oracle == "deterministic")


@pytest.mark.parametrize(
    ("labels", "held", "said"),
    [(50, 0, "4.5%"), (100, 0, "2.3%"), (50, 200, "1.5%"), (299, 0, "0.33%"), (300, 0, "")],
)
def test_gross_errors_that_no_label_met_are_allowed_for_in_words(labels: int, held: int, said: str) -> None:
    """Limits of MSE and R² held in none of the studies that met none of one gross error in 250, and half of these said nothing.

    Only items without a label may have such errors: of 300 with 299 labels, one.
    """
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"pred": rng.normal(size=300)})
    frame["label"] = frame["pred"] + rng.normal(0, 0.3, 300)
    pool = sv.Pool.from_frame(frame, task="regression", label="label")
    known = {str(k): float(label) for k, label in enumerate(frame["label"].head(held))}
    study = sv.create_study(pool, metric="mse", budget=labels, preset="uniform", seed=1, held=known)
    study.answer(sv.Labels.from_frame(frame, pool), labels)
    lines = [line for line in caveats(study, study.estimates()) if "gross errors" in line]
    assert len(lines) == bool(said)
    assert all(
        f"Up to {said} of the items may have gross errors that none of the labels shows" in line
        for line in lines
    )


@pytest.mark.parametrize(
    ("held", "answer", "oracle"), [(20, sv.SKIP, "deterministic"), (29, 1.0, "stochastic")]
)
def test_gross_errors_are_not_told_of_without_an_answer_or_once_each_item_has_a_label(
    held: int, answer: Any, oracle: Oracle
) -> None:
    """With an oracle whose answers differ, no number of labels makes a census."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(0, 1, 30)}), task="regression")
    known = {str(k): k / 30 for k in range(held)}
    study = sv.create_study(
        pool, metric="mse", budget=4, preset="marchant-is", oracle=oracle, seed=1, held=known
    )
    while items := study.ask(4):
        study.tell_all((item, answer) for item in items)
    assert not any("gross errors" in line for line in caveats(study, study.estimates()))
