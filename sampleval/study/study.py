"""The one object with state: a pool, a metric and a method, driven by ask and tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sampleval import _checks
from sampleval.events import (
    DAMAGED,
    Aimed,
    Answered,
    Asked,
    Event,
    Extended,
    Guided,
    Happening,
    Noted,
    Undone,
)
from sampleval.metrics import Metric, own
from sampleval.numerals import many
from sampleval.pool import Labels, Pool, belonging, checked, decode_label
from sampleval.storage import MemoryLog
from sampleval.study.answers import answered
from sampleval.study.item import UNSURE, Item, pairs, text_of, triples, uuid_of
from sampleval.study.progress import foreseen, room
from sampleval.study.results import StudyResults
from sampleval.study.state import State


class Study(StudyResults):
    """A labelling study, made by `create_study`. Its log is its whole state, from which `Study.replay` rebuilds it.

    >>> import pandas as pd, sampleval as sv
    >>> pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9]}))
    >>> study = sv.create_study(pool, metric="accuracy", budget=2, preset="uniform")
    >>> study.tell_all((item, 1) for item in study.ask(2))
    >>> Study.replay(pool, study.events()).estimate() == study.estimate()
    True
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles consist of the log, in which metrics of the registry are only named."""
        known = self.state.custom
        metrics = [known[name] for name in own(known.values())]
        return partial(type(self), name=self.name, metrics=metrics), (self.pool, self._log)

    def __repr__(self) -> str:
        called, drawn = f"{self.name!r}: " if self.name else "", " and ".join(self.settings.metrics)
        given = f"{self.labels:,} of {foreseen(self.state):,} labels"
        return f"<{type(self).__name__} {called}{drawn}, {given}, {self.pool.size:,} items>"

    @classmethod
    def replay(cls, pool: Pool, events: Iterable[Event], *, metrics: Iterable[Metric] = ()) -> Study:
        """The study that these events lead to, in memory.

        Args:
            pool: The pool that the study was made for.
            events: Its log, or the beginning of its log, from `Study.events()`.
            metrics: Metrics of your own that the study was made for.

        Raises:
            InputError: The pool is another one, or the events are not those of a study.
        """
        log = [
            _checks.instance(event, Event, "events")
            for event in _checks.several(events, "events", remedy="pass the events() of a study")
        ]
        return cls(checked(pool), MemoryLog(log), metrics=metrics)

    def ask(self, n: int = 1) -> list[Item]:
        """The next items to label, at most n. Items that were asked before and have no answer come first.

        The list is empty only if nothing is left to ask.

        Args:
            n: At least 1.

        Raises:
            InputError: n is out of range, or the storage cannot be used.
        """
        n = _checks.count(n, "n", minimum=1)
        self.refresh()
        places, opened = self.state.open_places(n), True
        while opened and not places:  # a round that only repeats earlier draws asks for nothing
            opened = self._decide(State.next_round)
            places = self.state.open_places(n)  # in any case, for another process may have opened it
        if places and places[-1] >= self.state.asked:
            self._record(Asked(places[-1] + 1))
        return [self.item(place) for place in places]

    def tell(
        self,
        id: str | Item,
        label: Any,
        *,
        annotator: str = "",
        seconds: float | None = None,
        uuid: str | None = None,
    ) -> None:
        """Record the answer for an item that was asked, durably when this returns. `tell_all` takes many.

        Args:
            id: The item or its id.
            label: 0/1, a class name, a set of labels or a number, as the task has it; or `SKIP`, `UNSURE`.
                A second answer for the same item is a correction.
            annotator: Who answers.
            seconds: Time taken, ≥ 0.
            uuid: Identifies this call, so that repeating it changes nothing.

        Raises:
            InputError: The item was not asked, the label does not fit the task, or the time is out of range.
        """
        if uuid is None or uuid_of(uuid) not in self.state.known:
            self._record(self._answered(id, label, seconds), annotator=annotator, uuid=uuid)

    def tell_all(
        self, answers: Mapping[str, Any] | Iterable[tuple[str | Item, Any]], *, annotator: str = ""
    ) -> None:
        """Record many answers at once: all of them, or none if one is refused.

        Args:
            answers: Labels as in `tell` by id, or pairs of an item, or its id, and a label, e.g. `zip(ids, labels)`.
            annotator: Who answers.

        Raises:
            InputError: The answers are neither, an item was not asked, or a label does not fit the task.
        """
        who = text_of(annotator, "annotator", 200)
        self._append([Event(self._answered(id, label), who) for id, label in pairs(answers)])

    def tell_apart(self, answers: Iterable[tuple[str, str | Item, Any]]) -> None:
        """Record what several people said without sight of each other's answers: all of it, or none if some is refused.

        Where they differ, the last one counts until somebody decides by `tell`; after that, each is a decision anew.

        Args:
            answers: Annotator, item or its id, and label as in `tell`, of each answer.

        Raises:
            InputError: The answers are no such triples, an item was not asked, or a label does not fit the task.
        """
        told = ((who, self._answered(id, label)) for who, id, label in triples(answers))
        self._append([Event(replace(what, apart=True), text_of(who, "annotator", 200)) for who, what in told])

    def _answered(self, id: str | Item, label: Any, seconds: float | None = None) -> Answered:
        place = self._place(id)
        return answered(self.pool.task, place, self.state.id_at(place), label, seconds)

    def undo(self, *, annotator: str = "", answer: str | None = None, uuid: str | None = None) -> Item | None:
        """Take back this annotator's last answer, which may be a skip, or the answer with this uuid.

        Args:
            annotator: Whose answer.
            answer: Uuid of the answer to take back instead of the last one.
            uuid: Identifies this call, so that repeating it changes nothing.

        Returns:
            The item to answer anew; `None` if there is none.

        Raises:
            InputError: A name or uuid is no text, or the storage cannot be used.
        """
        self.refresh()
        given = self.state.given
        who = text_of(annotator, "annotator", 200)
        last = (
            next(given.by(who), None) if answer is None else given.standing.get(text_of(answer, "answer", 64))
        )
        done = uuid is not None and uuid_of(uuid) in self.state.known
        if last is None or last.annotator != given.name_of(who) or done:
            return None
        self._record(Undone(last.uuid), annotator=annotator, uuid=uuid)
        return self.item(last.what.place)

    def note(self, id: str | Item, text: str, *, annotator: str = "", uuid: str | None = None) -> None:
        """Attach a remark to an asked item.

        Args:
            id: The item or its id.
            text: The remark.
            annotator: Who remarks it.
            uuid: Identifies this call, so that repeating it changes nothing.

        Raises:
            InputError: The item was not asked, or the remark is no text.
        """
        self._record(Noted(self._place(id), text_of(text, "text")), annotator=annotator, uuid=uuid)

    def guide(self, text: str, *, annotator: str = "") -> None:
        """Set the guidelines for annotators. Earlier guidelines stay in the log.

        Args:
            text: The guidelines.
            annotator: Who sets them.

        Raises:
            InputError: The guidelines are no text.
        """
        text = text_of(text, "text")
        self.refresh()
        if text != self.state.guidelines:
            self._record(Guided(text), annotator=annotator)

    def aim(self, half: float | None) -> None:
        """Set the goal of an interval of ± half for the first metric.

        Args:
            half: Half the wanted width, > 0, in the metric's own unit; `None` removes the goal.

        Raises:
            InputError: The number is not positive.
        """
        goal = None if half is None else _checks.goal(half, "half")
        self.refresh()
        if goal != self.state.goal:
            self._record(Aimed(goal))

    def extend(self, labels: int) -> None:
        """Allow this many more labels, at most as many as items can be asked beyond the present budget.

        Args:
            labels: At least 1.

        Raises:
            InputError: The number is below 1 or above the number of such items.
        """
        more = _checks.count(labels, "labels", minimum=1)

        def raised(state: State) -> Extended:
            if more > (left := room(state)):
                rule = f"cannot exceed the {many(left, 'item')} that can be asked beyond the budget of {state.budget}"
                _checks.fail("labels", rule, more)
            return Extended(state.budget + more)

        self._decide(raised)

    def answer(self, known: Labels, n: int) -> int:
        """Answer the next n items with known labels, as annotator "oracle".

        Args:
            known: Labels of the pool; an item without one is answered `UNSURE`.
            n: At least 0.

        Returns:
            How many items were answered: fewer than n if nothing is left to ask.

        Raises:
            InputError: The labels are of another pool, or n is out of range.
        """
        known, n, done = belonging(known, self.pool, "known"), _checks.count(n, "n"), 0
        while done < n and (items := self.ask(n - done)):
            at = self.state.queue[[item.place for item in items]]
            labels = [decode_label(known.task, known.values[p]) if known.known[p] else UNSURE for p in at]
            self.tell_all(zip(items, labels, strict=True), annotator="oracle")
            done += len(items)
        return done

    def _record(self, what: Happening, *, annotator: str = "", uuid: str | None = None) -> None:
        who = text_of(annotator, "annotator", 200)
        self._append([Event(what, who) if uuid is None else Event(what, who, uuid_of(uuid))])

    def _append(self, events: Iterable[Event]) -> None:
        self._log.append(events, seen=self.state.seen)
        self.refresh()

    def _decide(self, choose: Callable[[State], Happening | None]) -> bool:
        """Record the event that `choose` derives from the state, and return whether there was one.

        If another process or thread appends an event first, the choice is made anew.
        """
        while True:
            with self._turn:
                what, seen = choose(self.state), self.state.seen
            if what is None:
                return False
            kept = self._log.append([Event(what)], after=seen, seen=seen)
            self.refresh()
            if kept:
                return True
            if self.state.seen == seen:  # the log refuses for a later event but does not return it
                rule = f"must tell what happened after event {seen}"
                _checks.fail("log", rule, remedy=DAMAGED)


def checked_study(study: object) -> Study:
    """The argument, if it is a study; anything else is refused."""
    return _checks.instance(study, Study, "study", remedy="load_study opens a study by its name")
