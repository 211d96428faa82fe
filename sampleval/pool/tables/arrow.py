"""What Arrow's columns hold: lists, records, text, numbers."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc


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
