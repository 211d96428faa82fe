"""A pool: its items, its fingerprint, and what it refuses to be made of."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import dataclasses
import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sampleval._checks import InputError
from sampleval.planning import plan
from sampleval.pool import Labels, Pool
from tests.tables import items


def test_items_and_positions_agree_with_the_frame() -> None:
    pool = Pool.from_frame(items(id=[7, 8, 9, 10, 11, 12]))
    assert pool.size == len(pool) == len(pool.items) == 6
    assert pool.position(9) == pool.position("9") == 2
    assert pool.positions(["12", "7"]).tolist() == [5, 0]
    assert pool.items.take(pool.positions([8])).score.tolist() == pytest.approx([0.2])


def test_ids_are_text_or_the_numbers_they_were_read_from() -> None:
    pool = Pool.from_frame(items(id=[3, 5, 7, 11, 13, 17]))
    assert [pool.position(id) for id in (3, 3.0, np.int64(3), "3", b"3") if id in pool] == [0] * 5
    assert not any(id in pool for id in (4, 3.5, "3.0", None, True))
    with pytest.raises(InputError, match="`id` must be one value per cell, not a list"):
        assert [3] not in pool


@pytest.mark.parametrize("ids", [5, None, 1.5])
def test_positions_of_what_is_no_list_of_ids_are_refused(ids: object) -> None:
    with pytest.raises(InputError, match="`ids` must be a list of ids"):
        Pool.from_frame(items()).positions(ids)  # type: ignore[arg-type]


def test_a_pool_shows_itself_without_its_arrays() -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 500), "label": [0, 1] * 250})
    pool = Pool.from_frame(frame)
    assert repr(pool) == "<Pool of 500 items: two classes, '0' (negative) and '1' (positive)>"
    assert "array" not in repr(pool) + repr(Labels.from_frame(frame, pool)) + repr(
        plan(pool, metric="f1", budget=9)
    )


def test_facts_are_frozen() -> None:
    pool = Pool.from_frame(items())
    with pytest.raises(dataclasses.FrozenInstanceError):
        pool.threshold = 0.1  # type: ignore[misc]
    for array in (pool.ids, pool.score, pool.pred, Labels.from_frame(items(), pool).values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_pool_does_not_follow_later_changes_of_the_frame() -> None:
    frame = items()
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


# ---------------------------------------------------------------- fingerprint


def test_fingerprint_is_the_same_everywhere() -> None:
    frame = pd.DataFrame({"id": ["ä", "b"], "score": [0.25, 1.0], "note": ["x", None], "n": [1, 2]})
    # written down once: a new value here means that stored pools would no longer be found
    assert Pool.from_frame(frame).fingerprint == (
        "32d8b1956cce86b039c6114a9c94bedbc6a0edbedef4695d750144bd5353bc15"
    )


def test_the_fingerprint_depends_on_content_and_not_on_column_types() -> None:
    frame = items(n=[1, 2, 3, 4, 5, 6], kind=list("ababab"))
    print_ = Pool.from_frame(frame).fingerprint
    dressed = frame.astype({"n": "int8", "kind": "category", "text": object, "score": "Float64"})
    assert Pool.from_frame(dressed).fingerprint == print_
    parts = pa.chunked_array([frame["text"][:2].tolist(), frame["text"][2:].tolist()])
    chunked = frame.assign(text=pd.Series(pd.arrays.ArrowExtensionArray(parts)))
    assert Pool.from_frame(chunked).fingerprint == print_
    numbered, counted = (frame.assign(id=np.arange(6, dtype=kind)) for kind in ("f8", "i8"))
    assert Pool.from_frame(numbered).fingerprint == Pool.from_frame(counted).fingerprint
    assert Pool.from_frame(frame.set_axis(range(5, 11), axis=0)).fingerprint == print_
    for change in ({"n": [1, 2, 3, 4, 5, 7]}, {"score": 0.5}, {"text": "t"}, {"id": list("bcdefg")}):
        assert Pool.from_frame(frame.assign(**change)).fingerprint != print_
    assert Pool.from_frame(frame, threshold=0.9).fingerprint != print_
    assert Pool.from_frame(frame.assign(text=["ab", "c", *frame["text"][2:]])).fingerprint != (
        Pool.from_frame(frame.assign(text=["a", "bc", *frame["text"][2:]])).fingerprint
    )


def test_categories_of_whole_numbers_may_be_missing() -> None:
    cells = pd.array([0, 1, None, 1, 0, 1], dtype="Int64")
    one = items(label=cells, level=cells)
    other = one.astype({"label": "category", "level": "category"})
    pool, again = (
        Pool.from_frame(one),
        Pool.from_frame(other.assign(label=pd.Categorical([0, 1, None, 1, 0, 1]))),
    )
    assert again.fingerprint == pool.fingerprint
    assert Labels.from_frame(other, again).values.tolist() == [0, 1, -1, 1, 0, 1]
    with pytest.raises(InputError, match=r"`score` must not be missing; see row 2"):
        Pool.from_frame(items(score=pd.Categorical([0, 1, None, 1, 0, 1])))


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": [0.1, 0.2, 1.7, 0.4, 0.5, 0.6]}, r"`score` must lie in \[0, 1\]; got 1.7 at row 2 \(id 'a2'\); .*sigmoid"),
        ({"score": [10, 20, 30, 40, 50, 60]}, 'for percentages pass transform="percent"'),
        ({"score": [0.1, -0.2, 0.3, 0.4, 0.5, 0.6]}, r"got -0.2 at row 1 \(id 'a1'\)"),
        ({"score": [0.1, None, 0.3, 0.4, 0.5, 0.6]}, r"must not be missing; see row 1 \(id 'a1'\)"),
        ({"score": [0.1, 0.2, 0.3, 0.4, 0.5, np.inf]}, r"must be finite; got inf at row 5 \(id 'a5'\)"),
        ({"score": [0.1, None, np.nan, np.inf, 0.5, 0.6]}, r"see row 1 \(id 'a1'\); fill or drop the row \(and 2 more like it\)"),
        ({"score": ["0.1", "0.2", "high", "0.4", "0.5", "0.6"]}, r"must be a number; got 'high' at row 2 \(id 'a2'\)"),
        ({"score": [0.1, 0.2, [0.3], 0.4, 0.5, 0.6]}, r"must be a number; got \[0.3\] at row 2"),
        ({"score": pd.Series([10**400] * 6, dtype=object)}, "must be a number; got a whole number of more than 40 digits at row 0"),
        ({"score": pd.date_range("2024", periods=6)}, "must be a number; the column holds datetime64"),
        ({"score": [1j] * 6}, "must be a number; the column holds complex128"),
        ({"id": ["a", "b", "a", "c", "d", "e"]}, "`id` must be different in every row; got 'a' at row 2; it is also at row 0"),
        ({"id": [1, "1", 2, 3, 4, 5]}, "must be different in every row; got '1' at row 1"),
        ({"id": ["a", None, "b", "c", "d", "e"]}, "must have an id in every row; see row 1; 1 of 6"),
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
    frame = items()
    for name, cells in change.items():
        frame[name] = cells if isinstance(cells, pd.Series | pd.DatetimeIndex) else pd.Series(cells)
    with pytest.raises(InputError, match=message):
        Pool.from_frame(frame)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ([1, 2], "must be a pandas DataFrame; got 'list'"),
        (np.ones(2), r"put it into one whose columns have names, pd.DataFrame"),
        ({"score": [0.5]}, r"put it into one whose columns have names, pd.DataFrame"),
        (items()["score"], r"put it into one whose columns have names, pd.DataFrame"),
        ("scores.csv", r"for a file use Pool.read\(path\)"),
        (items()[:0], "columns but no rows"),
        (pd.DataFrame(), "it is empty"),
        (items().set_axis(["id", "score", "text", "text"], axis=1), "distinct column names; got 'text'"),
        (
            items().set_axis(pd.MultiIndex.from_product([["x"], list("abcd")]), axis=1),
            "one row of column names",
        ),
        (items().drop(columns="score"), "no column holds a score or a prediction"),
    ],
    ids=[
        "list",
        "array",
        "dictionary",
        "column",
        "path",
        "no rows",
        "empty",
        "names twice",
        "names in two rows",
        "no score",
    ],
)
def test_bad_frames_are_refused(frame: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Pool.from_frame(frame)


def test_scores_of_exclusive_classes_must_sum_to_1() -> None:
    with pytest.raises(InputError, match="must sum to 1 in each row"):
        Pool.from_frame(pd.DataFrame({"score_a": [0.9], "score_b": [0.9]}), task="multiclass")


def test_the_confidence_of_one_of_many_classes_given_as_their_score_is_refused_with_a_remedy() -> None:
    df = pd.DataFrame({"id": range(6), "pred": list("abcabc"), "confidence": [0.5, 0.6, 0.7, 0.8, 0.9, 0.9]})
    with pytest.raises(InputError, match=r"must hold 3 scores in each row; got 0.5 .*; leave it out where"):
        Pool.from_frame(df, pred="pred", score="confidence")
