"""Which columns of a sheet may be meant where its own are missing or empty."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pandas as pd

from sampleval._checks import fail, listed, shown
from sampleval.offline.answers import reads
from sampleval.offline.exports import APART, GUESSES, path_of
from sampleval.offline.lines import ELSEWHERE, Line, id_of, names_of, texts_at
from sampleval.offline.people import is_person
from sampleval.offline.writing import ALLOWED, FIELD, OWN
from sampleval.pool import Task
from sampleval.study import Study

INDEX = re.compile(r"index|unnamed: ?\d+")  # what a saved index is called
BRACKETS = re.compile(r"\[(.*)\]\s*$", re.DOTALL)  # in which a form's export puts the row of a grid


def refuse_incomplete(study: Study, table: pd.DataFrame) -> None:
    """Refuse a table without the columns id and answer, and say which others may be meant."""
    names = names_of(table)
    for wanted in ("id", "answer"):
        if wanted not in names:
            if wanted == "id":
                _in_rows(study, table)
            remedy = (
                f"{_meant(study, table)}use the sheet as it was exported; {ELSEWHERE}. A labelling tool's export must "
                "have the sheet's columns id and place; call the one with the answers `answer`"
            )
            fail("file", f"must have a column named {wanted!r}", list(map(str, table.columns)), remedy=remedy)
    for name in ("id", "answer", "place"):
        if names.count(name) > 1:
            fail("file", "must have one column of that name", name, remedy="rename or drop the others")


def refuse_stray_answers(study: Study, table: pd.DataFrame, lines: list[Line]) -> None:
    """Refuse a sheet whose answers stand in another column than `answer`, and would be lost."""
    task, names = study.pool.task, names_of(table)
    if ALLOWED in names:  # the next column
        for line, cell in zip(lines, texts_at(table, names.index(ALLOWED)), strict=True):
            if cell and not line.answer and reads(task, cell):
                rule = (
                    f"must have its answers in the column `answer`; line {line.number} has one in `{ALLOWED}`"
                )
                fail("file", rule, cell, remedy="move them there")
    if any(line.answer for line in lines):
        return
    filled = [shown(name) for name in _answers(study, table)]
    nameless = table.attrs.get("nameless", {})
    filled += [
        f"{letter}, which has no name,"
        for letter, cells in nameless.items()
        if _most(cells, partial(_reads, task))
    ]
    if filled:
        one = len(filled) == 1
        columns = f"column {filled[0]} is" if one else f"columns {listed(filled, 3)} are"
        rule = f"must have its answers in the column `answer`, which is empty, while {columns} filled"
        remedy = "or give it that name"
        if not one:
            remedy = f"and {APART}"
        fail("file", rule, remedy=f"move the answers to `answer`, {remedy}")


def _in_rows(study: Study, table: pd.DataFrame) -> None:
    """Refuse a table in which each item has a column, as in the export of a form, and each person a line."""
    asked = [study.state.id_at(place) for place in range(study.state.asked)]
    rows = study.pool.fields.iloc[study.state.queue[: study.state.asked]]
    known = {
        *asked,
        *(cell.strip() for _, column in rows.items() for cell in column if isinstance(cell, str)),
    }
    items = [
        name
        for name in map(str, table.columns)
        if {name.strip(), *map(str.strip, BRACKETS.findall(name))} & known
    ]
    if len(items) > 1:
        rule = f"must have a line for each item; items stand in its columns, as {shown(items[0])} does"
        remedy = "write a line for each item and person, under the names id, annotator and answer"
        fail("file", rule, remedy=remedy)


def _meant(study: Study, table: pd.DataFrame) -> str:
    """Which columns may hold ids and answers under other names, as the beginning of a remedy; "" if none or several may."""
    names, renamed = names_of(table), list[str]()
    ids = _mostly(study, table, lambda cell: id_of(study, cell) in study.pool)
    answers = [name for name in _answers(study, table) if name not in ids]
    for wanted, found in (("id", ids), ("answer", answers)):
        if wanted not in names and len(found) == 1:
            renamed.append(f"{shown(found[0])} `{wanted}`")
    return (
        f"call {' and '.join(renamed)} if that is what {'it holds' if len(renamed) == 1 else 'they hold'}, or "
        if renamed
        else ""
    )


def _answers(study: Study, table: pd.DataFrame) -> list[str]:
    """Columns that did not come with the sheet, and whose cells are mostly answers."""
    return _mostly(study, table, partial(_reads, study.pool.task))


def _mostly(study: Study, table: pd.DataFrame, fits: Callable[[str], bool]) -> list[str]:
    """Columns that did not come with the sheet, and most of whose filled cells fit."""
    own = {*OWN, *(str(name).lower() for name in study.pool.fields.columns)}
    others = [
        (k, str(table.columns[k]))
        for k, name in enumerate(names_of(table))
        if name not in own
        and not name.endswith(FIELD)
        and not INDEX.fullmatch(name)
        and not is_person(name)
        and not GUESSES & {*path_of(name)}
    ]
    return [name for k, name in others if _most(texts_at(table, k), fits)]


def _most(cells: list[str], fits: Callable[[str], bool]) -> bool:
    filled = [cell for cell in cells if cell]
    return 2 * sum(map(fits, filled)) > len(filled)


def _reads(task: Task, cell: str) -> bool:
    return reads(task, cell.replace(",", ".") if task.kind == "regression" else cell)
