"""Priors of cells: one of one component, whose log-odds reach as far as a test says, and rates drawn from any."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.prior import Mixture


def flat(tau: float, sigma: float, *reach: float) -> Mixture:
    """Cells whose log-odds are −1 + reach·z, each with a z of its own, under one component."""
    at = np.full((1, len(reach)), -1.0)
    return Mixture(
        at,
        np.diag(reach)[None],
        np.array([tau]),
        np.array([sigma]),
        np.zeros(1),
        np.ones(1),
        np.empty((0, len(reach))),
    )


def rates_of_the_prior(prior: Mixture, rng: np.random.Generator) -> Floats:
    """Rates of the cells, (K,), drawn from their prior: Beta rates around log-odds o + A·z."""
    k = rng.choice(len(prior), p=np.exp(prior.log_weight))
    odds = prior.offset[k] + prior.features[k] @ rng.normal(size=prior.features.shape[2])
    centre = np.clip(expit(odds), 1e-12, 1 - 1e-9)
    size = 1 / (prior.spread[k] ** 2 * centre * (1 - centre)) + 1
    return rng.beta(centre * size, (1 - centre) * size)
