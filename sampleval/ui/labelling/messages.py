"""Messages from the browser, one for each press of the annotator."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

MessageKind = Literal["label", "skip", "unsure", "undo", "note"]

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Message:
    """What the browser sends when the annotator answers, takes back an answer or writes a note.

    Attributes:
        uuid: Identifies it; the same uuid may arrive many times.
        kind: What the annotator did.
        id: The item it is about; "" for undo.
        value: Class name (binary, multi-class), list of class names (multi-label), float (regression), the text of a
            note, for undo the uuid of the answer taken back if the browser still knows it, otherwise None.
        seconds: Time since the item was shown.
    """

    uuid: str
    kind: MessageKind
    id: str
    value: Any
    seconds: float


def messages_in(outbox: object, *, study: str, annotator: str) -> tuple[Message, ...]:
    """Return the messages in the component's value, oldest first.

    Right after a switch of study or annotator the value can still be the previous one's: then there are none.
    """
    if not isinstance(outbox, Mapping):
        return ()
    if (outbox.get("study"), outbox.get("annotator")) != (study, annotator):
        return ()
    return tuple(message for event in outbox.get("events") or () if (message := _message(event)) is not None)


def _message(event: object) -> Message | None:
    """Read one event; `None` if our own script cannot have written it, since anyone can edit a browser's storage."""
    match event:
        case {
            "uuid": str(uuid),
            "kind": kind,
            "id": str(item),
            "value": value,
            "seconds": float() | int() as seconds,
        }:
            if kind in get_args(MessageKind) and math.isfinite(seconds):
                return Message(uuid, kind, item, value, float(seconds))
    _LOGGER.warning("Left out a malformed message from the browser: %r", event)
    return None
