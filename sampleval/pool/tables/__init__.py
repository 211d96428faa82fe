"""Read files into tables: find a file's format and turn its text into columns."""

from sampleval.pool.tables.delimited import SEPARATORS, filled, layout
from sampleval.pool.tables.encoding import GUESS, decoded
from sampleval.pool.tables.grid import POINTS
from sampleval.pool.tables.lines import in_lines
from sampleval.pool.tables.reading import opened, read_frame
from sampleval.pool.tables.sources import find_source
from sampleval.pool.tables.workbooks import SHEET

__all__ = [
    "GUESS",
    "POINTS",
    "SEPARATORS",
    "SHEET",
    "decoded",
    "filled",
    "find_source",
    "in_lines",
    "layout",
    "opened",
    "read_frame",
]
