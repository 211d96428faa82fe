"""The events that can happen to a study, and the order that its log has them in. Its state follows from the log alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from numbers import Integral, Real
from types import MappingProxyType, NoneType
from typing import Any, get_args
from uuid import uuid4

from sampleval._checks import InputError, fail

DAMAGED = "the log is damaged: put back a copy of it"


@dataclass(frozen=True, slots=True)
class Created:
    """A study began. Its `settings` are frozen from here on, and `held` maps ids to labels known beforehand."""

    settings: Mapping[str, Any]
    held: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """Round `number` (from 0) was planned from the labels before this event, under this budget.

    `digest` is a fingerprint of its queue, so that a replay that plans another queue is noticed and refused.
    """

    number: int
    budget: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The first `upto` items of the joint queue have been handed out."""

    upto: int


@dataclass(frozen=True, slots=True)
class Answered:
    """Item `id` at this place of the queue got an answer: `kind` is "label", "skip" or "unsure".

    `apart` tells that it was given without sight of the others' answers, so that it settles no disagreement of theirs.
    """

    place: int
    id: str
    kind: str
    label: Any = None
    seconds: float | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """The answer with this event's uuid was taken back."""

    answer: str


@dataclass(frozen=True, slots=True)
class Noted:
    """A remark about a queue place."""

    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Extended:
    """The budget was raised to `budget` labels in all."""

    budget: int


@dataclass(frozen=True, slots=True)
class Guided:
    """The guidelines for annotators were set to `text`."""

    text: str


@dataclass(frozen=True, slots=True)
class Aimed:
    """The goal was set to an interval of ± `half`, in the unit of the first scalar metric; `None` removed the goal."""

    half: float | None


Happening = Created | Opened | Asked | Answered | Undone | Noted | Extended | Guided | Aimed
KINDS: MappingProxyType[str, type[Happening]] = MappingProxyType(
    {kind.__name__.lower(): kind for kind in get_args(Happening)}
)

_VALUES: MappingProxyType[str, tuple[type, ...]] = MappingProxyType(
    {
        "int": (Integral,),
        "str": (str,),
        "bool": (bool,),
        "float | None": (Real, NoneType),
        "Mapping[str, Any]": (Mapping,),
    }
)


def sound(what: Happening) -> bool:
    """Whether all values of an event have the right types. Labels are not checked here, since that needs the task.

    >>> sound(Asked(3)), sound(Asked("3")), sound(Asked(True))
    (True, False, False)
    """
    values = ((getattr(what, f.name), str(f.type)) for f in fields(what) if f.type != "Any")
    return all(
        isinstance(value, _VALUES[kind]) and isinstance(value, bool) == (kind == "bool")
        for value, kind in values
    )


def now() -> str:
    """This moment as the log and the database have it: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log.

    Attributes:
        what: What happened.
        annotator: Who caused it; "" if no name was given.
        uuid: Identifies the event, so that it changes nothing when it arrives a second time.
        at: Time of the event, UTC, ISO 8601.
    """

    what: Happening
    annotator: str = ""
    uuid: str = field(default_factory=lambda: uuid4().hex)
    at: str = field(default_factory=now)

    def to_dict(self) -> dict[str, Any]:
        """The event as values that JSON can hold."""
        payload = asdict(self.what)
        if not payload.get("apart", True):  # versions that do not know it read all other answers
            del payload["apart"]
        kind = type(self.what).__name__.lower()
        return {
            "kind": kind,
            "annotator": self.annotator,
            "uuid": self.uuid,
            "at": self.at,
            "payload": payload,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Event:
        """The event from values that `to_dict` made; anything else is refused."""
        try:
            what = KINDS[record["kind"]](**record["payload"])
            texts = [record[name] for name in ("annotator", "uuid", "at")]
        except (KeyError, TypeError, AttributeError):
            remedy = "were they made by another version of sampleval? Then open them with that one; if it is newer, update sampleval"
            fail(
                "events",
                "must be events of a study that this version knows",
                {name: record.get(name) for name in ("kind", "payload")},
                remedy=remedy,
            )
        if not all(isinstance(text, str) for text in texts):
            fail("events", "must have text for annotator, uuid and time", texts)
        if not _moment(texts[-1]):
            rule, remedy = "must have a time with its zone, in ISO 8601", "put back a copy of the log"
            fail("events", rule, texts[-1], remedy=remedy)
        return cls(what, *texts)


def _moment(text: str) -> bool:
    """Whether the text is a time that can be told as so long ago, which needs a zone."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def refuse_misplaced(number: int, what: Happening, *, seen: int) -> None:
    """Refuse an event that cannot have this number, counted from 1, or cannot be the next one after those seen."""
    if number != seen + 1:
        rule = f"must be numbered 1, 2, … without a gap; after event {seen} comes event {number}"
        fail("events", rule, remedy=DAMAGED)
    if not sound(what):
        fail("events", "must have numbers and text where they belong", what, remedy=DAMAGED)
    if (number == 1) != isinstance(what, Created):
        raise InputError("the log must begin with the study's creation, and hold it once; it is damaged")


def in_order(numbered: Iterable[tuple[int, Event]]) -> list[Event]:
    """The events of a whole log. A log with gaps, or that does not begin with the study's creation, is refused."""
    events: list[Event] = []
    for number, event in numbered:
        refuse_misplaced(number, event.what, seen=len(events))
        events.append(event)
    if not events:
        fail("events", "must begin with the study's creation; there are none", remedy=DAMAGED)
    return events


@contextmanager
def logged(what: str = "") -> Iterator[None]:
    """Make errors raised meanwhile say that the refused value is in the study's log, not an argument of the caller.

    Args:
        what: A description of the value, if its name is not clear.
    """
    try:
        yield
    except InputError as error:
        whose = f" ({what})" if what else ""
        raise InputError(f"in the study's log {error}{whose}; {DAMAGED}") from None
