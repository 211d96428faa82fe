"""Lesson on intervals: how often they hold the truth, and what peeking does to that."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from sampleval.intervals import Basis, interval
from sampleval.pool import Floats, Integers


def replicates(
    *, truth: float, labels: int, level: float, family: str, repeats: int = 100, seed: int = 0
) -> pd.DataFrame:
    """The same study again and again: a share estimated from a uniform sample of a large pool.

    Args:
        truth: The share.
        labels: Of each study.
        level: Promised coverage.
        family: Key in `INTERVALS`, or "plug-in" for Ĝ ± z σ̂ without any safeguard.
        repeats: Studies.
        seed: Makes the samples.

    Returns:
        One row per study in rising order of the estimate: value, low, high, hit, truth, level.
    """
    right = np.random.default_rng([seed, 5]).binomial(labels, truth, repeats)
    found = {k: _limits(int(k), labels, level, family) for k in np.unique(right)}
    frame = pd.DataFrame([(k / labels, *found[k]) for k in np.sort(right)], columns=["value", "low", "high"])
    return frame.assign(hit=frame["low"].le(truth) & frame["high"].ge(truth), truth=truth, level=level)


def _limits(right: int, labels: int, level: float, family: str) -> tuple[float, float]:
    share = right / labels
    variance = share * (1 - share) / max(labels - 1, 1)
    if family == "plug-in":
        half = float(special.ndtri(0.5 + level / 2)) * variance**0.5
        return share - half, share + half
    found = interval(Basis(share, variance, 0.25 / labels, 0.5), level, family)
    return found.low, found.high


def watched(
    *,
    truth: float,
    labels: int,
    level: float,
    family: str,
    every: int = 10,
    repeats: int = 300,
    seed: int = 0,
) -> pd.DataFrame:
    """Looking at the interval again and again: how many studies have missed the truth by each look.

    Args:
        truth: The share.
        labels: Of the last look.
        level: Promised coverage.
        family: As for `replicates`.
        every: Labels from one look to the next.
        repeats: Studies.
        seed: Makes the samples.

    Returns:
        One row per look: labels, now (share whose interval misses there), ever (share that has missed at
        some look so far), anytime (the same of an interval made for any look), truth, level.
    """
    rng = np.random.default_rng([seed, 6])
    at = np.arange(every, labels + 1, every)
    right = (rng.random((repeats, labels)) < truth).cumsum(axis=1)[:, at - 1]
    missed = _missed(right, at, truth, level, family)
    ever = np.logical_or.accumulate(missed, axis=1)
    lost = np.logical_or.accumulate(wealth(right, at, truth) >= 1 / (1 - level), axis=1)
    return pd.DataFrame(
        {
            "labels": at,
            "now": missed.mean(axis=0),
            "ever": ever.mean(axis=0),
            "anytime": lost.mean(axis=0),
            "truth": truth,
            "level": level,
        }
    )


def _missed(right: Integers, labels: Integers, truth: float, level: float, family: str) -> NDArray[np.bool_]:
    """Whether the limits from so many right, (R, L), of so many labels, (L,), miss; the same ones are made once."""
    answers = np.stack([right, np.broadcast_to(labels, right.shape)], axis=-1).reshape(-1, 2)
    seen, place = np.unique(answers, axis=0, return_inverse=True)
    low, high = np.array([_limits(int(k), int(n), level, family) for k, n in seen]).T
    return ((truth < low) | (high < truth))[place].reshape(right.shape)


def wealth(right: Integers, labels: Integers, share: float) -> Floats:
    """What 1 has become by betting against a share, of n labels k right: ∫ p^k (1−p)^(n−k) dp / (s^k (1−s)^(n−k)).

    A martingale where the share is the true one, so that it ever reaches 1/α with probability at most α, and the
    shares against which it has not are an interval for any look (Ville 1939; Robbins 1970).

    Args:
        right: k, of any shape.
        labels: n, of a shape that broadcasts with it.
        share: s in (0, 1).
    """
    wrong = labels - right
    likelihood = special.xlogy(right, share) + special.xlog1py(wrong, -share)
    return np.asarray(np.exp(special.betaln(right + 1, wrong + 1) - likelihood))
