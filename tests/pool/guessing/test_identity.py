"""Which column identifies the items, and how they are called where none does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval import _checks
from sampleval._checks import InputError, Text, unique
from sampleval.pool import Pool
from sampleval.pool.columns import Told
from sampleval.pool.guessing.identity import possible_ids
from sampleval.pool.tables.reading import read_frame
from tests.tables import items


@pytest.mark.parametrize("name", ["ticket_id", "id_ticket", "Ticket ID", "ticketId", "ticketID", "#id"])
def test_a_column_whose_name_says_of_what_it_is_the_id_is_taken(name: str) -> None:
    tickets = [f"T{k}" for k in range(6)]
    pool = Pool.from_frame(items().drop(columns="id").assign(**{name: tickets}))
    assert pool.ids.tolist() == tickets
    assert name not in pool.fields
    assert f"Ids: column `{name}`." in pool.report


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


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("paid", [f"T{k}" for k in range(6)]),
        ("user_id", ["u1", "u1", "u2", "u3", "u4", "u5"]),
        ("user_id", ["u1", None, "u2", "u3", "u4", "u5"]),
        ("user_id", [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]),
        ("user_id", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
    ],
)
def test_a_column_that_cannot_tell_the_items_apart_is_no_id(name: str, cells: list[Any]) -> None:
    pool = Pool.from_frame(items().drop(columns="id").assign(**{name: cells}))
    assert pool.ids.tolist() == [*"012345"]


def test_a_column_that_repeats_itself_early_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(ids: Text, name: str) -> Text:
        read.append(len(ids))
        return unique(ids, name)

    monkeypatch.setattr(_checks, "unique", counted)
    frame = pd.DataFrame({"user_id": ["u1", "u1"] * 3_000, "ticket_id": np.arange(6_000)})
    assert possible_ids(frame, set()) == ["ticket_id"]
    assert read == [1_000, 1_000, 6_000]


def test_of_two_columns_that_could_be_the_id_none_is_taken_and_the_report_says_so(tmp_path: Path) -> None:
    frame = items().assign(order_id=range(6), ticket_id=[*"uvwxyz"])
    assert Pool.from_frame(frame).columns.id == "id"
    both = Pool.from_frame(frame.drop(columns="id"))
    assert both.ids.tolist() == [*"012345"]
    assert "`order_id`, `ticket_id` could each be the id: name one." in both.report
    assert Pool.from_frame(frame.drop(columns="id"), id="order_id").columns.fields == ("text", "ticket_id")
    path = tmp_path / "tickets.csv"
    frame.drop(columns=["id", "order_id"]).to_csv(path, index=False)
    assert Pool.read(path, fields=["text"]).ids.tolist() == [*"uvwxyz"]


def test_an_id_that_repeats_itself_is_told_beside_another() -> None:
    pool = Pool.from_frame(items(id=[*"aabcde"]).assign(row_id=range(6)))
    assert pool.ids.tolist() == [*"012345"]
    assert "`id` has repeated values: the id is `row_id`." in pool.report


def test_a_column_that_sounds_like_the_id_and_repeats_itself_is_named() -> None:
    frame = pd.DataFrame({"ticket_id": [f"T{k // 2}" for k in range(30)], "score": np.linspace(0, 1, 30)})
    assert "`ticket_id` is not an id, because its values repeat." in Pool.from_frame(frame).report
    alone = Pool.from_frame(frame.assign(ticket_id=[f"T{k}" for k in range(30)]))
    assert not any("is not an id" in line for line in alone.report)


@pytest.mark.parametrize("index", ["", "index", "Unnamed: 0"])
def test_row_numbers_do_not_replace_an_id_that_repeats_itself(index: str, tmp_path: Path) -> None:
    """Such an id had been replaced by the index that pandas saves beside it."""
    path = tmp_path / "pool.csv"

    def read(ids: list[str], name: str = "id") -> Pool:
        items().assign(**{name: ids}).drop(columns={"id"} - {name}).to_csv(path, index_label=index)
        return Pool.read(path)

    with pytest.raises(InputError, match="`id` must be different in every row; got '1E1' in line 3"):
        read(["1E1", "1E1", *"cdef"])
    assert read(["1E1", *"bcdef"], "customer_id").ids.tolist() == ["1E1", *"bcdef"]
    assert read([*"aabcde"], "customer_id").ids.tolist() == [*"012345"]


@pytest.mark.parametrize("index", ["", "index", "Unnamed: 0", "Unnamed: 0.1"])
def test_saved_row_numbers_are_never_shown_as_a_field(index: str, tmp_path: Path) -> None:
    """The index that pandas saves had been shown while labelling, and offered first among the parts to compare."""
    path = tmp_path / "pool.csv"
    frame = items(text=[*"tuvwxy"])
    for label in (index, ""):  # saved, read and saved again
        frame.to_csv(path, index_label=label)
        frame = pd.read_csv(path)
        pool = Pool.read(path)
        assert (pool.columns.id, pool.columns.fields) == ("id", ("text",))
    assert Pool.read(path, fields=[pool.columns.hidden[0]]).columns.fields == pool.columns.hidden[:1]
    named = items(text=[*"tuvwxy"], index=["DAX", "DAX", "FTSE"] * 2)
    assert Pool.from_frame(named).columns.fields == ("text", "index")


def test_an_index_that_may_hold_the_ids_is_reported() -> None:
    frame = pd.DataFrame({"id": ["x", "y"], "score": [0.9, 0.1]})
    for index in (frame.set_index("id"), frame[["score"]].set_axis(["x", "y"])):
        assert any(
            "the index are not used: pass df.reset_index()" in said for said in Pool.from_frame(index).report
        )
    for plain in (frame, frame[["score"]], frame[["score"]].iloc[::-1]):
        assert not any("reset_index" in said for said in Pool.from_frame(plain).report)


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


@pytest.mark.parametrize(
    ("columns", "called"),
    [
        ({}, "index"),
        ({"index": [7, 8]}, "unnamed_0"),
        ({"index": [7, 8], "unnamed_0": [1, 2]}, "__index_level_0__"),
    ],
)
def test_a_saved_index_leaves_columns_their_names(
    columns: dict[str, list[int]], called: str, tmp_path: Path
) -> None:
    """Two columns were called `unnamed_0`, and the reader failed."""
    frame = pd.DataFrame(columns | {"score": [0.1, 0.2]}, index=[3, 9])
    frame.to_parquet(path := tmp_path / "items.parquet")
    assert read_frame(path, Told())[called].tolist() == [3, 9]
    assert Pool.read(path).ids.tolist() == (["7", "8"] if columns else ["3", "9"])
