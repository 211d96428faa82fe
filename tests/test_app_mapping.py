"""Files as spreadsheets and programs write them: what is read, what is refused, and which line is named."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task, encode_label, guess_columns
from sampleval.pool.columns import Told
from sampleval.pool.guessing import resolve
from sampleval.pool.tables import encoding, read_frame
from sampleval.pool.tables.quotes import closed


def written(folder: Path, text: str, name: str = "items.csv", encoding: str = "utf-8") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def table(**at: str) -> str:
    """Six rows of id, score, label and text, some of them with other texts: `r3="…"`."""
    rows = [f"{k},0.{k},{k % 2},{at.get(f'r{k}', f'comment {k}')}" for k in range(1, 7)]
    return "\n".join(["id,score,label,text", *rows, ""])


# ---------------------------------------------------------------- quotes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (table(r3='"comment'), "the one in line 4 never closes"),
        (table(r6='"comment'), "the one in line 7 never closes"),
        (table(r2='"comment', r5='"comment'), "the one in line 3 runs on to line 6, over other rows"),
        (table(r2='"comment', r5='5"'), "the one in line 3 runs on to line 6, over other rows"),
        (table(r2='"comment', r3='"a fine text"'), "the one in line 3 runs on to line 4"),
        ("\n\nsep=,\n" + table(r3='"comment'), "the one in line 7 never closes"),
        (table(r3='"comment').replace("\n", "\r\n"), "the one in line 4 never closes"),
        ('id,score,"text\n1,0.5,a\n', "the one in line 1 never closes"),
    ],
)
def test_a_stray_quote_is_refused_by_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"must close every quote.*{said}"):
        Pool.read(written(tmp_path, text))


@pytest.mark.parametrize(
    "cell",
    [
        "two\nlines",
        "Dear Sir,\n\nI would, as you know, like 5,3,1\nbest, me",
        'she said "yes"\nand left',
        "a,b,c,d\ne,f,g,h",  # as many cells as the header has, but no number where the row has one
        '"',
        "",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_honest_line_breaks_and_quotes_are_read(cell: str, end: str, tmp_path: Path) -> None:
    quoted = '"' + cell.replace('"', '""') + '"'
    text = table(r2=quoted, r3='5" pipe', r4='"he said "hi" to me"', r5=quoted).replace("\n", end)
    frame = read_frame(written(tmp_path, text), Told())
    assert len(frame) == 6
    if cell:
        assert frame["text"][1] == frame["text"][4] == cell.replace("\n", end)
    assert frame["text"][2] == '5" pipe'


def test_rows_that_end_in_carriage_returns_may_hold_line_feeds_in_quotes(tmp_path: Path) -> None:
    """Any line feed had counted as the end of a row, so that such texts seemed to run over other rows."""
    text = '\rid,score,text\r1,0.3,"two\nlines"\r2,0.4,x\r3,0.2,"and\nmore"\r'
    assert read_frame(written(tmp_path, text), Told())["text"].tolist() == ["two\nlines", "x", "and\nmore"]
    with pytest.raises(InputError, match="line 6 has 4"):
        read_frame(written(tmp_path, f"{text}4,0.5,x,y\r"), Told())


class Counted(bytes):
    """Text that keeps how many of its characters were searched for line breaks."""

    searched = 0

    def count(self, *told: Any) -> int:
        type(self).searched += told[2] - told[1]
        return super().count(*told)


def test_lines_are_counted_once_however_many_texts_hold_line_breaks() -> None:
    """Counted from the top for each such text, 40,000 rows had taken half a minute."""
    data = Counted(b"id,text\n" + b'1,"two\nlines"\n' * 500 + b'1,"open')
    with pytest.raises(InputError, match="the one in line 1002 never closes"):
        closed(data, ",", 2, line=1, name="items.csv")
    assert Counted.searched <= 2 * len(data)


# ---------------------------------------------------------------- spreadsheets' ways


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id\tscore\n007\t0.2\n", "utf-16"),
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


@pytest.mark.parametrize("named", [("pred", "label"), ("found", "truly")])
def test_items_without_any_label_at_the_end_of_a_table_of_sets_are_kept(
    named: tuple[str, str], tmp_path: Path
) -> None:
    """They look like rows that a spreadsheet emptied, and were left out without a word."""
    table = written(tmp_path, f"{','.join(named)}\na|b,a\n,\nb,a|b\n,\n,\n")
    pool = Pool.read(table, task="multilabel", pred=named[0], label=named[1])
    assert pool.pred.tolist() == [[1, 1], [0, 0], [0, 1], [0, 0], [0, 0]]


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


@pytest.mark.parametrize(
    ("cell", "said"),
    [("high", "must be a number; got 'high' in line 3"), ("inf", "must be finite; got inf in line 3")],
)
def test_of_decimal_commas_the_cell_that_is_wrong_is_named(cell: str, said: str, tmp_path: Path) -> None:
    """The first cell with a comma had been blamed although another cell was wrong."""
    with pytest.raises(InputError, match=said):
        Pool.read(written(tmp_path, f"id;score\n1;0,25\n2;{cell}\n3;0,5\n"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,score,t\n1,0.5,é\n".encode("cp1252") + b"2,0.5,\x81\n", r"UTF-8 text \(line 2, byte 0xe9\)"),
        ("id,score,t\n1,0.5,é\n".encode("cp1252") + b"2,0.5,\0\n", r"UTF-8 text \(line 2, byte 0xe9\)"),
        ("id,score,t\n1,0.5,Größe\n".encode() + b"2,0.5,\xe9\n", r"UTF-8 text \(line 3, byte 0xe9\)"),
        ("\ufeffid,score,t\n1,0.5,e\n".encode() + b"2,0.5,\xe9\xe9\n", r"UTF-8 text \(line 3, byte 0xe9\)"),
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


def test_windows_text_is_decoded_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block may end within a word, and the first letter beyond ASCII may be in any block."""
    monkeypatch.setattr(encoding, "BLOCK", 7)
    text = "plain, plain, plain, straße_à; Größe\n" * 3
    found = encoding.decoded(text.encode("cp1252"))
    assert found == encoding.Decoded(text.encode(), "straße")
    assert encoding.decoded(b"5 \x80") == encoding.Decoded("5 €".encode(), "€")


@pytest.mark.parametrize(
    ("price", "said"),
    [(["1.234", "2.500"], True), (["1.234", "12"], True), (["1.5", "2.500"], False), (["0.234", "0.500"], False),
     (["1,234", "2,5"], False), (["12", "13"], False)],
)  # fmt: skip
def test_points_beside_decimal_commas_are_said(price: list[str], said: bool, tmp_path: Path) -> None:
    rows = [f"{k};0,{k + 2};{price[k]}" for k in range(2)]
    pool = Pool.read(written(tmp_path, "\n".join(["id;score;price", *rows])))
    assert any("`price` was read with decimal points, but" in line for line in pool.report) == said
    rows = [f"{k};0.{k + 2};{price[k]}" for k in range(2)]  # the scores' points are decimal marks
    alone = Pool.read(written(tmp_path, "\n".join(["id;score;price", *rows])))
    assert not any("decimal points" in line for line in alone.report)


