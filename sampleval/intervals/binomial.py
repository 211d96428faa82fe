"""The exact interval of a binomial share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from sampleval.pool import Floats


def clopper_pearson(hits: ArrayLike, misses: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Limits [I⁻¹(α/2; h, m + 1), I⁻¹(1 − α/2; h + 1, m)], α = 1 − level (Clopper & Pearson 1934), elementwise.

    Args:
        hits: h, number of positive items; not an integer for shares of an effective size (Korn & Graubard 1998).
        misses: m, number of other items, of the same shape.
        level: Least coverage, in (0, 1).

    Returns:
        Lower limits, 0 where h is not positive, and upper limits, 1 where m is not positive.

    >>> low, high = clopper_pearson(9, 1, 0.95)
    >>> float(low.round(3)), float(high.round(3))
    (0.555, 0.997)
    """
    h, m, tail = np.asarray(hits, float), np.asarray(misses, float), (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(h > 0, special.betaincinv(h, m + 1, tail), 0.0)
        high = np.where(m > 0, special.betaincinv(h + 1, m, 1 - tail), 1.0)
    return low, high
