"""Files to read: their format by name, their actual content, and refusals in clear words."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa

from sampleval import _checks
from sampleval._checks import fail, shown
from sampleval.pool.tables.encoding import as_utf8, utf_16

BLOCK = 1 << 24  # bytes that Arrow reads at a time

SUFFIXES = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tab": "TSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".json": "JSON",
    ".jsonl": "JSON",
    ".ndjson": "JSON",
    ".xlsx": "Excel",
    ".xlsm": "Excel",
}
TABLES = (".ods", ".fods", ".xls", ".xlsb", ".numbers")  # of spreadsheets, which save them otherwise too
ENDINGS = {"Parquet": ".parquet", "JSON": ".json"}
ARCHIVE = "a zip archive or an Excel workbook"
OLD = "an old Excel workbook, or one with a password"
CONTENTS = {"CSV": "", "TSV": "", "Excel": ARCHIVE, "Parquet": "Parquet", "JSON": "JSON"}  # by format
*_BEFORE, _LAST = CONTENTS
FORMATS = f"{', '.join(_BEFORE)} or {_LAST}"  # in words
PACKED = ("gzip", "bzip2", "xz", "lzma", "LZ4", "compress (.Z)", "Zstandard", "7-Zip", "RAR")
_MAGIC = (
    (b"PAR1", "Parquet"),
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", ARCHIVE),
    *((b"BZh%d1AY&SY" % level, "bzip2") for level in range(1, 10)),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"\x5d\0\0", "lzma"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"\x1f\x9d", "compress (.Z)"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\xd0\xcf\x11\xe0", OLD),
    (b"%PDF", "PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "an SQLite database"),
    (b"ARROW1", "Arrow IPC (Feather)"),
    (b"<!DOCTYPE", "HTML"),
    (b"<html", "HTML"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read.

    Attributes:
        path: The file.
        form: Its format by name.
        gzipped: Whether its content is gzipped.
        lines: Its content as one record per line, if it is written otherwise.
    """

    path: Path
    form: str
    gzipped: bool
    lines: bytes | None = None

    def head(self, size: int = 1 << 16) -> bytes:
        """The first `size` bytes of the content."""
        with self.open() as stream:
            return bytes(stream.read(size))

    def begins(self, *signs: bytes) -> bool:
        """Whether the first sign of the content is one of these."""
        return self.head().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(signs)

    def raw(self) -> Any:
        """A stream of the file's bytes, unpacked if it is gzipped."""
        return gzip.open(self.path, "rb") if self.gzipped else self.path.open("rb")

    def open(self) -> Any:
        """A stream of the content, unpacked. UTF-16, in which Excel saves "Unicode text", is turned into UTF-8."""
        if self.lines is not None:
            return io.BytesIO(self.lines)
        stream = self.raw()
        if self.form == "Parquet" or not utf_16(stream.peek(4)[:4]):
            return stream
        with stream:
            return io.BytesIO(as_utf8(stream.read()))


