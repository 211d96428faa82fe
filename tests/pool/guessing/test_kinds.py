"""What kind of task a table is of: two classes, several, sets of labels, or numbers."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame
from tests.tables import written


@pytest.mark.parametrize("classes", [3, 4, 10, 40])
def test_shares_rounded_to_two_digits_still_sum_to_one(classes: int) -> None:
    """Sums of 0.98 to 1.02 had been read as any number of labels per item, and of ten classes refused."""
    shares = np.random.default_rng(1).dirichlet(np.full(classes, 0.5), 3000).round(2)
    pool = Pool.from_frame(pd.DataFrame(shares).add_prefix("score_c"))
    assert pool.task.kind == "multiclass"
    np.testing.assert_allclose(pool.score.sum(axis=1), 1.0)


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


def test_predicted_numbers_have_no_scores_and_may_have_an_error_scale() -> None:
    frame = pd.DataFrame(
        {"pred": [1.5, 2.5, 9.0], "pred_sd": [0.1, 0.2, 0.3], "label": [1, 3, 9.5], "size": [1, 2, 3]}
    )
    pool = Pool.from_frame(frame)
    assert (pool.task.kind, pool.task.classes, pool.score.shape) == ("regression", (), (3, 0))
    assert pool.items.error.tolist() == [0.1, 0.2, 0.3]
    assert Labels.from_frame(frame, pool).values.tolist() == [1, 3, 9.5]
    assert list(pool.fields.columns) == ["size"]


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


def test_whole_predictions_of_labels_that_are_amounts_are_amounts() -> None:
    """Beside a confidence they were taken for classes."""
    frame = pd.DataFrame(
        {"pred": [3, 5, 9, 4], "confidence": [0.9, 0.8, 0.7, 0.6], "label": [3.2, 5.5, 8.1, 4.0]}
    )
    assert Pool.from_frame(frame).task.kind == "regression"
    assert Pool.from_frame(frame.assign(label=[3, 5, 9, 5])).task.kind == "multiclass"


@pytest.mark.parametrize(
    "cells",
    [["1,030.07", "2,411.50"], ["€ 1214.65", "€ 980.10"], ["1 200 €", "850 €"], ["9.5 kWh", "10.25 kWh"]],
)
def test_predicted_amounts_are_not_taken_for_classes(cells: list[str]) -> None:
    frame = pd.DataFrame({"id": range(len(cells)), "pred": cells})
    with pytest.raises(
        InputError, match=r"`pred` must (hold plain numbers|be a number).* write 1(214\.65|030\.07)"
    ):
        Pool.from_frame(frame)
    assert Pool.from_frame(frame, task="multiclass").task.width == len(cells)


@pytest.mark.parametrize("names", [["0.33 l", "0.5 l", "1.5 l"], ["10.1a", "10.2b"]])
def test_a_few_sizes_or_codes_that_recur_are_classes(names: list[str]) -> None:
    """Each was taken for a predicted amount, and the table refused."""
    pool = Pool.from_frame(pd.DataFrame({"pred": names * 10}))
    assert (pool.task.kind, pool.task.classes) == ("multiclass", tuple(names))


@pytest.mark.parametrize("start", ["1", "€"])
def test_predictions_with_many_spaces_within_are_names(start: str, tmp_path: Path) -> None:
    """It had taken minutes to find out that they are no amounts."""
    text = "id,pred\n" + "".join(f"{k},{start}{' ' * 100_000}{k}x\n" for k in "abc")
    assert Pool.read(written(tmp_path, text)).task.kind == "multiclass"


@pytest.mark.parametrize(
    "name", ["Schätzwert in €", "Prognose", "prévision", "Prévision (EUR)", "forecast", "SCHÄTZUNG"]
)
def test_predicted_numbers_are_found_in_other_languages(name: str) -> None:
    pool = Pool.from_frame(
        pd.DataFrame({"id": ["a", "b", "c"], "m²": [40, 50, 60], name: [214.5, 90.0, 33.0]})
    )
    assert (pool.task.kind, pool.columns.model) == ("regression", (name,))
    assert pool.columns.fields == ("m²",)


def test_where_numbers_are_predicted_a_prediction_is_asked_for() -> None:
    """The advice was to name a score, which such a task has no use for."""
    frame = pd.DataFrame({"similarity": [0.1, 0.2, 0.3], "size": [4, 5, 6]})
    with pytest.raises(InputError, match=r"`size`: name one, pred=…$"):
        Pool.from_frame(frame, task="regression")


def test_an_error_scale_in_another_unit_than_its_prediction_is_refused() -> None:
    frame = pd.DataFrame({"pred": [f"{k}%" for k in range(10, 60)], "pred_sd": 5.0})
    with pytest.raises(InputError, match="`pred` says percent and `pred_sd` does not"):
        Pool.from_frame(frame)


def test_an_error_in_percent_is_no_scale_of_predictions_in_another_unit() -> None:
    """It is relative, and often how far off they turned out, which the design then knew."""
    for pred, error, found in (("pred", "error_pct", None), ("pred_pct", "sd_pct", "sd_pct")):
        frame = pd.DataFrame({pred: [15.0, 20.0, 90.0], error: [1.0, 2.0, 30.0]})
        assert Pool.from_frame(frame, task="regression").columns.systems[0].error == found


# ---------------------------------------------------------------- sets of labels


@pytest.mark.parametrize("empty", ["", "[]", "none"])
@pytest.mark.parametrize("told", [{}, {"task": "multilabel"}])
def test_decisions_that_are_sets_name_the_labels_in_them(empty: str, told: Any, tmp_path: Path) -> None:
    path = written(tmp_path, f"id,prediction\n1,sport|politics\n2,{empty}\n3,music\n")
    pool = Pool.read(path, **told)
    assert pool.task == Task("multilabel", ("music", "politics", "sport"))
    assert pool.pred.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 0]]
    said = "`prediction` names no label in 1 cell: none is predicted there."
    assert (said in pool.report) == (empty != "[]")


@pytest.mark.parametrize("name", ["predicted_topics", "pred_labels", "prediction"])
def test_sets_of_labels_name_the_labels_and_not_their_column(name: str) -> None:
    frame = pd.DataFrame({name: ["bug|praise", "bug", None], "text": ["a", "b", "c"]})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("bug", "praise"))
    assert pool.pred.tolist() == [[1, 1], [1, 0], [0, 0]]


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


@pytest.mark.parametrize("cells", [["a|b", "b"], ["a;b", "b"], ["b", "a, b"]])
def test_labels_joined_by_any_mark_are_sets_of_labels(cells: list[str]) -> None:
    frame = pd.DataFrame({"score_a": [0.9, 0.4], "score_b": [0.8, 0.6], "labels": cells})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert sorted(Labels.from_frame(frame, pool).values.tolist()) == [[0, 1], [1, 1]]


def test_a_name_with_a_comma_is_one_name_with_and_without_bars_beside_it() -> None:
    decided = ["x, y|b", "x, y", "b", "c|b"]
    pool = Pool.from_frame(pd.DataFrame({"predicted": decided, "label": decided}))
    assert pool.task == Task("multilabel", ("b", "c", "x, y"))
    assert pool.pred.tolist() == [[1, 0, 1], [0, 0, 1], [1, 0, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("cells", "kind", "said"),
    [
        (
            ["news", "art|design", "sport"],
            "multiclass",
            "'art|design' is one, as its parts are met nowhere else",
        ),
        (["news", "art|design", "art"], "multilabel", "if 'art|design' is one class, choose several classes"),
        (["news", "art|design", "news|sport"], "multilabel", "holds sets of labels: any number per item."),
        (["a|b", "c|d", "e"], "multilabel", "holds sets of labels: any number per item."),
        (["news", "art|design", "sport", "[]"], "multilabel", "holds sets of labels: any number per item."),
        (["news", "art", "sport"], "multiclass", "`pred` names a class."),
    ],
)
def test_one_name_with_a_bar_in_it_makes_no_sets_of_all(cells: list[str], kind: str, said: str) -> None:
    frame = pd.DataFrame({"pred": cells * 4, "label": cells * 4})
    pool = Pool.from_frame(frame)
    assert pool.task.kind == kind
    assert said in " ".join(pool.report)
    assert Labels.from_frame(frame, pool).complete
    if kind == "multiclass":
        assert pool.task.classes == tuple(sorted(cells))
    other = Pool.from_frame(frame, task="multiclass" if kind == "multilabel" else "multilabel")
    assert other.task.kind != kind


def test_labels_that_are_sets_make_scores_those_of_any_label(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,p_a,p_b,p_c,label\n1,.9,.8,.1,a|b\n2,.2,.1,.3,\n3,.1,.1,.9,c\n4,.2,.1,.3,[]\n"
    )
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    assert pool.task == Task("multilabel", ("a", "b", "c"))
    assert labels.known.tolist() == [True, False, True, True]
    assert any("write [] for an item without any label" in line for line in labels.report)


def test_lists_of_labels_are_not_the_label_of_two_systems(tmp_path: Path) -> None:
    rows = [{"id": 1, "score_a": 0.5, "score_b": 0.9, "labels": ["a", "b"]},
            {"id": 2, "score_a": 0.5, "score_b": 0.9, "labels": []}]  # fmt: skip
    path = written(tmp_path, "\n".join(map(json.dumps, rows)), "items.jsonl")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 1], [0, 0]]


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


def test_arrays_as_databases_write_them_are_sets_of_labels() -> None:
    decided = ["{}", "{a}", "{a,b}", '{"big eel",b}']
    pool = Pool.from_frame(pd.DataFrame({"predicted": decided, "label": decided}))
    assert pool.task == Task("multilabel", ("a", "b", "big eel"))
    assert pool.pred.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]]


def test_sets_of_numbered_labels_are_no_decimals(tmp_path: Path) -> None:
    """`1,2` between semicolons had become 1.2, and the file was refused for scores that must sum to 1."""
    text = "id;label;score_1;score_2;score_3\na;1,2;0,9;0,8;0,1\nb;2,3;0,1;0,9;0,9\nc;3;0,1;0,2;0,7\n"
    (tmp_path / "a.csv").write_text(text)
    pool = Pool.read(tmp_path / "a.csv")
    assert pool.task == Task("multilabel", ("1", "2", "3"))
    known = Labels.from_frame(read_frame(tmp_path / "a.csv", Told()), pool, label="label").by_id(pool)
    assert known == {"a": ("1", "2"), "b": ("2", "3"), "c": ("3",)}


def test_sets_of_different_lengths_may_name_labels_0_and_1() -> None:
    """They were refused as lists with a place for each label, which all have one length."""
    frame = pd.DataFrame({"pred": [["0", "1"], ["1"], []], "label": ["1", "0|1", "[]"]})
    pool = Pool.from_frame(frame, task="multilabel")
    assert (pool.task.classes, pool.pred.tolist()) == (("0", "1"), [[1, 1], [0, 1], [0, 0]])
    assert Labels.from_frame(frame, pool).values.tolist() == [[0, 1], [1, 1], [0, 0]]


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


def test_single_numbers_are_no_lists_with_a_place_for_each_label() -> None:
    """They were called lists of 0 and 1, or of scores."""
    for gold in ([0, 1, 0], [0.0, 1.0, np.nan]):
        pool = Pool.from_frame(pd.DataFrame({"pred": ["a, b", "b", "a"], "gold": gold}))
        assert pool.task.kind == "multilabel"


def test_labels_that_are_records_are_not_taken_for_sets() -> None:
    """Of {"a": True, "b": False} the parts "{'a': True" and "'b': False}" had become labels."""
    frame = pd.DataFrame({"pred": ["a|b", "b"], "label": [{"a": True, "b": False}, {"a": False, "b": True}]})
    for columns in (frame, frame[["label"]].set_axis(["pred"], axis=1)):
        with pytest.raises(InputError, match="holds records with `a`, `b`: give each of these a column"):
            Pool.from_frame(columns, task="multilabel")


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
