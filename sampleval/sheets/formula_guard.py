"""Cells that no spreadsheet runs: text that begins like a formula leaves with an apostrophe and loses it on the way in.

CSV needs this; in a workbook cells are typed, but one may save it as CSV later.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

FORMULA = re.compile(r"^'*[=+\-@\t\r＝＋－＠]")


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
