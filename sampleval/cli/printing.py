"""Tables as text that lines up, as CSV, or as JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sampleval._checks import retold
from sampleval.cli.spoken import SPOKEN
from sampleval.pool import Pool
from sampleval.sheets import safe


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as text with aligned columns: the first to the left, the others to the right.

    >>> print(table(["metric", "value"], [["F1", "0.79"]]))
    metric  value
    F1       0.79
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    )


def as_json(value: Any) -> str:
    r"""The value as JSON in plain ASCII, which every console can print. Unknown numbers are null: JSON has no nan.

    >>> print(as_json(["λ", math.nan]))
    [
      "\u03bb",
      null
    ]
    """
    return json.dumps(_known(value), indent=2, allow_nan=False)


def print_csv(frame: pd.DataFrame) -> None:
    """Print the frame as CSV, with numbers in full and empty cells for unknown ones."""
    safe(frame).to_csv(sys.stdout, index=False, lineterminator="\n")


def print_reading(file: str, pool: Pool) -> None:
    """Say on stderr how a file was read: which columns were taken for what, and what is odd about them."""
    print(f"How {file} was read:", file=sys.stderr)
    for line in pool.report:
        print(f"  {retold(line, SPOKEN)}", file=sys.stderr)


def _known(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _known(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
