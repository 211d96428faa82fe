"""Protect cells from being run as formulas: text that begins like one gets an apostrophe, which is removed when read.

CSV needs this. The cells of a workbook have types, but it may be saved as CSV later.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

FORMULA = re.compile(r"^'*[=+\-@\t\r＝＋－＠]")


def neutralised(cell: object) -> object:
    """The cell, with an apostrophe before text that a spreadsheet might run; numbers stay numbers.

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
    """The table with all text cells and column names neutralised, and with whole numbers without decimals."""
    names = [neutralised(str(name)) for name in frame.columns]
    cells = [
        _pointless(column) if pd.api.types.is_numeric_dtype(column) else column.map(neutralised)
        for _, column in frame.items()
    ]
    made = pd.concat(cells, axis=1) if cells else frame
    return made.set_axis(pd.Index(names, dtype=object), axis=1)


def _pointless(numbers: pd.Series[Any]) -> pd.Series[Any]:
    """The numbers, as integers if all are whole: with missing cells a column holds the year 2020 as 2020.0."""
    known = numbers.dropna()
    whole = numbers.dtype == np.float64 and ((known.abs() < 2.0**53) & (known == known.round())).all()
    return numbers.astype("Int64") if whole else numbers
