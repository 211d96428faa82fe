"""The protocols of estimators: means that are linear in the losses, and posteriors of the mean."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from sampleval.designs import Problem, Sample
from sampleval.estimators.run import Run
from sampleval.estimators.spread import Spread
from sampleval.metrics import Metric
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Floats
from sampleval.surrogates import Evidence


class Estimator(Protocol):
    """What we conclude: an estimator is `Linear` in the losses, or `Predictive` of the losses of unlabelled items.

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
        """The estimator in words, as the methods section of a paper would put it."""


@runtime_checkable
class Predictive(Estimator, Protocol):
    """An estimator that has a posterior of the mean loss."""

    def predict(self, metric: Metric, problem: Problem, evidence: Evidence) -> tuple[Floats, Floats]:
        """Posterior draws of R given these labels, (J, d), and draws for limits that allow for model error, (J, d)."""


@runtime_checkable
class Linear(Estimator, Protocol):
    """An estimator that is a weighted sum of losses.

    Losses and effects are given per answered item; `sample.rows` selects and repeats them. The sample must be of a type
    that the estimator `accepts`.
    """

    def weight(self, sample: Any) -> Floats:
        """Weight of each row of the sample, (k,): the number of items that it represents."""

    def spread(self, sample: Any, effects: Floats, centre: Floats) -> Spread:
        """Estimated covariance of the mean of effects Dg·ℓ, (k, m), whose population mean is about `centre` = Dg·R, (m,)."""


@runtime_checkable
class Assisted(Linear, Protocol):
    """A linear estimator that predicts losses and measures the residuals, whose variance alone would be too small."""

    def foreseen(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """Predicted loss of each answered item, (k, d), and what the predictions add to the weighted mean, (d,)."""

    def unshown(
        self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian, shown: Spread
    ) -> Floats:
        """Factors, (J, m), of the variance that residuals do not show, given the predictions, Dg at R̂, (m, d), and their spread."""


def weighted_mean(estimator: Linear, sample: Sample, values: Floats) -> Floats:
    """R̂ = (1/N) Σ w ℓ over the rows of a sample, of values per answered row, (k, d) to (d,)."""
    return np.asarray(estimator.weight(sample) @ values[sample.rows] / sample.population)
