"""Read a sheet's answers back into its study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from sampleval._checks import InputError, flag, shown
from sampleval.offline.answers import answer_in
from sampleval.offline.exports import BARE, as_sheet
from sampleval.offline.hints import refuse_incomplete, refuse_stray_answers
from sampleval.offline.lines import (
    Line,
    alike,
    blurred,
    item_of,
    lines_of,
    refuse_joined_lines,
    refuse_other_sheet,
    table_of,
    twins,
)
from sampleval.offline.people import people_of
from sampleval.pool import Task
from sampleval.study import Answer, Item, Shared, Study, checked_study, in_text, label_of, shared

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
        imported: Ids of items that had no answer and now have one. If the sheet names who answered, this is about each
            person's answers, and an id stands here and in the next two once for each of them.
        corrected: Ids of items whose answer was replaced, if the caller asked for corrections.
        unchanged: Ids of items that already had this answer.
        conflicts: Lines that differ from the answer given; the study keeps its own answer.
        rejected: Lines that could not be used.
        empty: Number of lines without an answer.
        bare: Number of those with an empty list of labels, of which the tool does not tell whether anybody looked.
        altered: Ids that the spreadsheet had changed, such as 007 to 7, and that were recognised by their places.
        people: Those who answered as the sheet names them, in the order in which they come.
        disputed: Ids of the sheet's items on which people differ. The last answer counts until somebody decides.
        settled: Ids of items on which people differed and the sheet decided, since it does not name who answered.
    """

    imported: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    empty: int = 0
    bare: int = 0
    altered: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meant:
    """A line whose item and answer are clear."""

    line: Line
    item: Item
    answer: Any


@dataclass(frozen=True, slots=True)
class Judged:
    """What happens to a line, the answer that it is held against, and whether its own is recorded."""

    meant: Meant
    fate: Fate
    stands: Answer | None = None
    recorded: bool = False


def read(
    study: Study, source: str | Path | bytes | pd.DataFrame, *, annotator: str = "", corrections: bool = False
) -> Imported:
    """Record a sheet's answers in the study, all in one step, and return what happened to each line.

    A column `annotator`, or what a tool calls it, makes each line its person's answer, which joins those of others. Where
    people differ, the last answer counts until somebody decides.

    Args:
        study: The study that the sheet came from.
        source: CSV, XLSX, JSON or JSONL file, its content, or a frame: columns id and answer, and place if it is there. What
            a labelling tool exports will do if the sheet's columns id and place were loaded into it.
        annotator: Who answered, where the sheet does not say it.
        corrections: Whether to replace answers that differ; otherwise they stay and are listed as conflicts. With it,
            answers equal to somebody else's are recorded too, since agreement is not told from differences alone, and a
            sheet that does not name who answered decides where people differ.

    Raises:
        InputError: The file cannot be read or lacks these columns, another column holds its answers, or most lines have the
            id of one item and the place of another. A single line that cannot be used is no error but is listed in the
            result.
    """
    corrections = flag(corrections, "corrections")
    table = table_of(source)
    checked_study(study).refresh()
    people = people_of(study, table)
    table = as_sheet(study, table)
    refuse_incomplete(study, table)
    task = study.pool.task
    names = study.state.given.names_of(who or annotator for who in people or [""] * len(table))
    lines = lines_of(table, task, names)
    answered = [line for line in lines if line.answer]
    refuse_joined_lines(study, table)
    refuse_stray_answers(study, table, lines)
    refuse_other_sheet(study, answered)
    meant, rejected = _understood(study, answered, twins(study, lines), blurred(table, task, lines))
    before = _by_place(study)
    judged = [_judged(study, each, before if people else None, corrections) for each in meant]
    told = {(one.meant.item.place, one.meant.line.annotator): one.meant for one in judged if one.recorded}
    if people is None:
        study.tell_all([(each.item, each.answer) for each in told.values()], annotator=annotator)
    else:
        study.tell_apart((each.line.annotator, each.item, each.answer) for each in told.values())
    after = _by_place(study)
    disputed = {place for place, item in after.items() if item.open}
    open_before = {place for place, item in before.items() if item.open}
    settled = {place for place, item in after.items() if item.decision and place in open_before}
    return Imported(
        _ids(judged, "imported"),
        _ids(judged, "corrected"),
        _ids(judged, "unchanged"),
        tuple(_conflict(task, one) for one in judged if one.fate == "conflict"),
        tuple(rejected),
        len(lines) - len(answered),
        table.attrs.get(BARE, 0),
        _once(each.item.id for each in meant if each.item.id.strip() != each.line.id.strip()),
        _once(line.annotator for who, line in zip(people or (), lines, strict=False) if who and line.answer),
        _once(each.item.id for each in meant if each.item.place in disputed),
        _once(each.item.id for each in meant if each.item.place in settled),
    )


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _ids(judged: Iterable[Judged], fate: Fate) -> tuple[str, ...]:
    """The ids of the items that met this fate, once for each person."""
    met = dict.fromkeys((one.meant.item.id, one.meant.line.annotator) for one in judged if one.fate == fate)
    return tuple(id for id, _ in met)


