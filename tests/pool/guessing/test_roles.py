"""The roles of columns: what the caller says about them, completed by guesses."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sampleval._checks import InputError
from sampleval.pool import Columns, Kind, Labels, Pool, guess_columns
from tests.tables import decided, items, two_scores, written


def test_guessing_changes_nothing_and_gives_reasons() -> None:
    frame = items(margin=2.0)
    before = frame.copy()
    columns = guess_columns(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert isinstance(columns, Columns)
    assert (columns.id, columns.label, columns.fields) == ("id", ("label",), ("text",))
    assert "`score`" in columns.explanation
    assert not columns.question
    assert Pool.from_columns(frame, columns).fingerprint == Pool.from_frame(frame).fingerprint


def test_guess_asks_what_it_cannot_know() -> None:
    assert "which class is positive" in guess_columns(items(label=list("hshshs"))).question
    assert "no column holds a score" in guess_columns(items().drop(columns="score")).question


def test_of_two_columns_for_one_role_the_report_names_both() -> None:
    frame = items().assign(prob=0.5, y_true=1)
    said = "`score` was taken for the score: two classes; `prob` could be the score too; `y_true` could be the label too"
    assert guess_columns(frame).explanation == said
    told = Pool.from_frame(frame, score="prob", label="y_true")
    assert not any("could be" in line for line in told.report)


def test_a_column_told_to_be_the_model_s_is_not_guessed_to_be_another() -> None:
    frame = items(label=[0.2, 0.4, 0.6, 0.8, 1.0, 0.0]).drop(columns="score")
    for told in ({"score": "label"}, {"system": {"a": {"score": "label"}}}):
        assert Pool.from_frame(frame, **told).columns.label == ()
    assert Pool.from_frame(items(id=[0, 1, 0, 1, 0, 1]), pred="id").columns.id is None
    with pytest.raises(InputError, match="`label` and `score` must be different columns"):
        Pool.from_columns(frame, dataclasses.replace(guess_columns(items()), label=("score",)))


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"id",\t"score"\n"a",\t"0.5"\n', "put nothing between a separator and the quote after it"),
        ('id,"has ""it"""\na,0.5\n', "name one, score=…"),
        ('"id,score"\n"a,0.5"\n', "if the one column is several, part them by commas"),
        ("id score\na 0.5\n", "if the one column is several, part them by commas"),
        ("id:score\na:0.5\n", "if the one column is several, part them by commas"),
        ("From May\nid;score\na;0.5\n", "if the one column is .*; if this is a title, remove it"),
        ("id,text\na,b\n", "name one, score=…"),
        (
            "id,a_score,b_score\na,1,0\n",
            "`a_score`, `b_score` could each be the score: name one, score=…, or to .* `a.score`,",
        ),
        ("id,label_pred\na,1\n", "if `label_pred` holds the decision, name it, pred=…"),
        ("id,a_pred,b_pred\na,1,0\n", "`a_pred`, `b_pred` could each be the decision: name one, pred=…, or"),
        (
            "id,q,judge\na,\"{'x': 1}\",\"{'score': 1}\"\n",
            "`judge` holds records with `score`: give each of these",
        ),
        ("From May,,\nid,score,text\na,0.5,x\n", "the first line should name the columns: remove what"),
    ],
)
def test_columns_that_are_not_parted_are_told_why(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"no column holds a score or a prediction; there is .*: {said}"):
        Pool.read(written(tmp_path, text))


