"""A study's state as the fold of its events: same log, same state, mid-way as well as fresh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from sampleval._checks import InputError
from sampleval.designs import Problem, Round
from sampleval.events import Answered, Asked, Created, Event, Extended, Guided, Noted, Opened, Undone
from sampleval.metrics import Metric, resolve
from sampleval.pool import Integers, Pool, encode_label
from sampleval.presets import Method
from sampleval.study.settings import Settings
from sampleval.surrogates import Evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it stands in the log."""

    uuid: str
    annotator: str
    at: str
    what: Answered


@dataclass
class State:
    """What the events so far amount to.

    Attributes:
        pool: The items.
        custom: Metrics that are not in the registry, by name.
        seen: Number of the last event applied.
        known: Uuids of all events applied, refused by nobody: what need not be sent again.
        guidelines: What annotators are told.
    """

    pool: Pool
    custom: Mapping[str, Metric] = field(default_factory=dict)
    seen: int = 0
    settings: Settings = field(init=False)
    method: Method = field(init=False)
    problem: Problem = field(init=False)
    budget: int = field(init=False)
    rounds: list[Round] = field(default_factory=list)
    queue: Integers = field(default_factory=lambda: np.empty(0, np.intp))
    asked: int = 0
    answers: dict[int, list[Answer]] = field(default_factory=dict)
    notes: list[tuple[str, Noted]] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    uuids: dict[str, int] = field(default_factory=dict)
    order: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    guidelines: str = ""
    _planned: tuple[tuple[int, int], Round | None] | None = None

    def apply(self, number: int, event: Event) -> None:
        """Take in one event."""
        self._take(number, event)
        self.seen = number

    def _take(self, number: int, event: Event) -> None:
        self.known.add(event.uuid)
        match event.what:
            case Created():
                self._begin(event.what)
            case Opened():
                self._open(event.what)
            case Asked(upto):
                self.asked = max(self.asked, upto)
            case Answered():
                self._check_row(event.what)
                self.uuids[event.uuid] = event.what.row
                self.order[event.uuid] = number
                answer = Answer(event.uuid, event.annotator, event.at, event.what)
                self.answers.setdefault(event.what.row, []).append(answer)
            case Undone(uuid):
                self._undo(uuid)
            case Noted():
                self.notes.append((event.annotator, event.what))
            case Extended(budget):
                self.budget = max(self.budget, budget)
            case Guided(text):
                self.guidelines = text

    def _begin(self, created: Created) -> None:
        self.settings = Settings(**created.settings)
        self.method = self.settings.parts()
        self.budget = self.settings.budget
        metrics = {
            self.custom.get(name) or resolve(name): weight for name, weight in self.settings.metrics.items()
        }
        self.problem = Problem(
            self.pool, metrics, self.method.surrogate, self.settings.seed, held(self.pool, created.held)
        )

    def _open(self, opened: Opened) -> None:
        """Plan the next round; a second process's request for the same round changes nothing."""
        if opened.number != len(self.rounds):
            return
        planned = self.plan(opened.budget)
        if planned is None:
            return
        if opened.digest and digest(self.pool, planned) != opened.digest:
            raise InputError(
                "this study's queue was made by another version of sampleval and cannot be remade by this one; "
                "open it with that version, or export its labels and import them into a new study"
            )
        self.rounds.append(planned)
        start = len(self.queue)
        self.queue = np.concatenate([self.queue, planned.queue])
        for row, position in enumerate(planned.queue, start):
            self.rows.setdefault(str(self.pool.ids[position]), row)

    def plan(self, budget: int) -> Round | None:
        """The round that would come next."""
        at = (self.seen, budget)
        if self._planned is None or self._planned[0] != at:
            round_ = self.method.design.open(self.problem, self.rounds, self.evidence(), budget)
            self._planned = (at, round_)
        return self._planned[1]

    def _check_row(self, answered: Answered) -> None:
        if answered.row >= len(self.queue) or str(self.pool.ids[self.queue[answered.row]]) != answered.id:
            raise InputError(
                f"the log says item {answered.id!r} stands at row {answered.row} of the queue, but it does not; "
                "the log and the pool do not belong together"
            )

    def _undo(self, uuid: str) -> None:
        row = self.uuids.get(uuid)
        if row is not None:
            self.answers[row] = [a for a in self.answers.get(row, []) if a.uuid != uuid]

    def current(self, row: int) -> Answer | None:
        """The answer that counts for a row: the last one not taken back."""
        answers = self.answers.get(row)
        return answers[-1] if answers else None

    def open_rows(self) -> list[int]:
        """Queued rows without an answer, in order."""
        return [row for row in range(len(self.queue)) if not self.answers.get(row)]

    def run_length(self) -> int:
        """Length of the answered run from the head of the queue."""
        for row in range(len(self.queue)):
            if not self.answers.get(row):
                return row
        return len(self.queue)

    def evidence(self) -> Evidence:
        """The labels of the answered run with their design weights, and those held beforehand."""
        k = self.run_length()
        if k == 0:
            return self.problem.held
        labels, responded = self.labels(k)
        sample = self.method.design.sample(self.problem, self.rounds, k)
        weight = np.bincount(sample.rows, sample.weight, k)
        known = self.problem.held
        return Evidence(
            np.concatenate([known.index, self.queue[:k][responded]]),
            np.concatenate([known.labels, labels[responded]]) if len(known) else labels[responded],
            np.concatenate([known.weight, weight[responded]]),
        )

    def labels(self, k: int) -> tuple[np.ndarray[Any, Any], np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Encoded labels of the first k rows and whether each was given."""
        answers = [self.current(row) for row in range(k)]
        responded = np.array([a is not None and a.what.kind == "label" for a in answers], bool)
        blank = blank_label(self.pool)
        values = [a.what.label if a is not None and a.what.kind == "label" else blank for a in answers]
        return np.asarray(values, label_dtype(self.pool)).reshape(k, *np.shape(blank)), responded


def held(pool: Pool, labels: Mapping[str, Any]) -> Evidence:
    """Labels known beforehand as evidence of weight 1."""
    values = [encode_label(pool.task, label) for label in labels.values()]
    shape = (len(values), *np.shape(blank_label(pool)))
    return Evidence(
        pool.positions(list(labels)),
        np.asarray(values, label_dtype(pool)).reshape(shape),
        np.ones(len(values)),
    )


def blank_label(pool: Pool) -> Any:
    """A label of the right shape for items that have none."""
    return [0] * pool.task.width if pool.task.kind == "multilabel" else 0


def label_dtype(pool: Pool) -> type[np.generic]:
    """How labels of this pool are held."""
    return np.float64 if pool.task.kind == "regression" else np.int64


def digest(pool: Pool, planned: Round) -> str:
    """A short fingerprint of a round's queue."""
    text = "\n".join(map(str, pool.ids[planned.queue]))
    return blake2b(text.encode(), digest_size=8).hexdigest()
