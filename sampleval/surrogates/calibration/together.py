"""Several systems' scores as one: their mean log-odds, and the difference of each system from this mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import logit

from sampleval.pool import Floats, Pool, System
from sampleval.surrogates.probabilities import drawn_in, inside

TOGETHER = 3  # at most so many systems, since each of them doubles the number of cells


def systems_together(pool: Pool) -> tuple[System, ...]:
    """The systems whose scores and decisions define the cells: the first ones of the pool."""
    return pool.systems[:TOGETHER]


def names_together(pool: Pool) -> frozenset[str]:
    """Names of the systems that are taken together."""
    return frozenset(system.name for system in systems_together(pool))


def averaged(systems: Sequence[System]) -> tuple[Floats, Floats]:
    """Mean log-odds of the systems, (N,), and each system's log-odds minus this mean, (N, S').

    Before any label, no system is known to be better, or to have good reason for more extreme scores. So their log-odds
    are standardised to a common mean and standard deviation, the averages of the systems' own (geometric for the standard
    deviation). The S' systems are those whose scores vary and are not all 0 or 1; if there are none, all systems.
    """
    size = len(systems[0].score)
    telling = [system for system in systems if _degrees(system.score)] or list(systems)
    odds = np.stack([drawn_in(logit(inside(system.score)), size) for system in telling])
    mean, spread = odds.mean(axis=1, keepdims=True), odds.std(axis=1, keepdims=True)
    spread = np.where(spread > 0, spread, 1.0)
    own = (odds - mean) / spread * np.exp(np.log(spread).mean()) + mean.mean()
    middle = own.mean(axis=0)
    return middle, (own - middle).T


def _degrees(score: Floats) -> bool:
    """Whether scores vary and are not all 0 or 1."""
    return bool(((score > 0) & (score < 1)).any()) and float(np.ptp(score)) > 0
