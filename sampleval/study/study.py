"""The one object with state: a pool, a metric and one cell of the three axes, driven by ask and tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sampleval import _checks
from sampleval.events import Aimed, Answered, Asked, Event, Extended, Guided, Happening, Noted, Undone
from sampleval.metrics import Metric, own
from sampleval.numerals import many
from sampleval.pool import Labels, Pool, belonging, checked, decode_label, encode_label
from sampleval.storage import Log, MemoryLog
from sampleval.study.item import UNSURE, Item, Silence, json_ready, pairs, present, text_of, uuid_of
from sampleval.study.progress import room
from sampleval.study.results import Results
from sampleval.study.settings import DAMAGED
from sampleval.study.state import State


class Study(Results):
    """A labelling study, made by `create_study`. All its state is its log: `Study.replay` makes it anew."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To copies and pickles the log is the study; a metric of the registry is known there by its name."""
        known = self._state.custom
        return _again, (
            type(self),
            self.pool,
            self._log,
            self.name,
            [known[name] for name in own(known.values())],
        )

    def __repr__(self) -> str:
        called, drawn = f"{self.name!r}: " if self.name else "", " and ".join(self.settings.metrics)
        return f"<{type(self).__name__} {called}{drawn}, {self.labels:,} of {self.budget:,} labels, {self.pool.size:,} items>"

    @classmethod
    def replay(cls, pool: Pool, events: Iterable[Event], *, metrics: Iterable[Metric] = ()) -> Study:
        """The study that these events amount to, in memory.

        Args:
            pool: The pool that the study was made for.
            events: Its log, or the log's beginning: `Study.events()` has it.
            metrics: Metrics of your own that the study was made for.

        Raises:
            InputError: Another pool, or events that are no study's.
        """
        log = [
            _checks.instance(event, Event, "events")
            for event in _checks.several(events, "events", remedy="pass the events() of a study")
        ]
        return cls(checked(pool), MemoryLog(log), metrics=metrics)

    def ask(self, n: int = 1) -> list[Item]:
        """The next items to label, at most n, untold ones first; none only at the end of what can be asked.

        Args:
            n: At least 1.

        Raises:
            InputError: n is no such number, or the storage cannot be used.
        """
        n = _checks.count(n, "n", minimum=1)
        self.refresh()
        places, opened = self._state.open_places(n), True
        while opened and not places:  # again after a round of repeated draws, which asks nothing
            opened = self._decide(State.next_round)
            places = self._state.open_places(n)  # looked at in any case: another process may have opened it
        if places and places[-1] >= self._state.asked:
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
        """Record the answer for an item that was asked; durable when this returns.

        Args:
            id: The item or its id.
            label: 0/1, a class name, a set of labels or a number, as the task has it; or `SKIP`, `UNSURE`.
                A second answer for the same item is a correction.
            annotator: Who says so.
            seconds: Time taken, ≥ 0.
            uuid: Makes a repeated call harmless.

        Raises:
            InputError: The item was not asked, the label does not fit the task, or a time that cannot be.
        """
        if uuid is None or uuid_of(uuid) not in self._state.known:
            self._record(self._answered(id, label, seconds), annotator=annotator, uuid=uuid)

    def tell_all(self, answers: Iterable[tuple[str | Item, Any]], *, annotator: str = "") -> None:
        """Record many answers, pairs of item or id and label, at once: all of them, or none if one is refused.

        Args:
            answers: Pairs of item, or its id, and label as for `tell`.
            annotator: Who says so.

        Raises:
            InputError: What are no pairs, an item that was not asked, or a label that does not fit the task.
        """
        who = text_of(annotator, "annotator", 200)
        self._append([Event(self._answered(id, label), who) for id, label in pairs(answers)])

    def _answered(self, id: str | Item, label: Any, seconds: float | None = None) -> Answered:
        place = self._place(id)
        kind = label.kind if isinstance(label, Silence) else "label"
        asked = self._state.id_at(place)
        with _checks.located(f"id {_checks.shown(asked)}"):
            value = json_ready(encode_label(self.pool.task, present(label))) if kind == "label" else None
        if seconds is not None:
            seconds = _checks.nonnegative(seconds, "seconds")
        return Answered(place, asked, kind, value, seconds)

    def _place(self, id: str | Item) -> int:
        """The queue's place of an item that was asked, here or by another process."""
        if (place := self._state.asked_place(id)) is None:
            self.refresh()
            place = self._state.asked_place(id)
        if place is None:
            what = id.id if isinstance(id, Item) else id
            _checks.fail("id", "must be an item that was asked", what, remedy="label what ask() returns")
        return place

    def undo(self, *, annotator: str = "", answer: str | None = None, uuid: str | None = None) -> Item | None:
        """Take back this annotator's last answer, skipped ones too, or the one with this uuid.

        Args:
            annotator: Whose answer.
            answer: Uuid of the answer to take back in place of the last one.
            uuid: Makes a repeated call harmless.

        Returns:
            The item to answer anew; `None` if there is none.

        Raises:
            InputError: A name or uuid that is no text, or a storage that cannot be used.
        """
        self.refresh()
        given = self._state.given
        own = text_of(annotator, "annotator", 200)
        last = given.last(own) if answer is None else given.standing.get(text_of(answer, "answer", 64))
        done = uuid is not None and uuid_of(uuid) in self._state.known
        if last is None or last.annotator != own or done:
            return None
        self._record(Undone(last.uuid), annotator=annotator, uuid=uuid)
        return self.item(last.what.place)

    def note(self, id: str | Item, text: str, *, annotator: str = "", uuid: str | None = None) -> None:
        """Attach a remark to an asked item.

        Args:
            id: The item or its id.
            text: The remark.
            annotator: Who says so.
            uuid: Makes a repeated call harmless.

        Raises:
            InputError: The item was not asked, or the remark is no text.
        """
        self._record(Noted(self._place(id), text_of(text, "text")), annotator=annotator, uuid=uuid)

    def guide(self, text: str, *, annotator: str = "") -> None:
        """Tell annotators what counts as which class; earlier guidelines stay in the log.

        Args:
            text: The guidelines.
            annotator: Who says so.

        Raises:
            InputError: What is no text.
        """
        self.refresh()
        if text != self._state.guidelines:
            self._record(Guided(text_of(text, "text")), annotator=annotator)

    def aim(self, half: float | None) -> None:
        """Set the goal: an interval of ± half for the first metric, in its own unit; `None` gives it up."""
        goal = None if half is None else _checks.goal(half, "half")
        self.refresh()
        if goal != self._state.goal:
            self._record(Aimed(goal))

    def extend(self, labels: int) -> None:
        """Allow this many more labels; no more than there are items left to ask.

        Args:
            labels: At least 1.

        Raises:
            InputError: No such number, or more than items are left.
        """
        more = _checks.count(labels, "labels", minimum=1)

        def raised(state: State) -> Extended:
            if more > (left := room(state)):
                rule = f"cannot exceed the {many(left, 'item')} that can be asked beyond the budget of {state.budget}"
                _checks.fail("labels", rule, more)
            return Extended(state.budget + more)

        self._decide(raised)

    def answer(self, known: Labels, n: int) -> int:
        """Let the known labels of this pool answer the next n items, as "oracle"; returns how many they answered."""
        known, n, done = belonging(known, self.pool, "known"), _checks.count(n, "n"), 0
        while done < n and (items := self.ask(n - done)):
            at = self._state.queue[[item.place for item in items]]
            labels = [decode_label(known.task, known.values[p]) if known.known[p] else UNSURE for p in at]
            self.tell_all(zip(items, labels, strict=True), annotator="oracle")
            done += len(items)
        return done

    def _record(self, what: Happening, *, annotator: str = "", uuid: str | None = None) -> None:
        who = text_of(annotator, "annotator", 200)
        self._append([Event(what, who) if uuid is None else Event(what, who, uuid_of(uuid))])

    def _append(self, events: Iterable[Event]) -> None:
        self._log.append(events)
        self.refresh()

    def _decide(self, choose: Callable[[State], Happening | None]) -> bool:
        """Record what follows from the state, chosen anew if another process or thread was quicker."""
        while True:
            with self._turn:
                what, seen = choose(self._state), self._state.seen
            if what is None:
                return False
            kept = self._log.append([Event(what)], after=seen)
            self.refresh()
            if kept:
                return True
            if self._state.seen == seen:  # refused for what happened since, of which nothing is told
                rule = f"must tell what happened after event {seen}"
                _checks.fail("log", rule, remedy=DAMAGED)


def _again(kind: type[Study], pool: Pool, log: Log, name: str, metrics: list[Metric]) -> Study:
    return kind(pool, log, name=name, metrics=metrics)
