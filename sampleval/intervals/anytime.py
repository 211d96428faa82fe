"""The family of limits that hold at every look at once: from wagers, or by the ratio of prior to posterior."""

from __future__ import annotations

import numpy as np
from scipy import special

from sampleval.intervals.base import Basis, Interval, nothing
from sampleval.intervals.posterior import arms, around, defined

NEAREST = 25  # number of nearest draws from which the prior density is estimated
# Levels whose quantiles give a posterior's standard deviation. Those of lower levels are too noisy to extrapolate, and
# there are too few draws beyond those of higher levels.
SURE = np.array([0.9, 0.95, 0.99])


def anytime(basis: Basis, level: float) -> Interval:
    """Limits that hold at every look at once, from wagers or else from a posterior; the whole range without either.

    They are extended to the estimate.
    """
    if basis.wagers is not None:
        low, high = basis.wagers.limits(level)
        value = np.array(basis.value)
        found = around(basis, value, value - low, high - value, level, "anytime")
    elif len(defined(basis.draws)) >= 2 and len(defined(basis.before)) >= NEAREST:
        found = prior_posterior(basis, level)
    else:
        return nothing(basis.range, level, "no interval for any look is known here")
    if (found.low, found.high) == basis.range:
        return nothing(basis.range, level, "there are too few labels for an interval that holds at any look")
    return found


def prior_posterior(basis: Basis, level: float) -> Interval:
    """The values whose posterior density is at least 1 − level times their prior density.

    If the prior is right, the ratio of prior to posterior density at the true value is a martingale with mean 1. So the
    probability that it ever reaches 1/α is at most α (Waudby-Smith & Ramdas 2020, section 2). A normal posterior density
    with standard deviation s about c falls to α·π₀(c) at a distance of s·√(−2·log(√(2π)·α·s·π₀(c))), the limit. On either
    side, s is derived from the posterior's own widened limits at 90 % or, if its tail is heavy, at a higher level up to
    this one, so that an interval of a higher level contains one of a lower. No limit is closer than s·√(2·log(1/α)).
    """
    draws, before, tiny = defined(basis.draws), defined(basis.before), np.finfo(float).tiny
    sure = SURE[: max(np.count_nonzero(level >= SURE), 1)]
    sides = np.array([arms(draws, basis.labels, at) for at in sure])
    centre, spread = float(sides[0, 0]), sides[:, 1:] / special.ndtri((1 + sure) / 2)[:, None]
    nearest = np.sort(np.abs(before - centre))[NEAREST - 1]
    density = NEAREST / (2 * len(before) * max(nearest, tiny))
    log_height = 0.5 * np.log(2 * np.pi) + np.log(max(spread[0].mean(), tiny)) + np.log(density)
    reach = np.sqrt(2 * (max(-log_height, 0.0) - np.log(1 - level)))
    below, above = reach * spread.max(axis=0)
    return around(basis, sides[0, 0], below, above, level, "anytime")
