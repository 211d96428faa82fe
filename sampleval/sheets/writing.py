"""Write tables as CSV and as workbooks."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
import pandas as pd

from sampleval.pool.tables.delimited import SEPARATORS
from sampleval.sheets.formula_guard import neutralised, safe

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LONGEST = 32_000  # characters kept of a cell; a workbook's cell holds 32,767
LARGE = 10**11  # a workbook shows such whole numbers as 1E+11, and keeps no more than fifteen digits
WIDEST = 60  # largest width of a column in characters
PICTURE = 120  # longer side of a picture in pixels


def to_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV, with a byte order mark so that Excel recognises UTF-8."""
    # Without quotes, a name such as a;b;c would make semicolons look like the separator.
    puzzling = set(SEPARATORS) & set("".join(map(str, frame.columns)))
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if puzzling else csv.QUOTE_MINIMAL
    text = safe(frame).to_csv(index=False, quoting=quoting, lineterminator="\r\n").replace("\0", "\ufffd")
    return text.encode("utf-8-sig", "backslashreplace")


def to_xlsx(
    frame: pd.DataFrame, *, lists: Mapping[str, list[str]] | None = None, texts: Collection[str] = ()
) -> bytes:
    """The table as an Excel workbook.

    Args:
        frame: The table; bytes are shown as pictures.
        lists: Column → permitted entries, which get a sheet of their own and a list to choose from in the cells.
        texts: Columns whose cells keep what is typed into them, such as the class 01 or the set of labels 1,2.
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
        for cell in sheet[letter][1:] if column in texts else ():
            cell.number_format = "@"
    sheet.freeze_panes = "A2"
    for column, options in (lists or {}).items():
        _offer(
            book, options, f"{column}s"[:31], _letters(frame)[list(frame.columns).index(column)], len(frame)
        )
    for cell in (cell for page in book for line in page.iter_rows() for cell in line):
        if cell.data_type == "e":  # openpyxl takes text such as #N/A for an error
            cell.data_type = "s"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _letters(frame: pd.DataFrame) -> list[str]:
    from openpyxl.utils import get_column_letter

    return [get_column_letter(k) for k in range(1, len(frame.columns) + 1)]


def _offer(book: Any, options: list[str], name: str, letter: str, lines: int) -> None:
    """Add a sheet of permitted entries, and a list to choose from in the cells of a column."""
    from openpyxl.worksheet.datavalidation import DataValidation

    other = book.create_sheet(name)
    for option in options:
        other.append([_cell(neutralised(option))])
    place = f"'{name}'!$A$1:$A${len(options)}"
    chosen = DataValidation(type="list", formula1=place, allow_blank=True, showErrorMessage=False)
    chosen.add(f"{letter}2:{letter}{max(lines, 1) + 1}")
    sheet = book.worksheets[0]
    sheet.add_data_validation(chosen)


def _show(sheet: Any, content: bytes, letter: str, line: int) -> None:
    """Put a picture into its cell, or a remark if the bytes are no picture."""
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
    """The value in a form that a workbook can hold: short text without control characters, a number, or nothing.

    >>> _cell(2024), _cell(8_712_345_678_906)
    (2024, '8712345678906')
    """
    if isinstance(value, np.generic):  # NumPy's numbers, as a column holds them
        value = value.item()
    if value is None or value is pd.NA or isinstance(value, bytes):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        # A workbook has no infinity, and the cell would be empty.
        return None if math.isnan(value) else str(value)
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < LARGE):
        return value
    text = UNPRINTABLE.sub("\ufffd", value if isinstance(value, str) else str(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
