"""Small files that would fill the memory or end the process are refused before they are read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool
from sampleval.pool.columns import Told
from sampleval.pool.tables import memory
from sampleval.pool.tables.reading import read_frame


def written(folder: Path, text: str, name: str = "items.csv") -> Path:
    """A file with this text."""
    (path := folder / name).write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    ("opens", "closes"), [("[", "]"), ('{"a":', "}"), ("[\n", "\n]"), ('[{"a":"]","b":', "}]")]
)
@pytest.mark.parametrize("depth", [100, 3_000, 100_000])
def test_what_is_nested_too_deep_is_refused(depth: int, opens: str, closes: str, tmp_path: Path) -> None:
    """A hundred thousand levels overflowed the stack of Arrow's reader, which ends the whole process."""
    cell = f"{opens * depth}1{closes * depth}"
    path = written(tmp_path, f'{{"score": 0.2}}\n{{"score": 0.1, "x": {cell}}}\n', "items.jsonl")
    with pytest.raises(InputError, match="nest lists or records deeper than 50 levels"):
        Pool.read(path)


def test_a_broken_line_hides_no_depth(tmp_path: Path) -> None:
    deep = '{"score": 0.1, "x": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
    path = written(tmp_path, '{"score": "0.1}\n' + deep, "items.jsonl")
    with pytest.raises(InputError, match="deeper than 50 levels"):
        Pool.read(path)


@pytest.mark.parametrize("text", ["[{" * 100_000, '"[{' * 100_000, "\\" * 99_999 + '"[' * 99, '\\"'])
def test_brackets_in_a_text_are_no_depth(text: str, tmp_path: Path) -> None:
    cell = "[" * 49 + json.dumps(text) + "]" * 49
    lines = (f'{{"score": 0.{k}, "text": {json.dumps(text)}, "x": {cell}}}\n' for k in range(1, 4))
    frame = read_frame(written(tmp_path, "".join(lines), "items.jsonl"), Told())
    assert frame["text"].tolist() == [text] * 3


def repeated() -> pa.DictionaryArray:
    """A file with fifty thousand rows of the same text of a megabyte, which it stores once."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(50_000, "i4")), ["x" * 1_000_000])


HUGE: dict[str, Callable[[], pa.Array]] = {
    "a text in every row": repeated,
    "a text in the list of every row": lambda: pa.ListArray.from_arrays(
        np.arange(50_001, dtype="i4"), repeated()
    ),
    "a text in the record of every row": lambda: pa.StructArray.from_arrays([repeated()], ["a"]),
    "a long list": lambda: pa.ListArray.from_arrays([0, 6_000_000], pa.array(np.zeros(6_000_000, "i4"))),
}


@pytest.mark.parametrize("what", HUGE)
def test_a_small_file_that_would_fill_the_memory_is_refused(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "FREE", 20_000_000)
    column = HUGE[what]()
    path = tmp_path / "items.parquet"
    pq.write_table(pa.table({"score": np.full(len(column), 0.5), "x": column}), path)
    assert path.stat().st_size < 50_000
    with pytest.raises(InputError, match=r"must not grow to more than \d{2},\d{3},\d{3} bytes when read"):
        Pool.read(path)


@pytest.mark.parametrize("stored", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_stored_as_differences_are_weighed_and_read(
    stored: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow reads none of them as a dictionary: files of Parquet's second version were called damaged or cut short."""
    options: Any = {"column_encoding": {"x": stored}, "use_dictionary": False}
    table = pa.table({"id": range(9), "score": np.full(9, 0.5), "x": ["like", "likely", "unlike"] * 3})
    pq.write_table(table, path := tmp_path / "items.parquet", **options)
    assert Pool.read(path).fields["x"].tolist() == table["x"].to_pylist()
    huge = pa.table({"score": np.full(40, 0.5), "x": ["x" * 1_000_000] * 40})
    pq.write_table(huge, path, **options, compression="zstd")
    assert path.stat().st_size < 50_000
    monkeypatch.setattr(memory, "FREE", 20_000_000)
    with pytest.raises(InputError, match=r"must not grow to more than \d{2},\d{3},\d{3} bytes when read"):
        Pool.read(path)


