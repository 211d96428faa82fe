"""Files to frames: CSV, TSV, Parquet and JSON Lines, plain or gzipped, refused in clear words."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from sampleval import _checks
from sampleval._checks import InputError, fail, shown
from sampleval.pool.columns import ColumnSpec, Told, role_of

SUFFIXES = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tab": "TSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".jsonl": "JSON Lines",
    ".ndjson": "JSON Lines",
}
ENDINGS = {"CSV": ".csv", "TSV": ".tsv", "Parquet": ".parquet", "JSON Lines": ".jsonl"}
BLOCK = 1 << 24
_MAGIC = (
    (b"PAR1", "Parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"%PDF", "PDF"),
    (b"SQLite format 3", "an SQLite database"),
    (b"ARROW1", "Arrow IPC (Feather)"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"<!DOCTYPE", "HTML"),
    (b"<html", "HTML"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file, its format by name, and whether its content is gzipped."""

    path: Path
    form: str
    gzipped: bool

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes of the content."""
        with self.open() as stream:
            return bytes(stream.read(size))

    def open(self) -> Any:
        """A stream of the content."""
        return gzip.open(self.path, "rb") if self.gzipped else self.path.open("rb")


def read_frame(path: str | Path, told: Told) -> pd.DataFrame:
    """The file as a frame; where fields are told, only the columns that can matter.

    Args:
        path: The file.
        told: What is known of the columns.

    Raises:
        InputError: If the file cannot be read, whatever the reason.
    """
    source = _source(path)
    try:
        head = source.head()
        _right_format(source, head)
        table = _READERS[source.form](source, head, told)
        return _frame(table, source)
    except InputError:
        raise
    except (UnicodeDecodeError, pa.ArrowException, OSError, EOFError, zlib.error) as error:
        _unreadable(source, error)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, MemoryError, csv.Error) as error:
        _unreadable(source, error)


def _source(path: str | Path) -> Source:
    """The file behind a path, if it exists and has a known name."""
    if not isinstance(path, str | Path) or "\0" in str(path):
        fail("path", "must be the path of a file", path)
    file = Path(path)
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "does not exist"
        fail("path", f"must name a file; this {what}", str(path), remedy="check the spelling and the folder")
    suffixes = [suffix.lower() for suffix in file.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    form = SUFFIXES.get(suffixes[-1] if suffixes else "")
    if form is None:
        known = ", ".join(SUFFIXES)
        fail("path", f"must end in one of {known} (or .gz after it)", file.name, remedy="export to one of these")
    try:
        with file.open("rb") as stream:
            gzipped = stream.read(2) == b"\x1f\x8b"
    except OSError as error:
        fail("path", f"must be readable: {error.strerror}", str(path))
    return Source(file, form, gzipped)


def _right_format(source: Source, head: bytes) -> None:
    """Refuse an empty file and one whose content is not what its name says."""
    if not head.strip():
        fail("path", "must hold data; the file is empty", source.path.name, remedy="check the export")
    found = next((form for magic, form in _MAGIC if head.startswith(magic)), "")
    if not found and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        found = "JSON"
    if source.form == "Parquet" and found != "Parquet":
        _misnamed(source, found or "text, perhaps CSV")
    if source.form in ("CSV", "TSV") and found:
        _misnamed(source, found)
    if source.form == "JSON Lines" and found != "JSON":
        _misnamed(source, found or "something else, perhaps CSV")


def _misnamed(source: Source, found: str) -> NoReturn:
    ending = ENDINGS.get("JSON Lines" if found == "JSON" else found)
    remedy = f"rename it to end in {ending}" if ending else f"export it as {source.form}"
    fail("path", f"must hold what its name says, {source.form}; it holds {found}", source.path.name, remedy=remedy)


def _unreadable(source: Source, error: Exception) -> NoReturn:
    """Any reader's complaint as ours, with the row where one is known."""
    if isinstance(error, UnicodeDecodeError) or "invalid UTF8" in str(error):
        _bad_encoding(source)
    reason = " ".join(str(error).split()) or type(error).__name__
    row = re.search(r"in row (\d+)", reason)
    where = f", at row {row[1]} (from 0)" if row else ""
    reason = re.sub(r"Column\(/?([^)]*)\)", r"field `\1`", reason.replace("JSON parse error: ", ""))
    rule = f"must be a readable {source.form} file{where}: {_printable(reason)}"
    remedy = "one JSON object per line, each field of one type" if source.form == "JSON Lines" else "export it again"
    fail("path", rule, source.path.name, remedy=remedy)


def _printable(reason: str) -> str:
    return shown(reason, 160)[1:-1]


def _bad_encoding(source: Source) -> NoReturn:
    """Name the line of the first byte that is not UTF-8."""
    where = ""
    try:
        with source.open() as stream:
            for number, line in enumerate(stream):
                try:
                    line.decode("utf-8-sig" if number == 0 else "utf-8")
                except UnicodeDecodeError as error:
                    where = f" (line {number + 1}, byte {line[error.start]:#04x})"
                    break
    except (OSError, EOFError, zlib.error):
        where = ""
    fail("path", f"must be UTF-8 text{where}", source.path.name, remedy='save it as "CSV UTF-8"')


