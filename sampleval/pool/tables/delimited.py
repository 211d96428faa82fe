"""Delimited text to tables: CSV and TSV, with what spreadsheets do to them."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from sampleval import _checks
from sampleval._checks import fail
from sampleval.numerals import many
from sampleval.pool.columns import Told, strings, wanted
from sampleval.pool.guessing.identity import guess_id, possible_ids
from sampleval.pool.naming import role_of
from sampleval.pool.tables.bounds import narrow
from sampleval.pool.tables.encoding import GUESS, decoded
from sampleval.pool.tables.places import LINE
from sampleval.pool.tables.quotes import closed, line_of
from sampleval.pool.tables.sources import BLOCK, Source, bad_encoding, no_rows
from sampleval.pool.tables.spelling import (
    decimal_commas,
    grouped,
    holds,
    pointed,
    spelt_classes,
    thousands,
    typed,
)

HEAD = 1 << 20  # bytes that the column names may take
POINTS = "sampleval.points"  # in a table's metadata: columns whose points may part thousands
MARKS = ",;\t|"
# Before the names: blank lines, and the `sep=;` that tells Excel the separator.
_PREAMBLE = re.compile(
    rb'(?:[ \t]*(?:\r\n?|\n))*(?:"?sep=(?P<mark>[^\r\n"])"?[ \t]*(?:\r\n?|\n))?(?:[ \t]*(?:\r\n?|\n))*',
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A file's text from the column names on.

    Attributes:
        data: The text.
        mark: What separates cells.
        line: The file's line with the column names, from 1.
    """

    data: bytes
    mark: str
    line: int

    def line_of(self, row: int) -> int:
        """The file's line on which a row begins, counted from 0 for the column names."""
        return line_of(self.data, self.mark, row, line=self.line)


def read_delimited(source: Source, told: Told) -> pa.Table:
    """The file as a table of text and, where no digit is lost, numbers; ids stay as written.

    Args:
        source: The file.
        told: What is known of the columns.
    """
    with source.open() as stream:
        text = decoded(stream.read())
    if text is None:
        bad_encoding(source)
    found = layout(text.data, "\t" if source.form == "TSV" else "")
    record = _first_record(found, source)
    if not re.search(rb"[\r\n]", found.data):
        no_rows(source)
    closed(found.data, found.mark, len(record), line=found.line, name=source.path.name)
    narrow(len(record), source)
    names = _header(record)
    table = _texts(found, names, wanted(names, told), source)
    _named_once(table, {name: cell for name, cell in zip(names, record, strict=True) if cell}, found, source)
    ids = _ids(table, told)
    columns = dict(zip(table.column_names, table.columns, strict=True))
    rest = {name: cells for name, cells in columns.items() if name not in ids}
    apart = {name: form for name, cells in rest.items() if (form := grouped(cells))}
    decimal = {name for name, (_, point) in apart.items() if point == ","}
    decimal |= {name for name, cells in rest.items() if found.mark != "," and decimal_commas(cells)}
    # Without a decimal comma it is the separator that tells of a country whose points part thousands.
    foreign = found.mark == ";" and not any(map(pointed, rest.values()))
    points = [
        name
        for name in rest.keys() - decimal
        if (decimal or foreign) and thousands(rest[name], mixed=not decimal)
    ]
    classes = spelt_classes(names, told)
    for name, cells in rest.items():
        whole = pc.replace_substring_regex(cells, apart[name][0], "") if name in apart else cells
        plain = pc.replace_substring(whole, ",", ".") if name in decimal else whole
        kind = "amount" if name in decimal | apart.keys() else holds(name, names, told)
        columns[name] = typed(plain, kind, classes)
    said = {POINTS: sorted(points), LINE: found.line, GUESS: text.guess}
    return pa.table(columns, metadata={name: json.dumps(value) for name, value in said.items()})