@pytest.mark.parametrize(
    "cells",
    [
        ["371.520,46", "1.265.482,8", "950,00", "2.000", "-12.345"],
        ["371 520,46", "1 265 482,8", "950,00", "2 000", "-12 345"],
        ["371\u202f520,46", "1\u00a0265\u00a0482,8", "950,00", "2\u202f000", "-12\u00a0345"],
        ["371,520.46", "1,265,482.8", "950.00", "2,000", "-12,345"],
        ["371'520.46", "1'265'482.8", "950.00", "2'000", "-12'345"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", [";", ","])
def test_parted_thousands_are_read_where_one_cell_tells_what_parts_them(
    cells: list[str], mark: str, tmp_path: Path
) -> None:
    """A bank's or an estate agent's table: each of its numbers was refused, with the advice to drop the row."""
    rows = [f'{k}{mark}"{cell}"{mark}x{k}' for k, cell in enumerate([*cells, "NA"])]
    path = written(tmp_path, "\n".join([f"id{mark}Schätzwert{mark}text", *rows[:-1]]))
    pool = Pool.read(path, pred="Schätzwert", task="regression")
    assert pool.pred.tolist() == [371520.46, 1265482.8, 950.0, 2000.0, -12345.0]
    shown = Pool.read(written(tmp_path, "\n".join([f"id{mark}price{mark}pred", *rows])), pred="pred")
    assert np.isnan(float(shown.fields["price"].tolist()[-1]))


@pytest.mark.parametrize(
    "cells", [["1.234,50", "12.5"], ["1.234,50", "1,234.50"], ["1.234,50", "12.34,5"], ["1.234", "0,5"]]
)
def test_amounts_that_are_not_written_alike_stay_as_written(cells: list[str], tmp_path: Path) -> None:
    rows = [f'{k};0,{k + 2};"{cell}"' for k, cell in enumerate(cells)]
    pool = Pool.read(written(tmp_path, "\n".join(["id;score;price", *rows])))
    assert pool.fields["price"].tolist() == cells


@pytest.mark.parametrize("cell", ["1.234,50", "1,234.50"])
def test_a_number_with_parted_thousands_is_refused_with_what_to_write(cell: str) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "value": [cell, "12"]})
    with pytest.raises(
        InputError, match=r"`value` must be a number; .* thousands are separated: write 1234\.50"
    ):
        Pool.from_frame(frame, pred="value", task="regression")


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


def test_blank_lines_between_records_are_counted_too(tmp_path: Path) -> None:
    path = written(tmp_path, '{"score": 0.5}\n\n\n{"score": "x"}\n', "items.jsonl")
    with pytest.raises(InputError, match="breaks at line 4"):
        Pool.read(path)


@pytest.mark.parametrize("text", ["# title\nid,score\n1,0.5\n", 'From May\nx,1,"a\nb"\n'])
def test_a_title_above_the_column_names_is_named(text: str, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"must have 1 cell in every row; line 2 .* remove what stands above"
    ):
        Pool.read(written(tmp_path, text))
    with pytest.raises(InputError, match="line 2 has 2; got '0,5'; quote cells"):
        Pool.read(written(tmp_path, "score\n0,5\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"id",\t"score"\n"a",\t"0.5"\n', "put nothing between a separator and the quote after it"),
        ('"id,score"\n"a,0.5"\n', "if the one column is several, part them by commas"),
        ("id score\na 0.5\n", "if the one column is several, part them by commas"),
        ("id,text\na,b\n", "name one, score=…"),
        (
            "id,a_score,b_score\na,1,0\n",
            "`a_score`, `b_score` could each be the score: name one, score=…, or to .* `a.score`,",
        ),
        ("id,label_pred\na,1\n", "if `label_pred` holds the decision, name it, pred=…"),
        ("id,a_pred,b_pred\na,1,0\n", "`a_pred`, `b_pred` could each be the decision: name one, pred=…, or"),
        (
            "id,q,judge\na,\"{'x': 1}\",\"{'score': 1}\"\n",
            "`judge` holds records with `score`: give each of these",
        ),
        ("From May,,\nid,score,text\na,0.5,x\n", "the first line should name the columns: remove what"),
    ],
)
def test_columns_that_are_not_parted_are_told_why(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"no column holds a score or a prediction; there is .*: {said}"):
        Pool.read(written(tmp_path, text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";"])
def test_quotes_after_a_space_are_quotes(mark: str, end: str, tmp_path: Path) -> None:
    """They had been parts of the classes' names, and a separator within them had ended the cell."""
    rows = [
        ['"id"', '"pred"', '"text"', '"label"'],
        ['"a"', '"yes"', f'"so{mark} ""he"" said{mark} ""well"""', '"no"'],
        ['"b"', '"no"', '"" ', '"no"'],
        ['"c"', '"yes"', 'she "said"', '"yes"'],
    ]
    pool = Pool.read(written(tmp_path, end.join(f"{mark} ".join(row) for row in rows)), fields=["text"])
    assert (pool.task.kind, pool.task.classes, pool.pred.tolist()) == ("binary", ("no", "yes"), [1, 0, 1])
    assert pool.fields["text"].tolist()[::2] == [f'so{mark} "he" said{mark} "well"', ' she "said"']


def test_an_error_is_one_line_whatever_a_column_is_called(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`score \(raw\)` must be a number; got 'high'"):
        Pool.read(written(tmp_path, 'id,"score\n(raw)"\na,high\n'), score="score\n(raw)")


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


def test_an_id_that_only_sounds_like_one_stays_as_written_too(tmp_path: Path) -> None:
    path = written(tmp_path, "ticket_id,score\n1e5,0.2\n2.50,0.9\n")
    assert Pool.read(path).ids.tolist() == ["1e5", "2.50"]


# ---------------------------------------------------------------- words for what is missing


@pytest.mark.parametrize("word", ["None", "NA", "null", "N/A", "NaT"])
def test_a_word_for_missing_is_a_class_where_one_bears_its_name(word: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"id,score,label\n{word},0.2,{word}\nb,0.9,toxic\nc,0.1,\nd,0.3,nan\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame, classes=[word, "toxic"])
    assert pool.ids.tolist() == [word, "b", "c", "d"]
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, -1, -1]
    assert any("'nan' (1), taken for unknown" in line for line in pool.report)
    assert guess_columns(frame).question.startswith(f"`label` holds '{word}' and 'toxic'")


def test_a_word_for_missing_is_unknown_elsewhere_and_the_report_says_so(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,score,label,age\n1,0.2,no,4\n2,0.9,yes,NA\n3,0.1,NA,6\n4,0.3,None,\n5,0.4,NA,1\n"
    )
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    assert pool.task == Task("binary", ("no", "yes"))
    assert labels.values.tolist() == [0, 1, -1, -1, -1]
    said = "`label` holds 'NA' (2), 'None' (1), taken for unknown; if it is a class, name it with `classes`."
    assert said in pool.report
    assert said not in labels.report  # once is enough
    later = pd.DataFrame({"id": ["1", "2"], "label": ["n/a", "yes"]})
    assert "`label` holds 'n/a' (1), taken for unknown" in Labels.from_frame(later, pool).report[-1]
    assert pool.fields["age"].isna().tolist() == [False, True, False, True, False]


def test_a_decision_may_have_the_name_of_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path, "id,pred,label\n1,NA,EU\n2,EU,NA\n3,AS,EU\n4,EU,\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("AS", "EU", "NA")
    assert Labels.from_frame(frame, pool).values.tolist() == [1, 2, 1, -1]
    path = written(tmp_path, "id,pred\n1,cat\n2,nan\n3,dog\n4,cow\n")
    with pytest.raises(InputError, match="must hold a decision in every row; got 'nan' in line 3"):
        Pool.read(path)


# ---------------------------------------------------------------- sets of labels and spellings


@pytest.mark.parametrize("empty", ["", "[]", "none"])
@pytest.mark.parametrize("told", [{}, {"task": "multilabel"}])
def test_decisions_that_are_sets_name_the_labels_in_them(empty: str, told: Any, tmp_path: Path) -> None:
    path = written(tmp_path, f"id,prediction\n1,sport|politics\n2,{empty}\n3,music\n")
    pool = Pool.read(path, **told)
    assert pool.task == Task("multilabel", ("music", "politics", "sport"))
    assert pool.pred.tolist() == [[0, 1, 1], [0, 0, 0], [1, 0, 0]]
    said = "`prediction` names no label in 1 cell: none is predicted there."
    assert (said in pool.report) == (empty != "[]")


@pytest.mark.parametrize(
    ("cells", "kind", "said"),
    [
        (
            ["news", "art|design", "sport"],
            "multiclass",
            "'art|design' is one, as its parts are met nowhere else",
        ),
        (["news", "art|design", "art"], "multilabel", "if 'art|design' is one class, choose several classes"),
        (["news", "art|design", "news|sport"], "multilabel", "holds sets of labels: any number per item."),
        (["a|b", "c|d", "e"], "multilabel", "holds sets of labels: any number per item."),
        (["news", "art|design", "sport", "[]"], "multilabel", "holds sets of labels: any number per item."),
        (["news", "art", "sport"], "multiclass", "`pred` names a class."),
    ],
)
def test_one_name_with_a_bar_in_it_makes_no_sets_of_all(cells: list[str], kind: str, said: str) -> None:
    frame = pd.DataFrame({"pred": cells * 4, "label": cells * 4})
    pool = Pool.from_frame(frame)
    assert pool.task.kind == kind
    assert said in " ".join(pool.report)
    assert Labels.from_frame(frame, pool).complete
    if kind == "multiclass":
        assert pool.task.classes == tuple(sorted(cells))
    other = Pool.from_frame(frame, task="multiclass" if kind == "multilabel" else "multilabel")
    assert other.task.kind != kind


def test_labels_that_are_sets_make_scores_those_of_any_label(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,p_a,p_b,p_c,label\n1,.9,.8,.1,a|b\n2,.2,.1,.3,\n3,.1,.1,.9,c\n4,.2,.1,.3,[]\n"
    )
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    assert pool.task == Task("multilabel", ("a", "b", "c"))
    assert labels.known.tolist() == [True, False, True, True]
    assert any("write [] for an item without any label" in line for line in labels.report)


def test_lists_of_labels_are_not_the_label_of_two_systems(tmp_path: Path) -> None:
    rows = [{"id": 1, "score_a": 0.5, "score_b": 0.9, "labels": ["a", "b"]},
            {"id": 2, "score_a": 0.5, "score_b": 0.9, "labels": []}]  # fmt: skip
    path = written(tmp_path, "\n".join(map(json.dumps, rows)), "items.jsonl")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["no", "Yes", "YES", "yes"], ("no", "Yes")),
        (["yes", "0", "1", "no"], ("0", "yes")),
        (["False", "TRUE", "true", "false"], ("False", "TRUE")),
        (["Yes", "0.0", "1 ", "TRUE"], ("0", "Yes")),
    ],
)
def test_one_class_in_several_spellings_is_one_class(cells: list[str], classes: tuple[str, str]) -> None:
    frame = pd.DataFrame({"score": [0.1, 0.9, 0.8, 0.7], "label": cells})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == classes
    assert pool.columns.label == ("label",)
    assert Labels.from_frame(frame, pool).known.all()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Spam", "spam"), "are 'Spam' and 'spam' one class"),
        (("caf\u00e9", "cafe\u0301"), "one class"),
        (("spam", "?"), r"is '\?' a class, or is nothing known there"),
        (("spam", "-"), "is '-' a class"),
    ],
)
@pytest.mark.parametrize("task", ["multiclass", "multilabel"])
def test_class_names_that_may_be_spellings_of_one_class_are_asked_about(
    names: tuple[str, str], said: str, task: Any
) -> None:
    frame = pd.DataFrame({"pred": ["eggs", names[0], "ham"], "label": [names[1], "eggs", "ham"]})
    with pytest.raises(InputError, match=said):
        Pool.from_frame(frame, task=task)
    assert Pool.from_frame(frame, task=task, classes=["eggs", "ham", *names]).task.width == 4
    signs = pd.DataFrame({"pred": ["+", "-", "="]})
    assert Pool.from_frame(signs).task.classes == ("+", "-", "=")


