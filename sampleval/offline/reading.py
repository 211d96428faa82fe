"""Read a sheet's answers back into its study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from sampleval._checks import InputError, flag
from sampleval.offline.answers import answer_in
from sampleval.offline.exports import as_sheet
from sampleval.offline.hints import complete, in_their_column
from sampleval.offline.lines import Line, blurred, item_of, lines_of, own, table_of, twins, whole
from sampleval.study import Item, Study, checked_study, in_text, label_of

Fate = Literal["imported", "corrected", "unchanged", "conflict"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A line whose answer differs from the one already given.

    Attributes:
        line: The line's number as a spreadsheet counts, in which the column names are line 1.
        id: The item.
        given: The answer that stands.
        answer: The sheet's answer.
    """

    line: int
    id: str
    given: str
    answer: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that could not be used, and the reason."""

    line: int
    id: str
    answer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What happened to the lines of a sheet.

    Attributes:
        imported: Ids of items that had no answer and now have one.
        corrected: Ids of items whose answer was replaced, if the caller asked for corrections.
        unchanged: Ids of items that already had this answer.
        conflicts: Lines that differ from the answer given; the study keeps its own answer.
        rejected: Lines that could not be used.
        empty: Number of lines without an answer.
        altered: Ids that the spreadsheet had changed, such as 007 to 7, and that were recognised by their places.
    """

    imported: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    empty: int = 0
    altered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meant:
    """A line whose item and answer are clear."""

    line: Line
    item: Item
    answer: Any


def read(
    study: Study, source: str | Path | bytes | pd.DataFrame, *, annotator: str = "", corrections: bool = False
) -> Imported:
    """Record a sheet's answers in the study, all in one step, and return what happened to each line.

    Args:
        study: The study that the sheet came from.
        source: CSV, XLSX, JSON or JSONL file, its content, or a frame: columns id and answer, and place if it is there. What
            a labelling tool exports will do if the sheet's columns id and place were loaded into it.
        annotator: Who answered.
        corrections: Whether to replace answers that differ; otherwise they stay and are listed as conflicts. With it,
            answers equal to somebody else's are recorded too, since agreement is not told from differences alone.

    Raises:
        InputError: The file cannot be read or lacks these columns, another column holds its answers, or most lines have the
            id of one item and the place of another. A single line that cannot be used is no error but is listed in the
            result.
    """
    corrections = flag(corrections, "corrections")
    table = table_of(source)
    checked_study(study).refresh()
    table = as_sheet(study, table)
    complete(study, table)
    lines = lines_of(table, study.pool.task)
    answered = [line for line in lines if line.answer]
    whole(study, table)
    in_their_column(study, table, lines)
    own(study, answered)
    meant, rejected = _understood(
        study, answered, twins(study, lines), blurred(table, study.pool.task, lines)
    )
    fates = [(_fate(study, each, corrections), each) for each in meant]

    def ids(fate: Fate) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.item.id for found, each in fates if found == fate))

    conflicts = tuple(_conflict(study, each) for fate, each in fates if fate == "conflict")
    told = {
        each.item.place: (each.item, each.answer)
        for fate, each in fates
        if fate in ("imported", "corrected")
        or (corrections and fate == "unchanged" and _second(study, each, annotator))
    }
    study.tell_all(list(told.values()), annotator=annotator)
    altered = (each.item.id for each in meant if each.item.id.strip() != each.line.id.strip())
    return Imported(
        ids("imported"),
        ids("corrected"),
        ids("unchanged"),
        conflicts,
        tuple(rejected),
        len(lines) - len(answered),
        tuple(dict.fromkeys(altered)),
    )


def _understood(
    study: Study, lines: Iterable[Line], doubtful: frozenset[str], unclear: frozenset[str]
) -> tuple[list[Meant], list[Rejected]]:
    """The lines whose item and answer are clear, and the lines that cannot be used."""
    meant, rejected = list[Meant](), list[Rejected]()
    said: dict[int, tuple[Any, int]] = {}  # each item's answer in this sheet, and the line that gives it
    for line in lines:
        try:
            item, answer = item_of(study, line, doubtful), answer_in(study.pool.task, line.answer, unclear)
            _agrees(said.setdefault(item.place, (answer, line.number)), answer)
        except InputError as error:
            rejected.append(Rejected(line.number, line.id, line.answer, str(error)))
        else:
            meant.append(Meant(line, item, answer))
    return meant, rejected


def _fate(study: Study, meant: Meant, corrections: bool) -> Fate:
    """What happens to a line, given the answer that stands."""
    stands = study.state.given.current(meant.item.place)
    if stands is None:
        return "imported"
    if label_of(study.pool.task, stands.what) == meant.answer:
        return "unchanged"
    return "corrected" if corrections else "conflict"


def _second(study: Study, meant: Meant, annotator: str) -> bool:
    """Whether others gave the answer that stands, and this annotator has none to the item."""
    return study.state.given.of(meant.item.place, annotator) is None


def _conflict(study: Study, meant: Meant) -> Conflict:
    """The conflict of a line with the answer that stands."""
    stands = study.state.given.current(meant.item.place)
    assert stands is not None
    line = meant.line
    return Conflict(line.number, meant.item.id, in_text(study.pool.task, stands.what), line.answer)


def _agrees(first: tuple[Any, int], answer: Any) -> None:
    if first[0] != answer:
        raise InputError(
            f"line {first[1]} gives the same item another answer; keep one of the two, or read each person's in a file of its own"
        )
