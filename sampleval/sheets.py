"""Tables for spreadsheets and back. A spreadsheet runs a cell that begins like a formula; here none does.

Such text leaves with an apostrophe before it and loses it again on the way in, so that a table comes back
as it went. CSV needs this; in a workbook cells are typed, but one may save it as CSV later.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import numpy as np
import pandas as pd

from sampleval._checks import fail, undamaged
from sampleval.pool.tables import MARKS, layout
from sampleval.pool.tables.sources import as_utf8

Format = Literal["csv", "xlsx"]
FORMULA = re.compile(r"^'*[=+\-@\t\r＝＋－＠]")
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST = 32_000  # a workbook's cell holds 32,767 characters
WIDEST = 60  # characters of a column
PICTURE = 120  # longer side of a picture in pixels
CONTENTS = "[Content_Types].xml"  # the part that every workbook has
LARGEST = 200_000_000  # bytes of a workbook's contents: a small file may hold a huge one

_LIMIT = Lock()


def neutralised(cell: object) -> object:
    """The cell as text that no spreadsheet runs; a number stays a number.

    >>> neutralised("=1+1"), neutralised("'-x"), neutralised(-2.5)
    ("'=1+1", "''-x", -2.5)
    """
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def restored(cell: object) -> object:
    """The cell as it was before `neutralised`.

    >>> restored("'=1+1"), restored("'tis"), restored("-1")
    ('=1+1', "'tis", '-1')
    """
    return cell[1:] if isinstance(cell, str) and cell.startswith("'") and FORMULA.match(cell) else cell


def safe(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with every text cell and column name neutralised, and whole numbers without a point."""
    names = [neutralised(str(name)) for name in frame.columns]
    cells = [
        _pointless(column) if pd.api.types.is_numeric_dtype(column) else column.map(neutralised)
        for _, column in frame.items()
    ]
    made = pd.concat(cells, axis=1) if cells else frame
    return made.set_axis(pd.Index(names, dtype=object), axis=1)


