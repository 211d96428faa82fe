"""The labelling desk: items become cards, what the browser sends becomes answers of the study."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import streamlit as st

from sampleval._checks import InputError, isolated
from sampleval.pool import Pool, Task, scored
from sampleval.pool.polarity import is_bare
from sampleval.storage import Unavailable
from sampleval.study import SKIP, UNSURE, Answer, Item, Study, expected_range
from sampleval.ui import words
from sampleval.ui.labelling import Card, Field, Message, labelling, received
from sampleval.ui.labelling.pictures import picture

PREFETCH = 20  # items sent ahead: at one label a second, 20 s without the server go unnoticed
EXACT = 2**53  # below it, a number that is whole has all its digits, such as those of a long id
HEAVY = 2_000_000  # characters of cards sent at once: under two seconds at 10 Mbit/s
TOLD_FOR = 5  # answers after which nothing is said any more of what an earlier one replaced


def shown_task(task: Task) -> Task:
    """The task with class names that suit buttons: 0/1 becomes no/yes, as `tell` understands both."""
    return Task("binary", ("no", "yes")) if task.kind == "binary" and is_bare(task.classes) else task


def cards(study: Study, items: Iterable[Item], *, scores: bool = False) -> list[Card]:
    """The items as the annotator sees them, with the model's opinion only if it is switched on."""
    return [
        Card(
            _card_id(study, item),
            tuple(field_of(name, value) for name, value in _to_show(study, item).items()),
            opinion(study.pool, int(study.state.queue[item.place])) if scores else "",
        )
        for item in items
    ]


def _to_show(study: Study, item: Item) -> Mapping[str, Any]:
    """What the annotator sees of an item: its fields or, if there are none, its id, which allows a look-up elsewhere."""
    return item.fields or {study.pool.columns.id or "row": item.id}


def ahead(cards: Sequence[Card]) -> Sequence[Card]:
    """The cards to send, at least two. Large cards are fewer, because every answer sends all of them again."""
    weights = accumulate(sum(len(field.value) for field in card.fields) for card in cards)
    return cards[: max(2, sum(weight <= HEAVY for weight in weights))]


def _card_id(study: Study, item: Item) -> str:
    """The browser's name for an item: its id, followed by its place if each draw of an item is a card of its own."""
    return f"{item.place}:{item.id}" if study.settings.oracle == "stochastic" else item.id


def _item_of(study: Study, card: str) -> str | Item:
    """The item that the browser's name stands for."""
    place, _, id = card.partition(":")
    return Item(id, int(place), {}) if study.settings.oracle == "stochastic" and place.isdecimal() else card


def field_of(name: str, value: Any) -> Field:
    """One field of an item as a picture, a number or text, never as markup."""
    if uri := picture(value):
        return Field(name, "image", uri)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return Field(name, "text", "")
    if isinstance(value, bytes):
        return Field(name, "text", f"{len(value):,} bytes that are no PNG or JPEG picture")
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < EXACT
        return Field(name, "number", f"{value:.0f}" if whole else f"{value:.15g}")
    return Field(name, "text", str(value))


def opinion(pool: Pool, position: int) -> str:
    """The first system's score or decision for the item at this position, in one line."""
    task = shown_task(pool.task)
    pred, score = pool.pred[position], pool.score[position]
    if task.classified:
        own = score if task.kind == "binary" else score[int(pred)]
        said = f"The model says {isolated(task.classes[int(pred)])}"
        return f"{said}, score {own:.3f}" if scored(pool) else said  # what stands in for a score is none
    if task.kind == "multilabel":
        names = [name for name, flag in zip(task.classes, pred, strict=True) if flag]
        return f"The model says {', '.join(map(isolated, names)) or 'none'}"
    return f"The model says {words.legible(float(pred), 6)}"


