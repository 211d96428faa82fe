"""Labelling in a spreadsheet: write the next items to a sheet, and read its answers back."""

from sampleval.offline.exports import UNTOLD
from sampleval.offline.lines import ELSEWHERE, NOT_ASKED
from sampleval.offline.reading import Conflict, Imported, Rejected, read
from sampleval.offline.writing import allowed, sheet, write

__all__ = [
    "ELSEWHERE",
    "NOT_ASKED",
    "UNTOLD",
    "Conflict",
    "Imported",
    "Rejected",
    "allowed",
    "read",
    "sheet",
    "write",
]
