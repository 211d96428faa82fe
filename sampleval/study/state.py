"""A study's state as the fold of its events: same log, same state, mid-way as well as fresh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np

from sampleval._checks import InputError, fail, shown
from sampleval.designs import Problem, Round, Sample
from sampleval.estimators import Run
from sampleval.events import (
    Aimed,
    Answered,
    Asked,
    Created,
    Event,
    Extended,
    Guided,
    Noted,
    Opened,
    Undone,
)
from sampleval.metrics import Metric, resolve
from sampleval.numerals import many
from sampleval.pool import Flags, Integers, Pool, decode_label, id_of
from sampleval.presets import Method
from sampleval.study.answers import Answer, Answers
from sampleval.study.assembly import assemble, evidence_of
from sampleval.study.item import Item
from sampleval.study.settings import DAMAGED, MetricLike, Settings, logged, refuse_misplaced
from sampleval.surrogates import Evidence


@dataclass(eq=False)
class State:
    """What the events so far amount to.

    Attributes:
        pool: The items.
        custom: Metrics that are not in the registry, by name.
        seen: Number of the last event applied.
        settings: Those of its creation.
        method: The cell that they name.
        problem: What its design may know, labels held among it.
        budget: Labels allowed in all, as last extended.
        given: The answers.
        rounds: The rounds planned so far.
        queue: Their items in the order of labelling.
        asked: Places handed out.
        notes: Who wrote each note and what, oldest first.
        places: Id → its places in the queue; several only where each draw is asked.
        known: Uuids of all events applied: one of them sent again changes nothing.
        guidelines: What annotators are told.
        goal: Half the width wanted of the main metric's interval; `None` if no goal is set.
    """

    pool: Pool
    custom: Mapping[str, Metric] = field(default_factory=dict)
    seen: int = 0
    settings: Settings = field(init=False)
    method: Method = field(init=False)
    problem: Problem = field(init=False)
    budget: int = field(init=False)
    given: Answers = field(init=False)
    rounds: list[Round] = field(default_factory=list)
    queue: Integers = field(default_factory=lambda: np.empty(0, np.intp))
    asked: int = 0
    notes: list[tuple[str, Noted]] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    guidelines: str = ""
    goal: float | None = None
    _planned: tuple[tuple[int, int], Round | None] | None = None

    def __post_init__(self) -> None:
        self.given = Answers(self.pool.task)

    def __eq__(self, other: object) -> bool:
        """Whether both know the same: settings, queue, what was asked, every answer and note."""
        return isinstance(other, State) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]

    def _facts(self) -> tuple[Any, ...]:
        held = self.problem.held
        said = self.given, self.notes, self.guidelines, self.goal, self.known
        drawn = self.asked, self.queue.tolist(), len(self.rounds)
        began = self.pool.fingerprint, self.settings, held.index.tolist(), held.labels.tolist()
        return began, self.budget, drawn, said

    def apply(self, number: int, event: Event) -> None:
        """Take in one event: the next one, for a log that lacks some would only seem to be the study's."""
        if number != self.seen + 1:
            rule = f"must be numbered 1, 2, … without a gap; after event {self.seen} comes event {number}"
            fail("events", rule, remedy=DAMAGED)
        refuse_misplaced(number, event.what)
        match event.what:
            case Created():
                self._begin(event.what)
            case Opened():
                self._open(event.what)
            case Asked(upto):
                self.asked = max(self.asked, min(upto, len(self.queue)))
            case Answered():
                self._check(event.what)
                self.given.add(Answer(event.uuid, event.annotator, event.at, event.what))
            case Undone(uuid):
                self.given.remove(uuid)
            case Noted(place):
                self._reaches(place)
                self.notes.append((event.annotator, event.what))
            case Extended(budget):
                self.budget = max(self.budget, min(budget, self.problem.population))
            case Guided(text):
                self.guidelines = text
            case Aimed(half):
                self.goal = half
        self.seen = number
        self.known.add(event.uuid)

    def _begin(self, created: Created) -> None:
        self.settings = Settings.from_dict(created.settings)
        if self.settings.pool != self.pool.fingerprint:  # same ids may stand for other scores
            remedy = "load_study finds the one it was made for"
            fail("pool", "must be the study's own; this is another", self.pool.fingerprint, remedy=remedy)
        self.method = self.settings.parts()
        metrics = {
            self.method.form(self._drawn_for(name)): weight for name, weight in self.settings.metrics.items()
        }
        with logged("a label that was known beforehand"):
            known = {id: decode_label(self.pool.task, y) for id, y in created.held.items()}
            held = Evidence.held(self.pool, known)
        self.problem = Problem(
            self.pool,
            metrics,
            self.method.surrogate,
            self.settings.seed,
            held,
            stochastic=self.settings.oracle == "stochastic",
            held_random=self.settings.held_random,
        )
        self.budget = min(self.settings.budget, self.problem.population)  # a log may count what is held

    def _drawn_for(self, name: str) -> Metric:
        """A pre-sampling metric; the log has but the name of one that is not in the registry."""
        try:
            return self.metric(name)
        except InputError:
            remedy = "it is not in the registry; open the study with load_study(name, storage, metrics=[…])"
            fail("metrics", "must hold the metric that the study was drawn for", name, remedy=remedy)

    def _open(self, opened: Opened) -> None:
        """Plan the next round; a second process's request for the same round changes nothing."""
        if opened.number != len(self.rounds):
            return
        planned = self.plan(min(opened.budget, self.budget))
        if planned is None:
            return
        if opened.digest and digest(self.pool, planned) != opened.digest:
            raise InputError(
                "this study's queue was made by another version of sampleval and cannot be remade by this one; "
                "open it with that version, or export its labels and import them into a new study"
            )
        start = len(self.queue)
        self.rounds.append(planned)
        self.queue = np.concatenate([self.queue, planned.queue])
        self.given.extend(len(planned.queue))
        for place, id in enumerate(self.pool.ids[planned.queue], start):
            self.places.setdefault(str(id), []).append(place)

    def next_round(self) -> Opened | None:
        """The opening of the next round; `None` while one is open, or if nothing is left to ask."""
        full = self.budget <= len(self.queue) and not self.method.design.random_size
        if full or self.open_places(1):
            return None
        planned = self.plan(self.budget)
        if planned is None:
            return None
        return Opened(len(self.rounds), self.budget, digest(self.pool, planned))

    def plan(self, budget: int) -> Round | None:
        """The round that would come next."""
        at = (self.seen, budget)
        if self._planned is None or self._planned[0] != at:
            round_ = self.method.design.open(self.problem, self.rounds, self.evidence(), budget)
            self._planned = (at, round_)
        return self._planned[1]

    def _check(self, answered: Answered) -> None:
        place = answered.place
        self._reaches(place)
        if self.id_at(place) != answered.id:
            raise InputError(
                f"the log says item {answered.id!r} stands at place {place} of the queue, but it does not; "
                "the log and the pool do not belong together"
            )
        if answered.kind not in ("label", "skip", "unsure"):
            raise InputError(f"the log holds an answer of unknown kind {answered.kind!r} for {answered.id!r}")
        if answered.kind == "label":
            with logged(f"the answer for {shown(answered.id)}"):
                decode_label(self.pool.task, answered.label)

    def _reaches(self, place: int) -> None:
        """Refuse a place that the queue does not have, or not yet."""
        if not 0 <= place < len(self.queue):
            rule = f"must be about places of the queue, which has {many(len(self.queue), 'item')} so far"
            fail("events", rule, place, remedy=DAMAGED)

    @property
    def answers(self) -> Mapping[int, list[Answer]]:
        """Place → its standing answers, for the places that have any."""
        return self.given.by_place

    def current(self, place: int) -> Answer | None:
        """The answer that counts for a place: the last one not taken back."""
        return self.given.current(place)

    def asked_place(self, id: str | Item) -> int | None:
        """The place of an item that was handed out; `None` if this one was not, or stands elsewhere.

        An id that was drawn several times (stochastic oracle) means its latest draw without an answer, or
        its latest draw if all have one.
        """
        place = id.place if isinstance(id, Item) else self._latest(id_of(id))
        if not 0 <= place < self.asked or (isinstance(id, Item) and self.id_at(place) != id.id):
            return None
        return place

    def id_at(self, place: int) -> str:
        """The id of the item at a place of the queue."""
        return str(self.pool.ids[self.queue[place]])

    def _latest(self, id: str) -> int:
        asked = [
            place
            for place in self.places.get(id if id in self.places else id.strip(), ())
            if place < self.asked
        ]
        return max((place for place in asked if self.current(place) is None), default=max(asked, default=-1))

    def metric(self, metric: MetricLike | None) -> Metric:
        """The metric meant: the first pre-sampling one by default; the study's own win over the registry."""
        if metric is None:
            return self.problem.main
        own = self.custom.get(metric) if isinstance(metric, str) else None
        return own or resolve(metric)

    def open_places(self, most: int | None = None) -> list[int]:
        """Queued places without an answer, in order; at most so many."""
        return list(islice(self.given.gaps(), None if most is None else min(most, len(self.queue))))

    def run_length(self) -> int:
        """Length of the answered run from the head of the queue."""
        return self.given.head

    def labels(self, k: int) -> tuple[np.ndarray[Any, Any], Flags]:
        """Encoded labels of the first k places and whether each was given."""
        return self.given.labels(k)

    def run(self, k: int) -> Run | None:
        """The first k answers as the estimators see them; `None` if there is no label at all."""
        return assemble(self.problem, self.method, self.rounds, self.queue[:k], *self.labels(k))

    def sample(self, k: int) -> Sample:
        """With what chances the first k answered items came in."""
        return self.method.design.sample(self.problem, self.rounds, k)

    def evidence(self) -> Evidence:
        """The labels of the answered run with their design weights, and those held beforehand."""
        k = self.run_length()
        return evidence_of(self.problem, self.method, self.rounds, self.queue[:k], *self.labels(k))


def digest(pool: Pool, planned: Round) -> str:
    """A short fingerprint of a round's queue."""
    text = "\n".join(map(str, pool.ids[planned.queue]))
    return blake2b(text.encode(), digest_size=8).hexdigest()
