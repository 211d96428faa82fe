"""The pool: what it recognises, what it keeps, what it refuses, and that labels stay outside."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import re
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sampleval import _checks, frames
from sampleval._checks import InputError, Text, unique
from sampleval.metrics import for_kind
from sampleval.planning import plan
from sampleval.pool import (
    Columns,
    Kind,
    Labels,
    Pool,
    Task,
    decode_label,
    encode_label,
    guess_columns,
)
from sampleval.pool.answer_columns import unknown_in_words
from sampleval.pool.columns import Told
from sampleval.pool.guessing import plausible_transforms, positive_name, possible_ids, possible_labels
from sampleval.pool.tables import read_frame
from sampleval.study import create_study


def binary(size: int = 6, **columns: Any) -> pd.DataFrame:
    """A sound binary frame; keywords replace or add columns."""
    frame = {
        "id": [f"a{k}" for k in range(size)],
        "score": np.linspace(0.0, 1.0, size) if size > 1 else [0.3],
        "label": np.arange(size) % 2,
        "text": [f"text {k}" for k in range(size)],
    }
    return pd.DataFrame(frame | columns)


# ---------------------------------------------------------------- recognition


def test_binary_frame_is_understood_and_reported() -> None:
    pool = Pool.from_frame(binary())
    assert pool.task == Task("binary", ("0", "1"))
    assert pool.ids.tolist() == ["a0", "a1", "a2", "a3", "a4", "a5"]
    assert pool.score.tolist() == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert pool.pred.tolist() == [0, 0, 0, 1, 1, 1]
    assert list(pool.fields.columns) == ["text"]
    words = " ".join(pool.report)
    for part in (
        "6 items",
        "`score`",
        "exactly 0: 1, exactly 1: 1",
        "score ≥ 0.5",
        "3 of 6 items (50%) predicted positive",
        "`text`",
        "`label`",
    ):
        assert part in words


def test_a_similarity_is_the_score_of_pairs_unless_there_is_another() -> None:
    pairs = binary().rename(columns={"score": "similarity"})
    pool = Pool.from_frame(pairs)
    assert pool.score.tolist() == pairs["similarity"].tolist()
    assert "similarity" not in pool.fields
    scored = Pool.from_frame(pairs.assign(score=0.5))
    assert set(scored.score) == {0.5}
    assert "similarity" not in scored.fields


@pytest.mark.parametrize("name", ["ticket_id", "id_ticket", "Ticket ID", "ticketId", "ticketID"])
def test_a_column_whose_name_says_of_what_it_is_the_id_is_taken(name: str) -> None:
    tickets = [f"T{k}" for k in range(6)]
    pool = Pool.from_frame(binary().drop(columns="id").assign(**{name: tickets}))
    assert pool.ids.tolist() == tickets
    assert name not in pool.fields
    assert f"Ids: column `{name}`." in pool.report


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("paid", [f"T{k}" for k in range(6)]),
        ("user_id", ["u1", "u1", "u2", "u3", "u4", "u5"]),
        ("user_id", ["u1", None, "u2", "u3", "u4", "u5"]),
        ("user_id", [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]),
        ("user_id", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
    ],
)
def test_a_column_that_cannot_tell_the_items_apart_is_no_id(name: str, cells: list[Any]) -> None:
    pool = Pool.from_frame(binary().drop(columns="id").assign(**{name: cells}))
    assert pool.ids.tolist() == [*"012345"]


def test_a_column_that_repeats_itself_early_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(ids: Text, name: str) -> Text:
        read.append(len(ids))
        return unique(ids, name)

    monkeypatch.setattr(_checks, "unique", counted)
    frame = pd.DataFrame({"user_id": ["u1", "u1"] * 3_000, "ticket_id": np.arange(6_000)})
    assert possible_ids(frame, set()) == ["ticket_id"]
    assert read == [1_000, 1_000, 6_000]


def test_of_two_columns_that_could_be_the_id_none_is_taken_and_the_report_says_so(tmp_path: Path) -> None:
    frame = binary().assign(order_id=range(6), ticket_id=[*"uvwxyz"])
    assert Pool.from_frame(frame).columns.id == "id"
    both = Pool.from_frame(frame.drop(columns="id"))
    assert both.ids.tolist() == [*"012345"]
    assert "`order_id`, `ticket_id` could each be the id: name one." in both.report
    assert Pool.from_frame(frame.drop(columns="id"), id="order_id").columns.fields == ("text", "ticket_id")
    path = tmp_path / "tickets.csv"
    frame.drop(columns=["id", "order_id"]).to_csv(path, index=False)
    assert Pool.read(path, fields=["text"]).ids.tolist() == [*"uvwxyz"]


@pytest.mark.parametrize("index", ["", "index", "Unnamed: 0"])
def test_row_numbers_do_not_replace_an_id_that_repeats_itself(index: str, tmp_path: Path) -> None:
    """Such an id had been replaced by the index that pandas saves beside it."""
    path = tmp_path / "pool.csv"

    def read(ids: list[str], name: str = "id") -> Pool:
        binary().assign(**{name: ids}).drop(columns={"id"} - {name}).to_csv(path, index_label=index)
        return Pool.read(path)

    with pytest.raises(InputError, match="`id` must be different in every row; got '1E1' in line 3"):
        read(["1E1", "1E1", *"cdef"])
    assert read(["1E1", *"bcdef"], "customer_id").ids.tolist() == ["1E1", *"bcdef"]
    assert read([*"aabcde"], "customer_id").ids.tolist() == [*"012345"]


@pytest.mark.parametrize(
    "name",
    [
        "P(Mideast)",
        "P(Mideast) v2.3",
        "Pr(Mideast | text)",
        "prob [Mideast]",
        "p(y=Mideast)",
        "P(Mideast) (%)",
    ],
)
def test_a_probability_written_as_in_a_textbook_is_a_score(name: str) -> None:
    frame = pd.DataFrame({"text": [*"tuvwxy"], name: binary()["score"], "Model decision": ["no", "yes"] * 3})
    guess = guess_columns(frame)
    assert [(own.score, own.pred) for own in guess.systems] == [((name,), ("Model decision",))]
    assert (guess.fields, positive_name(guess)) == (("text",), "Mideast")


def test_versions_of_one_probability_are_two_columns() -> None:
    frame = (
        binary(label=[0, 1] * 3)
        .drop(columns="score")
        .assign(**{f"P(spam) v2.{k}": binary()["score"] for k in (2, 3)})
    )
    assert [own.score for own in guess_columns(frame).systems] == [("P(spam) v2.2",), ("P(spam) v2.3",)]


@pytest.mark.parametrize("index", ["", "index", "Unnamed: 0", "Unnamed: 0.1"])
def test_saved_row_numbers_are_never_shown_as_a_field(index: str, tmp_path: Path) -> None:
    """The index that pandas saves had been shown while labelling, and offered first among the parts to compare."""
    path = tmp_path / "pool.csv"
    frame = binary(text=[*"tuvwxy"])
    for label in (index, ""):  # saved, read and saved again
        frame.to_csv(path, index_label=label)
        frame = pd.read_csv(path)
        pool = Pool.read(path)
        assert (pool.columns.id, pool.columns.fields) == ("id", ("text",))
    assert Pool.read(path, fields=[pool.columns.hidden[0]]).columns.fields == pool.columns.hidden[:1]
    named = binary(text=[*"tuvwxy"], index=["DAX", "DAX", "FTSE"] * 2)
    assert Pool.from_frame(named).columns.fields == ("text", "index")


def test_an_id_that_repeats_itself_is_told_beside_another() -> None:
    pool = Pool.from_frame(binary(id=[*"aabcde"]).assign(row_id=range(6)))
    assert pool.ids.tolist() == [*"012345"]
    assert "`id` has repeated values: the id is `row_id`." in pool.report


def test_ids_are_text_or_the_numbers_they_were_read_from() -> None:
    pool = Pool.from_frame(binary(id=[3, 5, 7, 11, 13, 17]))
    assert [pool.position(id) for id in (3, 3.0, np.int64(3), "3", b"3") if id in pool] == [0] * 5
    assert not any(id in pool for id in (4, 3.5, "3.0", None, True))
    with pytest.raises(InputError, match="`id` must be one value per cell, not a list"):
        assert [3] not in pool


def test_items_and_positions_agree_with_the_frame() -> None:
    pool = Pool.from_frame(binary(id=[7, 8, 9, 10, 11, 12]))
    assert pool.size == len(pool) == len(pool.items) == 6
    assert pool.position(9) == pool.position("9") == 2
    assert pool.positions(["12", "7"]).tolist() == [5, 0]
    assert pool.items.take(pool.positions([8])).score.tolist() == pytest.approx([0.2])


@pytest.mark.parametrize(
    "name", ["score", "Score", "p", "prob", "Probability", "p_toxic", "SCORE_SPAM", "y_prob"]
)
def test_usual_score_names_are_found(name: str) -> None:
    pool = Pool.from_frame(binary().rename(columns={"score": name}))
    assert pool.columns.systems[0].score == (name,)


@pytest.mark.parametrize(
    "name", ["label", "y", "truth", "Target", "gold", "y_true", "ground truth", "is_match"]
)
def test_usual_label_names_are_kept_out(name: str) -> None:
    frame = binary().rename(columns={"label": name})
    pool = Pool.from_frame(frame)
    assert pool.columns.label == (name,)
    assert name not in pool.fields
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, 0, 1, 0, 1]


def test_other_answers_and_outputs_are_not_shown_unless_told() -> None:
    frame = binary(truth=0, margin=1.5, score_old=0.1)
    pool = Pool.from_frame(frame)
    assert list(pool.fields.columns) == ["text"]
    assert set(pool.columns.hidden) == {"truth", "margin", "score_old"}
    assert list(Pool.from_frame(frame, fields=["margin"]).fields.columns) == ["margin"]


def test_what_may_be_another_model_s_score_is_not_shown_unless_asked_for() -> None:
    """Columns of numbers from 0 to 1 had been shown to annotators, whatever their names."""
    frame = pd.DataFrame(
        {"title": ["a", "b", "c"], "model_a": [0.2, 0.9, 0.5], "model_b": [0.25, np.nan, 1.0]}
        | {"price": [0.5, 2.0, 3.0], "rooms": [1, 2, 1]}
    )
    columns = Pool.from_frame(frame, score="model_a").columns
    assert columns.hidden == ("model_b",)
    assert columns.fields == ("title", "price", "rooms")
    assert "model_b" in Pool.from_frame(frame, score="model_a", fields=["model_b"]).columns.fields


@pytest.mark.parametrize(("negative", "positive"), [("no", "yes"), ("False", "True"), ("0", "1")])
@pytest.mark.parametrize("known", [True, False])
def test_two_columns_named_no_and_yes_are_scores_of_the_two_classes(
    negative: str, positive: str, known: bool
) -> None:
    """`no` had been read as an item number and `True` as the truth, and the model's scores had been shown."""
    score = np.linspace(0.01, 0.93, 40)
    frame = pd.DataFrame({"id": range(40), "text": ["a"] * 40, negative: 1 - score, positive: score})
    if known:
        frame["label"] = [negative, positive] * 20
    columns = guess_columns(frame)
    assert (columns.kind, [s.score for s in columns.systems], columns.id) == ("binary", [(positive,)], "id")
    assert (columns.label, columns.fields) == (("label",) if known else (), ("text",))
    assert columns.classes == (negative, positive)


def test_one_of_two_systems_may_score_both_classes() -> None:
    score = np.linspace(0.01, 0.93, 40)
    frame = pd.DataFrame({"a.score": score, "b.p_no": 1 - score, "b.p_yes": score})
    assert guess_columns(frame).classes == ("0", "1")
    assert guess_columns(frame[["b.p_no", "b.p_yes", "a.score"]]).classes == ("no", "yes")


def test_a_class_called_no_stands_beside_others_and_an_id_called_no_stays_one() -> None:
    part = np.linspace(0.01, 0.3, 40)
    frame = pd.DataFrame({"no": part, "maybe": part, "yes": 1 - 2 * part, "label": ["no", "maybe"] * 20})
    assert guess_columns(frame).systems[0].score == ("no", "maybe", "yes")
    frame = pd.DataFrame({"no": range(40), "score": part, "true": np.arange(40) % 2})
    columns = guess_columns(frame)
    assert (columns.id, columns.label, columns.systems[0].score) == ("no", ("true",), ("score",))


def test_multiclass_columns_sum_to_one() -> None:
    block = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    frame = pd.DataFrame(block, columns=["score_cat", "score_dog", "score_cow"]).assign(pred=["cat", "dog"])
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", ("cat", "dog", "cow"))
    assert pool.pred.tolist() == [0, 1]
    assert Pool.from_frame(frame.drop(columns="pred")).pred.tolist() == [0, 2]
    assert (
        Pool.from_frame(frame, classes=["cow", "cat", "dog"]).score.tolist() == block[:, [2, 0, 1]].tolist()
    )
    assert pool.score.sum(axis=1).tolist() == pytest.approx([1.0, 1.0], abs=1e-15)


def test_a_class_may_have_a_name_that_elsewhere_means_missing(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    path.write_text("score_for,score_None,label,age\n.1,.9,None,4\n.8,.2,for,NA\n.3,.7,,6\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("for", "None")
    assert Labels.from_frame(frame, pool).report[1] == "Classes: 'for' 1, 'None' 1."
    assert np.isnan(frame["age"][1])
    path.write_text("score,label\n.1,0\n.8,None\n.3,1\n")
    assert read_frame(path, Told())["label"].isna().tolist() == [False, True, False]


def test_multiclass_in_one_column_of_lists(tmp_path: Path) -> None:
    frame = pd.DataFrame({"scores": [[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], "pred": [0, 1]})
    pool = Pool.from_frame(frame)
    assert (pool.task.kind, pool.task.classes, pool.pred.tolist()) == ("multiclass", ("0", "1", "2"), [0, 1])
    frame.to_parquet(tmp_path / "pool.parquet")
    assert Pool.read(tmp_path / "pool.parquet").score.tolist() == pool.score.tolist()


def test_columns_listed_for_the_labels_are_paired_by_name_with_the_scores() -> None:
    frame = pd.DataFrame(
        {"true_a": [1, 1, 0], "true_b": [0, 0, 1], "on_a": [1, 0, 0], "on_b": [0, 1, 1]}
        | {"score_b": [0.1, 0.9, 0.8], "score_a": [0.9, 0.3, 0.2], "first": 1, "second": 0}
    )
    truth, decided = ["true_a", "true_b"], ["on_a", "on_b"]
    pool = Pool.from_frame(frame, label=truth, pred=decided, task="multilabel")
    assert pool.task.classes == ("b", "a")
    assert pool.columns.label == ("true_b", "true_a")
    assert pool.pred.tolist() == [[0, 1], [1, 0], [1, 0]]
    for labels in (Labels.from_frame(frame, pool), Labels.from_frame(frame, pool, label=truth)):
        assert labels.values.tolist() == [[0, 1], [0, 1], [1, 0]]
    listed = Labels.from_frame(frame, pool, label=["first", "second"])
    assert listed.values.tolist() == [[1, 0]] * 3
    crossed = Labels.from_frame(frame, pool, label={"a": "true_b", "b": "true_a"})
    assert crossed.values.tolist() == [[1, 0], [1, 0], [0, 1]]


def test_the_bounds_of_a_prediction_are_no_systems() -> None:
    ends = {"pred_low": [0.5, 1.5, 3.0], "pred_high": [1.5, 3.0, 5.0]}
    frame = pd.DataFrame({"id": [*"abc"], "prediction": [1.0, 2.0, 4.0], "label": [1.5, 1.5, 4.5], **ends})
    pool = Pool.from_frame(frame)
    assert pool.task.kind == "regression"
    assert [system.name for system in pool.systems] == [""]
    assert pool.pred.tolist() == [1.0, 2.0, 4.0]
    assert pool.columns.hidden == ("pred_low", "pred_high")
    crossing = Pool.from_frame(frame.assign(pred_low=[1.5, 1.5, 3.0]))  # above the prediction, then below it
    assert [system.name for system in crossing.systems] == ["low", "high"]
    assert len(Pool.from_frame(frame.drop(columns="prediction")).systems) == 2


def test_the_report_counts_decisions_other_than_the_scores_suggest() -> None:
    rows = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2], [0.0, 0.1, 0.9]]
    frame = pd.DataFrame({"pred": ["a", "b", "b", "c"], "proba": rows})
    said = " ".join(Pool.from_frame(frame, classes=["a", "b", "c"]).report)
    assert "3 of 3 classes are predicted." in said  # ties go to either class
    wrong = " ".join(Pool.from_frame(frame, classes=["c", "a", "b"]).report)  # the lists are in another order
    assert "3 of 3 classes are predicted; 4 differ from the class with the largest score." in wrong
    sets = pd.DataFrame({"pred_a": [1, 0], "pred_b": [1, 0], "score_a": [0.9, 0.1], "score_b": [0.2, 0.6]})
    assert "1 labels per item on average; 2 differ from score ≥ 0.5." in " ".join(
        Pool.from_frame(sets).report
    )


@pytest.mark.parametrize("transform", ["softmax", "sigmoid", "percent"])
def test_a_transform_without_scores_is_refused(transform: Any) -> None:
    margins = {"logit_a": [2.0, 0.0, 0.0], "logit_b": [0.0, 2.0, 0.0], "logit_c": [0.0, 0.0, 2.0]}
    frame = pd.DataFrame({"pred": ["a", "b", "c"], **margins})
    with pytest.raises(InputError, match=r"needs scores, and no column was taken for them.*score=…"):
        Pool.from_frame(frame, transform=transform)
    named = Pool.from_frame(frame, transform="softmax", score=[*margins])
    assert named.score[0].round(3).tolist() == [0.787, 0.107, 0.107]
    numbers = pd.DataFrame({"prediction": [1.5, 2.5, 4.0]})
    with pytest.raises(InputError, match="needs scores"):
        Pool.from_frame(numbers, transform=transform)


@pytest.mark.parametrize("mark", [", ", ",", "; "])
def test_names_that_a_column_enumerates_are_sets_of_labels(mark: str) -> None:
    decided = ["a", "b", f"a{mark}b", f"b{mark}c", "c"]
    frame = pd.DataFrame({"predicted": decided, "label": [*decided[1:], "a"]})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b", "c"))
    assert pool.pred.tolist() == [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert Pool.from_frame(frame, task="multiclass").task.width == 5
    places = [f"Korea{mark}South", f"Korea{mark}North", "Japan", "Japan", "Peru"]
    assert Pool.from_frame(frame.assign(predicted=places, label=places)).task.kind == "multiclass"
    numbers = ["1", "5", "1,5", "-1", "-1,5"]
    with pytest.raises(InputError, match="decimal mark is a comma"):
        Pool.from_frame(frame.assign(predicted=numbers, label=numbers))


def test_a_name_with_a_comma_is_one_name_with_and_without_bars_beside_it() -> None:
    decided = ["x, y|b", "x, y", "b", "c|b"]
    pool = Pool.from_frame(pd.DataFrame({"predicted": decided, "label": decided}))
    assert pool.task == Task("multilabel", ("b", "c", "x, y"))
    assert pool.pred.tolist() == [[1, 0, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0]]


def test_arrays_as_databases_write_them_are_sets_of_labels() -> None:
    decided = ["{}", "{a}", "{a,b}", '{"big eel",b}']
    pool = Pool.from_frame(pd.DataFrame({"predicted": decided, "label": decided}))
    assert pool.task == Task("multilabel", ("a", "b", "big eel"))
    assert pool.pred.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]]