def _by_place(study: Study) -> dict[int, Shared]:
    """Place → what several people said of its item."""
    return {item.place: item for item in shared(study.state)}


def _understood(
    study: Study, lines: Iterable[Line], doubtful: frozenset[str], unclear: frozenset[str]
) -> tuple[list[Meant], list[Rejected]]:
    """The lines whose item and answer are clear, and the lines that cannot be used."""
    meant, rejected = list[Meant](), list[Rejected]()
    said: dict[tuple[int, str], tuple[Any, int]] = {}  # each person's answer in this sheet, and its line
    told: dict[int, list[Any]] = {}  # all answers to an item, in the study and in this sheet
    for line in lines:
        try:
            item = item_of(study, line, doubtful)
            if item.place not in told:
                told[item.place] = _given(study, item.place)
            known = told[item.place]
            answer = _as_told(answer_in(study.pool.task, line.answer, unclear), known)
            _agrees(said.setdefault((item.place, line.annotator), (answer, line.number)), line, answer)
        except InputError as error:
            rejected.append(Rejected(line.number, line.id, line.answer, str(error)))
        else:
            known.append(answer)
            meant.append(Meant(line, item, answer))
    return meant, rejected


def _given(study: Study, place: int) -> list[Any]:
    """All answers to the item at this place, in the form that `Study.tell` takes."""
    return [label_of(study.pool.task, given.what) for given in study.state.given.by_place.get(place, ())]


def _as_told(answer: Any, told: Iterable[Any]) -> Any:
    """The answer, or that number among those told of which a spreadsheet keeps the same digits."""
    if not isinstance(answer, float):
        return answer
    return next((other for other in told if isinstance(other, float) and alike(answer, other)), answer)


def _judged(study: Study, meant: Meant, people: Mapping[int, Shared] | None, corrections: bool) -> Judged:
    """What happens to a line; `people` has what several said by place, if the sheet names who answered."""
    stands = _standing(study, meant, people)
    if stands is None:
        return Judged(meant, "imported", recorded=True)
    if label_of(study.pool.task, stands.what) == meant.answer:
        second = study.state.given.of(meant.item.place, meant.line.annotator) is None
        return Judged(meant, "unchanged", stands, recorded=corrections and second)
    return Judged(meant, "corrected" if corrections else "conflict", stands, recorded=corrections)


def _standing(study: Study, meant: Meant, people: Mapping[int, Shared] | None) -> Answer | None:
    """The answer that a line is held against, which is the one that counts.

    Of people who are named it is their own: the others' are no reason to leave it out. What was decided stands, though.
    """
    place, who, given = meant.item.place, meant.line.annotator, study.state.given
    if people is None:
        return given.current(place)
    if place not in people:
        return given.of(place, who)
    item = people[place]
    return item.own.get(who) or (given.current(place) if item.decision else None)


def _conflict(task: Task, judged: Judged) -> Conflict:
    """The conflict of a line with the answer that it is held against."""
    line, stands = judged.meant.line, judged.stands
    assert stands is not None
    return Conflict(line.number, judged.meant.item.id, in_text(task, stands.what), line.answer)


def _agrees(first: tuple[Any, int], line: Line, answer: Any) -> None:
    if first[0] != answer:
        again = f"line {first[1]} gives the same item another answer"
        if line.annotator:
            again += f" of {shown(line.annotator)}"
        raise InputError(
            f"{again}; keep one of the two, or tell each person's by their name in a column `annotator`"
        )
