"""Stratified mean: the strata's means weighted by the strata's sizes. With a single stratum it is the sample mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Strata
from sampleval.estimators.spread import Spread
from sampleval.metrics.codes import summed
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class StratifiedMean:
    """R̂ = Σ ω_k ℓ̄_k with ω_k = N_k/N, for strata with at least one answer each (Cochran 1977, ch. 5)."""

    key: ClassVar[str] = "stratified"
    title: ClassVar[str] = "Stratified mean"
    about: ClassVar[str] = "The mean of each stratum, weighted by the size of the stratum."
    methods = "the stratified mean"
    accepts: ClassVar[tuple[type, ...]] = (Strata,)

    def weight(self, sample: Strata) -> Floats:
        """N_k/n_k, (k,)."""
        return sample.weight

    def spread(self, sample: Strata, effects: Floats, centre: Floats) -> Spread:
        """Var = Σ ω_k² (1 − n_k/N_k) s_k²/n_k; unknown while a stratum of several items has fewer than two answers."""
        counts = np.bincount(sample.stratum, minlength=len(sample.sizes))
        if ((counts < 2) & ((sample.sizes > counts) | sample.stochastic)).any():
            return Spread.unknown(effects.shape[1])
        chosen = effects[sample.rows]
        means = summed(chosen, sample.stratum, len(counts)) / np.maximum(counts, 1)[:, None]
        many, scale = counts > 1, np.zeros(len(counts))  # one of one, or none of none: no variance
        n, size = counts[many], sample.sizes[many]
        rest = 1.0 if sample.stochastic else 1 - n / size
        scale[many] = size / sample.population * np.sqrt(rest / n / (n - 1))
        factor = scale[sample.stratum][:, None] * (chosen - means[sample.stratum])
        return Spread(factor, np.zeros(effects.shape[1]))
