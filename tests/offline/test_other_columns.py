"""Answers that stand elsewhere than in the column for them, in files as people's programs save them."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest

import sampleval as sv
from sampleval import offline, sheets
from sampleval.offline import Imported
from sampleval.study import Study
from tests.offline.elsewhere import begun, classed

FRAME = pd.DataFrame(
    {"id": [f"a{k}" for k in range(20)], "pred": np.linspace(1, 2, 20), "note": [str(k) for k in range(20)]}
)
FILLED = "which is empty, while column {} is filled; move the answers to `answer`, or give it that name"


def numbers(**options: Any) -> Study:
    pool = sv.Pool.from_frame(FRAME, pred="pred", task="regression", fields=["note"])
    return begun(pool, metric="mae", budget=5, design="uniform", **options)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("cells", [[1.5, 2, 3, 4.25, 5], ["1,5", "skip", "2", "", "about 3"]])
def test_numbers_in_a_column_of_ones_own_are_told(form: str, cells: list[Any]) -> None:
    """Nothing was new, without a word."""
    study = numbers()
    sheet = offline.sheet(study, 5).assign(true_value=cells)
    content = sheets.to_csv(sheet) if form == "csv" else sheets.to_xlsx(sheet)
    with pytest.raises(sv.InputError, match=FILLED.format("'true_value'")):
        offline.read(study, content)
    assert not study.labels


def test_classes_in_columns_of_ones_own_are_told() -> None:
    study = classed("cat", "dog", "cow")
    sheet = offline.sheet(study, 3).drop(columns="place")
    two = sheet.assign(mine="cat", yours=["dog", "", "cow"], remark="a picture of the sea")
    with pytest.raises(
        sv.InputError,
        match=r"while columns 'mine', 'yours' are filled; .* several people's, write a line for each",
    ):
        offline.read(study, two)


def test_what_is_no_answer_beside_an_empty_column_is_left_alone() -> None:
    """Numbers are a field that the pool shows, a saved index, and raters; most remarks are no numbers."""
    study = numbers()
    sheet = offline.sheet(study, 5)
    assert "note" in sheet
    remarks = sheet.assign(remark=["look at it", "blurred", "3", "", "cut"])
    for beside in (sheet, remarks, sheet.reset_index(), sheet.assign(rater=["1", "2", "1", "2", "1"])):
        assert offline.read(study, beside).empty == 5
    assert offline.read(study, sheet.to_csv().encode()).empty == 5
    filled = sheet.assign(seconds=12, answer=[1.5, *[""] * 4])
    assert len(offline.read(study, filled).imported) == 1


@pytest.mark.parametrize("shortened", ["{:.15g}", "{:.16g}", "{:.17g}"])
def test_numbers_that_a_spreadsheet_shortened_are_those_given(shortened: str) -> None:
    """Excel keeps fifteen digits: each was told as another answer than the one given."""
    study, given = numbers(), [0.12345678901234567, 1 / 3, -2 / 3, 1e5 / 7, 12345678901234567.0]
    study.tell_all(zip(study.ask(5), given, strict=True))
    sheet = pd.DataFrame({"id": [study.state.id_at(k) for k in range(5)]})
    sheet["answer"] = [shortened.format(number) for number in given]
    done = offline.read(study, sheet, annotator="second", corrections=True)
    assert (len(done.unchanged), done.disputed) == (5, ())
    assert [*study.known_labels().values()] == given
    cut = sheet.assign(answer=["0.123456789012345", "0.333333333333332", *[""] * 3])
    assert [conflict.line for conflict in offline.read(study, cut).conflicts] == [3]


def test_of_two_lines_a_shortened_number_is_the_same_answer() -> None:
    study = numbers()
    id = study.ask(1)[0].id
    done = offline.read(study, f"id,answer\n{id},0.66666666666666663\n{id},0.666666666666667\n".encode())
    assert (done.rejected, [*study.known_labels().values()]) == ((), [2 / 3])


Edit = Callable[[Any, Any, dict[str, int]], None]


def returned(edit: Edit) -> Imported:
    """What becomes of a study's workbook that was edited: the book, its sheet of items, and name → column, from 1."""
    study = begun()
    book = openpyxl.load_workbook(io.BytesIO(offline.write(study, 10, "xlsx")))
    items = book["items"]
    edit(book, items, {cell.value: cell.column for cell in items[1]})
    file = io.BytesIO()
    book.save(file)
    return offline.read(study, file.getvalue())