@pytest.mark.parametrize("word", ["<NA>", r"\N"])
def test_words_for_a_missing_value_are_no_class_names(word: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"id,pred,label,age\n1,cat,{word},{word}\n2,dog,cow,7\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("cat", "cow", "dog")
    assert Labels.from_frame(frame, pool).values.tolist() == [-1, 1]
    assert pool.fields["age"].isna().tolist() == [True, False]
    with pytest.raises(InputError, match="must hold a decision in every row"):
        Pool.read(written(tmp_path, f"id,pred\n1,cat\n2,{word}\n3,dog\n"))


@pytest.mark.parametrize("form", ["csv", "frame"])
@pytest.mark.parametrize("asks", ["label", "pred"])
@pytest.mark.parametrize(
    ("cell", "said"),
    [(None, "must not be missing"), ("", "must not be missing"), ("high", "must be a number; got 'high'")],
)
def test_a_score_without_numbers_takes_no_class_along(
    cell: Any, said: str, asks: str, form: str, tmp_path: Path
) -> None:
    """A third label had silently been left out."""
    scores = {"score_a": [0.1, 0.9], "score_b": [0.4, 0.3], "score_c": [cell] * 2}
    frame = pd.DataFrame(scores | {f"{asks}_{name}": [0, 1] for name in "abc"})
    frame.to_csv(path := tmp_path / "pool.csv", index=False)
    with pytest.raises(InputError, match=f"`score_c` {said}.* row 0"):
        Pool.from_frame(frame if form == "frame" else read_frame(path, Told()))
    assert Pool.from_frame(frame.drop(columns=["score_c", f"{asks}_c"])).task.classes == ("a", "b")


def test_words_beside_a_score_are_no_score() -> None:
    frame = pd.DataFrame(
        {"score_a": [0.1, 0.9], "score_b": [0.4, 0.3], "label_a": [0, 1], "score_why": ["x", "y"]}
    )
    assert guess_columns(frame).classes == ("a", "b")


# ---------------------------------------------------------------- numbers, lists and times


@pytest.mark.parametrize("told", [{}, {"id": "id"}, {"id": "id", "fields": ["text"]}])
def test_ids_that_parquet_holds_as_a_range_are_ids(told: dict[str, Any], tmp_path: Path) -> None:
    """Of ids from 1 on that are the index pandas writes but where they begin and end; items had been called 0, 1, 2."""
    frame = pd.DataFrame({"id": [1, 2, 3], "score": [0.1, 0.9, 0.5], "text": ["a", "b", "c"]})
    frame.set_index(pd.RangeIndex(1, 4, name="id")).drop(columns="id").to_parquet(tmp_path / "items.parquet")
    pool = Pool.read(tmp_path / "items.parquet", **told)
    assert pool.ids.tolist() == ["1", "2", "3"]
    assert pool.fields.columns.tolist() == ["text"]


@pytest.mark.parametrize(
    ("rows", "ids"), [(slice(2, None), ["2", "3"]), (slice(None, None, -1), ["3", "2", "1", "0"])]
)
def test_rows_of_parquet_keep_their_numbers(rows: slice, ids: list[str], tmp_path: Path) -> None:
    frame = pd.DataFrame({"score": [0.1, 0.2, 0.7, 0.9]})
    frame[rows].to_parquet(tmp_path / "items.parquet")
    assert Pool.read(tmp_path / "items.parquet").ids.tolist() == ids


def test_long_lists_are_shown_whole(tmp_path: Path) -> None:
    """Of 1,200 numbers only the first and last three had been shown."""
    cells = [[{"parts": list(range(1200))}], []]
    times = [np.array(["2024-05-01"], "M8[us]")] * 2
    pd.DataFrame({"score": [0.1, 0.9], "text": cells, "at": times}).to_parquet(tmp_path / "items.parquet")
    fields = Pool.read(tmp_path / "items.parquet").fields
    assert fields["text"].tolist() == list(map(str, cells))
    assert fields["at"].str.startswith("['2024-05-01").all()


def test_lists_of_short_numbers_are_shown_with_the_digits_that_they_have(tmp_path: Path) -> None:
    """0.1 of 32 bits had been shown as 0.10000000149011612."""
    cells = pa.array([[0.1, 2.5], [1e-5, None]], pa.list_(pa.float32()))
    pq.write_table(pa.table({"score": [0.1, 0.9], "text": cells}), tmp_path / "items.parquet")
    assert Pool.read(tmp_path / "items.parquet").fields["text"].tolist() == ["[0.1, 2.5]", "[1e-05, nan]"]


@pytest.mark.parametrize(("cells", "mark"), [(["34.9%", "100 %", ""], ","), (["34,9%", "100 %", ""], ";")])
@pytest.mark.parametrize("transform", [None, "percent"])
def test_cells_that_say_percent_are_read_so(
    cells: list[str], mark: str, transform: Any, tmp_path: Path
) -> None:
    rows = [mark.join(row) for row in zip(["id", "a", "b", "c"], ["prob_spam", *cells], strict=True)]
    path = written(tmp_path, "\n".join(rows[:3]))
    pool = Pool.read(path, transform=transform)
    assert pool.score.tolist() == pytest.approx([0.349, 1.0], abs=1e-15)
    assert "`prob_spam` was text and was read as percentages, divided by 100." in pool.report
    assert not any("percentages divided by 100, from" in line for line in pool.report)
    path = written(tmp_path, "\n".join(rows))
    with pytest.raises(InputError, match="`prob_spam` must not be missing"):
        Pool.read(path, transform=transform)


@pytest.mark.parametrize(("pred", "label"), [("50", "55%"), ("50%", "55")])
def test_percentages_are_not_compared_with_other_numbers(pred: str, label: str, tmp_path: Path) -> None:
    """Labels such as 0.55 had been compared with predictions such as 50."""
    frame = read_frame(written(tmp_path, f"id,pred,label\na,{pred},{label}\nb,{pred},\n"), Told())
    with pytest.raises(InputError, match=r"says percent and `(pred|label)` does not"):
        Labels.from_frame(frame, Pool.from_frame(frame))
    frame = read_frame(written(tmp_path, "id,pred,label\na,50%,55%\nb,30%,\n"), Told())
    assert Labels.from_frame(frame, Pool.from_frame(frame)).values.tolist()[0] == 0.55
    frame["label"] = None
    assert not Labels.from_frame(frame, Pool.from_frame(frame)).known.any()


@pytest.mark.parametrize("cell", ["0.9", "0.9%"])
def test_a_name_that_says_percent_is_told_of_beside_shares(cell: str, tmp_path: Path) -> None:
    pool = Pool.read(written(tmp_path, f"id,score (%)\na,{cell}\n"))
    said = "`score (%)` says percent and was read as shares of 1: divide percentages by 100 beforehand."
    assert (said in pool.report) == (cell == "0.9")


def test_some_cells_in_percent_are_no_column_of_percentages(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be a number; got '20%' in line 2"):
        Pool.read(written(tmp_path, "id,score\na,20%\nb,20\n"))


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (["1.10", "1.9", "1.1"], ["1.10", "1.9", "1.1"]),  # versions
        (["1.10", "1.90", ""], [1.1, 1.9, None]),
        (["2.50", "3", "4.25"], [2.5, 3.0, 4.25]),  # prices
        (["1.0", "0.25", "2"], [1.0, 0.25, 2.0]),
        (["9007199254740993", "", "1"], ["9007199254740993", None, "1"]),
        (["2020", "", "1"], [2020.0, None, 1.0]),
    ],
)
def test_no_digit_of_a_field_is_lost(cells: list[str], shown: list[Any], tmp_path: Path) -> None:
    rows = [f"{score},{cell}" for score, cell in zip(("0.10", "0.2", "1"), cells, strict=True)]
    pool = Pool.read(written(tmp_path, "\n".join(["score,x", *rows])), fields=["x"])
    assert [None if pd.isna(cell) else cell for cell in pool.fields["x"]] == shown
    assert pool.score.tolist() == [0.1, 0.2, 1.0]
    assert not any("was text" in line for line in pool.report)