@pytest.mark.parametrize("score", ["score", "prob", "confidence"])
@pytest.mark.parametrize("write", ["|".join, ", ".join, list], ids=["bars", "commas", "lists"])
def test_a_single_score_beside_sets_of_labels_is_not_used(score: str, write: Callable[[Any], Any]) -> None:
    decided = [write(names) for names in ("a", "b", "ab", "bc", "c")]
    frame = pd.DataFrame({"predicted": decided, "label": decided, score: [0.9, 0.8, 0.7, 0.6, 0.95]})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b", "c"))
    assert f"`{score}` is not used, since it is no score of each label." in " ".join(pool.report)
    assert Pool.from_frame(frame, task="multilabel").task == pool.task


@pytest.mark.parametrize(
    ("name", "cells", "classes"),
    [
        ("predicted_class", [1, 2, 3, 2], ("1", "2", "3")),
        ("predicted class", [1.0, 2.0, 3.0, -1.0], ("1", "2", "3", "-1")),
        ("predicted", ["01", "02", "10", "02"], ("01", "02", "10")),
        ("prediction", [1, 2, 3, 2], ()),
        ("predicted_class", [1.5, 2.0, 3.0, 2.0], ()),
        ("predicted", ["0", "1", "2", "2"], ()),
        ("predicted", ["0.5", "01", "2", "2"], ()),
    ],
)
def test_numbers_that_stand_for_classes_are_no_amounts(
    name: str, cells: list[Any], classes: tuple[str, ...]
) -> None:
    pool = Pool.from_frame(pd.DataFrame({name: cells, "label": cells}))
    assert pool.task == Task("multiclass" if classes else "regression", classes)
    assert Pool.from_frame(pd.DataFrame({name: cells}), task="regression").pred[1] == float(cells[1])


def test_the_report_says_that_scores_may_be_ranked_rather_than_of_classes() -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 30)
    names, said = ["prob_1", "prob_2", "prob_3"], "in every row they fall from the first to the last"
    ranked = pd.DataFrame(-np.sort(-shares, axis=1), columns=names)
    assert said in " ".join(Pool.from_frame(ranked).report)
    assert said not in " ".join(Pool.from_frame(ranked.head(10)).report)
    assert said not in " ".join(Pool.from_frame(pd.DataFrame(shares, columns=names)).report)


@pytest.mark.parametrize("start", ["true_", "actual_", "is_", "y_"])
def test_columns_that_answer_for_each_class_are_not_shown(start: str) -> None:
    frame = pd.DataFrame({f"{start}a": [1, 0, 1], f"{start}b": [0, 1, 1], f"{start}b_old": [1, 0, 0]})
    scores = pd.DataFrame({"score_a": [0.9, 0.2, 0.9], "score_b": [0.2, 0.9, 0.9]})
    pool = Pool.from_frame(scores.join(frame))
    assert pool.task.kind == "multilabel"
    assert pool.columns.hidden == (f"{start}a", f"{start}b")
    assert pool.columns.fields == (f"{start}b_old",)
    texts = frame.replace({0: "nothing", 1: "a word"})
    assert Pool.from_frame(scores.join(texts)).columns.fields == tuple(frame.columns)


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("[0.7, 0.2, 0.1]", "'[0.7, 0.2, 0.1]' is text: give the score of each class a column of its own"),
        ('{"a": 0.7}', """'{"a": 0.7}' is text: give the score of each class a column of its own"""),
        ("0.7", "it is no score of each class"),
    ],
)
def test_the_report_says_why_a_score_is_not_used(cell: str, why: str) -> None:
    frame = pd.DataFrame({"predicted": ["a", "b", "c"], "proba": cell})
    assert f"`proba` is not used, since {why}." in " ".join(Pool.from_frame(frame).report)


@pytest.mark.parametrize("given", [["c", "a", "b"], ["a", "b", "c"]])
def test_label_columns_follow_the_order_in_which_classes_are_given(given: list[str]) -> None:
    truth = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    frame = pd.DataFrame(truth, columns=["label_a", "label_b", "label_c"])
    for j, name in enumerate("bca"):
        frame[f"score_{name}"] = 0.2 + 0.5 * truth[:, "abc".index(name)] + 0.01 * j
    pool = Pool.from_frame(frame, classes=given)
    assert pool.columns.label == tuple(f"label_{name}" for name in given)
    np.testing.assert_array_equal(Labels.from_frame(frame, pool).values, pool.pred)
    lists = frame[["label_a", "label_b", "label_c"]].assign(scores=[*(0.2 + 0.5 * truth)])
    listed = Pool.from_frame(
        lists, score="scores", label="label_", classes=["a", "b", "c"], task="multilabel"
    )
    np.testing.assert_array_equal(Labels.from_frame(lists, listed).values, truth)


def test_classes_given_in_another_spelling_are_those_of_the_columns() -> None:
    frame = pd.DataFrame({"PROB_VERY_GOOD": [0.7, 0.2], "PROB_BAD": [0.1, 0.5], "PROB_SO": [0.2, 0.3]})
    frame["label"] = ["very good", "bad"]
    pool = Pool.from_frame(frame, classes=["bad", "so", "very good"])
    assert pool.columns.systems[0].score == ("PROB_BAD", "PROB_SO", "PROB_VERY_GOOD")
    np.testing.assert_array_equal(Labels.from_frame(frame, pool).values, pool.pred)
    renamed = Pool.from_frame(frame.drop(columns="label"), classes=["x", "y", "z"])
    assert renamed.columns.systems[0].score == ("PROB_VERY_GOOD", "PROB_BAD", "PROB_SO")


@pytest.mark.parametrize(
    ("names", "classes", "column"),
    [
        (("No", "Yes"), ("yes", "no"), "prob_No"),
        (("no", "yes"), ("No", "Yes"), "prob_yes"),
        (("0", "1"), ("yes", "no"), "prob_0"),
        (("0", "1"), ("ham", "spam"), "prob_1"),
        (("Not Spam", "Spam"), ("spam", "not_spam"), "prob_Not Spam"),
    ],
)
def test_of_two_scores_that_of_the_class_given_as_positive_is_used(
    names: tuple[str, str], classes: tuple[str, str], column: str
) -> None:
    frame = pd.DataFrame({f"prob_{names[0]}": [0.75, 0.25], f"prob_{names[1]}": [0.25, 0.75]})
    pool = Pool.from_frame(frame, classes=classes, task="binary")
    assert pool.columns.systems[0].score == (column,)
    assert pool.task.classes == classes


def test_a_score_named_after_the_negative_class_is_refused_unless_it_is_named() -> None:
    frame = pd.DataFrame({"p_spam": [0.9, 0.2], "label": ["spam", "ham"]})
    assert Pool.from_frame(frame, classes=["ham", "Spam"]).task.classes == ("ham", "Spam")
    with pytest.raises(InputError, match=r"`p_spam` seems to be the score of 'spam'.*turn them round"):
        Pool.from_frame(frame, classes=["spam", "ham"])
    assert Pool.from_frame(frame, classes=["spam", "ham"], score="p_spam").task.classes == ("spam", "ham")
    assert (
        Pool.from_frame(frame.assign(p_ham=[0.1, 0.8]), classes=["spam", "ham"], task="binary").score[1]
        == 0.8
    )


def test_labels_with_ids_of_their_own_say_that_rows_are_matched_in_order() -> None:
    frame = pd.DataFrame(
        {"score": [0.1, 0.9, 0.4], "order_id": [7, 7, 8], "ticket_id": [5, 6, 9], "ref": [1, 2, 3]}
    )
    pool, said = Pool.from_frame(frame), "the labels are taken in the order of the rows"
    labels = pd.DataFrame({"doc_no": [3, 1, 2], "label": [0, 1, 0]})
    assert pool.columns.id is None
    assert any(
        line.startswith("`doc_no`") and said in line for line in Labels.from_frame(labels, pool).report
    )
    own = Labels.from_frame(frame.assign(label=[0, 1, 0]), pool)  # the pool's report names its own columns
    assert said not in " ".join(own.report)


def test_multilabel_columns_with_own_decisions_and_thresholds() -> None:
    frame = pd.DataFrame({
        "score_a": [0.9, 0.4, 0.1], "score_b": [0.8, 0.6, 0.2],
        "label_a": [1, 1, 0], "label_b": [0, 1, 0],
    })  # fmt: skip
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert pool.pred.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 0], [1, 1], [0, 0]]
    strict = Pool.from_frame(frame, threshold={"a": 0.3})
    assert strict.pred.tolist() == [[1, 1], [1, 1], [0, 0]]
    assert strict.threshold == (0.3, 0.5)
    told = Pool.from_frame(frame.assign(pred_a=[0, 0, 1], pred_b=[1, 1, 1]))
    assert told.pred.tolist() == [[0, 1], [0, 1], [1, 1]]


def test_regression_is_numbers_without_scores() -> None:
    frame = pd.DataFrame(
        {"pred": [1.5, 2.5, 9.0], "pred_sd": [0.1, 0.2, 0.3], "label": [1, 3, 9.5], "size": [1, 2, 3]}
    )
    pool = Pool.from_frame(frame)
    assert (pool.task.kind, pool.task.classes, pool.score.shape) == ("regression", (), (3, 0))
    assert pool.items.error.tolist() == [0.1, 0.2, 0.3]
    assert Labels.from_frame(frame, pool).values.tolist() == [1, 3, 9.5]
    assert list(pool.fields.columns) == ["size"]


def test_numbers_whose_squares_are_not_finite_are_refused() -> None:
    """An answer of 1e300 had been taken, and the interval was then 0 to infinity."""
    frame = pd.DataFrame({"pred": [1.5, 2.5, 9.0], "label": [1, 3, 9.5]})
    pool = Pool.from_frame(frame)
    rule = r"must lie between -1e70 and 1e70, since errors are squared; got -?1e\+300"
    with pytest.raises(InputError, match=f"`pred` {rule} at row 1"):
        Pool.from_frame(frame.assign(pred=[1.5, 1e300, 9.0]), task="regression")
    with pytest.raises(InputError, match=f"`label` {rule} at row 2"):
        Labels.from_frame(frame.assign(label=[1, np.nan, -1e300]), pool)
    for answer in (1e300, "1e300"):
        with pytest.raises(InputError, match=f"`label` {rule}"):
            encode_label(pool.task, answer)


@pytest.mark.parametrize("wrap", [list, tuple, np.array, str])
def test_lists_by_place_are_not_taken_for_names_of_labels(wrap: Any) -> None:
    """Rows of 0 and 1, or of scores, had become sets of the labels '0' and '1', or of hundreds of labels."""
    names = pd.Series(["a|c", "b", "[]", "a|b|c"])
    ones = pd.Series([wrap(row) for row in ([1, 0, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1])])
    shares = pd.Series(
        [wrap(row) for row in ([0.9, 0.1, 1e-5], [0.3, 0.8, 0.5], [1.0, 0.0, 0.2], [0.6, 0.7, 0.8])]
    )
    asked = "holds lists of 0 and 1: name the label of each place with `classes`"
    for table, column in (({"pred": ones}, "pred"), ({"pred": names, "label": ones}, "label")):
        with pytest.raises(InputError, match=f"`{column}` {asked}"):
            Pool.from_frame(pd.DataFrame(table))
    with pytest.raises(
        InputError, match="`pred` holds lists of numbers: if they are scores, name it with `score`"
    ):
        Pool.from_frame(pd.DataFrame({"pred": shares}))
    frame = pd.DataFrame({"pred": names, "label": ones})
    pool = Pool.from_frame(frame, classes=["a", "b", "c"])
    assert Labels.from_frame(frame, pool).values.tolist() == pool.pred.tolist()


def test_sets_of_different_lengths_may_name_labels_0_and_1() -> None:
    """They were refused as lists with a place for each label, which all have one length."""
    frame = pd.DataFrame({"pred": [["0", "1"], ["1"], []], "label": ["1", "0|1", "[]"]})
    pool = Pool.from_frame(frame, task="multilabel")
    assert (pool.task.classes, pool.pred.tolist()) == (("0", "1"), [[1, 1], [0, 1], [0, 0]])
    assert Labels.from_frame(frame, pool).values.tolist() == [[0, 1], [1, 1], [0, 0]]


def test_labels_that_are_records_are_not_taken_for_sets() -> None:
    """Of {"a": True, "b": False} the parts "{'a': True" and "'b': False}" had become labels."""
    frame = pd.DataFrame({"pred": ["a|b", "b"], "label": [{"a": True, "b": False}, {"a": False, "b": True}]})
    for columns in (frame, frame[["label"]].set_axis(["pred"], axis=1)):
        with pytest.raises(InputError, match="holds records with `a`, `b`: give each of these a column"):
            Pool.from_frame(columns, task="multilabel")


@pytest.mark.parametrize("classes", [3, 4, 10, 40])
def test_shares_rounded_to_two_digits_still_sum_to_one(classes: int) -> None:
    """Sums of 0.98 to 1.02 had been read as any number of labels per item, and of ten classes refused."""
    shares = np.random.default_rng(1).dirichlet(np.full(classes, 0.5), 3000).round(2)
    pool = Pool.from_frame(pd.DataFrame(shares).add_prefix("score_c"))
    assert pool.task.kind == "multiclass"
    np.testing.assert_allclose(pool.score.sum(axis=1), 1.0)


