"""A JSON list of records as one record per line, the form that Arrow reads."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from sampleval.pool.tables.sources import Source, no_rows

_SPACE = re.compile(r"\s*")
_RECORD = json.JSONDecoder(parse_int=str, parse_float=str)  # asked for its end alone


def in_lines(source: Source) -> Source:
    """The same file with a record per line, if it is a JSON list of records."""
    if source.form != "JSON" or not source.begins(b"["):
        return source
    with source.open() as stream:
        return replace(source, lines=as_lines(stream.read()) or no_rows(source))


def as_lines(content: bytes) -> bytes:
    r"""The records of a list, each on a line of its own and otherwise as written.

    Args:
        content: A JSON list in UTF-8.

    Raises:
        ValueError: The list holds something else than records, or is cut short; the message says where.

    >>> as_lines(b'[{"id": 1,\n"score": 0.50}, {"id": 2}]')
    b'{"id": 1, "score": 0.50}\n{"id": 2}'
    """
    text = content.decode("utf-8-sig")
    at, found = _after_space(text, text.index("[") + 1), list[str]()
    while text.startswith("{", at):
        end = _end(text, at)
        found.append(text[at:end].replace("\n", " ").replace("\r", " "))  # in strings they are escaped
        at = _after_space(text, end)
        if text.startswith(",", at):
            at = _after_space(text, at + 1)
    if not text.startswith("]", at):
        raise json.JSONDecodeError("Expecting a record in braces, or the end of the list", text, at)
    if (at := _after_space(text, at + 1)) < len(text):
        raise json.JSONDecodeError("Expecting nothing after the list", text, at)
    return "\n".join(found).encode()


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _end(text: str, at: int) -> int:
    """Where the record ends that begins here."""
    try:
        return _RECORD.raw_decode(text, at)[1]
    except RecursionError:
        raise json.JSONDecodeError("Lists or records are nested too deep", text, at) from None