def test_times_to_the_nanosecond_are_shown_as_text(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    pq.write_table(pa.table({"score": [0.1, 0.2], "at": pa.array([1, None], pa.time64("ns"))}), path)
    assert Pool.read(path).fields["at"][0] == "00:00:00.000000001"


def test_a_saved_index_leaves_a_column_its_name(tmp_path: Path) -> None:
    frame = pd.DataFrame({"index": [7, 8], "score": [0.1, 0.2]}, index=[3, 9])
    frame.to_parquet(path := tmp_path / "items.parquet")
    assert read_frame(path, Told())["unnamed_0"].tolist() == [3, 9]
    assert Pool.read(path).ids.tolist() == ["7", "8"]


@pytest.mark.parametrize("classes", [["1.1", "1.10", "1.2"], ["1.1", "1.2", "2.0"], ["1E1", "1E2", "5"]])
def test_no_digit_of_a_class_is_lost(classes: list[str], tmp_path: Path) -> None:
    """The class 1.10 had become 1.1, and if a class was called 2.0, a sound file had been refused."""
    wide = [",".join(["id", *(f"score_{name}" for name in classes), "label"])]
    for k, name in enumerate(classes):
        wide.append(",".join([str(k), *("0.8" if k == j else "0.1" for j in range(3)), name]))
    frame = read_frame(path := written(tmp_path, "\n".join(wide)), Told())
    pool = Pool.read(path)
    assert pool.task == Task("multiclass", tuple(classes))
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, 2]
    rows = [f"{k},{name},{classes[k - 1]}" for k, name in enumerate(classes)]
    told = Told(classes=classes, task="multiclass")
    frame = read_frame(written(tmp_path, "\n".join(["id,pred,label", *rows])), told)
    pool = Pool.from_frame(frame, task="multiclass", classes=classes)
    assert (pool.pred.tolist(), Labels.from_frame(frame, pool).values.tolist()) == ([0, 1, 2], [2, 0, 1])


