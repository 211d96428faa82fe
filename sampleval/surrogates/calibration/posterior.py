"""The posterior of a calibration curve, by Laplace approximations and importance sampling over the prior's components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import betaln, expit, ndtri, softmax

from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration.prior import Mixture

DRAWS = 256
STEPS = 40  # few are taken if labels agree with the scores
LONGEST, SETTLED = 1.5, 0.02  # largest component of a step; a step below the second value is the last
# Degrees of mistrust, and the least share of draws with at least that much under sceptical weights; larger for few labels.
SCEPTICAL = ((1.0, 0.2), (2.0, 0.1))
SCEPTICAL_LABELS = 60.0
WIDER = 1.1  # standard deviations of proposals are this many times those of the Laplace approximation


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """Draws of what is not labelled.

    Attributes:
        totals: Positives among the unlabelled items of each cell, (J, K).
        tilt: The tilt that goes with them, (J, S' − 1), as in `Posterior`.
    """

    totals: Floats
    tilt: Floats


@dataclass(frozen=True, eq=False)
class Posterior:
    """Weighted posterior draws of the cells' rates, given x positives among n labels in each of K cells.

    Attributes:
        weight: Weight of each draw, (J,), summing to 1.
        mistrust: Mistrust τ of each draw, (J,).
        feared: Factor on the weight of each draw in the `wary` weights, which set the limits, (J,).
        a: First parameter of the Beta distribution of every cell's rate, (J, K), updated with the labels.
        b: Second parameter, (J, K).
        labelled: Labels in each cell, (K,).
        found: Positives among them, (K,).
        tilt: How much more each system tells than the last one under each draw, as weights of `ScoreCells.apart`, (J, S' − 1).
    """

    weight: Floats
    mistrust: Floats
    feared: Floats
    a: Floats
    b: Floats
    labelled: Floats
    found: Floats
    tilt: Floats

    @cached_property
    def within(self) -> Floats:
        """Expected rate of each cell under each draw, (J, K)."""
        return self.a / (self.a + self.b)

    @cached_property
    def mean(self) -> Floats:
        """Posterior mean rate of each cell, (K,)."""
        return self.weight @ self.within

    @cached_property
    def median(self) -> Floats:
        """Median of each cell's rate over the draws, (K,), which unlike the mean is robust to unlikely curves."""
        return weighted_quantiles(self.within, self.weight, [0.5])[0]

    def covariance(self, weight: Floats) -> Floats:
        """Covariance of the cells' rates, (K, K), under these weights of the draws."""
        own = self.within * (1 - self.within) / (self.a + self.b + 1)
        off = self.within - weight @ self.within
        return np.diag(weight @ own) + (off * weight[:, None]).T @ off

    @cached_property
    def sceptical(self) -> Floats:
        """Weights of the draws for choosing items, (J,), which give mistrust of each `SCEPTICAL` degree a least share.

        The share is larger while there are few labels.
        """
        return self._doubting(self.weight)

    @cached_property
    def wary(self) -> Floats:
        """Weights of the draws for limits, (J,): sceptical weights of `weight` times `feared`."""
        feared = self.weight * self.feared
        return self._doubting(feared / feared.sum())

    def _doubting(self, weight: Floats) -> Floats:
        weight = weight.copy()
        early = 1 + SCEPTICAL_LABELS / max(self.labelled.sum(), 30.0)
        for doubt, least in SCEPTICAL:
            doubting, share = self.mistrust >= doubt, min(least * early, 0.5)
            held = weight[doubting].sum()
            if 0 < held < share:
                weight[doubting] *= share / held
                weight[~doubting] *= (1 - share) / (1 - held)
        return weight

    def predicted(self, left: Integers, draws: int, rng: np.random.Generator, weight: Floats) -> Predicted:
        """Draws from the posterior predictive distribution, given the number of each cell's unlabelled items, (K,)."""
        row = systematic_rows(weight, draws, rng.random())
        rate = rng.beta(self.a[row], self.b[row])
        return Predicted(rng.binomial(left, np.clip(rate, 0, 1)).astype(float), self.tilt[row])


def weighted_quantiles(values: Floats, weight: Floats, shares: Sequence[float]) -> Floats:
    """The least of the values of J draws, (J, …), up to which they have each of Q shares of the weight, (Q, …).

    Weights are (J,) and sum to 1, shares lie in (0, 1).

    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.25, 0.25]), [0.25, 0.5, 0.75]).tolist()
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values, axis=0)
    reached = np.cumsum(weight[order], axis=0)
    # The weights may sum to a little less than 1.
    row = np.array([np.minimum((reached < share).sum(axis=0), len(values) - 1) for share in shares])
    return np.take_along_axis(values, np.take_along_axis(order, row, axis=0), axis=0)


def systematic_rows(weight: Floats, draws: int, start: float) -> Integers:
    """A systematic sample of rows in proportion to their weights, (draws,), from a start in [0, 1)."""
    ladder = (np.arange(draws) + start) / draws * weight.sum()
    return np.minimum(np.searchsorted(np.cumsum(weight), ladder), len(weight) - 1)


def posterior(mixture: Mixture, found: Floats, labelled: Floats) -> Posterior:
    """The posterior given x positives, `found`, among n labels in each cell, (K,) both; a pure function of these counts."""
    mode, root, evidence = _fit(mixture, found, labelled)
    counts = _shares(evidence + np.log(mixture.feared), _kept(mixture))
    at = np.repeat(np.arange(len(mixture)), counts)
    normals = _normals(mode.shape[1])[: len(at)]
    wider = WIDER if labelled.any() else 1.0
    z = mode[at] + wider * np.einsum("jde,je->jd", root[at], normals)
    a, b = _beta(mixture, at, z)
    target = _likelihood(a, b, found, labelled) - (z**2).sum(axis=1) / 2 + mixture.log_weight[at]
    drawn = -(normals**2).sum(axis=1) / 2 - _log_determinant(wider * root)[at] + np.log(counts[at])
    after = a + found, b + labelled - found
    weight, tilt = softmax(target - drawn), z @ mixture.tilt.T
    return Posterior(weight, mixture.mistrust[at], mixture.feared[at], *after, labelled, found, tilt)


def _kept(mixture: Mixture) -> Integers:
    """Components that always get draws for sceptical weights: the first one with each such τ and the middle σ."""
    spreads = np.unique(mixture.spread)
    middle = mixture.spread == spreads[len(spreads) // 2]
    rows = [np.flatnonzero(middle & (mixture.mistrust == doubt))[:1] for doubt, _ in SCEPTICAL]
    return np.concatenate(rows)


def _shares(evidence: Floats, kept: Integers) -> Integers:
    """Number of draws per component, (L,), in proportion to evidence: at least 6 if it is not negligible, 20 for `kept` ones."""
    share = softmax(evidence)
    counts = np.round(DRAWS * share).astype(int)
    counts[(share > 0.002) & (counts < 6)] = 6
    counts[kept] = np.maximum(counts[kept], 20)
    return counts


@lru_cache(maxsize=32)
def _normals(dimension: int) -> Floats:
    """Scrambled Sobol points transformed to standard normals, (2048, D), the same at every call."""
    from scipy.stats import qmc  # takes as long to import as pandas, and not every study draws

    points = qmc.Sobol(dimension, seed=0).random(2048)
    return ndtri(np.clip(points, 1e-6, 1 - 1e-6))


def _fit(mixture: Mixture, found: Floats, labelled: Floats) -> tuple[Floats, Floats, Floats]:
    """Laplace approximations of the posterior under all components at once, by Fisher scoring of an overdispersed binomial.

    Returns:
        Posterior modes of z, (L, D), Cholesky factors of its covariances there, (L, D, D), and the log joint probability of
        the labels and the component, up to a constant, (L,).
    """
    everyone = np.arange(len(mixture))
    mode, moving = np.zeros((len(mixture), mixture.features.shape[2])), everyone
    for _ in range(STEPS if labelled.any() else 0):
        score, information = _slope(mixture, moving, mode[moving], found, labelled)
        step = np.linalg.solve(information, score[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        mode[moving] += step * np.minimum(1.0, LONGEST / np.maximum(longest, 1e-9))
        moving = moving[longest[:, 0] >= SETTLED]
        if not len(moving):
            break
    information = _slope(mixture, everyone, mode, found, labelled)[1]
    root = np.linalg.cholesky(np.linalg.inv(information))
    likelihood = _likelihood(*_beta(mixture, np.arange(len(mixture)), mode), found, labelled)
    evidence = likelihood - (mode**2).sum(axis=1) / 2 + _log_determinant(root) + mixture.log_weight
    return mode, root, evidence


def _log_determinant(root: Floats) -> Floats:
    """Log determinant of each triangular factor, (L, D, D) to (L,)."""
    return np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)


def _slope(
    mixture: Mixture, component: Integers, at: Floats, found: Floats, labelled: Floats
) -> tuple[Floats, Floats]:
    """Gradient (l, D) and expected information (l, D, D) of the log posterior of z, of components (l,) at z = `at`, (l, D)."""
    seen = np.flatnonzero(labelled)
    here = np.ix_(component, seen)
    chosen, x, n = mixture.features[here], found[seen], labelled[seen]
    rate = expit(mixture.offset[here] + np.einsum("lkd,ld->lk", chosen, at))
    variance = rate * (1 - rate)
    spread = mixture.spread[component, None] ** 2 * variance
    inflation = 1 + (n - 1) * spread / (1 + 2 * spread)
    score = np.einsum("lkd,lk->ld", chosen, (x - n * rate) / inflation) - at
    weighted = chosen * (n * variance / inflation)[..., None]
    return score, np.eye(at.shape[1]) + weighted.transpose(0, 2, 1) @ chosen


def _beta(mixture: Mixture, at: Integers, z: Floats) -> tuple[Floats, Floats]:
    """Beta parameters of the cells' rates for draws of z from these components, (J, D) to two of (J, K)."""
    odds = np.empty((len(z), mixture.offset.shape[1]))
    for k in np.unique(at):
        rows = at == k
        odds[rows] = mixture.offset[k] + z[rows] @ mixture.features[k].T
    rate = np.clip(expit(odds), 1e-12, 1 - 1e-9)
    size = 1 / (mixture.spread[at, None] ** 2 * rate * (1 - rate)) + 1
    return rate * size, (1 - rate) * size


def _likelihood(a: Floats, b: Floats, found: Floats, labelled: Floats) -> Floats:
    """Log beta-binomial probability of the labels, up to a constant, (J,)."""
    # Differences of log Beta functions keep their precision at tiny rates, where those of log Gamma functions lose it.
    seen = labelled > 0
    a, b, x, n = a[:, seen], b[:, seen], found[seen], labelled[seen]
    return np.asarray((betaln(a + x, b + n - x) - betaln(a, b)).sum(axis=1))
