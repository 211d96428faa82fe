"""Tables that people filled in are read back unchanged, or refused in words."""

from __future__ import annotations

import csv
import io
import random
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sampleval as sv
from sampleval import sheets
from sampleval.pool.tables import workbooks
from tests.sheets.cells import DANGEROUS, HARMLESS, TABLE

PRINTABLE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@settings(max_examples=40)  # each makes a workbook
@given(
    cells=st.lists(
        st.one_of(PRINTABLE, st.sampled_from(DANGEROUS[:4] + DANGEROUS[6:] + HARMLESS)),
        min_size=1,
        max_size=5,
    )
)
def test_a_table_survives_writing_and_reading(form: str, cells: list[str]) -> None:
    frame = pd.DataFrame(
        {"id": [f"i{k}" for k in range(len(cells))], "=name": pd.Series(cells, dtype=object)}
    )
    content = sheets.to_csv(frame) if form == "csv" else sheets.to_xlsx(frame)
    back = sheets.from_file(content)
    assert back.columns.tolist() == ["id", "=name"]
    assert back["=name"].tolist() == cells


@pytest.mark.parametrize("name", ["a;b;c;d;e;f;g", "a|b|c|d", "a\tb\tc\td", "two,\nlines;;;;"])
def test_column_names_may_contain_separators(name: str) -> None:
    frame = pd.DataFrame({"id": ["i"], name: ["x;y"], "number": [2.5], "none": [None]})
    assert sheets.from_file(sheets.to_csv(frame)).iloc[0].to_dict() == {
        "id": "i",
        name: "x;y",
        "number": "2.5",
        "none": "",
    }


def test_a_text_may_be_of_any_length() -> None:
    text, usual = "long " * 40_000, csv.field_size_limit()
    back = sheets.from_file(sheets.to_csv(pd.DataFrame({"id": ["i"], "text": [text]})))
    assert back["text"].tolist() == [text]
    assert csv.field_size_limit() == usual


@pytest.mark.parametrize("before", ["", "\n", "\r\n \r\n", "sep=;\n", '\n"sep=;"\r\n\n'])
def test_lines_before_the_column_names_are_skipped(before: str) -> None:
    table = sheets.from_file(f"\ufeff{before}id;answer\na;1,5\n".encode())
    assert table.to_dict("list") == {"id": ["a"], "answer": ["1,5"]}
    assert (table.index.tolist(), table.attrs["separator"]) == ([2 + before.count("\n")], ";")
    with pytest.raises(sv.InputError, match=f"in line {2 + before.count(chr(10))} opens"):
        sheets.from_file(f'{before}id;answer\na;"1\n'.encode())


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_of_any_country_is_read(mark: str) -> None:
    text = mark.join(["id", "answer"]) + "\r\n" + mark.join(["a", "1"]) + "\r\n\r\n"
    assert sheets.from_file(text.encode("utf-8-sig")).to_dict("records") == [{"id": "a", "answer": "1"}]


def test_a_sheet_that_excel_saved_without_asking_is_read() -> None:
    """In Western Europe that is Windows-1252; a wrong guess gives ids and answers that the study does not know."""
    table = sheets.from_file("id;answer\r\nä1;gefällt – 5 €\r\n".encode("cp1252"))
    assert table.to_dict("records") == [{"id": "ä1", "answer": "gefällt – 5 €"}]


UNICODE = ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-8"]