@pytest.mark.parametrize("dtype", [bool, "boolean", "bool[pyarrow]", object, int])
@pytest.mark.parametrize("decided", [(True, False), (False, False)])
def test_truth_values_are_decisions_beside_a_weak_score(dtype: Any, decided: tuple[bool, bool]) -> None:
    """True and False had been taken for predicted numbers, and the scores were left out."""
    frame = pd.DataFrame({"fraud_score": [0.9, 0.2, 0.4], "predicted_fraud": [*decided, False]})
    pool = Pool.from_frame(frame.astype({"predicted_fraud": dtype}))
    assert pool.score.tolist() == [0.9, 0.2, 0.4]
    assert pool.pred.tolist() == [*decided, 0]


def test_the_report_asks_about_scores_that_may_be_those_of_the_decisions() -> None:
    """The output of a pipeline gives the probability of what was decided, also where that is negative."""
    sure = np.linspace(0.5, 0.99, 40)
    decided = np.where(np.arange(40) % 2, "yes", "no")
    said = "is nowhere below 0.5: if it is the probability of what the model decided"
    for frame in (
        pd.DataFrame({"label": decided, "score": sure}),
        pd.DataFrame({"pred": decided, "confidence": sure}),
    ):
        [line] = [line for line in Pool.from_frame(frame).report if said in line]
        assert ("name the decisions" in line) == ("pred" not in frame)  # they need not be named again
        assert not any(said in line for line in Pool.from_frame(frame.head(10)).report)
    assert not any(said in line for line in Pool.from_frame(frame, transform="confidence").report)


def test_the_report_asks_about_columns_that_sound_like_decisions() -> None:
    """They are left out, so that the threshold decides instead."""
    frame = pd.DataFrame({"churn_score": [0.9, 0.6, 0.1], "churn_prediction": [1, 0, 0]})
    said = "`churn_prediction` sounds like the decisions: if it holds them, name it with pred"
    assert any(said in line for line in Pool.from_frame(frame).report)
    assert not any(said in line for line in Pool.from_frame(frame, pred="churn_prediction").report)


def test_margins_may_be_the_least_number_there_is() -> None:
    """It stands for a class that is excluded, and was refused as predicted numbers are, whose errors are squared."""
    least = np.finfo(float).min
    several = pd.DataFrame({"p_a": [least, 2.0], "p_b": [1.0, least], "p_c": [1.0, 2.0]})
    pool = Pool.from_frame(several, task="multiclass", transform="softmax")
    assert pool.score.tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5]]
    two = Pool.from_frame(pd.DataFrame({"score": [least, 0.0]}), score="score", transform="sigmoid")
    assert two.score.tolist() == [0, 0.5]


def test_sums_below_one_of_shares_with_more_digits_are_no_rounding() -> None:
    """Of 400 tags, sums of 0.7 to 1.3 had been read as one class per item, and every score was scaled to a sum of 1."""
    rng = np.random.default_rng(1)
    tags = 0.01 * rng.random((200, 400)) / 200
    tags[np.arange(200), rng.integers(0, 400, 200)] = rng.uniform(0.75, 0.99, 200)
    frame = pd.DataFrame(tags).add_prefix("score_c")
    assert Pool.from_frame(frame).task.kind == "multilabel"
    with pytest.raises(InputError, match="must sum to 1 in each row"):
        Pool.from_frame(frame, task="multiclass")
    percent = pd.DataFrame(rng.dirichlet(np.full(40, 0.5), 300).round(2) * 100).add_prefix("score_c")
    assert Pool.from_frame(percent, transform="percent").task.kind == "multiclass"


@pytest.mark.parametrize("word", ["NA", "None", "n/a", "null"])
def test_a_word_for_an_unknown_label_does_not_make_several_labels_per_item(word: str) -> None:
    """One such cell had turned a task of several classes into one of sets of labels."""
    frame = pd.DataFrame(
        {"score_cat": [0.2, 0.5, 0.9], "score_dog": [0.5, 0.3, 0.0], "score_eel": [0.3, 0.2, 0.1]}
    )
    for column in ("label", "truth"):
        table = frame.assign(**{column: [word, "cat", "eel"]})
        pool = Pool.from_frame(table)
        assert pool.task.kind == "multiclass"
        assert Labels.from_frame(table, pool).known.tolist() == [False, True, True]


def test_decisions_stand_in_for_missing_scores() -> None:
    pool = Pool.from_frame(pd.DataFrame({"id": ["x", "y"], "pred": ["no", "yes"]}))
    assert (pool.task.classes, pool.score.tolist(), pool.pred.tolist()) == (("no", "yes"), [0.0, 1.0], [0, 1])
    assert any("No scores" in line for line in pool.report)


@pytest.mark.parametrize("order", [("scored", "decided"), ("decided", "scored")])
@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_a_system_of_decisions_alone_goes_with_one_whose_columns_name_the_classes(
    order: tuple[str, str], kind: Kind
) -> None:
    """Its column names no class, which is no other set of classes."""
    frame = pd.DataFrame({"m_b": [0.7, 0.1, 0.2], "m_a": [0.2, 0.8, 0.1], "m_c": [0.1, 0.1, 0.7]})
    frame["said"] = ["b", "c", "c"]
    columns = {"scored": {"score": "m_"}, "decided": {"pred": "said"}}
    pool = Pool.from_frame(frame, task=kind, system={name: columns[name] for name in order}, fields=[])
    assert pool.task.classes == ("b", "a", "c")
    decided = pool.items.of("decided").pred
    np.testing.assert_array_equal(decided if kind == "multiclass" else decided.argmax(axis=1), [0, 2, 2])
    frame["said"] = ["b", "z", "c"]
    with pytest.raises(InputError, match="z"):
        Pool.from_frame(frame, task=kind, system={name: columns[name] for name in order}, fields=[])


@pytest.mark.parametrize("form", ["dotted", "suffix", "mapping", "long"])
def test_several_systems(form: str) -> None:
    one, two = [0.1, 0.9, 0.6], [0.7, 0.2, 0.3]
    system: Any = None
    if form == "dotted":
        frame = pd.DataFrame({"id": list("xyz"), "a.score": one, "b.score": two, "b.pred": [0, 1, 1]})
    elif form == "suffix":
        frame = pd.DataFrame({"id": list("xyz"), "score_a": one, "score_b": two, "label": [0, 1, 1]})
    elif form == "mapping":
        frame = pd.DataFrame({"id": list("xyz"), "one": one, "two": two})
        system = {"a": {"score": "one"}, "b": {"score": "two"}}
    else:
        frame = pd.DataFrame({"id": list("xyzzyx"), "model": list("aaabbb"), "score": one + two[::-1]})
    pool = Pool.from_frame(frame, system=system)
    assert [s.name for s in pool.systems] == ["a", "b"]
    assert pool.ids.tolist() == ["x", "y", "z"]
    assert "2 systems (a, b); for a, `" in " ".join(pool.report)
    assert pool.systems[1].score.tolist() == two
    assert pool.items.of("b").pred.tolist() == ([0, 1, 1] if form == "dotted" else [1, 0, 0])
    assert pool.items.of("b").systems[1].name == "a"


def test_long_table_must_be_complete() -> None:
    frame = pd.DataFrame({"id": list("xyx"), "system": list("aab"), "score": 0.5})
    with pytest.raises(InputError, match="exactly one row per system; for example 'b' has 0; got 'y'"):
        Pool.from_frame(frame)


@pytest.mark.parametrize("item", ["item", "ticket_id", "text"])
@pytest.mark.parametrize("rows", [False, True])
def test_a_long_table_is_known_by_its_rows_where_no_name_tells_the_id(item: str, *, rows: bool) -> None:
    """It was read as one system with every row as an item."""
    frame = pd.DataFrame({item: list("xyzxyz"), "model": list("aaabbb"), "prob": np.linspace(0, 1, 6)})
    frame = frame.reset_index() if rows else frame
    pool = Pool.from_frame(frame)
    assert (pool.columns.id, pool.columns.system) == (item, "model")
    assert pool.ids.tolist() == ["x", "y", "z"]
    assert [system.name for system in pool.systems] == ["a", "b"]
    assert Pool.from_frame(frame.rename(columns={"model": "vendor"}), system="vendor").size == 3


@pytest.mark.parametrize("task", ["multiclass", "multilabel"])
def test_systems_whose_columns_name_no_common_class_are_told_what_to_pass(task: str) -> None:
    """The refusal said "'old' is multilabel, 'new' is multilabel; name the columns", which were named."""
    named = [f"{system}_{c}" for system in ("old", "new") for c in ("cat", "dog")]
    df = pd.DataFrame([[0.2, 0.8, 0.3, 0.7], [0.6, 0.4, 0.9, 0.1]], columns=named)
    lists = {system: {"score": [f"{system}_cat", f"{system}_dog"]} for system in ("old", "new")}
    with pytest.raises(InputError, match=r"of 'new' are `new_cat`, `new_dog`, .*; map each class"):
        Pool.from_frame(df, task=task, classes=["cat", "dog"], system=lists)  # type: ignore[arg-type]
    mapped = {s: {"score": {c: f"{s}_{c}" for c in ("cat", "dog")}} for s in ("old", "new")}
    assert Pool.from_frame(df, task=task, system=mapped).task.classes == ("cat", "dog")  # type: ignore[arg-type]


def test_more_models_than_items_are_no_systems() -> None:
    """Two makes of car with each of thirty models were two items for thirty systems."""
    cars = pd.DataFrame(
        {"make": ["v", "b"] * 30, "model": np.repeat(range(30), 2), "prob": np.linspace(0, 1, 60)}
    )
    assert (Pool.from_frame(cars).size, Pool.from_frame(cars, system="model").size) == (60, 2)


def test_a_table_that_a_few_rows_would_make_long_is_remarked_upon() -> None:
    frame = pd.DataFrame({"item": list("wxyzwxy"), "model": list("aaaabbb"), "prob": 0.5})
    pool = Pool.from_frame(frame)
    assert pool.size == 7
    said = 'what one system says of an item, complete the table and pass id="item", system="model"'
    assert f"`item` repeats, but not beside the same `model`: if each row is {said}" in " ".join(pool.report)
    cars = pd.DataFrame({"brand": list("vvvbbba"), "model": list("xyzzzwq"), "prob": 0.5})
    assert "system" not in " ".join(Pool.from_frame(cars).report)


@pytest.mark.parametrize("name", [" a", "a ", "nan"])
def test_a_long_table_keeps_every_system(name: str) -> None:
    frame = pd.DataFrame(
        {"id": list("xyxy"), "system": [name, name, "b", "b"], "score": [0.1, 0.2, 0.3, 0.4]}
    )
    pool = Pool.from_frame(frame)
    assert [system.name for system in pool.systems] == [name.strip(), "b"]
    assert pool.systems[0].score.tolist() == [0.1, 0.2]


def test_a_column_of_texts_names_no_systems() -> None:
    frame = pd.DataFrame({"id": 0, "system": np.arange(1_100), "score": 0.5})
    with pytest.raises(InputError, match="`system` must name at most 1,000 systems; got 'more'"):
        Pool.from_frame(frame)


def test_of_two_columns_for_one_role_the_report_names_both() -> None:
    frame = binary().assign(prob=0.5, y_true=1)
    said = "`score` was taken for the score: two classes; `prob` could be the score too; `y_true` could be the label too"
    assert guess_columns(frame).explanation == said
    told = Pool.from_frame(frame, score="prob", label="y_true")
    assert not any("could be" in line for line in told.report)


