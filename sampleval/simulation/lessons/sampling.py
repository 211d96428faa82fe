"""Lessons on sampling: rare classes, importance weights, water-filling."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtri

from sampleval.designs import Problem
from sampleval.designs.importance import equal_cost_inclusion
from sampleval.designs.inclusion import Waterline, water_fill
from sampleval.intervals.binomial import clopper_pearson
from sampleval.metrics import resolve
from sampleval.pool import Floats
from sampleval.simulation.lessons.toy import Toy
from sampleval.simulation.summary import BAND, bootstrap_band
from sampleval.surrogates import Shrunk

OUTCOMES = {(1, 1): "found", (0, 1): "missed", (1, 0): "false alarm", (0, 0): "rightly left out"}


def sizes(toy: Toy) -> Floats:
    """The expected deviation h = √E d² of every item for F1, (N,)."""
    return Problem(toy.pool, {resolve("f1"): 1.0}, Shrunk()).size


def _f1(weight: Floats, decided: Floats, truth: Floats) -> Floats:
    """Hájek's estimate of F1 for every sample, (R,), from weights, decisions and labels of its items, (R, n)."""
    with np.errstate(invalid="ignore"):
        return np.asarray((weight * decided * truth).sum(-1) / (weight * (decided + truth) / 2).sum(-1))


def true_f1(toy: Toy) -> float:
    """F1 of the whole pool."""
    return float(_f1(np.ones(toy.pool.size), toy.decided, toy.truth))


def rare(toy: Toy, *, labels: int, repeats: int = 400, seed: int = 0) -> pd.DataFrame:
    """Estimates of F1 from as many labels spent evenly and spent where they matter.

    Args:
        toy: The pool.
        labels: Number of labels M.
        repeats: Samples of each kind.
        seed: Seed of the samples.

    Returns:
        One row per design ("uniform", "poisson") and repeat: value (F1, `nan` without a positive or a
        predicted one), positives (found in the sample), truth.
    """
    rng = np.random.default_rng([seed, 1])
    n = toy.pool.size
    keys = rng.random((repeats, n))
    even = np.zeros((repeats, n))
    np.put_along_axis(even, np.argpartition(keys, min(labels, n) - 1, axis=1)[:, :labels], 1.0, axis=1)
    inclusion = water_fill(sizes(toy), labels)
    aimed = (keys < inclusion).astype(float)
    with np.errstate(divide="ignore"):
        weights = {"uniform": even, "poisson": aimed * np.where(inclusion > 0, 1 / inclusion, 0.0)}
    frames = [
        pd.DataFrame(
            {
                "design": design,
                "repeat": np.arange(repeats),
                "value": _f1(weight, toy.decided, toy.truth),
                "positives": ((weight > 0) @ toy.truth).astype(int),
            }
        )
        for design, weight in weights.items()
    ]
    return pd.concat(frames, ignore_index=True).assign(truth=true_f1(toy))


def found(samples: pd.DataFrame) -> pd.DataFrame:
    """How many positives the samples of `rare` hold, and how far so few samples can tell.

    >>> samples = pd.DataFrame({"design": "uniform", "positives": [0, 1, 2, 1]})
    >>> found(samples).round(2).loc["uniform"].tolist()
    [1.0, 0.8, 0.25, 0.01, 0.81]

    Returns:
        One row per design, in the index: mean (positives per sample), half (of the mean's interval), none (share of
        samples without a positive), low and high (its limits), all at `BAND`.
    """
    positives = samples.groupby("design", sort=False)["positives"]
    repeats, none = positives.size(), (samples["positives"] == 0).groupby(samples["design"], sort=False).sum()
    low, high = clopper_pearson(none, repeats - none, BAND)
    half = ndtri((1 + BAND) / 2) * positives.std() / np.sqrt(repeats)
    return pd.DataFrame(
        {"mean": positives.mean(), "half": half, "none": none / repeats, "low": low, "high": high}
    )


def _proposal(toy: Toy, tilt: float) -> Floats:
    h = sizes(toy)
    with np.errstate(divide="ignore"):
        q = np.where(h > 0, h**tilt, 0.0)
    return np.asarray(q / q.sum())


def drawn(toy: Toy, *, tilt: float, draws: int, seed: int = 0) -> pd.DataFrame:
    """One sample with q ∝ h^tilt. A tilt of 0 draws evenly, 1 is importance sampling, more than 1 is greedy.

    Returns:
        One row per item drawn: score, relative (q times N: how often it is drawn relative to evenly),
        weight 1/(N q), times (drawn), outcome.
    """
    q = _proposal(toy, tilt)
    rng = np.random.default_rng([seed, 2])
    item, times = np.unique(rng.choice(toy.pool.size, draws, p=q), return_counts=True)
    pred, truth = toy.pool.pred[item], toy.truth[item].astype(int)
    return pd.DataFrame(
        {
            "score": toy.pool.score[item],
            "relative": toy.pool.size * q[item],
            "weight": 1 / (toy.pool.size * q[item]),
            "times": times,
            "outcome": [OUTCOMES[int(p), int(y)] for p, y in zip(pred, truth, strict=True)],
        }
    ).sort_values("score", ignore_index=True)


def spread(
    toy: Toy, *, tilts: tuple[float, ...], draws: int, repeats: int = 400, seed: int = 0
) -> pd.DataFrame:
    """The error of F1 and the effective share of the draws, for each tilt of the proposal.

    Returns:
        One row per tilt: tilt, rmse, rmse_low and rmse_high (95 % band of a bootstrap), defined (share of samples with a
        value), effective (Kish's (Σw)²/(J Σw²), mean over samples).
    """
    rows = []
    for tilt in tilts:
        q = _proposal(toy, tilt)
        rng = np.random.default_rng([seed, 3])
        item = rng.choice(toy.pool.size, (repeats, draws), p=q)
        w = 1 / (toy.pool.size * q[item])
        value = _f1(w, toy.decided[item], toy.truth[item])
        known = value[np.isfinite(value)]
        square = (known - true_f1(toy)) ** 2
        mse = square.mean() if len(known) else np.nan
        effective = (w.sum(axis=1) ** 2 / (draws * (w**2).sum(axis=1))).mean()
        rows.append((tilt, *np.sqrt([mse, *bootstrap_band(square)]), len(known) / repeats, effective))
    return pd.DataFrame(rows, columns=["tilt", "rmse", "rmse_low", "rmse_high", "defined", "effective"])


def filled(toy: Toy, *, budget: float) -> pd.DataFrame:
    """Water-filling: the inclusion that each item would get in proportion to h, and the one that it gets.

    Returns:
        One row per item in falling order of h: rank, wanted (κh, which may exceed 1), inclusion
        (min(1, κh)), importance (chance to be drawn in as many importance draws as cost the same).
    """
    h = np.sort(sizes(toy))[::-1]
    scale = float(Waterline.of(h).scale(budget))
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(h) + 1),
            "wanted": np.where(h > 0, scale * h, 0.0) if np.isfinite(scale) else np.ones(len(h)),
            "inclusion": water_fill(h, budget),
            "importance": equal_cost_inclusion(h / h.sum(), int(budget)),
        }
    )


def onset(toy: Toy) -> float:
    """The budget from which the first item is certain to be asked, M = Σh / max h (Y eq 88)."""
    return float(Waterline.of(sizes(toy)).onset[0])
