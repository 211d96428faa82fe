"""What can happen to a study. A study is the fold of its events, so the log is its whole state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from numbers import Integral, Real
from types import MappingProxyType, NoneType
from typing import Any, get_args
from uuid import uuid4

from sampleval._checks import fail


@dataclass(frozen=True, slots=True)
class Created:
    """A study began. `settings` are frozen from here on; `held` maps ids to labels known beforehand."""

    settings: Mapping[str, Any]
    held: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """Round `number` (from 0) was planned from the labels before this event, under this budget.

    `digest` is a fingerprint of its queue: a replay that plans another queue is refused, not believed.
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
    """Item `id` at this place of the queue got an answer: `kind` is "label", "skip" or "unsure"."""

    place: int
    id: str
    kind: str
    label: Any = None
    seconds: float | None = None


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
    """The budget became `budget` labels in all."""

    budget: int


@dataclass(frozen=True, slots=True)
class Guided:
    """The guidelines for annotators now read so."""

    text: str


@dataclass(frozen=True, slots=True)
class Aimed:
    """The goal became an interval of ± `half`, in the unit of its first scalar metric; `None`: there is none."""

    half: float | None


Happening = Created | Opened | Asked | Answered | Undone | Noted | Extended | Guided | Aimed
KINDS: MappingProxyType[str, type[Happening]] = MappingProxyType(
    {kind.__name__.lower(): kind for kind in get_args(Happening)}
)

_VALUES: MappingProxyType[str, tuple[type, ...]] = MappingProxyType(
    {
        "int": (Integral,),
        "str": (str,),
        "float | None": (Real, NoneType),
        "Mapping[str, Any]": (Mapping,),
    }
)


def sound(what: Happening) -> bool:
    """Whether each of its values is of the kind it must be; labels are for their task to judge.

    >>> sound(Asked(3)), sound(Asked("3")), sound(Asked(True))
    (True, False, False)
    """
    values = ((getattr(what, f.name), _VALUES.get(str(f.type), (object,))) for f in fields(what))
    return all(
        isinstance(value, kinds) and (kinds == (object,) or not isinstance(value, bool))
        for value, kinds in values
    )


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log.

    Attributes:
        what: What happened.
        annotator: Who did it, "" where nobody said.
        uuid: Makes an event that arrives twice harmless: the second time is a success and no change.
        at: When, UTC, ISO 8601.
    """

    what: Happening
    annotator: str = ""
    uuid: str = field(default_factory=lambda: uuid4().hex)
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))

    def to_dict(self) -> dict[str, Any]:
        """The event as JSON-ready values."""
        payload = asdict(self.what)
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
        """The event of such values; anything else is refused."""
        try:
            what = KINDS[record["kind"]](**record["payload"])
            texts = [record[name] for name in ("annotator", "uuid", "at")]
        except (KeyError, TypeError, AttributeError):
            remedy = "were they made by another version of sampleval? Then open them with that one"
            fail(
                "events",
                "must be events of a study that this version knows",
                {name: record.get(name) for name in ("kind", "payload")},
                remedy=remedy,
            )
        if not all(isinstance(text, str) for text in texts):
            fail("events", "must have text for annotator, uuid and time", texts)
        return cls(what, *texts)
