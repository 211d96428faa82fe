"""Labelling elsewhere: the next items as a sheet, and its answers brought back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from sampleval import sheets
from sampleval._checks import InputError, choice, fail
from sampleval.pool import Task, decode_label, encode_label, label_text
from sampleval.study import SKIP, UNSURE, Item, Silence, Study

OWN = ("id", "row", "answer", "allowed_answers")
LONGEST = 18  # digits of a row: more rows has no queue


@dataclass(frozen=True, slots=True)
class Conflict:
    """A line whose answer is not the one already given.

    Attributes:
        line: Its line, as a spreadsheet counts: column names stand in line 1.
        id: The item.
        given: The answer that stands.
        answer: The sheet's.
    """

    line: int
    id: str
    given: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that could not be used, and why."""

    line: int
    id: str
    answer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a sheet's lines.

    Attributes:
        imported: Ids of items that had no answer and now have one.
        corrected: Ids whose answer was replaced, on request.
        unchanged: Ids whose answer was already this one.
        conflicts: Lines that differ from the answer given; the study keeps its own.
        rejected: Lines that could not be used.
        empty: Number of lines without an answer.
    """

    imported: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    empty: int = 0


def silences(task: Task) -> dict[str, Silence]:
    """The words for skip and unsure, in brackets where a class has that name."""
    taken = {name.lower() for name in task.classes}
    return {f"({a.kind})" if a.kind in taken else a.kind: a for a in (SKIP, UNSURE)}


def allowed(task: Task) -> list[str]:
    """What may stand in the answer column."""
    names = {
        "regression": ["a number"],
        "multilabel": ["several joined by |", *task.classes, "[] for none"],
    }.get(task.kind, list(task.classes))
    return [*names, *silences(task)]


def sheet(study: Study, n: int = 100, *, pictures: bool = False) -> pd.DataFrame:
    """The next items to label, as `Study.ask` hands them out; a second sheet repeats what has no answer yet.

    Args:
        study: The study.
        n: Most items.
        pictures: Whether fields that hold bytes are there.

    Returns:
        Columns id, row (place in the queue), the pool's fields (one that is named like a column of the sheet
        gets " (field)" after its name), answer (empty) and allowed_answers (in the first line).
    """
    items = study.ask(n)
    columns: dict[str, list[Any]] = {"id": [i.id for i in items], "row": [i.row for i in items]}
    for name in study.pool.fields.columns:
        cells = [item.fields[str(name)] for item in items]
        if pictures or not any(isinstance(cell, bytes) for cell in cells):
            columns[f"{name} (field)" if str(name).lower() in OWN else str(name)] = cells
    columns["answer"] = [""] * len(items)
    columns["allowed_answers"] = [" / ".join(allowed(study.pool.task)), *[""] * len(items)][: len(items)]
    return pd.DataFrame(columns)


def write(study: Study, n: int = 100, form: sheets.Format = "csv") -> bytes:
    """The sheet as the content of a CSV or XLSX file.

    Args:
        study: The study.
        n: Most items.
        form: "csv" or "xlsx"; a workbook also shows pictures, and offers the classes as a list to choose from.
    """
    if choice(form, ("csv", "xlsx"), "form") == "csv":
        return sheets.to_csv(sheet(study, n))
    lists = {"answer": allowed(study.pool.task)} if study.pool.task.classified else None
    return sheets.to_xlsx(sheet(study, n, pictures=True), lists=lists)


def read(
    study: Study, source: str | Path | bytes | pd.DataFrame, *, annotator: str = "", corrections: bool = False
) -> Imported:
    """Bring a sheet's answers into the study, all in one step.

    Args:
        study: The study that the sheet came from.
        source: CSV or XLSX file, its content, or a frame: columns id and answer, and row if it is there.
        annotator: Who answered.
        corrections: Replace answers that differ; otherwise they are listed as conflicts and stay.

    Raises:
        InputError: A file that cannot be read, or without these columns. A line that cannot be used is no
            error: it is listed in the result.
    """
    table = _numbered(source) if isinstance(source, pd.DataFrame) else sheets.from_file(source)
    study.refresh()
    imported, corrected, unchanged, empty = [], [], [], 0
    conflicts: list[Conflict] = []
    rejected: list[Rejected] = []
    told: dict[int, tuple[Item, Any, int]] = {}
    for line, id, row, text in _lines(table):
        if not text:
            empty += 1
            continue
        try:
            item, answer = _item(study, id, row), _answer(study.pool.task, text)
            _agrees(told.get(item.row), answer)
        except InputError as error:
            rejected.append(Rejected(line, id, text, str(error)))
            continue
        given = _given(study, item.row)
        if given is None:
            imported.append(item.id)
        elif given == answer:
            unchanged.append(item.id)
            continue
        elif corrections:
            corrected.append(item.id)
        else:
            conflicts.append(Conflict(line, item.id, _words(given), text))
            continue
        told[item.row] = (item, answer, line)
    study.tell_all([(item, answer) for item, answer, _ in told.values()], annotator=annotator)
    return Imported(
        tuple(dict.fromkeys(imported)),
        tuple(dict.fromkeys(corrected)),
        tuple(unchanged),
        tuple(conflicts),
        tuple(rejected),
        empty,
    )


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the lines that it would have in a file."""
    return frame.set_axis(range(2, len(frame) + 2), axis=0)


