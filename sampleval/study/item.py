"""Items to label, and answers that are not labels: what a study and its annotators exchange."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from sampleval._checks import fail, listable, shown
from sampleval.numerals import many


@dataclass(frozen=True, slots=True)
class Silence:
    """An answer that is not a label."""

    kind: Literal["skip", "unsure"]

    def __repr__(self) -> str:
        return self.kind.upper()


SKIP = Silence("skip")
UNSURE = Silence("unsure")


@dataclass(frozen=True, slots=True)
class Item:
    """An item to label.

    Attributes:
        id: Its id in the pool.
        place: Its place in the study's queue, from 0.
        fields: Column → cell to show.
    """

    id: str
    place: int
    fields: Mapping[str, Any]

    def __repr__(self) -> str:
        """The item in one line: texts are cut, and of bytes, such as those of an image, only their number is told."""
        told = (
            f"{name!r}: {many(len(cell), 'byte') if isinstance(cell, bytes) else shown(cell)}"
            for name, cell in self.fields.items()
        )
        return f"<{type(self).__name__} {self.id!r}, place {self.place}, {{{', '.join(told)}}}>"


def pairs(answers: Mapping[str, Any] | Iterable[tuple[str | Item, Any]]) -> Iterator[tuple[str | Item, Any]]:
    """The answers one by one: a mapping's, or pairs of an item, or its id, and a label; anything else is refused."""
    given: object = answers
    rule, example = "must be pairs of item or id and label", "e.g. [(item, 1)], {id: 1} or zip(ids, labels)"
    if isinstance(given, Mapping):
        given = given.items()
    if isinstance(given, pd.Series):  # its index may be row numbers, which look like ids
        fail("answers", rule, "Series", remedy="if its index holds the ids, pass its items()")
    if isinstance(given, pd.DataFrame):
        fail("answers", rule, "DataFrame", remedy="pass zip(ids, labels) of two of its columns")
    if not listable(given) or isinstance(given, str | bytes):
        fail("answers", rule, type(given).__name__, remedy=example)
    for answer in given:
        pair = answer.tolist() if isinstance(answer, np.ndarray) else answer
        if not isinstance(pair, Sequence) or isinstance(pair, str | bytes) or len(pair) != 2:
            fail("answers", rule, answer, remedy=example)
        yield pair[0], pair[1]


def triples(answers: Iterable[tuple[str, str | Item, Any]]) -> Iterator[tuple[str, str | Item, Any]]:
    """The answers of several people one by one: triples of annotator, item or its id, and label; anything else is refused."""
    given: object = answers
    rule, example = "must be triples of annotator, item or id, and label", 'e.g. [("ann", item, 1)]'
    if not listable(given) or isinstance(given, str | bytes | Mapping | pd.Series | pd.DataFrame):
        fail("answers", rule, type(given).__name__, remedy=example)
    for answer in given:
        if not isinstance(answer, Sequence) or isinstance(answer, str | bytes) or len(answer) != 3:
            fail("answers", rule, answer, remedy=example)
        yield answer[0], answer[1], answer[2]


def json_ready(value: Any) -> Any:
    """A NumPy label or an option of a method as a value that JSON can hold."""
    return np.asarray(value).tolist()


def text_of(text: object, name: str, most: int = 100_000) -> str:
    """The text, if every database keeps it unchanged: it can be encoded, has no NUL and is not too long."""
    if not isinstance(text, str):
        fail(name, "must be text", text)
    if len(text) > most:
        fail(name, f"must have at most {most} characters", text)
    if "\0" in text or text.encode("utf-8", "replace").decode() != text:
        fail(name, "must be valid text without NUL", text)
    return text


def uuid_of(uuid: object) -> str:
    """The uuid of an event as text. The empty text is refused, since all events without a uuid would share it."""
    if not (found := text_of(uuid, "uuid", 64)):
        fail("uuid", "must not be empty", remedy="leave it out for one of its own")
    return found
