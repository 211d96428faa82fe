"""Adaptive importance sampling: the mean over all draws of all rounds (M eq 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sampleval._checks import choice
from sampleval.designs import Draws
from sampleval.estimators.spread import Spread
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class AdaptiveImportanceSampling:
    """R̂ = (1/J) Σ wⱼ ℓⱼ, wⱼ = 1/(N q_{j−1}(xⱼ)), with the proposal from which each draw was made (M eq 1).

    Attributes:
        variance: "drawn" uses the variance of the weighted draws, which is exactly unbiased for sums at a fixed
            number of draws. "current" is M's Σ̂, which treats all draws as if they came from the newest
            proposal: it is smaller while the proposal still improves.
    """

    key: ClassVar[str] = "adaptive-importance-sampling"
    title: ClassVar[str] = "Adaptive importance sampling"
    about: ClassVar[str] = "The mean over all draws of all rounds, each weighted by its chance at the time."
    methods = "importance weighting, every draw by the proposal it came from (Marchant and Rubinstein 2021)"
    accepts: ClassVar[tuple[type, ...]] = (Draws,)
    variance: Literal["drawn", "current"] = "drawn"

    def __post_init__(self) -> None:
        choice(self.variance, ("drawn", "current"), "variance")

    def weight(self, sample: Draws) -> Floats:
        """Σ 1/(J q_{j−1}) over the draws of each row, (k,)."""
        return sample.weight

    def spread(self, sample: Draws, effects: Floats, centre: Floats) -> Spread:
        """Var = Σ̂/J of M 3.3.2 for "current", (Σ w²d²/J − centre²)/(J − 1) for "drawn"; unknown for fewer than two draws."""
        if sample.draws < 2:
            return Spread.unknown(effects.shape[1])
        if self.variance == "current":
            # A row that the newest proposal never draws has no loss. For other metrics its own proposals are used.
            newest = np.where(sample.current > 0, sample.current, np.inf)
            squares = np.where(sample.current > 0, sample.inverse / newest, sample.square)
            draws = sample.draws
        else:
            squares, draws = sample.square, sample.draws - 1
        weight = np.sqrt(squares / (sample.draws * draws)) / sample.population
        return Spread(weight[:, None] * effects[sample.rows], centre / np.sqrt(draws))
