"""Horvitz–Thompson: each sampled item has weight 1/b (Y eq 18, 28)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Inclusions
from sampleval.estimators.spread import Spread
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class HorvitzThompson:
    """R̂ = (1/N) Σ_s ℓ/b (Y eq 18); ratio metrics divide two such sums, their numerator and denominator (Hájek)."""

    key: ClassVar[str] = "horvitz-thompson"
    title: ClassVar[str] = "Horvitz–Thompson"
    about: ClassVar[str] = (
        "Each labelled item stands for as many items as one over its chance of being asked."
    )
    methods = "Horvitz–Thompson weighting"
    accepts: ClassVar[tuple[type, ...]] = (Inclusions,)

    def weight(self, sample: Inclusions) -> Floats:
        """1/b, (k,)."""
        return sample.weight

    def spread(self, sample: Inclusions, effects: Floats, centre: Floats) -> Spread:
        """Var = (1/N²) Σ_s (1/b)(1/b − 1) d² (Y eq 28); with a stochastic oracle Σ_s d²/b², never too small.

        Unbiased for Poisson sampling and, for k ≥ 2, for the queue, whose terms are uncorrelated.
        """
        if not sample.measurable:
            return Spread.unknown(effects.shape[1])
        # For a stochastic oracle Y eq 27 subtracts Σ ⟨d⟩²/b, which cannot be estimated from one answer per item.
        less = 0.0 if sample.stochastic else 1.0
        weight = np.sqrt(sample.weight * (sample.weight - less)) / sample.population
        return Spread(weight[:, None] * effects[sample.rows], np.zeros(effects.shape[1]))
