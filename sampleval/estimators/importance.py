"""Importance sampling: draws weighted by 1/(N q) (Y eq 4–5, 17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import Draws
from sampleval.estimators.spread import Spread
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class ImportanceSampling:
    """R̂ = (1/J) Σ ℓ/(N q) over all J draws, repeats counted each time (Y eq 4–5)."""

    key: ClassVar[str] = "importance-sampling"
    title: ClassVar[str] = "Importance sampling"
    about: ClassVar[str] = "The mean over all draws, each weighted by its chance."
    methods = "importance weighting"
    accepts: ClassVar[tuple[type, ...]] = (Draws,)

    def weight(self, sample: Draws) -> Floats:
        """Σ 1/(J q) over the draws of each row, (k,)."""
        return sample.weight

    def spread(self, sample: Draws, effects: Floats, centre: Floats) -> Spread:
        """Var = (1/J²) Σ d²/(N q)² − (Dg·R)²/J; the last term is 0 for a homogeneous g (Y eq 17)."""
        weight = np.sqrt(sample.square) / (sample.draws * sample.population)
        return Spread(weight[:, None] * effects[sample.rows], centre / np.sqrt(sample.draws))