def answer_all(items: Any, column: int, first: int = 2) -> None:
    for line in range(first, first + 10):
        items.cell(line, column).value = "spam"


def test_answers_in_rows_that_a_filter_hides_are_answers() -> None:
    def edit(_: Any, items: Any, at: dict[str, int]) -> None:
        answer_all(items, at["answer"])
        items.auto_filter.ref = items.dimensions
        items.auto_filter.add_filter_column(at["answer"] - 1, ["ham"])
        for line in range(2, 9):
            items.row_dimensions[line].hidden = True

    assert len(returned(edit).imported) == 10


def test_answers_on_a_later_worksheet_are_found() -> None:
    def edit(book: Any, items: Any, at: dict[str, int]) -> None:
        book.create_sheet("About", 0).append(["Please", "label"])
        book.copy_worksheet(items).title = "empty copy"
        book.move_sheet("empty copy", -9)
        answer_all(items, at["answer"])

    assert len(returned(edit).imported) == 10


def test_answers_on_a_hidden_worksheet_are_named_as_such() -> None:
    def edit(book: Any, items: Any, at: dict[str, int]) -> None:
        answer_all(items, at["answer"])
        copy = book.copy_worksheet(items)
        copy.title, copy.sheet_state = "backup", "hidden"

    rule = r"there are some in 'items', 'backup' \(hidden\); .* with their names in a column `annotator`, or delete"
    with pytest.raises(sv.InputError, match=rule):
        returned(edit)


def test_a_name_merged_over_two_lines_is_read_and_over_two_columns_told() -> None:
    def down(_: Any, items: Any, at: dict[str, int]) -> None:
        items.insert_rows(2)
        for column in at.values():
            items.merge_cells(start_row=1, end_row=2, start_column=column, end_column=column)
        answer_all(items, at["answer"], 3)

    def across(_: Any, items: Any, at: dict[str, int]) -> None:
        column = at["answer"]
        items.insert_cols(column + 1)
        items.merge_cells(start_row=1, end_row=1, start_column=column, end_column=column + 1)
        answer_all(items, column + 1)

    assert len(returned(down).imported) == 10
    with pytest.raises(sv.InputError, match=FILLED.format("E, which has no name,")):
        returned(across)


def test_a_title_above_the_names_of_a_workbook_is_told() -> None:
    def edit(_: Any, items: Any, at: dict[str, int]) -> None:
        items.insert_rows(1)
        items["A1"] = "Please label by Friday"
        items.merge_cells(start_row=1, end_row=1, start_column=1, end_column=4)
        answer_all(items, at["answer"], 3)

    with pytest.raises(sv.InputError, match="its columns, which are in line 2; delete a title above them"):
        returned(edit)


def form(study: Study, **names: str) -> pd.DataFrame:
    """A form's responses, one for each item."""
    ids = [item.id for item in study.ask(10)]
    said = {"Timestamp": "11/30/2026 8:01:02", names["id"]: ids, names["answer"]: "spam"}
    return pd.DataFrame(said)


def test_a_forms_responses_are_read_or_told_what_to_rename() -> None:
    study = begun()
    responses = form(study, id="Which mail?", answer="Is it spam?")
    hint = r"'Is it spam.*; call 'Which mail\?' `id` and 'Is it spam\?' `answer` if that is what they hold, or use"
    with pytest.raises(sv.InputError, match=hint):
        offline.read(study, responses)
    told = responses.rename(columns={"Which mail?": "id"})
    with pytest.raises(
        sv.InputError, match=r"; call 'Is it spam\?' `answer` if that is what it holds, or use"
    ):
        offline.read(study, told)
    assert len(offline.read(study, told.rename(columns={"Is it spam?": "Answer"})).imported) == 10


@pytest.mark.parametrize("question", ["{}", "Which of these are spam? [{}]"])
def test_a_form_with_a_column_for_each_item_is_refused_with_how_it_must_be(question: str) -> None:
    study = begun()
    items = {question.format(item.id): ["spam", "ham"] for item in study.ask(10)}
    table = pd.DataFrame({"Timestamp": ["11/30/2026 8:01:02"] * 2, "Email Address": ["a@x", "b@x"], **items})
    with pytest.raises(sv.InputError, match=r"a line for each item; items stand in its columns, as '.*item-"):
        offline.read(study, sheets.to_csv(table))
