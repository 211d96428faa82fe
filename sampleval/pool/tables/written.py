"""Lists and records in cells of text, as CSV files and workbooks hold them, and in those of a pandas frame."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

LONGEST = 10_000  # most characters of a text that is read as a list or record
SPARSE = 4  # most places for each that is filled: of records with ever new fields, each would be a column
FEW = 10_000  # places that do no harm
_FAILS = (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError, pa.ArrowException)


def as_nested(cells: Iterable[Any]) -> pa.ChunkedArray | None:
    """Cells as Arrow's lists and records, missing ones as null; `None` if some cell is neither, or if they do not fit.

    Text may hold them as JSON or Python writes them.

    >>> as_nested(["{'label': 'x', 'score': 0.9}", "", '{"label": "y", "score": 1}']).to_pylist()
    [{'label': 'x', 'score': 0.9}, None, {'label': 'y', 'score': 1.0}]
    >>> as_nested(["[0.5, 0.5]", "none"]), as_nested([{"a": 1}, [1]])
    (None, None)
    """
    with suppress(*_FAILS), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python on each text that is no sound one, as "['\\d']"
        values = [_value(cell) for cell in cells]
        if _is_dense(values):
            found = pa.array(values, from_pandas=True)
            return pa.chunked_array([found]) if pa.types.is_nested(found.type) else None
    return None


def from_text(text: str) -> Any:
    """What a text holds as JSON or Python writes it; `None` if it holds nothing of the kind."""
    with suppress(*_FAILS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _read(text)
    return None


def begins_nested(cell: object) -> bool:
    """Whether a cell is a list or record, or a text that begins as one does."""
    if isinstance(cell, str):
        return cell.lstrip()[:1] in ("[", "{")
    return isinstance(cell, dict | list | tuple) or (isinstance(cell, np.ndarray) and cell.ndim == 1)


def _value(cell: Any) -> Any:
    """The list or record in a cell, `None` if it is missing; anything else raises an error."""
    if isinstance(cell, str):
        if not cell.strip():
            return None
        if len(cell) > LONGEST:
            raise ValueError("too long")
        cell = _read(cell)
    if isinstance(cell, dict):  # Arrow takes text alone as a name
        return cell if all(isinstance(key, str) for key in cell) else {str(key): cell[key] for key in cell}
    if not isinstance(cell, list | tuple | np.ndarray) and not pd.isna(cell):
        raise ValueError("neither a list nor a record")
    return cell


def _read(text: str) -> Any:
    """What a text holds as JSON or Python writes it."""
    # JSON's reader is much the faster one, and quotes alone make the difference in most of what Python writes.
    quoted = text if '"' in text or "\\" in text else text.replace("'", '"')
    with suppress(ValueError):
        return json.loads(quoted)
    return ast.literal_eval(text.strip())


def _is_dense(values: list[Any]) -> bool:
    """Whether records among these values, and within them, mostly have the same fields."""
    fields, filled = set[tuple[str, ...]](), 0
    open_: list[tuple[tuple[str, ...], Any]] = [((), value) for value in values]
    while open_:
        path, value = open_.pop()
        if isinstance(value, dict):
            filled += len(value)
            for key, part in value.items():
                fields.add((*path, key))
                if isinstance(part, dict | list):
                    open_.append(((*path, key), part))
        elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
            open_ += [(path, part) for part in value if isinstance(part, dict | list)]
    return len(values) * len(fields) <= SPARSE * (filled + FEW)
