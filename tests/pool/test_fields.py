"""Fields to show: text, numbers, truth values or bytes, with every digit that was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sampleval import frames
from sampleval.pool import Pool
from sampleval.study import create_study

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
        (np.array(["2024-05-01", "NaT", "2024-05-02"], "M8[us]"), ["2024-05-01", None, "2024-05-02"]),
        (np.array(["2024-05-01", "NaT", "2024-05-02T09"], "M8[us]"), ["2024-05-01 00:00:00", None, "2024-05-02 09:00:00"]),
        (np.array([0, 1, 10**6], "M8[us]"), [f"1970-01-01 00:00:0{rest}" for rest in ("0.000000", "0.000001", "1.000000")]),
        (pd.date_range("2024-05-01", periods=3, tz="UTC"), [f"2024-05-0{day} 00:00:00Z" for day in (1, 2, 3)]),
        ([[np.arange(2000)], [np.float64(0.5)], ({"x": np.float32(0.1)},)], [str([[*range(2000)]]), "[0.5]", "({'x': 0.1},)"]),
    ],
)  # fmt: skip
def test_fields_keep_what_their_cells_say(cells: Any, shown: list[Any], tmp_path: Path) -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3], "x": cells}), fields=["x"])
    assert [None if pd.isna(cell) else cell for cell in pool.fields["x"]] == shown
    assert Pool.from_parquet(pool.to_parquet(tmp_path / "pool.parquet")).fingerprint == pool.fingerprint


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


def test_strange_fields_are_shown_as_text_with_a_note() -> None:
    stamps = [pd.Timestamp("2024-01-01", tz="UTC"), pd.Timestamp("2024-06-01", tz="Asia/Tokyo")]
    frame = pd.DataFrame({
        "score": [0.1, 0.2], "zones": pd.Series(stamps, dtype=object), "list": [[1], [2, 3]], "mixed": [1, "x"],
        "nul": ["a\0b", "c"], "lone": pd.Series(["\ud800", "x"], dtype=object), "none": [None, None],
        "bytes": [b"\xff", 1],
    })  # fmt: skip
    pool = Pool.from_frame(frame)
    assert list(pool.fields.columns) == ["zones", "list", "mixed", "nul", "lone", "bytes"]
    assert pool.fields["list"].tolist() == ["[1]", "[2, 3]"]
    assert pool.fields["nul"].tolist() == ["a␀b", "c"]
    assert pool.fields["bytes"].tolist() == ["\ufffd", "1"]
    words = " ".join(pool.report)
    assert "`nul`: NUL shown as ␀ in 1 cells, first at row 0" in words
    assert "`list` (mixed) is shown as text" in words
    assert "none" in pool.columns.hidden


def test_cells_that_were_changed_are_counted_where_they_are_categories_too() -> None:
    """The names of the categories had been counted, and the first of them had been called a row."""
    frame = pd.DataFrame({"score": 0.5, "text": pd.Categorical(["␀", "x", "\0", "\0"])})
    pool = Pool.from_frame(frame)
    assert pool.fields["text"].tolist() == ["␀", "x", "␀", "␀"]
    said = [line for line in pool.report if "NUL" in line]
    assert said == ["`text`: NUL shown as ␀ in 2 cells, first at row 2."]


def test_long_lists_are_shown_whole(tmp_path: Path) -> None:
    """Of 1,200 numbers only the first and last three had been shown."""
    cells = [[{"parts": list(range(1200))}], []]
    times = [np.array(["2024-05-01"], "M8[us]")] * 2
    pd.DataFrame({"score": [0.1, 0.9], "text": cells, "at": times}).to_parquet(tmp_path / "items.parquet")
    fields = Pool.read(tmp_path / "items.parquet").fields
    assert fields["text"].tolist() == [f"parts: {list(range(1200))}", "[]"]
    assert fields["at"].str.startswith("['2024-05-01").all()


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_a_dialogue_is_shown_turn_by_turn_with_its_line_breaks(suffix: str, tmp_path: Path) -> None:
    r"""It was one line of brackets and quotation marks, in which \n stood for the end of a line."""
    turns = [{"role": "user", "content": "Why?\n- a"}, {"role": "assistant", "content": "So."}]
    frame = pd.DataFrame({"score": [0.1, 0.9], "messages": [turns, turns[:1]]})
    path = tmp_path / f"items.{suffix}"
    if suffix == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        turn = pa.struct([("role", pa.string()), ("content", pa.string())])  # else old Arrow sorts them
        messages = pa.array(frame["messages"], pa.list_(turn))
        pq.write_table(pa.table({"score": frame["score"], "messages": messages}), path)
    first = "role: user\ncontent: Why?\n- a"
    said = Pool.read(path).fields["messages"].tolist()
    assert said == [f"{first}\n\nrole: assistant\ncontent: So.", first]


def test_lists_of_short_numbers_are_shown_with_the_digits_that_they_have(tmp_path: Path) -> None:
    """0.1 of 32 bits had been shown as 0.10000000149011612."""
    cells = pa.array([[0.1, 2.5], [1e-5, None]], pa.list_(pa.float32()))
    pq.write_table(pa.table({"score": [0.1, 0.9], "text": cells}), tmp_path / "items.parquet")
    assert Pool.read(tmp_path / "items.parquet").fields["text"].tolist() == ["[0.1, 2.5]", "[1e-05, nan]"]


def test_times_to_the_nanosecond_are_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    pq.write_table(pa.table({"score": [0.1, 0.2], "at": pa.array([1, None], pa.time64("ns"))}), path)
    assert Pool.read(path).fields["at"][0] == "00:00:00.000000001"
