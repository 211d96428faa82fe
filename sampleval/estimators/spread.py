"""The covariance of an estimate, as factors, and the degrees of freedom of its variances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.pool import Floats

# Effects up to this share of the largest are rounding errors, such as those of equal labels around their mean.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """A covariance matrix stored as factors, FᵀF − ccᵀ, so that 2,000 components need no square matrix.

    F is `factor`, (j, m), and c is `minus`, (m,).
    """

    factor: Floats
    minus: Floats

    @property
    def variance(self) -> Floats:
        """The diagonal, (m,)."""
        return np.einsum("jm,jm->m", self.factor, self.factor) - self.minus**2

    @property
    def covariance(self) -> Floats:
        """The whole matrix, (m, m)."""
        return self.factor.T @ self.factor - np.outer(self.minus, self.minus)

    @property
    def root(self) -> Floats:
        """F − 1cᵀ/√j, (j, m): draws Σ ξ_j root_j with standard normal ξ have this covariance where 1ᵀF = √j·cᵀ."""
        return np.asarray(self.factor - self.minus / np.sqrt(len(self.factor)))

    @property
    def degrees(self) -> Floats:
        """Degrees of freedom of the variances, (m,): from 1 to j − 1 for j labels, and 1 where a variance is 0 or unknown.

        2V²/Var V (Satterthwaite 1946), with Var V ≈ Σ f⁴ − V²/j from each label's contribution f² to V. They are near 2
        where one label makes up nearly all of V, as the largest errors do in a mean squared error, and 2j/(κ − 1) for
        effects of kurtosis κ.
        """
        largest = np.abs(self.root).max(axis=0, initial=0.0)
        # Degrees of freedom do not depend on the scale, so factors are divided by the largest and no power overflows.
        share = np.abs(self.root) / np.where(largest == 0, 1.0, largest)
        squares = np.where(share > ROUNDING, share, 0.0) ** 2
        labels = np.count_nonzero(squares, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            unequal = (squares**2).sum(axis=0) / squares.sum(axis=0) ** 2 - 1 / labels
            own = 2 / np.maximum(unequal, 0.0)
        return np.asarray(np.fmax(np.fmin(own, labels - 1), 1.0))

    @classmethod
    def unknown(cls, components: int) -> Spread:
        """A covariance that cannot be estimated from the sample: `nan` throughout."""
        return cls(np.full((1, components), np.nan), np.zeros(components))

    @property
    def halves(self) -> tuple[Spread, Spread]:
        """The covariances of the first and of the second half of the components."""
        factors, fixed = np.split(self.factor, 2, axis=1), np.split(self.minus, 2)
        return Spread(factors[0], fixed[0]), Spread(factors[1], fixed[1])

    def scaled(self, by: float) -> Spread:
        """The covariance of this estimate times a number."""
        return Spread(by * self.factor, by * self.minus)

    def beside(self, factor: Floats) -> Spread:
        """The covariance of the sum of this estimate and an independent term with the given factor, (J, m)."""
        return Spread(np.vstack([self.root, factor]), np.zeros(len(self.minus)))
