"""Answers: as people give them, as the log holds them, and by place of the queue, without going through all of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sampleval._checks import InputError, fail, located, nonnegative, shown
from sampleval.events import DAMAGED, Answered, Event, Undone, logged
from sampleval.pool import Flags, Task, blanks, decode_label, encode_label, label_text
from sampleval.study.item import SKIP, UNSURE, Silence, json_ready


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with what the log says about it."""

    uuid: str
    annotator: str
    at: str
    what: Answered


def answered(task: Task, place: int, id: str, label: Any, seconds: float | None) -> Answered:
    """An answer as the log holds it, from the form that `Study.tell` takes; a label that does not fit the task is refused."""
    silent = isinstance(label, Silence)
    with located(f"id {shown(id)}"):
        if not silent and pd.api.types.is_scalar(label) and pd.isna(label):
            fail("label", "must not be missing", label, remedy="tell UNSURE, or SKIP, if nobody knows it")
        value = None if silent else json_ready(encode_label(task, label))
    if seconds is not None:
        seconds = nonnegative(seconds, "seconds")
    return Answered(place, id, label.kind if silent else "label", value, seconds)


def person(who: str) -> str:
    """What tells people apart, which neither case nor spaces in their names do.

    >>> [person(who) for who in ("Ann ", " ANN", "Anne")]
    ['ann', 'ann', 'anne']
    """
    return " ".join(unicodedata.normalize("NFC", who).casefold().split())


def named(who: str, names: dict[str, str]) -> str:
    """The name of a person as it was first written, kept in `names`.

    >>> names = {}
    >>> [named(who, names) for who in ("Ann ", "ann", " ANN", "Anne")]
    ['Ann', 'Ann', 'Ann', 'Anne']
    """
    return names.setdefault(person(who), who.strip())


def in_text(task: Task, answered: Answered) -> str:
    """An answer as one cell of text: its label, or "skip" or "unsure"."""
    return label_text(decode_label(task, answered.label)) if answered.kind == "label" else answered.kind


def label_of(task: Task, answered: Answered) -> Any:
    """An answer in the form that `Study.tell` takes: its label, `SKIP` or `UNSURE`."""
    if answered.kind == "label":
        return decode_label(task, answered.label)
    return SKIP if answered.kind == "skip" else UNSURE


def refuse_unreadable(task: Task, answered: Answered) -> None:
    """Refuse an answer from a log that is of an unknown kind, or whose label is none of this task."""
    if answered.kind not in ("label", "skip", "unsure"):
        kind, id = shown(answered.kind), shown(answered.id)
        raise InputError(
            f"the log holds an answer of unknown kind {kind} for {id}; if a newer version of sampleval made it, "
            f"update sampleval; otherwise {DAMAGED}"
        )
    if answered.kind == "label":
        with logged(f"the answer for {shown(answered.id)}"):
            decode_label(task, answered.label)


def standing(events: Iterable[Event]) -> dict[str, Answer]:
    """Uuid → answer, of all that were given and not taken back, in the order of the log. The queue is not needed."""
    found, names = dict[str, Answer](), dict[str, str]()
    for event in events:
        match event.what:
            case Answered():
                who = named(event.annotator, names)
                found[event.uuid] = Answer(event.uuid, who, event.at, event.what)
            case Undone(uuid):
                found.pop(uuid, None)
    return found


def counting(answers: Iterable[Answer]) -> dict[int, Answer]:
    """Place → the answer that counts for it, the last one of these in the log, in the order of the queue."""
    last = {answer.what.place: answer for answer in answers}
    return dict(sorted(last.items()))


def labels_of(task: Task, counted: Mapping[int, Answer]) -> dict[str, Any]:
    """Id → label, of the answers that count (`counting`)."""
    said = (answer.what for answer in counted.values())
    return {what.id: decode_label(task, what.label) for what in said if what.kind == "label"}


