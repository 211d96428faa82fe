"""Read tables from CSV files and workbooks as spreadsheets save them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd

from sampleval._checks import fail, listed, shown
from sampleval.pool.tables import workbooks
from sampleval.pool.tables.delimited import SEPARATORS, filled, layout
from sampleval.pool.tables.encoding import decoded
from sampleval.pool.tables.workbooks import as_text
from sampleval.sheets.formula_guard import restored
from sampleval.sheets.records import from_json

_LIMIT = Lock()


def from_file(source: str | Path | bytes) -> pd.DataFrame:
    """The table in a file, with text cells and "" for empty ones. Only a workbook's cells may be of other types.

    Its index has line numbers as a spreadsheet counts them: from 1 and including empty lines, which are left out.
    `attrs["separator"]` is the separator of a CSV file. If it is a semicolon, 1,5 is a number. `attrs["nameless"]` has the
    cells of columns without a name by their letter, but not those of the first, which may be a saved index.

    Args:
        source: A CSV (comma, semicolon or tab), XLSX, JSON or JSONL file, or its content.

    Raises:
        InputError: The file has another format, cannot be read or is damaged, a line has more cells than names, the names
            of a sheet of answers are not in its first line, or two sheets of a workbook hold answers.
    """
    content = source if isinstance(source, bytes) else _content(source)
    if content.startswith(b"PK\x03\x04"):
        separator, rows = "", _workbook(content)
    else:
        text = _text(content)
        if text.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
            return from_json(text.decode("utf-8-sig"))
        separator, rows = _lines(text)
    lines = {line: row for line, row in enumerate(rows, 1) if any(map(as_text, row))}
    heads = _heads(lines)
    if not lines:
        fail(
            "file",
            "must have a row of column names; it is empty",
            remedy="fill in the sheet that was exported",
        )
    names = [str(restored(as_text(cell))).strip() for cell in lines.pop(min(lines))]
    lines = {line: row for line, row in lines.items() if line not in heads}  # of sheets below each other
    width = len(names)
    if separator:
        _rectangular(lines, width, separator)
    table = [[restored(cell) for cell in [*row, *[""] * width][:width]] for row in lines.values()]
    named = [k for k, name in enumerate(names) if name]
    frame = pd.DataFrame(table, index=list(lines), columns=range(width), dtype=object)[named]
    frame = frame.set_axis(pd.Index([names[k] for k in named], dtype=object), axis=1)
    frame.attrs["separator"] = separator
    frame.attrs["nameless"] = _nameless(names, table)
    return frame


def _nameless(names: list[str], table: list[list[Any]]) -> dict[str, list[str]]:
    """The filled columns without a name after the first one, by their letter."""
    from openpyxl.utils import get_column_letter

    cells = {
        get_column_letter(k): [as_text(row[k - 1]).strip() for row in table]
        for k, name in enumerate(names, 1)
        if k > 1 and not name
    }
    return {letter: texts for letter, texts in cells.items() if any(texts)}


def _heads(lines: Mapping[int, list[Any]]) -> Mapping[int, str]:
    """The lines with names of a sheet of answers, and these names; lines above the first are refused, and other names below.

    Above may be a title, or items if the names were sorted too. Below, sheets of several people may be pasted.
    """
    heads = {line: "\t".join(_names(row)).rstrip() for line, row in lines.items() if _of_answers(row)}
    line = next(iter(heads), None)
    if line is not None and line != min(lines):
        rule = f"must begin with the names of its columns, which are in line {line}"
        fail(
            "file", rule, remedy="delete a title above them; if they were sorted with the items, move them up"
        )
    for other, names in heads.items():
        if names != heads[min(lines)]:
            rule = f"must have the same columns in all lines; those in line {other} are others than in line {line}"
            fail("file", rule, remedy="bring the columns below into the order of those above")
    return heads


def _rectangular(lines: Mapping[int, list[Any]], width: int, separator: str) -> None:
    """Refuse a line with more cells than names, even empty ones, since an unquoted 1,5 may have been split into two."""
    for line, row in lines.items():
        if len(row) > width:
            rule = f"must have a cell for each of its {width} names; line {line} has {len(row)}"
            remedy = f"put a cell that holds {separator!r} in quotation marks, or save the sheet as .xlsx"
            fail("file", rule, remedy=remedy)


def _content(source: object) -> bytes:
    if not isinstance(source, str | Path):
        fail("file", "must be the path of a sheet, or its content", type(source).__name__)
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in a path
        reason = error.strerror if isinstance(error, OSError) else error
        fail("file", f"must be a readable file: {reason}", str(source))


def _lines(text: bytes) -> tuple[str, list[list[str]]]:
    """The separator of a CSV file, and its cells line by line."""
    if b"\0" in text:
        fail("file", "must be CSV or an Excel workbook; it holds NUL", remedy="is it another kind of file?")
    found = layout(text)
    separator = _separator(found.data) or found.separator
    found = replace(found, separator=separator, data=filled(found.data, separator))
    above = found.line - 1
    rows: list[list[str]] = [[]] * above
    reader = csv.reader(io.StringIO(found.data.decode(), newline=""), delimiter=found.separator, strict=True)
    begin = found.line
    try:
        with _cells_of(len(text)):
            for row in reader:
                rows.append(row)
                begin = above + reader.line_num + 1
    except csv.Error as error:
        rule = f"must be readable as CSV; a quotation mark in line {begin} opens a cell that does not end well ({error})"
        fail("file", rule, remedy="delete the mark, or save the sheet as .xlsx")
    return found.separator, rows


def _text(content: bytes) -> bytes:
    text = decoded(content)
    if text is None:
        rule = "must be UTF-8 text or an Excel workbook; it is neither"
        fail("file", rule, remedy='save it as "CSV UTF-8" or as .xlsx')
    return text.data


def _separator(data: bytes) -> str:
    """The separator of a sheet of answers; "" if the file is no such sheet.

    The most frequent one may be wrong, since names can hold many of another.
    """
    head = data[: 1 << 16].decode("utf-8", "replace").splitlines()
    return next((each for each in SEPARATORS if any(map(_of_answers, csv.reader(head, delimiter=each)))), "")


def _of_answers(row: list[Any]) -> bool:
    """Whether these are the column names of a sheet of answers."""
    return {"id", "answer"} <= {*_names(row)}


def _names(row: list[Any]) -> list[str]:
    """The cells of a row as names of columns, in whatever case they are written, without the mark that begins a file."""
    return [as_text(name).removeprefix("\ufeff").strip().lower() for name in row]


@contextmanager
def _cells_of(size: int) -> Iterator[None]:
    """Let `csv` read cells of up to this many characters meanwhile.

    The limit of `csv` holds for the whole process, so a lock keeps other threads from changing it at the same time.
    """
    with _LIMIT:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(size, usual))
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def _workbook(content: bytes) -> list[list[Any]]:
    """The cells of the sheet with answers in a workbook, "" for empty ones; if none has any, of the first that may have some.

    Two sheets with answers, as of two annotators, are refused, since those in one of them would be lost.
    """
    found = list(workbooks.sheets(content))
    fitting = [sheet for sheet in found if any(map(_of_answers, sheet.rows))] or found
    answered = [sheet for sheet in fitting if _answered(sheet.rows)]
    if len(answered) > 1:
        rule = f"must have its answers in one sheet; there are some in {listed([_tab(sheet) for sheet in answered], 3)}"
        remedy = "save each as a file of its own, put people's lines below each other with their names in a column `annotator`"
        fail("file", rule, remedy=f"{remedy}, or delete those that do not count")
    return [["" if cell is None else cell for cell in row] for row in (answered or fitting)[0].rows]


def _tab(sheet: workbooks.Sheet) -> str:
    """A sheet's name for people, who cannot see a hidden one."""
    return f"{shown(sheet.name)} (hidden)" if sheet.hidden else shown(sheet.name)


def _answered(rows: list[list[Any]]) -> bool:
    """Whether some cell below the name `answer` is filled."""
    left = iter(rows)
    names = _names(next(filter(_of_answers, left), []))
    places = [k for k, name in enumerate(names) if name == "answer"]
    return any(as_text(row[k]).strip() for row in left for k in places if k < len(row))
