"""Small trees, and pools with features to cut by."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sampleval import Pool
from sampleval.partition import grow

SHAPES = [grow(6, depth=1), grow(8, depth=3), grow(7, depth=2), grow(5, depth=2)]


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    score = rng.beta(0.3, 2, n)
    return pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(n)],
            "score": score,
            "x": rng.normal(size=n),
            "z": rng.random(n).round(1),
        }
    )


def pool(n: int, seed: int = 0) -> Pool:
    return Pool.from_frame(frame(n, seed), id="id", score="score", fields=["x", "z"])
