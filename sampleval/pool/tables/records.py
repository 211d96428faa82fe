"""A JSON list of records, or an object around all of them, as one record per line, the form that Arrow reads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sampleval._checks import fail
from sampleval.pool.naming import column_role
from sampleval.pool.tables.logs.common import Rows
from sampleval.pool.tables.logs.forms import rows_of
from sampleval.pool.tables.sources import Source, no_rows

LARGEST = 1 << 27  # bytes of an object around all items: in Python's memory it is fifteen times as large
FIRST = 1 << 20  # bytes that the first record of a log may take
_SPACE = re.compile(r"\s*")
_NAN = re.compile(rb'("(?:[^"\\]|\\.)*+")|\bNaN\b')
_VALUE = json.JSONDecoder()
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
            return replace(source, lines=_as_lines(stream.read()) or no_rows(source))
    if whole and all(part in ([], {}) for part in ([whole["data"]] if "data" in whole else whole.values())):
        no_rows(source)
    found = _as_records(whole)
    return _in_lines(source, found) if found else source


def _in_lines(source: Source, rows: Rows) -> Source:
    return replace(source, lines=b"\n".join(json.dumps(one).encode() for one in rows))


def _first_record(source: Source) -> dict[str, Any]:
    """The first record of a list, or on the first line; {} if it is too long, or none."""
    text = source.head(FIRST).decode("utf-8-sig", "ignore").lstrip()
    with suppress(ValueError, RecursionError):
        first = _VALUE.raw_decode(text.removeprefix("[").lstrip())[0]
        return first if isinstance(first, dict) else {}
    return {}


def _all_records(source: Source) -> Rows:
    """All records of a list, or of the lines, as Python holds them."""
    if source.path.stat().st_size > LARGEST:
        remedy = "write a table with a line per item: its text, and what the system says"
        fail("path", f"must be a log of at most {LARGEST >> 20} MB", source.path.name, remedy=remedy)
    with source.open() as stream:
        text = stream.read().decode("utf-8-sig")
    found, at = Rows(), _after_space(text, 0)
    try:
        if source.begins(b"["):
            return list(json.loads(text))
        while at < len(text):
            record, end = _VALUE.raw_decode(text, at)
            found.append(record)
            at = _after_space(text, end)
    except RecursionError:
        raise _too_deep(text, at) from None
    return found


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


def _as_lines(content: bytes) -> bytes:
    r"""The records of a list, each on a line of its own and otherwise as written. Lists in it are taken for scores.

    Raises:
        ValueError: The list holds something else than records and lists, or is cut short; the message says where.

    >>> _as_lines(b'[{"id": 1,\n"score": 0.50}, {"id": 2}]')
    b'{"id": 1, "score": 0.50}\n{"id": 2}'
    >>> _as_lines(b"[[0.1, 0.9], [0.5, 0.5]]")
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
        raise _too_deep(text, at) from None


def _too_deep(text: str, at: int) -> json.JSONDecodeError:
    return json.JSONDecodeError("Lists or records are nested too deep", text, at)


def _as_records(whole: Mapping[str, Any]) -> Rows:
    """The records in an object that holds all items; [] if it has none of the known forms, or is a record itself.

    >>> _as_records({"model": "m", "predictions": [{"id": 1}, {"id": 2}]})
    [{'id': 1}, {'id': 2}]
    >>> _as_records({"columns": ["id", "score"], "index": [0, 1], "data": [["a", 0.5], ["b", 1]]})
    [{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 1}]
    >>> _as_records({"y_true": [0, 1], "y_prob": [0.5, 0.9], "metrics": {"accuracy": 1}})
    [{'y_true': 0, 'y_prob': 0.5}, {'y_true': 1, 'y_prob': 0.9}]
    >>> _as_records({"a.jpg": 0.5, "b.jpg": 0.9})
    [{'id': 'a.jpg', 'score': 0.5}, {'id': 'b.jpg', 'score': 0.9}]
    >>> _as_records({"score": {"a": 0.5, "b": 0.9}}), _as_records({"a": {"score": 0.5}, "b": {"score": 0.9}})
    ([{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 0.9}], [{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 0.9}])
    """
    table = _by_lists(whole)
    beside = table and any(column_role(name)[0] and not isinstance(table[0][name], dict) for name in table[0])
    return (
        _split(whole) or (table if beside else _around(whole) or table) or _by_keys(whole) or _by_item(whole)
    )


def _split(whole: Mapping[str, Any]) -> Rows:
    """Rows beside the names of their columns."""
    names, rows, index = (whole.get(key) for key in ("columns", "data", "index"))
    if (
        not isinstance(names, list)
        or not isinstance(rows, list)
        or not all(isinstance(n, str) for n in names)
    ):
        return []
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return []
    records = [dict(zip(names, row, strict=True)) for row in rows]
    return _with_ids(index, records) if isinstance(index, list) and len(index) == len(rows) else records


def _around(whole: Mapping[str, Any]) -> Rows:
    """The only list of records or of lists, in which the latter are scores."""
    lists = [value for value in whole.values() if isinstance(value, list) and value]
    inner = [value for value in lists if all(isinstance(item, dict) for item in value)]
    if len(inner) == 1:
        return list(inner[0])
    if len(lists) == 1 and all(isinstance(item, list) for item in lists[0]):
        return [{"scores": item} for item in lists[0]]
    return []


def _by_lists(whole: Mapping[str, Any]) -> Rows:
    """A list per column, all of one length."""
    columns = {name: value for name, value in whole.items() if isinstance(value, list)}
    if len(columns) < 2 or len({*map(len, columns.values())}) != 1:
        return []
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _by_keys(whole: Mapping[str, Any]) -> Rows:
    """A record per column, of item → cell, or one per item, of column → cell or class → score."""
    parts = [*whole.values()]
    if not parts or not all(
        isinstance(part, dict) and part.keys() == parts[0].keys() != set() for part in parts
    ):
        return []
    outer, inner = [*whole], [*parts[0]]
    if not _are_columns(outer, inner):
        by_class = all(isinstance(cell, float) for part in parts for cell in part.values())
        nameless = by_class and not any(column_role(name)[0] for name in inner)
        return _with_ids(outer, [{"scores": part} for part in parts] if nameless else parts)
    rows = [{name: whole[name][key] for name in outer} for key in inner]
    return _with_ids(inner, rows)


def _by_item(whole: Mapping[str, Any]) -> Rows:
    """A score of each item, if no key is the name of a column."""
    scores = all(isinstance(value, float) for value in whole.values())
    if not scores or len(whole) < 2 or any(column_role(key)[0] for key in whole):
        return []
    return [{"id": key, "score": score} for key, score in whole.items()]


def _are_columns(names: list[str], others: list[str]) -> bool:
    """Whether the former are names of columns, and the latter those of items: if the names do not tell, columns are fewer."""
    said, theirs = (any(column_role(name)[0] for name in each) for each in (names, others))
    return said if said != theirs else len(names) < len(others)


def _with_ids(ids: list[Any], records: Rows) -> Rows:
    """The records with these ids, unless they have some, or these only number the rows, as an index that nobody set."""
    named = any("id" in record for record in records) or [*map(str, ids)] == [*map(str, range(len(ids)))]
    return records if named else [{"id": one, **record} for one, record in zip(ids, records, strict=True)]
