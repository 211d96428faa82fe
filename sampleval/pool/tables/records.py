"""A JSON list of records, or an object around all of them, as one record per line, the form that Arrow reads."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sampleval._checks import fail
from sampleval.pool.tables.logs.forms import rows_of
from sampleval.pool.tables.sources import Source, no_rows
from sampleval.pool.tables.whole import Records, as_records

LARGEST = 1 << 27  # bytes of an object around all items: in Python's memory it is fifteen times as large
FIRST = 1 << 20  # bytes that the first record of a log may take
_SPACE = re.compile(r"\s*")
_NAN = re.compile(rb'("(?:[^"\\]|\\.)*+")|\bNaN\b')
_RECORD = json.JSONDecoder(parse_int=str, parse_float=str)  # asked for its end alone


def one_per_line(source: Source) -> Source:
    """The same file with a record per line, if it is a JSON list of records, an object that holds all, or a log."""
    if source.form != "JSON":
        return source
    listed = source.begins(b"[")
    whole = {} if listed else _only_object(source)
    first, name = whole or _first_record(source), source.path.name
    if rows := rows_of(first, lambda: _all_records(source), name, whole=bool(whole)):
        return _in_lines(source, rows)
    if listed:
        with source.open() as stream:
            return replace(source, lines=as_lines(stream.read()) or no_rows(source))
    if whole and all(part in ([], {}) for part in ([whole["data"]] if "data" in whole else whole.values())):
        no_rows(source)
    found = as_records(whole)
    return _in_lines(source, found) if found else source


def _in_lines(source: Source, rows: Records) -> Source:
    return replace(source, lines=b"\n".join(json.dumps(one).encode() for one in rows))


def _first_record(source: Source) -> dict[str, Any]:
    """The first record of a list, or on the first line; {} if it is too long, or none."""
    text = source.head(FIRST).decode("utf-8-sig", "ignore").lstrip()
    with suppress(ValueError, RecursionError):
        first = json.JSONDecoder().raw_decode(text.removeprefix("[").lstrip())[0]
        return first if isinstance(first, dict) else {}
    return {}


def _all_records(source: Source) -> Records:
    """All records of a list, or of the lines, as Python holds them."""
    if source.path.stat().st_size > LARGEST:
        remedy = "write a table with a line per item: its text, and what the system says"
        fail("path", f"must be a log of at most {LARGEST >> 20} MB", source.path.name, remedy=remedy)
    with source.open() as stream:
        text = stream.read().decode("utf-8-sig")
    if source.begins(b"["):
        return list(json.loads(text))
    lines = text.split("\n")  # other ends of lines may be in strings
    return [json.loads(line) for line in lines if line.strip()]


def nulled(source: Source) -> Source:
    r"""The same file with `null` for each NaN, which Python writes for a missing cell also among texts.

    >>> _NAN.sub(lambda met: met[1] or b"null", rb'{"a": NaN, "b": "NaN, \"NaN"}')
    b'{"a": null, "b": "NaN, \\"NaN"}'
    """
    with source.open() as stream:
        return replace(source, lines=_NAN.sub(lambda met: met[1] or b"null", stream.read()))


def _only_object(source: Source) -> dict[str, Any]:
    """The object in a file, if there is no other and it is not too large; else {}."""
    if source.path.stat().st_size > LARGEST:
        return {}
    head = source.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    first, _, rest = head.partition(b"\n")
    with suppress(ValueError, RecursionError):
        if rest.strip() and json.loads(first):  # a record per line
            return {}
    with suppress(ValueError, RecursionError), source.open() as stream:
        return dict(json.loads(stream.read()))
    return {}


def as_lines(content: bytes) -> bytes:
    r"""The records of a list, each on a line of its own and otherwise as written. Lists in it are taken for scores.

    Args:
        content: A JSON list in UTF-8.

    Raises:
        ValueError: The list holds something else than records and lists, or is cut short; the message says where.

    >>> as_lines(b'[{"id": 1,\n"score": 0.50}, {"id": 2}]')
    b'{"id": 1, "score": 0.50}\n{"id": 2}'
    >>> as_lines(b"[[0.1, 0.9], [0.5, 0.5]]")
    b'{"scores": [0.1, 0.9]}\n{"scores": [0.5, 0.5]}'
    """
    text = content.decode("utf-8-sig")
    at, found = _after_space(text, text.index("[") + 1), list[str]()
    while text.startswith(("{", "["), at):
        end = _end(text, at)
        item = text[at:end].replace("\n", " ").replace("\r", " ")  # in strings they are escaped
        found.append(item if item[0] == "{" else f'{{"scores": {item}}}')
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
