"""Files to tables: what a file is, and how its text becomes columns."""

from sampleval.pool.tables.delimited import MARKS, POINTS, layout
from sampleval.pool.tables.reading import read_frame
from sampleval.pool.tables.sources import as_utf8, find_source

__all__ = ["MARKS", "POINTS", "as_utf8", "find_source", "layout", "read_frame"]
