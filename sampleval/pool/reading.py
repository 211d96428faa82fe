"""Files to frames: CSV, TSV, Parquet and JSON Lines, plain or gzipped."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from sampleval import _checks
from sampleval._checks import InputError, fail
from sampleval.pool.columns import Told, role_of, strings
from sampleval.pool.sources import Source, bad_encoding, bad_text, find_source, right_format, unreadable

BLOCK = 1 << 24
NULLS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A")


def read_frame(path: str | Path, told: Told) -> pd.DataFrame:
    """The file as a frame; where fields are told, only the columns that can matter.

    Args:
        path: The file.
        told: What is known of the columns.

    Raises:
        InputError: If the file cannot be read, whatever the reason.
    """
    source = find_source(path)
    try:
        head = source.head()
        right_format(source, head)
        table = _READERS[source.form](source, head, told)
        return _frame(table, source)
    except InputError:
        raise
    except (UnicodeDecodeError, pa.ArrowException, OSError, EOFError, zlib.error) as error:
        unreadable(source, error)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, MemoryError, csv.Error) as error:
        unreadable(source, error)


def _wanted(names: list[str], told: Told) -> list[str]:
    """The columns to read: all, or where fields are told those and every possible role."""
    if told.fields is None:
        return names
    said = strings(
        [getattr(told, part.name) for part in fields(told) if part.name not in ("task", "classes")]
    )
    prefixes = tuple(strings([told.score, told.pred, told.label]))
    keep = [name for name in names if name in said or name.startswith(prefixes) or _sounds(name)]
    return keep or names


def _sounds(name: str) -> bool:
    """Whether the name, or what follows a system's prefix, suggests a role."""
    return bool(role_of(name)[0] or role_of(name.partition(".")[2])[0])


def _read_parquet(source: Source, _head: bytes, told: Told) -> pa.Table:
    file: Any = io.BytesIO(source.open().read()) if source.gzipped else source.path
    with pq.ParquetFile(file) as opened:
        names = [str(name) for name in opened.schema_arrow.names]
        _checks.distinct_names(names, "path")
        return opened.read(columns=None if told.fields is None else _wanted(names, told))


def _read_json(source: Source, head: bytes, told: Told) -> pa.Table:
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        fail(
            "path",
            "must hold one JSON object per line, not one list",
            source.path.name,
            remedy="write JSON Lines",
        )
    options = pa.json.ReadOptions(block_size=BLOCK)
    with source.open() as stream:
        table = pa.json.read_json(stream, read_options=options)
    _checks.distinct_names([str(name) for name in table.column_names], "path")
    return table.select(_wanted(table.column_names, told))


def _read_csv(source: Source, head: bytes, told: Told) -> pa.Table:
    mark = _delimiter(source, head)
    names = _header(source, head, mark)
    wanted = _wanted(names, told)
    options: dict[str, Any] = {
        "read_options": pa.csv.ReadOptions(
            use_threads=False, block_size=BLOCK, column_names=names, skip_rows_after_names=1
        ),
        "parse_options": pa.csv.ParseOptions(delimiter=mark, newlines_in_values=True),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()),
            include_columns=wanted,
            strings_can_be_null=True,
            null_values=_missing(names),
        ),
    }
    try:
        with source.open() as stream:
            table = pa.csv.read_csv(stream, **options)
    except pa.ArrowInvalid as error:
        _ragged(source, str(error))
        raise
    item = told.id or next((name for name in names if role_of(name)[0] == "id"), None)
    read = _typed if mark == "," else _typed_with_commas
    arrays = {name: table.column(name) if name == item else read(table.column(name)) for name in wanted}
    return pa.table(arrays)


def _missing(names: list[str]) -> list[str]:
    """What stands for a missing cell: not a word that is a class, as the name of a column of scores tells.

    >>> "None" in _missing(["id", "score"]), "None" in _missing(["score_None", "score_against"])
    (True, False)
    """
    classes = {role_of(name)[1] for name in names} - {""}
    return [word for word in NULLS if word not in classes]


def _ragged(source: Source, reason: str) -> None:
    """Refuse rows of different lengths, if that is the reader's complaint."""
    found = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)(?:: (.*))?", reason, re.DOTALL)
    if found:
        row, expected, cells, text = found.groups(default="")
        rule = f"must have {expected} cells in every row; line {row} has {cells}"
        remedy = f"quote cells that hold the separator or a line break ({source.path.name})"
        fail("path", rule, text, remedy=remedy)


def _delimiter(source: Source, head: bytes) -> str:
    """Tab for TSV; otherwise the most frequent separator of the first line."""
    if source.form == "TSV":
        return "\t"
    line = head.split(b"\n", 1)[0]
    counts = {mark: line.count(mark.encode()) for mark in (",", ";", "\t", "|")}
    return max(counts, key=lambda mark: counts[mark])


def _header(source: Source, head: bytes, mark: str) -> list[str]:
    """Column names from the first record; an unnamed first column is the row index."""
    text = head.decode("utf-8-sig", "replace")
    if len(head) >= 1 << 16 and "\n" not in text and "\r" not in text:
        fail("path", "must have a first line with column names; it has no end", source.path.name)
    if "�" in text.split("\n", 1)[0]:
        bad_encoding(source)
    if "\0" in text.split("\n", 1)[0]:
        fail(
            "path", "must be text; its first line holds NUL", source.path.name, remedy="is the file damaged?"
        )
    record = next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])
    names = [name.strip() for name in record]
    names = [
        name or ("index" if k == 0 and "index" not in names else f"unnamed_{k}")
        for k, name in enumerate(names)
    ]
    _checks.distinct_names(names, "path")
    return names


def _typed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of text as numbers, unless that would lose a digit: `007` and 20 digits stay text."""
    for form in (column, pc.utf8_trim_whitespace(column)):
        try:
            whole = form.cast(pa.int64())
        except pa.ArrowInvalid:
            pass
        else:
            if whole.cast(pa.large_string()).equals(form):
                return whole if whole.null_count < len(whole) else column
        try:
            numbers = form.cast(pa.float64())
        except pa.ArrowInvalid:
            continue
        code = pc.match_substring_regex(form, r"^[+-]?(0[0-9]|[0-9]{16,}$)")
        return column if pc.any(code).as_py() else numbers
    return column


def _typed_with_commas(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """As `_typed`, with decimal commas: where all cells are numbers, one of them not `1,234`, perhaps a thousand."""
    number = pc.match_substring_regex(column, r"^\s*[+-]?(0|[1-9]\d{0,14})(,\d+)?([eE][+-]?\d+)?\s*$")
    grouped = pc.match_substring_regex(column, r"^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$")
    decimal = pc.and_not(pc.match_substring(column, ","), grouped)
    sure = pc.all(number).as_py() and pc.any(decimal).as_py()
    return _typed(pc.replace_substring(column, ",", ".") if sure else column)


_READERS: dict[str, Callable[[Source, bytes, Told], pa.Table]] = {
    "CSV": _read_csv,
    "TSV": _read_csv,
    "Parquet": _read_parquet,
    "JSON Lines": _read_json,
}


def _frame(table: pa.Table, source: Source) -> pd.DataFrame:
    """The table as pandas columns; text that is not UTF-8 is refused."""
    if table.num_rows == 0 or table.num_columns == 0:
        fail("path", "must hold at least one row of data", source.path.name, remedy="check the export")
    try:
        table.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" in str(error) or "UTF-8" in str(error):
            bad_text(table, source)
        raise
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    return frame.rename(columns={name: "index" for name in frame if name == "__index_level_0__"})
