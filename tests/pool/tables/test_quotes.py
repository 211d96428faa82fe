"""Quotes in delimited text: honest ones are read, and one left open is refused by its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool
from sampleval.pool.columns import Told
from sampleval.pool.tables.quotes import closed
from sampleval.pool.tables.reading import read_frame
from tests.tables import written


def table(**at: str) -> str:
    """Six rows of id, score, label and text, some of them with other texts: `r3="…"`."""
    rows = [f"{k},0.{k},{k % 2},{at.get(f'r{k}', f'comment {k}')}" for k in range(1, 7)]
    return "\n".join(["id,score,label,text", *rows, ""])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (table(r3='"comment'), "the one in line 4 never closes"),
        (table(r6='"comment'), "the one in line 7 never closes"),
        (table(r2='"comment', r5='"comment'), "the one in line 3 runs on to line 6, over other rows"),
        (table(r2='"comment', r5='5"'), "the one in line 3 runs on to line 6, over other rows"),
        (table(r2='"comment', r3='"a fine text"'), "the one in line 3 runs on to line 4"),
        ('id,word,text\n1,ham,"open\n2,spam,5"\n3,ham,x\n', "the one in line 2 runs on to line 3"),
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


def test_quotes_after_a_backslash_are_refused_by_their_line(tmp_path: Path) -> None:
    r"""The text `He said \"hi\"` had become `He said \hi\""`."""
    said = 'id,text,score\n1,plain,0.5\n2,"two\nlines and \\"hi\\" too",0.1\n'
    with pytest.raises(InputError, match=r'a quote within a text as ""; line 4 has \\"'):
        Pool.read(written(tmp_path, said))
    path = 'id,text,score\n1,"C:\\",0.5\n2,"say ""hi""",0.1\n'
    assert Pool.read(written(tmp_path, path)).fields["text"].tolist() == ["C:\\", 'say "hi"']


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