def test_classes_that_went_through_floats_are_whole_numbers(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,score_1,score_2,score_3,label\na,.8,.1,.1,1.0\nb,.2,.7,.1,2.0\nc,.2,.7,.1,\n"
    )
    assert Labels.from_frame(read_frame(path, Told()), Pool.read(path)).values.tolist() == [0, 1, -1]
    path = written(tmp_path, "id,pred,label\na,1.50,1.5\nb,2.25,3\n")
    assert read_frame(path, Told())["pred"].tolist() == [1.5, 2.25]


@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_no_digit_is_lost_beside_a_missing_cell(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"items{ending}"
    rows = [{"score": 0.1, "label": 2**53 + 1}, {"score": 0.2, "label": 1}, {"score": 0.3, "label": None}]
    if ending == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame, label="label", classes=("1", str(2**53 + 1)))
    assert Labels.from_frame(frame, pool).values.tolist() == [1, 0, -1]


def test_a_list_of_scores_is_not_said_to_be_text(tmp_path: Path) -> None:
    path = written(
        tmp_path, '{"id": 1, "score": [0.5, 0.5]}\n{"id": 2, "score": [0.1, 0.9]}\n', "items.jsonl"
    )
    assert not any("was text" in line for line in Pool.read(path).report)


def test_json_text_that_looks_like_a_time_stays_as_written(tmp_path: Path) -> None:
    rows = [{"id": day, "score": 0.5, "sent": f"{day}T00:30:00+02:00", "all": [day], "by": {"at": day}}
            for day in ("2024-01-01", "2024-01-02")]  # fmt: skip
    path = written(tmp_path, "\n".join(map(json.dumps, rows)), "items.jsonl")
    pool = Pool.read(path)
    assert pool.ids.tolist() == ["2024-01-01", "2024-01-02"]
    assert pool.fields["sent"].tolist() == ["2024-01-01T00:30:00+02:00", "2024-01-02T00:30:00+02:00"]
    assert [(list(row["all"]), row["by"]["at"]) for _, row in read_frame(path, Told()).iterrows()] == [
        (["2024-01-01"], "2024-01-01"),
        (["2024-01-02"], "2024-01-02"),
    ]


# ---------------------------------------------------------------- two systems, and classes that nothing names


def two_scores(**more: Any) -> pd.DataFrame:
    """Four items with two columns of scores that do not sum to 1."""
    return pd.DataFrame(
        {"id": list("abcd"), "score_old": [0.2, 0.6, 0.9, 0.1], "score_new": [0.3, 0.7, 0.8, 0.2], **more}
    )


def test_two_columns_of_scores_may_be_two_systems_and_the_report_says_so() -> None:
    guessed = Pool.from_frame(two_scores())
    assert guessed.task.kind == "multilabel"
    assert 'if two systems gave them, choose two classes (task="binary")' in guessed.report[1]
    told = Pool.from_frame(two_scores(), task="binary")
    assert [system.name for system in told.systems] == ["old", "new"]
    assert told.task == Task()
    known = Pool.from_frame(two_scores(label=[0, 1, 1, 0]), task="binary", classes=("no", "yes"))
    assert [system.name for system in known.systems] == ["old", "new"]
    assert known.task.classes == ("no", "yes")


@pytest.mark.parametrize(
    ("frame", "task", "question"),
    [
        (
            pd.DataFrame({"score": [1.0, 1.0]}),
            "multiclass",
            "which columns hold the scores of the other classes? `score`",
        ),
        (pd.DataFrame({"pred": ["cat", "cat"]}), "multiclass", "which classes are there? `pred` names `cat`"),
        (pd.DataFrame({"pred": ["[]", "[]"]}), "multilabel", "which classes are there? `pred` names none"),
        (
            pd.DataFrame({"pred": [{"label": "spam", "score": 0.9}] * 2}),
            None,
            "`pred` holds records with `label`, `score`: give each of these a column of its own",
        ),
    ],
)
def test_a_table_that_names_too_few_classes_is_asked_about(
    frame: pd.DataFrame, task: Any, question: str
) -> None:
    with pytest.raises(InputError, match=re.escape(question)):
        Pool.from_frame(frame, task=task)


def chooses_columns() -> None:
    """The page's part that asks for the columns, of a table that allows no guess."""
    import pandas as pd

    from sampleval.ui.data.mapping import confirm

    frame = pd.DataFrame({"id": ["a", "b"], "score_0": [0.2, 0.6], "sure": [0.3, 0.7]})
    confirm(frame, key="t")


def test_columns_can_be_chosen_where_the_guess_fails() -> None:
    app = AppTest.from_function(chooses_columns, default_timeout=60).run()
    assert not app.error
    assert "must be the positive class's probability" in app.warning[0].value
    app.selectbox(key="score_t").select("sure").run()
    assert not app.exception
    assert not app.error
    assert not app.warning


# ---------------------------------------------------------------- misuse, in words


def test_paths_that_are_none_are_refused(tmp_path: Path) -> None:
    frame = two_scores(label=[0, 1, 1, 0])
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    for use in (Pool.read, Pool.from_parquet, Labels.from_parquet, pool.to_parquet, labels.to_parquet):
        with pytest.raises(InputError, match="`path` must be the path of a file; got nothing"):
            use(None)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="`path` must be a path that can be looked up"):
            use("x" * 300 + ".parquet")
    for write in (pool.to_parquet, labels.to_parquet):
        with pytest.raises(
            InputError, match=r"`path` must lie in a folder that exists; got '/no/such/x\.parquet'"
        ):
            write("/no/such/x.parquet")
        with pytest.raises(InputError, match="`path` must name a file; this is a folder"):
            write(tmp_path)


def test_what_is_no_mapping_of_columns_is_refused() -> None:
    with pytest.raises(InputError, match=r"`columns` must be a Columns; .*guess_columns"):
        Pool.from_columns(two_scores(), None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`classes` must be a list of names; got b'a0'"):
        Pool.from_frame(two_scores(), task="binary", classes=b"a0")  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [-1, [99], [0.5], [True, False, False, True], ["a"]])
def test_positions_that_no_label_can_have_are_refused(index: Any) -> None:
    frame = two_scores(label=[0, 1, 1, 0])
    labels = Labels.from_frame(frame, Pool.from_frame(frame))
    with pytest.raises(InputError, match="`index` must hold positions from 0 to 3"):
        labels.of(index)
    assert labels.of(np.array([2, 0])).tolist() == [1, 0]
    assert labels.of([]).tolist() == []  # type: ignore[arg-type]


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("classes", "mark"),
    [(("10%", "20%", "30%"), ","), (("10%", "2,5%", "30%"), ";"), (("1,5", "2", "3"), ";")],
)
def test_classes_may_be_called_by_shares_and_fractions(
    tmp_path: Path, classes: tuple[str, ...], mark: str
) -> None:
    """The sign had been taken for the unit of a column's name, and the comma of a decision for a decimal one."""
    rows = [["id", *(f"score_{name}" for name in classes), "pred"]]
    rows += [[name, "0.2", "0.3", "0.5", name] for name in classes]
    (path := tmp_path / "pool.csv").write_text("\n".join(map(mark.join, rows)))
    pool = Pool.read(path)
    assert (pool.task.classes, pool.systems[0].pred.tolist()) == (classes, [0, 1, 2])