def _pointless(numbers: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers as such: beside a blank a column holds the year 2020 as 2020.0."""
    known = numbers.dropna()
    whole = numbers.dtype == np.float64 and ((known.abs() < 2.0**53) & (known == known.round())).all()
    return numbers.astype("Int64") if whole else numbers


def to_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV; with a byte order mark, without which Excel takes UTF-8 for something else."""
    # Bare, a name such as a;b;c would have semicolons taken for what parts the cells.
    puzzling = set(MARKS) & set("".join(map(str, frame.columns)))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if puzzling else csv.QUOTE_MINIMAL
    text = safe(frame).to_csv(index=False, quoting=quoting, lineterminator="\r\n").replace("\0", "\ufffd")
    return text.encode("utf-8-sig", "backslashreplace")


def to_xlsx(frame: pd.DataFrame, *, lists: Mapping[str, list[str]] | None = None) -> bytes:
    """The table as an Excel workbook; needs openpyxl (the extra `[app]`).

    Args:
        frame: The table; bytes are pictures and are shown as such.
        lists: Column → what may be entered there: a sheet of its own, and a list to choose from in the cells.
    """
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.active
    sheet.title = "items"
    table = safe(frame)
    for row in [list(table.columns), *table.itertuples(index=False)]:
        sheet.append([_cell(cell) for cell in row])
    for line in sheet.iter_rows():
        for cell in line:
            cell.font, cell.alignment = Font(bold=cell.row == 1), Alignment(wrap_text=True, vertical="top")
    for column, letter in zip(table.columns, _letters(table), strict=True):
        longest = max([len(str(column)), *(len(str(_cell(cell) or "")) for cell in table[column])])
        sheet.column_dimensions[letter].width = min(longest, WIDEST) + 2
        for line, cell in enumerate(table[column], 2):
            if isinstance(cell, bytes) and find_spec("PIL"):
                _show(sheet, cell, letter, line)
    sheet.freeze_panes = "A2"
    for column, options in (lists or {}).items():
        _offer(
            book, options, f"{column}s"[:31], _letters(frame)[list(frame.columns).index(column)], len(frame)
        )
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _letters(frame: pd.DataFrame) -> list[str]:
    from openpyxl.utils import get_column_letter

    return [get_column_letter(k) for k in range(1, len(frame.columns) + 1)]


def _offer(book: Any, options: list[str], name: str, letter: str, lines: int) -> None:
    """A sheet of what may be entered, and the list to choose from in the cells of a column."""
    from openpyxl.worksheet.datavalidation import DataValidation

    other = book.create_sheet(name)
    for option in options:
        other.append([_cell(neutralised(option))])
    place = f"'{name}'!$A$1:$A${len(options)}"
    chosen = DataValidation(type="list", formula1=place, allow_blank=True, showErrorMessage=False)
    chosen.add(f"{letter}2:{letter}{max(lines, 1) + 1}")
    book.worksheets[0].add_data_validation(chosen)


def _show(sheet: Any, content: bytes, letter: str, line: int) -> None:
    """A picture in its cell; bytes that are none are said so."""
    from openpyxl.drawing.image import Image
    from PIL.Image import DecompressionBombError

    try:
        picture = Image(io.BytesIO(content))
        scale = PICTURE / max(picture.width, picture.height)
        picture.width, picture.height = picture.width * scale, picture.height * scale
        sheet.add_image(picture, f"{letter}{line}")
        sheet.row_dimensions[line].height = 0.8 * PICTURE  # in points
        sheet.column_dimensions[letter].width = PICTURE / 6  # in characters
    except (OSError, ValueError, ZeroDivisionError, DecompressionBombError):
        sheet[f"{letter}{line}"] = "(a picture that cannot be shown here)"


def _cell(value: Any) -> Any:
    """What a workbook can hold: text without control characters and not too long, numbers, nothing."""
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return None
    if isinstance(value, bytes):
        return None
    if isinstance(value, bool | int | float):
        return value
    text = UNPRINTABLE.sub("\ufffd", value if isinstance(value, str) else str(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def from_file(source: str | Path | bytes) -> pd.DataFrame:
    """A table that was written here, or made by hand: every cell as text, "" where there is none.

    Its index counts lines as a spreadsheet does, from 1 and with the empty ones, which are left out; what
    parts the cells of a CSV file is its `attrs["separator"]`, for where that is a semicolon, 1,5 is a number.

    Args:
        source: A CSV (comma, semicolon or tab) or XLSX file, or its content.

    Raises:
        InputError: Neither of the two, not to be read, damaged, or a line with more cells than there are names.
    """
    content = source if isinstance(source, bytes) else _content(source)
    mark, rows = ("", _workbook(content)) if content.startswith(b"PK\x03\x04") else _lines(content)
    lines = {line: row for line, row in enumerate(rows, 1) if any(row)}
    if not lines:
        fail(
            "file",
            "must have a row of column names; it is empty",
            remedy="fill in the sheet that was exported",
        )
    names = [str(restored(cell)).strip() for cell in lines.pop(min(lines))]
    width = len(names)
    if mark:
        _rectangular(lines, width, mark)
    table = [[str(restored(cell)) for cell in [*row, *[""] * width][:width]] for row in lines.values()]
    named = [k for k, name in enumerate(names) if name]
    frame = pd.DataFrame(table, index=list(lines), columns=range(width), dtype=object)[named]
    frame = frame.set_axis(pd.Index([names[k] for k in named], dtype=object), axis=1)
    frame.attrs["separator"] = mark
    return frame


def _rectangular(lines: Mapping[int, list[str]], width: int, mark: str) -> None:
    """Refuse a line of more cells than names, the last of them empty or not: a bare 1,5 may have cut its answer."""
    for line, row in lines.items():
        if len(row) > width:
            rule = f"must have a cell for each of its {width} names; line {line} has {len(row)}"
            remedy = f"put a cell that holds {mark!r} in quotation marks, or save the sheet as .xlsx"
            fail("file", rule, remedy=remedy)


def _content(source: object) -> bytes:
    if not isinstance(source, str | Path):
        fail("file", "must be the path of a sheet, or its content", type(source).__name__)
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:  # a NUL in a path is no value
        reason = error.strerror if isinstance(error, OSError) else error
        fail("file", f"must be a readable file: {reason}", str(source))


def _lines(content: bytes) -> tuple[str, list[list[str]]]:
    """What parts the cells of a CSV file, and the cells."""
    try:
        content = as_utf8(content)
        text = content.decode()
    except UnicodeDecodeError as error:
        rule = f"must be UTF-8 text or an Excel workbook; byte {error.start} is neither"
        fail("file", rule, remedy='save it as "CSV UTF-8" or as .xlsx')
    if "\0" in text:
        fail("file", "must be CSV or an Excel workbook; it holds NUL", remedy="is it another kind of file?")
    found = layout(content)
    found = replace(found, mark=_mark(found.data) or found.mark)
    above = found.line - 1
    rows: list[list[str]] = [[]] * above
    reader = csv.reader(io.StringIO(found.data.decode(), newline=""), delimiter=found.mark, strict=True)
    begin = found.line
    try:
        with _cells_of(len(text)):
            for row in reader:
                rows.append(row)
                begin = above + reader.line_num + 1
    except csv.Error as error:
        rule = f"must be readable as CSV; a quotation mark in line {begin} opens a cell that does not end well ({error})"
        fail("file", rule, remedy="delete the mark, or save the sheet as .xlsx")
    return found.mark, rows


def _mark(data: bytes) -> str:
    """What parts the cells of an answer sheet, "" if it is none: names may hold more of another mark than there are cells."""
    head = data[: 1 << 16].decode("utf-8", "replace").splitlines()[:1]
    return next((mark for mark in MARKS if _of_answers(csv.reader(head, delimiter=mark))), "")


def _of_answers(rows: Iterable[list[str]]) -> bool:
    """Whether the names in the first row that has any are those of a sheet of answers."""
    return {"id", "answer"} <= {name.strip().lower() for name in next(filter(any, rows), [])}


@contextmanager
def _cells_of(size: int) -> Iterator[None]:
    """Let csv read cells of so many characters; its limit holds for the whole process, and sheets may be read in threads."""
    with _LIMIT:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(size, usual))
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def _workbook(content: bytes) -> list[list[str]]:
    """The cells of the first sheet of answers as text, or of the first sheet if there is none."""
    from openpyxl import load_workbook

    with undamaged("Excel workbook", remedy="save it anew"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if CONTENTS not in archive.namelist():
                rule = "must be an undamaged Excel workbook, or CSV; it is an archive of something else"
                fail("file", rule, remedy="give the sheet with the answers; a study's own file holds none")
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                fail("file", "is too large for a sheet of answers", remedy="save it as CSV")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        tables = (
            [[as_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
            for sheet in book.worksheets
        )
        first = next(tables)
        return next(filter(_of_answers, chain([first], tables)), first)


def as_text(cell: Any) -> str:
    """What a cell says; whole numbers without the point that workbooks and half-filled columns give them.

    >>> as_text(1.0), as_text(0.5), as_text(" a"), as_text(float("nan"))
    ('1', '0.5', ' a', '')
    """
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return ""
    return str(int(cell)) if isinstance(cell, float | np.floating) and cell.is_integer() else str(cell)
