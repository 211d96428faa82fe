"""Read files into frames: CSV, TSV, Parquet, JSON and Excel, plain or gzipped."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from sampleval import _checks
from sampleval._checks import InputError, fail
from sampleval.pool.columns import Told, wanted
from sampleval.pool.fields import beyond_calendar
from sampleval.pool.tables import bounds, records, spread
from sampleval.pool.tables.delimited import read_delimited
from sampleval.pool.tables.lines import in_lines
from sampleval.pool.tables.notes import notes_on
from sampleval.pool.tables.sources import (
    BLOCK,
    Source,
    bad_text,
    find_source,
    no_rows,
    right_format,
    unreadable,
)
from sampleval.pool.tables.workbooks import read_workbook

# Exceptions that readers raise for files that are damaged or of another format than their names say.
DAMAGE = (
    *(pa.ArrowException, csv.Error, zlib.error, OSError, EOFError),
    *(ValueError, TypeError, OverflowError, MemoryError),
)

INDEX = "__index_level_0__"  # the name in Parquet of the row index of pandas if it has no name
UNNAMED = ("index", "unnamed_0")  # what it is called here, unless a column has that name


@contextmanager
def opened(path: str | Path, told: Told) -> Iterator[pd.DataFrame]:
    """Give the file as a frame; errors raised meanwhile name lines of the file instead of rows, if it has lines."""
    frame = read_frame(path, told)
    with in_lines(frame):
        try:
            yield frame
        except (pa.ArrowException, MemoryError) as error:  # a pool of so many rows does not fit into memory
            unreadable(find_source(path), error)


def read_frame(path: str | Path, told: Told) -> pd.DataFrame:
    """The file as a frame. If fields are given, other columns are read only if they may play a role.

    Raises:
        InputError: The file cannot be read.
    """
    source = find_source(path)
    try:
        bounds.unpacks(source)
        right_format(source)
        source = records.one_per_line(source)
        table = spread.in_table(_sound(_READERS[source.form](source, told), source), told)
        return _frame(table.select(wanted(table.column_names, told)))
    except InputError:
        raise
    except DAMAGE as error:
        unreadable(source, error)


def _read_parquet(source: Source, told: Told) -> pa.Table:
    file: Any = io.BytesIO(source.open().read()) if source.gzipped else source.path
    bounds.parquet(file, source)
    with pq.ParquetFile(file) as parts:
        names = [str(name) for name in parts.schema_arrow.names]
        bounds.narrow(len(names), source)
        _checks.distinct_names(names, "path")
        table = parts.read(columns=None if told.fields is None else wanted(names, told))
    return _with_range(table).replace_schema_metadata()  # which is a stranger's, and holds no notes of ours


def _with_range(table: pa.Table) -> pa.Table:
    """The table with the row index of pandas as a column, if it is a range, which files hold only in their metadata.

    An unnamed index 0, 1, 2, … is left out, since it says nothing about the items.
    """
    match table.schema.pandas_metadata:
        case {"index_columns": [{"name": str() | None as name, "start": start, "stop": stop, "step": step}]}:
            rows = range(start, stop, step)
            counted = name is None and rows == range(table.num_rows)  # the default index of any table
            if len(rows) == table.num_rows and name not in table.column_names and not counted:
                return table.append_column(name or INDEX, pa.array(np.arange(start, stop, step)))
    return table


def _read_json(source: Source, _told: Told) -> pa.Table:
    bounds.records(source)
    try:
        table = _parsed_json(source, None)
    except pa.ArrowInvalid as error:
        if not re.search("(from|to) number", str(error)):
            raise
        source = records.nulled(source)
        table = _parsed_json(source, None)
    if (
        table.num_rows == 1
        and table.num_columns
        and all(pa.types.is_nested(field.type) for field in table.schema)
    ):
        remedy = "write a list of objects, as df.to_json(path, orient='records') does"
        fail("path", "must hold an object per item; it holds one for all", source.path.name, remedy=remedy)
    types = [pa.field(field.name, _untimed(field.type)) for field in table.schema]
    # Arrow's guess of a type fails on lists that begin with null, so nested fields are read again with a schema.
    if anew := [field for field in types if field not in table.schema or pa.types.is_nested(field.type)]:
        table = _parsed_json(source, pa.schema(anew))
    _checks.distinct_names([str(name) for name in table.column_names], "path")
    return table


def _parsed_json(source: Source, schema: pa.Schema | None) -> pa.Table:
    with source.open() as stream:
        return pa.json.read_json(
            stream,
            read_options=pa.json.ReadOptions(block_size=BLOCK),
            parse_options=pa.json.ParseOptions(explicit_schema=schema),
        )


def _untimed(kind: pa.DataType) -> pa.DataType:
    """The type with text in place of times, which Arrow guesses for text such as `2024-01-01`, although it may be an id."""
    if pa.types.is_timestamp(kind):
        return pa.string()
    if pa.types.is_list(kind):
        return pa.list_(_untimed(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, _untimed(field.type)) for field in kind])
    return kind


_READERS: dict[str, Callable[[Source, Told], pa.Table]] = {
    "CSV": read_delimited,
    "TSV": read_delimited,
    "Parquet": _read_parquet,
    "JSON": _read_json,
    "Excel": read_workbook,
}


_NULLABLE = {pa.int64(): pd.Int64Dtype(), pa.uint64(): pd.UInt64Dtype()}


def _sound(table: pa.Table, source: Source) -> pa.Table:
    """The table, if it has rows and is no damaged one; text that is not UTF-8 is refused."""
    if table.num_rows == 0 or table.num_columns == 0:
        no_rows(source)
    try:
        table.validate(full=True)
    except pa.ArrowInvalid as error:
        if "UTF8" in str(error) or "UTF-8" in str(error):
            bad_text(table, source)
        raise
    return table


def _frame(table: pa.Table) -> pd.DataFrame:
    """The table as pandas columns."""
    for k, cells in enumerate(table.columns):
        if cells.type == pa.time64("ns"):  # Python's times of day have no nanoseconds
            table = table.set_column(k, table.column_names[k], cells.cast(pa.large_string()))
        elif pa.types.is_timestamp(cells.type) and cells.type.tz and beyond_calendar(cells):
            utc = pa.timestamp(cells.type.unit, "UTC")  # the one zone in which pandas can write them
            table = table.set_column(k, table.column_names[k], cells.cast(utc))
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    for name, cells in zip(table.column_names, table.columns, strict=True):
        if _rounded(cells):
            frame[name] = cells.to_pandas(types_mapper=_NULLABLE.get)
    frame.attrs |= notes_on(table)
    return frame.rename(columns={INDEX: next((name for name in UNNAMED if name not in frame), INDEX)})


def _rounded(cells: pa.ChunkedArray) -> bool:
    """Whether pandas would round whole numbers, since it holds a column with missing cells as float64."""
    if not cells.null_count or cells.type not in _NULLABLE:
        return False
    try:
        cells.cast(pa.float64())
    except pa.ArrowInvalid:
        return True
    return False
