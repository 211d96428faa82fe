"""The lines of a sheet that is read back, and the item that each line is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pandas as pd

from sampleval import sheets
from sampleval._checks import decimal_commas, fail, may_be_thousands, shown
from sampleval.pool import Task
from sampleval.study import Item, Study

LONGEST = 18  # most digits of a place in a queue
DIGITS = 15  # those that a spreadsheet keeps of a number: Excel cuts off the rest, LibreOffice rounds
SHORTENED = [Context(DIGITS, rounding).create_decimal for rounding in (ROUND_DOWN, ROUND_HALF_UP)]
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d{1,3})?")
NOT_ASKED = "the study has not asked it yet"
ELSEWHERE = "labels known already go into the table that a study begins with, as a column"
SORTED = "was one column sorted alone, or is it another study's sheet?"


class Line(NamedTuple):
    """A line of a sheet as text, with its number as a spreadsheet counts lines."""

    number: int
    id: str
    place: str
    answer: str
    annotator: str = ""


def table_of(source: str | Path | bytes | pd.DataFrame) -> pd.DataFrame:
    """The table in a file, or a frame as a table with the line numbers that it would have in a file."""
    if not isinstance(source, pd.DataFrame):
        return sheets.from_file(source)
    return source.set_axis(range(2, len(source) + 2), axis=0)


def lines_of(table: pd.DataFrame, task: Task, people: list[str]) -> list[Line]:
    """All lines as text, with the people who answered them, in regression with decimal points in place of decimal commas."""
    ids, places, answers = (_cells_of(table, name) for name in ("id", "place", "answer"))
    answers = [answer.strip() for answer in answers]
    if task.kind == "regression":
        answers = _pointed(answers, table)
    told = zip(table.index, ids, places, answers, people, strict=True)
    return [Line(number, id, place.strip(), answer, who) for number, id, place, answer, who in told]


def names_of(table: pd.DataFrame) -> list[str]:
    """The names of the columns in small letters."""
    return [str(name).strip().lower() for name in table.columns]


def texts_at(table: pd.DataFrame, k: int) -> list[str]:
    """The cells of the k-th column as text without spaces around it."""
    return [sheets.as_text(cell).strip() for cell in table.iloc[:, k]]


def _cells_of(table: pd.DataFrame, name: str) -> list[str]:
    """The cells of the column of this name, in whatever case it is written, as text; empty ones if there is none."""
    return [*map(sheets.as_text, _column(table, name))]


def _column(table: pd.DataFrame, name: str) -> list[Any]:
    """The cells of the column of this name as they are; empty ones if there is none."""
    names = names_of(table)
    return [*table.iloc[:, names.index(name)]] if name in names else [""] * len(table)


def _pointed(answers: list[str], table: pd.DataFrame) -> list[str]:
    """The numbers with points in place of decimal commas; refused if a point may separate thousands.

    A point may do so if other numbers have decimal commas. It may also do so if cells are separated by semicolons, as in
    countries that write decimal commas, all points have three digits after them, and there are whole numbers too. A comma
    may do so if other numbers have points; it is left, and its line is refused.
    """
    foreign = table.attrs.get("separator") == ";"
    numbers = [answer for answer in answers if NUMBER.fullmatch(answer)]
    doubtful = [k for k, answer in enumerate(answers) if may_be_thousands(answer, ".")]
    mixed = any("." not in answer for answer in numbers)
    alike = all(may_be_thousands(answer, ".") for answer in numbers if "." in answer)
    commas = decimal_commas([answer for answer in answers if "." not in answer])
    if doubtful and (commas or (foreign and mixed and alike)):
        number = answers[doubtful[0]]
        beside = "decimal commas" if commas else "whole numbers"
        rule = f"must not have points that may separate thousands beside {beside}; line {table.index[doubtful[0]]} does"
        remedy = f"write {number.replace('.', '')} or {number.replace('.', ',')}"
        fail("answer", rule, number, remedy=remedy)
    if not (foreign or decimal_commas(answers)):
        return answers
    pointed = any("." in answer for answer in numbers)
    return [
        answer if "." in answer or (pointed and may_be_thousands(answer, ",")) else answer.replace(",", ".")
        for answer in answers
    ]


def refuse_joined_lines(study: Study, table: pd.DataFrame) -> None:
    """Refuse a sheet in which a quotation mark joined several lines into one cell, whose answers would be lost."""
    for number, cells in zip(table.index, table.itertuples(index=False), strict=True):
        for text in (cell for cell in cells if isinstance(cell, str) and "\n" in cell):
            for inner in text.splitlines()[1:]:
                id, place, *_ = [*re.split("[,;\t]", inner.replace('"', "")), "", ""]
                if id and id_there(study, place) == id:
                    rule = f"must have each item in a line of its own; a cell of line {number} holds the line of {shown(id)}"
                    fail(
                        "file", rule, remedy="delete the quotation mark before it, or save the sheet as .xlsx"
                    )


def refuse_other_sheet(study: Study, lines: list[Line]) -> None:
    """Refuse a sheet in which most lines have the place of one item and the id of another."""
    placed = [line for line in lines if _place(line.place) is not None and line.id in study.pool]
    strange = sum(id_there(study, line.place) != id_of(study, line.id) for line in placed)
    if 2 * strange > len(placed):
        rule = f"must be this study's sheet; in {strange} of {len(lines)} lines `place` is another item's than `id`"
        fail("file", rule, remedy=f"{SORTED} If the ids are right, drop the column `place`")


def id_of(study: Study, text: str) -> str:
    """The id that a cell means: its text, or that without a protecting apostrophe, or else its text without outer spaces.

    The first of them that is in the pool counts, since ids may begin with a space, and sheets write `-1` as `'-1`.
    """
    meant = (text, str(sheets.restored(text)))
    return next((said for said in meant if said in study.pool), text.strip())


def _place(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= LONGEST else None


def _at(study: Study, place: int | None) -> str | None:
    """The id of the item at a place of the queue; `None` if there is none."""
    return None if place is None or place >= len(study.state.queue) else study.state.id_at(place)


def id_there(study: Study, place: str) -> str | None:
    """The id of the item at the place of the queue that a cell means; `None` if there is none."""
    return _at(study, _place(place.strip()))


def twins(study: Study, lines: list[Line]) -> frozenset[str]:
    """Ids that may have been other ids before a spreadsheet dropped zeros: `1` if `01` was asked and has no line.

    Places tell such ids apart, so there are none if all lines have one.
    """
    if all(_place(line.place) is not None for line in lines):
        return frozenset()
    written = {id_of(study, line.id) for line in lines}
    asked = (id for id, places in study.state.places.items() if places[0] < study.state.asked)
    return frozenset(id for ids in _alike(asked) if not written.issuperset(ids) for id in ids)


def blurred(table: pd.DataFrame, task: Task, lines: list[Line]) -> frozenset[str]:
    """Class names that may have been others before a spreadsheet dropped zeros: `1` if no answer is the class `01`.

    Text in a workbook, unlike in a CSV file, which has a separator, has been no number.
    """
    written = {line.answer for line in lines}
    marked = bool(table.attrs.get("separator"))
    cells = zip(lines, _column(table, "answer"), strict=True)
    numbers = {line.answer for line, cell in cells if marked or not isinstance(cell, str)}
    pairs = ((sheets.as_text(float(names[0])), written.intersection(names)) for names in _alike(task.classes))
    return frozenset(number for number, said in pairs if said == {number} and number in numbers)


def _alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that a spreadsheet would turn into the same number."""
    by_number: dict[Decimal, list[str]] = {}
    for name in filter(NUMBER.fullmatch, names):
        by_number.setdefault(Decimal(name), []).append(name)
    return [names for names in by_number.values() if len(names) > 1]


