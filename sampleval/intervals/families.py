"""The families of intervals that follow from an estimate and its variance: normal, logit, Beta, Korn–Graubard."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from sampleval.intervals.base import Basis, Interval, joined, nothing
from sampleval.intervals.binomial import clopper_pearson
from sampleval.intervals.effective import MOST, effective_size, standing_in
from sampleval.numerals import many
from sampleval.pool import Floats

NOISE = 1e-24  # a variance up to this size, in units of the squared range, is a rounding error
SKEWED = 0.9  # central probability of a Beta distribution that must contain its mean
ANTICIPATED = "no variation was seen in the sample: the width is the one the belief predicts"
UNSHOWN = "no variation was seen, and nothing else shows how wide the interval should be"
VAGUE = 1e6  # factor between the distances of an estimate and of its log-normal limits from which they say nothing
TOO_VAGUE = "with so few labels the limits would lie many orders of magnitude apart"


def possible_variance(variance: Floats, value: Floats, ends: tuple[float, float]) -> Floats:
    """Variances of estimates, set to 0 where they are rounding errors relative to the range or, if infinite, to the value.

    With a finite range a variance is at most a quarter of its square (Popoviciu). The delta method may give more near
    points where a ratio is undefined.

    >>> possible_variance(np.array([1e-4, 1e-30, -1e-40, 368.0, np.nan]), np.zeros(5), (0.0, 1.0)).tolist()
    [0.0001, 0.0, 0.0, 0.25, nan]
    """
    bounded = bool(np.isfinite(ends).all())
    size = ends[1] - ends[0] if bounded else np.abs(value)
    # Roots are compared, since the square of a large number may overflow.
    found = np.where(np.sqrt(np.maximum(variance, 0.0)) <= np.sqrt(NOISE) * size, 0.0, variance)
    return np.minimum(found, (ends[1] - ends[0]) ** 2 / 4) if bounded else found


def quantile(level: float, degrees: Floats | float = np.inf) -> Floats:
    """Quantile of Student's t at a coverage in (0, 1): the distance of limits from the estimate in standard errors, elementwise.

    Infinite degrees of freedom give the normal's quantile.

    >>> quantile(0.9).round(3), quantile(0.9, np.array([2.0, 30.0])).round(3).tolist()
    (np.float64(1.645), [2.92, 1.697])
    """
    told = np.asarray(special.stdtrit(degrees, (1 + level) / 2))
    if (told > 0).all():
        return told
    # SciPy returns 0 next to the median for exactly 4 or 6 degrees; P(|t| ≤ q) = I_x(½, ν/2) with x = q²/(ν + q²).
    x = special.betaincinv(0.5, np.asarray(degrees) / 2, level)
    return np.where(told > 0, told, np.sqrt(degrees * x / (1 - x)))


def student_factor(level: float, degrees: Floats | float) -> Floats:
    """(t/z)², elementwise: factor on a variance with these degrees of freedom for limits that treat it as known.

    >>> student_factor(0.9, np.array([2.0, 30.0, np.inf])).round(3).tolist()
    [3.151, 1.065, 1.0]
    """
    return np.asarray((quantile(level, degrees) / quantile(level)) ** 2)


def normal(basis: Basis, level: float) -> Interval:
    """value ± t·√V, cut to the range (Wald); t is the normal quantile for infinite degrees of freedom."""
    variance, note = basis.variance, ""
    if variance == 0 and basis.anticipated >= 0:
        foreseen = possible_variance(np.array(basis.anticipated), np.array(basis.value), basis.range)
        variance, note = float(foreseen), ANTICIPATED
        if variance == 0:  # a belief at a maximum of the metric: to first order no label changes it
            return nothing(basis.range, level, UNSHOWN)
    if not variance >= 0:
        return nothing(basis.range, level, "the variance cannot be estimated yet")
    half = quantile(level, basis.degrees) * np.sqrt(variance)
    low, high = basis.range
    return Interval(
        float(np.clip(basis.value - half, low, high)),
        float(np.clip(basis.value + half, low, high)),
        level,
        "normal",
        note,
    )


def log_normal(basis: Basis, level: float) -> Interval:
    """The normal interval for the logarithm of the distance to the only finite end of the range.

    It is for metrics without a largest value (errors, from 0 up) or without a smallest one (R², from 1 down). Limits
    from two labels with a single degree of freedom may have hundreds of digits; beyond a factor of a million they are
    the whole range.
    """
    low, high = basis.range
    if np.isfinite(low) == np.isfinite(high):
        return normal(basis, level)
    end, side = (low, 1.0) if np.isfinite(low) else (high, -1.0)
    distance = side * (basis.value - end)
    if not basis.variance > 0 or not distance > 0:
        return normal(basis, level)
    half = quantile(level, basis.degrees) * np.sqrt(basis.variance) / distance
    if half > np.log(VAGUE):
        return nothing(basis.range, level, TOO_VAGUE)
    factor = np.exp(half)
    ends = sorted((end + side * distance / factor, end + side * distance * factor))
    return Interval(float(ends[0]), float(ends[1]), level, "log-normal")


def logit(basis: Basis, level: float) -> Interval:
    """The normal interval on the log-odds scale, which stays inside the range."""
    p = basis.share
    if not basis.variance > 0 or not 0 < p < 1:
        return fallback(basis, level, "logit", "estimate at an end of its range, or no variance")
    half = quantile(level, basis.degrees) * np.sqrt(basis.portion_variance(basis.variance)) / (p * (1 - p))
    low, high = special.expit(special.logit(p) + half * np.array([-1.0, 1.0]))
    return _scaled(basis, level, float(low), float(high), "logit")


def beta_parameters(basis: Basis) -> tuple[float, float] | None:
    """(a, b) of the Beta distribution with the estimate as mean and its variance (Y section 2.2); `None` if there is none."""
    p, v = basis.share, basis.portion_variance(basis.variance)
    if not v > 0 or not 0 < p < 1:
        return None
    size = min(p * (1 - p) / v - 1, MOST)
    return (p * size, (1 - p) * size) if size > 0 else None


def beta(basis: Basis, level: float) -> Interval:
    """Equal-tailed Beta interval (Y section 2.2), extended to its mean.

    The default family stands in if there is no such Beta, or if its mean lies outside its own central 90%.
    """
    parameters = beta_parameters(basis)
    if parameters is None:
        return fallback(
            basis, level, "Beta", "estimate at an end of its range, or a variance that no Beta has"
        )
    mean, tail = basis.share, (1 - SKEWED) / 2
    # Checked at a fixed level, so that intervals of a higher level contain those of a lower one.
    if not tail <= special.betainc(*parameters, mean) <= 1 - tail:
        return fallback(basis, level, "Beta", "next to an end nearly all of it lies beyond its own mean")
    low, high = special.betaincinv(*parameters, [(1 - level) / 2, (1 + level) / 2])
    return _scaled(basis, level, min(float(low), mean), max(float(high), mean), "beta")


def korn_graubard(basis: Basis, level: float) -> Interval:
    """Clopper–Pearson limits at n* = F(1−F)/V, at least `least_size` (Korn & Graubard 1998).

    V is multiplied by (t(df)/z)², as in R's `survey::svyciprop(method="beta")`, which has t(n − 1) for z. For shares df is
    infinite: the designs have no clusters, and `study.conclusions.variances` allows for small numbers of labels.
    """
    p, v = basis.share, basis.portion_variance(basis.variance)
    size, note = float(effective_size(p, v * student_factor(level, basis.degrees), basis.least_size)), ""
    if not size > 0:
        foreseen, believed = standing_in(
            p,
            size,
            basis.portion(basis.predicted),
            basis.portion_variance(basis.anticipated),
            basis.telling,
        )
        if not foreseen > 0:
            return nothing(basis.range, level, UNSHOWN)
        size, note = float(foreseen), ANTICIPATED if foreseen == believed else ""
    if v == 0 and not note:
        note = f"no variation was seen: the limits are those of {many(size, 'item')}, all alike"
    low, high = clopper_pearson(size * p, size * (1 - p), level)
    return _scaled(basis, level, float(low), float(high), "korn-graubard", note)


def fallback(basis: Basis, level: float, wanted: str, why: str) -> Interval:
    """The default family for the range, with a note that the `wanted` family is not defined for this estimate."""
    instead = (korn_graubard if np.isfinite(basis.range).all() else log_normal)(basis, level)
    note = f"the {wanted} interval is not defined here ({why})"
    return replace(instead, note=joined(note, instead.note))


def _scaled(basis: Basis, level: float, low: float, high: float, method: str, note: str = "") -> Interval:
    """The interval with limits given as shares, rescaled to the metric's range."""
    bottom, top = basis.range
    return Interval(bottom + low * (top - bottom), bottom + high * (top - bottom), level, method, note)
