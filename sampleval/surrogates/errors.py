"""Errors of predicted numbers: a regression line and an error scale, learned from the labels so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, softmax

from sampleval.pool import Floats, Pool, Task, told_errors
from sampleval.surrogates.belief import ALL, At, Belief
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.scales import error_scale, spread_of
from sampleval.surrogates.shrunk import towards_mean

POWERS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # values of γ, the power of an error scale
POWER_SPREAD = 0.35  # prior standard deviation of γ
LEAST_SCALE = 1e-6  # as a share of the largest one
TRUST = 0.9  # λ that shrinks a given scale to its mean: a prediction with a stated error of 0 may have one
UNTOLD = 10.0  # a scale that is not given is so many times as uncertain, and so worth a hundredth of the labels (`benchmarks/tried.md`)
MANY = 0.05  # share of the items
GROSS = 10.0  # standard deviations, from the median absolute error, beyond which an error is cut


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """A normal error of predictions, y ~ N(ŷ + a + c·z, b²·s_γ²), with a, b, c and γ learned.

    z is ŷ in standard deviations from its mean: predictions are often too extreme, or not extreme enough. s_γ is
    proportional to the given error scale to the power of γ. Before that, the scale is shrunk to its mean with λ = `TRUST`:
    where it is too small by chance, a few labels would otherwise change b a lot. γ < 1 means that the scale is less
    informative than it seems, and γ = 0 that it is uninformative. Without a given scale, s_γ is proportional to
    |ŷ| + median |ŷ|, or to 1 + |z|, to the power of γ: large prices and times often have larger errors, and unusual items
    are often predicted badly.

    Attributes:
        task: The kind of labels.
        pred: ŷ of every item, (N,).
        places: z of every item, (N,).
        scales: s_γ² of every item for each scale and γ in `POWERS`, (P, N), > 0, with equal means.
        typical: These means: the mean square of the given scale as it is, or else the variance of the predictions.
        prior: Log prior weight of each row of `scales` up to a constant, (P,): highest at γ = 1 for a given scale, else
            at γ = 0.
        spread: Prior standard deviation of a and c in units of the typical sd, and approximate prior standard deviation
            of log b²: the prior scale counts as 2/spread² labels.
    """

    task: Task
    pred: Floats
    places: Floats
    scales: Floats
    typical: float
    prior: Floats
    spread: tuple[float, float]

    def believe(self, evidence: Evidence, at: At = ALL) -> Belief:
        """π of the items `at`, all by default, (n,), with a, c and the variance averaged over the posterior of γ.

        Given γ, these are the posterior means of a and c and the harmonic mean of b² under a normal–inverse-gamma prior.
        """
        error = np.asarray(evidence.labels, float) - self.pred[evidence.index]
        along = np.stack([np.ones(len(error)), self.places[evidence.index]])
        found = [self._given(error, along, scale) for scale in self.scales[:, evidence.index]]
        shift, tilt, square, log = np.array(found).T
        weight = softmax(log + self.prior)
        variance = (weight * square) @ self.scales[:, at]
        mean = self.pred[at] + weight @ shift + (weight @ tilt) * self.places[at]
        return Belief(self.task, mean, np.sqrt(variance))

    def reserved(self) -> Belief:
        """π of all items, (N,), that predicts losses before any label: with equal errors unless an error scale is given.

        If error scales that no label confirms differed between items, they would cost the first round more precision than
        they save. An error that is the same for all items is removed by a ratio estimator.
        """
        return Belief(self.task, self.pred, np.sqrt(self.scales[np.argmax(self.prior)]))

    def _given(self, error: Floats, along: Floats, scale: Floats) -> tuple[float, float, float, float]:
        """a, c, b² and log evidence for one γ, from labels' errors, (n,), regressors 1 and z, (2, n), and s_γ², (n,)."""
        error = curbed(error, np.sqrt(scale))
        weight = self.typical / scale  # about 1 in any unit of the labels
        held = 1 / self.spread[0] ** 2  # prior precision of a and c
        precision = (along * weight) @ along.T + held * np.eye(2)
        line = np.linalg.solve(precision, (along * weight) @ error)
        prior = 2 / self.spread[1] ** 2  # number of labels that the prior scale is worth
        rest = (weight * (error - line @ along) ** 2).sum() + held * line @ line
        square = (prior + rest / self.typical) / (prior + len(error))
        log = -0.5 * (prior + len(error)) * np.log(square) - 0.5 * np.log(scale).sum()
        log -= 0.5 * np.log(np.linalg.det(precision))
        return float(line[0]), float(line[1]), float(square), float(log)


def curbed(error: Floats, scale: Floats) -> Floats:
    """Errors y − ŷ with outliers cut to `GROSS` robust standard deviations, (n,), since one typing error would tilt the line.

    They are compared in units of each item's error scale, (n,), > 0.

    >>> curbed(np.array([-1.0, 0.0, 1.0, 2.0, 900.0]), np.ones(5)).round(2).tolist()
    [-1.0, 0.0, 1.0, 2.0, 15.83]
    """
    if not len(error):
        return error
    middle = np.median(error)
    off = (error - middle) / scale
    far = GROSS * np.median(np.abs(off)) / float(ndtri(0.75))
    return np.asarray(middle + scale * np.clip(off, -far, far)) if far > 0 else error


def errors_of(pool: Pool, spread: tuple[float, float]) -> Errors:
    """The model of this pool's errors, from its given error scale, or else from scales derived from the predictions."""
    pred, told = np.asarray(pool.pred, float), told_errors(pool)
    places = (pred - pred.mean()) / spread_of(pred)
    bases = [towards_mean(pool.items.error, TRUST)] if told else untold(pred, places)
    # At γ = 0 all scales are the same, which is listed once.
    powers = [POWERS, *(POWERS[1:] for _ in bases[1:])]
    scales = np.vstack([to_powers(*each) for each in zip(bases, powers, strict=True)])
    scales *= np.mean(error_scale(pool.items) ** 2) / scales.mean(axis=1, keepdims=True)
    prior = -0.5 * ((np.concatenate(powers) - float(told)) / POWER_SPREAD) ** 2
    own = spread if told else (spread[0], UNTOLD * spread[1])
    return Errors(pool.task, pred, places, scales, float(scales[0].mean()), prior, own)


def to_powers(scale: Floats, powers: Floats) -> Floats:
    """Squares of a scale to the power of each of these powers, (P, N), in units of its largest value."""
    return np.maximum(scale / scale.max(), LEAST_SCALE) ** (2 * powers[:, None])


def untold(pred: Floats, places: Floats) -> list[Floats]:
    """Error scales derived from predictions: |ŷ| + median |ŷ|, which is not 0 for predictions near 0, and 1 + |z|.

    If many predictions are exactly 0, the only scale is the same for all items: such predictions are often exactly right,
    which says nothing about the others.

    >>> untold(np.array([-1.0, 2.0, 4.0]), np.array([-1.0, 0.0, 1.0]))
    [array([3., 4., 6.]), array([2., 1., 2.])]
    >>> untold(np.array([0.0, 2.0, 4.0]), np.array([-1.0, 0.0, 1.0]))
    [array([1., 1., 1.])]
    """
    size = np.abs(pred)
    if np.count_nonzero(size == 0) > MANY * len(size):
        return [np.ones(len(size))]
    return [size + np.median(size), 1 + np.abs(places)]
