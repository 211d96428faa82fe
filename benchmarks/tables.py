"""Tables as Markdown."""

from __future__ import annotations

import pandas as pd


def markdown(table: pd.DataFrame) -> str:
    """The rows of a table, numbers to three significant digits."""
    lines = [" | ".join(map(str, table.columns)), " | ".join("---" for _ in table.columns)]
    lines += [" | ".join(_shown(value) for value in row) for row in table.itertuples(index=False)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def _shown(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