def layout(data: bytes, mark: str = "") -> Layout:
    """The text without what stands before the column names, and its separator: told, or the most frequent in their line.

    Args:
        data: The text, UTF-8, with byte order marks or without.
        mark: What separates cells, if that is known.

    >>> layout(b'id,"a; b; c"').mark, layout(b"id;a").mark
    (',', ';')
    """
    while data.startswith(codecs.BOM_UTF8):  # programs that append to each other's output write several
        data = data.removeprefix(codecs.BOM_UTF8)
    before = _PREAMBLE.match(data)
    skipped = before.end() if before else 0
    line = 1 + data.count(b"\n" if b"\n" in data else b"\r", 0, skipped)
    data = data[skipped:] if skipped else data
    told = before["mark"] if before else None
    if mark:
        return Layout(data, mark, line)
    if told and told.isascii():
        return Layout(data, told.decode(), line)
    first = re.split(rb"[\r\n]", re.sub(rb'"[^"]*"', b"", data[:HEAD]), maxsplit=1)[0]
    return Layout(data, max(MARKS, key=lambda mark: first.count(mark.encode())), line)


def _first_record(found: Layout, source: Source) -> list[str]:
    """The cells of the first record, as they are."""
    head = found.data[:HEAD]
    text = head.decode("utf-8", "replace")
    if len(head) == HEAD and "\n" not in text and "\r" not in text:
        rule = f"must have a first line with column names; the first {HEAD:,} bytes hold no end of a line"
        fail("path", rule, source.path.name, remedy="is it the right file?")
    if "\0" in text.split("\n", 1)[0]:
        remedy = 'save it as "CSV UTF-8", if it is no damaged file'
        fail("path", "must be UTF-8 text; its first line holds NUL", source.path.name, remedy=remedy)
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=found.mark), [])


def _header(record: list[str]) -> list[str]:
    """Column names from the first record; an unnamed first column is the row index."""
    names = [name.strip() for name in record]
    names = [
        name or ("index" if k == 0 and "index" not in names else f"unnamed_{k}")
        for k, name in enumerate(names)
    ]
    _checks.distinct_names(names, "path")
    return names


def _texts(found: Layout, names: list[str], keep: list[str], source: Source) -> pa.Table:
    """These columns as text; only an empty cell is missing, for `None` and `NA` may be names."""
    options: dict[str, Any] = {
        "read_options": pa.csv.ReadOptions(
            use_threads=False, block_size=BLOCK, column_names=names, skip_rows_after_names=1
        ),
        "parse_options": pa.csv.ParseOptions(delimiter=found.mark, newlines_in_values=True),
        "convert_options": pa.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()),
            include_columns=keep,
            strings_can_be_null=True,
            null_values=[""],
        ),
    }
    try:
        return pa.csv.read_csv(pa.BufferReader(found.data), **options)
    except pa.ArrowInvalid as error:
        _ragged(found, names, source, str(error))
        raise


def _ragged(found: Layout, names: list[str], source: Source, reason: str) -> None:
    """Refuse rows of different lengths, if that is the reader's complaint."""
    said = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)(?:: (.*))?", reason, re.DOTALL)
    if not said:
        return
    row, expected, cells, text = said.groups(default="")
    rule = f"must have {many(int(expected), 'cell')} in every row; line {found.line_of(int(row) - 1)} has {cells}"
    remedy = f"quote cells that hold the separator or a line break ({source.path.name})"
    if len(names) == 1 and not role_of(names[0])[0]:
        remedy = f"line {found.line} should name the columns: remove what stands above their names ({source.path.name})"
    fail("path", rule, text, remedy=remedy)


def _named_once(table: pa.Table, names: dict[str, str], found: Layout, source: Source) -> None:
    """Refuse a row that repeats the column names, as files written one after the other into one hold it.

    Args:
        table: Cells as text.
        names: Columns and what the file calls them.
        found: The file's text.
        source: The file.
    """
    same = [pc.equal(table[name], names[name]) for name in table.column_names if name in names]
    row = pc.index(reduce(pc.and_, same), True).as_py() if same else -1
    if row >= 0:
        line = found.line_of(row + 1)
        rule = f"must name its columns once; line {line} repeats the names"
        fail("path", rule, source.path.name, remedy=f"delete line {line}")


def _ids(table: pa.Table, told: Told) -> set[str]:
    """The columns that are, or could be, the id: they stay as written."""
    if told.id is not None:
        return {told.id}
    sounding = [name for name in table.column_names if role_of(name)[0] in ("id", "weak id")]
    frame = table.select(sounding or table.column_names[:1]).to_pandas()
    taken = strings([told.score, told.pred, told.label, told.error])
    item = guess_id(frame, taken)
    return {item} if item else set(possible_ids(frame, taken))