@pytest.mark.parametrize("encoding", UNICODE)
def test_json_in_any_unicode_is_read(encoding: str) -> None:
    """UTF-16 was taken for CSV, and without a mark for no text at all."""
    table = sheets.from_file('[{"id": "007", "answer": "é"}]'.encode(encoding))
    assert table.to_dict("records") == [{"id": "007", "answer": "é"}]


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("mark", ["\t", ";"])
@pytest.mark.parametrize("more", ["", "\ufeff"])
def test_a_sheet_saved_as_unicode_text_is_read(encoding: str, mark: str, more: str) -> None:
    table = sheets.from_file(f"{more}id{mark}answer\r\n007{mark}é\r\n".encode(encoding))
    assert table.to_dict("records") == [{"id": "007", "answer": "é"}]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"id,answer\0\n", "NUL"),
        (b"\xd0\xcf\x11\xe0 an old workbook", 'save it as "CSV UTF-8" or as .xlsx'),
        (b"PK\x03\x04" + b"junk" * 50, "undamaged"),
        (b"\x89PNG\r\n\x1a\n", "UTF-8"),
    ],
    ids=["empty", "utf16", "nul", "xls", "zip", "png"],
)
def test_what_is_no_table_is_refused_in_words(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(sv.InputError, match=said):
        sheets.from_file(path)


@pytest.mark.parametrize("source", [None, 5, ["a.csv"], "a\0b", "missing.csv"])
def test_what_cannot_be_read_is_refused_in_words(source: Any) -> None:
    with pytest.raises(sv.InputError, match="`file` must be"):
        sheets.from_file(source)


PARTS = ["[Content_Types].xml", "xl/workbook.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"]


@pytest.mark.parametrize("part", PARTS)
def test_a_workbook_with_a_part_cut_off_is_refused_in_words(part: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sheets.to_xlsx(TABLE))) as sound, zipfile.ZipFile(out, "w") as archive:
        for name in sound.namelist():
            content = sound.read(name)
            archive.writestr(name, content[: len(content) // 2] if name == part else content)
    with pytest.raises(sv.InputError, match="undamaged Excel workbook"):
        sheets.from_file(out.getvalue())


def test_damage_anywhere_is_refused_or_harmless() -> None:
    """Changed bytes: an `InputError`, or the same cells (in the dates of the archive's own index, say)."""
    content = sheets.to_xlsx(TABLE)
    rng, refused = random.Random(5), 0
    for _ in range(150):
        damaged = bytearray(content)
        damaged[rng.randrange(4, len(damaged))] ^= 1 << rng.randrange(8)
        try:
            found = sheets.from_file(bytes(damaged))
        except sv.InputError:
            refused += 1
        else:
            assert found.to_dict("list") == TABLE.to_dict("list")
    assert refused > 75


def test_lines_are_counted_as_a_spreadsheet_does() -> None:
    text = 'id,answer\n\n\na,"x\ny"\n,\nb,1\n'
    table = sheets.from_file(text.encode())
    assert table.index.tolist() == [4, 6]
    assert sheets.from_file(f"\n{text}".encode()).index.tolist() == [5, 7]


def test_a_zip_that_is_no_workbook_or_unpacks_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "0" * 100_000)
    with pytest.raises(sv.InputError, match="undamaged"):
        sheets.from_file(out.getvalue())
    monkeypatch.setattr(workbooks, "LARGEST", 99_999)
    with pytest.raises(sv.InputError, match="too large"):
        sheets.from_file(out.getvalue())


def test_the_sheet_of_answers_is_found_among_others() -> None:
    """The first sheet had been read, which was a list of permitted entries."""
    book = openpyxl.load_workbook(io.BytesIO(sheets.to_xlsx(TABLE, lists={"answer": ["0", "1"]})))
    book.move_sheet("items", 1)
    out = io.BytesIO()
    book.save(out)
    assert sheets.from_file(out.getvalue()).to_dict("list") == TABLE.to_dict("list")
    other = pd.DataFrame({"name": ["x"]})  # of another kind it is the first that counts
    assert sheets.from_file(sheets.to_xlsx(other, lists={"name": ["x"]})).to_dict("list") == {"name": ["x"]}


def test_answers_in_a_copy_of_the_sheet_are_read_and_those_in_two_sheets_refused() -> None:
    """The first sheet had been read, and what a second annotator wrote to the other one was lost without a word."""
    book = openpyxl.load_workbook(io.BytesIO(sheets.to_xlsx(TABLE)))
    book.copy_worksheet(book["items"]).title = "Bob"
    both, one = io.BytesIO(), io.BytesIO()
    book.save(both)
    with pytest.raises(
        sv.InputError, match="must have its answers in one sheet; there are some in 'items', 'Bob'; save"
    ):
        sheets.from_file(both.getvalue())
    for row in book["items"].iter_rows(min_row=2):
        row[list(TABLE.columns).index("answer")].value = None
    book.save(one)
    assert sheets.from_file(one.getvalue()).to_dict("list") == TABLE.to_dict("list")


@pytest.mark.parametrize("above", ["Please label by Friday", "Please label by Friday;;", "b;2;0"])
def test_lines_above_the_names_of_a_sheet_of_answers_are_refused_in_words(above: str) -> None:
    """A title was taken for the names; where names had been sorted with the items, an item was."""
    with pytest.raises(
        sv.InputError, match=r"must begin with the names of its columns, which are in line 2; delete"
    ):
        sheets.from_file(f"{above}\nid;text;answer\na;1;1\n".encode())


def test_names_that_come_again_are_no_line_and_other_names_are_refused() -> None:
    """Sheets pasted below each other: of one with other columns the answers were lost without a word."""
    table = sheets.from_file(b"id,place,answer\na,0,1\nID ,place,answer\nb,1,0\n")
    assert table.to_dict("index") == {
        2: {"id": "a", "place": "0", "answer": "1"},
        4: {"id": "b", "place": "1", "answer": "0"},
    }
    with pytest.raises(sv.InputError, match="in all lines; those in line 3 are others than in line 1; bring"):
        sheets.from_file(b"id,place,answer\na,0,1\nid,answer,\nb,0,\n")


def test_files_joined_into_one_keep_their_marks_within_it() -> None:
    """The names after the mark, with which every sheet is written, were taken for a line."""
    one, other = (sheets.to_csv(pd.DataFrame({"id": [name], "answer": ["1"]})) for name in "ab")
    assert [*sheets.from_file(one + other)["id"]] == ["a", "b"]
    with pytest.raises(sv.InputError, match="in all lines; those in line 3 are others"):
        sheets.from_file(one + sheets.to_csv(pd.DataFrame({"answer": ["1"], "id": ["b"]})))


def test_another_archive_is_no_workbook_that_a_reader_stumbles_over() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("study.json", "{}")
    with pytest.raises(
        sv.InputError,
        match=r"an archive of something else; save a \.numbers table as \.xlsx or \.csv\. A study's own file holds no table",
    ):
        sheets.from_file(out.getvalue())


@pytest.mark.parametrize("text", ['x,"and so on', '"x" and so on,', '"x,\nb,2,"y",'])
def test_a_quotation_mark_that_swallows_lines_is_refused_with_its_line(text: str) -> None:
    """Of 40 answered lines 34 had become one cell, and nothing said so."""
    with pytest.raises(sv.InputError, match=r"a quotation mark in line 3 opens a cell .* delete the mark"):
        sheets.from_file(f"id,answer,notes\na,1,\nb,2,{text}\nc,3,\n".encode())
    kept = sheets.from_file(b'id,answer\na,"5"" screen\nand more"\nb,5" screen\n')
    assert kept["answer"].tolist() == ['5" screen\nand more', '5" screen']


@pytest.mark.parametrize("line", ["a,0,text,1,5,", "a,0,3, 1, then 2,0,", "a,0,well, no,,"])
def test_a_bare_comma_that_makes_two_cells_of_one_is_refused_with_its_line(line: str) -> None:
    """Of 1,5 the answer 1 was kept, and a comma in a text put a part of it there."""
    names = "id,place,text,answer,allowed_answers"
    with pytest.raises(
        sv.InputError, match=r"each of its 5 names; line 3 has \d; put a cell that holds ',' in quot"
    ):
        sheets.from_file(f"{names}\nb,1,text,2,\n{line}\n".encode())
    assert sheets.from_file(f"{names}\nb,1,text,2\n,,,,,,\n".encode())["answer"].tolist() == ["2"]


def test_a_name_may_hold_more_of_a_mark_than_parts_the_cells() -> None:
    content = b"id,place,a|b|c|d|e|f,answer\nx,0,text,yes\n"
    assert sheets.from_file(content).columns.tolist() == ["id", "place", "a|b|c|d|e|f", "answer"]


def rewritten(content: bytes, old: bytes, new: bytes) -> bytes:
    """A workbook with something else in its first sheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as sound, zipfile.ZipFile(out, "w") as archive:
        for info in sound.infolist():
            part = sound.read(info)
            archive.writestr(info, part.replace(old, new) if info.filename == PARTS[-1] else part)
    return out.getvalue()


@pytest.mark.parametrize("extent", [b"A1", b"A1:B2", b"A1:XFD1048576"])
def test_no_line_beyond_the_extent_that_a_workbook_claims_is_lost(extent: bytes) -> None:
    """Some programs write a wrong extent, and answers below it had silently been lost."""
    content = sheets.to_xlsx(TABLE)
    (said,) = re.findall(rb'<dimension ref="[A-Z0-9:]+" ?/>', content_of(content))
    told = rewritten(content, said, b'<dimension ref="%s"/>' % extent)
    assert extent in content_of(told)
    assert sheets.from_file(told).to_dict("list") == TABLE.to_dict("list")


def content_of(workbook: bytes) -> bytes:
    """The XML of a workbook's first sheet."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        return archive.read(PARTS[-1])


def far(row: int, column: str = "XFD") -> bytes:
    """The table in a workbook with one more cell, far away."""
    cell = f'<row r="{row}"><c r="{column}{row}"><v>1</v></c></row>'
    return rewritten(sheets.to_xlsx(TABLE), b"</sheetData>", f"{cell}</sheetData>".encode())


def test_a_stray_cell_far_away_does_not_slow_down_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sheets.from_file(far(100_000))["id"].tolist()[: len(TABLE)] == TABLE["id"].tolist()
    monkeypatch.setattr(workbooks, "MOST", 100_000)
    with pytest.raises(sv.InputError, match=r"at most 100,000 cells, .*; delete what stands far"):
        sheets.from_file(far(10**12, "A"))


def test_a_sheet_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = sheets.to_xlsx(TABLE)
    monkeypatch.setattr(workbooks, "MOST", (1 + len(TABLE)) * (1 + TABLE.shape[1]))
    assert len(sheets.from_file(content)) == len(TABLE)
    monkeypatch.setattr(workbooks, "MOST", workbooks.MOST - 1)
    with pytest.raises(sv.InputError, match=r"at most [0-9]+ cells"):
        sheets.from_file(content)


def opendocument() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<table/>")
    return out.getvalue()


def test_a_table_of_libreoffice_is_refused_with_how_to_save_it(tmp_path: Path) -> None:
    """It was "an archive of something else", and as a data file it had no known ending."""
    said = r"it is an OpenDocument table \(\.ods\); .*save it as \.xlsx or \.csv$"
    with pytest.raises(sv.InputError, match=said):
        sheets.from_file(opendocument())
    for name, message in (("a.xlsx", said), ("a.ods", r"got 'a\.ods'; save it as \.xlsx or \.csv$")):
        path = tmp_path / name
        path.write_bytes(opendocument())
        with pytest.raises(sv.InputError, match=message):
            sv.Pool.read(path)


def test_columns_without_a_name_are_left_out_but_kept_beside_the_table() -> None:
    table = sheets.from_file(b",id,answer,,\n0,a,,1,\n1,b,,,\n")
    assert table.columns.tolist() == ["id", "answer"]
    assert table.attrs["nameless"] == {"D": ["1", ""]}
