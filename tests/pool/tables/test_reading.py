"""Files of every format: the same pool from each, and refusals of what is no table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame
from sampleval.pool.tables.sources import FORMATS, SUFFIXES
from tests.tables import items, written

ENDINGS = [ending for ending, form in SUFFIXES.items() if form != "Excel"]  # test_workbooks.py has that


@pytest.mark.parametrize("ending", [*ENDINGS, ".csv.gz", ".json.gz", ".jsonl.gz"])
def test_the_same_pool_from_every_format(ending: str, tmp_path: Path) -> None:
    frame = items(text=["plain", "with, comma", 'with "quotes"', "two\nlines", "ünï", "=1+1"])
    path = tmp_path / f"pool{ending}"
    form = SUFFIXES[path.suffixes[0]]
    if form in ("CSV", "TSV"):
        frame.to_csv(path, index=False, sep="\t" if form == "TSV" else ",")
    elif form == "JSON":
        frame.to_json(path, orient="records", lines=".json" not in path.suffixes, double_precision=15)
    else:
        frame.to_parquet(path)
    pool = Pool.read(path)
    assert pool.fields["text"].tolist() == frame["text"].tolist()
    assert pool.score.tolist() == pytest.approx(frame["score"].tolist(), abs=1e-15)
    assert pool.ids.tolist() == frame["id"].tolist()


def test_the_app_and_the_console_offer_the_formats_of_all_endings() -> None:
    assert {*FORMATS.replace(" or ", ", ").split(", ")} == {*SUFFIXES.values()}


def test_only_needed_columns_are_read(tmp_path: Path) -> None:
    frame = items(bulk="x" * 100)
    for ending in ("csv", "parquet"):
        path = tmp_path / f"pool.{ending}"
        frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
        pool = Pool.read(path, fields=["text"])
        assert list(pool.fields.columns) == ["text"]
        assert pool.columns.label == ("label",)
        assert "bulk" not in pool.columns.hidden


def parquet() -> bytes:
    """A Parquet file of one score."""
    pq.write_table(pa.table({"score": [0.5]}), sink := pa.BufferOutputStream())
    return bytes(sink.getvalue())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", parquet(), "it holds Parquet; got 'a.csv'; rename it to end in .parquet"),
        ("a.csv", b"PK\x03\x04....", "a zip archive or an Excel workbook"),
        ("a.csv", "id,score\n1,0.5".encode("utf-32-le"), 'first line holds NUL; .*save it as "CSV UTF-8"'),
        ("a.csv", "id,score\n1,0.5".encode("utf-16") + b"\0", "must be UTF-8 text"),
        ("a.csv.gz", b"\x1f\x8bgarbage", "damaged or cut short"),
        ("a.parquet", b"id,score\n1,0.5\n", "it holds something else, perhaps CSV"),
        ("a.jsonl", b"id,score\n1,0.5\n", "something else, perhaps CSV"),
        ("a.json", b"[1, 2]", r"Expecting a record in braces.*column 2"),
        ("a.json", b'[{"score": 1},\n{"score"', r"damaged or cut short \(Expecting .* line 2"),
        ("a.json", b'[{"score": 1}]]', "Expecting nothing after the list"),
        ("a.json", b'[{"score": 1}, {"score": "x"}]', r"breaks at record 2 \(field `score` changed"),
        ("a.json", b'[{"score": ' + b"[" * 100_000, "nested too deep"),
        ("a.json", b'[{"score": 1, "x": ' + b"[" * 60 + b"]" * 60 + b"}]", "deeper than 50 levels"),
        ("a.json", b"[]", "at least one row of data"),
        ("a.json", b"[{}, {}]", "at least one row of data"),
        ("a.json", b'{"a": {"b": 1}, "c": {"d": 2}}', r"an object per item; it holds one for all; .*orient='records'"),
        (
            "a.jsonl",
            '{"score": 0.5, "t": "é"}'.encode("latin-1"),
            "must hold UTF-8 text; column `t` does not",
        ),
        ("a.jsonl", b'{"score": 0.5}\n{"score": "x"}\n', r"breaks at line 2 \(field `score` changed"),
        ("a.docx", b"", "must end in one of .csv"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b" \n", "the file is empty"),
    ],
    ids=["Parquet", "archive", "UTF-32 without a mark", "odd UTF-16", "damaged gzip", "no Parquet", "no JSON", "no records",
         "cut list", "two lists", "two types in a list", "depth", "some depth", "no record", "no fields", "columns",
         "Latin-1", "two types", "Word", "empty", "blank"],
)  # fmt: skip
def test_files_whose_content_contradicts_their_name_are_refused(
    name: str, content: bytes, message: str, tmp_path: Path
) -> None:
    (path := tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        Pool.read(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,score\n", "at least one row of data"),
        ("id,score\n1,0.5\n2\n", r"2 cells in every row; line 3 has 1; got '2'"),
        ("id,score\na\nb,0.5\n", "complete or delete line 2, and quote cells that hold a line break"),
        ("id,score,score\n1,0.5,1\n", "distinct column names; got 'score'"),
        ("a7,0.5,0,0\na8,0.25,0,1\n", "got '0'; rename or drop one of the two; if the first line is a row of the table, put one with"),
        ("id,score\na,0.5\n\n(1 row affected)\nCompletion time: noon\n", "if the table ends above line 4, delete the rest"),
    ],
    ids=["no rows", "short row", "short first row", "names twice", "no names", "counted rows"],
)  # fmt: skip
def test_rows_that_are_no_table_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        Pool.read(written(tmp_path, text))


def test_where_there_is_no_file_the_path_is_refused(tmp_path: Path) -> None:
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


DAMAGES = """
import io, pandas as pd
from sampleval.pool.tables.memory import size_in_memory
frame = pd.DataFrame({"id": [f"i{k}" for k in range(60)], "score": [k / 60 for k in range(60)]})
frame["tags"] = [[k, k + 1] for k in range(60)]
frame.to_parquet(whole := io.BytesIO())
content = whole.getvalue()
footer = int.from_bytes(content[-8:-4], "little")
def refused(at, bit):
    changed = bytearray(content)
    changed[at] ^= bit
    try:
        size_in_memory(io.BytesIO(bytes(changed)), 10**8)
    except Exception:
        return True
    return False
