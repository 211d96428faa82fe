"""Labelling elsewhere: the next items as a sheet, and its answers brought back."""

from sampleval.offline.reading import Conflict, Imported, Rejected, read
from sampleval.offline.writing import allowed, sheet, silences, write

__all__ = ["Conflict", "Imported", "Rejected", "allowed", "read", "sheet", "silences", "write"]
