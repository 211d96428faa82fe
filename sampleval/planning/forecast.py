"""Forecast of the labels that a running study needs: the plan's anticipated variance, scaled to the measured one."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from sampleval.designs import Design, Profile
from sampleval.planning.ranges import UNKNOWN, BudgetRange, first
from sampleval.pool import Floats

# Bounds of log(labels needed / labels forecast): a constant, plus a constant over the root of the rarer outcomes seen. They were
# measured on synthetic and demo pools, so that about nine studies in ten end within them. Where calibrations are drawn from the
# prior, .90 to 1.0 of studies do by `queue` and `uniform`, but .73 to .93 by `recommended`, from 30 to 200 labels.
SOONER = (0.1, 1.0)
LATER = (0.1, 2.5)


def forecast(design: Design, profile: Profile, labels: int, narrower: float, outcomes: float) -> BudgetRange:
    """Total number of labels M at which an interval will be `narrower` times as wide as it is after `labels`.

    Width is proportional to the root of the variance, so that V(M) = narrower²·V(labels). V is the anticipated variance:
    its shape comes from the plan, its size from the present width.

    Args:
        design: The design.
        profile: The profile of the pool, with the expected squares of the metric.
        labels: Number of labels given, ≥ 1.
        narrower: Wanted width divided by the present one, in (0, 1).
        outcomes: Result of `rarer_outcomes` for the present interval.

    Returns:
        At least one label more than now, at most all that may be asked; `nan` if the plan expects no variance.
    """
    wanted = narrower**2 * variance_at(design, profile, labels)
    if not wanted > 0:
        return UNKNOWN
    most = max(profile.eligible, labels)
    likely = first(lambda m: variance_at(design, profile, m) <= wanted, labels, most)
    sooner, later = strays(outcomes)
    low, high = np.floor(likely * sooner), np.ceil(likely * later)
    return BudgetRange(float(max(low, min(labels + 1, most))), float(likely), float(min(high, most)))


def narrowed(design: Design, profile: Profile, labels: int, more: int, outcomes: float) -> Floats:
    """The width of an interval after `more` labels beyond `labels`, as a multiple of its width now: what `forecast` reads backwards.

    Other arguments are those of `forecast`.

    Returns:
        The least, the likely and the largest multiple, (3,), in [0, 1]; `nan` if the plan expects no variance.
    """
    now, most = variance_at(design, profile, labels), max(profile.eligible, labels)
    if not now > 0:
        return np.full(3, np.nan)
    sooner, later = strays(outcomes)
    reached = np.clip((labels + more) / np.array([sooner, 1.0, later]), labels, most)
    return np.sqrt([variance_at(design, profile, m) / now for m in reached])


def strays(outcomes: Floats | float) -> Floats:
    """Lower and upper bound of the labels that widths really need, as multiples of the forecast, for so many rarer outcomes, (2, …)."""
    root = np.sqrt(np.maximum(outcomes, 1.0))
    return np.exp([-SOONER[0] - SOONER[1] / root, LATER[0] + LATER[1] / root])


def variance_at(design: Design, profile: Profile, budget: float) -> float:
    """Anticipated variance at one budget."""
    return float(design.variance(profile, np.array([budget], float))[0])


def rarer_outcomes(
    value: Floats | float,
    width: Floats | float,
    level: float,
    scope: tuple[float, float],
    labels: Floats | float,
) -> Floats:
    """Effective number of the rarer outcome behind intervals of a share: 2·n*·min(F, 1−F), n* = F(1−F)/V.

    An interval that rests on few of them may narrow much sooner or much later than its width suggests. For metrics
    without two finite ends, which have no such outcomes, it is a fourth of the labels, since a few large errors dominate.

    Args:
        value: F, one or more.
        width: Width of the interval around each, in the same unit.
        level: Coverage of these intervals.
        scope: Smallest and largest possible value, in the same unit.
        labels: Number of labels behind each.

    >>> float(rarer_outcomes(0.5, 0.2, 0.9, (0, 1), 70).round())
    68.0
    """
    low, high = scope
    if not np.isfinite(high - low):
        return np.broadcast_arrays(np.divide(labels, 4), value)[0]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        error = np.asarray(width) / (high - low) / 2 / ndtri((1 + level) / 2)
        share = np.clip((value - low) / (high - low), np.minimum(error, 0.5), np.maximum(1 - error, 0.5))
        seen = 2 * share * (1 - share) * np.minimum(share, 1 - share) / error / error
    return np.where(error > 0, seen, np.inf)
