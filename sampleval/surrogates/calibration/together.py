"""Several systems' scores as one: which of them are taken together, what they say on average, how far each is from that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import logit

from sampleval.pool import Floats, Pool, System
from sampleval.surrogates.claims import drawn_in, inside

TOGETHER = 3  # cells keep all decisions of the systems apart: each more doubles them


def considered(pool: Pool) -> tuple[System, ...]:
    """The systems by whose scores and decisions items are alike: the first ones of the pool."""
    return pool.systems[:TOGETHER]


def names(pool: Pool) -> frozenset[str]:
    """What those systems are called."""
    return frozenset(system.name for system in considered(pool))


def averaged(systems: Sequence[System]) -> tuple[Floats, Floats]:
    """The mean of the systems' log-odds, (N,), and how far each system's lie above it, (N, S').

    At first no system is known to be better, nor to be bolder with good reason. So their log-odds are brought to one
    mean and one spread, the averages of the systems' own. The S' systems that count are those whose scores have
    degrees and differ; all of them where none do.
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
    """Whether scores are more than decisions, and differ."""
    return bool(((score > 0) & (score < 1)).any()) and float(np.ptp(score)) > 0