def test_guessing_changes_nothing_and_gives_reasons() -> None:
    frame = binary(margin=2.0)
    before = frame.copy()
    columns = guess_columns(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert isinstance(columns, Columns)
    assert (columns.id, columns.label, columns.fields) == ("id", ("label",), ("text",))
    assert "`score`" in columns.explanation
    assert not columns.question
    assert Pool.from_columns(frame, columns).fingerprint == Pool.from_frame(frame).fingerprint


def test_a_column_told_to_be_the_model_s_is_not_guessed_to_be_another() -> None:
    frame = binary(label=[0.2, 0.4, 0.6, 0.8, 1.0, 0.0]).drop(columns="score")
    for told in ({"score": "label"}, {"system": {"a": {"score": "label"}}}):
        assert Pool.from_frame(frame, **told).columns.label == ()
    assert Pool.from_frame(binary(id=[0, 1, 0, 1, 0, 1]), pred="id").columns.id is None
    with pytest.raises(InputError, match="`label` and `score` must be different columns"):
        Pool.from_columns(frame, dataclasses.replace(guess_columns(binary()), label=("score",)))


def test_a_class_without_a_name_is_called_not_the_other_class() -> None:
    guess = guess_columns(binary(label=["ham", None] * 3))
    assert guess.classes == ("ham", "not ham")
    assert "which class is positive" in guess.question


def test_guess_asks_what_it_cannot_know() -> None:
    assert "which class is positive" in guess_columns(binary(label=list("hshshs"))).question
    assert "no column holds a score" in guess_columns(binary().drop(columns="score")).question


# ---------------------------------------------------------------- decisions and classes


def test_explicit_decisions_win_over_the_threshold() -> None:
    frame = binary(pred=[1, 1, 1, 0, 0, 0])
    assert Pool.from_frame(frame, pred="pred", threshold=0.7).pred.tolist() == [1, 1, 1, 0, 0, 0]
    assert Pool.from_frame(frame).pred.tolist() == [1, 1, 1, 0, 0, 0]
    assert Pool.from_frame(frame, threshold=0.7).pred.tolist() == [0, 0, 0, 0, 1, 1]
    assert Pool.from_frame(frame, pred=()).pred.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("precision", ["float16", "float32", "Float32", "float[pyarrow]", "float64"])
@pytest.mark.parametrize("whole", [1, 100])
def test_threshold_includes_its_own_value_whatever_the_precision_of_scores(
    precision: Any, whole: int, tmp_path: Path
) -> None:
    """Networks give scores in single precision, whose 0.9 is below 0.9, so that the tie had been decided negative."""
    hundredths = np.arange(1, 100)
    scores = pd.Series(hundredths / 100 * whole).astype(precision)
    written = [f"{share / 100 * whole:.2f}" for share in hundredths]
    (tmp_path / "items.csv").write_text("\n".join(["score", *written]))
    pd.DataFrame({"score": scores}).to_parquet(tmp_path / "items.parquet")
    transform: Any = "percent" if whole == 100 else None
    for percent in (10, 35, 70, 90, 95):
        right = (hundredths >= percent).astype(int).tolist()
        for name in ("items.csv", "items.parquet"):
            pool = Pool.read(tmp_path / name, threshold=percent / 100, transform=transform)
            assert pool.pred.tolist() == right, (name, percent)


def test_thresholds_of_labels_include_their_own_values_in_single_precision() -> None:
    block = np.array([[0.7, 0.9], [0.69, 0.89], [0.71, 0.91]], dtype=np.float32)
    names = ["a", "b"]
    frames = (
        pd.DataFrame({"score_a": block[:, 0], "score_b": block[:, 1]}),
        pd.DataFrame({"score": list(block)}),
    )
    for frame in frames:
        pool = Pool.from_frame(frame, threshold={"a": 0.7, "b": 0.9}, task="multilabel", classes=names)
        assert pool.pred.tolist() == [[1, 1], [0, 0], [1, 1]]
        assert pool.threshold == (0.7, 0.9)


@pytest.mark.parametrize("threshold", [0, 0.0, 0.2, 1, 1.0])
def test_threshold_includes_its_own_value(threshold: float) -> None:
    pool = Pool.from_frame(binary(), threshold=threshold)
    assert pool.pred.tolist() == (np.linspace(0, 1, 6) >= threshold).astype(int).tolist()


def test_a_sigmoid_maps_margins_to_scores() -> None:
    margin = np.array([-1000.0, -1.0, 0.0, 1.0, 30.0, 1000.0])
    pool = Pool.from_frame(binary(margin=margin), score="margin", transform="sigmoid")
    with np.errstate(over="ignore"):
        assert pool.score.tolist() == pytest.approx((1 / (1 + np.exp(-margin))).tolist())
    assert pool.pred.tolist() == [0, 0, 1, 1, 1, 1]


def test_a_softmax_maps_margins_to_scores_of_classes() -> None:
    frame = pd.DataFrame({"score_a": [0.0, 900.0], "score_b": [0.0, 0.0]})
    pool = Pool.from_frame(frame, task="multiclass", transform="softmax")
    assert pool.score.tolist() == [[0.5, 0.5], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("names", "score"),
    [
        (["score_ 0", "score_ 1", "score_ 2"], None),
        (["score: 0", "score: 1", "score: 2"], "score:"),
        (["score:0", "score:1", "score:2"], None),
        (["a", "b", "c"], dict(zip(np.array([0.0, 1.0, 2.0]), "abc", strict=True))),
        (["a", "b", "c"], {" 0": "a", "1 ": "b", "2": "c"}),
    ],
)
def test_classes_of_score_columns_are_named_as_labels_are(names: list[str], score: Any) -> None:
    """No label could be " 0", and the classes of a model that was fitted to 0.0, 1.0, … are "0", "1", …"""
    frame = pd.DataFrame(np.eye(3) * 0.4 + 0.2, columns=names).assign(label=[0.0, 1.0, 2.0])
    pool = Pool.from_frame(frame, score=score, label="label")
    assert pool.task == Task("multiclass", ("0", "1", "2"))
    assert Labels.from_frame(frame, pool, "label").values.tolist() == [0, 1, 2]


def test_what_pandas_users_bring_in_place_of_columns_is_refused_with_the_way_out() -> None:
    frame = binary().set_index(pd.Index(list("abcdef"), name="key"))
    with pytest.raises(InputError, match=r"got 'key'; it names the index: pass df.reset_index\(\)"):
        Pool.from_frame(frame, id="key")
    table: Any = pa.table({"score": [0.1, 0.2]})
    with pytest.raises(InputError, match=r"got 'Table'; pass its to_pandas\(\)"):
        Pool.from_frame(table)


@pytest.mark.parametrize(
    ("told", "advice"),
    [
        ({}, r'margins \(transform="sigmoid"; if each item has one class, task="multiclass", transform="softmax"\)'),
        ({"task": "multilabel"}, r'transform="sigmoid"; if each item has one class, task="multiclass"'),
        ({"task": "multiclass"}, r'margins \(transform="softmax"\)'),
        ({"transform": "softmax"}, r'if each item has one class name task="multiclass", else pass transform="sigmoid"'),
        ({"score": "score_a"}, r'margins \(transform="sigmoid"\)$'),
        ({"score": "score_a", "transform": "softmax"}, r'; pass transform="sigmoid"$'),
    ],
)  # fmt: skip
def test_margins_of_several_classes_are_advised_as_such(told: dict[str, Any], advice: str) -> None:
    """The advice to use a sigmoid had turned classes into labels that do not exclude each other."""
    frame = pd.DataFrame(
        {"score_a": [-1.0, 2.5, 0.1], "score_b": [0.5, -2.0, 0.3], "score_c": [1.5, 0.0, -4.0]}
    )
    with pytest.raises(InputError, match=advice):
        Pool.from_frame(frame, **told)


@pytest.mark.parametrize(
    ("columns", "known"),
    [
        ({"score": [0.1, 0.9, 0.4], "label": ["ham", None, "spam"]}, {"0": "ham", "2": "spam"}),
        ({"pred": [0.1, 0.9, 0.4], "label": [1.5, None, 2.0]}, {"0": 1.5, "2": 2.0}),
        (
            {"p_a": [0.1, 0.9, 0.9], "p_b": [0.7, 0.2, 0.8], "label": ["a|b", None, "b"]},
            {"0": ("a", "b"), "2": ("b",)},
        ),
    ],
    ids=["binary", "regression", "multilabel"],
)
def test_known_labels_by_id_can_be_held_by_a_study(
    columns: dict[str, list[Any]], known: dict[str, Any]
) -> None:
    frame, classes = pd.DataFrame(columns), ("ham", "spam") if "score" in columns else None
    pool = Pool.from_frame(frame, classes=classes, task="multilabel" if "p_a" in columns else None)
    labels = Labels.from_frame(frame, pool)
    assert labels.by_id(pool) == known
    study = create_study(pool, metric=for_kind(pool.task.kind)[0], budget=1, held=labels.by_id(pool))
    assert study.known_labels() == known
    with pytest.raises(InputError, match="these are of another"):
        labels.by_id(dataclasses.replace(pool, ids=np.array([*"abc"], dtype=object)))


CLASSES = {"p_cat": [0.2, 0.9, 0.3] * 4, "p_dog": [0.8, 0.1, 0.7] * 4}


@pytest.mark.parametrize(
    ("columns", "answers"),
    [
        ({"score": [0.2, 0.9, 0.3] * 4, "is_spam": [0, 1, None] * 4}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "spam": ["yes", "No", "yes"] * 4}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "spam": ["yes"] * 12}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham", "spam", "spam"] * 4}, False),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["a", "b", "c"] * 4}, None),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham"] * 12}, None),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham", "spam", "spam"] * 4, "label": [0, 1, 1] * 4}, None),
        ({"score": [0.2, 0.9], "text": ["one", "two"]}, None),
        ({"score": [0.2, 0.9, 0.3], "number": [10**50, 0, 0]}, None),
        ({"score": [0.2, 0.9], "list": [[1], [0]]}, None),
        (CLASSES | {"animal": ["Cat", "Dog", None] * 4}, True),
        (CLASSES | {"urgent": [0, 1, 1] * 4}, None),
        (CLASSES | {"animal": ["cat", "dog", "newt"] * 4}, None),
    ],
)
def test_what_may_be_the_label_is_asked_about_and_answers_are_not_shown(
    columns: dict[str, list[Any]], answers: bool | None
) -> None:
    frame = pd.DataFrame(columns)
    [name] = [name for name in frame.columns if name not in {"score", "label", *CLASSES}]
    task: Kind | None = "multiclass" if "p_cat" in columns else None
    guess = Pool.from_frame(frame, task=task).columns
    assert possible_labels(frame, guess) == ({} if answers is None else {name: answers})
    assert (name in guess.hidden) == bool(answers)
    assert Pool.from_frame(frame, task=task, fields=[name]).columns.hidden == ()


@pytest.mark.parametrize(
    "name", ["Model confidence", "pred_confidence", "prediction_confidence", "conf", "Certainty", "pred_conf"]
)
def test_the_models_confidence_is_not_shown_to_annotators(name: str) -> None:
    """Only the word alone had been recognised: beside decisions, “Model confidence” was shown on the card."""
    frame = pd.DataFrame(
        {"Predicted label": ["a", "b", "c"] * 4, name: [0.9, 0.5, 0.7] * 4, "text": [*"uvwxyz"] * 2}
    )
    assert Pool.from_frame(frame).columns.fields == ("text",)


@pytest.mark.parametrize(
    "name", ["confidence", "Model confidence", "prediction_confidence", "conf", "certainty"]
)
def test_a_confidence_takes_the_place_of_no_score_and_makes_no_classes_of_numbers(name: str) -> None:
    """It was taken for the score of two classes: in place of P(yes), of three classes' scores, of sets and of prices."""
    sure, two = [0.9, 0.7, 0.6] * 4, {"prob_no": [0.9, 0.3, 0.6] * 4, "prob_yes": [0.1, 0.7, 0.4] * 4}
    three = {"prob_a": [0.9, 0.2, 0.1] * 4, "prob_b": [0.1, 0.7, 0.3] * 4, "prob_c": [0.0, 0.1, 0.6] * 4}
    assert Pool.from_frame(pd.DataFrame({name: sure} | two)).columns.systems[0].score == ("prob_yes",)
    assert Pool.from_frame(pd.DataFrame({name: sure} | three)).task.classes == ("a", "b", "c")
    scored = pd.DataFrame({name: sure, "model_score": two["prob_yes"]})
    assert Pool.from_frame(scored).columns.systems[0].score == ("model_score",)
    for decisions, kind in ((["a|b", "b", "a"], "multilabel"), ([10.5, 12.5, 14.25], "regression")):
        frame = pd.DataFrame({"prediction": decisions * 4, name: sure})
        pool = Pool.from_frame(frame)
        assert (pool.task.kind, pool.columns.fields, pool.columns.systems[0].score) == (kind, (), ())
    systems = pd.DataFrame({f"a.{name}": sure, f"b.{name}": sure})
    assert [system.name for system in Pool.from_frame(systems).systems] == ["a", "b"]


def test_confidence_in_a_decision_becomes_the_positive_classs_probability() -> None:
    frame = pd.DataFrame({"pred": ["no", "yes", "no"], "score": [0.9, 0.8, 0.6], "text": ["a"] * 3})
    pool = Pool.from_frame(frame, transform="confidence")
    assert pool.score.tolist() == pytest.approx([0.1, 0.8, 0.4])
    assert pool.pred.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match="decisions between two classes"):
        Pool.from_frame(frame[["score"]], transform="confidence")


@pytest.mark.parametrize("decisions", [["cat", "dog", "cow"], [3, 7, 8]])
@pytest.mark.parametrize("name", ["pred", "predicted_animal"])
def test_the_confidence_in_one_of_several_classes_is_no_score_of_each(
    decisions: list[Any], name: str
) -> None:
    frame = pd.DataFrame({name: decisions * 4, "confidence": [0.9, 0.5, 0.7] * 4, "text": ["a"] * 12})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", tuple(sorted(map(str, decisions))))
    assert pool.columns.fields == ("text",)
    assert "`confidence` is not used" in " ".join(pool.report)
    assert Pool.from_frame(frame[[name, "text"]], task="multiclass").task == pool.task
    with pytest.raises(InputError, match="must hold 3 scores"):
        Pool.from_frame(frame, task="multiclass", score="confidence", pred=name)


def test_a_list_of_scores_that_holds_a_word_is_refused_by_its_own_row() -> None:
    frame = pd.DataFrame(
        {"id": ["a", "b", "c"], "score": [[0.2, 0.3, 0.5], [0.2, "x", 0.5], [0.2, 0.3, 0.5]]}
    )
    with pytest.raises(InputError, match=r"lists of numbers; got \[0.2, 'x', 0.5\] at row 1 \(id 'b'\)"):
        Pool.from_frame(frame, score="score", task="multiclass", classes=["u", "v", "w"])


def test_what_a_predicted_number_is_named_after_is_its_label_and_not_shown() -> None:
    frame = pd.DataFrame({"predicted_price": [1.5, 2.5], "Price": [1.0, None], "rooms": [2, 3]})
    guess = guess_columns(frame)
    assert possible_labels(frame, guess) == {"Price": True}
    assert guess.fields == ("rooms",)
    two = frame.rename(columns={"predicted_price": "a.predicted_price"}).assign(
        **{"b.predicted_price": [2.0, 2.0]}
    )
    assert possible_labels(two, guess_columns(two)) == {"Price": True}


@pytest.mark.parametrize("name", ["actual_price", "True value", "price (actual)"])
def test_a_number_that_is_called_the_true_one_is_asked_about_and_not_shown(name: str) -> None:
    frame = pd.DataFrame({"predicted_price": [1.5, 2.5], name: [1.0, None], "factual": [2, 3]})
    guess = guess_columns(frame)
    assert possible_labels(frame, guess) == {name: True}
    assert guess.fields == ("factual",)
    frame["true story"] = ["no", "yes"]
    assert "true story" in guess_columns(frame).fields


@pytest.mark.parametrize("name", ["predicted_topics", "pred_labels", "prediction"])
def test_sets_of_labels_name_the_labels_and_not_their_column(name: str) -> None:
    frame = pd.DataFrame({name: ["bug|praise", "bug", None], "text": ["a", "b", "c"]})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("bug", "praise"))
    assert pool.pred.tolist() == [[1, 1], [1, 0], [0, 0]]


def test_a_column_that_bears_the_name_of_a_class_is_not_shown() -> None:
    frame = pd.DataFrame(
        {"p_billing": [0.2, 0.9], "p_login": [0.9, 0.8], "billing": [0, 1], "text": ["a", "b"]}
    )
    assert guess_columns(frame).fields == ("text",)


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel"])
def test_percentages_are_probabilities_times_100(kind: Kind) -> None:
    percent = pd.DataFrame({"score_a": [0.0, 30.0, 100.0], "score_b": [100.0, 70.0, 0.0]})
    if kind == "binary":
        percent = percent[["score_a"]]
    pool = Pool.from_frame(percent, task=kind, transform="percent")
    assert np.array_equal(pool.score, Pool.from_frame(percent / 100, task=kind).score)
    assert any("percentages divided by 100" in line for line in pool.report)
    with pytest.raises(InputError, match=r"must lie in \[0, 100\]; got 200"):
        Pool.from_frame(2 * percent, task=kind, transform="percent")


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "listed"])
@pytest.mark.parametrize("whole", [1.0, 100.0])
def test_rounding_beyond_0_and_1_in_single_precision_is_clipped_and_reported(kind: Any, whole: float) -> None:
    """A softmax's 1.0000001 had been refused, with the advice to divide by 100."""
    sure = np.float32(1.0000001), np.float32(-1e-7)
    frame = pd.DataFrame({"score_a": [sure[0], 0.5, sure[1]], "score_b": [sure[1], 0.5, sure[0]]}) * whole
    if kind == "binary":
        frame = frame[["score_a"]]
    if kind == "listed":
        frame = pd.DataFrame({"score": frame.to_numpy().tolist()})
    task: Any = Task("multilabel", ("a", "b")) if kind == "listed" else kind
    pool = Pool.from_frame(frame, task=task, transform="percent" if whole > 1 else None)
    assert pool.score[..., 0].tolist() == [1.0, 0.5, 0.0] if kind != "binary" else True
    assert (pool.score.min(), pool.score.max()) == (0.0, 1.0)
    said = any(
        f"`score_a` leaves [0, {whole:g}] by rounding and was clipped." in line for line in pool.report
    )
    assert said == (kind != "listed")
    assert not any("clipped" in line for line in Pool.from_frame(binary()).report)


@pytest.mark.parametrize(
    ("score", "transform", "remedy"),
    [
        ([0.2, 1.0001], None, r"got 1.0001 at row 1.*; it is off by little, .*: clip the column to \[0, 1\]$"),
        ([-0.0005, 1.0], None, r"got -0.0005 at row 0.*; it is off by little"),
        ([0.2, 100.01], "percent", r"got 100.01 at row 1.*clip the column to \[0, 100\]$"),
        ([0.2, 1.2], None, r"got 1.2 at row 1 \(id '1'\); map a probability column"),
        ([0.2, 60.0], None, 'for percentages pass transform="percent"'),
        (["5%", "150%"], None, r"must lie in \[0, 100\] percent; got '150%' at row 1.*its cells say .*drop the row$"),
        (["5%", "150%"], "percent", r"must lie in \[0, 100\] percent; got '150%' at row 1"),
        ([0.2, 0.9], "percent", "`transform` cannot be 'percent' where all scores of `score` lie in .*got 0.9; leave"),
    ],
)  # fmt: skip
def test_the_remedy_fits_how_far_scores_leave_their_range(
    score: list[Any], transform: Any, remedy: str
) -> None:
    with pytest.raises(InputError, match=remedy):
        Pool.from_frame(pd.DataFrame({"score": score}), transform=transform)


def test_percentages_of_one_system_do_not_excuse_probabilities_of_another() -> None:
    frame = pd.DataFrame({"score_a": [20.0, 80.0], "score_b": [0.2, 0.8], "score_c": ["20%", "80%"]})
    with pytest.raises(InputError, match="all scores of `score_b` lie"):
        Pool.from_frame(
            frame,
            system={"a": {"score": "score_a"}, "b": {"score": "score_b"}},
            task="binary",
            transform="percent",
        )
    pool = Pool.from_frame(
        frame,
        system={"a": {"score": "score_a"}, "c": {"score": "score_c"}},
        task="binary",
        transform="percent",
    )
    assert [own.score.tolist() for own in pool.systems] == [[0.2, 0.8]] * 2


