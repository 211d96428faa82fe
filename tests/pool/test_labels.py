"""Known labels: which items they belong to, which cells are labels, and that they stay out of the pool."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.metrics import for_kind
from sampleval.pool import Labels, Pool, Task, encode_label
from sampleval.pool.answer_columns import unknown_in_words
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame
from sampleval.study import create_study
from tests.tables import items, two_scores


def test_labels_do_not_enter_the_pool(tmp_path: Path) -> None:
    one, two = items(label=[0, 0, 0, 1, 1, 1]), items(label=[1, 1, 0, 0, 1, 0])
    assert Pool.from_frame(one).fingerprint == Pool.from_frame(two).fingerprint
    Pool.from_frame(one.assign(label=["no", "no", "no", "yes", "yes", "yes"])).to_parquet(
        tmp_path / "pool.parquet"
    )
    saved = pd.read_parquet(tmp_path / "pool.parquet")
    assert not [name for name in saved if "label" in str(name)]
    with pytest.raises(InputError, match="must not hold the label"):
        Pool.from_frame(one, fields=["label", "text"])


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


@pytest.mark.parametrize("index", [-1, [99], [0.5], [True, False, False, True], ["a"]])
def test_positions_that_no_label_can_have_are_refused(index: Any) -> None:
    frame = two_scores(label=[0, 1, 1, 0])
    labels = Labels.from_frame(frame, Pool.from_frame(frame))
    with pytest.raises(InputError, match="`index` must hold positions from 0 to 3"):
        labels.of(index)
    assert labels.of(np.array([2, 0])).tolist() == [1, 0]
    assert labels.of([]).tolist() == []  # type: ignore[arg-type]


# ---------------------------------------------------------------- whose labels they are


def test_labels_follow_ids_not_rows() -> None:
    frame = items()
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
    with pytest.raises(
        InputError, match="`df` must have the pool's 3 rows, since there is no id column; got 2"
    ):
        Labels.from_frame(frame.head(2), pool)
    plain = mixed.reset_index(drop=True)
    with pytest.raises(InputError, match="reset the index of this frame and of the pool's"):
        Labels.from_frame(plain, Pool.from_frame(mixed))
    assert Labels.from_frame(plain, Pool.from_frame(plain)).values.tolist() == [0, 1, 1]


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


def test_labels_that_disagree_or_belong_elsewhere_are_refused() -> None:
    frame = items()
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
    with pytest.raises(InputError, match="none looks like a label; did you mean 'lable'"):
        Labels.from_frame(frame[["id"]].assign(lable=1), pool)


def test_labels_of_items_that_the_pool_does_not_have_are_named_with_what_leaves_them_out() -> None:
    frame = items()
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


# ---------------------------------------------------------------- which cells are labels


def test_cells_that_are_no_labels_are_counted_and_those_that_say_unsure_are_unknown() -> None:
    frame = items()
    pool = Pool.from_frame(frame)
    with pytest.raises(
        InputError,
        match=r"got 'maybe'; correct it, or leave the item out .*row 1, id 'a1'; elsewhere 'maybe' \(1 more\), 'x' \(1\)",
    ):
        Labels.from_frame(frame.assign(label=["1", "maybe", "0", "maybe", "x", "0"]), pool)
    told = "must hold the pool's classes, '0' and '1'; its own two are 'spam' and 'ham'; if they mean the same, make"
    with pytest.raises(InputError, match=told):
        Labels.from_frame(frame.assign(label=["spam", "?", "spam", "ham", "", "ham"]), pool)
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


@pytest.mark.parametrize("other", [["a"], {"a"}, 1, 0.5])
def test_words_for_unknown_are_found_beside_other_cells(other: object) -> None:
    cells = pd.Series([1, other, "NA", None, "NA", "b"], name="label", dtype=object)
    assert "holds 'NA' (2)," in unknown_in_words(Task("multilabel", ("a", "b")), cells)[0]


@pytest.mark.parametrize(
    "cells", [[-1, 1, 1, -1, -1, 1], ["-1", "1", "1", "-1", "-1", "1"], [-1.0, 1, 1, -1, None, 1]]
)
@pytest.mark.parametrize("classes", [("0", "1"), ("ham", "spam"), ("-1", "1")])
def test_a_column_of_minus_one_and_one_is_signed(cells: list[Any], classes: tuple[str, str]) -> None:
    frame = items().drop(columns="label")
    pool = Pool.from_frame(frame, classes=classes)
    labels = Labels.from_frame(frame.assign(label=cells), pool)
    assert labels.values[labels.known].tolist() == [int(int(c) == 1) for c in cells if c is not None]
    with pytest.raises(InputError, match=r"got -1;.*row 5, id 'a5'"):
        Labels.from_frame(frame.assign(label=[0, 1, 0, 1, 0, -1]), Pool.from_frame(frame))
    marked = Pool.from_frame(frame, classes=("1", "-1"))
    assert Labels.from_frame(frame.assign(label=[-1, 1] * 3), marked).values.tolist() == [1, 0] * 3


def test_sets_of_labels_are_read_from_one_cell() -> None:
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
