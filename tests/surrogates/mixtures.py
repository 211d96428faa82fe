"""Cells under a prior of one component, whose log-odds reach as far as a test says."""

from __future__ import annotations

import numpy as np

from sampleval.surrogates.calibration.prior import Mixture


def flat(tau: float, sigma: float, *reach: float) -> Mixture:
    """Cells whose log-odds are −1 + reach·z, each with a z of its own, under one component."""
    at = np.full((1, len(reach)), -1.0)
    return Mixture(at, np.diag(reach)[None], np.array([tau]), np.array([sigma]), np.zeros(1), np.ones(1))
