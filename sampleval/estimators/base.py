"""What an estimator is: a mean that is linear in the losses, and the spread of that mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from sampleval.designs import Problem, Sample
from sampleval.estimators.run import Run
from sampleval.metrics import Metric
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Floats
from sampleval.surrogates import Evidence


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """A covariance kept as factors, FᵀF − ccᵀ, so that 2,000 components never cost a square matrix.

    Attributes:
        factor: F, (j, m).
        minus: c, (m,).
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

        2V²/Var V (Satterthwaite 1946), with Var V ≈ Σ f⁴ − V²/j from the labels' shares f² of V. They are near 2
        where one label makes up all of V, as the largest errors do in a mean squared error, and 2j/(κ − 1) for
        effects of kurtosis κ.
        """
        largest = np.abs(self.root).max(axis=0, initial=0.0)
        # Of shares alone, as degrees are: no power of them overflows.
        squares = (self.root / np.where(largest > 0, largest, 1.0)) ** 2
        labels = np.count_nonzero(squares, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            unequal = (squares**2).sum(axis=0) / squares.sum(axis=0) ** 2 - 1 / labels
            own = 2 / np.maximum(unequal, 0.0)
        return np.asarray(np.fmax(np.fmin(own, labels - 1), 1.0))

    @classmethod
    def unknown(cls, components: int) -> Spread:
        """A spread that the sample cannot tell: `nan` throughout."""
        return cls(np.full((1, components), np.nan), np.zeros(components))

    def beside(self, factor: Floats) -> Spread:
        """The spread of a sum with something independent, of this factor, (J, m)."""
        return Spread(np.vstack([self.root, factor]), np.zeros(len(self.minus)))


class Estimator(Protocol):
    """What we conclude: `Linear` in the losses, or `Predictive` of what was not labelled.

    Attributes:
        key: Its name in the registry.
        title: Its name in words.
        about: What it does, in a sentence for someone who has to choose.
        accepts: The kinds of sample it can weigh.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    accepts: ClassVar[tuple[type, ...]]

    @property
    def methods(self) -> str:
        """By what the estimate was made, as a paper's methods section says it."""
        ...


@runtime_checkable
class Predictive(Estimator, Protocol):
    """An estimator that has a posterior of the mean loss."""

    def predict(self, metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats]:
        """Draws of R given these labels, (J, d), and draws that keep doubts in mind, for limits."""
        ...


@runtime_checkable
class Linear(Estimator, Protocol):
    """An estimator that weighs losses.

    Effects are given per answered row; `sample.rows` picks and repeats them. A sample is of a kind that it `accepts`.
    """

    def weight(self, sample: Any) -> Floats:
        """How many items each row of the sample speaks for."""
        ...

    def spread(self, sample: Any, effects: Floats, centre: Floats) -> Spread:
        """Spread of the mean of effects Dg·ℓ, (k, m), whose population mean is about `centre` = Dg·R, (m,)."""
        ...


@runtime_checkable
class Assisted(Linear, Protocol):
    """A linear estimator that is told what was foreseen and measures the rest. These residuals alone vary too little."""

    def foreseen(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """What was expected of each row's loss, (k, d), and what that adds to the mean, (d,)."""
        ...

    def unshown(self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian) -> Floats:
        """Factors of the variance that residuals do not show, (J, m), given what was foreseen and Dg at the estimate, (m, d)."""
        ...


def weighted_mean(estimator: Linear, sample: Sample, values: Floats) -> Floats:
    """R̂ = (1/N) Σ w ℓ over the rows of a sample, of values per answered row, (k, d) to (d,)."""
    return np.asarray(estimator.weight(sample) @ values[sample.rows] / sample.population)