@pytest.mark.parametrize(
    ("preds", "labels", "classes"),
    [
        (["No", "Yes"], ["No", "No"], ("No", "Yes")),
        (["FALSE", "TRUE"], ["TRUE", ""], ("FALSE", "TRUE")),
        (["-1", "1"], ["1", "1"], ("-1", "1")),
        (["false", "true"], ["True", "False"], ("False", "True")),
    ],
)
def test_two_classes_are_spelt_as_labels_or_else_decisions_spell_them(
    preds: list[str], labels: list[str], classes: tuple[str, str], tmp_path: Path
) -> None:
    """Of labels all alike the other class had been called by a word of its own: `false` beside `TRUE`, 0 for −1."""
    rows = [f"{k},0.{k},{pred},{label}" for k, (pred, label) in enumerate(zip(preds, labels, strict=True))]
    pool = Pool.read(written(tmp_path, "\n".join(["id,score,pred,label", *rows])))
    assert (pool.task.classes, pool.systems[0].pred.tolist()) == (classes, [0, 1])


def test_labels_of_a_set_are_known_in_any_case_where_only_one_is_meant() -> None:
    assert encode_label(Task("multilabel", ("a", "B", "c")), "A| b") == (1, 1, 0)
    both = Task("multilabel", ("a", "A"))
    assert encode_label(both, "A") == (0, 1)
    with pytest.raises(InputError, match="holds a label that is not known; got 'É'"):
        encode_label(both, "É")


@pytest.mark.parametrize("answer", ["1_000", "1_0"])
def test_a_number_with_an_underscore_is_refused(answer: str) -> None:
    with pytest.raises(InputError, match=f"`label` must be a number; got '{answer}'"):
        encode_label(Task("regression", ()), answer)


def test_flags_that_could_be_names_are_refused() -> None:
    task = Task("multilabel", ("0", "1", "2"))
    for answer in ("[1, 0, 0]", [1, 0, 0], np.array([1, 0, 0])):
        with pytest.raises(
            InputError, match=r"`label` may name labels or say 0/1 of each: both can be meant"
        ):
            encode_label(task, answer)
    assert encode_label(task, '["1", "0"]') == encode_label(task, "1,0") == (1, 1, 0)
    assert encode_label(task, "[true, false, false]") == (1, 0, 0)
    assert encode_label(Task("multilabel", ("a", "b", "c")), "[1, 0, 0]") == (1, 0, 0)


def test_scores_that_a_row_names_by_class_are_a_column_per_class(tmp_path: Path) -> None:
    """A record in each row had been read as the only score of two classes."""
    rows = [{"id": "a", "scores": {"bug": 0.01, "praise": 0.7}}, {"id": "b", "scores": {"bug": 0.9}}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    frame = read_frame(tmp_path / "t.jsonl", Told())
    assert list(frame) == ["id", "score_bug", "score_praise"]
    assert frame["score_bug"].tolist() == [0.01, 0.9]
    assert frame["score_praise"].isna().tolist() == [False, True]


def test_a_record_that_is_told_to_be_a_field_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text(
        "".join(f'{{"id": {k}, "s": 0.{k}, "score": {{"a": 1, "b": "x"}}}}\n' for k in range(1, 6))
    )
    pool = Pool.read(path, id="id", score="s", fields=["score"])
    assert pool.fields.columns.tolist() == ["score"]
    assert pool.score.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.mark.parametrize(
    "cells",
    [["1,030.07", "2,411.50"], ["€ 1214.65", "€ 980.10"], ["1 200 €", "850 €"], ["9.5 kWh", "10.25 kWh"]],
)
def test_predicted_amounts_are_not_taken_for_classes(cells: list[str]) -> None:
    frame = pd.DataFrame({"id": range(len(cells)), "pred": cells})
    with pytest.raises(
        InputError, match=r"`pred` must (hold plain numbers|be a number).* write 1(214\.65|030\.07)"
    ):
        Pool.from_frame(frame)
    assert Pool.from_frame(frame, task="multiclass").task.width == len(cells)


def test_where_numbers_are_predicted_a_prediction_is_asked_for() -> None:
    """The advice was to name a score, which such a task has no use for."""
    frame = pd.DataFrame({"similarity": [0.1, 0.2, 0.3], "size": [4, 5, 6]})
    with pytest.raises(InputError, match=r"`size`: name one, pred=…$"):
        Pool.from_frame(frame, task="regression")


@pytest.mark.parametrize("names", [["0.33 l", "0.5 l", "1.5 l"], ["10.1a", "10.2b"]])
def test_a_few_sizes_or_codes_that_recur_are_classes(names: list[str]) -> None:
    """Each was taken for a predicted amount, and the table refused."""
    pool = Pool.from_frame(pd.DataFrame({"pred": names * 10}))
    assert (pool.task.kind, pool.task.classes) == ("multiclass", tuple(names))


def test_decisions_of_which_each_is_a_class_of_its_own_are_asked_about() -> None:
    """Predicted dates were as many classes as items, without a word."""
    dates = pd.date_range("2024-05-01", periods=24).astype(str)
    said = "`predicted_date` names 24 classes in 24 items: make sure that its cells name classes."
    assert said in " ".join(Pool.from_frame(pd.DataFrame({"predicted_date": dates})).report)
    few = pd.DataFrame({"predicted_city": ["Bern", "Rome", "Oslo"] * 8})
    for named in (None, ["Bern", "Rome", "Oslo", *map(str, range(20))]):  # only what the column holds counts
        assert "cells name classes" not in " ".join(Pool.from_frame(few, classes=named).report)


# ---------------------------------------------------------------- names in other languages, and cells that tell


def codes(first: str, *, rows: int = 24, form: str = "OB-{:03d}") -> pd.DataFrame:
    """A table whose first column is a code, beside a score and a text."""
    ids = [form.format(k) for k in range(rows)]
    score = [(k % 10 + 0.5) / 10 for k in range(rows)]
    return pd.DataFrame({first: ids, "score": score, "text": [f"text {k % 7}" for k in range(rows)]})


@pytest.mark.parametrize("name", ["Beleg-Nr.", "Objekt", "réf", "Nr.", "Réf. ", "order no"])
@pytest.mark.parametrize("form", ["OB-{:03d}", "{:05d}", "{}", "1E{}"])
@pytest.mark.parametrize("fields", [None, ["text"]])
def test_ids_are_found_under_any_name(name: str, form: str, fields: list[str] | None, tmp_path: Path) -> None:
    """A first column of codes, each in one row, is the id as written, whatever it is called."""
    frame = codes(name, form=form)
    frame.to_csv(path := tmp_path / "items.csv", index=False)
    pool = Pool.read(path, fields=fields)
    assert (pool.columns.id, pool.ids.tolist()) == (name.strip(), frame[name].tolist())


@pytest.mark.parametrize(
    "frame",
    [
        codes("Objekt", rows=6),  # in so few rows most numbers differ
        codes("Objekt", form="Hauptstr. {}"),
        codes("Objekt").assign(Objekt=[f"OB-{k // 2}" for k in range(24)]),
        codes("Objekt").assign(Objekt=[k + 0.5 for k in range(24)]),
        codes("Objekt", form="{},5"),
        codes("x")[["score", "x", "text"]],
    ],
    ids=["few", "words", "repeated", "fractions", "commas", "second"],
)
def test_a_column_that_may_hold_no_codes_is_not_guessed_to_be_the_id(frame: pd.DataFrame) -> None:
    assert Pool.from_frame(frame).columns.id is None


SHARES = {"Rechnung": [0.7, 0.1, 0.2], "Reklamation": [0.2, 0.6, 0.3], "Mahnung": [0.1, 0.3, 0.5]}


@pytest.mark.parametrize("prefix", ["Wahrsch. ", "ki-modell ", "w_"])
@pytest.mark.parametrize("whole", [1, 100])
@pytest.mark.parametrize("fields", [None, ["text"]])
def test_columns_that_begin_alike_and_sum_to_1_are_scores_of_classes(
    prefix: str, whole: int, fields: list[str] | None, tmp_path: Path
) -> None:
    shares = {f"{prefix}{name}": np.multiply(cells, whole) for name, cells in SHARES.items()}
    frame = pd.DataFrame({"text": ["a", "b", "c"], **shares, "Klasse": ["Mahnung", "Mahnung", "Rechnung"]})
    frame.to_csv(path := tmp_path / "items.csv", index=False, sep=";", decimal=",")
    pool = Pool.read(path, fields=fields, transform="percent" if whole == 100 else None)
    assert (pool.task.kind, pool.task.classes) == ("multiclass", (*SHARES,))
    assert pool.score.tolist() == pytest.approx(np.transpose([*SHARES.values()]))


@pytest.mark.parametrize(
    "more",
    [
        {"part a": [0.2, 0.3, 0.4], "part b": [0.8, 0.7, 0.6]},  # which of the two groups?
        {"pred": ["new", "old", "old"]},  # of no class that these name
        {"score": [0.2, 0.3, 0.4]},
        {"Wahrsch. Rest": [0.1, 0.1, 0.1]},
        {"Wahrsch. Rest": [0.5, 0.5, 0.5], "Wahrsch. Abzug": [-0.5, -0.5, -0.5]},
    ],
    ids=["two", "pred", "score", "more", "negative"],
)
def test_shares_that_may_be_no_scores_are_not_taken_for_them(more: dict[str, Any]) -> None:
    frame = pd.DataFrame({f"Wahrsch. {name}": cells for name, cells in SHARES.items()} | more)
    assert not any("Wahrsch" in name for name in guess_columns(frame).model)


@pytest.mark.parametrize(
    ("names", "classes"),
    [
        (["Wahrsch. Rechnung", "Wahrsch. Reklamation"], ("Rechnung", "Reklamation")),
        (["score Rechnung", "score Reklamation"], ("Rechnung", "Reklamation")),
        (["score_new_york", "score_new_jersey"], ("new_york", "new_jersey")),
        (["Rechnung", "Reklamation"], ("Rechnung", "Reklamation")),
        (["cat food", "cat toy"], ("cat food", "cat toy")),
    ],
)
def test_what_chosen_scores_begin_with_is_no_part_of_their_classes(
    names: list[str], classes: tuple[str, ...]
) -> None:
    frame = pd.DataFrame({name: [0.5, 0.25] for name in names} | {"label": classes})
    assert resolve(frame, Told(score=names, task="multilabel")).classes == classes


@pytest.mark.parametrize(
    "name", ["Schätzwert in €", "Prognose", "prévision", "Prévision (EUR)", "forecast", "SCHÄTZUNG"]
)
def test_predicted_numbers_are_found_in_other_languages(name: str) -> None:
    pool = Pool.from_frame(
        pd.DataFrame({"id": ["a", "b", "c"], "m²": [40, 50, 60], name: [214.5, 90.0, 33.0]})
    )
    assert (pool.task.kind, pool.columns.model) == ("regression", (name,))
    assert pool.columns.fields == ("m²",)


@pytest.mark.parametrize("start", ["p_", "s_"])
def test_classes_named_by_numbers_with_decimals_are_answered_by_these_numbers(start: str) -> None:
    """A frame's own labels 1.0 were refused where its score columns end in 1.0: cells say 1."""
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 12)
    df = pd.DataFrame(shares, columns=[f"{start}{k}.0" for k in (1, 2, 3)]).assign(label=[1.0, 2.0, 3.0] * 4)
    pool = Pool.from_frame(df)
    assert pool.task == Task("multiclass", ("1.0", "2.0", "3.0"))
    assert [encode_label(pool.task, answer) for answer in (1.0, 2, "3", "3.0")] == [0, 1, 2, 2]
    np.testing.assert_array_equal(Labels.from_frame(df, pool, "label").values, [0, 1, 2] * 4)


