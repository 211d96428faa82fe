"""Errors of predicted numbers: their line, how wide they are, how far they follow a scale, learned from the labels so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, softmax

from sampleval.pool import Floats, Integers, Pool, Task
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.shrunk import error_scale, towards_mean

POWERS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of an error scale, to choose from
POWER_SPREAD = 0.35  # how far from the likeliest power it may well be
LEAST_SCALE = 1e-6  # of the largest one
TRUST = 0.9  # λ of a scale told, towards its mean: a prediction said to have no error may have one
UNTOLD = 3.0  # a scale that nobody told is so many times as uncertain, and so worth a ninth of the labels
MANY = 0.05  # of the items
GROSS = 10.0  # standard deviations, judged by the median error, beyond which an error is cut
ALL = slice(None)


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """A normal error of predictions, y ~ N(ŷ + a + c·z, b²·s_γ²), with a, b, c and γ learned.

    z is ŷ in standard deviations from its mean: predictions are often too extreme, or too timid. s_γ is in proportion
    to the told error scale to the power of γ, after the scale is drawn towards its mean as far as `TRUST` says: where
    it is too small by chance, a few labels would otherwise move b far. γ below 1 means that the scale says less than
    it seems to, and γ = 0 that it says nothing. Without a told scale, s_γ is in proportion to |ŷ| + median |ŷ| to
    this power, or to 1 + |z|: large prices and times often have larger errors, and items unlike the rest are often
    predicted badly.

    Attributes:
        task: What the labels are.
        pred: ŷ of every item, (N,).
        places: z of every item, (N,).
        scales: s_γ² of every item for each scale and γ in `POWERS`, (P, N), > 0, equal in the mean.
        prior: Log of each one's prior weight up to a constant, (P,): highest at γ = 1 of a scale told, else at γ = 0.
        spread: Prior standard deviation of a and of c in units of the typical sd, and about that of
            log b², whose scale told counts as 2/spread² labels.
    """

    task: Task
    pred: Floats
    places: Floats
    scales: Floats
    prior: Floats
    spread: tuple[float, float]

    def believe(self, evidence: Evidence, at: Integers | slice = ALL) -> Belief:
        """π of the items `at`, all by default, (n,): a, c and the variance as they are on average over γ.

        Given γ, the posterior means of a and c and the harmonic one of b², from a normal–inverse-gamma prior.
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
        """π of all items with equal errors, (N,), unless a scale was told: what is foreseen of them before any label.

        Wide errors that no label bears out would cost the first round more than they save if they were not all alike.
        A ratio takes out what is the same for all.
        """
        return Belief(self.task, self.pred, np.sqrt(self.scales[np.argmax(self.prior)]))

    def _given(self, error: Floats, along: Floats, scale: Floats) -> tuple[float, float, float, float]:
        """a, c, b² and the log evidence of one γ, from labels' errors, (n,), their 1 and z, (2, n), and s_γ², (n,)."""
        error = curbed(error, np.sqrt(scale))
        weight = self._typical / scale  # about 1, whatever the unit of the numbers
        held = 1 / self.spread[0] ** 2  # how firmly a and c are held near 0
        precision = (along * weight) @ along.T + held * np.eye(2)
        line = np.linalg.solve(precision, (along * weight) @ error)
        prior = 2 / self.spread[1] ** 2  # labels that the scale told beforehand is worth
        rest = (weight * (error - line @ along) ** 2).sum() + held * line @ line
        square = (prior + rest / self._typical) / (prior + len(error))
        log = -0.5 * (prior + len(error)) * np.log(square) - 0.5 * np.log(scale).sum()
        log -= 0.5 * np.log(np.linalg.det(precision))
        return float(line[0]), float(line[1]), float(square), float(log)

    @property
    def _typical(self) -> float:
        return float(self.scales[0].mean())


def curbed(error: Floats, scale: Floats) -> Floats:
    """Errors with gross ones cut, (n,): a single slip of the pen would tilt the line for all others.

    Args:
        error: y − ŷ, (n,).
        scale: What each is in proportion to, (n,), > 0.

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
    """Normal errors of this pool's predictions, in proportion to powers of the scale told, or else of those they have."""
    pred, told = np.asarray(pool.pred, float), bool(pool.items.error.any())
    places = (pred - pred.mean()) / (pred.std() or 1.0)
    bases = [towards_mean(pool.items.error, TRUST)] if told else untold(pred, places)
    # To the power of 0 all are the same: that counts once.
    powers = [POWERS, *(POWERS[1:] for _ in bases[1:])]
    scales = np.vstack([to_powers(*each) for each in zip(bases, powers, strict=True)])
    scales *= np.mean(error_scale(pool.items) ** 2) / scales.mean(axis=1, keepdims=True)
    prior = -0.5 * ((np.concatenate(powers) - float(told)) / POWER_SPREAD) ** 2
    own = spread if told else (spread[0], UNTOLD * spread[1])
    return Errors(pool.task, pred, places, scales, prior, own)


def to_powers(scale: Floats, powers: Floats) -> Floats:
    """Squares of a scale, as a share of its largest, to these powers, (P, N)."""
    share = scale / max(float(scale.max(initial=0.0)), 1e-300)
    return np.maximum(share, LEAST_SCALE) ** (2 * powers[:, None])


def untold(pred: Floats, places: Floats) -> list[Floats]:
    """What may tell how far predictions are off: |ŷ| + median |ŷ|, since those next to 0 are not all right, and 1 + |z|.

    It is the same for all items where many predictions are exactly 0: such a prediction is often exactly right, and
    says nothing of the others.

    >>> untold(np.array([-1.0, 2.0, 4.0]), np.array([-1.0, 0.0, 1.0]))
    [array([3., 4., 6.]), array([2., 1., 2.])]
    >>> untold(np.array([0.0, 2.0, 4.0]), np.array([-1.0, 0.0, 1.0]))
    [array([1., 1., 1.])]
    """
    size = np.abs(pred)
    if np.count_nonzero(size == 0) > MANY * len(size) or not len(size):
        return [np.ones(len(size))]
    return [size + np.median(size), 1 + np.abs(places)]
