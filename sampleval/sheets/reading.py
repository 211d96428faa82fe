"""Tables from CSV and from workbooks, as a spreadsheet leaves them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Lock

import pandas as pd

from sampleval._checks import fail
from sampleval.pool.tables import MARKS, decoded, filled, layout, workbooks
from sampleval.sheets.formula_guard import restored

_LIMIT = Lock()


def from_file(source: str | Path | bytes) -> pd.DataFrame:
    """A table that was written here, or made by hand: every cell as text, "" where there is none.

    Its index counts lines as a spreadsheet does, from 1 and including empty ones, which are left out.
    `attrs["separator"]` is what parts the cells of a CSV file: where that is a semicolon, 1,5 is a number.

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
    text = decoded(content)
    if text is None:
        rule = "must be UTF-8 text or an Excel workbook; it is neither"
        fail("file", rule, remedy='save it as "CSV UTF-8" or as .xlsx')
    if b"\0" in text.data:
        fail("file", "must be CSV or an Excel workbook; it holds NUL", remedy="is it another kind of file?")
    found = layout(text.data)
    mark = _mark(found.data) or found.mark
    found = replace(found, mark=mark, data=filled(found.data, mark))
    above = found.line - 1
    rows: list[list[str]] = [[]] * above
    reader = csv.reader(io.StringIO(found.data.decode(), newline=""), delimiter=found.mark, strict=True)
    begin = found.line
    try:
        with _cells_of(len(text.data)):
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
    found = (sheet.rows for sheet in workbooks.sheets(content))
    first = next(found)
    return next(filter(_of_answers, chain([first], found)), first)
