"""Small pools whose labels are known, for tests of everything after the making of a pool.

Pools and labels do not change, so that tests share them; making one takes 15 ms.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sampleval import Labels, Pool


def scored(n: int = 40, seed: int = 3, classes: tuple[str, str] = ("ham", "spam")) -> pd.DataFrame:
    """A frame of n items with id, score, text, and a label that mostly agrees with the score."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.5, 0.9, n)
    label = rng.random(n) < score
    ids = [f"item-{k:03d}" for k in range(n)]
    names = np.array(classes, dtype=object)[label.astype(int)]
    return pd.DataFrame({"id": ids, "score": score, "text": [f"text of {i}" for i in ids], "label": names})


@cache
def binary(n: int = 40, seed: int = 3, classes: tuple[str, str] = ("ham", "spam")) -> tuple[Pool, Labels]:
    """The pool of such a frame, and its labels."""
    df = scored(n, seed, classes)
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=["text"], classes=classes)
    return pool, Labels.from_frame(df, pool, "label")


@cache
def multilabel(n: int = 30, seed: int = 5) -> tuple[Pool, Labels]:
    """A pool with three labels per item."""
    rng = np.random.default_rng(seed)
    scores = rng.random((n, 3))
    df = pd.DataFrame({"id": [f"m{k}" for k in range(n)]})
    for k, name in enumerate("abc"):
        df[f"score_{name}"] = scores[:, k]
        df[f"label_{name}"] = (rng.random(n) < scores[:, k]).astype(int)
    pool = Pool.from_frame(df, id="id", score="score_", label="label_", fields=[], task="multilabel")
    return pool, Labels.from_frame(df, pool, "label_")


@cache
def multiclass(n: int = 300, width: int = 4, seed: int = 9) -> tuple[Pool, Labels]:
    """Classes drawn from the scores."""
    rng = np.random.default_rng(seed)
    score = rng.dirichlet(np.full(width, 0.4), n)
    names = [f"c{k}" for k in range(width)]
    df = pd.DataFrame(score, columns=names)
    df["label"] = [names[rng.choice(width, p=row)] for row in score]
    pool = Pool.from_frame(df, score={name: name for name in names}, label="label", task="multiclass")
    return pool, Labels.from_frame(df, pool, "label")


@cache
def calibrated(n: int = 400, seed: int = 0) -> tuple[Pool, Labels]:
    """A pool of ids and scores in which a score is the chance of a positive, and its labels."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.5, 1.5, n).round(3)
    df = pd.DataFrame(
        {"id": [f"i{k}" for k in range(n)], "score": score, "label": (rng.random(n) < score).astype(int)}
    )
    pool = Pool.from_frame(df, id="id", score="score", label="label")
    return pool, Labels.from_frame(df, pool, label="label")


def overconfident(n: int, seed: int = 0, share: float = 0.3) -> pd.DataFrame:
    """A frame of n items with a field x, in which positives are rarer than the scores say."""
    rng = np.random.default_rng(seed)
    score = rng.beta(share, 1.5, n)
    return pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(n)],
            "score": score,
            "x": score + rng.normal(0, 0.2, n),
            "label": (rng.random(n) < score**1.3).astype(int),
        }
    )


def overconfident_pool(n: int = 300, seed: int = 0) -> tuple[Pool, dict[str, int]]:
    """The pool of such a frame, and the label of each id."""
    df = overconfident(n, seed)
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=["x"])
    return pool, dict(zip(df["id"], df["label"].tolist(), strict=True))


def emotions(n: int = 200, seed: int = 0) -> tuple[Pool, NDArray[np.int64]]:
    """A pool with three labels per item, whose scores are the chances of its labels, and these, (n, 3)."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.5, 1.5, (n, 3))
    names = ("joy", "anger", "fear")
    frame = pd.DataFrame(
        {"id": [f"t{k}" for k in range(n)]} | {f"score_{c}": score[:, k] for k, c in enumerate(names)}
    )
    return Pool.from_frame(frame, task="multilabel"), (rng.random((n, 3)) < score).astype(np.int64)


def two_systems(n: int = 400, seed: int = 0) -> tuple[Pool, NDArray[np.int64]]:
    """A pool of two parts with the scores of two systems, of which the old one's are right, and its labels, (n,)."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.5, 1.5, n)
    frame = pd.DataFrame(
        {
            "id": [f"t{k}" for k in range(n)],
            "old.score": score,
            "new.score": np.clip(score + rng.normal(0, 0.1, n), 0.001, 0.999),
            "part": rng.choice(["a", "b"], n),
        }
    )
    return Pool.from_frame(frame), (rng.random(n) < score).astype(np.int64)