def _lines(table: pd.DataFrame) -> Iterator[tuple[int, str, str, str]]:
    """(line, id, row, answer) of every line, as text."""
    names = [str(name).strip().lower() for name in table.columns]
    for wanted in ("id", "answer"):
        if wanted not in names:
            fail("file", f"must have a column named {wanted!r}", list(map(str, table.columns)),
                 remedy="use the sheet as it was exported")  # fmt: skip
    for own in ("id", "answer", "row"):
        if names.count(own) > 1:
            fail("file", "must have one column of that name", own, remedy="rename or drop the others")
    ids, answers = (table.iloc[:, names.index(own)] for own in ("id", "answer"))
    rows = table.iloc[:, names.index("row")] if "row" in names else [""] * len(table)
    for line, *cells in zip(table.index, ids, rows, answers, strict=True):
        id, row, answer = map(sheets.as_text, cells)
        yield line, id, row.strip(), answer.strip()


def _item(study: Study, id: str, row: str) -> Item:
    """The item of a line; one that was not asked is refused."""
    state = study.state
    id = id if id in study.pool else id.strip()  # a pool may have ids that begin with a space
    if (
        row.isdecimal()
        and len(row) <= LONGEST
        and state.asked_row(item := Item(id, int(row), {})) is not None
    ):
        return item
    found = state.asked_row(id)
    if found is None and id not in study.pool:
        fail(
            "id",
            "must be an id of the pool",
            id,
            remedy="did the spreadsheet change it? A workbook keeps ids",
        )
    if found is None:
        held = study.pool.position(id) in state.problem.held.index
        why = "its label was known before the study" if held else "the study has not asked it yet"
        fail("id", "must be an item that was asked", id, remedy=why)
    return Item(id, found, {})


def _answer(task: Task, text: str) -> Any:
    """What a cell says: a label as the task names it, `SKIP` or `UNSURE`."""
    word = silences(task).get(text.lower()) or silences(task).get(text.lower().strip("()"))
    if word is not None and text not in task.classes:
        return word
    return decode_label(task, encode_label(task, text))


def _given(study: Study, row: int) -> Any:
    """The answer that stands, in the same form; `None` without one."""
    answer = study.state.current(row)
    if answer is None:
        return None
    if answer.what.kind != "label":
        return SKIP if answer.what.kind == "skip" else UNSURE
    return decode_label(study.pool.task, answer.what.label)


def _agrees(earlier: tuple[Item, Any, int] | None, answer: Any) -> None:
    if earlier is not None and earlier[1] != answer:
        raise InputError(f"line {earlier[2]} gives the same item another answer; keep one of the two")


def _words(answer: Any) -> str:
    return answer.kind if isinstance(answer, Silence) else label_text(answer)
