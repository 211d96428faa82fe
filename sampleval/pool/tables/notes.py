"""Notes on how a file was read: JSON in the metadata of its table, and then among the `attrs` of the frame."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

LINE = "sampleval.line"  # the file's line with the column names, from 1
GUESS = "sampleval.guess"  # a word to check the guess of Windows-1252 by
SHEET = "sampleval.sheet"  # the sheet that was read and why it, if the workbook has others
POINTS = "sampleval.points"  # columns whose points may separate thousands
LEFT = "sampleval.left"  # record → those of its fields that were not read
RANKED = "sampleval.ranked"  # columns of best guesses by rank that were read
_KEY = b"sampleval.notes"


def noted(columns: Mapping[str, pa.ChunkedArray], notes: Mapping[str, Any]) -> pa.Table:
    """These columns as a table with notes."""
    return pa.table(dict(columns), metadata={_KEY: json.dumps(notes)})


def notes_on(table: pa.Table) -> dict[str, Any]:
    """The notes on a table, by the keys above."""
    return dict(json.loads((table.schema.metadata or {}).get(_KEY, b"{}")))
