"""Write tables for spreadsheets, and read them back, with cells that no spreadsheet runs as formulas."""

from typing import Literal

from sampleval.pool.tables.workbooks import as_text
from sampleval.sheets.formula_guard import neutralised, restored, safe
from sampleval.sheets.reading import from_file
from sampleval.sheets.writing import to_csv, to_xlsx

Format = Literal["csv", "xlsx"]

__all__ = ["Format", "as_text", "from_file", "neutralised", "restored", "safe", "to_csv", "to_xlsx"]