def item_of(study: Study, line: Line, doubtful: frozenset[str]) -> Item:
    """The item of a line. It is refused if it was not asked, has another place, or is one of the `twins` and has no place."""
    state, place, id = study.state, _place(line.place), id_of(study, line.id)
    there = _at(study, place)
    if place is not None and place < state.asked and there is not None and (there == id or same(there, id)):
        return Item(there, place, {})
    found = state.asked_place(id)
    if found is None:
        _refuse(study, id, placed=place is not None)
    if place is not None:
        whose = "of none" if there is None else f"of {shown(there)}"
        fail("place", f"must be that of the item {shown(id)}; place {place} is that {whose}", remedy=SORTED)
    if id in doubtful:
        rule = "must tell which item is meant; the study asks another one that a spreadsheet may write the same way, by dropping zeros"
        fail("id", rule, id, remedy="keep the column `place` of the sheet that was exported")
    return Item(id, found, {})


def _refuse(study: Study, id: str, *, placed: bool) -> NoReturn:
    """Refuse an id that cannot be answered, and say why."""
    if not id:
        remedy = "put back the id of its item, also of those in a merged cell; a line of totals needs none"
        fail("id", "must tell which item the answer is about; the cell is empty", remedy=remedy)
    if id not in study.pool:
        remedy = "did the spreadsheet change it? A workbook keeps ids"
        remedy += "" if placed else ", and the column `place` tells an item of which only zeros were dropped"
        fail("id", "must be an id of the pool", id, remedy=remedy)
    held = study.pool.position(id) in study.state.problem.held.index
    why = "its label was known before the study" if held else NOT_ASKED
    fail("id", "must be an item that was asked", id, remedy=why)


def same(id: str, other: str) -> bool:
    """Whether a spreadsheet may write an id as this other text: it drops leading zeros, and digits after the fifteenth.

    >>> same("0012", "12"), same("12e5", "1.2E+06"), same("12e5", "1,2E+06"), same("a", "a")
    (True, True, True, False)
    >>> same("12345678901234567890", "1.23456789012346E+19"), same("12345678901234567890", "1.23457E+19")
    (True, False)
    """
    other = other.replace(",", ".")  # as some countries write decimals
    return bool(NUMBER.fullmatch(id) and NUMBER.fullmatch(other)) and any(
        shortened(id) == Decimal(other) for shortened in SHORTENED
    )


def alike(number: float, other: float) -> bool:
    """Whether a spreadsheet, which keeps fifteen digits, may write both numbers the same way.

    >>> alike(2 / 3, 0.666666666666667), alike(2 / 3, 0.666666666666666), alike(2 / 3, 0.66666666666666)
    (True, True, False)
    """
    if not isclose(number, other, rel_tol=1e-13):  # most are far apart, and decimals slow
        return False
    return any(shortened(repr(number)) == shortened(repr(other)) for shortened in SHORTENED)