@pytest.mark.parametrize(
    ("pred", "said"), [(["1.234", "999"], True), (["1.234", "2.500"], False), (["12", "13"], False)]
)
def test_points_that_may_part_thousands_between_semicolons_are_said(
    pred: list[str], said: bool, tmp_path: Path
) -> None:
    """1.234 beside 999 had silently been read as 1.234."""
    rows = [f"{k};{pred[k]}" for k in range(2)]
    for mark, doubted in ((";", said), (",", False)):
        text = "\n".join(["id;pred", *rows]).replace(";", mark)
        pool = Pool.read(written(tmp_path, text))
        assert any("`pred` was read with decimal points, but" in line for line in pool.report) == doubted


# ---------------------------------------------------------------- what other programs write


def test_codes_that_look_like_powers_of_ten_stay_codes(tmp_path: Path) -> None:
    """12E3 and 12000 had become one id, 12e4567 infinity, and a telephone number had lost its sign."""
    text = "sku,phone,commit,score\n12E3,+4915112345678,12e4567,1e-05\n12000,+4915112345679,7654321,5E-1\n"
    frame = read_frame(written(tmp_path, text), Told())
    assert frame["sku"].tolist() == ["12E3", "12000"]
    assert frame["phone"].tolist() == ["+4915112345678", "+4915112345679"]
    assert frame["commit"].tolist() == ["12e4567", "7654321"]
    assert frame["score"].tolist() == [1e-05, 0.5]


def test_quotes_after_a_backslash_are_refused_by_their_line(tmp_path: Path) -> None:
    r"""The text `He said \"hi\"` had become `He said \hi\""`."""
    said = 'id,text,score\n1,plain,0.5\n2,"two\nlines and \\"hi\\" too",0.1\n'
    with pytest.raises(InputError, match=r'a quote within a text as ""; line 4 has \\"'):
        Pool.read(written(tmp_path, said))
    path = 'id,text,score\n1,"C:\\",0.5\n2,"say ""hi""",0.1\n'
    assert Pool.read(written(tmp_path, path)).fields["text"].tolist() == ["C:\\", 'say "hi"']


def test_a_null_that_begins_a_list_is_read(tmp_path: Path) -> None:
    text = '{"id": "a", "score": 0.1, "tags": [null, "x"]}\n{"id": "b", "score": 0.2, "tags": []}\n'
    pool = Pool.read(written(tmp_path, text, "items.jsonl"))
    assert pool.fields["tags"].tolist() == ["[None, 'x']", "[]"]


def test_a_comma_between_json_objects_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="perhaps a comma at the end of a line"):
        Pool.read(written(tmp_path, '{"id": "a", "score": 0.1},\n{"id": "b", "score": 0.2}\n', "items.jsonl"))


def test_a_percentage_with_a_decimal_comma_is_told_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"its decimal mark is a comma: write 20\.5%"):
        Pool.read(written(tmp_path, 'id,score\na,"20,5%"\nb,"30,1%"\n'))