def test_every_score_of_a_list_is_looked_at() -> None:
    frame = pd.DataFrame({"score": [[0.5, 0.2], [0.5, 7.0]]})
    task = Task("multilabel", ("a", "b"))
    with pytest.raises(InputError, match=r"must lie in \[0, 1\]; got 7.0 at row 1"):
        Pool.from_frame(frame, task=task)
    assert Pool.from_frame(frame, task=task, transform="sigmoid").score[1, 1] == pytest.approx(
        0.999, abs=1e-3
    )


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ({"score": [0.0, 1.0]}, ()),
        ({"score": [0.5, 99.0]}, ("percent", "sigmoid")),
        ({"score": [-0.5, 99.0]}, ("sigmoid",)),
        ({"score": [0.5, 101.0]}, ("sigmoid",)),
        ({"score": [0.5, 1.2]}, ("sigmoid",)),
        ({"score": [0.5, 1.0001]}, ()),
        ({"score": [-0.0001, 0.5]}, ()),
        ({"score": ["5%", "150%"]}, ()),
        ({"score": [0.5, None]}, ()),
        ({"score": [50.0, np.inf]}, ()),
        ({"score": [-np.inf, np.inf]}, ()),
        ({"score": ["high", "low"]}, ()),
        ({"p_a": [30.0, 80.0], "p_b": [70.0, 20.0]}, ("percent", "softmax")),
        ({"pred": ["a", "b"]}, ()),
    ],
)
def test_what_scores_may_be_that_leave_the_unit_interval(
    scores: dict[str, list[Any]], found: tuple[str, ...]
) -> None:
    frame = pd.DataFrame(scores)
    assert plausible_transforms(frame, guess_columns(frame)) == found


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([0, 1], ("0", "1")),
        ([True, False], ("False", "True")),
        (["no", "Yes"], ("no", "Yes")),
        (["1", "0"], ("0", "1")),
        (["negative", "positive"], ("negative", "positive")),
        ([-1, 1], ("-1", "1")),
        ([1.0, 0.0], ("0", "1")),
        ([1, 1], ("0", "1")),
        (["true", "true"], ("false", "true")),
    ],
)
def test_two_classes_whose_sense_is_known(labels: list[Any], classes: tuple[str, str]) -> None:
    frame = pd.DataFrame({"score": [0.2, 0.7], "label": labels})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == classes
    positive = {"1", "True", "Yes", "positive", "true"}
    wanted = [int(_checks.name_of(label) in positive) for label in labels]
    assert Labels.from_frame(frame, pool).values.tolist() == wanted


def test_two_names_need_an_order() -> None:
    frame = pd.DataFrame({"score": [0.2, 0.7], "label": ["ham", "spam"]})
    with pytest.raises(InputError, match=r"which class is positive\? Name both with `classes`"):
        Pool.from_frame(frame)
    pool = Pool.from_frame(frame, classes=("ham", "spam"))
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1]
    other = Pool.from_frame(frame, classes=("spam", "ham"))
    assert Labels.from_frame(frame, other).values.tolist() == [1, 0]
    named = Pool.from_frame(frame.rename(columns={"score": "p_spam"}))
    assert named.task.classes == ("ham", "spam")


@pytest.mark.parametrize(
    ("classes", "answer", "value"),
    [
        (("yes", "no"), "N", 1),
        (("yes", "no"), "y", 0),
        (("positive", "negative"), "neg", 1),
        (("true", "false"), "no", 1),
        (("0", "yes"), "no", 0),
        (("m", "f"), 1, 1),
        (("00", "01"), 1, 1),
        (("01", "02"), 1, 0),
    ],
)
def test_words_for_yes_and_no_go_by_their_meaning(
    classes: tuple[str, str], answer: object, value: int
) -> None:
    assert encode_label(Task("binary", classes), answer) == value


@pytest.mark.parametrize(
    ("classes", "answer"),
    [
        (("yes", "no"), 1),
        (("yes", "no"), True),
        (("f", "m"), "t"),
        (("ham", "spam"), "pos"),
        (("yes", "other"), "no"),
        (("1", "2"), 0),
        (("01", "02"), 0),
    ],
)
def test_answers_that_could_mean_either_class_are_refused(classes: tuple[str, str], answer: object) -> None:
    with pytest.raises(InputError, match=f"must be '{classes[0]}' or '{classes[1]}'"):
        encode_label(Task("binary", classes), answer)


@pytest.mark.parametrize(
    "write",
    [
        str,
        lambda names: str(tuple(names)),
        lambda names: str(set(names)),
        lambda names: str(np.array(names)),
        lambda names: f"[{', '.join(names)}]",
        json.dumps,
    ],
    ids=["list", "tuple", "set", "NumPy", "bare", "JSON"],
)
def test_sets_of_labels_are_read_however_a_program_writes_them(
    write: Callable[[list[str]], str], tmp_path: Path
) -> None:
    sets = [["cat"], ["cat", "dog"], [], ['it\'s a "dog"'], ["dog"]]
    if write(sets[1]).startswith("[c"):
        sets[3] = ["a dog"]
    frame = pd.DataFrame({"id": range(5), "pred": map(write, sets), "label": map(write, sets)})
    frame.to_csv(tmp_path / "pool.csv", index=False)
    pool = Pool.read(tmp_path / "pool.csv")
    known = Labels.from_frame(pd.read_csv(tmp_path / "pool.csv"), pool).by_id(pool)
    assert known == {str(k): tuple(sorted(names)) for k, names in enumerate(sets)}


def test_a_thousand_columns_take_seconds() -> None:
    start = perf_counter()
    Pool.from_frame(
        pd.DataFrame({"id": range(20), "score": 0.5} | {f"n{k}": ["x"] * 20 for k in range(1_000)})
    )
    assert perf_counter() - start < 15  # quadratic work took a minute


def test_of_two_score_columns_the_positive_class_counts() -> None:
    frame = pd.DataFrame({"score_spam": [0.9, 0.2], "score_ham": [0.1, 0.8]})
    pool = Pool.from_frame(frame, task="binary", classes=("ham", "spam"))
    assert pool.score.tolist() == [0.9, 0.2]
    assert pool.columns.hidden == ("score_ham",)
    with pytest.raises(InputError, match="`score` must be one column in a binary task"):
        Pool.from_frame(frame, task="binary")
    with pytest.raises(InputError, match="must be the positive class's probability; got 'score_0'"):
        Pool.from_frame(pd.DataFrame({"score_0": [0.9, 0.2]}))
    with pytest.raises(InputError, match="must be the positive class's probability; got 'score_off'"):
        Pool.from_frame(pd.DataFrame({"score_off": [0.9, 0.2]}))
    assert Pool.from_frame(pd.DataFrame({"score_f": [0.9, 0.2]})).size == 2  # an initial, of whatever
    known = frame.set_axis(["score_1", "score_0"], axis=1)
    assert Pool.from_frame(known).score.tolist() == [0.9, 0.2]


def test_labels_of_more_classes_are_refused_if_told_and_set_aside_if_guessed() -> None:
    frame = binary(label=[0, 1, 2, 3, 4, 5])
    with pytest.raises(InputError, match="`label` must hold two classes"):
        Pool.from_frame(frame, label="label")
    pool = Pool.from_frame(frame)
    assert pool.columns.label == ()
    assert "label" in pool.columns.hidden


def test_scores_that_claim_far_more_positives_than_are_predicted_are_told() -> None:
    said = "The scores add up to 45 positives, 15 times as many as predicted: either they are not probabilities or the threshold is high"
    frame = binary(100, score=0.45, label=np.arange(100) % 2).assign(pred=(np.arange(100) < 3).astype(int))
    assert said in " ".join(Pool.from_frame(frame).report)
    assert "add up to" not in " ".join(Pool.from_frame(frame.assign(pred=np.arange(100) % 2)).report)


@pytest.mark.parametrize(
    ("score", "positives", "said"),
    [
        (
            0.55,
            97,
            "The scores add up to 45 negatives, 15 times as many as predicted: either they are not probabilities or the threshold is low",
        ),
        (
            0.02,
            60,
            "The scores add up to 2 positives, 30 times fewer than predicted: either they are not probabilities or the threshold is low",
        ),
        (
            0.98,
            40,
            "The scores add up to 2 negatives, 30 times fewer than predicted: either they are not probabilities or the threshold is high",
        ),
    ],
)
def test_scores_that_claim_too_few_or_far_more_negatives_are_told_alike(
    score: float, positives: int, said: str
) -> None:
    frame = binary(100, score=score).assign(pred=(np.arange(100) < positives).astype(int))
    assert said in " ".join(Pool.from_frame(frame).report)


def test_scores_without_any_item_of_a_class_raise_no_such_doubt() -> None:
    for score, pred in ((0.0, 1), (0.3, 0), (1.0, 0), (0.3, 1)):
        pool = Pool.from_frame(binary(100, score=score).assign(pred=pred), label=None, classes=("no", "yes"))
        assert "add up to" not in " ".join(pool.report)


def test_one_class_and_no_positive_are_notes() -> None:
    pool = Pool.from_frame(binary(label=0, score=0.1))
    words = " ".join(pool.report)
    assert "holds only '0'" in words
    assert "No item is predicted positive" in words
    assert re.search(r"; 0 of \d+ items \(0%\) predicted positive", words)
    single = Pool.from_frame(binary(1))
    assert single.report[0].startswith("1 item.")
    assert (single.size, single.pred.tolist()) == (1, [0])


def test_the_report_tells_each_of_two_classes_once() -> None:
    """Long names filled three lines: the positive one was told again."""
    frame = pd.DataFrame({"score": [0.2, 0.8], "label": ["all is well", "asks for a refund"]})
    pool = Pool.from_frame(frame, classes=["all is well", "asks for a refund"])
    told = "two classes, 'all is well' (negative) and 'asks for a refund' (positive)"
    assert pool.report[0] == f"2 items. Task: {told}."


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("task", "answer", "value"),
    [
        (Task(), 1, 1),
        (Task(), "0", 0),
        (Task(), np.bool_(True), 1),
        (Task(), 1.0, 1),
        (Task(), "Yes", 1),
        (Task("binary", ("ham", "spam")), "spam", 1),
        (Task("binary", ("ham", "spam")), "HAM", 0),
        (Task("binary", ("ham", "spam")), True, 1),
        (Task("binary", ("-1", "1")), -1, 0),
        (Task("multiclass", ("3", "5", "8")), 5, 1),
        (Task("multiclass", ("3", "5", "8")), "8", 2),
        (Task("multilabel", ("a", "b", "c")), {"a", "c"}, (1, 0, 1)),
        (Task("multilabel", ("a", "b", "c")), ["b"], (0, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), "a|b", (1, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), '["a"]', (1, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), (), (0, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), "[]", (0, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), np.array("b"), (0, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), np.array([0, 1, 1]), (0, 1, 1)),
        (Task("multilabel", ("a", "b", "c")), {"a": True, "b": False}, (1, 0, 0)),
        (Task("regression", ()), "2.5", 2.5),
        (Task("regression", ()), 3, 3.0),
        (Task("regression", ()), Decimal("1.5"), 1.5),
    ],
)
def test_answers_are_encoded(task: Task, answer: object, value: object) -> None:
    encoded = encode_label(task, answer)
    assert encoded == value
    assert encode_label(task, decode_label(task, encoded)) == encoded


@pytest.mark.parametrize(
    ("task", "answer", "message"),
    [
        (Task(), 2, "must be 0 or 1; got 2"),
        (Task(), -1, "must be 0 or 1; got -1; −1 is no class here: write 0 if it is the negative one"),
        (
            Task("binary", ("ham", "spam")),
            "-1",
            r"must be 'ham' or 'spam' \(or 0/1\); got '-1'; −1 is no class",
        ),
        (Task("binary", ("-1", "1")), 0, "must be '-1' or '1'; got 0"),
        (Task(), None, "must not be missing"),
        (Task(), float("nan"), "must not be missing"),
        (Task(), [1], "not a list"),
        (Task("binary", ("ham", "spam")), "spma", "did you mean 'spam'"),
        (Task("multiclass", ("cat", "dog")), "cow", "must be one of the 2 classes"),
        (Task("multilabel", ("a", "b")), {"a", "z"}, "got 'z'"),
        (Task("multilabel", ("a", "b")), 5, "must be a set of labels"),
        (Task("multilabel", ("a", "b")), np.array(5), "must be a set of labels"),
        (
            Task("multilabel", ("a", "b")),
            "",
            r"must name labels; got ''; for none of them pass \[\] or set\(\)",
        ),
        (Task("multilabel", ("a", "b")), " ", "must name labels; got ' '"),
        (Task("multilabel", ("a", "b")), "|", "must name labels"),
        (Task("multilabel", ("a", "b")), b"", "must be a set of labels"),
        (Task("multilabel", ("a", "b")), pd.DataFrame(), "must be a set of labels"),
        (Task("multilabel", ("a", "b")), {"zz": 0}, "holds a label that is not known; got 'zz'"),
        (Task("regression", ()), "many", "must be a number"),
        (Task("regression", ()), "3,5", r"got '3,5'; its decimal mark is a comma: write 3\.5"),
        (Task("regression", ()), float("inf"), "must be a finite number"),
        (Task("regression", ()), True, "must be a number"),
        (Task("regression", ()), Decimal("sNaN"), "must be a number"),
    ],
)
def test_wrong_answers_are_refused(task: Task, answer: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        encode_label(task, answer)


# ---------------------------------------------------------------- labels


def test_labels_follow_ids_not_rows() -> None:
    frame = binary()
    pool = Pool.from_frame(frame)
    some = frame.iloc[[4, 1, 3]].assign(label=pd.Series([0, None, 1], index=[4, 1, 3]))
    labels = Labels.from_frame(some, pool)
    assert labels.known.tolist() == [False, False, False, True, True, False]
    assert labels.values.tolist() == [-1, -1, -1, 1, 0, -1]
    assert labels.of(np.array([3, 4])).tolist() == [1, 0]
    assert not labels.complete
    with pytest.raises(InputError, match="known label; got 1"):
        labels.of(np.array([3, 1]))
    assert labels.fingerprint == pool.fingerprint


def numbered_shares(label: list[object]) -> pd.DataFrame:
    """Scores of three classes in columns p0, p1 and p2."""
    scores = np.random.default_rng(4).dirichlet([1, 1, 1], 30)
    labels = np.array(label, object)[scores.argmax(axis=1)]
    return pd.DataFrame(
        {"id": range(30), **dict(zip(["p0", "p1", "p2"], scores.T, strict=True)), "label": labels}
    )


def test_numbered_columns_that_sum_to_one_are_scores_of_numbered_classes() -> None:
    frame = numbered_shares([0, 1, 2])
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("0", "1", "2")
    assert pool.columns.systems[0].score == ("p0", "p1", "p2")
    assert (Labels.from_frame(frame, pool).values == pool.pred).all()
    beside = frame.assign(forecast=np.linspace(-3, 9, 30))  # of amounts, they may be shares of anything
    assert Pool.from_frame(beside).task.kind == "regression"


def test_whole_predictions_of_labels_that_are_amounts_are_amounts() -> None:
    """Beside a confidence they were taken for classes."""
    frame = pd.DataFrame(
        {"pred": [3, 5, 9, 4], "confidence": [0.9, 0.8, 0.7, 0.6], "label": [3.2, 5.5, 8.1, 4.0]}
    )
    assert Pool.from_frame(frame).task.kind == "regression"
    assert Pool.from_frame(frame.assign(label=[3, 5, 9, 5])).task.kind == "multiclass"


def test_single_numbers_are_no_lists_with_a_place_for_each_label() -> None:
    """They were called lists of 0 and 1, or of scores."""
    for gold in ([0, 1, 0], [0.0, 1.0, np.nan]):
        pool = Pool.from_frame(pd.DataFrame({"pred": ["a, b", "b", "a"], "gold": gold}))
        assert pool.task.kind == "multilabel"


def test_scores_of_classes_that_no_name_tells_are_asked_about_and_never_shown() -> None:
    """Beside decisions they were shown to annotators."""
    frame = numbered_shares(["bird", "cat", "dog"])
    with pytest.raises(
        InputError, match=r"`p0`, `p1`, `p2` sum to 1 in each row: .* rename each to prob_NAME"
    ):
        Pool.from_frame(frame)
    beside = Pool.from_frame(frame.assign(prediction=frame["label"], size=0.5))
    assert beside.columns.fields == ("size",)
    assert {"p0", "p1", "p2"} <= {*beside.columns.hidden}
    numbered = frame.drop(columns="label").rename(columns={f"p{k}": f"score_b{k}" for k in range(3)})
    assert Pool.from_frame(numbered).task.classes == (
        "b0",
        "b1",
        "b2",
    )  # the names behind a separator are whole
    renamed = frame.rename(columns={"p0": "prob_bird", "p1": "prob_cat", "p2": "prob_dog"})
    assert Pool.from_frame(renamed).task.classes == ("bird", "cat", "dog")


def test_labels_of_sorted_rows_without_ids_are_refused() -> None:
    """Each label had gone to the item that stood in its row before the frame was sorted."""
    frame = pd.DataFrame({"score": [0.9, 0.1, 0.4], "label": [1, 0, 1]})
    pool = Pool.from_frame(frame)
    with pytest.raises(
        InputError, match=r"`df` must have its rows in the order of the pool.*undo the sorting"
    ):
        Labels.from_frame(frame.sort_values("score"), pool)
    mixed = frame.sort_values("score")  # a pool in any order has labels in that order
    assert Labels.from_frame(mixed, Pool.from_frame(mixed)).values.tolist() == [0, 1, 1]
    assert Labels.from_frame(mixed.set_axis(["x", "y", "z"]), Pool.from_frame(mixed)).values.tolist() == [
        0,
        1,
        1,
    ]
    assert Labels.from_frame(frame.set_axis([7, 7, 8]), pool).values.tolist() == [1, 0, 1]
    plain = mixed.reset_index(drop=True)
    with pytest.raises(InputError, match="reset the index of this frame and of the pool's"):
        Labels.from_frame(plain, Pool.from_frame(mixed))
    assert Labels.from_frame(plain, Pool.from_frame(plain)).values.tolist() == [0, 1, 1]


def test_an_index_that_may_hold_the_ids_is_reported() -> None:
    frame = pd.DataFrame({"id": ["x", "y"], "score": [0.9, 0.1]})
    for index in (frame.set_index("id"), frame[["score"]].set_axis(["x", "y"])):
        assert any(
            "the index are not used: pass df.reset_index()" in said for said in Pool.from_frame(index).report
        )
    for plain in (frame, frame[["score"]], frame[["score"]].iloc[::-1]):
        assert not any("reset_index" in said for said in Pool.from_frame(plain).report)


def test_columns_may_be_named_by_an_index_or_an_array() -> None:
    frame = pd.DataFrame({"score_a": [0.9, 0.1], "score_b": [0.1, 0.9], "text": [1, 2], "size": [3, 4]})
    as_list = Pool.from_frame(
        frame, score=["score_a", "score_b"], fields=["text", "size"], classes=["a", "b"]
    )
    kinds: tuple[Any, ...] = (pd.Index, np.array)
    for made in kinds:
        pool = Pool.from_frame(
            frame, score=made(["score_a", "score_b"]), fields=made(["text", "size"]), classes=made(["a", "b"])
        )
        assert pool.fingerprint == as_list.fingerprint


def test_labels_follow_row_numbers_where_those_are_the_ids() -> None:
    """They had been taken in the order of rows, although a column said to which items they belong."""
    pool = Pool.from_frame(pd.DataFrame({"score": [0.5, 0.6, 0.7]}))
    frame = pd.DataFrame({"id": ["2", "0", "1"], "label": [1, 0, 0]})
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 0, 1]
    assert Labels.from_frame(frame.head(2), pool).values.tolist() == [0, -1, 1]
    with pytest.raises(
        InputError,
        match="`id` must hold ids of the pool; 1 of 3 rows has an id that is not in it: '7' at row 2",
    ):
        Labels.from_frame(frame.assign(id=["2", "0", "7"]), pool)
    assert Labels.from_frame(frame[["label"]], pool).values.tolist() == [1, 0, 0]


