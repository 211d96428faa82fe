"""Regions of vector metrics: bands around curves, and the ellipsoid of Marchant & Rubinstein (3.3.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from sampleval._checks import InputError
from sampleval.pool import Floats

DRAWS = 1000
COLUMNS = 256  # at most so many components are simulated, as neighbours on a curve are highly correlated


def simultaneous_level(factor: Floats, level: float, rng: np.random.Generator) -> float:
    """The level at which pointwise limits hold for all components at once with probability `level`, in (0, 1).

    The distribution of the largest standardised deviation, sup_l |Σ_j ξ_j F_jl| / √(Σ_j F_jl²) with standard normal ξ and
    Cov = FᵀF, F (j, m), is simulated (sup-t bands); its quantile c gives the pointwise level 2Φ(c) − 1.
    """
    scale = np.sqrt(np.einsum("jm,jm->m", factor, factor))
    moving = np.flatnonzero(scale > 0)
    if len(moving) < 2:
        return level
    chosen = moving[:: -(-len(moving) // COLUMNS)]
    unit = (factor[:, chosen] / scale[chosen]).astype(np.float32)
    draws = rng.standard_normal((DRAWS, len(factor)), dtype=np.float32)
    largest = np.abs(draws @ unit).max(axis=1)
    # Perfectly correlated components need the level itself, and the simulated one may be a little lower.
    return max(float(2 * special.ndtr(np.quantile(largest, level)) - 1), level)


@dataclass(frozen=True, slots=True, eq=False)
class Ellipsoid:
    """{G : (G − Ĝ)ᵀ V⁻¹ (G − Ĝ) ≤ r²} with r² = (J−1)k/(J−k) · F_{level; k, J−k} (M 3.3.2).

    M prints (J−1)k/(J(J−k)) for the covariance of one draw; V here is that of the mean of J. The possible effect of
    missing answers is added to the ellipsoid as a box (Minkowski sum).

    Attributes:
        centre: Ĝ, (k,).
        covariance: V, (k, k).
        draws: J, number of draws or labels that the estimate rests on, > k.
        level: Nominal coverage.
        below: Lower ends of the box, at most 0, (k,).
        above: Upper ends of the box, at least 0, (k,).
    """

    centre: Floats
    covariance: Floats
    draws: int
    level: float
    below: Floats | float = 0.0
    above: Floats | float = 0.0

    def __post_init__(self) -> None:
        if self.draws <= len(self.centre):
            raise InputError(
                f"an ellipsoid in {len(self.centre)} dimensions needs more labels than that; got {self.draws}"
            )

    @property
    def radius(self) -> float:
        """The radius r."""
        k, j = len(self.centre), self.draws
        return float(np.sqrt((j - 1) * k / (j - k) * special.fdtri(k, j - k, self.level)))

    def outline(self, points: int = 200) -> Floats:
        """The boundary of the region in two dimensions, (points, 2)."""
        angle = np.linspace(0, 2 * np.pi, points)
        size, axes = np.linalg.eigh(self.covariance)
        half = axes * np.sqrt(np.maximum(size, 0.0))
        circle: Floats = np.column_stack([np.cos(angle), np.sin(angle)])
        along = np.column_stack([-np.sin(angle), np.cos(angle)]) @ half.T
        outwards = along[:, ::-1] * [1, -1] * np.sign(np.linalg.det(axes))
        corner = np.where(outwards > 0, self.above, self.below)  # the farthest of the box in that direction
        return np.asarray(self.centre + self.radius * circle @ half.T + corner)