# ------------------------------------------------------------------ which columns


def _wanted(names: list[str], told: Told) -> list[str]:
    """The columns to read: all, or where fields are told those and every possible role."""
    if told.fields is None:
        return names
    said = {told.id, told.error, *told.fields, *(told.system if isinstance(told.system, Mapping) else [told.system])}
    specs = [told.score, told.pred, told.label]
    if isinstance(told.system, Mapping):
        specs += [spec for roles in told.system.values() if isinstance(roles, Mapping) for spec in roles.values()]
    for spec in specs:
        said.update(_mentioned(spec, names))
    keep = [name for name in names if name in said or role_of(name)[0] or role_of(name.partition(".")[2])[0]]
    return keep or names


def _mentioned(spec: ColumnSpec | None, names: list[str]) -> list[str]:
    if spec is None:
        return []
    if isinstance(spec, str):
        return [name for name in names if name.startswith(spec)]
    return [str(name) for name in (spec.values() if isinstance(spec, Mapping) else spec)]


# ------------------------------------------------------------------ the formats


def _read_parquet(source: Source, head: bytes, told: Told) -> pa.Table:
    file: Any = io.BytesIO(source.open().read()) if source.gzipped else source.path
    with pq.ParquetFile(file) as opened:
        names = [str(name) for name in opened.schema_arrow.names]
        _checks.distinct_names(names, "path")
        return opened.read(columns=None if told.fields is None else _wanted(names, told))


def _read_json(source: Source, head: bytes, told: Told) -> pa.Table:
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        fail("path", "must hold one JSON object per line, not one list", source.path.name, remedy="write JSON Lines")
    options = pa.json.ReadOptions(block_size=BLOCK)
    with source.open() as stream:
        table = pa.json.read_json(stream, read_options=options)
    _checks.distinct_names([str(name) for name in table.column_names], "path")
    return table.select(_wanted(table.column_names, told))


def _read_csv(source: Source, head: bytes, told: Told) -> pa.Table:
    mark = _delimiter(source, head)
    names = _header(source, head, mark)
    wanted = _wanted(names, told)
    broken: list[Any] = []

    def ragged(row: Any) -> str:
        broken.append(row)
        return "error"

    options: dict[str, Any] = {
        "read_options": pa.csv.ReadOptions(use_threads=False, block_size=BLOCK, column_names=names, skip_rows_after_names=1),
        "parse_options": pa.csv.ParseOptions(delimiter=mark, newlines_in_values=True, invalid_row_handler=ragged),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()),
            include_columns=wanted,
            strings_can_be_null=True,
            null_values=["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A"],
        ),
    }
    try:
        with source.open() as stream:
            table = pa.csv.read_csv(stream, **options)
    except pa.ArrowInvalid:
        if not broken:
            raise
        _ragged(source, broken[0])
    item = told.id or next((name for name in names if role_of(name)[0] == "id"), None)
    arrays = {name: table.column(name) if name == item else _typed(table.column(name)) for name in wanted}
    return pa.table(arrays)


def _ragged(source: Source, row: Any) -> NoReturn:
    rule = f"must have {row.expected_columns} cells in every row; row {row.number - 2} (from 0) has {row.actual_columns}"
    remedy = "quote cells that hold the separator or a line break"
    fail("path", rule, row.text[:80], remedy=f"{remedy} ({source.path.name})")


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
        _bad_encoding(source)
    if "\0" in text.split("\n", 1)[0]:
        fail("path", "must be text; its first line holds NUL", source.path.name, remedy="is the file damaged?")
    record = next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])
    names = [name.strip() for name in record]
    names = [name or ("index" if k == 0 and "index" not in names else f"unnamed_{k}") for k, name in enumerate(names)]
    _checks.distinct_names(names, "path")
    return names


def _typed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column of text as numbers, if every cell reads as one and whole numbers survive the way back."""
    for kind, strict in ((pa.int64(), True), (pa.float64(), False)):
        for form in (column, pc.utf8_trim_whitespace(column)):
            try:
                numbers = form.cast(kind)
            except pa.ArrowInvalid:
                continue
            if not strict or numbers.cast(pa.large_string()).equals(form):
                return numbers if numbers.null_count < len(numbers) else column
    return column


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
            _bad_text(table, source)
        raise
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    return frame.rename(columns={name: "index" for name in frame if name == "__index_level_0__"})


def _bad_text(table: pa.Table, source: Source) -> NoReturn:
    for name in table.column_names:
        for row in range(table.num_rows):
            try:
                table.column(name)[row].as_py()
            except UnicodeDecodeError:
                fail("path", f"must hold UTF-8 text; column `{name}` does not at row {row}", source.path.name)
    fail("path", "must hold UTF-8 text", source.path.name, remedy="export it again")
