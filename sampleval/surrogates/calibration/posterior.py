"""The posterior of a calibration curve, by Laplace approximations and importance sampling over levels of trust."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import expit, gammaln, ndtri
from scipy.stats import qmc

from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration.prior import Curve, Prior

DRAWS = 256
STEPS = 10
# Mistrust τ and the least share that sceptical weights leave it; the shares grow as labels get fewer.
SCEPTICAL = ((1.0, 0.2), (2.0, 0.1))
SCEPTICAL_LABELS = 60.0
WIDER = 1.1  # proposals are drawn from a Laplace approximation this much wider


@dataclass(frozen=True, eq=False)
class Posterior:
    """Weighted draws of the cells' rates, given x positives among n labelled in each of K cells.

    Attributes:
        weight: Of each draw, (J,), summing to 1.
        mistrust: Level τ of each draw, (J,).
        a: First Beta parameter of every cell's rate, (J, K), labels included.
        b: Second one.
        labelled: Labels in each cell, (K,).
        found: Positives among them, (K,).
        within: Rate of each cell under each draw, (J, K).
    """

    weight: Floats
    mistrust: Floats
    a: Floats
    b: Floats
    labelled: Floats
    found: Floats
    within: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "within", self.a / (self.a + self.b))

    @cached_property
    def mean(self) -> Floats:
        """Expected rate of each cell, (K,)."""
        return self.weight @ self.within

    @cached_property
    def median(self) -> Floats:
        """Median rate of each cell over the draws, (K,): unlike the mean not carried off by far-fetched curves."""
        order = np.argsort(self.within, axis=0)
        reached = np.cumsum(self.weight[order], axis=0) >= 0.5
        row = order[reached.argmax(axis=0), np.arange(order.shape[1])]
        return self.within[row, np.arange(order.shape[1])]

    def covariance(self, weight: Floats | None = None) -> Floats:
        """Covariance of the cells' rates, (K, K), under these weights of the draws or the posterior's own."""
        weight = self.weight if weight is None else weight
        own = self.within * (1 - self.within) / (self.a + self.b + 1)
        off = self.within - weight @ self.within
        return np.diag(weight @ own) + (off * weight[:, None]).T @ off

    @cached_property
    def sceptical(self) -> Floats:
        """Weights that leave mistrust of τ and more at least its share, more so while labels are few, (J,)."""
        weight = self.weight.copy()
        early = 1 + SCEPTICAL_LABELS / max(self.labelled.sum(), 30.0)
        for level, least in SCEPTICAL:
            doubting, share = self.mistrust >= level, min(least * early, 0.5)
            held = weight[doubting].sum()
            if 0 < held < share:
                weight[doubting] *= share / held
                weight[~doubting] *= (1 - share) / (1 - held)
        return weight

    def totals(
        self, left: Integers, draws: int, rng: np.random.Generator, weight: Floats | None = None
    ) -> Floats:
        """Positives among the unlabelled items of each cell, (draws, K), drawn from the predictive posterior."""
        weight = self.weight if weight is None else weight
        row = systematic_rows(weight, draws, rng.random())
        rate = rng.beta(self.a[row], self.b[row])
        return rng.binomial(left, np.clip(rate, 0, 1)).astype(float)


def systematic_rows(weight: Floats, draws: int, start: float) -> Integers:
    """Rows in proportion to their weights, systematically from a start in [0, 1), (draws,)."""
    ladder = (np.arange(draws) + start) / draws * weight.sum()
    return np.minimum(np.searchsorted(np.cumsum(weight), ladder), len(weight) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Laplace approximation at one level: mode (D,), Cholesky factor of its covariance (D, D), log evidence."""

    mode: Floats
    root: Floats
    evidence: float


def posterior(curve: Curve, prior: Prior, found: Floats, labelled: Floats) -> Posterior:
    """The posterior given x positives among n labelled items of each cell; a pure function of the counts.

    Args:
        curve: The prior on these cells.
        prior: Its levels and their weights.
        found: x, (K,).
        labelled: n, (K,).
    """
    levels = [
        (tau, sigma, np.log(p) + np.log(q))
        for tau, p in zip(prior.mistrust, prior.mistrust_weight, strict=True)
        for sigma, q in zip(prior.spread, prior.spread_weight, strict=True)
    ]
    fits = [_fit(curve, tau, sigma, weight, found, labelled) for tau, sigma, weight in levels]
    counts = _shares(np.array([f.evidence for f in fits]), _kept(prior))
    pieces, used = [], 0
    for (tau, sigma, weight), fit, count in zip(levels, fits, counts, strict=True):
        if count:
            normals = _normals(len(fit.mode))[used % 1024 : used % 1024 + count]
            pieces.append(_draws(curve, tau, sigma, weight, fit, normals, found, labelled))
            used += count
    taus, a, b, log = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    weights = np.exp(log - log.max())
    return Posterior(weights / weights.sum(), taus, a, b, labelled, found)


