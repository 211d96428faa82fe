"""Numbers as text writes them: decimal commas, thousands, and codes that only look like numbers."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, encode_label
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame
from tests.tables import written


@pytest.mark.parametrize(("mark", "ending"), [(";", ".csv"), ("\t", ".tsv"), ("|", ".csv")])
def test_decimal_commas_are_read_where_they_do_not_separate(mark: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"items{ending}"
    cells = [["id", "p_spam", "pred", "price", "code", "views"],
             ["a", "0,53", "1,5", "1,234", "007,5", "1,234"],
             ["b", " 5,3E-05", "3", "1,5", "2", "12"],
             ["c", "1", "", "12,345", "", ""]]  # fmt: skip
    path.write_text("".join(mark.join(line) + "\n" for line in cells))
    frame = read_frame(path, Told())
    assert frame["p_spam"].tolist() == [0.53, 5.3e-05, 1.0]
    assert frame["pred"].tolist()[:2] == [1.5, 3.0]
    assert frame["price"].tolist() == [1.234, 1.5, 12.345]
    assert frame["code"].tolist()[:2] == ["007,5", "2"]
    assert frame["views"].tolist()[:2] == ["1,234", "12"]


def test_amounts_with_decimal_commas_are_read_between_commas_too(tmp_path: Path) -> None:
    """So LibreOffice saves CSV in Germany if nobody changes the separator; a set of labels stays as it is."""
    path = written(tmp_path, 'id,p_spam,tags,views\na,"0,5","1,2","1,234"\nb,"1,5E-07","3,4",12\nc,1,2,5\n')
    frame = read_frame(path, Told())
    assert frame["p_spam"].tolist() == [0.5, 1.5e-07, 1]
    assert frame["tags"].tolist() == ["1,2", "3,4", "2"]
    doubtful = written(tmp_path, 'id,error\na,"1,234"\nb,"2,345"\n')
    assert read_frame(doubtful, Told())["error"].tolist() == ["1,234", "2,345"]


def test_decimal_commas_are_named_where_they_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text('id,p_spam\na,"0,5"\nb,0.53\n')
    with pytest.raises(InputError, match=r"`p_spam` must be .* got '0,5' .* mark is a comma: write 0\.5"):
        Pool.read(path)
    path.write_text("id;pred\na;1,234\nb;5\n")
    with pytest.raises(InputError, match=r"got '1,234' .*separate thousands: write 1\.234 or 1234"):
        Pool.read(path, task="regression")


@pytest.mark.parametrize(
    ("cell", "said"),
    [("high", "must be a number; got 'high' in line 3"), ("inf", "must be finite; got inf in line 3")],
)
def test_of_decimal_commas_the_cell_that_is_wrong_is_named(cell: str, said: str, tmp_path: Path) -> None:
    """The first cell with a comma had been blamed although another cell was wrong."""
    with pytest.raises(InputError, match=said):
        Pool.read(written(tmp_path, f"id;score\n1;0,25\n2;{cell}\n3;0,5\n"))


def test_a_percentage_with_a_decimal_comma_is_told_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"its decimal mark is a comma: write 20\.5%"):
        Pool.read(written(tmp_path, 'id,score\na,"20,5%"\nb,30.1%\n'))


def test_a_minus_sign_from_print_is_one(tmp_path: Path) -> None:
    """As the app writes it: copied from there into a table, a number was refused as text."""
    pool = Pool.read(written(tmp_path, "id,pred\na,−1.5\nb, 3\nc,−2\n", encoding="utf-8"))
    assert pool.pred.tolist() == [-1.5, 3.0, -2.0]
    assert encode_label(pool.task, "−5") == -5


# ---------------------------------------------------------------- thousands


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


@pytest.mark.parametrize("cell", ["1,852,104", "1.852.104"])
def test_millions_are_refused_with_what_to_write(cell: str) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "value": ["12", cell]})
    with pytest.raises(InputError, match="thousands are separated: write 1852104, and all others likewise"):
        Pool.from_frame(frame, pred="value", task="regression")


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


# ---------------------------------------------------------------- as written


def test_codes_that_look_like_powers_of_ten_stay_codes(tmp_path: Path) -> None:
    """12E3 and 12000 had become one id, 12e4567 infinity, and a telephone number had lost its sign."""
    text = "sku,phone,commit,score\n12E3,+4915112345678,12e4567,1e-05\n12000,+4915112345679,7654321,5E-1\n"
    frame = read_frame(written(tmp_path, text), Told())
    assert frame["sku"].tolist() == ["12E3", "12000"]
    assert frame["phone"].tolist() == ["+4915112345678", "+4915112345679"]
    assert frame["commit"].tolist() == ["12e4567", "7654321"]
    assert frame["score"].tolist() == [1e-05, 0.5]


def test_an_id_that_only_sounds_like_one_stays_as_written_too(tmp_path: Path) -> None:
    path = written(tmp_path, "ticket_id,score\n1e5,0.2\n2.50,0.9\n")
    assert Pool.read(path).ids.tolist() == ["1e5", "2.50"]


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


def test_hundreds_of_decisions_and_labels_are_read_in_seconds(tmp_path: Path) -> None:
    """Of each of them it was asked whether any column holds scores, and all names were read each time."""
    names = [f"{role}_c{k}" for role in ("pred", "label") for k in range(300)]
    path = written(tmp_path, f"{','.join(names)}\n{','.join('0' * 600)}\n{','.join('1' * 600)}\n")
    start = process_time()
    assert read_frame(path, Told()).shape == (2, 600)
    assert process_time() - start < 5
