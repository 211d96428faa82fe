"""No cell runs as a formula, and what guards it is taken off again."""

from __future__ import annotations

import csv
import io

import openpyxl
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleval import sheets
from tests.sheets.cells import DANGEROUS, HARMLESS


@pytest.mark.parametrize("text", DANGEROUS)
def test_what_begins_like_a_formula_leaves_with_an_apostrophe(text: str) -> None:
    assert sheets.neutralised(text) == f"'{text}"
    assert sheets.restored(f"'{text}") == text


@pytest.mark.parametrize("value", [*HARMLESS, -1, -0.5, None, True])
def test_cells_that_are_no_formulas_stay_as_they_are(value: object) -> None:
    assert sheets.neutralised(value) is value
    assert sheets.restored(value) is value


@given(st.text(max_size=30))
def test_neutralising_is_undone_for_every_text(text: str) -> None:
    assert sheets.restored(sheets.neutralised(text)) == text


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_no_cell_of_a_file_begins_like_a_formula(form: str) -> None:
    frame = pd.DataFrame(
        {"=id": DANGEROUS, "category": pd.Categorical(DANGEROUS), "number": range(len(DANGEROUS))}
    )
    if form == "csv":
        rows = list(csv.reader(io.StringIO(sheets.to_csv(frame).decode("utf-8-sig"), newline="")))
    else:
        book = openpyxl.load_workbook(io.BytesIO(sheets.to_xlsx(frame)))
        kinds = {cell.data_type for row in book.active.iter_rows() for cell in row}
        assert "f" not in kinds
        rows = [[str(cell) for cell in row] for row in book.active.iter_rows(values_only=True)]
    assert [cell for row in rows for cell in row if cell[:1] in set("=+-@\t\r＝")] == []
