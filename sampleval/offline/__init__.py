"""Labelling in a spreadsheet: write the next items to a sheet, and read its answers back."""

from sampleval.offline.reading import Conflict, Imported, Rejected, read
from sampleval.offline.writing import allowed, sheet, silences, write

__all__ = ["Conflict", "Imported", "Rejected", "allowed", "read", "sheet", "silences", "write"]
