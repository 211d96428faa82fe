"""Read Excel workbooks: all sheets as rows of cells, or the first sheet with a table as columns."""

from __future__ import annotations

import datetime as dt
import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import zip_longest
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa

from sampleval._checks import fail, undamaged
from sampleval.pool.columns import Told, strings, wanted
from sampleval.pool.naming import OUTPUTS, column_role, in_two_lines
from sampleval.pool.tables.bounds import narrow
from sampleval.pool.tables.grid import header, named_once, ragged, understood, untitled
from sampleval.pool.tables.notes import LINE, SHEET
from sampleval.pool.tables.sources import BLOCK, Source, no_rows

PART = "[Content_Types].xml"  # the part that every workbook has
OPEN = b"opendocument.spreadsheet"  # in the kind that an .ods file says it is of
LARGEST = 200_000_000  # bytes of a workbook's unpacked content: a small file may unpack to a huge one
MOST = 4_000_000  # cells and rows together, including empty ones
FORMATS = 200_000  # cell formats; Excel allows a third of that
_MANY = re.compile(rb"<(?:\w+:)?(c|si|xf)[\s/>]")
# A format that shows 12 as 0012, like the text of a postcode. A longer one could fill the memory with zeros.
_ZEROS = re.compile("0{2,30}")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook.

    Attributes:
        name: The name on its tab.
        rows: Cells of any type, `None` for empty ones; rows may have different lengths.
        alone: Whether the workbook has no other sheet.
        hidden: Whether people do not see it.
    """

    name: str
    rows: list[list[Any]]
    alone: bool
    hidden: bool = False


def sheets(content: bytes, name: str = "file", place: str = "") -> Iterator[Sheet]:
    """The sheets of a workbook, one after the other, visible ones first.

    Args:
        content: The file's content.
        name: The argument that named it.
        place: The file, if messages must name it.

    Raises:
        InputError: The content is no workbook, is damaged, or exceeds the limits on bytes, cells or formats.
    """
    from openpyxl import load_workbook

    got: dict[str, Any] = {"value": place} if place else {}
    refuse = partial(fail, name, **got)
    with undamaged("Excel workbook", remedy="save it anew", name=name, place=place):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if PART not in archive.namelist():
                if OPEN in _kind(archive):
                    refuse(
                        rule="must be an Excel workbook or text; it is an OpenDocument table (.ods)",
                        remedy="save it as .xlsx or .csv",
                    )
                rule = "must be an undamaged Excel workbook; it is an archive of something else"
                refuse(
                    rule=rule,
                    remedy="save a .numbers table as .xlsx or .csv. A study's own file holds no table",
                )
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                refuse(rule="is too large for a workbook", remedy="save it as CSV")
            _bounded(archive, refuse)
        with _quiet():
            found = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
        if not found:
            refuse(rule="must hold a sheet with cells", remedy="does it hold charts alone?")
        for sheet in sorted(found, key=lambda sheet: sheet.sheet_state != "visible"):
            with _quiet():
                rows = list(_rows(sheet, refuse))
            yield Sheet(sheet.title, rows, len(found) == 1, sheet.sheet_state != "visible")


def _kind(archive: zipfile.ZipFile) -> bytes:
    """What an archive says of its kind, as OpenDocument files do in their first part; empty if it does not."""
    if "mimetype" not in archive.namelist():
        return b""
    with archive.open("mimetype") as part:
        return part.read(100)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep openpyxl from warning that it leaves out what is no cell, such as the choices that Excel offers in one."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="openpyxl")
        yield


def _bounded(archive: zipfile.ZipFile, refuse: Callable[..., NoReturn]) -> None:
    """Refuse parts with more cells, texts or formats than can be read in reasonable time.

    openpyxl keeps each row, and texts and formats as a whole, in memory.
    """
    for member in archive.infolist():
        found = Counter[bytes]()
        with archive.open(member) as part:
            while block := part.read(BLOCK):
                found.update(_MANY.findall(block))
        if max(found[b"c"], found[b"si"]) > MOST:
            _too_many(refuse)
        if found[b"xf"] > FORMATS:
            rule = f"must have at most {FORMATS:,} formats of cells; it has {found[b'xf']:,}"
            refuse(rule=rule, remedy="copy the table's values alone into a new workbook, or save it as CSV")


def _too_many(refuse: Callable[..., NoReturn]) -> NoReturn:
    remedy = "delete what stands far from the table, or save it as CSV"
    refuse(rule=f"must be a sheet of at most {MOST:,} cells, empty ones too", remedy=remedy)


def _rows(sheet: Any, refuse: Callable[..., NoReturn]) -> Iterator[list[Any]]:
    """A sheet's cells, row by row; too many are refused.

    A single stray cell in the last corner would make a sheet of seventeen billion cells.
    """
    sheet.reset_dimensions()  # a file may state a smaller extent than it has, and rows would be lost
    left = MOST
    for row in sheet.iter_rows():
        left -= 1 + len(row)
        if left < 0:
            _too_many(refuse)
        yield [_as_seen(cell) for cell in row]


def _as_seen(cell: Any) -> Any:
    """A cell's value, as text where its format fills a whole number up with zeros that people see and CSV keeps."""
    value = cell.value
    if type(value) in (int, float) and value >= 0 and value % 1 == 0:  # some programs write 12 as 12.0
        with suppress(IndexError):  # a cell may name a format that its workbook does not have
            shown = cell.number_format
            return as_text(value).zfill(len(shown)) if _ZEROS.fullmatch(shown) else value
    return value