class Answers:
    """The answers that stand: all that were given and not taken back.

    Attributes:
        by_place: Place in the queue → its standing answers in the order of the log; places without any are left out.
        standing: Uuid → standing answer, in the order of the log.
        run_length: Length of the answered run from the head of the queue.
    """

    def __init__(self, task: Task) -> None:
        self.by_place: dict[int, list[Answer]] = {}
        self.run_length = 0
        self._task = task
        self.standing: dict[str, Answer] = {}
        self._by_annotator: dict[str, dict[str, None]] = {}
        self._names: dict[str, str] = {}  # as people first wrote them; the log has them as they were written
        self._labels = blanks(task, 0)
        self._responded = np.zeros(0, bool)

    def __len__(self) -> int:
        return len(self.by_place)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answers) and self.by_place == other.by_place

    __hash__ = None  # type: ignore[assignment]

    def extend(self, places: int) -> None:
        """Make room for this many more places in the queue."""
        self._labels = np.concatenate([self._labels, blanks(self._task, places)])
        self._responded = np.concatenate([self._responded, np.zeros(places, bool)])

    def add(self, answer: Answer) -> None:
        """Take in a new answer."""
        place = answer.what.place
        answer = replace(answer, annotator=named(answer.annotator, self._names))
        self.by_place.setdefault(place, []).append(answer)
        self.standing[answer.uuid] = answer
        self._by_annotator.setdefault(answer.annotator, {})[answer.uuid] = None
        self._settle(place)
        while self.run_length in self.by_place:
            self.run_length += 1

    def remove(self, uuid: str) -> None:
        """Remove an answer that was taken back. If it no longer stands, nothing changes."""
        answer = self.standing.pop(uuid, None)
        if answer is None:
            return
        place = answer.what.place
        del self._by_annotator[answer.annotator][uuid]
        self.by_place[place].remove(answer)
        if not self.by_place[place]:
            del self.by_place[place]
            self.run_length = min(self.run_length, place)
        self._settle(place)

    def _settle(self, place: int) -> None:
        """Update the place's label from its last standing answer."""
        answer = self.current(place)
        self._responded[place] = answer is not None and answer.what.kind == "label"
        self._labels[place] = answer.what.label if answer is not None and self._responded[place] else 0

    def current(self, place: int) -> Answer | None:
        """The answer that counts for a place, which is the last standing one; `None` if there is none."""
        answers = self.by_place.get(place)
        return answers[-1] if answers else None

    @property
    def counting(self) -> dict[int, Answer]:
        """Place → the answer that counts for it, in the order of the queue."""
        return counting(self.standing.values())

    @property
    def waiting(self) -> int:
        """Number of places that were answered out of order, so that they wait for the gaps before them."""
        return len(self) - self.run_length

    def names_of(self, people: Iterable[str]) -> list[str]:
        """Their names as first written, in the log or else here."""
        names = self._names.copy()
        return [named(who, names) for who in people]

    def name_of(self, annotator: str) -> str:
        """The name under which this annotator's answers are held."""
        return self._names.get(person(annotator), annotator.strip())

    def by(self, annotator: str) -> Iterator[Answer]:
        """This annotator's standing answers, the latest first."""
        return (self.standing[uuid] for uuid in reversed(self._by_annotator.get(self.name_of(annotator), {})))

    def of(self, place: int, annotator: str) -> Answer | None:
        """This annotator's last standing answer for a place."""
        who = self.name_of(annotator)
        return next((a for a in reversed(self.by_place.get(place, ())) if a.annotator == who), None)

    def gaps(self) -> Iterator[int]:
        """Places without an answer, in order."""
        return (place for place in range(self.run_length, len(self._responded)) if place not in self.by_place)

    def labels(self, k: int) -> tuple[np.ndarray[Any, Any], Flags]:
        """Encoded labels of the first k places, (k,) or (k, C), and whether a label was given for each, (k,)."""
        return self._labels[:k].copy(), self._responded[:k].copy()
