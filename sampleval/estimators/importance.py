"""Importance sampling: draws weighted by 1/(N q) (Y eq 4–5, 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Draws, Sample
from sampleval.estimators.base import Spread, weighted_mean
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class ImportanceSampling:
    """R̂ = (1/J) Σ ℓ/(N q) over all J draws, repeats counted each time."""

    key: ClassVar[str] = "importance-sampling"
    title: ClassVar[str] = "Importance sampling"
    about: ClassVar[str] = "The mean over all draws, each weighted by its chance."
    accepts: ClassVar[tuple[type, ...]] = (Draws,)

    def mean(self, sample: Sample, values: Floats) -> Floats:
        """(1/J) Σ ℓ/(N q), (d,)."""
        assert isinstance(sample, Draws)
        return weighted_mean(sample, sample.weight, values)

    def spread(self, sample: Sample, effects: Floats, centre: Floats) -> Spread:
        """Var = (1/J²) Σ d²/(N q)² − (Dg·R)²/J; the last term is 0 for a homogeneous g (Y eq 17)."""
        assert isinstance(sample, Draws)
        weight = np.sqrt(sample.square) / (sample.draws * sample.population)
        return Spread(weight[:, None] * effects[sample.rows], centre / np.sqrt(sample.draws))
