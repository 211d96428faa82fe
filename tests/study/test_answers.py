"""Telling: answers, corrections, undo and skips, and what is refused and not kept."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.events import Answered
from sampleval.metrics import resolve, within
from tests.pools import binary, scored
from tests.studies import POOL, TRUTH, answered, begun


def test_a_second_answer_corrects_the_first() -> None:
    study = begun()
    (item,) = study.ask(1)
    study.tell(item, "ham")
    study.tell(item, "spam", annotator="ada")
    assert study.known_labels() == {item.id: "spam"}
    assert study.labels == 1
    study.undo(annotator="ada")
    assert study.known_labels() == {item.id: "ham"}
    assert study.labels == 1
    assert study.undo(annotator="ada") is None


def test_a_repeated_uuid_is_one_answer() -> None:
    study = begun()
    (item,) = study.ask(1)
    for _ in range(3):
        study.tell(item, "spam", uuid="same")
    study.ask(2)
    assert study.labels == 1
    assert sum(isinstance(e.what, Answered) for e in study.events()) == 1
    taken = study.undo(uuid="undo")
    assert taken is not None
    assert study.undo(uuid="undo") is None
    assert study.labels == 0


def test_a_repeated_uuid_takes_back_one_answer() -> None:
    study = answered(begun(), 2)
    assert study.undo(uuid="undo") is not None
    assert study.undo(uuid="undo") is None
    assert study.labels == 1


def test_answers_out_of_order_wait() -> None:
    study = begun(design="uniform")
    items = study.ask(4)
    for item in items[1:]:
        study.tell(item, TRUTH[item.id])
    waiting = study.estimate("accuracy")
    assert math.isnan(waiting.value)
    assert study.state.given.run_length == 0
    study.tell(items[0], TRUTH[items[0].id])
    found = study.estimate("accuracy")
    assert found.labels == 4
    assert "out of order" not in found.note
    study.ask(8)
    study.tell(study.item(6).id, "spam")
    assert "answers that wait for items before them: 1" in study.estimate("accuracy").note


def test_a_run_ends_where_the_answers_do() -> None:
    """Items that were asked and have no answer yet are not skipped ones."""
    study = answered(begun(), 5)
    study.ask(12)
    for most in (5, 8, 99):
        run = study.run(most)
        assert run is not None
        assert len(run.items) == 5


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "wrong", ["no-such-id", "item-999", sv.Item("item-000", 99, {}), sv.Item("x", 0, {}), 5, None]
)
def test_an_item_that_was_not_asked_is_refused(wrong: Any) -> None:
    study = begun()
    study.ask(2)
    with pytest.raises(sv.InputError, match="must be an item that was asked"):
        study.tell(wrong, "spam")
    assert study.labels == 0


def test_a_queued_item_that_was_not_handed_out_is_refused() -> None:
    study = begun()
    study.ask(2)
    later = str(POOL.ids[study.state.queue[5]])
    with pytest.raises(sv.InputError, match="was asked"):
        study.tell(later, "spam")


@pytest.mark.parametrize("label", ["eggs", 2, None, float("nan"), ["spam"], {"spam": 1}, b"\xff", ""])
def test_a_label_that_does_not_fit_is_refused_and_nothing_kept(label: Any) -> None:
    study = begun()
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match="`label`"):
        study.tell(item, label)
    with pytest.raises(sv.InputError, match="`label`"):
        study.tell_all([(item, "spam"), (item, label)])
    assert study.labels == 0


@pytest.mark.parametrize("nothing", [None, math.nan, np.float32("nan"), pd.NA, pd.NaT])
def test_no_label_is_refused_with_what_to_tell_instead(nothing: Any) -> None:
    study = sv.create_study(POOL, metric="f1", budget=4)
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match=f"`label` must not be missing.*tell UNSURE.*id '{item.id}'"):
        study.tell(item, nothing)


def test_a_label_refused_among_many_is_named_by_its_id() -> None:
    study = begun()
    one, two = study.ask(2)
    with pytest.raises(sv.InputError, match=rf"`label` must be .*; got 'maybe'.* \(id '{two.id}'\)"):
        study.tell_all([(one, "spam"), (two, "maybe")])
    held = {one.id: "spam", two.id: "maybe"}
    for use in (begun, partial(sv.plan, POOL, metric="f1", budget=3)):
        with pytest.raises(sv.InputError, match=rf"`held` must be .*; got 'maybe'.* \(id '{two.id}'\)"):
            use(held=held)


@pytest.mark.parametrize(
    ("option", "value"),
    [("annotator", "a\0b"), ("annotator", "x" * 201), ("annotator", None), ("uuid", "x" * 65), ("uuid", ""), ("uuid", 5),
     ("seconds", float("nan")), ("seconds", -5), ("seconds", "3"), ("annotator", "\ud800")],
)  # fmt: skip
def test_an_annotator_a_uuid_or_a_time_that_cannot_be_is_refused_and_nothing_kept(
    option: str, value: Any
) -> None:
    study = begun()
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match=f"`{option}`"):
        study.tell(item, "spam", **{option: value})
    assert study.labels == 0


@pytest.mark.parametrize("answers", [None, 5, "ab", {"ab"}, ["ab"], [("item-000",)], [5]])
def test_answers_that_are_no_pairs_are_refused(answers: Any) -> None:
    study = begun()
    study.ask(12)
    with pytest.raises(sv.InputError, match="`answers` must be pairs"):
        study.tell_all(answers)
    assert study.labels == 0


def test_a_mapping_of_ids_to_labels_is_as_good_as_pairs() -> None:
    by_id, by_pair = begun(), begun()
    given = {item.id: TRUTH[item.id] for item in by_id.ask(12)}
    by_pair.ask(12)
    by_id.tell_all(given)
    by_pair.tell_all(given.items())
    assert by_id.known_labels() == by_pair.known_labels() == given


@pytest.mark.parametrize(
    ("answers", "remedy"),
    [
        (pd.Series({"item-000": "spam"}), r"if its index holds the ids, pass its items\(\)"),
        (pd.DataFrame({"id": ["item-000"], "label": ["spam"]}), r"pass zip\(ids, labels\) of two of its columns"),
        (["item-000"], r"e\.g\. .*zip\(ids, labels\)"),
    ],
)  # fmt: skip
def test_tables_of_answers_are_refused_with_what_to_pass(answers: Any, remedy: str) -> None:
    study = begun()
    study.ask(12)
    with pytest.raises(sv.InputError, match=remedy):
        study.tell_all(answers)
    assert study.labels == 0


@pytest.mark.parametrize("wrap", [list, tuple, np.array, pd.Series])
def test_many_ids_told_as_one_are_referred_to_tell_all(wrap: Any) -> None:
    study = begun()
    ids = [item.id for item in study.ask(3)]
    with pytest.raises(
        sv.InputError, match=r"must be one item or id; .* call tell_all\(zip\(ids, labels\)\)"
    ):
        study.tell(wrap(ids), ["spam"] * 3)
    assert study.labels == 0


@pytest.mark.parametrize("option", ["annotator", "answer", "uuid"])
@pytest.mark.parametrize("value", [["a"], {}, 5])
def test_names_in_an_undo_that_are_none_are_refused(option: str, value: Any) -> None:
    study = answered(begun(), 2)
    with pytest.raises(sv.InputError, match=f"`{option}` must be text"):
        study.undo(**{option: value})
    assert study.labels == 2


# ---------------------------------------------------------------- skips


def test_skips_cost_budget_and_widen_the_interval() -> None:
    full, gappy = begun(metric="accuracy", design="uniform"), begun(metric="accuracy", design="uniform")
    answered(full, 12)
    for k, item in enumerate(gappy.ask(12)):
        gappy.tell(item, sv.SKIP if k in (2, 5) else TRUTH[item.id])
    assert gappy.labels == 12
    assert gappy.ask(1) == []
    assert gappy.estimate("accuracy").interval.width > full.estimate("accuracy").interval.width
    assert "items without an answer: 2" in gappy.estimate("accuracy").note
    skipped = np.isin(gappy.pool.ids, [gappy.item(2).id])
    part, rest = (within(resolve("accuracy"), members, "x") for members in (skipped, ~skipped))
    assert "items without an answer: 1" in gappy.estimate(part).note
    assert "items without an answer: 1" in gappy.estimate(rest).note


@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-online-bs"])
def test_where_all_items_were_asked_only_the_answers_not_given_are_open(preset: str) -> None:
    # With every decision right and one answer missing the interval was the whole range.
    pool, _ = binary(30)
    study = sv.create_study(pool, metric="accuracy", budget=30, preset=preset)
    while items := study.ask(30):
        for item in items:
            right = int(pool.pred[pool.position(item.id)])
            study.tell(item, sv.SKIP if item.place == 7 else right)
    interval = study.estimate().interval
    assert [interval.low, interval.high] == pytest.approx([29 / 30, 1.0])


@pytest.mark.parametrize("preset", ["uniform", "queue", "yilmaz-online-bs"])
def test_what_is_skipped_is_filled_in_with_what_the_labels_given_say_of_the_scores(
    preset: str, rng: np.random.Generator
) -> None:
    """Scores that the labels had shown to be too high had been used for skipped labels unchanged."""
    frame = scored(400, classes=("no", "yes"))
    frame["score"] = np.minimum(frame["score"] + 0.3, 1)
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    truth = dict(zip(frame["id"], frame["label"], strict=True))
    errors = []
    for seed in range(10):
        study = sv.create_study(pool, metric="f1", budget=120, seed=seed, preset=preset)
        while items := study.ask(120):
            study.tell_all([(item, sv.SKIP if rng.random() < 0.5 else truth[item.id]) for item in items])
        errors.append(study.estimate("positives").value - (frame["label"] == "yes").sum())
    assert abs(np.mean(errors)) < 20
