"""Tables for spreadsheets and back. A spreadsheet runs a cell that begins like a formula; here none does."""

from typing import Literal

from sampleval.pool.tables.workbooks import as_text
from sampleval.sheets.formula_guard import neutralised, restored, safe
from sampleval.sheets.reading import from_file
from sampleval.sheets.writing import to_csv, to_xlsx

Format = Literal["csv", "xlsx"]

__all__ = ["Format", "as_text", "from_file", "neutralised", "restored", "safe", "to_csv", "to_xlsx"]