def find_source(path: object) -> Source:
    """The file at a path, if it exists and its name ends in a known way; otherwise it is refused."""
    file = _checks.path(path)
    if file.is_dir() or not file.exists():
        what = "is a folder" if file.is_dir() else "does not exist"
        remedy = "check the spelling and the folder"
        if "://" in str(path):
            remedy = "nothing is downloaded: save it as a file first"
        fail("path", f"must name a file; this {what}", str(path), remedy=remedy)
    if not file.is_file():
        rule = "must name a file; this is a pipe or a device"
        fail("path", rule, str(file), remedy="write what it holds to a file first")
    suffixes = [suffix.lower() for suffix in file.suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    form = SUFFIXES.get(suffixes[-1] if suffixes else "")
    if form is None:
        rule = f"must end in one of {', '.join(SUFFIXES)} (or .gz after it)"
        tables = suffixes and suffixes[-1] in TABLES
        fail(
            "path", rule, file.name, remedy="save it as .xlsx or .csv" if tables else "export to one of these"
        )
    try:
        with file.open("rb") as stream:
            gzipped = stream.read(2) == b"\x1f\x8b"
    except OSError as error:
        fail("path", f"must be readable: {error.strerror}", str(file))
    return Source(file, form, gzipped)


def right_format(source: Source) -> None:
    """Refuse an empty file, and one whose content does not have the format that its name says."""
    head = source.head()
    if not head.strip():
        fail("path", "must hold data; the file is empty", source.path.name, remedy="check the export")
    found = next((form for magic, form in _MAGIC if head.startswith(magic)), "")
    if not found and source.begins(b"{", b"["):
        found = "JSON"
    if found != CONTENTS[source.form]:
        _misnamed(source, found)


def _misnamed(source: Source, found: str) -> NoReturn:
    if found in PACKED:
        remedy = "unpack it first"
    elif found == OLD:
        remedy = "save it as .xlsx, without a password"
    elif ending := ENDINGS.get(found):
        remedy = f"rename it to end in {ending}"
    else:
        remedy = f"export it as {source.form}"
    held = found or "something else, perhaps CSV"
    rule = f"must hold what its name says, {source.form}; it holds {held}"
    fail("path", rule, source.path.name, remedy=remedy)


def no_rows(source: Source) -> NoReturn:
    """Refuse a file without rows below its column names."""
    fail("path", "must hold at least one row of data", source.path.name, remedy="check the export")


def unreadable(source: Source, error: Exception) -> NoReturn:
    """Raise a reader's error as an `InputError`, with the line if the reader names a row."""
    if isinstance(error, UnicodeDecodeError) or "invalid UTF8" in str(error):
        bad_encoding(source)
    if isinstance(error, MemoryError):
        remedy = "leave out columns that nobody needs to see, or free some memory"
        fail("path", "must fit into the memory of this machine", source.path.name, remedy=remedy)
    reason = " ".join(str(error).split()) or type(error).__name__
    row = re.search(r" in row (\d+)", reason)
    where = " is damaged or cut short"
    if row:
        where = f" breaks at {'line' if source.lines is None else 'record'} {_line_of(source, int(row[1]))}"
    if "document is empty" in reason:
        where = " has something else between two objects, perhaps a comma at the end of a line"
    rule = f"must be a readable {source.form} file; this one{where} ({shown(_plainly(reason), 160)[1:-1]})"
    remedy = "export it again"
    if source.form == "JSON":
        remedy = "one JSON object per line or in a list, each field of one type"
    fail("path", rule, source.path.name, remedy=remedy)


def _line_of(source: Source, row: int) -> int:
    """The line, from 1, of a row, from 0. Blank lines are not rows."""
    with source.open() as stream:
        lines = (number for number, line in enumerate(stream, 1) if line.strip())
        return next(islice(lines, row, None), row + 1)


def _plainly(reason: str) -> str:
    """A reader's message in plainer words, for the messages that are frequent."""
    reason = re.sub(r" in row \d+$", "", reason.replace("JSON parse error: ", ""))
    reason = re.sub(r"Column\(/([^)]*)\)", r"field `\1`", reason).replace("Column()", "the line")
    if "straddles two block boundaries" in reason:
        return f"a row is longer than {BLOCK >> 20} MB, or never ends"
    return re.sub(r"Couldn't deserialize thrift: ?", "bad header: ", reason)


def bad_encoding(source: Source) -> NoReturn:
    """Refuse a file that is not UTF-8, and name the line of the first wrong byte."""
    where = ""
    with suppress(OSError, EOFError, zlib.error, UnicodeDecodeError), source.open() as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                where = f" (line {number}, byte {line[error.start]:#04x})"
                break
    remedy = 'save it as "CSV UTF-8", if it is no damaged file'
    fail("path", f"must be UTF-8 text{where}", source.path.name, remedy=remedy)


def bad_text(table: pa.Table, source: Source) -> NoReturn:
    """Refuse a table with text that is not UTF-8, and name the first such cell."""
    for name in table.column_names:
        for row in range(table.num_rows):
            try:
                table.column(name)[row].as_py()
            except UnicodeDecodeError:
                fail("path", f"must hold UTF-8 text; column `{name}` does not at row {row}", source.path.name)
    fail("path", "must hold UTF-8 text", source.path.name, remedy="export it again")
