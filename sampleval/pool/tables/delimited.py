"""Read delimited text (CSV and TSV) into tables, including the variants that spreadsheets write."""

from __future__ import annotations

import codecs
import csv
import io
import re
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.csv

from sampleval._checks import fail
from sampleval.pool.columns import Told, strings, wanted
from sampleval.pool.naming import column_role, role_of
from sampleval.pool.tables.bounds import narrow
from sampleval.pool.tables.encoding import decoded
from sampleval.pool.tables.grid import header, named_once, ragged, understood, untitled
from sampleval.pool.tables.notes import GUESS, LINE
from sampleval.pool.tables.quotes import closed, line_end, line_of, unspaced
from sampleval.pool.tables.sources import BLOCK, Source, bad_encoding, no_rows

HEAD = 1 << 20  # bytes that the column names may take
SEPARATORS = ",;\t|"
# What may stand before the column names: marks of the byte order, several if programs append to each other's output,
# blank lines, and the `sep=;` that tells Excel the separator.
_PREAMBLE = re.compile(
    rb"(?:%s)*+" % codecs.BOM_UTF8
    + rb'(?:[ \t]*(?:\r\n?|\n))*(?:"?sep=(?P<separator>[^\r\n"])"?[ \t]*(?:\r\n?|\n))?(?:[ \t]*(?:\r\n?|\n))*',
    re.IGNORECASE,
)
_END = re.compile(rb"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Layout:
    """A file's text from the column names on.

    Attributes:
        data: The text.
        separator: The separator of cells.
        line: The file's line with the column names, counted from 1.
    """

    data: bytes
    separator: str
    line: int

    def line_of(self, row: int) -> int:
        """The file's line, from 1, on which a row begins. Rows are counted from 0, which is that of the column names."""
        return line_of(self.data, self.separator, row, line=self.line)


def read_delimited(source: Source, told: Told) -> pa.Table:
    """The file as a table of text and of numbers where no digit is lost. Ids stay as written."""
    with source.open() as stream:
        text = decoded(stream.read())
    if text is None:
        bad_encoding(source)
    found = layout(text.data, "\t" if source.form == "TSV" else "")
    record = _first_record(found, source)
    if not re.search(rb"[\r\n]", found.data):
        no_rows(source)
    closed(found.data, found.separator, len(record), line=found.line, name=source.path.name)
    narrow(len(record), source)
    names = header(record)
    if not _may_be_blank(names, told):
        found = replace(found, data=filled(found.data, found.separator))
    texts = _texts(found, record, names, wanted(names, told), source)
    named_once(texts, names, record, found.line_of, source)
    return understood(texts, names, told, found.separator, {LINE: found.line, GUESS: text.guess})


def layout(data: bytes, separator: str = "") -> Layout:
    """The text from the column names on, and its separator: as given here or in a `sep=` line, else the most frequent.

    >>> layout(b'id,"a; b; c"').separator, layout(b"id;a").separator
    (',', ';')
    """
    before = _PREAMBLE.match(data)
    assert before is not None  # all of it may be missing
    line = 1 + data.count(line_end(data), 0, before.end())
    data, told = data[before.end() :], before["separator"]
    if not separator and told and told.isascii():
        separator = told.decode()
    if not separator:
        first = re.split(rb"[\r\n]", re.sub(rb'"[^"]*"', b"", data[:HEAD]), maxsplit=1)[0]
        separator = max(SEPARATORS, key=lambda each: first.count(each.encode()))
    return Layout(unspaced(data, separator), separator, line)


def filled(data: bytes, separator: str) -> bytes:
    r"""The text up to its last line that is not empty. Spreadsheets keep rows that were emptied, as `,,,`.

    Not for a table in which such a row may be an item (`_may_be_blank`).

    >>> filled(b"id,score\na,\n,\n , \n", ",")
    b'id,score\na,\n'
    """
    end = _END.search(data, len(data.rstrip(separator.encode() + b" \t\r\n")))
    return data[: end.end()] if end else data


def _may_be_blank(names: list[str], told: Told) -> bool:
    """Whether a row of empty cells may be an item: one without any label, in a table of decisions and labels alone."""
    sets = strings([told.pred, told.label])
    return all(name in sets or column_role(name)[0] in ("pred", "label") for name in names)


def _first_record(found: Layout, source: Source) -> list[str]:
    """The cells of the first record, unchanged."""
    head = found.data[:HEAD]
    text = head.decode("utf-8", "replace")
    if len(head) == HEAD and "\n" not in text and "\r" not in text:
        rule = f"must have a first line with column names; the first {HEAD:,} bytes hold no end of a line"
        fail("path", rule, source.path.name, remedy="is it the right file?")
    if "\0" in text.split("\n", 1)[0]:
        remedy = 'save it as "CSV UTF-8", if it is no damaged file'
        fail("path", "must be UTF-8 text; its first line holds NUL", source.path.name, remedy=remedy)
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=found.separator), [])


def _texts(found: Layout, record: list[str], names: list[str], keep: list[str], source: Source) -> pa.Table:
    """The columns to keep, as text. Only empty cells are missing, since `None` and `NA` may be names."""
    options: dict[str, Any] = {
        "read_options": pa.csv.ReadOptions(
            use_threads=False, block_size=BLOCK, column_names=names, skip_rows_after_names=1
        ),
        "parse_options": pa.csv.ParseOptions(delimiter=found.separator, newlines_in_values=True),
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
        _ragged(found, record, source, str(error))
        raise


def _ragged(found: Layout, record: list[str], source: Source, reason: str) -> None:
    """Refuse rows of different lengths, if the reader's message is about them."""
    said = re.search(r"Row #(\d+): Expected \d+ columns, got (\d+)(?:: (.*))?", reason, re.DOTALL)
    if said:
        row, cells, text = said.groups(default="")
        line = found.line_of(int(row) - 1)
        remedy = "quote cells that hold the separator or a line break"
        signs = (len(record) == 1, not _plays(record), _plays(text.split(found.separator)))
        if sum(signs) > 1:  # a title such as "Scores in May" seems to name a role
            remedy = untitled(found.line)
        elif int(cells) == 1 < len(record) and _ends_at(found, line):
            remedy = f"if the table ends above line {line}, delete the rest"
        elif int(cells) < len(record):
            remedy = f"complete or delete line {line}, and quote cells that hold a line break"
        elif int(cells) == len(record) + 1 > 2 == int(row):
            remedy = f"if every row has one more, name it in line {found.line} too; else {remedy}"
        ragged(record, line, int(cells), text, source, remedy)


def _plays(cells: list[str]) -> bool:
    """Whether one of these cells names a column that plays a role."""
    return any(role_of(cell.strip())[0] for cell in cells)


def _ends_at(found: Layout, line: int) -> bool:
    """Whether the table ends above a line of the file: no separator follows, as below a line `(60 rows affected)`."""
    rest = found.data.split(line_end(found.data), line - found.line)[-1]
    return found.separator.encode() not in rest
