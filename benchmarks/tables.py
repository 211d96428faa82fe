"""Tables as files: CSV for programs, Markdown for readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd


def markdown(table: pd.DataFrame) -> str:
    """The rows of a table, numbers to three significant digits."""
    lines = [" | ".join(map(str, table.columns)), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(_shown(value) for value in row) for row in table.itertuples(index=False)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def write(table: pd.DataFrame, out: Path, said: Callable[[pd.DataFrame], str] = markdown) -> pd.DataFrame:
    """Keep a table as CSV with Markdown beside it; returns the table.

    Args:
        table: What was found, perhaps in hours: the CSV comes first, and its folder is made.
        out: The CSV file.
        said: How the table is written as Markdown.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(out, index=False)
    out.with_suffix(".md").write_text(said(table), encoding="utf-8")
    return table


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
