"""Calibration maps: regressions of labels on the log-odds of scores, with a prior at the scores themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_softmax, softmax

from sampleval.metrics.base import Encoded
from sampleval.metrics.blocks import blocks
from sampleval.pool import Floats, Integers
from sampleval.surrogates.belief import ALL, At

STEPS = 30  # largest number of Newton steps


@dataclass(frozen=True, slots=True)
class MapPrior:
    """The prior of a map: a ~ N(0, σ_a²), and independently b_s ~ N(1, σ_s²) for the first system and N(0, σ_s²) for others.

    It is centred at the first system's scores, so that labels decide what the others add. Where two systems err apart, errors
    become 0.3 to 0.9 times as large; where the other one is useless, they stay as they are (`benchmarks/tried.md`).

    Attributes:
        shift: σ_a.
        slopes: σ_s of each system, (S,).
    """

    shift: float
    slopes: tuple[float, ...]

    def centre(self, shifts: int) -> Floats:
        """Means of so many shifts and the slopes, (shifts + S,)."""
        return np.repeat([0.0, 1.0, 0.0], [shifts, 1, len(self.slopes) - 1])

    def precision(self, shifts: int) -> Floats:
        """The inverses of the variances, (shifts + S,)."""
        return np.append(np.full(shifts, self.shift), self.slopes) ** -2.0


@dataclass(frozen=True, slots=True, eq=False)
class LogisticMap:
    """A logistic map of each system's score, logit π = a + Σ_s b_s·logit s_s, with the logits of all items, (S, N)."""

    logits: Floats
    prior: MapPrior

    def probabilities(self, index: Integers, labels: Encoded, weight: Floats, at: At = ALL) -> Floats:
        """π(y = 1) of the items `at`, (n,), given these labels."""
        found = logistic_map(self.logits[:, index], labels.astype(float), weight, self.prior)
        return expit(found[0] + found[1:] @ self.logits[:, at])


def logistic_map(x: Floats, y: Floats, weight: Floats, prior: MapPrior) -> Floats:
    """(a, b), (1 + S,), that maximise Σ w log p(y | a + Σ b_s x_s) + log p(a, b), by Newton steps with step halving.

    Log-odds x are (S, n), labels y 0/1 and their weights w (n,). The prior makes the optimum finite for any labels, even if
    all are of one class.
    """
    precision, centre, regressors = prior.precision(1), prior.centre(1), np.vstack([np.ones(len(y)), x])

    def objective(at: Floats) -> float:
        z = at @ regressors
        fit = weight @ (y * z - np.logaddexp(0, z))
        return float(fit - 0.5 * precision @ (at - centre) ** 2)

    def newton(at: Floats) -> Floats:
        p = expit(at @ regressors)
        gradient = regressors @ (weight * (y - p)) - precision * (at - centre)
        hessian = (regressors * (weight * p * (1 - p))) @ regressors.T + np.diag(precision)
        return np.linalg.solve(hessian, gradient)

    return climbed(objective, newton, centre)


def climbed(objective: Callable[[Floats], float], newton: Callable[[Floats], Floats], at: Floats) -> Floats:
    """Where a concave objective is largest, (k,), from a starting point: full Newton steps, halved until they do not lower it."""
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
    """A softmax map of each system's scores, π ∝ exp(a_c + Σ_s b_s·log s_sc).

    The logs are those of every item's scores, up to a constant per item, S of (N, C) with columns contiguous in memory.
    """

    logs: tuple[Floats, ...]
    prior: MapPrior

    def probabilities(self, index: Integers, labels: Encoded, weight: Floats, at: At = ALL) -> Floats:
        """π of the items `at`, (n, C), given these labels."""
        x = np.stack([own[index] for own in self.logs])
        shift, slopes = softmax_map(x, labels.astype(np.intp), weight, self.prior)
        first, *others = (own.T[:, at] for own in self.logs)
        found = np.empty_like(first)
        # In place and block by block: otherwise a million items of ten classes take three times as long.
        for block in blocks(first.shape[1]):
            z = np.multiply(slopes[0], first[:, block], out=found[:, block])
            for slope, other in zip(slopes[1:], others, strict=True):
                z += slope * other[:, block]
            z += shift[:, None]
            z -= z.max(axis=0)
            np.exp(z, out=z)
            z /= z.sum(axis=0)
        return found.T


def softmax_map(x: Floats, y: Integers, weight: Floats, prior: MapPrior) -> tuple[Floats, Floats]:
    """(a, b), (C,) and (S,), as in `logistic_map`, of logarithms x, (S, n, C), and labels' classes y, (n,)."""
    systems, n, classes = x.shape
    precision, centre, flat = prior.precision(classes), prior.centre(classes), x.reshape(systems, -1)

    def odds(at: Floats) -> Floats:
        return at[:classes] + (at[classes:] @ flat).reshape(n, classes)

    def objective(at: Floats) -> float:
        fit = weight @ log_softmax(odds(at), axis=1)[np.arange(n), y]
        return float(fit - 0.5 * precision @ (at - centre) ** 2)

    def newton(at: Floats) -> Floats:
        p = softmax(odds(at), axis=1)
        mean = np.einsum("nc,snc->sn", p, x)
        weighted = weight[:, None] * p
        residual = -weighted
        residual[np.arange(n), y] += weight
        gradient = np.append(residual.sum(axis=0), flat @ residual.ravel()) - precision * (at - centre)
        cross = np.einsum("nc,snc->cs", weighted, x - mean[:, :, None])
        last = (flat * weighted.ravel()) @ flat.T - (mean * weight) @ mean.T + np.diag(precision[classes:])
        diagonal = precision[:classes] + weighted.sum(axis=0)
        right = np.column_stack([gradient[:classes], cross])
        solved = lowered_solve(diagonal, np.sqrt(weight)[:, None] * p, right)
        shift, along = solved[:, 0], solved[:, 1:]
        slopes = np.linalg.solve(last - cross.T @ along, gradient[classes:] - cross.T @ shift)
        return np.append(shift - along @ slopes, slopes)

    at = climbed(objective, newton, centre) if n else centre
    return at[:classes], at[classes:]


def lowered_solve(diagonal: Floats, factor: Floats, right: Floats) -> Floats:
    """(diag D − QᵀQ)⁻¹ r, with Q (n, C) and r (C, k), from the n × n system of the Woodbury identity if it is the smaller one."""
    n, classes = factor.shape
    if n >= classes:
        return np.asarray(np.linalg.solve(np.diag(diagonal) - factor.T @ factor, right))
    scaled, own = factor / diagonal, right / diagonal[:, None]
    lowered: Floats = own + scaled.T @ np.linalg.solve(np.eye(n) - scaled @ factor.T, factor @ own)
    return lowered
