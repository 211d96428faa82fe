"""Pools and labels as self-contained Parquet files, which are written under another name and then renamed."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pandas.api import types

from sampleval._checks import Text, fail, undamaged
from sampleval.pool.answers import dtype_of
from sampleval.pool.columns import Columns, SystemColumns, chosen
from sampleval.pool.task import System, Task

if TYPE_CHECKING:
    from sampleval.pool.core import Pool

KEY = b"sampleval"
HEAD = 64  # items that a pool's file shows without reading all of it
FORMAT = 1
DAMAGED = "it may be cut short, another kind of file, or written by a newer version"


def write_table(what: str, columns: Mapping[str, Any], about: Mapping[str, Any], path: Path) -> Path:
    """Write named Arrow arrays with metadata and return the path. The file appears whole or not at all."""
    if path.is_dir() or not path.parent.is_dir():
        rule = "must name a file; this is a folder" if path.is_dir() else "must lie in a folder that exists"
        fail("path", rule, str(path), remedy="check the spelling, or create the folder first")
    told = json.dumps({"what": what, "format": FORMAT, **about})
    table = pa.table(dict(columns), metadata={KEY: told.encode()})
    with aside(path) as part, part.open("wb") as file:
        pq.write_table(table, file, compression="zstd", write_page_checksum=True)
        file.flush()
        os.fsync(file.fileno())
    return path


@contextmanager
def aside(path: Path, name: str = "path") -> Iterator[Path]:
    """Give the path of a temporary file in the same folder, which is renamed to `path` at the end, or removed on failure.

    Args:
        path: Where the file is to appear, whole or not at all; an existing file is replaced.
        name: The argument that named it.

    Raises:
        InputError: The file cannot be written.
    """
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        try:
            yield part
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        rule = f"must be a file that can be written: {error.strerror or error}"
        remedy = "is its folder there, may you write in it, and is there room on the disk?"
        fail(name, rule, str(path), remedy=remedy)


def read_table(path: Path, what: str) -> tuple[pa.Table, dict[str, Any]]:
    """The table and the metadata in a file that `write_table` wrote; any other file is refused."""
    with undamaged(f"{what} file", remedy=DAMAGED, name="path", place=str(path)):
        table = pq.read_table(path, page_checksum_verification=True).combine_chunks()
        written = (table.schema.metadata or {}).get(KEY)
        if written is None:
            rule = f"must be a {what} file written by to_parquet"
            fail("path", rule, str(path), remedy="use Pool.read for other files")
        about = json.loads(written)
        known = about["what"] == what and about["format"] == FORMAT
    if not known:
        rule, remedy = (
            f"must be a {what} file of format {FORMAT}",
            "was it written by a newer version? Then update sampleval",
        )
        fail("path", rule, str(path), remedy=remedy)
    return table, about


def is_saved(path: str | Path) -> bool:
    """Whether the file is a pool that `to_parquet` wrote."""
    return b'"what": "pool"' in _footer(path)[1]


def as_saved(threshold: object, transform: object) -> None:
    """Refuse a threshold or a transform for a saved pool, whose scores and decisions are fixed."""
    rule = "must be left out for a saved pool, which holds its scores and decisions"
    remedy = "read the table that it was made from"
    if chosen(threshold):
        fail("threshold", rule, threshold, remedy=remedy)
    if transform is not None:
        fail("transform", rule, transform, remedy=remedy)


def saved_items(path: Path, fingerprint: str) -> int:
    """Number of items of the pool with this fingerprint, from the file's footer; 0 if the file does not hold this pool."""
    rows, about = _footer(path)
    return rows if f'"fingerprint": "{fingerprint}"'.encode() in about else 0


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The task and the number of items of a saved pool, and the ids and fields of the first ones."""

    task: Task
    size: int
    ids: Text
    fields: pd.DataFrame


def read_head(path: Path) -> Head | None:
    """The head of a saved pool, for which no more than its first page is decoded; `None` if the file holds no pool."""
    rows, about = _footer(path)
    try:
        if not rows or json.loads(about)["what"] != "pool":
            return None
        with pq.ParquetFile(path) as file:
            names = [n for n in file.schema_arrow.names if n == "id" or n.startswith("field/")]
            first = next(file.iter_batches(batch_size=HEAD, columns=names))
        table = pa.Table.from_batches([first])
        return Head(read_task(json.loads(about)["task"]), rows, _ids(table, path), _fields(table))
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError):  # damaged: who opens it is told so
        return None


def _footer(path: str | Path) -> tuple[int, bytes]:
    """The number of rows and the metadata of a file that `write_table` wrote, from its end; of any other file nothing."""
    try:
        if not Path(path).is_file():  # opening a pipe would block until somebody writes to it
            return 0, b""
        found = pq.read_metadata(path)
        return found.num_rows, (found.metadata or {}).get(KEY, b"")
    except (pa.ArrowException, OSError, ValueError, TypeError):
        return 0, b""


def write_pool(pool: Pool, path: Path) -> Path:
    """Write a pool as columns `id`, `score/…`, `pred/…`, `error/…`, `field/…` and metadata, and return the path."""
    columns: dict[str, Any] = {"id": pa.array(pool.ids, type=pa.large_string())}
    for k, system in enumerate(pool.systems):
        columns.update(spread(f"score/{k}", system.score))
        columns.update(spread(f"pred/{k}", system.pred))
        if system.error.size:
            columns[f"error/{k}"] = pa.array(system.error)
    for name in pool.fields.columns:
        columns[f"field/{name}"] = pa.array(
            pool.fields[name], from_pandas=pool.fields[name].dtype.kind != "f"
        )
    about = {
        "task": asdict(pool.task),
        "systems": [system.name for system in pool.systems],
        "threshold": pool.threshold,
        "columns": asdict(pool.columns),
        "report": pool.report,
        "fingerprint": pool.fingerprint,
    }
    return write_table("pool", columns, about, path)


def spread(name: str, values: NDArray[np.generic]) -> dict[str, Any]:
    """An array as one column (N,), or as columns `name/0`, `name/1`, … of (N, C): the inverse of `gather`."""
    if values.ndim == 1:
        return {name: pa.array(values)}
    return {f"{name}/{k}": pa.array(np.ascontiguousarray(values[:, k])) for k in range(values.shape[1])}


def read_pool(path: Path, make: type[Pool]) -> Pool:
    """The pool in a saved pool's file; one that was changed since is refused."""
    table, about = read_table(path, "pool")
    damage = undamaged("pool file", remedy=DAMAGED, name="path", place=str(path))
    with damage, np.errstate(invalid="raise"):  # a decision that is missing becomes no whole number
        task = read_task(about["task"])
        threshold = about["threshold"]
        pool = make(
            ids=_ids(table, path),
            task=task,
            systems=tuple(_system(table, task, k, name) for k, name in enumerate(about["systems"])),
            fields=_fields(table),
            threshold=tuple(threshold) if isinstance(threshold, list) else float(threshold),
            columns=_columns(about["columns"]),
            report=tuple(about["report"]),
        )
        unchanged = pool.fingerprint == about["fingerprint"]
    if not unchanged:
        fail("path", "must hold an unchanged pool; the content does not match its fingerprint", str(path))
    return pool


