"""Pools and labels as files of their own: what is written comes back, and damage is refused."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task
from tests.tables import items, two_scores


def all_kinds() -> list[pd.DataFrame]:
    block = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    return [
        items(
            picture=[b"\0\xff", b"", None, b"a", b"b", b"c"], day=pd.date_range("2024", periods=6, tz="UTC")
        ),
        items(city=pd.Categorical(["x", "y", None, "x", "y", "x"]), nil=[1.5, None, 2, 3, 4, 5], ok=True),
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


@settings(max_examples=30)  # each writes a file
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


def test_labels_survive_their_file(tmp_path: Path) -> None:
    for frame in (
        items(),
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
    other = Pool.from_frame(items(3))
    with pytest.raises(InputError, match="`path` must hold the labels of this pool"):
        Labels.from_parquet(tmp_path / "labels.parquet", other)


@pytest.mark.parametrize(
    "told",
    [{"threshold": 0.9}, {"threshold": "junk"}, {"transform": "percent"}],
    ids=["threshold", "text", "percent"],
)
def test_a_saved_pool_holds_its_decisions(told: dict[str, Any], tmp_path: Path) -> None:
    path = Pool.from_frame(items()).to_parquet(tmp_path / "pool.parquet")
    with pytest.raises(
        InputError, match=f"`{next(iter(told))}` must be left out for a saved pool.*read the table"
    ):
        Pool.read(path, **told)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Pool.from_frame(items()).to_parquet(tmp_path / "pool.parquet")
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", fail)
    said = r"`path` must be a file that can be written: No space left on device; got .*; is its folder"
    with pytest.raises(InputError, match=said):
        Pool.from_frame(items(9)).to_parquet(path)
    with pytest.raises(InputError, match="that can be written: File name too long"):
        Pool.from_frame(items(9)).to_parquet(tmp_path / f"{'x' * 240}.parquet")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["pool.parquet"]


def test_paths_that_no_file_can_have_are_refused(tmp_path: Path) -> None:
    frame = two_scores(label=[0, 1, 1, 0])
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    for use in (Pool.read, Pool.from_parquet, Labels.from_parquet, pool.to_parquet, labels.to_parquet):
        with pytest.raises(InputError, match="`path` must be the path of a file; got nothing"):
            use(None)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="`path` must be a path that can be looked up"):
            use("x" * 300 + ".parquet")
        with pytest.raises(InputError, match=r"`path` must be a path that can be looked up: surrogates not"):
            use("\ud800.parquet")
    frame.to_parquet(plain := tmp_path / "plain.parquet")
    for read, what in ((Pool.from_parquet, "pool"), (Labels.from_parquet, "labels")):
        with pytest.raises(
            InputError, match=f"must be a {what} file written by to_parquet; .*use Pool.read for"
        ):
            read(plain)
    for write in (pool.to_parquet, labels.to_parquet):
        with pytest.raises(
            InputError, match=r"`path` must lie in a folder that exists; got '/no/such/x\.parquet'"
        ):
            write("/no/such/x.parquet")
        with pytest.raises(InputError, match="`path` must name a file; this is a folder"):
            write(tmp_path)


# ---------------------------------------------------------------- damage


def test_damaged_pool_files_are_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    path = Pool.from_frame(items(200)).to_parquet(tmp_path / "pool.parquet")
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


def test_a_pool_whose_file_is_damaged_at_its_end_is_still_taken_for_one(tmp_path: Path) -> None:
    """Parquet holds the metadata twice, and the other copy is sound."""
    pool = Pool.from_frame(items())
    path = pool.to_parquet(tmp_path / "pool.parquet")
    path.write_bytes(path.read_bytes().replace(b'"report"', b'"rep\xffrt"'))
    assert Pool.read(path).fingerprint == pool.fingerprint


def test_a_saved_pool_with_a_damaged_name_is_refused(tmp_path: Path) -> None:
    path = Pool.from_frame(items()).to_parquet(tmp_path / "pool.parquet")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"score/0", b"\xc3core/0"))
    with pytest.raises(InputError, match="`path` must be an undamaged pool file"):
        Pool.from_parquet(path)


@pytest.mark.parametrize("ids", [[1, 2], [True, False], [["a"], ["b"]], [b"a", b"b"], [None, None]], ids=str)
def test_a_pool_file_whose_ids_are_no_text_is_refused(ids: list[Any], tmp_path: Path) -> None:
    path = Pool.from_frame(items()[:2]).to_parquet(tmp_path / "pool.parquet")
    table = pq.read_table(path)
    pq.write_table(table.set_column(table.column_names.index("id"), "id", pa.array(ids)), path)
    with pytest.raises(InputError, match="`path` must be an undamaged pool file: ids must be text"):
        Pool.from_parquet(path)


def test_a_pool_file_that_lacks_a_decision_is_refused_without_a_warning(tmp_path: Path) -> None:
    path = Pool.from_frame(items()).to_parquet(tmp_path / "pool.parquet")
    table = pq.read_table(path)
    at = table.column_names.index("pred/0")
    cells = pa.array([None, *table["pred/0"].to_pylist()[1:]], pa.int8())
    pq.write_table(table.set_column(at, "pred/0", cells), path)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(InputError, match="must be an undamaged pool file"):
            Pool.from_parquet(path)
    assert not said


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
    pool = Pool.from_frame(items(4))
    fewer = Labels(pool.task, np.zeros(2, np.int8), np.ones(2, bool), pool.fingerprint)
    with pytest.raises(InputError, match="`path` must hold the labels of this pool"):
        Labels.from_parquet(fewer.to_parquet(tmp_path / "labels.parquet"), pool)


def test_a_file_of_no_labels_at_all_is_refused(tmp_path: Path) -> None:
    """It had raised a ValueError about the shape of an array."""
    path = Labels(Task(), np.zeros(0, np.int8), np.zeros(0, bool), "").to_parquet(tmp_path / "labels.parquet")
    with pytest.raises(InputError, match="`path` must be an undamaged labels file"):
        Labels.from_parquet(path)