def read_workbook(source: Source, told: Told) -> pa.Table:
    """The first sheet with a table, as text and as numbers where no digit is lost, like a CSV file."""
    with source.open() as stream:
        found = sheets(stream.read(), "path", source.path.name)
    tables = ((sheet, [_cut(row) for row in sheet.rows]) for sheet in found)
    one = _chosen((table for table in tables if sum(map(bool, table[1])) > 1), told)
    if one is None:
        no_rows(source)
    sheet, rows, why = one
    head = next(k for k, row in enumerate(rows) if row)
    record, rows = rows[head], rows[head + 1 :]
    while not rows[-1]:
        rows.pop()
    for line, row in enumerate(rows, head + 2):
        if len(row) > len(record):
            beside = in_two_lines(record, rows[0]) or "delete what stands beside the table"
            remedy = untitled(head + 1) if len(record) == 1 else beside
            ragged(record, line, len(row), row[-1], source, remedy)
    narrow(len(record), source)
    names = header(record)
    columns = dict(zip(names, zip_longest(record, *rows, fillvalue=""), strict=True))
    texts = pa.table({name: _column(columns[name][1:]) for name in wanted(names, told)})
    named_once(texts, names, record, lambda row: head + 1 + row, source)
    notes = {LINE: head + 1, SHEET: [] if sheet.alone else [sheet.name, why]}
    return understood(texts, names, told, "\t", notes)


def _chosen(
    tables: Iterator[tuple[Sheet, list[list[str]]]], told: Told
) -> tuple[Sheet, list[list[str]], str] | None:
    """The first sheet, its rows, and why it: or, if it names no score or prediction, a longer one that does."""
    first = next(tables, None)
    if first is None:
        return None
    if not _names_output(first[1], told):
        fitting = (one for one in tables if len(one[1]) > len(first[1]) and _names_output(one[1], told))
        if better := next(fitting, None):
            return *better, "the first that names a score or a prediction"
    return *first, "the first with a table"


def _names_output(rows: list[list[str]], told: Told) -> bool:
    """Whether the first row that is not empty names a column of what a system says, as a sentence alone does not."""
    named = strings([told.score, told.pred])
    cells = [cell.strip() for cell in next(filter(None, rows))]
    roles = [(cell, *column_role(cell)) for cell in cells]
    return any(
        cell in named or (role in OUTPUTS and (len(cells) > 1 or not about)) for cell, role, about in roles
    )


def _cut(row: list[Any]) -> list[str]:
    """The row as text, without the empty cells at its end."""
    texts = [as_text(cell) for cell in row]
    last = max((k for k, text in enumerate(texts) if text.strip()), default=-1)
    return texts[: last + 1]


def _column(cells: Sequence[str]) -> pa.ChunkedArray:
    """The cells as a column of text, in which empty cells are missing."""
    return pa.chunked_array([pa.array([cell or None for cell in cells], pa.large_string())])


def as_text(cell: Any) -> str:
    """A cell as text, with whole numbers without decimals and days without an hour.

    Workbooks and columns with missing cells hold whole numbers as 1.0. Of huge ones the digits that Excel keeps are followed
    by zeros, as Excel shows them, not by those of the nearest number in double precision.

    >>> as_text(1.0), as_text(0.5), as_text(" a"), as_text(float("nan"))
    ('1', '0.5', ' a', '')
    >>> as_text(1.23456789012345e+17)
    '123456789012345000'
    >>> as_text(dt.datetime(2024, 5, 1)), as_text(dt.datetime(2024, 5, 1, 12))
    ('2024-05-01', '2024-05-01 12:00:00')
    """
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return ""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return str(cell.date())
    whole = isinstance(cell, float | np.floating) and cell.is_integer()
    return str(int(Decimal(str(cell)))) if whole else str(cell)
