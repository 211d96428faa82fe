"""Pools from Excel workbooks, which must hold in every cell what the same table says as text."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference

from sampleval._checks import InputError
from sampleval.pool import Pool


def workbook(path: Path, **tables: Sequence[Sequence[object]]) -> Path:
    """A workbook with a sheet for each name, cell by cell."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in tables.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


SCORED: list[list[object]] = [
    ["id", "score", "label", "day", "amount", "seen"],
    ["007", 0.25, "no", dt.datetime(2024, 5, 1), "1,5", True],
    ["008", 1, None, dt.datetime(2024, 5, 2), "0,25", False],
    ["009", 0, "yes", dt.datetime(2024, 5, 3), "2", True],
]


def test_a_workbook_of_charts_alone_is_refused(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(workbook(tmp_path / "charts.xlsx", scored=SCORED))
    chart = BarChart()
    chart.add_data(Reference(book["scored"], min_col=2, min_row=1, max_row=4))
    book.create_chartsheet("chart").add_chart(chart)
    book.save(tmp_path / "charts.xlsx")
    assert Pool.read(tmp_path / "charts.xlsx").size == 3
    book.remove(book["scored"])
    book.save(tmp_path / "charts.xlsx")
    with pytest.raises(InputError, match=r"must hold a sheet with cells; .*does it hold charts alone"):
        Pool.read(tmp_path / "charts.xlsx")


def test_a_workbook_is_read_like_its_table_as_text(tmp_path: Path) -> None:
    text = "id\tscore\tlabel\tday\tamount\tseen\n007\t0.25\tno\t2024-05-01\t1,5\tTrue\n"
    text += "008\t1\t\t2024-05-02\t0,25\tFalse\n009\t0\tyes\t2024-05-03\t2\tTrue\n"
    (tmp_path / "a.tsv").write_text(text)
    plain = Pool.read(tmp_path / "a.tsv")
    rows: list[list[object]] = [[], *SCORED, [None] * 9, []]  # a blank row above, and formatted ones below
    found = Pool.read(workbook(tmp_path / "a.xlsx", Scores=rows))
    assert found.ids.tolist() == ["007", "008", "009"]
    assert found.fields["amount"].tolist() == [1.5, 0.25, 2.0]
    assert found.fingerprint == plain.fingerprint
    assert found.report == plain.report
    (tmp_path / "a.xlsx.gz").write_bytes(gzip.compress((tmp_path / "a.xlsx").read_bytes()))
    assert Pool.read(tmp_path / "a.xlsx.gz").fingerprint == plain.fingerprint


def test_the_first_sheet_with_a_table_is_read_and_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", About=[["Scores of May"]], Scores=SCORED, More=[["x"], [1]])
    pool = Pool.read(path)
    assert pool.size == 3
    assert "Of the workbook's sheets 'Scores' was read, the first with a table." in pool.report


@pytest.mark.parametrize(
    "notes", [["Scores of the new model.", "See the other sheet."], ["Project", "Author", "Date"]]
)
def test_notes_before_the_sheet_with_the_table_are_passed_over(notes: list[str], tmp_path: Path) -> None:
    about = [[note, "x"] if notes[0] == "Project" else [note] for note in notes]
    scores: list[list[object]] = [["id", "score"], *([f"a{k}", 0.5] for k in range(5))]
    pool = Pool.read(workbook(tmp_path / "a.xlsx", Notes=about, Scores=scores))
    assert pool.size == 5
    assert (
        "Of the workbook's sheets 'Scores' was read, the first that names a score or a prediction."
        in pool.report
    )


def test_a_summary_is_not_read_in_place_of_a_table_whose_names_do_not_tell(tmp_path: Path) -> None:
    items: list[list[object]] = [
        ["id", "cat", "dog", "truth"],
        *([f"a{k}", 0.4, 0.6, "dog"] for k in range(5)),
    ]
    path = workbook(tmp_path / "a.xlsx", Items=items, Summary=[["model", "score"], ["a", 0.9]])
    assert Pool.read(path).ids.tolist() == [f"a{k}" for k in range(5)]


def test_a_sheet_that_is_seen_goes_before_a_hidden_one(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", Old=[["id", "score"], ["x", 0.5]], Scores=SCORED)
    book = openpyxl.load_workbook(path)
    book.active = book["Scores"]
    book["Old"].sheet_state = "hidden"
    book.save(path)
    assert Pool.read(path).ids.tolist() == ["007", "008", "009"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([*SCORED, ["010", 7, "no"]], "`score` must lie in [0, 1]; got 7.0 in line 5 (id '010')"),
        ([[], *SCORED, ["007", 0.5]], "got '007' in line 6"),
        ([*SCORED, SCORED[0]], "must name its columns once; line 5 repeats the names"),
        (
            [*SCORED[:2], [*SCORED[2], None, "!"]],
            "6 cells in every row; line 3 has 8; got '!'; delete what stands",
        ),
        (
            [["Scores of May"], *SCORED],
            "line 1 should name the columns: remove what stands above their names",
        ),
        (SCORED[:1], "at least one row of data"),
        ([*SCORED[:1], [" ", None, " "]], "at least one row of data"),
        ([[" "], SCORED[0]], "at least one row of data"),
        ([], "at least one row of data"),
        ([["id", "score", "score"], [1, 0.5, 0.5]], "distinct column names; got 'score'"),
        (
            [["", "Model A", "", "Model B"], ["id", "score", "pred", "score", "pred"], [1, 0.5, 1, 0.4, 0]],
            "line 2 has 5; got 'pred'; the names stand in two lines: join them into one, as in `Model A.score`",
        ),
        (
            [
                ["", "Model A", "", "Model B", "by"],
                ["id", "score", "pred", "score", "pred"],
                [1, 0.5, 1, 0.4, 0],
            ],
            "`by`: the names stand in two lines: join them into one, as in `Model A.score`",
        ),
    ],
)
def test_a_sheet_that_is_no_table_is_refused_by_its_line(
    rows: list[list[object]], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        Pool.read(workbook(tmp_path / "a.xlsx", Scores=rows))


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    def refused(content: bytes, said: str) -> None:
        (tmp_path / "a.xlsx").write_bytes(content)
        with pytest.raises(InputError, match=said):
            Pool.read(tmp_path / "a.xlsx")

    refused(b"id,score\n1,0.5\n", "its name says, Excel; it holds something else, perhaps CSV")
    refused(
        b"\xd0\xcf\x11\xe0" + bytes(99), "or one with a password; .* save it as .xlsx, without a password"
    )
    refused(b"PK\x03\x04" + bytes(99), "must be an undamaged Excel workbook; got 'a.xlsx'; save it anew")


@pytest.mark.parametrize(
    ("part", "before", "more", "said"),
    [
        ("xl/worksheets/sheet1.xml", b"</row>", b"<c/>" * 4_000_001, "at most 4,000,000 cells"),
        (
            "xl/styles.xml",
            b"</cellXfs>",
            b"<xf/>" * 200_001,
            "at most 200,000 formats of cells; it has 200,0",
        ),
    ],
)
def test_a_small_workbook_of_endless_parts_is_refused_at_once(
    part: str, before: bytes, more: bytes, said: str, tmp_path: Path
) -> None:
    """Of two files of 24 kB, a row of empty cells had taken gigabytes, and formats without cells minutes."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["id", "score"], ["a", 0.5]):
        book.active.append(row)
    book.save(out)
    with (
        zipfile.ZipFile(out) as old,
        zipfile.ZipFile(tmp_path / "items.xlsx", "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content.replace(before, more + before, 1) if name == part else content)
    with pytest.raises(InputError, match=said):
        Pool.read(tmp_path / "items.xlsx")


def test_ids_that_excel_may_have_rounded_are_said(tmp_path: Path) -> None:
    """Of more than 15 digits it keeps the first, and nothing told that these may be the ids of other items."""
    said = "may be rounded: Excel keeps 15 digits of a number"

    def report(*ids: object) -> str:
        book = openpyxl.Workbook()
        for row in (("id", "score"), *((one, 0.5) for one in ids)):
            book.active.append(row)
        book.save(tmp_path / "t.xlsx")
        pool = Pool.read(tmp_path / "t.xlsx")
        assert [*pool.ids] == [str(one) for one in ids]
        return " ".join(pool.report)

    assert said in report(123456789012345000, 123456789012346000, 77)
    assert said not in report("123456789012345678", "123456789012345000", "77")
    with pytest.raises(InputError, match="it is also in line 2; Excel keeps 15 digits"):
        report(123456789012345000, 123456789012345000)


def test_a_huge_number_keeps_the_digits_that_excel_shows(tmp_path: Path) -> None:
    """1.23456789012345E+17 became 123456789012344992, the nearest number in double precision."""
    book = openpyxl.Workbook()
    for row in (("id", "score"), (1.23456789012345e17, 0.5), (1.0, 0.5)):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    assert [*Pool.read(tmp_path / "t.xlsx").ids] == ["123456789012345000", "1"]


def test_zeros_that_a_format_shows_are_read_as_excel_saves_them_to_csv(tmp_path: Path) -> None:
    """Postcodes and ids formatted 00000 lost them: labels of 02139 from a CSV file met an item 2139."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("id", "score"), (2139, 0.5), (123456, 1), (0, 0), ("7", 0.25)):
        sheet.append(row)
    for line in range(2, 6):
        sheet.cell(line, 1).number_format = "00000"
        sheet.cell(line, 2).number_format = "0"
    book.save(tmp_path / "t.xlsx")
    pool = Pool.read(tmp_path / "t.xlsx")
    assert [*pool.ids] == ["02139", "123456", "00000", "7"]
    assert [*pool.score] == [0.5, 1, 0, 0.25]


@pytest.mark.parametrize(
    ("written", "instead", "ids"),
    [
        pytest.param(b'<c r="A2"', b'<c r="A2" s="99"', ["7", "0008"], id="a format that it does not have"),
        pytest.param(b"<v>7</v>", b"<v>7.0</v>", ["0007", "0008"], id="numbers as Java writes them"),
        pytest.param(b'"0000"', b'"%s"' % (b"0" * 10**6), ["7", "8"], id="more zeros than memory holds"),
    ],
)
def test_workbooks_of_other_programs_show_the_same_zeros(
    written: bytes, instead: bytes, ids: list[str], tmp_path: Path
) -> None:
    """Twenty kilobytes with a long format took 400 megabytes to read."""
    book = openpyxl.Workbook()
    for row in (("id", "score"), (7, 0.5), (8, 0.25)):
        book.active.append(row)
    for line in (2, 3):
        book.active.cell(line, 1).number_format = "0000"
    book.save(tmp_path / "sound.xlsx")
    with zipfile.ZipFile(tmp_path / "sound.xlsx") as sound, zipfile.ZipFile(tmp_path / "t.xlsx", "w") as odd:
        for part in sound.namelist():
            odd.writestr(part, re.sub(re.escape(written) + rb"(?: s=\"\d\")?", instead, sound.read(part)))
    assert [*Pool.read(tmp_path / "t.xlsx").ids] == ids


def test_what_openpyxl_leaves_out_or_changes_is_neither_damage_nor_printed(tmp_path: Path) -> None:
    """It warns of lists to choose from, print areas and dates after 9999; under `-W error` sound files were refused."""
    book = openpyxl.Workbook()
    for row in (("id", "score", "day"), ("a", 0.5, 1e20)):
        book.active.append(row)
    book.active["C2"].number_format = "yyyy-mm-dd"
    book.save(tmp_path / "t.xlsx")
    assert Pool.read(tmp_path / "t.xlsx").size == 1
