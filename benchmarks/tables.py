"""Write tables to files: CSV for programs, Markdown for readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd


def markdown(table: pd.DataFrame) -> str:
    """The table as Markdown, with numbers of three significant digits."""
    lines = [" | ".join(map(str, table.columns)), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(_shown(value) for value in row) for row in table.itertuples(index=False)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def write(table: pd.DataFrame, out: Path, said: Callable[[pd.DataFrame], str] = markdown) -> pd.DataFrame:
    """Write a table as CSV with Markdown beside it, and return it.

    Args:
        table: The results. They may have taken hours, so the CSV is written first, and its folder is created.
        out: The CSV file.
        said: The function that writes the table as Markdown.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(out, index=False)
    out.with_suffix(".md").write_text(said(table), encoding="utf-8")
    return table


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
