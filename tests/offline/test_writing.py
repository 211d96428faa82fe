"""Sheets to label elsewhere: the next items, and what may be answered."""

from __future__ import annotations

from io import BytesIO

import pandas as pd
import pytest

import sampleval as sv
from sampleval import offline, sheets
from sampleval.study import Study
from tests.offline.elsewhere import begun, classed
from tests.pools import multilabel, scored


def test_a_sheet_holds_the_next_items_and_what_may_be_answered() -> None:
    study = begun()
    sheet = offline.sheet(study, 4)
    assert sheet.columns.tolist() == ["id", "place", "text", "answer", "allowed_answers"]
    assert sheet["id"].tolist() == [item.id for item in study.ask(4)]
    assert sheet["place"].tolist() == [0, 1, 2, 3]
    assert sheet["answer"].tolist() == [""] * 4
    assert sheet["allowed_answers"].tolist() == ["ham / spam / skip / unsure", "", "", ""]


def test_a_field_named_like_a_column_of_the_sheet_keeps_apart() -> None:
    df = scored(10).assign(answer="the answer's text", place="a place")
    pool = sv.Pool.from_frame(df, id="id", score="score", fields=["answer", "place"], classes=("ham", "spam"))
    sheet = offline.sheet(begun(pool, budget=5), 5)
    assert sheet.columns.tolist() == [
        "id",
        "place",
        "answer (field)",
        "place (field)",
        "answer",
        "allowed_answers",
    ]


def test_pictures_are_left_out_of_csv_only() -> None:
    df = scored(10).assign(picture=[b"\x89PNG"] * 10)
    pool = sv.Pool.from_frame(df, id="id", score="score", fields=["picture"], classes=("ham", "spam"))
    study = begun(pool, budget=5)
    assert sheets.from_file(offline.write(study, 5, "csv")).columns.tolist() == [
        "id",
        "place",
        "answer",
        "allowed_answers",
    ]
    assert "picture" in sheets.from_file(offline.write(study, 5, "xlsx")).columns


NUMBERS = sv.Pool.from_frame(pd.DataFrame({"pred": [1.0, 2.0, 3.0]}), task="regression")


@pytest.mark.parametrize(
    ("study", "form"),
    [
        (classed("01", "02"), "@"),
        (begun(multilabel()[0], metric="micro_f1"), "@"),
        (begun(NUMBERS, metric="mae", budget=3), "General"),
    ],
)
def test_answers_but_numbers_stay_as_typed_in_a_workbook(study: Study, form: str) -> None:
    """01 would lose its zero, and the set 1,2 is a number in German: it came back as the label 1.2."""
    from openpyxl import load_workbook

    items = load_workbook(BytesIO(offline.write(study, 3, "xlsx"))).worksheets[0]
    column = next(cell.column for cell in items[1] if cell.value == "answer")
    assert [items.cell(line, column).number_format for line in (2, 3, 4)] == [form] * 3
