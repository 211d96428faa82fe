"""Records of events: what is none is refused."""

from __future__ import annotations

from typing import Any

import pytest

import sampleval as sv
from sampleval.events import KINDS, Event


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
