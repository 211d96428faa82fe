"""Cells that a spreadsheet would run as formulas, cells that it would not, and a table of answers."""

from __future__ import annotations

import pandas as pd

DANGEROUS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "=cmd|' /C calc'!A0",
    "'=1",
    "''=1",
    "＝1",
    "-",
    "=",
]
HARMLESS = [
    "",
    "a=b",
    "'tis",
    "1-2",
    "'",
    " spaced ",
    'ä, ö; "ü"',
    "line\nbreak",
    "<b>bold</b>",
    "007",
    "1e5",
    "NaN",
]
TABLE = pd.DataFrame({"id": ["a", "b"], "answer": ["1", "skip"]})
