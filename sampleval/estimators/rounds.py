"""Rounds without replacement: conditionally unbiased means, combined with weights fixed beforehand (Y App. E: equal ones)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from sampleval._checks import choice
from sampleval.designs import Singles, Successive
from sampleval.estimators.spread import Spread
from sampleval.pool import Floats


def precision(sample: Successive) -> Floats:
    """Precision 1/V_r of a simple random sample of each round's size n_r from the N_r items left, up to a factor, (R,).

    V_r ∝ N_r (N_r − n_r)/n_r. A late round of a small pool covers most of the items left, and sizes alone would give it
    too little weight. A round that takes all the items left has variance 0 and all the weight.
    """
    left = np.maximum(sample.population - (np.cumsum(sample.counted) - sample.counted), sample.counted)
    rest = left - sample.counted
    if not rest.all():
        return np.asarray(rest == 0, float)
    return np.asarray(sample.counted / (left * rest))


# Weights of the rounds depend on sizes alone. If they depended on labels, the combination would be biased.
SHARES: MappingProxyType[str, Callable[[Successive], Floats]] = MappingProxyType(
    {
        "precision": precision,
        "size": lambda sample: sample.counted,
        "root": lambda sample: np.sqrt(sample.counted),
        "equal": lambda sample: sample.counted / sample.planned,
    }
)


@dataclass(frozen=True, slots=True)
class RoundsMean:
    """R̂ = Σ a_r Z_r, where Z_r adds up the losses labelled before round r and weights those that r drew by 1/b (Y App. E).

    Attributes:
        weights: a_r in proportion to the "precision" of a simple random sample of the round's size, to its "size", to the
            "root" of its size, or "equal" (Y's 1/R). With "equal", an incomplete round counts for its completed share.
    """

    key: ClassVar[str] = "rounds"
    title: ClassVar[str] = "Mean of rounds"
    about: ClassVar[str] = (
        "Each round estimates the whole pool; the rounds are averaged with weights fixed before any label."
    )
    methods = "the mean of the rounds, each unbiased given those before, with weights fixed beforehand"
    accepts: ClassVar[tuple[type, ...]] = (Successive, Singles)
    weights: str = "precision"

    def __post_init__(self) -> None:
        choice(self.weights, SHARES, "weights")

    def shares(self, sample: Successive) -> Floats:
        """a_r, (R,), summing to 1."""
        return normalised(SHARES[self.weights](sample))

    def weight(self, sample: Successive) -> Floats:
        """How many items each row represents, (k,)."""
        return sample.weighted(self.shares(sample))

    def spread(self, sample: Successive, effects: Floats, centre: Floats) -> Spread:
        """Variance from the design variances within rounds; if some round has none and all a_r < ½, from that between rounds.

        That between rounds is just as unbiased, but three rounds estimate it with only two degrees of freedom:
        90% limits from it covered the truth in only 75% of studies.
        """
        shares = self.shares(sample)
        if sample.measurable[shares > 0].all() or (shares >= 0.5).any():
            return within_rounds(sample, shares, effects)
        return between(sample, shares, effects)


def normalised(raw: Floats) -> Floats:
    """Weights divided by their sum, (R,)."""
    return np.asarray(raw / raw.sum())


def between(sample: Successive, shares: Floats, effects: Floats) -> Spread:
    """Var = Σ c_r (Z_r − R̂)²/(1 + Σ c_r), c_r = a_r²/(1 − 2a_r): unbiased because the Z_r are uncorrelated.

    E(Z_r − R̂)² = (1 − 2a_r) V_r + V with V = Σ a_r² V_r, so that the c-weighted sum is (1 + Σ c) V.
    """
    means = sample.means(effects)
    c = shares**2 / (1 - 2 * shares)
    scale = np.sqrt(c / (1 + c.sum()))
    return Spread(scale[:, None] * (means - shares @ means), np.zeros(effects.shape[1]))


def within_rounds(sample: Successive, shares: Floats, effects: Floats) -> Spread:
    """Var = Σ a_r² V̂_r with V̂_r = (1/N²) Σ_{s_r} (1/b)(1/b − 1) d², the design variance of round r given those before it."""
    if not sample.measurable[shares > 0].all():
        return Spread.unknown(effects.shape[1])
    b = sample.inclusion
    scale = shares[sample.round] * np.sqrt((1 / b) * (1 / b - 1)) / sample.population
    return Spread(scale[:, None] * effects[sample.rows], np.zeros(effects.shape[1]))
