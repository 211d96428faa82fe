"""Files to tables: what a file is, and how its text becomes columns."""

from sampleval.pool.tables.delimited import MARKS, POINTS, layout
from sampleval.pool.tables.places import in_lines
from sampleval.pool.tables.reading import read_frame
from sampleval.pool.tables.sources import as_utf8, find_source

__all__ = ["MARKS", "POINTS", "as_utf8", "find_source", "in_lines", "layout", "read_frame"]
