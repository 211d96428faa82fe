"""Commas and points in numbers as people write them: decimal marks, or separators of thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable

_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?\s*%?")
_PARTED = re.compile(r"[+-]?[1-9]\d{0,2}((\.\d{3})+,|(,\d{3})+\.)\d+")


def comma(cell: object) -> str:
    """Advice for a cell that would be a number but for its comma, be it a decimal mark or a separator; otherwise "".

    >>> comma("0,53")
    'its decimal mark is a comma: write 0.53'
    >>> comma("1,234"), comma("high")
    ('its comma may be a decimal mark or separate thousands: write 1.234 or 1234', '')
    >>> comma("1.234,50"), comma("1,234.50")
    ('its thousands are separated: write 1234.50', 'its thousands are separated: write 1234.50')
    """
    text = cell.strip() if isinstance(cell, str) else ""
    if _PARTED.fullmatch(text):
        point = max(".,", key=text.rfind)
        return f"its thousands are separated: write {re.sub('[.,]', '', text[: text.rfind(point)])}.{text.split(point)[-1]}"
    if not _COMMA.fullmatch(text):
        return ""
    pointed = text.replace(",", ".")
    if may_be_thousands(text, ","):
        whole = text.replace(",", "")
        return f"its comma may be a decimal mark or separate thousands: write {pointed} or {whole}"
    return f"its decimal mark is a comma: write {pointed}"


def may_be_thousands(text: str, mark: str) -> bool:
    """Whether a mark in a number may separate thousands, as in `1,234`; it may be a decimal mark as well.

    >>> may_be_thousands("1,234", ","), may_be_thousands("0,234", ","), may_be_thousands("1.234", ".")
    (True, False, True)
    """
    return re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}{re.escape(mark)}\d{{3}}", text) is not None


def decimal_commas(cells: Iterable[str]) -> bool:
    """Whether commas in these cells are decimal marks, because at least one cell can be read in no other way.

    >>> decimal_commas(["0,53", "1,234"]), decimal_commas(["1,234"]), decimal_commas(["0,53", "1.5"])
    (True, False, False)
    """
    found = [cell for cell in cells if not cell.isalpha()]
    sure = any(_COMMA.fullmatch(cell) and not may_be_thousands(cell, ",") for cell in found)
    return sure and not any("." in cell for cell in found)
