"""Lesson on beliefs: what is believed about the labels before and after some of them are known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from sampleval.simulation.lessons.toy import Toy
from sampleval.simulation.summary import BAND
from sampleval.surrogates import (
    SHRINKAGE,
    BetaBernoulli,
    DirichletTree,
    Evidence,
    Recalibrated,
    Shrunk,
    Surrogate,
)

GROUPS = 24
BELIEFS: Mapping[str, Surrogate] = MappingProxyType(
    {
        "strata": BetaBernoulli(by="equal-size", leaves=12, strength=4.0, decay=False),
        "tree": DirichletTree(by="equal-size", leaves=32, depth=5),
        "recalibrated": Recalibrated(),
    }
)


def believed(
    toy: Toy, *, labels: int, kind: str = "tree", shrinkage: float = SHRINKAGE, seed: int = 0
) -> pd.DataFrame:
    """Believed and true shares of positives along the score, after a uniform sample of labels.

    Args:
        toy: The pool.
        labels: Number of labels.
        kind: "scores" for shrunk scores, which labels do not change, or a key of `BELIEFS`.
        shrinkage: λ of "scores".
        seed: Seed of the choice of labelled items.

    Returns:
        One row per group of items with like scores: score, believed, true, labelled (items), positive (of those).
    """
    n = toy.pool.size
    index = np.random.default_rng([seed, 4]).permutation(n)[:labels]
    evidence = Evidence(index, toy.labels.of(index), np.full(labels, n / max(labels, 1)))
    surrogate = Shrunk(shrinkage) if kind == "scores" else BELIEFS[kind]
    belief = surrogate.model(toy.pool).believe(evidence)
    group = np.argsort(np.argsort(toy.pool.score, kind="stable"), kind="stable") * GROUPS // n
    known = np.zeros(n)
    known[index] = 1
    frame = pd.DataFrame(
        {
            "group": group,
            "score": toy.pool.score,
            "believed": belief.mean,
            "true": toy.rate,
            "labelled": known,
            "positive": known * toy.truth,
        }
    )
    means = frame.groupby("group")[["score", "believed", "true"]].mean()
    return means.join(frame.groupby("group")[["labelled", "positive"]].sum()).reset_index(drop=True)


def missed(
    toy: Toy,
    *,
    labels: int,
    kind: str = "tree",
    shrinkage: float = SHRINKAGE,
    samples: int = 40,
) -> pd.DataFrame:
    """How far the belief is off, on average along the score, in many samples, and how far so many can tell their mean.

    Args:
        toy: The pool.
        labels: Number of labels.
        kind: As in `believed`.
        shrinkage: λ of "scores".
        samples: Number of samples, ≥ 2, of which the first is the one that `believed` shows.

    Returns:
        One row: shown (the first sample), mean, half (of the mean's t interval at `BAND`), least and most of the samples.
    """
    off = np.array(
        [
            (groups["believed"] - groups["true"]).abs().mean()
            for groups in (
                believed(toy, labels=labels, kind=kind, shrinkage=shrinkage, seed=seed)
                for seed in range(samples)
            )
        ]
    )
    half = stdtrit(samples - 1, (1 + BAND) / 2) * off.std(ddof=1) / np.sqrt(samples)
    return pd.DataFrame(
        {"shown": off[:1], "mean": off.mean(), "half": half, "least": off.min(), "most": off.max()}
    )
