"""Tables as callers bring them, for tests of what becomes of them in a pool."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def items(size: int = 6, **columns: Any) -> pd.DataFrame:
    """A sound table of items of two classes; keywords replace or add columns."""
    frame = {
        "id": [f"a{k}" for k in range(size)],
        "score": np.linspace(0.0, 1.0, size) if size > 1 else [0.3],
        "label": np.arange(size) % 2,
        "text": [f"text {k}" for k in range(size)],
    }
    return pd.DataFrame(frame | columns)


def decided(n: int = 6) -> pd.DataFrame:
    """The scores of three labels, and decisions that no threshold on these scores would make."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"score_{name}": rng.random(n) for name in "abc"})
    return frame.assign(**{f"{name}_says": 1 - (frame[f"score_{name}"] >= 0.5) for name in "abc"})


def two_scores(**more: Any) -> pd.DataFrame:
    """Four items with two columns of scores that do not sum to 1."""
    return pd.DataFrame(
        {"id": list("abcd"), "score_old": [0.2, 0.6, 0.9, 0.1], "score_new": [0.3, 0.7, 0.8, 0.2], **more}
    )


def written(folder: Path, text: str, name: str = "items.csv", encoding: str = "utf-8") -> Path:
    """A file with this text."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path
