"""Several systems' scores as one: their mean log-odds, and the difference of each system from this mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import logit

from sampleval.pool import Floats, System
from sampleval.surrogates.probabilities import drawn_in, inside
from sampleval.surrogates.scales import spread_of


def averaged(systems: Sequence[System]) -> tuple[Floats, Floats]:
    """Mean log-odds of the systems, (N,), and each system's log-odds minus this mean, (N, S').

    Before any label, no system is known to be better, or to have good reason for more extreme scores. So their log-odds
    are standardised to a common mean and standard deviation, the averages of the systems' own (geometric for the standard
    deviation). The S' systems are those whose scores vary and are not all 0 or 1; if there are none, all systems.
    """
    size = len(systems[0].score)
    telling = [system for system in systems if _degrees(system.score)] or list(systems)
    odds = np.stack([drawn_in(logit(inside(system.score)), size) for system in telling])
    mean, spread = odds.mean(axis=1, keepdims=True), np.array([[spread_of(own)] for own in odds])
    own = (odds - mean) / spread * np.exp(np.log(spread).mean()) + mean.mean()
    middle = own.mean(axis=0)
    return middle, (own - middle).T


def _degrees(score: Floats) -> bool:
    """Whether scores vary and are not all 0 or 1."""
    return bool(((score > 0) & (score < 1)).any()) and float(np.ptp(score)) > 0
