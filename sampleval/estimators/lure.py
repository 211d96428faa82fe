"""LURE: items drawn one at a time without replacement, each weighted by its place and its chance (K)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sampleval.designs import Singles
from sampleval.estimators.rounds import RoundsMean
from sampleval.estimators.spread import Spread
from sampleval.pool import Floats


@dataclass(frozen=True, slots=True)
class Lure:
    """LURE (K): R̂ = (1/M) Σ v_m ℓ_m for items drawn one at a time.

    v_m = 1 + (N−M)/(N−m) · (1/((N−m+1) q_m) − 1): the rounds' mean with one-item rounds and weights
    a_m = N(N−M)/(M(N−m)(N−m+1)), their precisions as plain samples.
    """

    key: ClassVar[str] = "lure"
    title: ClassVar[str] = "LURE"
    about: ClassVar[str] = "Weights that undo the order in which items were chosen one by one."
    methods = "LURE weights (Farquhar et al. 2021, Kossen et al. 2021)"
    accepts: ClassVar[tuple[type, ...]] = (Singles,)

    def weight(self, sample: Singles) -> Floats:
        """N/M · v_m, (M,)."""
        return RoundsMean().weight(sample)

    def spread(self, sample: Singles, effects: Floats, centre: Floats) -> Spread:
        """Var = Σ c_m (Z_m − R̂)²/(1 + Σ c_m), c_m as in `between`; unknown while some a_m ≥ ½."""
        # Single items show no variance within their rounds: it comes from that between them, or from none.
        return RoundsMean().spread(sample, effects, centre)
