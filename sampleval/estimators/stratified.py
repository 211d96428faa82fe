"""Stratified mean: each stratum's mean in proportion to its size; one stratum is the plain mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Strata
from sampleval.estimators.base import Spread
from sampleval.metrics.codes import summed
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class Stratified:
    """R̂ = Σ ω_k ℓ̄_k; `nan` while a stratum has no answer (Cochran 1977, ch. 5)."""

    key: ClassVar[str] = "stratified"
    title: ClassVar[str] = "Stratified mean"
    about: ClassVar[str] = "Each stratum's mean in proportion to its size."
    methods: ClassVar[str] = "the stratified mean"
    accepts: ClassVar[tuple[type, ...]] = (Strata,)

    def weight(self, sample: Strata) -> Floats:
        """N_k/n_k, (k,)."""
        return sample.weight

    def spread(self, sample: Strata, effects: Floats, centre: Floats) -> Spread:
        """Var = Σ ω_k² (1 − n_k/N_k) s_k²/n_k; unknown where a stratum has one answer out of several."""
        counts = np.bincount(sample.stratum, minlength=len(sample.sizes))
        if ((counts < 2) & ((sample.sizes > counts) | sample.noisy)).any():
            return Spread.unknown(effects.shape[1])
        chosen = effects[sample.rows]
        means = summed(chosen, sample.stratum, len(counts)) / np.maximum(counts, 1)[:, None]
        many, scale = counts > 1, np.zeros(len(counts))  # one of one, or none of none, leaves no doubt
        n, size = counts[many], sample.sizes[many]
        rest = 1.0 if sample.noisy else 1 - n / size
        scale[many] = size / sample.population * np.sqrt(rest / n / (n - 1))
        factor = scale[sample.stratum][:, None] * (chosen - means[sample.stratum])
        return Spread(factor, np.zeros(effects.shape[1]))
