"""A table of scored items for tests of designs."""

from __future__ import annotations

import numpy as np
import pandas as pd


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    """A small binary pool with ties and exact zeros and ones."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.4, 1.5, n).round(2)
    return pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(n)],
            "score": score,
            "label": (rng.random(n) < score).astype(int),
            "text": "x",
        }
    )
