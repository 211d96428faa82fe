"""Recalibrated scores: a calibration map fitted to the labels so far, with a prior at the identity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import expit, log_softmax, logit, softmax

from sampleval._checks import positive, unit
from sampleval.metrics.base import Encoded
from sampleval.metrics.blocks import blocks
from sampleval.pool import Floats, Integers, Kind, Pool, Task
from sampleval.surrogates.base import KINDS, Formula
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.errors import ALL, Errors, errors_of
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.probabilities import claimed, drawn_in

At = Integers | slice
STEPS = 30  # largest number of Newton steps
# Expected range of the scores' log-odds: votes and margins with a smaller range may understate differences by far.
SPAN = 6.0
NARROWEST = 0.5  # least range that is assumed for scores


@dataclass(frozen=True, slots=True, eq=False)
class LogisticMap:
    """A logistic map of one score, logit π = a + b·logit s.

    Attributes:
        logits: logit s of every item, (N,).
        spread: Prior standard deviations of a around 0 and b around 1.
    """

    logits: Floats
    spread: tuple[float, float]

    def probabilities(self, index: Integers, labels: Encoded, weight: Floats, at: At = ALL) -> Floats:
        """π(y = 1) of the items `at`, (n,), given these labels."""
        shift, slope = logistic_map(self.logits[index], labels.astype(float), weight, self.spread)
        return expit(shift + slope * self.logits[at])


def logistic_map(x: Floats, y: Floats, weight: Floats, spread: tuple[float, float]) -> tuple[float, float]:
    """(a, b) that maximise Σ w log p(y | a + b x) − a²/2σ_a² − (b − 1)²/2σ_b², by Newton steps with step halving.

    The prior makes the optimum finite for any labels, even if all are of one class.
    """
    precision, centre = 1 / np.square(spread), np.array([0.0, 1.0])

    def objective(at: Floats) -> float:
        z = at[0] + at[1] * x
        fit = weight @ (y * z - np.logaddexp(0, z))
        return float(fit - 0.5 * precision @ (at - centre) ** 2)

    def newton(at: Floats) -> Floats:
        p = expit(at[0] + at[1] * x)
        residual, curve = weight * (y - p), weight * p * (1 - p)
        gradient = np.array([residual.sum(), residual @ x]) - precision * (at - centre)
        cross = curve @ x
        hessian = np.array([[curve.sum(), cross], [cross, curve @ x**2]]) + np.diag(precision)
        return np.linalg.solve(hessian, gradient)

    shift, slope = climbed(objective, newton, centre)
    return float(shift), float(slope)


def climbed(objective: Callable[[Floats], float], newton: Callable[[Floats], Floats], at: Floats) -> Floats:
    """The maximum of a concave objective, by Newton steps, each halved until it does not decrease the objective.

    Args:
        objective: The function to maximise.
        newton: The full step from a point.
        at: The starting point.
    """
    best = objective(at)
    for _ in range(STEPS):
        step = newton(at)
        while objective(at + step) < best - 1e-12 and np.abs(step).max() > 1e-10:
            step = step / 2
        at = at + step
        best = objective(at)
        if np.abs(step).max() < 1e-9:
            break
    return at


@dataclass(frozen=True, slots=True, eq=False)
class SoftmaxMap:
    """A softmax map of several scores, π ∝ exp(a_c + b·log s_c).

    Attributes:
        logs: log s of every item, up to a constant per item, (N, C), with the columns contiguous in memory.
        spread: Prior standard deviations of every a_c around 0 and of b around 1.
    """

    logs: Floats
    spread: tuple[float, float]

    def probabilities(self, index: Integers, labels: Encoded, weight: Floats, at: At = ALL) -> Floats:
        """π of the items `at`, (n, C), given these labels."""
        shift, slope = softmax_map(self.logs[index], labels.astype(np.intp), weight, self.spread)
        logs = self.logs.T[:, at]
        found = np.empty_like(logs)
        # In place and block by block: otherwise a million items of ten classes take three times as long.
        for block in blocks(logs.shape[1]):
            z = np.multiply(slope, logs[:, block], out=found[:, block])
            z += shift[:, None]
            z -= z.max(axis=0)
            np.exp(z, out=z)
            z /= z.sum(axis=0)
        return found.T


def softmax_map(x: Floats, y: Integers, weight: Floats, spread: tuple[float, float]) -> tuple[Floats, float]:
    """(a, b) by Newton steps on the penalised likelihood, as in `logistic_map`."""
    n, classes = x.shape
    centre = np.append(np.zeros(classes), 1.0)
    precision = np.append(np.full(classes, 1 / spread[0] ** 2), 1 / spread[1] ** 2)

    def objective(at: Floats) -> float:
        fit = weight @ log_softmax(at[:-1] + at[-1] * x, axis=1)[np.arange(n), y]
        return float(fit - 0.5 * precision @ (at - centre) ** 2)

    def newton(at: Floats) -> Floats:
        p = softmax(at[:-1] + at[-1] * x, axis=1)
        mean = np.einsum("nc,nc->n", p, x)
        weighted = weight[:, None] * p
        residual = -weighted
        residual[np.arange(n), y] += weight
        gradient = np.append(residual.sum(axis=0), (residual * x).sum()) - precision * (at - centre)
        cross = (weighted * (x - mean[:, None])).sum(axis=0)
        last = precision[-1] + weight @ (np.einsum("nc,nc->n", p, x**2) - mean**2)
        diagonal = precision[:-1] + weighted.sum(axis=0)
        right = np.column_stack([gradient[:-1], cross])
        shift, along = lowered_solve(diagonal, np.sqrt(weight)[:, None] * p, right).T
        slope = (gradient[-1] - cross @ shift) / (last - cross @ along)
        return np.append(shift - slope * along, slope)

    at = climbed(objective, newton, centre) if n else centre
    return at[:-1], float(at[-1])


def lowered_solve(diagonal: Floats, factor: Floats, right: Floats) -> Floats:
    """(diag D − QᵀQ)⁻¹ r, from the n × n system of the Woodbury identity if that is the smaller one.

    Args:
        diagonal: D, (C,).
        factor: Q, (n, C).
        right: r, (C, k).
    """
    n, classes = factor.shape
    if n >= classes:
        return np.asarray(np.linalg.solve(np.diag(diagonal) - factor.T @ factor, right))
    scaled, own = factor / diagonal, right / diagonal[:, None]
    lowered: Floats = own + scaled.T @ np.linalg.solve(np.eye(n) - scaled @ factor.T, factor @ own)
    return lowered


@dataclass(frozen=True, slots=True, eq=False)
class Recalibration:
    """The calibration map of a pool, or one map per label of a multi-label task.

    Attributes:
        task: The kind of labels.
        maps: The maps.
        weighted: Whether labels are weighted by their design weights, scaled to mean 1.
        opening: λ that shrinks the scores of multiclass tasks while there is no label.
        average: Mean scores of multiclass tasks, (C,), to which they are shrunk; empty for other tasks.
    """

    task: Task
    maps: tuple[LogisticMap | SoftmaxMap, ...]
    weighted: bool
    opening: float
    average: Floats = field(default_factory=lambda: np.empty(0))

    def believe(self, evidence: Evidence, at: At = ALL) -> Belief:
        """π of the items `at`, all by default, (n,) or (n, C)."""
        weight = np.ones(len(evidence))
        if self.weighted and len(evidence):
            weight = evidence.weight / max(float(evidence.weight.mean()), 1e-300)
        labels = np.reshape(evidence.labels, (len(evidence), len(self.maps)))
        columns = [
            each.probabilities(evidence.index, column, weight, at)
            for each, column in zip(self.maps, labels.T, strict=True)
        ]
        mean = np.stack(columns, axis=1) if self.task.kind == "multilabel" else columns[0]
        if self.task.kind == "multiclass" and not len(evidence):
            mean = self.opening * mean + (1 - self.opening) * self.average
        return Belief(self.task, mean)


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """Scores mapped by a logistic (multiclass: softmax) regression fitted to the labels so far.

    Predicted numbers get a line and a factor on their error scale instead.

    The map's prior is centred at the identity, so that a few labels, or labels of one class, change it little and many
    determine it. Given the score, the selection of items is not informative about their labels, so that the unweighted
    likelihood is valid; weights protect against a map of the wrong shape.

    Attributes:
        shift: Prior standard deviation of the map's shift on the log-odds scale, > 0. For numbers, that of the line's a
            and c in standard deviations of their errors.
        slope: Prior standard deviation of the map's slope around 1, > 0; larger if scores span fewer than six log-odds.
            For numbers, about that of log b²; ten times as large (`UNTOLD`) if no error scale is given.
        weighted: Whether labels are weighted by their design weights.
        opening: λ in [0, 1] that shrinks the scores of multiclass tasks to their mean while there is no label at all.
            Otherwise a system that is certain and wrong would keep items out of the first round, which later rounds
            hardly make up for.
    """

    key: ClassVar[str] = "recalibrated"
    title: ClassVar[str] = "Recalibrated scores"
    about: ClassVar[str] = (
        "The system's probabilities, corrected with the labels so far where they prove too high or too low."
    )
    kinds: ClassVar[frozenset[Kind]] = KINDS
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = True
    methods = (
        "was taken from the model's own output, corrected by a calibration map learned from the labels so far"
    )
    formula = (
        "its score, moved as the labels so far say; for two classes",
        r"\operatorname{logit} \pi_n = a + b\,\operatorname{logit} s_n",
    )
    formula_of_numbers: ClassVar[Formula] = (
        "its prediction, moved along a line, and the error expected of it, to some power γ, as the labels so far say",
        r"y_n \sim \mathcal N(\hat y_n + a + c\,z_n,\; b^2 e_n^{2\gamma})",
    )
    shift: float = 1.5
    slope: float = 0.5
    weighted: bool = False
    opening: float = 0.97

    def __post_init__(self) -> None:
        for name, value in (("shift", self.shift), ("slope", self.slope)):
            positive(value, name, remedy="a small number holds the scores as they are")
        object.__setattr__(self, "opening", unit(self.opening, "opening"))

    def model(self, pool: Pool, *, stochastic: bool = False) -> Recalibration | Errors:
        """The maps on the log-odds of this pool's scores; with several classes, extreme ones are compressed (`drawn_in`).

        Naive Bayes may claim to be wrong once in e⁴⁰ and be wrong once in twenty. No line corrects this without changing
        moderate scores.
        """
        if pool.task.kind == "regression":
            return errors_of(pool, (self.shift, self.slope))
        score = claimed(pool)
        if pool.task.kind == "multiclass":
            logs = np.log(score)
            below = drawn_in(logs - logs.max(axis=1, keepdims=True), pool.size)
            maps = (SoftmaxMap(np.asfortranarray(below), self._spread(-below.mean())),)
            return Recalibration(pool.task, maps, self.weighted, self.opening, score.mean(axis=0))
        logits = logit(score)
        columns = logits.T if logits.ndim > 1 else [logits]
        each = tuple(LogisticMap(column, self._spread(4 * column.std())) for column in columns)
        return Recalibration(pool.task, each, self.weighted, self.opening)

    def _spread(self, span: float) -> tuple[float, float]:
        """Prior standard deviations of a map's shift and slope for scores that span so many log-odds."""
        return self.shift, self.slope * max(1.0, SPAN / max(float(span), NARROWEST))
