"""Delimited text as spreadsheets and programs write it: encodings, marks, lines and column names."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool
from sampleval.pool.tables import encoding
from tests.tables import written


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id\tscore\n007\t0.2\n", "utf-16"),
        ("id,score,é\n007,0.2,中\n", "utf-16-le"),
        ("id,score\n007,0.2\n", "utf-16-be"),
        ("\n \t\nid,score\n007,0.2\n", "utf-8"),
        ("\ufeff\ufeffid,score\n007,0.2\n", "utf-8"),
        ("\ufeffid\tscore\n007\t0.2\n", "utf-16"),
        ("\ufeff\r\nid;score\r\n007;0,2\r\n", "utf-8"),
        ("sep=;\nid;score\n007;0,2\n", "utf-8"),
        ('"sep=|"\r\nid|score\r\n007|0.2\r\n', "utf-8"),
        ('id,score,"a; b; c; d"\n007,0.2,x\n', "utf-8"),
        ("id,score,label\r\n007,0.2,\r\n,,\r\n , ,\r\n,,", "utf-8"),
        ("id;score\n007;0,2\n;\n", "utf-8"),
    ],
)
def test_files_with_excels_additions_are_read(text: str, encoding: str, tmp_path: Path) -> None:
    pool = Pool.read(written(tmp_path, text, encoding=encoding))
    assert (pool.ids.tolist(), pool.score.tolist()) == (["007"], [0.2])


def test_csv_keeps_ids_and_codes_as_written(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    path.write_text("id; p ;zip;n\n007; 0.25;01234;5\n8;0.75;99999;6\n", encoding="utf-8-sig")
    pool = Pool.read(path)
    assert pool.ids.tolist() == ["007", "8"]
    assert pool.score.tolist() == [0.25, 0.75]
    assert pool.fields["zip"].tolist() == ["01234", "99999"]
    assert pool.fields["n"].tolist() == [5, 6]


@pytest.mark.parametrize("named", [("pred", "label"), ("found", "truly")])
def test_items_without_any_label_at_the_end_of_a_table_of_sets_are_kept(
    named: tuple[str, str], tmp_path: Path
) -> None:
    """They look like rows that a spreadsheet emptied, and were left out without a word."""
    table = written(tmp_path, f"{','.join(named)}\na|b,a\n,\nb,a|b\n,\n,\n")
    pool = Pool.read(table, task="multilabel", pred=named[0], label=named[1])
    assert pool.pred.tolist() == [[1, 1], [0, 0], [0, 1], [0, 0], [0, 0]]


def test_many_byte_order_marks_are_left_out_at_once(tmp_path: Path) -> None:
    """The whole file had been copied for each of them."""
    text = "\ufeff" * 300_000 + "id,score\na,0.5\nb,0.2\n"
    assert Pool.read(written(tmp_path, text)).columns.id == "id"


# ---------------------------------------------------------------- encodings


@pytest.mark.parametrize("name", ["items.csv", "items.csv.gz"])
def test_what_excel_saves_in_western_europe_is_read_and_said(name: str, tmp_path: Path) -> None:
    """There, Excel writes CSV in Windows-1252 without asking."""
    text = "id;score;Prüfer\r\n1;0,25;Müller – 5 €\r\n2;0,75;„Ça va“\r\n".encode("cp1252")
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    pool = Pool.read(path)
    assert pool.fields["Prüfer"].tolist() == ["Müller – 5 €", "„Ça va“"]
    assert any("was read as Windows-1252" in line and "'Prüfer'" in line for line in pool.report)
    plain = Pool.read(written(tmp_path, "id;score;Prüfer\n1;0,25;ä\n", "plain.csv"))
    assert not any("Windows" in line for line in plain.report)


def test_windows_text_is_decoded_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block may end within a word, and the first letter beyond ASCII may be in any block."""
    monkeypatch.setattr(encoding, "BLOCK", 7)
    text = "plain, plain, plain, straße_à; Größe\n" * 3
    found = encoding.decoded(text.encode("cp1252"))
    assert found == encoding.Decoded(text.encode(), "straße")
    assert encoding.decoded(b"5 \x80") == encoding.Decoded("5 €".encode(), "€")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,score,t\n1,0.5,é\n".encode("cp1252") + b"2,0.5,\x81\n", r"UTF-8 text \(line 2, byte 0xe9\)"),
        ("id,score,t\n1,0.5,é\n".encode("cp1252") + b"2,0.5,\0\n", r"UTF-8 text \(line 2, byte 0xe9\)"),
        ("id,score,t\n1,0.5,Größe\n".encode() + b"2,0.5,\xe9\n", r"UTF-8 text \(line 3, byte 0xe9\)"),
        ("\ufeffid,score,t\n1,0.5,e\n".encode() + b"2,0.5,\xe9\xe9\n", r"UTF-8 text \(line 3, byte 0xe9\)"),
        ("\ufeffid,score,".encode() + b"\xe9t\n1,0.5,e\n", r"UTF-8 text \(line 1, byte 0xe9\)"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it holds a picture"),
        (bz2.compress(b"id,score\n1,0.5\n"), "it holds bzip2; got 'items.csv'; unpack it first"),
        (bz2.compress(b"id,score\n1,0.5\n", 1), "it holds bzip2; got 'items.csv'; unpack it first"),
        (lzma.compress(b"id,score\n1,0.5\n"), "it holds xz; got 'items.csv'; unpack it first"),
        (
            lzma.compress(b"id,score\n1,0.5\n", lzma.FORMAT_ALONE),
            "it holds lzma; got 'items.csv'; unpack it first",
        ),
        (b"\x04\x22\x4d\x18\x64\x40\xa7", "it holds LZ4; got 'items.csv'; unpack it first"),
        (b"\x1f\x9d\x90i\xc8", r"it holds compress \(.Z\); got 'items.csv'; unpack it first"),
        (b"\x93NUMPY\x01\0v\0", r"UTF-8 text \(line 1, byte 0x93\).* if it is no damaged file"),
    ],
    ids=[
        "undefined",
        "nul",
        "damaged",
        "marked",
        "marked, in the names",
        "picture",
        "bzip2",
        "fast bzip2",
        "xz",
        "lzma",
        "lz4",
        "compress",
        "array",
    ],
)
def test_what_is_no_text_or_damaged_is_not_taken_for_windows(
    content: bytes, said: str, tmp_path: Path
) -> None:
    (path := tmp_path / "items.csv").write_bytes(content)
    with pytest.raises(InputError, match=said):
        Pool.read(path)


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("id,score\na,0.5\nb,1.7\n", "a.csv", r"got 1.7 in line 3 \(id 'b'\)"),
        ("\nsep=;\nid;score\na;0.5\nb;1.7\n", "a.csv", r"got 1.7 in line 5 \(id 'b'\)"),
        ("id\tscore\na\t0.5\nb\t0.6\na\t0.7\n", "a.tsv", "got 'a' in line 4; it is also in line 2"),
        ('{"id": "a", "score": 0.5}\n{"id": "b", "score": 1.7}\n', "a.jsonl", "got 1.7 at row 1"),
    ],
)
def test_a_cell_that_is_refused_is_told_by_its_line(text: str, name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        Pool.read(written(tmp_path, text, name))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nsep=,\nid,score\n1,0.5\n2\n", "line 5 has 1"),
        ('id,text,score\na,"x\ny\nz",0.5\nb,"z",0.6,9\n', "line 5 has 4"),
        ('id,text,score\n\n\na,x,0.5\r\n\r\nb,"z",0.6,9\n', "line 6 has 4"),
        ("id,text,score\r\ra,x,0.5\rb\r", "line 4 has 1"),
    ],
)
def test_lines_are_counted_as_the_file_has_them(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        Pool.read(written(tmp_path, text))


def test_carriage_returns_alone_end_lines_before_the_names_too(tmp_path: Path) -> None:
    pool = Pool.read(written(tmp_path, "\r\rsep=;\rid;score\ra;0.5\rb;0.25\r"))
    assert (pool.ids.tolist(), pool.score.tolist()) == (["a", "b"], [0.5, 0.25])
    with pytest.raises(InputError, match="in line 6"):
        Pool.read(written(tmp_path, "\r\rsep=;\rid;score\ra;0.5\rb;often\r"))


# ---------------------------------------------------------------- column names


@pytest.mark.parametrize(
    "text",
    ["# title\nid,score\n1,0.5\n", 'From May\nx,1,"a\nb"\n', "Scores in May\nid,score\n1,0.5\n"],
)
def test_a_title_above_the_column_names_is_named(text: str, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"must have 1 cell in every row; line 2 .* remove what stands above"
    ):
        Pool.read(written(tmp_path, text))
    with pytest.raises(InputError, match="line 2 has 2; got '0,5'; quote cells"):
        Pool.read(written(tmp_path, "score\n0,5\n"))


@pytest.mark.parametrize("row", ["b,0.5", "   ", "b"])
def test_a_row_without_some_cells_is_to_be_completed_or_deleted(row: str, tmp_path: Path) -> None:
    """It was told to quote cells that hold the separator, which makes a row longer."""
    with pytest.raises(InputError, match=r"line 3 has .; got '.*'; complete or delete line 3, and quote"):
        Pool.read(written(tmp_path, f"id,score,text\na,0.5,x\n{row}\nc,0.5,y\n"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_column_names_amid_the_rows_are_no_item(end: str, tmp_path: Path) -> None:
    """In files joined into one, `pred` had become a class and `id` an item."""
    text = "id,pred,text\na,spam,\n\nid,pred,text\nb,ham,text\n".replace("\n", end)
    with pytest.raises(InputError, match="must name its columns once; line 4 repeats the names"):
        Pool.read(written(tmp_path, text))


@pytest.mark.parametrize("text", ["id,score", "hello", "id,score\n\n"])
def test_names_without_rows_are_no_table(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must hold at least one row of data"):
        Pool.read(written(tmp_path, text))


def test_an_error_is_one_line_whatever_a_column_is_called(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`score \(raw\)` must be a number; got 'high'"):
        Pool.read(written(tmp_path, 'id,"score\n(raw)"\na,high\n'), score="score\n(raw)")


@pytest.mark.parametrize("name", ["a_" * 60_000, "_" * 60_000 + "y", "P(" + " " * 60_000 + "y"])
def test_endless_column_names_are_refused_at_once(name: str, tmp_path: Path) -> None:
    """The search for common beginnings took gigabytes, and that for a role took minutes."""
    text = f'id,"{name}",score\na,0.1,0.5\nb,0.2,0.2\n'
    with pytest.raises(InputError, match="column names of at most 500 characters"):
        Pool.read(written(tmp_path, text))


def test_a_comment_with_commas_above_the_column_names_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "# model 3, of May\nid,score,label\na,0.5,1\n")
    with pytest.raises(InputError, match="line 1 should name the columns: remove what stands above"):
        Pool.read(path)


@pytest.mark.parametrize("row", ['"1","a",0.5', "a,0.5,"])
def test_a_cell_without_a_name_in_every_row_is_told(row: str, tmp_path: Path) -> None:
    """R's write.table names no column of row names; others end each row with a separator."""
    with pytest.raises(InputError, match="if every row has one more, name it in line 1 too; else quote"):
        Pool.read(written(tmp_path, f"id,score\n{row}\n"))
    with pytest.raises(InputError, match=r"line 3 has 3; got '.*'; quote cells"):
        Pool.read(written(tmp_path, f"id,score\nb,0.4\n{row}\n"))


@pytest.mark.parametrize("names", ["0.25", "2.5e-01,7.5e-01"])
def test_a_row_of_numbers_in_place_of_the_names_is_said_to_be_one(names: str, tmp_path: Path) -> None:
    """The advice was to delete a row that is alike, or to rename the columns, and either loses an item."""
    rows = [names, names.replace("2", "3"), names]
    with pytest.raises(InputError, match="the first line should name the columns, and seems to be a row"):
        Pool.read(written(tmp_path, "\n".join(rows)))


def test_columns_of_two_levels_are_named_in_two_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"stand in two lines: join them into one, as in `model\.score`"):
        Pool.read(written(tmp_path, "item,model,truth\nid,score,label\na,0.5,1\n"))
    with pytest.raises(InputError) as told:  # one text that is such a name
        Pool.read(written(tmp_path, "key,word\na,score\nb,sore\n"))
    assert "two lines" not in str(told.value)