def test_what_is_no_mapping_of_columns_is_refused() -> None:
    with pytest.raises(InputError, match=r"`columns` must be a Columns; .*guess_columns"):
        Pool.from_columns(two_scores(), None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`classes` must be a list of names; got b'a0'"):
        Pool.from_frame(two_scores(), task="binary", classes=b"a0")  # type: ignore[arg-type]


@pytest.mark.parametrize("role", [{"id": "x"}, {"system": "x"}, {"label": ("x",)}, {"fields": ("x",)}])
def test_a_role_of_a_column_that_the_frame_lacks_is_refused(role: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="`columns` is not a column of the frame; got 'x'"):
        Pool.from_columns(items(), dataclasses.replace(guess_columns(items()), **role))


def test_what_pandas_users_bring_in_place_of_columns_is_refused_with_the_way_out() -> None:
    frame = items().set_index(pd.Index(list("abcdef"), name="key"))
    with pytest.raises(InputError, match=r"got 'key'; it names the index: pass df.reset_index\(\)"):
        Pool.from_frame(frame, id="key")
    table: Any = pa.table({"score": [0.1, 0.2]})
    with pytest.raises(InputError, match=r"got 'Table'; pass its to_pandas\(\)"):
        Pool.from_frame(table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": "scroe"}, "`score` is not a column of the frame; got 'scroe'; did you mean 'score'?"),
        ({"id": "ident"}, "`id` is not a column"),
        ({"id": 5.5}, "`id` must be a column name; got 5.5"),
        ({"score": 5.5}, "`score` must be a column name, a list"),
        ({"fields": ["txet"]}, "did you mean 'text'"),
        ({"fields": 3.5}, "`fields` must be a list"),
        ({"threshold": 1.5}, r"`threshold` must lie in \[0, 1\]; got 1.5; 1.5% is 0.015"),
        ({"threshold": "high"}, "`threshold` must be a number"),
        ({"threshold": float("nan")}, "`threshold` must be a finite number"),
        ({"threshold": {"a": 0.5}}, "only in a multilabel task"),
        ({"transform": "logit"}, "`transform` is not known; got 'logit'"),
        ({"transform": "softmax"}, "must be 'sigmoid' in a binary task"),
        ({"task": "ranking"}, "`task` is not known; got 'ranking'"),
        ({"classes": ("a", "b", "c")}, r"\(negative, positive\)"),
        ({"classes": ("a", "a")}, "different names"),
        ({"classes": "ab"}, "must be a list of names"),
        ({"label": "text"}, "must hold two classes"),
        ({"system": "model"}, "`system` is not a column"),
        ({"score": ["score", "score"]}, "`score` must name different columns"),
        ({"system": {"a": {"score": "score"}, "b": {"pred": "text"}}}, "one kind; 'a' is binary, 'b' is multiclass"),
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
        Pool.from_frame(items(), **arguments)


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
        (  # of several, always the same is named
            "binary",
            {"score": "score_a", "pred": "score_a", "system": {"x": {"score": "score_b"}}},
            "`pred` must be left out where",
        ),
        ("binary", {"system": 5.5}, "`system` must be a column name, or a mapping"),
        ("binary", {"system": ["score_a"]}, "`system` must be a column name, or a mapping"),
        ("binary", {"system": {}}, "`system` must be a column name, or a mapping"),
    ],
    ids=["two of three", "others", "two", "score", "error", "twice", "both", "number", "list", "empty"],
)
def test_arguments_without_a_use_for_the_task_are_refused(
    task: Kind, told: dict[str, Any], said: str
) -> None:
    usual: dict[str, Any] = {"score": "score_"} if task == "multilabel" else {}
    with pytest.raises(InputError, match=said):
        Pool.from_frame(decided(), task=task, **usual, **told)


def test_hundreds_of_columns_take_seconds() -> None:
    start = process_time()
    Pool.from_frame(pd.DataFrame({"id": range(20), "score": 0.5} | {f"n{k}": ["x"] * 20 for k in range(500)}))
    assert process_time() - start < 5  # quadratic work on twice as many took a minute


@pytest.mark.parametrize("scores", [[2, 3], range(2, 4), np.array([2, 3]), {"a": 2, "b": 3}])
def test_columns_without_names_are_called_by_number(scores: Any) -> None:
    """`pd.DataFrame(model.predict_proba(X))` has no names."""
    cells = [["x", "b", 0.25, 0.75, "one"], ["y", "a", 0.875, 0.125, "two"]]
    pool = Pool.from_frame(pd.DataFrame(cells), id=0, score=scores, label=1, fields=[4], classes=["a", "b"])
    assert pool.columns.id == "0"
    assert pool.columns.fields == ("4",)
    np.testing.assert_array_equal(pool.score, [[0.25, 0.75], [0.875, 0.125]])
    labels = Labels.from_frame(pd.DataFrame(cells)[::-1], pool, label=1, id=0)
    assert labels.by_id(pool) == {"x": "b", "y": "a"}
    with pytest.raises(InputError, match="`score` must be a column name; got True"):
        Pool.from_frame(pd.DataFrame(cells), score=[True])


@pytest.mark.parametrize("score", [1, np.int64(1), np.array(1), "1"], ids=["whole", "NumPy", "array", "text"])
def test_one_column_without_a_name_is_called_by_number(score: Any) -> None:
    assert Pool.from_frame(pd.DataFrame([[0, 0.25], [1, 0.75]]), score=score).score.tolist() == [0.25, 0.75]
