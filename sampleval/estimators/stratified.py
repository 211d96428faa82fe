"""Stratified mean: each stratum's mean in proportion to its size; one stratum is the plain mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Sample, Strata
from sampleval.estimators.base import Spread
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class Stratified:
    """R̂ = Σ ω_k ℓ̄_k; `nan` while a stratum has no answer (Cochran 1977, ch. 5)."""

    key: ClassVar[str] = "stratified"
    title: ClassVar[str] = "Stratified mean"
    about: ClassVar[str] = "Each stratum's mean in proportion to its size."
    accepts: ClassVar[tuple[type, ...]] = (Strata,)

    def mean(self, sample: Sample, values: Floats) -> Floats:
        """Σ ω_k ℓ̄_k, (d,)."""
        assert isinstance(sample, Strata)
        return sample.weight @ values[sample.rows] / sample.population

    def spread(self, sample: Sample, effects: Floats, centre: Floats) -> Spread:
        """Var = Σ ω_k² (1 − n_k/N_k) s_k²/n_k; unknown where a stratum has one answer out of several."""
        assert isinstance(sample, Strata)
        counts = np.bincount(sample.stratum, minlength=len(sample.sizes))
        if ((counts < 2) & ((sample.sizes > counts) | sample.noisy)).any():
            return Spread.unknown(effects.shape[1])
        chosen = effects[sample.rows]
        means = np.zeros((len(counts), effects.shape[1]))
        np.add.at(means, sample.stratum, chosen)
        means /= np.maximum(counts, 1)[:, None]
        rest = np.ones(len(counts)) if sample.noisy else 1 - counts / sample.sizes
        with np.errstate(divide="ignore", invalid="ignore"):
            per_stratum = (sample.sizes / sample.population) * np.sqrt(rest / counts / (counts - 1.0))
        scale = np.where(rest > 0, np.nan_to_num(per_stratum), 0.0)[sample.stratum]
        return Spread(scale[:, None] * (chosen - means[sample.stratum]), np.zeros(effects.shape[1]))
