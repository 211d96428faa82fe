"""A study's state, which follows from its events alone: the same log gives the same state, at any point of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np

from sampleval._checks import InputError, fail, id_of, shown
from sampleval.designs import Problem, Round
from sampleval.events import (
    DAMAGED,
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
    logged,
    refuse_misplaced,
)
from sampleval.memo import Memo
from sampleval.metrics import Metric, MetricLike, resolve
from sampleval.numerals import many
from sampleval.pool import Integers, Pool, decode_label
from sampleval.presets import Method
from sampleval.study.answers import Answer, Answers, refuse_unreadable
from sampleval.study.assembly import evidence_of
from sampleval.study.item import Item
from sampleval.study.settings import TAKE_OVER, OtherVersion, Settings
from sampleval.surrogates import Evidence


@dataclass(eq=False, repr=False)
class State:
    """The state that the events so far lead to.

    Attributes:
        pool: The items.
        custom: Metrics that are not in the registry, by name.
        seen: Number of the last event applied.
        newest: Uuid of that event.
        settings: The settings from its creation.
        method: The method that they describe.
        problem: What the design may know, including labels held beforehand.
        budget: Labels allowed in all, after the last extension.
        given: The answers.
        rounds: The rounds planned so far.
        queue: The items of all rounds in the order of labelling.
        asked: Number of places handed out.
        notes: Author and content of each note, oldest first.
        places: Id → its places in the queue; there are several only if each draw is asked.
        known: Uuids of all events applied, so that an event sent again changes nothing.
        guidelines: The guidelines for annotators.
        goal: Half the width wanted of the main metric's interval; `None` if no goal is set.
        memo: The latest run and the next round.
    """

    pool: Pool
    custom: Mapping[str, Metric] = field(default_factory=dict)
    seen: int = 0
    newest: str = ""
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
    memo: Memo = field(default_factory=Memo)

    def __post_init__(self) -> None:
        self.given = Answers(self.pool.task)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} after {self.seen:,} events: {self.asked:,} items asked, {self.pool.size:,} in the pool>"

    def __eq__(self, other: object) -> bool:
        """Whether both states are the same: settings, queue, places asked, answers and notes."""
        return isinstance(other, State) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]

    def _facts(self) -> tuple[Any, ...]:
        held = self.problem.held
        said = self.given, self.notes, self.guidelines, self.goal, self.known
        drawn = self.asked, self.queue.tolist(), len(self.rounds)
        began = self.pool.fingerprint, self.settings, held.index.tolist(), held.labels.tolist()
        return began, self.budget, drawn, said

    def apply(self, number: int, event: Event) -> None:
        """Apply one event, which must be the next one: a log with gaps would lead to another study."""
        refuse_misplaced(number, event.what, seen=self.seen)
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
        self.seen, self.newest = number, event.uuid
        self.known.add(event.uuid)

    def _begin(self, created: Created) -> None:
        self.settings = Settings.from_dict(created.settings)
        if self.settings.pool != self.pool.fingerprint:  # equal ids may have other scores
            remedy = "load_study finds the one it was made for"
            fail("pool", "must be the study's own; this is another", self.pool.fingerprint, remedy=remedy)
        self.method = self.settings.as_method()
        metrics = {self._drawn_for(name): weight for name, weight in self.settings.metrics.items()}
        with logged("a label that was known beforehand"):
            known = {id: decode_label(self.pool.task, y) for id, y in created.held.items()}
            held = Evidence.held(self.pool, known)
        self.problem = Problem(
            self.pool,
            self.method.forms(metrics),
            self.method.surrogate,
            self.settings.seed,
            held,
            stochastic=self.settings.oracle == "stochastic",
            held_random=self.settings.held_random,
        )
        self.budget = min(self.settings.budget, self.problem.population)  # a log may count held labels

    def _drawn_for(self, name: str) -> Metric:
        """The pre-sampling metric of this name. The log only names it, so own metrics must have been passed."""
        try:
            return self.metric(name)
        except InputError:
            remedy = (
                "it is not in the registry: if a newer version of sampleval knows it, update sampleval; if it is your own, "
                "pass it in metrics=[…], as to load_study(name, storage, metrics=[…])"
            )
            fail("metrics", "must hold the metric that the study was drawn for", name, remedy=remedy)

    def _open(self, opened: Opened) -> None:
        """Plan the next round. If another process has already opened it, nothing changes."""
        if opened.number != len(self.rounds):
            return
        planned = self.plan(min(opened.budget, self.budget))
        if planned is None:
            return
        if opened.digest and digest(self.pool, planned) != opened.digest:
            raise OtherVersion(
                "this study's queue was made by another version of sampleval and cannot be remade by this one; "
                f"open it with that version, or {TAKE_OVER}"
            )
        start = len(self.queue)
        self.rounds.append(planned)
        self.queue = np.concatenate([self.queue, planned.queue])
        self.given.extend(len(planned.queue))
        for place, id in enumerate(self.pool.ids[planned.queue], start):
            self.places.setdefault(str(id), []).append(place)

    def next_round(self) -> Opened | None:
        """The event that opens the next round; `None` while a round is open or if nothing is left to ask."""
        full = self.budget <= len(self.queue) and not self.method.design.random_size
        if full or self.open_places(1):
            return None
        planned = self.plan(self.budget)
        if planned is None:
            return None
        return Opened(len(self.rounds), self.budget, digest(self.pool, planned))

    def plan(self, budget: int) -> Round | None:
        """The round that would come next under this budget; `None` if there is nothing to ask."""
        return self.memo.once(
            "plan",
            lambda: self.method.design.open(self.problem, self.rounds, self.evidence(), budget),
            (self.seen, budget),
        )

    def _check(self, answered: Answered) -> None:
        place = answered.place
        self._reaches(place)
        if self.id_at(place) != answered.id:
            raise InputError(
                f"the log says item {shown(answered.id)} stands at place {place} of the queue, but it does not; "
                "the log and the pool do not belong together"
            )
        refuse_unreadable(self.pool.task, answered)

    def _reaches(self, place: int) -> None:
        """Refuse a place that the queue does not have."""
        if not 0 <= place < len(self.queue):
            rule = f"must be about places of the queue, which has {many(len(self.queue), 'item')} so far"
            fail("events", rule, place, remedy=DAMAGED)

    def asked_place(self, id: str | Item) -> int | None:
        """The place of an item that was handed out; `None` if it was not, or if it has another place than it says.

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
        drawn = self.places.get(id if id in self.places else id.strip(), ())
        asked = [place for place in drawn if place < self.asked]
        return max(
            (place for place in asked if self.given.current(place) is None), default=max(asked, default=-1)
        )

    def metric(self, metric: MetricLike | None) -> Metric:
        """The metric of this name, by default the first pre-sampling one. Own metrics win over the registry's."""
        named = self.settings.main if metric is None else metric
        own = self.custom.get(named) if isinstance(named, str) else None
        return own or resolve(named)

    def open_places(self, most: int | None = None) -> list[int]:
        """Queued places without an answer, in order, at most `most` of them."""
        return list(islice(self.given.gaps(), None if most is None else min(most, len(self.queue))))

    def evidence(self) -> Evidence:
        """The labels held beforehand, and those of the answered run with their design weights."""
        answers = self.given.labels(self.given.run_length)
        return evidence_of(self.problem, self.method, self.rounds, *answers)


def digest(pool: Pool, planned: Round) -> str:
    """A short fingerprint of a round's queue."""
    text = "\n".join(map(str, pool.ids[planned.queue]))
    return blake2b(text.encode(), digest_size=8).hexdigest()
