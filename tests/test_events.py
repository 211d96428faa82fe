"""Records of events: what is none is refused."""

from __future__ import annotations

from typing import Any

import pytest

import sampleval as sv
from sampleval.events import KINDS, Answered, Event, sound


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "answered"},
        {"kind": "exec", "payload": {}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": {"upto": 1, "more": 2}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": {"upto": 1}, "annotator": None, "uuid": "u", "at": ""},
        {"kind": ["asked"], "payload": {"upto": 1}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": [1], "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": {"upto": 1}, "annotator": "", "uuid": "u", "at": "yesterday"},
        {"kind": "asked", "payload": {"upto": 1}, "annotator": "", "uuid": "u", "at": "2026-11-27T10:00:00"},
    ],
    ids=range(9),
)
def test_records_that_are_no_events_are_refused(record: dict[str, Any]) -> None:
    with pytest.raises(sv.InputError, match="`events`"):
        Event.from_dict(record)


def test_every_kind_of_event_has_a_name() -> None:
    assert len(KINDS) == len({kind.__name__ for kind in KINDS.values()}) >= 8


def test_an_answer_given_apart_is_told_as_such_and_others_as_they_always_were() -> None:
    """Versions that do not know it read logs without one."""
    event = Event(Answered(0, "a", "label", 1, apart=True))
    assert Event.from_dict(event.to_dict()) == event
    assert event.to_dict()["payload"]["apart"] is True
    assert "apart" not in Event(Answered(0, "a", "label", 1)).to_dict()["payload"]
    assert not sound(Answered(0, "a", "label", 1, apart=1))  # type: ignore[arg-type]
    assert sound(event.what)
