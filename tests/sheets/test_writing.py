"""Tables as files: what a workbook holds, offers and shows."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pandas as pd
import pytest
from openpyxl.utils.units import pixels_to_EMU

from sampleval import sheets
from sampleval.sheets.writing import PICTURE
from tests.sheets.cells import TABLE


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([2020.0, None], ["2020", ""]),
        ([2.0, 0.5], ["2.0", "0.5"]),
        ([1e300, 1.0], ["1e+300", "1.0"]),
        ([float("inf"), 1.0], ["inf", "1.0"]),
        ([2.0**53, 1.0], ["9007199254740992.0", "1.0"]),  # from there on floats skip whole numbers
    ],
)
def test_whole_numbers_beside_a_blank_leave_without_a_point(cells: list[Any], said: list[str]) -> None:
    content = sheets.to_csv(pd.DataFrame({"id": ["a", "b"], "number": cells}))
    assert sheets.from_file(content)["number"].tolist() == said


def test_a_number_without_end_is_no_empty_cell_of_a_workbook() -> None:
    """A limit at infinity had looked like one that is not known."""
    frame = pd.DataFrame({"low": [-float("inf"), 0.5], "high": [float("inf"), float("nan")]})
    cells = {"low": ["-inf", "0.5"], "high": ["inf", ""]}
    assert sheets.from_file(sheets.to_xlsx(frame)).map(sheets.as_text).to_dict("list") == cells
    assert sheets.from_file(sheets.to_csv(frame)).to_dict("list") == cells


def test_a_workbook_holds_what_excel_refuses() -> None:
    frame = pd.DataFrame(
        {"id": ["a"], "text": ["bell \x07 and " + "x" * 40_000], "none": [None], "number": [-2.5]}
    )
    content = sheets.to_xlsx(frame)
    (row,) = sheets.from_file(content).to_dict("records")
    assert row["text"].startswith("bell \ufffd and xxx")
    assert len(row["text"]) <= 32_767
    assert (row["none"], row["number"]) == ("", -2.5)
    widths = openpyxl.load_workbook(io.BytesIO(content))["items"].column_dimensions
    assert [widths[letter].width for letter in "ABCD"] == [4, 62, 6, 8]


def test_a_workbook_offers_what_may_be_entered() -> None:
    content = sheets.to_xlsx(
        pd.DataFrame({"id": ["1"], "answer": [""]}), lists={"answer": ["no", "=yes", "skip"]}
    )
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert [cell.value for (cell,) in book["answers"].iter_rows()] == ["no", "'=yes", "skip"]
    (rule,) = book["items"].data_validations.dataValidation
    assert (rule.formula1, str(rule.sqref)) == ("'answers'!$A$1:$A$3", "B2")
    assert not rule.showErrorMessage  # it forbids nothing


def test_text_that_looks_like_an_error_is_text_in_a_workbook() -> None:
    """In German, LibreOffice wrote #NV and Gnumeric #"#N/A" for the id #N/A, which then was none of the pool."""
    frame = pd.DataFrame({"id": ["#N/A", "#REF!"], "answer": ["", "#DIV/0!"]})
    book = openpyxl.load_workbook(io.BytesIO(sheets.to_xlsx(frame, lists={"answer": ["#NUM!"]})))
    cells = [cell for page in book for line in page.iter_rows() for cell in line if cell.value]
    assert {cell.data_type for cell in cells} == {"s"}


def test_a_workbook_shows_pictures() -> None:
    pil = pytest.importorskip("PIL.Image", reason="pictures need Pillow, which comes with the extra [app]")
    png = io.BytesIO()
    pil.new("L", (8, 4)).save(png, "PNG")
    frame = pd.DataFrame({"id": ["a", "b"], "picture": [png.getvalue(), b"no picture"], "answer": ["", ""]})
    content = sheets.to_xlsx(frame)
    (found,) = openpyxl.load_workbook(io.BytesIO(content)).active._images
    assert (found.anchor._from.col, found.anchor._from.row) == (1, 1)
    shown = found.anchor.ext
    assert (shown.width, shown.height) == (pixels_to_EMU(PICTURE), pixels_to_EMU(PICTURE / 2))
    assert sheets.from_file(content)["picture"].tolist() == ["", "(a picture that cannot be shown here)"]


def test_a_workbook_of_no_items_can_be_written() -> None:
    """The range of its list of entries had ended before it began."""
    content = sheets.to_xlsx(TABLE.head(0), lists={"answer": ["0", "1"]})
    assert openpyxl.load_workbook(io.BytesIO(content))["items"].max_row == 1


def test_whole_numbers_beside_a_blank_stay_numbers_in_a_workbook() -> None:
    """As text, they could not be sorted or filtered as numbers."""
    frame = pd.DataFrame({"year": [2020.0, float("nan")], "count": [1, 2]})
    rows = openpyxl.load_workbook(io.BytesIO(sheets.to_xlsx(frame))).active.iter_rows(values_only=True)
    assert list(rows) == [("year", "count"), (2020, 1), (None, 2)]