def test_carriage_returns_alone_end_lines_before_the_names_too(tmp_path: Path) -> None:
    pool = Pool.read(written(tmp_path, "\r\rsep=;\rid;score\ra;0.5\rb;0.25\r"))
    assert (pool.ids.tolist(), pool.score.tolist()) == (["a", "b"], [0.5, 0.25])
    with pytest.raises(InputError, match="in line 6"):
        Pool.read(written(tmp_path, "\r\rsep=;\rid;score\ra;0.5\rb;often\r"))


def test_an_error_scale_in_another_unit_than_its_prediction_is_refused() -> None:
    frame = pd.DataFrame({"pred": [f"{k}%" for k in range(10, 60)], "pred_sd": 5.0})
    with pytest.raises(InputError, match="`pred` says percent and `pred_sd` does not"):
        Pool.from_frame(frame)


def test_a_column_that_sounds_like_the_id_and_repeats_itself_is_named() -> None:
    frame = pd.DataFrame({"ticket_id": [f"T{k // 2}" for k in range(30)], "score": np.linspace(0, 1, 30)})
    assert "`ticket_id` is not an id, because its values repeat." in Pool.from_frame(frame).report
    alone = Pool.from_frame(frame.assign(ticket_id=[f"T{k}" for k in range(30)]))
    assert not any("is not an id" in line for line in alone.report)


DAMAGES = """
import io, pandas as pd
from sampleval.pool.tables.weight import weight
frame = pd.DataFrame({"id": [f"i{k}" for k in range(60)], "score": [k / 60 for k in range(60)]})
frame["tags"] = [[k, k + 1] for k in range(60)]
frame.to_parquet(whole := io.BytesIO())
content = whole.getvalue()
footer = int.from_bytes(content[-8:-4], "little")
refused = 0
for at in range(len(content) - 8 - footer, len(content)):
    damaged = bytearray(content)
    damaged[at] ^= 1
    try:
        weight(io.BytesIO(bytes(damaged)), 10**8)
    except Exception:
        refused += 1
print(refused)
"""


def test_a_damaged_parquet_footer_does_not_kill_the_process() -> None:
    """Asked for its columns alone, a footer of another histogram than its levels ended the server for everybody."""
    done = subprocess.run([sys.executable, "-c", DAMAGES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


@pytest.mark.parametrize(
    ("names", "predicted"),
    [(("cat", "dog", "bird"), 3), (("cat", "dog", "bird"), 2), (("0", "1", "2"), 3), (("ham", "spam"), 2)],
)
def test_columns_called_as_the_classes_are_their_scores(names: tuple[str, ...], predicted: int) -> None:
    """As software writes them beside its decisions; a class that is never predicted has a column, too."""
    shares = np.random.default_rng(0).dirichlet(np.ones(len(names)), 60)
    frame = pd.DataFrame(shares, columns=list(names)).assign(
        text="t", prediction=np.array(names)[shares[:, :predicted].argmax(axis=1)]
    )
    pool = Pool.from_frame(frame)
    assert pool.columns.systems[0].score == names
    assert pool.task == Task("multiclass", names)
    others = frame.rename(columns=dict(zip(names, ("width", "height", "depth"), strict=False)))
    assert Pool.from_frame(others).columns.systems[0].score == ()


@pytest.mark.parametrize("name", ["a_" * 60_000, "_" * 60_000 + "y", "P(" + " " * 60_000 + "y"])
def test_endless_column_names_are_refused_at_once(name: str, tmp_path: Path) -> None:
    """The search for common beginnings took gigabytes, and that for a role took minutes."""
    text = f'id,"{name}",score\na,0.1,0.5\nb,0.2,0.2\n'
    with pytest.raises(InputError, match="column names of at most 500 characters"):
        Pool.read(written(tmp_path, text))


def test_many_byte_order_marks_are_left_out_at_once(tmp_path: Path) -> None:
    """The whole file had been copied for each of them."""
    text = "\ufeff" * 300_000 + "id,score\na,0.5\nb,0.2\n"
    assert Pool.read(written(tmp_path, text)).columns.id == "id"


@pytest.mark.parametrize("start", ["1", "€"])
def test_predictions_with_many_spaces_within_are_names(start: str, tmp_path: Path) -> None:
    """It had taken minutes to find out that they are no amounts."""
    text = "id,pred\n" + "".join(f"{k},{start}{' ' * 100_000}{k}x\n" for k in "abc")
    assert Pool.read(written(tmp_path, text)).task.kind == "multiclass"


@pytest.mark.parametrize("role", ["id", "score", "label", "pred", "text"])
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
@pytest.mark.parametrize("far", [2**50, 2**55, 2**62])
def test_times_beyond_the_calendar_are_refused_or_text(
    role: str, zone: str | None, far: int, tmp_path: Path
) -> None:
    """Pandas can hold the year 37648, but cannot always write it."""
    columns: dict[str, Any] = {"id": ["a", "b"], "score": [0.1, 0.9], "label": [0, 1]}
    times = pa.array([far, 5], pa.int64()).cast(pa.timestamp("ms", zone))
    pq.write_table(pa.table(columns | {role: times}), tmp_path / "items.parquet")
    with suppress(InputError):
        assert Pool.read(tmp_path / "items.parquet").size == 2


@pytest.mark.parametrize("word", ["#DIV/0!", "#REF!", "#NAME?"])
def test_error_values_of_a_spreadsheet_are_no_classes(word: str, tmp_path: Path) -> None:
    """Each of these values had become a class of its own."""
    text = f"id,pred,label\na,cat,cat\nb,dog,{word}\nc,cow,dog\nd,dog,cow\n"
    path = written(tmp_path, text)
    pool = Pool.read(path)
    assert pool.task == Task("multiclass", ("cat", "cow", "dog"))
    labels = Labels.from_frame(read_frame(path, Told()), pool)
    assert labels.known.tolist() == [True, False, True, True]
    with pytest.raises(InputError, match=f"must hold a decision in every row; got {re.escape(repr(word))}"):
        Pool.read(written(tmp_path, text.replace("dog,#", "#").replace(word, f"{word},dog")))


def test_sets_of_numbered_labels_are_no_decimals(tmp_path: Path) -> None:
    """`1,2` between semicolons had become 1.2, and the file was refused for scores that must sum to 1."""
    text = "id;label;score_1;score_2;score_3\na;1,2;0,9;0,8;0,1\nb;2,3;0,1;0,9;0,9\nc;3;0,1;0,2;0,7\n"
    (tmp_path / "a.csv").write_text(text)
    pool = Pool.read(tmp_path / "a.csv")
    assert pool.task == Task("multilabel", ("1", "2", "3"))
    known = Labels.from_frame(read_frame(tmp_path / "a.csv", Told()), pool, label="label").by_id(pool)
    assert known == {"a": ("1", "2"), "b": ("2", "3"), "c": ("3",)}


def test_a_minus_sign_from_print_is_one(tmp_path: Path) -> None:
    """As the app writes it: copied from there into a table, a number was refused as text."""
    pool = Pool.read(written(tmp_path, "id,pred\na,−1.5\nb, 3\nc,−2\n", encoding="utf-8"))
    assert pool.pred.tolist() == [-1.5, 3.0, -2.0]
    assert encode_label(pool.task, "−5") == -5
