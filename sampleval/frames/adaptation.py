"""What an adaptive study has learned: where it draws, what it believes, and how far it is from the best proposal."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special

from sampleval import _checks
from sampleval.designs import Adaptive, Moving, starts
from sampleval.intervals import LEVEL
from sampleval.partition import cut
from sampleval.pool import Floats, Integers, Labels, Pool, belonging, of_class
from sampleval.simulation import ideal, kullback_leibler
from sampleval.study import Study, checked_study
from sampleval.study.assembly import evidence_of
from sampleval.surrogates import Evidence

STRATA = 16
MOVED = ["stratum", "low", "high", "items", "before", "now", "labels", "found"]
BELIEVED = ["stratum", "low", "high", "items", "score", "mean", "lower", "upper", "labels", "found"]
DIVERGED = ["round", "labels", "kl"]


def moved(study: Study) -> pd.DataFrame:
    """The chance of a draw in each stratum of the score, in the last round and the one before it.

    Args:
        study: A study whose design adapts its chances to the labels; others give an empty frame.

    Returns:
        Columns stratum, low, high (scores), items, before, now (chance that a draw falls there), and, as of the start of
        the last round, labels and found (positives; with several classes wrong predictions).
    """
    rounds = len(checked_study(study).state.rounds)
    if not isinstance(study.method.design, Moving) or rounds < 2 or study.pool.task.kind == "regression":
        return pd.DataFrame(columns=MOVED)
    stratum = strata(study.pool)
    sums = [np.bincount(stratum, chances(study, number)) for number in (rounds - 2, rounds - 1)]
    learned = study.state.problem.sampled(_known_before(study, rounds - 1))
    table = _by_stratum(study.pool, stratum, learned) | {"before": sums[0], "now": sums[1]}
    return pd.DataFrame(table, columns=MOVED)


def believed(study: Study, *, level: float = LEVEL) -> pd.DataFrame:
    """The surrogate's belief in each stratum of the score, with limits.

    The limits are those of a Beta distribution with the belief's mean and a strength of the stratum's labels plus one.

    Args:
        study: A study with two or more classes; others give an empty frame.
        level: Coverage of the limits.

    Returns:
        Columns stratum, low, high (scores), items, score (mean), mean (belief: p(positive); with several classes
        p(prediction right)), lower, upper, labels, found.
    """
    pool, level = checked_study(study).pool, _checks.level(level)
    if not pool.task.classified:
        return pd.DataFrame(columns=BELIEVED)
    learned = study.state.problem.sampled(_known_before(study, len(study.state.rounds)))
    belief = study.state.problem.believe(learned).mean
    stratum = strata(pool)
    table = _by_stratum(pool, stratum, learned)
    mean = np.bincount(stratum, _of_prediction(pool, belief)) / table["items"]
    strength = table["labels"] + 1.0
    tails = (1 - level) / 2
    shape = np.maximum(mean * strength, 1e-9), np.maximum((1 - mean) * strength, 1e-9)
    table |= {
        "score": np.bincount(stratum, _of_prediction(pool, pool.score)) / table["items"],
        "mean": mean,
        "lower": np.minimum(special.betaincinv(*shape, tails), mean),
        "upper": np.maximum(special.betaincinv(*shape, 1 - tails), mean),
    }
    return pd.DataFrame(table, columns=BELIEVED)


def divergence(study: Study, labels: Labels, *, points: int = 40) -> pd.DataFrame:
    """KL(q* ‖ q_t) of the study's own rounds, where q* is the best proposal in hindsight (M fig 2).

    Args:
        study: A study with adaptive importance sampling for a single metric; others give an empty frame.
        labels: True labels of the whole pool.
        points: About how many rounds to look at, at least 1.

    Returns:
        Columns round (from 1), labels (before it), kl.
    """
    state, points = checked_study(study).state, _checks.count(points, "points", minimum=1)
    if (
        not isinstance(study.method.design, Adaptive)
        or len(state.problem.metrics) != 1
        or not belonging(labels, study.pool).complete
    ):
        return pd.DataFrame(columns=DIVERGED)
    best = ideal(state.problem.main, study.pool, labels)
    begins = starts(state.rounds).tolist()
    rounds = np.unique(np.linspace(0, max(len(state.rounds) - 1, 0), points).round().astype(int))
    rows = [
        (int(number) + 1, begins[number], kullback_leibler(best, chances(study, int(number))))
        for number in rounds
        if number < len(state.rounds)
    ]
    return pd.DataFrame(rows, columns=DIVERGED)


def chances(study: Study, number: int) -> Floats:
    """The chance of every item to be the first draw of a round, (N,)."""
    state, design = study.state, study.method.design
    assert isinstance(design, Moving)
    return design.chances(state.problem, state.rounds[:number], _known_before(study, number))


def _known_before(study: Study, number: int) -> Evidence:
    """The labels from which a round was planned, with their present values; only the answered run counts."""
    state, past = study.state, study.state.rounds[:number]
    k = min(starts(state.rounds)[number], state.given.run_length)
    return evidence_of(state.problem, state.method, past, *state.given.labels(k))


def strata(pool: Pool) -> Integers:
    """The stratum of every item, (N,), made of similar scores (with several classes the predicted class's score)."""
    return cut(_of_prediction(pool, pool.score), "csf", STRATA)


def _of_prediction(pool: Pool, values: Floats) -> Floats:
    """The value of the predicted class, in multilabel the largest value, (N,), from values per class."""
    if values.ndim == 1:
        return values
    if pool.task.kind == "multilabel":
        return np.asarray(values.max(axis=1))
    return of_class(values, pool.pred)


def _by_stratum(pool: Pool, stratum: Integers, known: Evidence) -> dict[str, Floats]:
    """The number, score range, size and labels of each stratum, as columns.

    Of its labels, those are found that are positive or, with several classes, not as predicted.
    """
    hit = known.labels == 1 if pool.task.kind == "binary" else known.labels != pool.pred[known.index]
    hit = hit.any(axis=1) if hit.ndim == 2 else hit
    at = stratum[known.index]
    each = pd.Series(_of_prediction(pool, pool.score)).groupby(stratum).agg(["min", "max", "size"])
    return {
        "stratum": np.arange(len(each)) + 1,
        "low": each["min"].to_numpy(),
        "high": each["max"].to_numpy(),
        "items": each["size"].to_numpy(float),
        "labels": np.bincount(at, minlength=len(each)).astype(float),
        "found": np.bincount(at, hit.astype(float), len(each)),
    }