assert not refused(-1, 0)
print(sum(refused(at, 1) for at in range(len(content) - 8 - footer, len(content))))
"""


def test_a_damaged_parquet_footer_does_not_kill_the_process() -> None:
    """Asked for its columns alone, a footer of another histogram than its levels ended the server for everybody."""
    done = subprocess.run([sys.executable, "-c", DAMAGES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


@pytest.mark.parametrize("notes", ['{"sampleval.line": "x"}', '{"sampleval.points": 5}', "null"])
def test_metadata_of_a_parquet_file_is_not_taken_for_our_notes(notes: str, tmp_path: Path) -> None:
    """Notes on how a CSV file was read are kept there too, and those of a stranger ended in a TypeError."""
    table = pa.table({"score": [0.1, 0.9, 7.0][: 2 + ("line" in notes)]})
    pq.write_table(table.replace_schema_metadata({"sampleval.notes": notes}), tmp_path / "items.parquet")
    frame = read_frame(tmp_path / "items.parquet", Told())
    assert not frame.attrs
    if len(frame) > 2:
        with pytest.raises(InputError, match=r"got 7\.0 at row 2"):
            Pool.read(tmp_path / "items.parquet")


@pytest.mark.parametrize("role", ["id", "score", "label", "pred", "text"])
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo", "Europe/Berlin"])
@pytest.mark.parametrize("far", [2**50, 2**55, 2**62])
def test_times_beyond_the_calendar_are_refused_or_text(
    role: str, zone: str | None, far: int, tmp_path: Path
) -> None:
    """Pandas can hold the year 37648, but cannot always write it."""
    columns: dict[str, Any] = {"id": ["a", "b"], "score": [0.1, 0.9], "label": [0, 1]}
    times = pa.array([far, 5], pa.int64()).cast(pa.timestamp("ms", zone))
    pq.write_table(pa.table(columns | {role: times}), tmp_path / "items.parquet")
    with suppress(InputError):
        assert Pool.read(tmp_path / "items.parquet").size == 2


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo", "Europe/Berlin"])
@pytest.mark.parametrize(
    ("far", "day"),
    [(2**45, "3084-12-12"), (2**50, "37648-05-06"), (2**62, "146140482-04-24"), (-(2**50), "-33709-08-27")],
)
def test_times_beyond_the_calendar_are_shown_as_they_are(
    far: int, day: str, zone: str | None, tmp_path: Path
) -> None:
    """2⁶² milliseconds overflowed to 1970, and Arrow wrote other years from 32768 on."""
    times = pa.array([far, 5, None], pa.int64()).cast(pa.timestamp("ms", zone))
    pq.write_table(pa.table({"score": [0.1, 0.9, 0.5], "text": times}), tmp_path / "items.parquet")
    shown = Pool.read(tmp_path / "items.parquet").fields["text"]
    assert pd.isna(shown[2])
    assert [text.split(" ")[0] for text in shown[:2]] == [day, "1970-01-01"]


# ---------------------------------------------------------------- JSON


def test_blank_lines_between_records_are_counted_too(tmp_path: Path) -> None:
    path = written(tmp_path, '{"score": 0.5}\n\n\n{"score": "x"}\n', "items.jsonl")
    with pytest.raises(InputError, match="breaks at line 4"):
        Pool.read(path)


def test_a_comma_between_json_objects_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="perhaps a comma at the end of a line"):
        Pool.read(written(tmp_path, '{"id": "a", "score": 0.1},\n{"id": "b", "score": 0.2}\n', "items.jsonl"))


def test_a_list_of_records_is_read_like_the_same_records_in_lines(tmp_path: Path) -> None:
    """What `to_json(orient="records")` writes was refused, and to write JSON Lines was the advice."""
    frame = items(text=["a}, {b", "]", 'c"\\', "two\nlines", "\t", "[{"], n=[None, 2**53 + 1, 1, 2, 3, 4])
    lines = frame.to_json(orient="records", lines=True, double_precision=15)
    told = read_frame(written(tmp_path, lines, "lines.json"), Told())
    for indent in (None, 2):
        text = frame.to_json(orient="records", indent=indent, double_precision=15)
        for name, content in (
            ("a.json", text),
            ("a.jsonl", f"\ufeff \n{text}\n"),
            ("a.json", text[:-1] + ",]"),
        ):
            found = read_frame(written(tmp_path, content, name), Told())
            pd.testing.assert_frame_equal(found, told)


@pytest.mark.parametrize("orient", ["columns", "index", "split", "table"])
@pytest.mark.parametrize("name", [None, "id"])
def test_a_table_is_read_however_pandas_writes_it(orient: Any, name: str | None, tmp_path: Path) -> None:
    """An object that holds all items was refused, though it is what `to_json` writes if nothing is said."""
    frame = items().drop(columns="id") if name is None else items().set_index("id").rename_axis(name)
    pool = Pool.read(written(tmp_path, frame.to_json(orient=orient, indent=2), "items.json"))
    np.testing.assert_allclose(pool.score, items()["score"])
    assert name is None or pool.ids.tolist() == items()["id"].tolist()
    assert pool.columns.fields == Pool.from_frame(items()).columns.fields


@pytest.mark.parametrize(
    "whole",
    [
        {"predictions": [[0.4, 0.6], [0.9, 0.1]]},
        {"model": "m", "data": [{"scores": [0.4, 0.6]}, {"scores": [0.9, 0.1]}], "schema": {"n": 2}},
        {"ids": ["a", "b"], "scores": [[0.4, 0.6], [0.9, 0.1]], "metrics": {"accuracy": 0.5}},
        {"a": {"score_0": 0.4, "score_1": 0.6}, "b": {"score_0": 0.9, "score_1": 0.1}},
        {"a.jpg": {"0": 0.4, "1": 0.6}, "b.jpg": {"0": 0.9, "1": 0.1}, "c.jpg": {"0": 0.5, "1": 0.5}},
        {"a.jpg": 0.6, "b.jpg": 0.1},
        [[0.4, 0.6], [0.9, 0.1]],
        [[{"label": "0", "score": 0.4}, {"label": "1", "score": 0.6}], [{"label": "1", "score": 0.1}, {"label": "0", "score": 0.9}]],
    ],
    ids=["lists", "around records", "columns", "by id", "class by id", "score by id", "list of lists", "list of pairs"],
)  # fmt: skip
def test_items_are_found_in_an_object_or_list_around_them(whole: object, tmp_path: Path) -> None:
    pool = Pool.read(written(tmp_path, json.dumps(whole), "items.json"))
    assert pool.task.classes == ("0", "1")
    np.testing.assert_allclose((pool.score[:, -1] if pool.score.ndim == 2 else pool.score)[:2], [0.6, 0.1])


def test_an_object_that_is_an_item_stays_one(tmp_path: Path) -> None:
    one = '{"id": "a", "score": 0.5, "tags": ["x"], "spans": [0, 1]}'
    assert len(read_frame(written(tmp_path, one, "one.json"), Told())) == 1
    assert len(read_frame(written(tmp_path, f"{one}\n{one}", "two.json"), Told())) == 2


def test_a_null_that_begins_a_list_is_read(tmp_path: Path) -> None:
    text = '{"id": "a", "score": 0.1, "tags": [null, "x"]}\n{"id": "b", "score": 0.2, "tags": []}\n'
    pool = Pool.read(written(tmp_path, text, "items.jsonl"))
    assert pool.fields["tags"].tolist() == ["[None, 'x']", "[]"]


def test_json_text_that_looks_like_a_time_stays_as_written(tmp_path: Path) -> None:
    rows = [{"id": day, "score": 0.5, "sent": f"{day}T00:30:00+02:00", "all": [day], "by": {"at": day}}
            for day in ("2024-01-01", "2024-01-02")]  # fmt: skip
    path = written(tmp_path, "\n".join(map(json.dumps, rows)), "items.jsonl")
    pool = Pool.read(path)
    assert pool.ids.tolist() == ["2024-01-01", "2024-01-02"]
    assert pool.fields["sent"].tolist() == ["2024-01-01T00:30:00+02:00", "2024-01-02T00:30:00+02:00"]
    assert [(list(row["all"]), row["by"]["at"]) for _, row in read_frame(path, Told()).iterrows()] == [
        (["2024-01-01"], "2024-01-01"),
        (["2024-01-02"], "2024-01-02"),
    ]


def test_scores_that_a_row_names_by_class_are_a_column_per_class(tmp_path: Path) -> None:
    """A record in each row had been read as the only score of two classes."""
    rows = [{"id": "a", "scores": {"bug": 0.01, "praise": 0.7}}, {"id": "b", "scores": {"bug": 0.9}}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    frame = read_frame(tmp_path / "t.jsonl", Told())
    assert list(frame) == ["id", "score_bug", "score_praise"]
    assert frame["score_bug"].tolist() == [0.01, 0.9]
    assert frame["score_praise"].isna().tolist() == [False, True]


def test_scores_by_class_are_read_from_a_record_that_holds_a_list_too(tmp_path: Path) -> None:
    """Such a record was left whole as a vector of Spark is, so that its scores were lost."""
    rows = [{"id": k, "scores": {"bug": 0.1 * k, "praise": 1 - 0.1 * k, "tokens": ["a"]}} for k in range(4)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert Pool.read(tmp_path / "t.jsonl").columns.systems[0].score == ("score_bug", "score_praise")


def test_a_record_that_is_told_to_be_a_field_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(
        "".join(f'{{"id": {k}, "s": 0.{k}, "score": {{"a": 1, "b": "x"}}}}\n' for k in range(1, 6))
    )
    pool = Pool.read(path, id="id", score="s", fields=["score"])
    assert pool.fields.columns.tolist() == ["score"]
    assert pool.score.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    "vector",
    [
        {"type": 1, "values": [0.2, 0.8]},
        {"type": 1, "size": None, "values": [0.2, 0.8]},
        {"type": 0, "size": 2, "indices": [0, 1], "values": [0.2, 0.8]},
    ],
)
def test_a_vector_of_spark_holds_the_scores_of_classes_0_and_1(
    vector: dict[str, Any], tmp_path: Path
) -> None:
    """Its type, 1, had silently been read as the score of every item, since that was the one number in the record."""
    rows = [
        {"id": k, "rawPrediction": vector, "probability": vector, "prediction": k % 2 / 1} for k in range(4)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pool = Pool.read(tmp_path / "t.jsonl")
    assert (pool.task.kind, pool.score.tolist(), pool.pred.tolist()) == ("binary", [0.8] * 4, [0, 1] * 2)
    assert pool.columns.fields == ()


@pytest.mark.parametrize(
    "vector",
    [
        {"type": 1, "values": [0.5]},
        {"type": 1, "values": None},
        {"type": 0, "size": 10**9, "indices": [0], "values": [0.5]},
        {"type": 0, "size": 2, "indices": [0], "values": [0.5, 0.5]},
    ],
    ids=["one", "none", "huge", "broken"],
)
def test_other_vectors_of_spark_are_no_scores(vector: dict[str, Any], tmp_path: Path) -> None:
    rows = [{"id": k, "probability": vector} for k in range(4)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match="several classes, give each a column of its own"):
        Pool.read(tmp_path / "t.jsonl")


def test_a_wave_is_the_home_folder_as_in_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "scored.csv").write_text("id,score\na,0.1\nb,0.9\n")
    assert Pool.read("~/scored.csv").size == 2
    assert Pool.read("~/scored.csv").to_parquet("~/pool.parquet") == tmp_path / "pool.parquet"
    with pytest.raises(InputError, match="~nobody"):
        Pool.read("~nobody/scored.csv")