def test_labels_that_disagree_or_belong_elsewhere_are_refused() -> None:
    frame = binary()
    pool = Pool.from_frame(frame)
    with pytest.raises(InputError, match="two labels; 'a1' has others at rows 1 and 6"):
        Labels.from_frame(pd.concat([frame, frame.iloc[[1]].assign(label=0)]), pool)
    thrice = pd.concat([frame, frame.iloc[[1]].assign(label=0), frame.iloc[[1]]])
    with pytest.raises(InputError, match="'a1' has others at rows 6 and 7"):
        Labels.from_frame(thrice, pool)
    with pytest.raises(
        InputError, match="1 of 6 rows has an id that is not in it: 'zz' at row 0; to drop these rows"
    ):
        Labels.from_frame(frame.assign(id=["zz", *frame["id"][1:]]), pool)
    with pytest.raises(InputError, match=r"got 7;.*row 2, id 'a2'"):
        Labels.from_frame(frame.assign(label=[0, 1, 7, 0, 1, 0]), pool)
    with pytest.raises(InputError, match=r"got 7;.*row 3, id 'a3'"):
        Labels.from_frame(frame.assign(label=["NA", 1, "NA", 7, 7, ""]), pool)
    with pytest.raises(InputError, match="not a column of the frame; got 'lable'; did you mean 'label'"):
        Labels.from_frame(frame, pool, label="lable")


def test_labels_of_items_that_the_pool_does_not_have_are_named_with_what_leaves_them_out() -> None:
    frame = binary()
    pool = Pool.from_frame(frame)
    more = pd.concat([frame, frame.assign(id=[f"b{k}" for k in range(6)])], ignore_index=True)
    told = r"`id` must hold ids of the pool; 6 of 12 rows have an id that is not in it: 'b0' at row 6, .*'b4' at row 10 and 1 more"
    with pytest.raises(InputError, match=told) as refused:
        Labels.from_frame(more, pool)
    remedy = str(refused.value).rpartition("keep ")[2]
    assert Labels.from_frame(eval(remedy, {"df": more, "pool": pool}), pool).complete
    with pytest.raises(InputError, match=r"none of these is one: 'b0' at row 0, .*; there is 'a0'"):
        Labels.from_frame(more.tail(6), pool)
    with pytest.raises(
        InputError,
        match=r"'a00' at row 0; to drop these rows, if none is a typing error \(did you mean 'a0'\?\), keep",
    ):
        Labels.from_frame(frame.assign(id=["a00", *frame["id"][1:]]), pool)


def test_cells_that_are_no_labels_are_counted_and_those_that_say_unsure_are_unknown() -> None:
    frame = binary()
    pool = Pool.from_frame(frame)
    with pytest.raises(
        InputError, match=r"got 'maybe'; correct it .*row 1, id 'a1'; elsewhere 'maybe' \(1 more\), 'x' \(1\)"
    ):
        Labels.from_frame(frame.assign(label=["1", "maybe", "0", "maybe", "x", "0"]), pool)
    unsure = frame.assign(label=["1", "?", "0", "Unsure", "skip", "0"])
    labels = Labels.from_frame(unsure, pool)
    assert labels.known.tolist() == [True, False, True, False, False, True]
    assert "`label` holds '?' (1), 'Unsure' (1), 'skip' (1), taken for unknown" in labels.report[-1]
    own = Pool.from_frame(unsure)
    assert (own.task.classes, own.columns.label) == (("0", "1"), ("label",))
    named = Pool.from_frame(unsure.assign(label=["1", "?"] * 3), classes=("?", "1"))
    assert Labels.from_frame(
        unsure.assign(label=["1", "?"] * 3), named
    ).complete  # where it is a class, it is one
    several = pd.DataFrame({"pred": ["a", "b", "c"], "label": ["a", "unknown", "c"]})
    assert "unknown" in Pool.from_frame(several).task.classes  # beside several classes it may be one more


def test_a_field_that_gives_the_label_away_is_named() -> None:
    frame = binary(200, digit=np.arange(200) % 10, half=np.arange(200) % 5)
    words = " ".join(Pool.from_frame(frame).report)
    assert "`digit` has one label for each of its values" in words
    assert "`half` has one label" not in words
    assert "`text` goes" not in words


@pytest.mark.parametrize(
    "cells", [[-1, 1, 1, -1, -1, 1], ["-1", "1", "1", "-1", "-1", "1"], [-1.0, 1, 1, -1, None, 1]]
)
@pytest.mark.parametrize("classes", [("0", "1"), ("ham", "spam"), ("-1", "1")])
def test_a_column_of_minus_one_and_one_is_signed(cells: list[Any], classes: tuple[str, str]) -> None:
    frame = binary().drop(columns="label")
    pool = Pool.from_frame(frame, classes=classes)
    labels = Labels.from_frame(frame.assign(label=cells), pool)
    assert labels.values[labels.known].tolist() == [int(int(c) == 1) for c in cells if c is not None]
    with pytest.raises(InputError, match=r"got -1;.*row 5, id 'a5'"):
        Labels.from_frame(frame.assign(label=[0, 1, 0, 1, 0, -1]), Pool.from_frame(frame))
    marked = Pool.from_frame(frame, classes=("1", "-1"))
    assert Labels.from_frame(frame.assign(label=[-1, 1] * 3), marked).values.tolist() == [1, 0] * 3


def test_labels_of_multilabel_in_one_cell() -> None:
    frame = pd.DataFrame({"score_a": [0.9, 0.4], "score_b": [0.8, 0.6], "label": ["a|b", ""]})
    pool = Pool.from_frame(frame, task="multilabel")
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 1], [-1, -1]]
    nothing = frame.assign(label=["a|b", "[]"])
    assert Labels.from_frame(nothing, pool).values.tolist() == [[1, 1], [0, 0]]
    listed = frame.assign(label=pd.Series([["b"], ["a"]]))
    assert Labels.from_frame(listed, pool).values.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("form", ["csv", "parquet", "frame"])
@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_cell_of_labels_is_unknown_and_of_decisions_none_in_every_format(
    blank: str, form: str, tmp_path: Path
) -> None:
    """An item without a label in CSV had been one that is labelled with none in Parquet."""
    frame = pd.DataFrame({"id": ["x", "y", "z"], "pred": ["a|b", blank, "a"], "label": ["a|b", blank, "[]"]})
    if form == "csv":
        frame.to_csv(path := tmp_path / "pool.csv", index=False)
    else:
        frame.to_parquet(path := tmp_path / "pool.parquet", index=False)
    pool = (
        Pool.from_frame(frame, task="multilabel") if form == "frame" else Pool.read(path, task="multilabel")
    )
    labels = Labels.from_frame(frame if form == "frame" else read_frame(path, Told()), pool)
    assert labels.by_id(pool) == {"x": ("a", "b"), "z": ()}
    assert pool.pred.tolist() == [[1, 1], [0, 0], [1, 0]]
    assert "`pred` names no label in 1 cell: none is predicted there." in pool.report


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_cell_names_no_class(blank: str) -> None:
    """In formats that distinguish blank from missing cells, such as JSON, blanks had become a class."""
    frame = pd.DataFrame({"id": [*"xyz"], "pred": ["dog", "cat", "fox"], "label": ["dog", blank, "cat"]})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("cat", "dog", "fox")
    assert Labels.from_frame(frame, pool).by_id(pool) == {"x": "dog", "z": "cat"}
    with pytest.raises(InputError, match=r"`pred` must hold a decision in every row.* row 1"):
        Pool.from_frame(frame.assign(pred=["dog", blank, "fox"]))


@pytest.mark.parametrize("cells", [["a|b", "b"], ["a;b", "b"], ["b", "a, b"]])
def test_labels_joined_by_any_mark_are_sets_of_labels(cells: list[str]) -> None:
    frame = pd.DataFrame({"score_a": [0.9, 0.4], "score_b": [0.8, 0.6], "labels": cells})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert sorted(Labels.from_frame(frame, pool).values.tolist()) == [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    "name", ["Pred Prob (%)", "Prediction probability", "Score (%)", "prob_spam [percent]"]
)
def test_a_score_is_known_whatever_its_unit(name: str) -> None:
    frame = pd.DataFrame({name: [74.4, 0.2, 17.8], "spam?": ["yes", None, "no"]})
    columns = guess_columns(frame)
    assert (columns.kind, columns.systems[0].score, columns.hidden) == ("binary", (name,), ("spam?",))
    assert Pool.from_frame(frame, transform="percent").score == pytest.approx([0.744, 0.002, 0.178])


@pytest.mark.parametrize(
    "cells",
    [
        [{"a", "b"}, set(), {"b"}],
        [frozenset("ab"), frozenset(), frozenset("b")],
        [("a", "b"), (), ("b",)],
        [("a", "b"), [], {"b"}],
        [np.array(["a", "b"]), "[]", "b"],
    ],
)
def test_labels_in_any_kind_of_set(cells: list[Any]) -> None:
    """Sets and tuples had been refused, and the scores read as those of two classes."""
    frame = pd.DataFrame({"score_a": [0.9, 0.4, 0.2], "score_b": [0.1, 0.6, 0.8]})
    frame["label"] = pd.Series(cells, dtype=object)
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 1], [0, 0], [0, 1]]


@pytest.mark.parametrize("other", [["a"], {"a"}, 1, 0.5])
def test_words_for_unknown_are_found_beside_other_cells(other: object) -> None:
    cells = pd.Series([1, other, "NA", None, "NA", "b"], dtype=object)
    assert "holds 'NA' (2)," in unknown_in_words(Task("multilabel", ("a", "b")), cells, "label")[0]


def test_labels_survive_their_file(tmp_path: Path) -> None:
    for frame in (
        binary(),
        pd.DataFrame({"score_a": [0.9], "score_b": [0.2], "label_a": [1], "label_b": [0]}),
    ):
        pool = Pool.from_frame(frame)
        labels = Labels.from_frame(frame, pool)
        labels.to_parquet(tmp_path / "labels.parquet")
        again = Labels.from_parquet(tmp_path / "labels.parquet", pool)
        assert again.values.tolist() == labels.values.tolist()
        assert (again.task, again.report, again.values.dtype) == (
            labels.task,
            labels.report,
            labels.values.dtype,
        )
    other = Pool.from_frame(binary(3))
    with pytest.raises(InputError, match="`path` must hold the labels of this pool"):
        Labels.from_parquet(tmp_path / "labels.parquet", other)


@pytest.mark.parametrize(
    ("task", "values", "row"),
    [
        (Task(), [0, 7, -1], 1),
        (Task(), [-5, 0, -1], 0),
        (Task(), [0, 1e9, -1], 1),  # as int8 it is 0
        (Task(), [0.5, 0, -1], 0),
        (Task("multiclass", ("a", "b", "c")), [2, 3, -1], 1),
        (Task("multilabel", ("a", "b")), [[0, 1], [1, 2], [-1, -1]], 1),
        (Task("regression", ()), [np.inf, 1, np.nan], 0),
    ],
)
def test_a_file_of_what_are_no_labels_is_refused(
    task: Task, values: list[Any], row: int, tmp_path: Path
) -> None:
    labels = Labels(task, np.array(values), np.array([True, True, False]), "")
    path = labels.to_parquet(tmp_path / "labels.parquet")
    with pytest.raises(InputError, match=rf"`path` must hold .*labels.* at row {row}"):
        Labels.from_parquet(path)


def test_a_file_of_fewer_labels_than_items_is_refused(tmp_path: Path) -> None:
    pool = Pool.from_frame(binary(4))
    fewer = Labels(pool.task, np.zeros(2, np.int8), np.ones(2, bool), pool.fingerprint)
    with pytest.raises(InputError, match="`path` must hold the labels of this pool"):
        Labels.from_parquet(fewer.to_parquet(tmp_path / "labels.parquet"), pool)


@pytest.mark.parametrize(
    "answer", [[pd.NA, 1, 0], [np.array([1, 2]), 0, 1], [None, 1, 0], [[1], 0, 1], [2, 0, 1]]
)
def test_malformed_sets_of_labels_are_refused(answer: object) -> None:
    with pytest.raises(InputError, match="`label`"):
        encode_label(Task("multilabel", ("a", "b", "c")), answer)


@pytest.mark.parametrize("ids", [5, None, 1.5])
def test_positions_of_what_is_no_list_of_ids_are_refused(ids: object) -> None:
    with pytest.raises(InputError, match="`ids` must be a list of ids"):
        Pool.from_frame(binary()).positions(ids)  # type: ignore[arg-type]


