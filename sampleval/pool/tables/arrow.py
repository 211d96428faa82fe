"""What Arrow's columns hold: lists, records, text, numbers, and vectors as Spark writes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

VECTOR = {"type", "values", "size", "indices"}  # what a record holds that is such a vector
SPARSE = 0  # the type of one that holds only the numbers that are not 0
MOST = 1000  # classes to give a column each


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether a column of this type holds numbers."""
    return bool(pa.types.is_floating(kind) or pa.types.is_integer(kind))


def is_list(kind: pa.DataType) -> bool:
    """Whether a column of this type holds lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def fields_of(cells: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """The fields of records; {} if the cells are none."""
    if not pa.types.is_struct(cells.type):
        return {}
    return {part.name: values for part, values in zip(cells.type, cells.flatten(), strict=True)}


def entries(lists: pa.ChunkedArray) -> pa.ChunkedArray:
    """The entries of all lists, end to end."""
    return pa.chunked_array([pc.list_flatten(lists.combine_chunks())])


def alone(lists: pa.ChunkedArray) -> bool:
    """Whether each list has one entry."""
    return bool(pc.all(pc.equal(pc.list_value_length(lists), 1), skip_nulls=False).as_py())


def single(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """The entries of lists that all hold one record, as those of a single best guess do; other cells as they are."""
    records = is_list(cells.type) and pa.types.is_struct(cells.type.value_type)
    return entries(cells) if records and alone(cells) else cells


def by_place(cells: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """The numbers in vectors by their place, 0, 1, …; {} if the cells are none, or differ in length.

    Vectors are records of a type, values and, if only some are kept, their places.

    >>> cells = pa.chunked_array([[{"type": 0, "size": 2, "indices": [1], "values": [0.5]}]])
    >>> {place: numbers.to_pylist() for place, numbers in by_place(cells).items()}
    {'0': [0.0], '1': [0.5]}
    """
    if not {"type", "values"} <= fields_of(cells).keys() <= VECTOR:
        return {}
    rows = [_numbers(vector or {}) for vector in cells.to_pylist()]
    size = len(rows[0])
    if not 1 < size <= MOST or any(len(row) != size for row in rows):
        return {}
    return {str(k): pa.chunked_array([pa.array(part)]) for k, part in enumerate(np.array(rows, np.float64).T)}


def _numbers(vector: dict[str, Any]) -> list[float]:
    """All numbers of a vector; [] if it is none."""
    values: list[float] = vector.get("values") or []
    if vector.get("type") != SPARSE:
        return values
    size, places = vector.get("size") or 0, vector.get("indices") or []
    if not len(places) == len(values) <= size <= MOST:
        return []
    kept = dict(zip(places, values, strict=True))
    return [kept.get(place, 0.0) for place in range(size)]