def _ids(table: pa.Table, path: Path) -> Text:
    column = table.column("id")
    ids: Text = column.to_numpy()
    if types.infer_dtype(ids, skipna=False) != "string":
        fail("path", f"must be an undamaged pool file: ids must be text, and are {column.type}", str(path))
    return ids


def read_task(about: Mapping[str, Any]) -> Task:
    """The task in a file's metadata."""
    return Task(about["kind"], tuple(about["classes"]))


def gather(table: pa.Table, name: str, task: Task, *, wide: bool, dtype: type[np.generic]) -> NDArray[Any]:
    """One column as an array (N,) or, if `wide`, the columns `name/0`, `name/1`, … as (N, C)."""
    if not wide:
        return np.array(table.column(name).to_numpy(), dtype=dtype)
    values = np.empty((table.num_rows, task.width), dtype=dtype)
    for k in range(task.width):
        values[:, k] = table.column(f"{name}/{k}").to_numpy()
    return values


def _system(table: pa.Table, task: Task, k: int, name: str) -> System:
    score = gather(table, f"score/{k}", task, wide=task.kind != "binary", dtype=np.float64)
    pred = gather(table, f"pred/{k}", task, wide=task.kind == "multilabel", dtype=dtype_of(task))
    held = f"error/{k}" in table.column_names
    error = gather(table, f"error/{k}", task, wide=False, dtype=np.float64) if held else np.empty(0)
    return System(name, score, pred, error)


def _fields(table: pa.Table) -> pd.DataFrame:
    names = [name for name in table.column_names if name.startswith("field/")]
    frame: pd.DataFrame = table.select(names).to_pandas(ignore_metadata=True)
    index = pd.RangeIndex(table.num_rows)
    bare = pd.Index([name.removeprefix("field/") for name in names], dtype=object)
    return frame.set_axis(index, axis=0).set_axis(bare, axis=1)


def _columns(about: Mapping[str, Any]) -> Columns:
    systems = tuple(
        SystemColumns(s["name"], tuple(s["score"]), tuple(s["pred"]), s["error"]) for s in about["systems"]
    )
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in about.items()
    }
    return Columns(**{**plain, "systems": systems})
