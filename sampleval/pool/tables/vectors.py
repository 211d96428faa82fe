"""Vectors as Spark writes them into JSON and Parquet: records of a type, values and, if only some are kept, their places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

VECTOR = {"type", "values", "size", "indices"}  # what a record holds that is such a vector
SPARSE = 0  # the type of one that holds only the numbers that are not 0
MOST = 1000  # classes to give a column each


def by_place(cells: pa.ChunkedArray) -> dict[str, pa.ChunkedArray]:
    """The numbers in vectors by their place, 0, 1, …; {} if the cells are none, or differ in length.

    Args:
        cells: N cells of any type, N ≥ 1.

    >>> cells = pa.chunked_array([[{"type": 0, "size": 2, "indices": [1], "values": [0.5]}]])
    >>> {place: numbers.to_pylist() for place, numbers in by_place(cells).items()}
    {'0': [0.0], '1': [0.5]}
    """
    keys = {part.name for part in cells.type} if pa.types.is_struct(cells.type) else set()
    if not {"type", "values"} <= keys <= VECTOR:
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
