"""Events that the browser sends back."""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

AnswerKind = Literal["label", "skip", "unsure", "undo", "note"]

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """One event from the browser.

    Attributes:
        uuid: Identity of the event; the same uuid may arrive many times.
        kind: What the annotator did.
        id: The item it is about; "" for undo.
        value: Class name (binary, multi-class), list of class names (multi-label), float (regression), the text of a
            note, for undo the uuid of the answer taken back if the browser still knows it, otherwise None.
        seconds: Time since the item was shown.
    """

    uuid: str
    kind: AnswerKind
    id: str
    value: Any
    seconds: float


def answers_in(outbox: object, *, study: str, annotator: str) -> tuple[Answer, ...]:
    """Return the answers in the component's value, oldest first.

    Right after a switch of study or annotator the value can still be the previous one's: then there are none.
    """
    if not isinstance(outbox, Mapping):
        return ()
    if (outbox.get("study"), outbox.get("annotator")) != (study, annotator):
        return ()
    return tuple(answer for event in outbox.get("events") or () if (answer := _answer(event)) is not None)


def _answer(event: object) -> Answer | None:
    """Read one event; `None` if our own script cannot have written it, since anyone can edit a browser's storage."""
    match event:
        case {
            "uuid": str(uuid),
            "kind": kind,
            "id": str(item),
            "value": value,
            "seconds": float() | int() as seconds,
        }:
            if kind in get_args(AnswerKind) and math.isfinite(seconds):
                return Answer(uuid, kind, item, value, float(seconds))
    _LOGGER.warning("Left out a malformed answer from the browser: %r", event)
    return None
