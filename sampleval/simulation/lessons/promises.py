"""Lesson on intervals: how often they contain the truth, and how peeking changes that."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from sampleval.intervals import Basis, clopper_pearson, interval
from sampleval.pool import Floats, Integers
from sampleval.simulation.summary import BAND


def replicates(
    *, truth: float, labels: int, level: float, family: str, repeats: int = 100, seed: int = 0
) -> pd.DataFrame:
    """Repetitions of a study that estimates a share from a uniform sample of a large pool.

    Args:
        truth: The share.
        labels: Labels of each study.
        level: Promised coverage.
        family: Key in `INTERVALS`, or "plug-in" for Ĝ ± z σ̂ without any safeguard.
        repeats: Number of studies.
        seed: Seed of the samples.

    Returns:
        One row per study in rising order of the estimate: value, low, high, hit, truth, level.
    """
    right = np.random.default_rng([seed, 5]).binomial(labels, truth, repeats)
    found = {k: _limits(int(k), labels, level, family) for k in np.unique(right)}
    frame = pd.DataFrame([(k / labels, *found[k]) for k in np.sort(right)], columns=["value", "low", "high"])
    return frame.assign(hit=frame["low"].le(truth) & frame["high"].ge(truth), truth=truth, level=level)


def coverage(studies: pd.DataFrame) -> tuple[float, float]:
    """Limits of the share of studies of `replicates` whose interval holds the truth, at `BAND`, as far as these can tell.

    >>> low, high = coverage(pd.DataFrame({"hit": [True] * 9 + [False]}))
    >>> round(low, 3), round(high, 3)
    (0.555, 0.997)
    """
    hits = int(studies["hit"].sum())
    low, high = clopper_pearson(hits, len(studies) - hits, BAND)
    return float(low), float(high)


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
    """The share of studies whose interval has missed the truth by each of many looks.

    Args:
        truth: The share to be estimated.
        labels: Labels at the last look.
        level: Promised coverage.
        family: As in `replicates`.
        every: Labels from one look to the next.
        repeats: Number of studies.
        seed: Seed of the samples.

    Returns:
        One row per look: labels, now (share of studies whose interval misses at this look), ever (share that has
        missed at some look so far), anytime (ever, for an interval made to hold at every look), each of these shares with
        _low and _high (95 % Clopper–Pearson band), truth, level.
    """
    rng = np.random.default_rng([seed, 6])
    at = np.arange(every, labels + 1, every)
    right = (rng.random((repeats, labels)) < truth).cumsum(axis=1)[:, at - 1]
    missed = _missed(right, at, truth, level, family)
    ever = np.logical_or.accumulate(missed, axis=1)
    lost = np.logical_or.accumulate(wealth(right, at, truth) >= 1 / (1 - level), axis=1)
    frame = pd.DataFrame({"labels": at})
    for name, each in (("now", missed), ("ever", ever), ("anytime", lost)):
        count = each.sum(axis=0)
        low, high = clopper_pearson(count, repeats - count, BAND)
        frame = frame.assign(**{name: each.mean(axis=0), f"{name}_low": low, f"{name}_high": high})
    return frame.assign(truth=truth, level=level)


def _missed(right: Integers, labels: Integers, truth: float, level: float, family: str) -> NDArray[np.bool_]:
    """Whether the limits miss the truth, (R, L), for numbers of right answers, (R, L), among numbers of labels, (L,).

    Limits of equal numbers are computed once.
    """
    answers = np.stack([right, np.broadcast_to(labels, right.shape)], axis=-1).reshape(-1, 2)
    seen, place = np.unique(answers, axis=0, return_inverse=True)
    low, high = np.array([_limits(int(k), int(n), level, family) for k, n in seen]).T
    return ((truth < low) | (high < truth))[place].reshape(right.shape)


def wealth(right: Integers, labels: Integers, share: float) -> Floats:
    """The wealth from betting 1 against a share s, after k right of n labels: ∫ p^k (1−p)^(n−k) dp / (s^k (1−s)^(n−k)).

    If s is the true share, the wealth is a martingale, which ever reaches 1/α with probability at most α. The shares for
    which it has not reached 1/α therefore form an interval that holds at every look (Ville 1939; Robbins 1970).
    Numbers k and n may have any shapes that fit.
    """
    wrong = labels - right
    likelihood = special.xlogy(right, share) + special.xlog1py(wrong, -share)
    return np.asarray(np.exp(special.betaln(right + 1, wrong + 1) - likelihood))