def test_the_size_of_a_table_in_memory_is_that_of_its_columns_once_read(tmp_path: Path) -> None:
    texts = [["x" * 1_000, "y"], ["y"], []] * 1_000
    table = pa.table({"l": texts, "r": [{"a": "z" * 500, "b": k} for k in range(3_000)], "k": range(3_000)})
    pq.write_table(table, path := tmp_path / "items.parquet")
    assert table.nbytes <= memory.size_in_memory(path, 10**9) < 3 * table.nbytes, "a bound"
    exact = memory.size_in_memory(path, table.nbytes * 21 // 20)
    assert exact == pytest.approx(table.nbytes, rel=0.05)


def test_a_gzipped_file_that_unpacks_to_far_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "items.csv.gz").write_bytes(gzip.compress(b"id,score\n" + b"a,0.5\n" * 100_000))
    monkeypatch.setattr(memory, "FREE", 300_000)
    with pytest.raises(InputError, match=r"must not unpack to more than [\d,]+ bytes; .* unpack it first"):
        Pool.read(path)
    monkeypatch.setattr(memory, "FREE", 700_000)
    with pytest.raises(InputError, match=r"must not unpack to more than [\d,]+ cells; .* unpack it first"):
        Pool.read(path)
    monkeypatch.setattr(memory, "FREE", 8_000_040)
    assert len(read_frame(path, Told())) == 100_000


@pytest.mark.parametrize("apart", ["\n", "", " "])
def test_records_each_with_a_field_of_its_own_are_refused(apart: str, tmp_path: Path) -> None:
    """A file of a megabyte had filled the memory, since 20,000 records made 20,000 columns of as many cells."""
    lines = apart.join(f'{{"score": 0.5, "by": {{"user {k}": 1}}}}' for k in range(20_000))
    with pytest.raises(
        InputError, match=r"the same few fields in each record; 20,000 records have \d,\d+ and"
    ):
        Pool.read(written(tmp_path, lines, "items.jsonl"))


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_more_columns_than_anybody_tells_apart_are_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"items{ending}"
    for columns in (3, 10_001):
        cells = dict.fromkeys(["score", *(f"c{k}" for k in range(1, columns))], [0.5] * 2)
        frame = pd.DataFrame(cells)
        if ending == ".parquet":
            pq.write_table(pa.table(cells), path)
        elif ending == ".csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_json(path, orient="records", lines=True)
        if columns == 3:
            assert read_frame(path, Told()).shape == (2, 3)
    with pytest.raises(InputError, match="must have at most 10,000 columns; it has 10,001"):
        Pool.read(path)


def test_the_column_names_may_take_more_than_a_few_pages(tmp_path: Path) -> None:
    names = [f"{'a long name ' * 40}{k}" for k in range(220)]
    text = ",".join(["score", *names]) + "\n" + ",".join(["0.5"] * 221) + "\n"
    assert read_frame(written(tmp_path, text), Told()).columns.tolist() == ["score", *names]
    with pytest.raises(InputError, match="the first 1,048,576 bytes hold no end of a line"):
        read_frame(written(tmp_path, "score," * 200_000), Told())


def test_a_row_of_many_megabytes_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a row is longer than 16 MB, or never ends"):
        read_frame(written(tmp_path, f"score,text\n0.5,{'x' * 40_000_000}\n"), Told())


@pytest.mark.parametrize("error", [MemoryError(), pa.ArrowMemoryError("malloc of size 8 failed")])
def test_a_table_beyond_the_memory_is_said_to_be_one(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr(pa.csv, "read_csv", full)
    with pytest.raises(InputError, match=r"must fit into the memory of this machine; .*; leave out columns"):
        Pool.read(written(tmp_path, "score\n0.5\n"))


def test_a_file_without_the_rows_that_it_claims_takes_some_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(pa.table({"text": ["a", "b"]}), path := tmp_path / "items.parquet")
    sound = memory.size_in_memory(path, 10**9)
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_, **__: iter(()))
    assert 0 < memory.size_in_memory(path, 10**9) < sound