def decided(n: int = 6) -> pd.DataFrame:
    """The scores of three labels, and decisions that no threshold on these scores would make."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"score_{name}": rng.random(n) for name in "abc"})
    return frame.assign(**{f"{name}_says": 1 - (frame[f"score_{name}"] >= 0.5) for name in "abc"})


@pytest.mark.parametrize(
    "told",
    [
        {"pred": ["a_says", "b_says", "c_says"]},
        {"pred": {name: f"{name}_says" for name in "cab"}},
        {"system": {"": {"score": "score_", "pred": ["a_says", "b_says", "c_says"]}}},
        {"score": ["score_b", "score_c", "score_a"], "pred": ["b_says", "c_says", "a_says"]},
    ],
    ids=["list", "mapping", "system", "order"],
)
def test_decisions_told_per_label_count_whatever_their_columns_are_called(told: dict[str, Any]) -> None:
    """A list of names other than `pred_a` had silently been dropped, so that the threshold decided."""
    usual: dict[str, Any] = {} if "score" in told or "system" in told else {"score": "score_"}
    pool = Pool.from_frame(decided(), task="multilabel", **usual, **told)
    order = [f"{name}_says" for name in pool.task.classes]
    assert pool.pred.tolist() == decided()[order].to_numpy().tolist()


def test_decisions_named_by_told_classes_follow_them() -> None:
    frame = decided().rename(columns={f"{name}_says": f"pred_{name}" for name in "abc"})
    frame = frame.rename(columns={f"score_{name}": f"s{k}" for k, name in enumerate("abc")})
    told: dict[str, Any] = {
        "score": ["s0", "s1", "s2"],
        "pred": ["pred_c", "pred_a", "pred_b"],
        "classes": ["a", "b", "c"],
    }
    pool = Pool.from_frame(frame, task="multilabel", **told)
    assert pool.pred.tolist() == frame[["pred_a", "pred_b", "pred_c"]].to_numpy().tolist()


@pytest.mark.parametrize("score", [False, True])
@pytest.mark.parametrize(
    ("pred", "classes", "kind"),
    [([1, 2, 3, 4], [1, 2, 3, 4], "multiclass"), (["ham", "spam"] * 2, ["ham", "spam"], "binary"),
     ([1, 2, 2, 1], ["1", "2"], "binary")],
)  # fmt: skip
def test_told_classes_make_the_task_one_of_these_classes(
    pred: list[Any], classes: list[Any], kind: Kind, score: bool
) -> None:
    """Numbers had become predicted amounts, and two classes one of several, without recall."""
    frame = pd.DataFrame({"pred": pred} | ({"score": [0.1, 0.9, 0.9, 0.1]} if score else {}))
    pool = Pool.from_frame(frame, classes=classes)
    assert pool.task == Task(kind, tuple(map(str, classes)))
    assert pool.pred.tolist() == [classes.index(type(classes[0])(name)) for name in pred]


@pytest.mark.parametrize(
    ("task", "told", "said"),
    [
        (
            "multilabel",
            {"pred": ["a_says", "b_says"]},
            "`pred` must name only what a multilabel task can use",
        ),
        ("multilabel", {"pred": {"x": "a_says", "y": "b_says", "z": "c_says"}}, "for 'a', 'b', 'c'"),
        ("binary", {"score": "score_a", "pred": ["a_says", "b_says"]}, "leave out 'a_says', 'b_says'"),
        (
            "regression",
            {"score": "score_a", "pred": "score_b"},
            "`score` must name only what a regression task",
        ),
        (
            "binary",
            {"score": "score_a", "error": "score_b"},
            "`error` must name only what a binary task can use",
        ),
        (
            "binary",
            {"score": "score_a", "system": {"x": {"score": "score_b"}}},
            "`score` must be left out where",
        ),
        ("binary", {"system": 5}, "`system` must be a column name, or a mapping"),
        ("binary", {"system": ["score_a"]}, "`system` must be a column name, or a mapping"),
        ("binary", {"system": {}}, "`system` must be a column name, or a mapping"),
    ],
    ids=["two of three", "others", "two", "score", "error", "twice", "number", "list", "empty"],
)
def test_arguments_without_a_use_for_the_task_are_refused(
    task: Kind, told: dict[str, Any], said: str
) -> None:
    usual: dict[str, Any] = {"score": "score_"} if task == "multilabel" else {}
    with pytest.raises(InputError, match=said):
        Pool.from_frame(decided(), task=task, **usual, **told)


def test_labels_do_not_enter_the_pool(tmp_path: Path) -> None:
    one, two = binary(label=[0, 0, 0, 1, 1, 1]), binary(label=[1, 1, 0, 0, 1, 0])
    assert Pool.from_frame(one).fingerprint == Pool.from_frame(two).fingerprint
    Pool.from_frame(one.assign(label=["no", "no", "no", "yes", "yes", "yes"])).to_parquet(
        tmp_path / "pool.parquet"
    )
    saved = pd.read_parquet(tmp_path / "pool.parquet")
    assert not [name for name in saved if "label" in str(name)]
    with pytest.raises(InputError, match="must not hold the label"):
        Pool.from_frame(one, fields=["label", "text"])


# ---------------------------------------------------------------- fingerprint and files


def test_fingerprint_is_the_same_everywhere() -> None:
    frame = pd.DataFrame({"id": ["ä", "b"], "score": [0.25, 1.0], "note": ["x", None], "n": [1, 2]})
    # written down once: a new value here means that stored pools would no longer be found
    assert Pool.from_frame(frame).fingerprint == (
        "32d8b1956cce86b039c6114a9c94bedbc6a0edbedef4695d750144bd5353bc15"
    )


def test_categories_of_whole_numbers_may_be_missing() -> None:
    cells = pd.array([0, 1, None, 1, 0, 1], dtype="Int64")
    one = binary(label=cells, level=cells)
    other = one.astype({"label": "category", "level": "category"})
    pool, again = (
        Pool.from_frame(one),
        Pool.from_frame(other.assign(label=pd.Categorical([0, 1, None, 1, 0, 1]))),
    )
    assert again.fingerprint == pool.fingerprint
    assert Labels.from_frame(other, again).values.tolist() == [0, 1, -1, 1, 0, 1]
    with pytest.raises(InputError, match=r"`score` must not be missing; see row 2"):
        Pool.from_frame(binary(score=pd.Categorical([0, 1, None, 1, 0, 1])))


def test_the_fingerprint_depends_on_content_and_not_on_column_types() -> None:
    frame = binary(n=[1, 2, 3, 4, 5, 6], kind=list("ababab"))
    print_ = Pool.from_frame(frame).fingerprint
    dressed = frame.astype({"n": "int8", "kind": "category", "text": object, "score": "Float64"})
    assert Pool.from_frame(dressed).fingerprint == print_
    assert Pool.from_frame(frame.set_axis(range(5, 11), axis=0)).fingerprint == print_
    for change in ({"n": [1, 2, 3, 4, 5, 7]}, {"score": 0.5}, {"text": "t"}, {"id": list("bcdefg")}):
        assert Pool.from_frame(frame.assign(**change)).fingerprint != print_
    assert Pool.from_frame(frame, threshold=0.9).fingerprint != print_
    assert Pool.from_frame(frame.assign(text=["ab", "c", *frame["text"][2:]])).fingerprint != (
        Pool.from_frame(frame.assign(text=["a", "bc", *frame["text"][2:]])).fingerprint
    )


def all_kinds() -> list[pd.DataFrame]:
    block = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    return [
        binary(
            picture=[b"\0\xff", b"", None, b"a", b"b", b"c"], day=pd.date_range("2024", periods=6, tz="UTC")
        ),
        binary(city=pd.Categorical(["x", "y", None, "x", "y", "x"]), nil=[1.5, None, 2, 3, 4, 5], ok=True),
        pd.DataFrame(block, columns=["score_cat", "score_dog", "score_cow"]),
        pd.DataFrame({"score_a": [0.9, 0.4], "score_b": [0.8, 0.6], "pred_a": [1, 1], "pred_b": [0, 1]}),
        pd.DataFrame({"pred": [1.5, 2.5], "pred_sd": [0.1, 0.2], "label": [1.0, 2.0]}),
        pd.DataFrame({"id": ["x", "y"], "a.score": [0.1, 0.2], "b.score": [0.3, 0.4]}),
        pd.DataFrame({"score": [0.5], "list": [[1, 2]], "map": [{"k": 1}], "whole": [10**30]}),
    ]


@pytest.mark.parametrize("number", range(7))
def test_pool_survives_its_file(number: int, tmp_path: Path) -> None:
    pool = Pool.from_frame(all_kinds()[number])
    path = pool.to_parquet(tmp_path / "pool.parquet")
    again = Pool.from_parquet(path)
    assert again.fingerprint == pool.fingerprint
    assert (again.task, again.report, again.columns, again.threshold) == (
        pool.task,
        pool.report,
        pool.columns,
        pool.threshold,
    )
    pd.testing.assert_frame_equal(again.fields, pool.fields, check_dtype=False, check_categorical=False)
    assert [s.pred.dtype for s in again.systems] == [s.pred.dtype for s in pool.systems]
    assert Pool.read(path).fingerprint == pool.fingerprint
    assert [file.name for file in tmp_path.iterdir()] == ["pool.parquet"]
    assert pickle.loads(pickle.dumps(again)).fingerprint == pool.fingerprint


@pytest.mark.parametrize(
    "told",
    [{"threshold": 0.9}, {"threshold": "junk"}, {"transform": "percent"}],
    ids=["threshold", "text", "percent"],
)
def test_a_saved_pool_holds_its_decisions(told: dict[str, Any], tmp_path: Path) -> None:
    path = Pool.from_frame(binary()).to_parquet(tmp_path / "pool.parquet")
    with pytest.raises(
        InputError, match=f"`{next(iter(told))}` must be left out for a saved pool.*read the table"
    ):
        Pool.read(path, **told)


@given(
    score=hnp.arrays(np.float64, st.integers(1, 9), elements=st.floats(0, 1)),
    text=st.lists(st.one_of(st.none(), st.text()), min_size=9, max_size=9),
)
def test_any_text_and_score_survive_the_file(
    score: Any, text: list[str | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": score, "text": text[: len(score)]}))
    path = pool.to_parquet(tmp_path_factory.mktemp("pool") / "pool.parquet")
    assert Pool.from_parquet(path).fingerprint == pool.fingerprint


def test_damaged_pool_files_are_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    path = Pool.from_frame(binary(200)).to_parquet(tmp_path / "pool.parquet")
    whole = path.read_bytes()
    fingerprint = Pool.from_parquet(path).fingerprint
    for _ in range(200):
        broken = bytearray(whole)
        broken[int(rng.integers(len(broken)))] ^= int(rng.integers(1, 256))
        path.write_bytes(broken)
        try:
            again = Pool.from_parquet(path)
        except InputError:
            continue
        assert again.fingerprint == fingerprint


@pytest.mark.parametrize("ids", [[1, 2], [True, False], [["a"], ["b"]], [b"a", b"b"], [None, None]], ids=str)
def test_a_pool_file_whose_ids_are_no_text_is_refused(ids: list[Any], tmp_path: Path) -> None:
    path = Pool.from_frame(binary()[:2]).to_parquet(tmp_path / "pool.parquet")
    table = pq.read_table(path)
    pq.write_table(table.set_column(table.column_names.index("id"), "id", pa.array(ids)), path)
    with pytest.raises(InputError, match="`path` must be an undamaged pool file: ids must be text"):
        Pool.from_parquet(path)


def test_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Pool.from_frame(binary()).to_parquet(tmp_path / "pool.parquet")
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", fail)
    said = r"`path` must be a file that can be written: No space left on device; got .*; is its folder"
    with pytest.raises(InputError, match=said):
        Pool.from_frame(binary(9)).to_parquet(path)
    with pytest.raises(InputError, match="that can be written: File name too long"):
        Pool.from_frame(binary(9)).to_parquet(tmp_path / f"{'x' * 240}.parquet")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["pool.parquet"]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".jsonl.gz"])
def test_the_same_pool_from_every_format(ending: str, tmp_path: Path) -> None:
    frame = binary(text=["plain", "with, comma", 'with "quotes"', "two\nlines", "ünï", "=1+1"])
    path = tmp_path / f"pool{ending}"
    if ".csv" in ending or ".tsv" in ending:
        frame.to_csv(path, index=False, sep="\t" if ending == ".tsv" else ",")
    elif ".jsonl" in ending:
        frame.to_json(path, orient="records", lines=True, double_precision=15)
    else:
        frame.to_parquet(path)
    pool = Pool.read(path)
    assert pool.fields["text"].tolist() == frame["text"].tolist()
    assert pool.score.tolist() == pytest.approx(frame["score"].tolist(), abs=1e-15)
    assert pool.ids.tolist() == frame["id"].tolist()


def test_csv_keeps_ids_and_codes_as_written(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    path.write_text("id; p ;zip;n\n007; 0.25;01234;5\n8;0.75;99999;6\n", encoding="utf-8-sig")
    pool = Pool.read(path)
    assert pool.ids.tolist() == ["007", "8"]
    assert pool.score.tolist() == [0.25, 0.75]
    assert pool.fields["zip"].tolist() == ["01234", "99999"]
    assert pool.fields["n"].tolist() == [5, 6]


@pytest.mark.parametrize(("mark", "ending"), [(";", ".csv"), ("\t", ".tsv"), ("|", ".csv")])
def test_decimal_commas_are_read_where_they_do_not_separate(mark: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"items{ending}"
    cells = [["id", "p_spam", "pred", "price", "code", "views"],
             ["a", "0,53", "1,5", "1,234", "007,5", "1,234"],
             ["b", " 5,3E-05", "3", "1,5", "2", "12"],
             ["c", "1", "", "12,345", "", ""]]  # fmt: skip
    path.write_text("".join(mark.join(line) + "\n" for line in cells))
    frame = read_frame(path, Told())
    assert frame["p_spam"].tolist() == [0.53, 5.3e-05, 1.0]
    assert frame["pred"].tolist()[:2] == [1.5, 3.0]
    assert frame["price"].tolist() == [1.234, 1.5, 12.345]
    assert frame["code"].tolist()[:2] == ["007,5", "2"]
    assert frame["views"].tolist()[:2] == ["1,234", "12"]


def test_decimal_commas_are_named_where_they_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text('id,p_spam\na,"0,5"\nb,"0,53"\n')
    with pytest.raises(InputError, match=r"`p_spam` must be .* got '0,5' .* mark is a comma: write 0\.5"):
        Pool.read(path)
    path.write_text("id;pred\na;1,234\nb;5\n")
    with pytest.raises(InputError, match=r"got '1,234' .*separate thousands: write 1\.234 or 1234"):
        Pool.read(path, task="regression")


def test_only_needed_columns_are_read(tmp_path: Path) -> None:
    frame = binary(bulk="x" * 100)
    for ending in ("csv", "parquet"):
        path = tmp_path / f"pool.{ending}"
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
        pool = Pool.read(path, fields=["text"])
        assert list(pool.fields.columns) == ["text"]
        assert pool.columns.label == ("label",)
        assert "bulk" not in pool.columns.hidden


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [0.1, 0.2, 1.7, 0.4, 0.5, 0.6]}, r"`score` must lie in \[0, 1\]; got 1.7 at row 2 \(id 'a2'\); .*sigmoid"),
        ({"score": [10, 20, 30, 40, 50, 60]}, 'for percentages pass transform="percent"'),
        ({"score": [0.1, -0.2, 0.3, 0.4, 0.5, 0.6]}, r"got -0.2 at row 1 \(id 'a1'\)"),
        ({"score": [0.1, None, 0.3, 0.4, 0.5, 0.6]}, r"must not be missing; see row 1 \(id 'a1'\)"),
        ({"score": [0.1, 0.2, 0.3, 0.4, 0.5, np.inf]}, r"must be finite; got inf at row 5 \(id 'a5'\)"),
        ({"score": ["0.1", "0.2", "high", "0.4", "0.5", "0.6"]}, r"must be a number; got 'high' at row 2 \(id 'a2'\)"),
        ({"score": [0.1, 0.2, [0.3], 0.4, 0.5, 0.6]}, r"must be a number; got \[0.3\] at row 2"),
        ({"score": pd.Series([10**400] * 6, dtype=object)}, "must be a number; got a whole number of more than 40 digits at row 0"),
        ({"score": pd.date_range("2024", periods=6)}, "must be a number; the column holds datetime64"),
        ({"score": [1j] * 6}, "must be a number; the column holds complex128"),
        ({"id": ["a", "b", "a", "c", "d", "e"]}, "`id` must be different in every row; got 'a' at row 2; it is also at row 0"),
        ({"id": [1, "1", 2, 3, 4, 5]}, "must be different in every row; got '1' at row 1"),
        ({"id": ["a", None, "b", "c", "d", "e"]}, "must have an id in every row; got nothing at row 1"),
        ({"id": ["a", "", "b", "c", "d", "e"]}, "must not be empty"),
        ({"id": ["a", "x\0", "b", "c", "d", "e"]}, r"must not hold NUL; got 'x\\x00' at row 1"),
        ({"id": [0.5, 1, 2, 3, 4, 5]}, "must be text or whole numbers; got 0.5 at row 0"),
        ({"id": [1e20, 1, 2, 3, 4, 5]}, "whole numbers below 2"),
        ({"id": [[1], 1, 2, 3, 4, 5]}, "must be one value per cell, not a list or a record"),
        ({"id": pd.Series(["a", "\ud800", *"bcde"], dtype=object)}, "must be valid text"),
        ({"pred": [0, 1, 2, 0, 1, 0]}, "which class is positive|must be 0 or 1"),
        ({"pred": [0, 1, None, 0, 1, 0]}, r"must hold a decision in every row; see row 2 \(id 'a2'\)"),
    ],
)  # fmt: skip
def test_bad_cells_are_refused_by_row(change: dict[str, Any], message: str) -> None:
    frame = binary()
    for name, cells in change.items():
        frame[name] = cells if isinstance(cells, pd.Series | pd.DatetimeIndex) else pd.Series(cells)
    with pytest.raises(InputError, match=message):
        Pool.from_frame(frame)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": "scroe"}, "`score` is not a column of the frame; got 'scroe'; did you mean 'score'?"),
        ({"id": "ident"}, "`id` is not a column"),
        ({"id": 5}, "`id` must be a column name; got 5"),
        ({"score": 5}, "`score` must be a column name, a list"),
        ({"fields": ["txet"]}, "did you mean 'text'"),
        ({"fields": 3}, "`fields` must be a list"),
        ({"threshold": 1.5}, r"`threshold` must lie in \[0, 1\]; got 1.5; 1.5% is 0.015"),
        ({"threshold": "high"}, "`threshold` must be a number"),
        ({"threshold": float("nan")}, "`threshold` must be a finite number"),
        ({"threshold": {"a": 0.5}}, "only in a multilabel task"),
        ({"transform": "logit"}, "`transform` is not known; got 'logit'"),
        ({"transform": "softmax"}, "only in a multiclass task"),
        ({"task": "ranking"}, "`task` is not known; got 'ranking'"),
        ({"classes": ("a", "b", "c")}, r"\(negative, positive\)"),
        ({"classes": ("a", "a")}, "different names"),
        ({"classes": "ab"}, "must be a list of names"),
        ({"label": "text"}, "must hold two classes"),
        ({"system": "model"}, "`system` is not a column"),
        ({"system": {"a": "score"}}, "must give 'a' a mapping"),
        ({"system": {"a": {"scroe": "score"}}}, "did you mean 'score'"),
        ({"error": "sd"}, "`error` is not a column"),
        ({"label": "score"}, "`label` and `score` must be different columns; got 'score'; a prediction is no known label"),
        ({"pred": "label", "label": "label"}, "`label` and `pred` must be different columns; got 'label'"),
        ({"system": {"a": {"score": "label"}}, "label": "label"}, "`label` and `score` must be different columns"),
        ({"id": "score", "score": "score"}, "`id` and `score` must be different columns; got 'score'"),
        ({"label": "id"}, "`id` and `label` must be different columns"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Pool.from_frame(binary(), **arguments)


def test_bad_frames_are_refused() -> None:
    with pytest.raises(InputError, match="must be a pandas DataFrame; got 'list'"):
        Pool.from_frame([1, 2])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="columns but no rows"):
        Pool.from_frame(binary().iloc[:0])
    with pytest.raises(InputError, match="it is empty"):
        Pool.from_frame(pd.DataFrame())
    twice = binary().set_axis(["id", "score", "text", "text"], axis=1)
    with pytest.raises(InputError, match="distinct column names; got 'text'"):
        Pool.from_frame(twice)
    with pytest.raises(InputError, match="one row of column names"):
        Pool.from_frame(binary().set_axis(pd.MultiIndex.from_product([["x"], list("abcd")]), axis=1))
    with pytest.raises(InputError, match="no column holds a score or a prediction"):
        Pool.from_frame(binary().drop(columns="score"))
    with pytest.raises(InputError, match="must sum to 1 in each row"):
        Pool.from_frame(pd.DataFrame({"score_a": [0.9], "score_b": [0.9]}), task="multiclass")


def test_the_index_of_a_parquet_file_has_a_name_of_its_own(tmp_path: Path) -> None:
    """Two columns were called `unnamed_0`, and the reader failed."""
    frame = pd.DataFrame({"index": list("ab"), "unnamed_0": [1, 2], "score": [0.5, 0.25]}, index=[5, 7])
    frame.to_parquet(tmp_path / "a.parquet")
    assert Pool.read(tmp_path / "a.parquet").size == 2


def test_files_whose_content_contradicts_their_name_are_refused(tmp_path: Path) -> None:
    def refused(name: str, data: bytes, message: str) -> None:
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InputError, match=message):
            Pool.read(path)

    parquet = pa.BufferOutputStream()
    pa.parquet.write_table(pa.table({"score": [0.5]}), parquet)
    refused("a.csv", bytes(parquet.getvalue()), "it holds Parquet; got 'a.csv'; rename it to end in .parquet")
    refused("a.parquet", b"id,score\n1,0.5\n", "it holds something else, perhaps CSV")
    refused("a.jsonl", b"id,score\n1,0.5\n", "something else, perhaps CSV")
    refused("a.jsonl", b'[{"score": 1}]', "one JSON object per line")
    refused("a.csv", b"PK\x03\x04....", "a zip archive or an Excel workbook")
    refused("a.csv", "id,score\n1,0.5".encode("utf-16-le"), 'first line holds NUL; .*save it as "CSV UTF-8"')
    refused("a.csv", "id,score\n1,0.5".encode("utf-16") + b"\0", "must be UTF-8 text")
    refused("a.docx", b"", "must end in one of .csv")
    refused("a.csv", b"", "the file is empty")
    refused("a.csv", b" \n", "the file is empty")
    refused("a.csv", b"id,score\n", "at least one row of data")
    refused("a.csv", b"id,score\n1,0.5\n2\n", r"2 cells in every row; line 3 has 1; got '2'")
    refused("a.csv", b"id,score,score\n1,0.5,1\n", "distinct column names; got 'score'")
    no_names = "got '0'; rename or drop one of the two; if the first line is a row of the table, put one with"
    refused("a.csv", b"a7,0.5,0,0\na8,0.25,0,1\n", no_names)
    counted = b"id,score\na,0.5\n\n(1 row affected)\nCompletion time: noon\n"
    refused("a.csv", counted, "if the table ends above line 4, delete the rest")
    refused("a.csv", b"id,score\na\nb,0.5\n", "quote cells that hold the separator or a line break")
    refused(
        "a.jsonl", '{"score": 0.5, "t": "é"}'.encode("latin-1"), "must hold UTF-8 text; column `t` does not"
    )
    refused("a.jsonl", b'{"score": 0.5}\n{"score": "x"}\n', r"breaks at line 2 \(field `score` changed")
    refused("a.csv.gz", b"\x1f\x8bgarbage", "damaged or cut short")
    with pytest.raises(InputError, match="this does not exist"):
        Pool.read(tmp_path / "none.csv")
    with pytest.raises(InputError, match="this is a folder"):
        Pool.read(tmp_path)
    with pytest.raises(InputError, match="must be the path of a file"):
        Pool.read(5)  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are Unix's")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    """Nobody wrote to the pipe, so that the read never ended."""
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(
        InputError, match=r"this is a pipe or a device; .* write what it holds to a file first"
    ):
        Pool.read(tmp_path / "pipe.csv")


def test_strange_fields_are_shown_as_text_with_a_note() -> None:
    stamps = [pd.Timestamp("2024-01-01", tz="UTC"), pd.Timestamp("2024-06-01", tz="Asia/Tokyo")]
    frame = pd.DataFrame({
        "score": [0.1, 0.2], "zones": pd.Series(stamps, dtype=object), "list": [[1], [2, 3]], "mixed": [1, "x"],
        "nul": ["a\0b", "c"], "lone": pd.Series(["\ud800", "x"], dtype=object), "none": [None, None],
    })  # fmt: skip
    pool = Pool.from_frame(frame)
    assert list(pool.fields.columns) == ["zones", "list", "mixed", "nul", "lone"]
    assert pool.fields["list"].tolist() == ["[1]", "[2, 3]"]
    assert pool.fields["nul"].tolist() == ["a␀b", "c"]
    words = " ".join(pool.report)
    assert "`nul`: NUL shown as ␀ in 1 cells, first at row 0" in words
    assert "`list` (mixed) is shown as text" in words
    assert "none" in pool.columns.hidden


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "Float32", "float[pyarrow]", "halffloat[pyarrow]", "category"]
)
def test_fields_of_any_precision_are_shown_with_the_digits_that_were_written(
    dtype: Any, tmp_path: Path
) -> None:
    """A 0.9 of half precision had been shown as 0.89990234375."""
    cells = pd.Series([0.9, np.nan, 0.1, 3e4])
    frame = pd.DataFrame({"score": [0.1, 0.2, 0.3, 0.4]})
    frame["size"] = cells.astype("float32").astype("category") if dtype == "category" else cells.astype(dtype)
    pool = Pool.from_frame(frame, score="score", fields=["size"])
    for each in (pool, Pool.from_parquet(pool.to_parquet(tmp_path / "pool.parquet"))):
        assert [str(cell) for cell in each.fields["size"].to_numpy()] == ["0.9", "nan", "0.1", "30000.0"]
    study = create_study(pool, metric="accuracy", budget=4, design="uniform")
    shown = {item.id: item.fields["size"] for item in study.ask(4)}
    assert [str(shown[id]) for id in "0123"] == ["0.9", "nan", "0.1", "30000.0"]
    assert {type(cell) for cell in shown.values()} == {float}  # as cards and sheets expect of numbers
    assert set(frames.parts_of(pool, "size")) == {"0.1", "0.9", "30000", "(missing)"}


LONG = 2**53 + 1  # no float64 holds it


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (pd.array([LONG, None, 1], dtype="Int64"), [str(LONG), None, "1"]),
        (pd.Series([LONG, None, 1], dtype=pd.ArrowDtype(pa.int64())), [str(LONG), None, "1"]),
        (np.array([2**64 - 1, 0, 1], "u8"), [str(2**64 - 1), "0", "1"]),
        (pd.array([LONG, 0, 1], dtype="Int64"), [LONG, 0, 1]),
        (pd.array([2020, None, 1], dtype="Int64"), [2020.0, None, 1.0]),
        (pd.Series([pd.NA] * 3, dtype="Int64"), [None] * 3),
        (pd.array([True, None, False], dtype="boolean"), ["true", None, "false"]),
        (pd.array([True, True, False], dtype="boolean"), [True, True, False]),
        (pd.period_range("2024-11", periods=3, freq="M"), ["2024-11", "2024-12", "2025-01"]),
        (pd.to_timedelta(["1h", None, "2D"]), ["0 days 01:00:00", None, "2 days 00:00:00"]),
        (pd.Series([3600, None, 1], dtype=pd.ArrowDtype(pa.duration("s"))), ["0 days 01:00:00", None, "0 days 00:00:01"]),
        ([[np.arange(2000)], [np.float64(0.5)], ({"x": np.float32(0.1)},)], [str([[*range(2000)]]), "[0.5]", "({'x': 0.1},)"]),
    ],
)  # fmt: skip
def test_fields_keep_what_their_cells_say(cells: Any, shown: list[Any], tmp_path: Path) -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3], "x": cells}), fields=["x"])
    assert [None if pd.isna(cell) else cell for cell in pool.fields["x"]] == shown
    assert Pool.from_parquet(pool.to_parquet(tmp_path / "pool.parquet")).fingerprint == pool.fingerprint


# ---------------------------------------------------------------- the shared checks


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (_checks.level, 1, "strictly between 0 and 1"),
        (_checks.shrinkage, 1.1, r"`shrinkage` must lie in \[0, 1\]"),
        (lambda x: _checks.budget(x, 10), 0, "at least 1 label"),
        (lambda x: _checks.budget(x, 10), -5, "at least 1 label"),
        (lambda x: _checks.budget(x, 10), 11, "cannot exceed the 10 items of the pool; got 11; pass 10"),
        (lambda x: _checks.budget(x, 10), 2.5, "whole number"),
        (lambda x: _checks.count(x, "n", minimum=1), True, "`n` must be a whole number of at least 1; got True"),
        (lambda x: _checks.count(x, "n", minimum=1), 0, "at least 1"),
        (lambda x: _checks.count(x, "n", maximum=3), 4, "from 0 to 3"),
        (lambda x: _checks.count(x, "n"), float("inf"), "whole number"),
        (lambda x: _checks.choice(x, ["f1", "recall"], "metric"), "recal", "`metric` is not known; .*did you mean 'recall'"),
        (lambda x: _checks.choice(x, ["f1"], "metric"), 3, "must be a name"),
        (lambda x: _checks.unit(x, "d"), "1", "must be a number"),
    ],
)  # fmt: skip
def test_single_values_that_break_their_rule_are_refused(check: Any, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(value)


def test_facts_are_frozen() -> None:
    pool = Pool.from_frame(binary())
    with pytest.raises(dataclasses.FrozenInstanceError):
        pool.threshold = 0.1  # type: ignore[misc]
    for array in (pool.ids, pool.score, pool.pred, Labels.from_frame(binary(), pool).values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_pool_does_not_follow_later_changes_of_the_frame() -> None:
    frame = binary()
    pool = Pool.from_frame(frame)
    frame.loc[0, "score"] = 0.9
    frame.loc[0, "text"] = "changed"
    assert pool.score[0] == 0.0
    assert pool.fields["text"][0] == "text 0"


def test_memory_per_item_stays_low() -> None:
    size = 100_000
    frame = pd.DataFrame({"id": np.arange(size), "score": np.linspace(0, 1, size), "label": 0})
    tracemalloc.start()
    before = pa.total_allocated_bytes()
    pool = Pool.from_frame(frame)
    assert pool.position(5) == 5
    peak = tracemalloc.get_traced_memory()[1] + pa.total_allocated_bytes() - before
    tracemalloc.stop()
    assert peak / size <= 300


def test_a_saved_pool_with_a_damaged_name_is_refused(tmp_path: Path) -> None:
    path = Pool.from_frame(binary()).to_parquet(tmp_path / "pool.parquet")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"score/0", b"\xc3core/0"))
    with pytest.raises(InputError, match="`path` must be an undamaged pool file"):
        Pool.from_parquet(path)


def test_thresholds_in_a_list_are_refused_with_the_mapping_that_works() -> None:
    frame = pd.DataFrame({"p_a": [0.1, 0.9], "p_b": [0.6, 0.2]})
    told: Any = [0.1, 0.2]
    with pytest.raises(
        InputError, match=r"must be a number, or a mapping; got .*; one per label: \{'a': 0.3, …\}"
    ):
        Pool.from_frame(frame, task="multilabel", threshold=told)


def test_a_pool_shows_itself_without_its_arrays() -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 500), "label": [0, 1] * 250})
    pool = Pool.from_frame(frame)
    assert repr(pool) == "<Pool of 500 items: two classes, '0' (negative) and '1' (positive)>"
    assert "array" not in repr(pool) + repr(Labels.from_frame(frame, pool)) + repr(
        plan(pool, metric="f1", budget=9)
    )


@pytest.mark.parametrize("spelt", ["{}", "topic {}"])
def test_columns_that_sum_to_1_are_the_classes_that_labels_name(spelt: str) -> None:
    """Labels spelt as the columns are, and not as what tells them apart, named no class: the columns were no scores."""
    shares = np.random.default_rng(3).dirichlet([1, 1, 1], 40)
    frame = pd.DataFrame(shares, columns=["topic a", "topic b", "topic c"])
    frame["label"] = [spelt.format(name) for name in "abca" * 10]
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", tuple(map(spelt.format, "abc")))
    assert np.allclose(pool.score, shares)


def test_decisions_are_compared_with_the_threshold_that_makes_them() -> None:
    """A single-precision 0.9 reaches 0.9, so the first decision does not differ from it."""
    score = np.array([0.9, 0.2, 0.95], np.float32)
    told = Pool.from_frame(
        pd.DataFrame({"score": score, "pred": [1, 0, 1]}), pred="pred", threshold=0.9
    ).report
    assert not [line for line in told if "differ from score" in line]
    told = Pool.from_frame(
        pd.DataFrame({"score": score, "pred": [0, 0, 1]}), pred="pred", threshold=0.9
    ).report
    assert [line for line in told if "1 differ from score ≥ 0.9" in line]