def _kept(prior: Prior) -> Integers:
    """Levels that sceptics need draws of, whatever the evidence: the middle spread at their mistrust."""
    doubted, middle = {level for level, _ in SCEPTICAL}, len(prior.spread) // 2
    rows = [k for k, tau in enumerate(prior.mistrust) if tau in doubted]
    return np.array(rows, np.intp) * len(prior.spread) + middle


def _shares(evidence: Floats, kept: Integers) -> Integers:
    """Draws per level, by evidence, at least six where it counts at all."""
    share = np.exp(evidence - evidence.max())
    share /= share.sum()
    counts = np.round(DRAWS * share).astype(int)
    counts[(share > 0.002) & (counts < 6)] = 6
    counts[kept] = np.maximum(counts[kept], 20)
    return counts


@lru_cache(maxsize=32)
def _normals(dimension: int) -> Floats:
    """Scrambled Sobol points as standard normals, (2048, D), the same every time."""
    points = qmc.Sobol(dimension, seed=0).random(2048)
    return ndtri(np.clip(points, 1e-6, 1 - 1e-6))


def _fit(curve: Curve, tau: float, sigma: float, weight: float, found: Floats, labelled: Floats) -> Fit:
    """Mode and curvature of z by Fisher scoring on the overdispersed binomial."""
    features = curve.features(tau)
    mode = np.zeros(features.shape[1])
    seen = labelled > 0
    for _ in range(STEPS if seen.any() else 0):
        score, information = _slope(curve.offset, features, sigma, mode, found, labelled, seen)
        step = np.linalg.solve(information, score)
        longest = np.abs(step).max()
        mode = mode + step * min(1.0, 1.5 / max(longest, 1e-9))
        if longest < 0.02:
            break
    information = _slope(curve.offset, features, sigma, mode, found, labelled, seen)[1]
    root = np.linalg.cholesky(np.linalg.inv(information))
    a, b = _beta(curve, features, sigma, mode[None])
    evidence = _likelihood(a, b, found, labelled)[0] - mode @ mode / 2 + np.log(np.diag(root)).sum() + weight
    return Fit(mode, root, float(evidence))


def _slope(
    offset: Floats,
    features: Floats,
    sigma: float,
    at: Floats,
    found: Floats,
    labelled: Floats,
    seen: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> tuple[Floats, Floats]:
    """Gradient (D,) and expected information (D, D) of the log posterior of z."""
    chosen, x, n = features[seen], found[seen], labelled[seen]
    rate = expit(offset[seen] + chosen @ at)
    variance = rate * (1 - rate)
    correlation = sigma**2 * variance / (1 + 2 * sigma**2 * variance)
    inflation = 1 + (n - 1) * correlation
    score = chosen.T @ ((x - n * rate) / inflation) - at
    information = np.eye(len(at)) + (chosen * (n * variance / inflation)[:, None]).T @ chosen
    return score, information


def _beta(curve: Curve, features: Floats, sigma: float, z: Floats) -> tuple[Floats, Floats]:
    """Beta parameters of the cells' rates for draws of z, (J, D) to two of (J, K)."""
    rate = np.clip(expit(curve.offset + z @ features.T), 1e-12, 1 - 1e-9)
    size = 1 / (sigma**2 * rate * (1 - rate)) + 1
    return rate * size, (1 - rate) * size


def _likelihood(a: Floats, b: Floats, found: Floats, labelled: Floats) -> Floats:
    """Log beta-binomial probability of the labels, up to a constant, (J,)."""
    seen = labelled > 0
    a, b, x, n = a[:, seen], b[:, seen], found[seen], labelled[seen]
    positive, negative = x > 0, x < n
    log = (gammaln(a + b) - gammaln(n + a + b)).sum(axis=1)
    log += (gammaln(x[positive] + a[:, positive]) - gammaln(a[:, positive])).sum(axis=1)
    rest = (n - x)[negative]
    log += (gammaln(rest + b[:, negative]) - gammaln(b[:, negative])).sum(axis=1)
    return log


def _draws(
    curve: Curve,
    tau: float,
    sigma: float,
    weight: float,
    fit: Fit,
    normals: Floats,
    found: Floats,
    labelled: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Importance draws of one level: τ, both Beta parameters after the labels, log weight."""
    wider = WIDER if labelled.any() else 1.0
    z = fit.mode + wider * normals @ fit.root.T
    a, b = _beta(curve, curve.features(tau), sigma, z)
    target = _likelihood(a, b, found, labelled) - np.einsum("jd,jd->j", z, z) / 2 + weight
    drawn = -np.einsum("jd,jd->j", normals, normals) / 2 - np.log(wider * np.diag(fit.root)).sum()
    log = target - drawn - np.log(len(normals))
    return np.full(len(z), tau), a + found, b + labelled - found, log
