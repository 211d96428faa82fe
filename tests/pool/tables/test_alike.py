"""The same table gives the same pool whichever way it comes: as a frame of any types, as CSV, or as JSON of any form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool
from tests.tables import items, written


@pytest.mark.parametrize("orient", ["columns", "index", "split"])
@pytest.mark.parametrize("first", ["ticket_id", "file", "row"])
def test_row_numbers_around_records_are_no_ids(orient: Any, first: str, tmp_path: Path) -> None:
    """With `orient="index"` they became the ids, and the column of ids was shown to annotators."""
    ids = range(30) if first == "row" else [f"img_{k:03d}" for k in range(30)]
    frame = items(30).drop(columns="id")
    frame.insert(0, first, ids)
    pool = Pool.read(written(tmp_path, frame.to_json(orient=orient), "items.json"))
    assert pool.report == Pool.from_frame(frame).report
    assert pool.ids.tolist() == [*map(str, ids)]


def test_a_column_of_records_leaves_the_columns_beside_it(tmp_path: Path) -> None:
    """It was taken for the list of all records, and the scores and ids beside it were lost."""
    table = {
        "id": ["a", "b", "c"],
        "score": [0.1, 0.7, 0.9],
        "note": [{"by": "x", "page": k} for k in range(3)],
    }
    pool = Pool.read(written(tmp_path, json.dumps(table), "items.json"))
    assert pool.fingerprint == Pool.from_frame(pd.DataFrame(table)).fingerprint


def test_a_table_without_rows_is_called_so_in_each_form_of_json(tmp_path: Path) -> None:
    """It was said to hold one object for all items."""
    tables: list[Any] = [[], {"id": [], "score": []}, {"columns": ["id", "score"], "index": [], "data": []}]
    for whole in tables:
        with pytest.raises(InputError, match="must hold at least one row of data"):
            Pool.read(written(tmp_path, json.dumps(whole), "items.json"))
    assert len(Pool.read(written(tmp_path, '{"id": 0, "score": 0.0}', "items.json"))) == 1


@pytest.mark.parametrize("name", ["items.json", "items.jsonl"])
def test_a_cell_that_python_wrote_as_nan_is_missing_among_texts_too(name: str, tmp_path: Path) -> None:
    """`json.dumps` of the records of a frame writes it so, and the file was refused."""
    frame = items(text=[np.nan, "NaN", 'a: NaN, "b', "c", "d", "e"], tag=["x", np.nan, "y", "z", "x", "x"])
    records = frame.to_dict("records")
    text = json.dumps(records) if name == "items.json" else "\n".join(map(json.dumps, records))
    pool = Pool.read(written(tmp_path, text, name))
    assert pool.fields["text"].isna().tolist() == [True, *[False] * 5]
    assert pool.fingerprint == Pool.from_frame(frame).fingerprint


def test_numbers_in_a_column_of_objects_are_not_called_text() -> None:
    frame = items()
    assert Pool.from_frame(frame.astype(object)).report == Pool.from_frame(frame).report
    texts = items(score=["0.1", "0.2", "0.3", "0.4", "0.5", "0.9"])
    for kind in (object, "string", "category"):
        pool = Pool.from_frame(texts.astype({"score": kind}))
        assert "`score` was text and was read as numbers." in pool.report


def test_predictions_beside_a_named_error_scale_are_amounts(tmp_path: Path) -> None:
    """The error's column was taken for a score, so that predictions were kept as names and then called text."""
    frame = pd.DataFrame({"id": list("abc"), "pred": [1.5, 2.25, 4.0], "sd": [1, 2, 1]})
    path = written(tmp_path, frame.to_csv(index=False))
    assert Pool.read(path, error="sd").report == Pool.from_frame(frame, error="sd").report


def test_decisions_that_are_whole_numbers_with_decimals_are_of_two_classes_as_text_too(
    tmp_path: Path,
) -> None:
    """As text they became predicted numbers, while the same CSV file gave two classes."""
    frame = pd.DataFrame({"id": list("abcd"), "pred": ["1.0", "0.0", "0.0", "1.0"]})
    for told in (
        frame,
        frame.assign(label=["1.0", "1.0", "0.0", "0.0"]),
        frame.assign(score=[0.9, 0.2, 0.1, 0.8]),
    ):
        pool = Pool.from_frame(told)
        same = Pool.read(written(tmp_path, told.to_csv(index=False)))
        assert (pool.task, pool.fingerprint) == (same.task, same.fingerprint)
        assert pool.task.classes == ("0", "1")


def test_a_minus_sign_that_is_set_in_print_is_read_from_text_in_every_format(tmp_path: Path) -> None:
    """It was read from CSV, and as an answer, but refused in JSON and frames."""
    frame = pd.DataFrame({"id": list("abcd"), "pred": ["−1.5", "2.25", "−3", "4"]})
    for path in (
        written(tmp_path, frame.to_csv(index=False)),
        written(tmp_path, frame.to_json(orient="records"), "items.json"),
    ):
        assert Pool.read(path).pred.tolist() == [-1.5, 2.25, -3.0, 4.0]
    assert Pool.from_frame(frame).pred.tolist() == [-1.5, 2.25, -3.0, 4.0]


@pytest.mark.parametrize("column", ["score", "pred", "id"])
def test_a_missing_cell_is_refused_in_the_same_words_whatever_stands_for_it(column: str) -> None:
    said = set()
    for empty in (None, np.nan, pd.NA):
        frame = items(pred=[0, 1, 0, 1, 0, 1]).astype({column: object})
        frame[column] = pd.Series(
            [empty if row == 2 else frame[column][row] for row in range(6)], dtype=object
        )
        with pytest.raises(InputError, match=f"`{column}` must .*; see row 2") as refusal:
            Pool.from_frame(frame)
        said.add(str(refusal.value))
    assert len(said) == 1


def test_a_misspelt_field_is_compared_with_all_columns_of_the_file(tmp_path: Path) -> None:
    """Only the columns read were offered, so that the one that was meant seemed to be missing."""
    path = written(tmp_path, items().to_csv(index=False))
    with pytest.raises(InputError, match="got 'tex'; did you mean 'text'"):
        Pool.read(path, fields=["tex"])


def test_long_ids_that_pandas_wrote_to_a_workbook_are_said_to_be_rounded(tmp_path: Path) -> None:
    """Excel keeps 15 digits, and the program by which pandas writes workbooks 16: such ids were called repeated."""
    path = tmp_path / "items.xlsx"
    items(id=[1_234_567_890_123_456_789 + 1000 * k for k in range(6)]).to_excel(path, index=False)
    assert any("may be rounded" in line for line in Pool.read(path).report)
    items(id=[1_234_567_890_123_456_789 + k for k in range(6)]).to_excel(path, index=False)
    with pytest.raises(InputError, match="format the column as text"):
        Pool.read(path)
