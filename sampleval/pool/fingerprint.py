"""A pool's fingerprint: SHA-256 of its content, which is the same on every machine and pandas version; and a shorter one."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sampleval.pool.task import System, Task

ROWS = 65_536


def fingerprint(
    ids: NDArray[np.object_], systems: tuple[System, ...], task: Task, fields: pd.DataFrame
) -> str:
    """The SHA-256 of ids, systems, task and fields in row order, as 64 hexadecimal digits.

    Every column enters with its kind, its name and canonical bytes: text as lengths and UTF-8, numbers as little-endian
    int64 or float64 (with a single nan and no −0), in blocks of fixed size.
    """
    sha = hashlib.sha256()
    head = ["sampleval pool 1", len(ids), task.kind, list(task.classes), [s.name for s in systems]]
    sha.update(json.dumps(head).encode())
    _text(sha, "ids", pa.array(ids, type=pa.large_string()))
    for system in systems:
        for role in ("score", "pred", "error"):
            values = np.asarray(getattr(system, role))
            sha.update(json.dumps([role, list(values.shape)]).encode())
            _numbers(sha, values)
    for name in fields.columns:
        _field(sha, str(name), fields[name])
    return sha.hexdigest()


def digest(values: NDArray[np.generic]) -> str:
    """A short text that changes with any of these values, to keep in memory or in a cache what depends on them."""
    return hashlib.blake2b(values.tobytes(), digest_size=8).hexdigest()


def _field(sha: Any, name: str, series: pd.Series[Any]) -> None:
    kind = series.dtype.kind
    if isinstance(series.dtype, np.dtype) and kind in "biuf":
        sha.update(json.dumps(["number" if kind in "iuf" else "bool", name]).encode())
        _numbers(sha, series.to_numpy())
    else:
        _text(sha, name, pa.array(series, from_pandas=True))


def _numbers(sha: Any, values: NDArray[np.generic]) -> None:
    for start in range(0, len(values), ROWS):
        block = values[start : start + ROWS]
        if block.dtype.kind == "f":
            block = block.astype("<f8") + 0.0
            block[np.isnan(block)] = np.nan
        else:
            block = block.astype("<i8")
        sha.update(b"f" if block.dtype.kind == "f" else b"i")
        sha.update(np.ascontiguousarray(block).data)


def _text(sha: Any, name: str, array: Any) -> None:
    kind = "bytes" if pa.types.is_binary(array.type) else "text"
    sha.update(json.dumps([kind, name]).encode())
    for start in range(0, len(array), ROWS):
        block = array.slice(start, ROWS)
        if isinstance(block, pa.ChunkedArray):
            block = block.combine_chunks()
        if pa.types.is_dictionary(block.type):
            block = block.dictionary_decode()
        if pa.types.is_null(block.type):
            block = block.cast(pa.large_string())
        lengths = pc.fill_null(pc.binary_length(block), -1).to_numpy(zero_copy_only=False)
        sha.update(lengths.astype("<i8").data)
        binary = pc.fill_null(block.cast(pa.large_binary()), b"")
        offsets = np.frombuffer(binary.buffers()[1], dtype=np.int64)[
            binary.offset : binary.offset + len(binary) + 1
        ]
        data = binary.buffers()[2]
        if data is not None:
            sha.update(memoryview(data)[int(offsets[0]) : int(offsets[-1])])
