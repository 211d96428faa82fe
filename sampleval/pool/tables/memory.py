"""The memory that a file takes when it is read. A few bytes of Parquet can stand for any number of rows."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

# Small files may unpack to anything. A table takes at most TIMES its file's size, plus FREE, which any machine has.
TIMES, FREE = 200, 200_000_000
BYTE_ARRAY = "BYTE_ARRAY"  # Parquet's name for text and bytes
BATCH = 16_384  # rows
BESIDE_TEXT = 16  # most bytes of a cell apart from its text: a number, an offset, whether it is missing


def allowed(size: int) -> int:
    """The most bytes that the content of a file of this size may take in memory.

    >>> allowed(0), allowed(1_000_000)
    (200000000, 400000000)
    """
    return FREE + TIMES * size


def size_in_memory(file: Path | BinaryIO, most: int) -> int:
    """The bytes that a Parquet table takes when read, or a bound that is enough to compare them with `most`."""
    with pq.ParquetFile(file) as opened:
        texts = [leaf.path for leaf in _leaves(opened) if leaf.physical_type == BYTE_ARRAY]
        if (least := _in_lists(opened)) > most:
            return least
    try:
        with pq.ParquetFile(file, read_dictionary=texts) as opened:
            bound = _at_most(opened, texts)
            return bound if bound <= most else _counted(opened, BATCH, most)
    except OSError as error:
        if "Not yet implemented" not in str(error):
            raise
    with pq.ParquetFile(file) as opened:  # texts stored as differences cannot be looked at as they are stored
        longest = max((group.total_byte_size for group in _groups(opened)), default=0)
        return _counted(opened, min(BATCH, 1 + most // max(longest, 1)), most)


def _counted(opened: pq.ParquetFile, rows: int, most: int) -> int:
    """The bytes of all columns, read so many rows at a time, until they are more than `most`."""
    total = 0
    for batch in opened.iter_batches(batch_size=rows):
        total += sum(map(_bytes, batch.columns))
        if total > most:
            break
    return total


def _leaves(opened: pq.ParquetFile) -> list[pq.ColumnSchema]:
    return [opened.schema.column(k) for k in range(opened.metadata.num_columns)]


def _groups(opened: pq.ParquetFile) -> list[pq.RowGroupMetaData]:
    return [opened.metadata.row_group(k) for k in range(opened.metadata.num_row_groups)]


def _in_lists(opened: pq.ParquetFile) -> int:
    """A lower bound of the bytes in lists, at four per value: a single row of lists can hold any number of values.

    The lists are scanned first, without being kept, so that damage raises an error here. Reading only the footer of a
    damaged file could end the process.
    """
    repeated = [k for k, leaf in enumerate(_leaves(opened)) if leaf.max_repetition_level]
    if repeated:
        opened.scan_contents([opened.schema.column(k).path for k in repeated])
    return 4 * sum(group.column(k).num_values for group in _groups(opened) for k in repeated)


def _at_most(opened: pq.ParquetFile, texts: list[str]) -> int:
    """An upper bound of the table's bytes: every text counts as the longest one that is written once for many rows."""
    leaves = _leaves(opened)
    widths = [max(BESIDE_TEXT, leaf.length or 0) for leaf in leaves]
    looked = [leaf.path for leaf in leaves if leaf.path in texts or not leaf.max_repetition_level]
    total = 0
    for k, group in enumerate(_groups(opened)):
        rows = opened.iter_batches(batch_size=1, row_groups=[k], columns=looked) if looked else iter(())
        first = next(rows, None)  # a damaged file may have no rows although its footer says so
        longest = max(map(_longest, first.columns), default=0) if first else 0
        for chunk, width in zip((group.column(k) for k in range(group.num_columns)), widths, strict=True):
            each = width + (longest if chunk.physical_type == BYTE_ARRAY else 0)
            total += chunk.total_uncompressed_size + chunk.num_values * each
    return total


def _parts(column: pa.Array) -> list[pa.Array]:
    """The columns that a column of lists or records consists of; [] for other columns."""
    kind = pa.types
    if kind.is_map(column.type):
        return [column.keys, column.items]
    if kind.is_struct(column.type):
        return list(column.flatten())
    listed = (kind.is_list, kind.is_large_list, kind.is_fixed_size_list)
    return [column.flatten()] if any(of(column.type) for of in listed) else []


def _lengths(column: pa.Array) -> pa.Array | None:
    """The lengths in bytes of texts that a column stores once for many rows; `None` if it does not store them so."""
    parted = isinstance(column, pa.DictionaryArray)
    binary = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    return pc.binary_length(column.dictionary) if parted and column.dictionary.type in binary else None


def _longest(column: pa.Array) -> int:
    """The length in bytes of the longest text that a column stores once for many rows; 0 if there is none."""
    lengths = _lengths(column)
    own = 0 if lengths is None else pc.max(lengths).as_py() or 0
    return max([own, *map(_longest, _parts(column))])


def _bytes(column: pa.Array) -> int:
    """The bytes that a column takes when read. A text counts in every row, even if a dictionary stores it once."""
    if parts := _parts(column):
        return BESIDE_TEXT * len(column) + sum(map(_bytes, parts))
    if (lengths := _lengths(column)) is None:
        return int(column.nbytes)
    return int(pc.sum(pc.take(lengths, column.indices)).as_py() or 0) + 8 * len(column)
