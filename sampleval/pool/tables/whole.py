"""One JSON object that holds all items, as pandas and services write it: a table by columns, by rows, or around a list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sampleval.pool.naming import column_role

Records = list[dict[str, Any]]


def as_records(whole: Mapping[str, Any]) -> Records:
    """The records in an object that holds all items; [] if it has none of the known forms, or is a record itself.

    >>> as_records({"model": "m", "predictions": [{"id": 1}, {"id": 2}]})
    [{'id': 1}, {'id': 2}]
    >>> as_records({"columns": ["id", "score"], "index": [0, 1], "data": [["a", 0.5], ["b", 1]]})
    [{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 1}]
    >>> as_records({"y_true": [0, 1], "y_prob": [0.5, 0.9], "metrics": {"accuracy": 1}})
    [{'y_true': 0, 'y_prob': 0.5}, {'y_true': 1, 'y_prob': 0.9}]
    >>> as_records({"a.jpg": 0.5, "b.jpg": 0.9})
    [{'id': 'a.jpg', 'score': 0.5}, {'id': 'b.jpg', 'score': 0.9}]
    >>> as_records({"score": {"a": 0.5, "b": 0.9}}), as_records({"a": {"score": 0.5}, "b": {"score": 0.9}})
    ([{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 0.9}], [{'id': 'a', 'score': 0.5}, {'id': 'b', 'score': 0.9}])
    """
    table = _by_lists(whole)
    beside = table and any(column_role(name)[0] and not isinstance(table[0][name], dict) for name in table[0])
    return (
        _split(whole) or (table if beside else _around(whole) or table) or _by_keys(whole) or _by_item(whole)
    )


def _split(whole: Mapping[str, Any]) -> Records:
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


def _around(whole: Mapping[str, Any]) -> Records:
    """The only list of records or of lists, in which the latter are scores."""
    lists = [value for value in whole.values() if isinstance(value, list) and value]
    inner = [value for value in lists if all(isinstance(item, dict) for item in value)]
    if len(inner) == 1:
        return list(inner[0])
    if len(lists) == 1 and all(isinstance(item, list) for item in lists[0]):
        return [{"scores": item} for item in lists[0]]
    return []


def _by_lists(whole: Mapping[str, Any]) -> Records:
    """A list per column, all of one length."""
    columns = {name: value for name, value in whole.items() if isinstance(value, list)}
    if len(columns) < 2 or len({*map(len, columns.values())}) != 1:
        return []
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _by_keys(whole: Mapping[str, Any]) -> Records:
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


def _by_item(whole: Mapping[str, Any]) -> Records:
    """A score of each item, if no key is the name of a column."""
    scores = all(isinstance(value, float) for value in whole.values())
    if not scores or len(whole) < 2 or any(column_role(key)[0] for key in whole):
        return []
    return [{"id": key, "score": score} for key, score in whole.items()]


def _are_columns(names: list[str], others: list[str]) -> bool:
    """Whether the former are names of columns, and the latter those of items: if the names do not tell, columns are fewer."""
    said, theirs = (any(column_role(name)[0] for name in each) for each in (names, others))
    return said if said != theirs else len(names) < len(others)


def _with_ids(ids: list[Any], records: Records) -> Records:
    """The records with these ids, unless they have some, or these only number the rows, as an index that nobody set."""
    named = any("id" in record for record in records) or [*map(str, ids)] == [*map(str, range(len(ids)))]
    return records if named else [{"id": one, **record} for one, record in zip(ids, records, strict=True)]