@dataclass(slots=True)
class Inbox:
    """The items that a session was offered, and the messages that it refused, so that the browser stops sending those.

    Attributes:
        study: The study that answers go to.
        annotator: Who gives them.
        identity: The study's identity, by which the browser keeps them.
        refused: Uuid → reason.
        lost: Whether it is a note, and its item → the reason, of refused messages that nobody has sent anew, and the
            answer that the item had then.
        replaced: Uuids of answers that took the place of another one, given elsewhere under the same name while the item
            was on show here, and after how many messages each came.
        taken: How many messages were taken.
        items: What was offered last.
        away: Why the database could not be used in this run; "" if it could.
    """

    study: Study
    annotator: str
    identity: str = ""
    refused: dict[str, str] = field(default_factory=dict)
    lost: dict[tuple[bool, str], tuple[str, str]] = field(default_factory=dict)
    replaced: dict[str, int] = field(default_factory=dict)
    taken: int = 0
    items: list[Item] = field(default_factory=list)
    away: str = ""

    def __contains__(self, uuid: object) -> bool:
        """Whether the browser need not send this message again."""
        return uuid in self.refused or uuid in self.study.state.known

    def collect(self, key: str) -> None:
        """Store what the component of this key has sent with this run, as `take` does; call this before `mount`."""
        self.take(received(study=self.identity, annotator=self.annotator, key=key))

    def mount(self, cards: Sequence[Card], *, key: str) -> int:
        """Show the component with these cards and store what it sends late; returns how many messages those were.

        Without cards it is of use too: the browser may still hold answers to send.
        """
        late = labelling(
            cards,
            task=shown_task(self.study.pool.task),
            acknowledged=self,
            refused=self.refused,
            usual=expected_range(self.study.state),
            study=self.identity,
            annotator=self.annotator,
            key=key,
        )
        if not self.away:
            with self.patience():
                return self.take(late)
        return 0

    def take(self, messages: Iterable[Message]) -> int:
        """Store what is new, in order; returns how many messages were.

        Raises:
            Unavailable: The database cannot be used now. The rest is not refused: the browser sends it again.
        """
        fresh = [message for message in messages if message.uuid not in self]
        for message in fresh:
            about = message.kind == "note", message.id
            self.taken += 1
            try:
                if not _store(self.study, message, self.annotator):
                    self.refused[message.uuid] = ""
                elif _replaced_by(self.study, message.uuid) is not None:
                    self.replaced[message.uuid] = self.taken
                self.lost.pop(about, None)
            except Unavailable:
                raise
            except InputError as error:
                self.refused[message.uuid] = str(error)
                self.lost[about] = str(error), self._standing(message.id)
        return len(fresh)

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Note if the database cannot be used now, and skip the work that needs it, because the browser will ask again."""
        self.away = ""
        try:
            yield
        except Unavailable as error:
            self.away = str(error).replace("nothing was kept", "not stored yet")  # it is, in the browser

    @property
    def complaints(self) -> list[str]:
        """The reasons why answers were refused that were not given again since, here or anywhere else, each once."""
        told = (
            reason for (note, id), (reason, then) in self.lost.items() if note or self._standing(id) == then
        )
        return list(dict.fromkeys(told))

    @property
    def overtaken(self) -> list[str]:
        """What the latest answers replaced, as far as they still stand: two people without a name would not know otherwise."""
        recent = [uuid for uuid, at in self.replaced.items() if self.taken - at < TOLD_FOR]
        return [said for uuid in recent if (said := told_of(self.study, uuid))]

    def _standing(self, card: str) -> str:
        """The uuid of the answer that an item has now; "" if it has none."""
        place = self.study.state.asked_place(_item_of(self.study, card))
        answer = None if place is None else self.study.state.given.current(place)
        return answer.uuid if answer else ""


def _replaced_by(study: Study, uuid: str) -> Answer | None:
    """The different answer of the same annotator that the one with this uuid took the place of; `None` if there is none."""
    given = study.state.given
    answer = given.standing.get(uuid)
    if answer is None or given.current(answer.what.place) != answer:
        return None
    own = [one for one in given.by_place[answer.what.place] if one.annotator == answer.annotator]
    return own[-2] if len(own) > 1 and _said(own[-2]) != _said(answer) else None


def _said(answer: Answer) -> tuple[str, Any]:
    return answer.what.kind, answer.what.label


def told_of(study: Study, uuid: str) -> str:
    """What `_replaced_by` finds, in words, and what can be done; "" if it finds nothing."""
    before = _replaced_by(study, uuid)
    if before is None:
        return ""
    task, now = shown_task(study.pool.task), study.state.given.standing[uuid]
    was, counts = (isolated(words.short(words.answer(task, one.what))) for one in (before, now))
    return (
        f"while {isolated(words.short(now.what.id))} was shown here, it was answered “{was}” elsewhere; “{counts}”, as answered here, "
        "now counts in its place. “Correct an answer” changes it. People who label at the same time need different names"
    )


def _store(study: Study, message: Message, annotator: str) -> bool:
    """Record what one message says, and return whether there was anything to do."""
    if message.kind == "undo":
        return study.undo(annotator=annotator, answer=message.value, uuid=message.uuid) is not None
    if message.kind == "note":
        study.note(_item_of(study, message.id), str(message.value), annotator=annotator, uuid=message.uuid)
        return True
    label = {"skip": SKIP, "unsure": UNSURE}.get(message.kind, message.value)
    study.tell(
        _item_of(study, message.id), label, annotator=annotator, seconds=message.seconds, uuid=message.uuid
    )
    return True


def inbox(study: Study, identity: str, annotator: str) -> Inbox:
    """This session's inbox for its copy of a study and for an annotator."""
    held = _last_inbox()
    if held is None or held.study is not study or held.annotator != annotator:
        held = st.session_state["_inbox"] = Inbox(study, annotator, identity)
    return held


def _last_inbox() -> Inbox | None:
    """The inbox of the study that was last labelled in this session; `None` if there was none."""
    held: Inbox | None = st.session_state.get("_inbox")
    return held


def fetch_late() -> None:
    """Fetch the last answers of whoever labelled in this session, without showing anything.

    They were on their way when the Label page was left: the browser holds them, other pages cannot see them.
    """
    if (held := _last_inbox()) is None:
        return
    with held.patience():
        held.collect("courier")
    with st.container(key="courier_hidden"):  # by `page.css`
        late = held.mount((), key="courier")
    if late:
        st.rerun()
