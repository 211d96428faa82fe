"""The families of intervals: limits from an estimate and its variance, from its posterior, or from wagers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from sampleval.intervals.base import Basis, Interval, joined, nothing
from sampleval.intervals.effective import MOST, effective_size, limits, standing_in
from sampleval.numerals import many
from sampleval.pool import Floats

ROUNDING = 1e-12  # differences between draws up to this size are rounding errors
NOISE = 1e-24  # a variance up to this size, in units of the squared range, is a rounding error
SKEWED = 0.9  # central probability of a Beta distribution that must contain its mean
NEAREST = 25  # number of nearest draws from which the prior density is estimated
# Levels whose quantiles give a posterior's standard deviation. Those of lower levels are too noisy to extrapolate, and
# there are too few draws beyond those of higher levels.
SURE = np.array([0.9, 0.95, 0.99])
ANTICIPATED = "no variation was seen in the sample: the width is the one the belief predicts"
UNSHOWN = "no variation was seen, and nothing else shows how wide the interval should be"


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
    """Quantile of Student's t: the distance of limits from the estimate in standard errors, elementwise.

    Args:
        level: Coverage, in (0, 1).
        degrees: Degrees of freedom of the variance; infinite for the normal's quantile.

    >>> quantile(0.9).round(3), quantile(0.9, np.array([2.0, 30.0])).round(3).tolist()
    (np.float64(1.645), [2.92, 1.697])
    """
    told = np.asarray(special.stdtrit(degrees, (1 + level) / 2))
    if (told > 0).all():
        return told
    # SciPy returns 0 next to the median for exactly 4 or 6 degrees; P(|t| ≤ q) = I_x(½, ν/2) with x = q²/(ν + q²).
    x = special.betaincinv(0.5, np.asarray(degrees) / 2, level)
    return np.where(told > 0, told, np.sqrt(degrees * x / (1 - x)))


def doubt(level: float, degrees: Floats | float) -> Floats:
    """(t/z)², elementwise: factor on a variance with these degrees of freedom for limits that treat it as known.

    >>> doubt(0.9, np.array([2.0, 30.0, np.inf])).round(3).tolist()
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
            return nothing(basis, level, UNSHOWN)
    if not variance >= 0:
        return nothing(basis, level, "the variance cannot be estimated yet")
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

    It is for metrics without a largest value (errors, from 0 up) or without a smallest one (R², from 1 down).
    """
    low, high = basis.range
    if np.isfinite(low) == np.isfinite(high):
        return normal(basis, level)
    end, side = (low, 1.0) if np.isfinite(low) else (high, -1.0)
    distance = side * (basis.value - end)
    if not basis.variance > 0 or not distance > 0:
        return normal(basis, level)
    with np.errstate(over="ignore"):  # an infinite factor is a limit at infinity
        factor = np.exp(quantile(level, basis.degrees) * np.sqrt(basis.variance) / distance)
        ends = sorted((end + side * distance / factor, end + side * distance * factor))
    return Interval(float(ends[0]), float(ends[1]), level, "log-normal")


def logit(basis: Basis, level: float) -> Interval:
    """The normal interval on the log-odds scale, which stays inside the range."""
    p = basis.share
    if not basis.variance > 0 or not 0 < p < 1:
        return _fallback(basis, level, "logit", "estimate at an end of its range, or no variance")
    half = quantile(level, basis.degrees) * np.sqrt(basis.spread(basis.variance)) / (p * (1 - p))
    low, high = special.expit(special.logit(p) + half * np.array([-1.0, 1.0]))
    return _scaled(basis, level, float(low), float(high), "logit")


def stretch(labels: int) -> float:
    """Factor on the width of posterior limits, since true curves are rougher than those of the prior.

    It grows with the labels, as roughness then makes up more of the error. The constants were found on pools of
    many kinds, see `benchmarks/tried.md`.
    """
    return 1.05 + 0.2 * labels / (labels + 500)


def posterior(basis: Basis, level: float) -> Interval:
    """Equal-tailed quantiles of the posterior predictive draws, widened by `stretch`; the default family without draws."""
    draws = _defined(basis.draws)
    if len(draws) < 2:
        return _fallback(basis, level, "posterior", "the estimate has no posterior")
    return _around(basis, *_arms(draws, basis.labels, level), level, "posterior")


def posterior_limits(
    draws: Floats, value: Floats, labels: int, level: float, ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The limits of `posterior` for several estimates at once, (m,) each, from their draws, (J, m)."""
    return _ends(value, *_arms(draws, labels, level), ends)


def _defined(draws: Floats | None) -> Floats:
    """The draws that are defined, (≤ J,)."""
    return np.empty(0) if draws is None else draws[np.isfinite(draws)]


def _arms(draws: Floats, labels: int, level: float) -> tuple[Floats, Floats, Floats]:
    """The median of the draws, and the distances of the limits below and above it, before they are cut to the range.

    J draws tell no tail of less than 1/J: from there on the distances grow as those of a normal distribution do.
    """
    tail = (1 - level) / 2
    told = max(tail, min(1 / len(draws), 0.05))
    low, centre, high = np.nanquantile(draws, [told, 0.5, 1 - told], axis=0)
    beyond = special.ndtri(tail) / special.ndtri(told) if tail < told else 1.0
    wider = stretch(labels) * beyond
    below, above = np.maximum(wider * np.array([centre - low, high - centre]), _steps(draws, centre))
    return centre, below, above


def _steps(draws: Floats, centre: Floats) -> Floats:
    """Distance of the nearest other draws below and above the centre, (2, …): 0 if there is none, usually one label.

    Limits at this distance are needed if most draws agree although one unknown label could still change the metric.
    """
    gap = draws - centre
    gaps = np.array([np.where(gap < -ROUNDING, -gap, np.inf), np.where(gap > ROUNDING, gap, np.inf)])
    nearest = gaps.min(axis=1)
    return np.where(np.isfinite(nearest), nearest, 0.0)


def _around(
    basis: Basis, centre: Floats, below: Floats, above: Floats, level: float, method: str
) -> Interval:
    low, high = _ends(np.array(basis.value), centre, below, above, basis.range)
    return Interval(float(low), float(high), level, method)


def _ends(
    value: Floats, centre: Floats, below: Floats, above: Floats, ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Limits at these distances below and above the centre, cut to the range and extended to the estimate.

    The draws for limits allow for model error, which shifts them, so that at a low level they could exclude the estimate.
    Limits that differ by rounding are the estimate: where two systems disagree on labelled items alone, so do the draws.
    """
    low, high = np.minimum(centre - below, value), np.maximum(centre + above, value)
    open_ = high - low > ROUNDING
    return np.clip(np.where(open_, low, value), *ends), np.clip(np.where(open_, high, value), *ends)


def beta_parameters(basis: Basis) -> tuple[float, float] | None:
    """(a, b) of the Beta distribution with the estimate as mean and its variance (Y section 2.2); `None` if there is none."""
    p, v = basis.share, basis.spread(basis.variance)
    if not v > 0 or not 0 < p < 1:
        return None
    size = min(p * (1 - p) / v - 1, MOST)
    return (p * size, (1 - p) * size) if size > 0 else None


def beta(basis: Basis, level: float) -> Interval:
    """Equal-tailed Beta interval (Y section 2.2), extended to its mean; the default family if there is no such Beta."""
    parameters = beta_parameters(basis)
    if parameters is None:
        return _fallback(
            basis, level, "Beta", "estimate at an end of its range, or a variance that no Beta has"
        )
    mean, tail = basis.share, (1 - SKEWED) / 2
    # Checked at a fixed level, so that intervals of a higher level contain those of a lower one.
    if not tail <= special.betainc(*parameters, mean) <= 1 - tail:
        return _fallback(basis, level, "Beta", "next to an end nearly all of it lies beyond its own mean")
    low, high = special.betaincinv(*parameters, [(1 - level) / 2, (1 + level) / 2])
    return _scaled(basis, level, min(float(low), mean), max(float(high), mean), "beta")


def korn_graubard(basis: Basis, level: float) -> Interval:
    """Clopper–Pearson limits at n* = F(1−F)/V, at least `counted` (Korn & Graubard 1998).

    V is multiplied by (t(df)/z)², as in R's `survey::svyciprop(method="beta")`, which has t(n − 1) for z. For shares df is
    infinite: the designs have no clusters, and `study.conclusions.variances` allows for small numbers of labels.
    """
    p, v = basis.share, basis.spread(basis.variance)
    own = effective_size(p, v * doubt(level, basis.degrees), basis.counted)
    size, believed = map(
        float,
        standing_in(own, basis.portion(basis.predicted), basis.spread(basis.anticipated), basis.telling),
    )
    note = ANTICIPATED if not own > 0 and size == believed else ""
    if v == 0 < size and not note:
        note = f"no variation was seen: the limits are those of {many(size, 'item')}, all alike"
    if not size > 0:
        return nothing(basis, level, UNSHOWN)
    low, high = limits(p, size, level)
    return _scaled(basis, level, float(low), float(high), "korn-graubard", note)


def _fallback(basis: Basis, level: float, wanted: str, why: str) -> Interval:
    """The default family for the range, with a note that the `wanted` family is not defined for this estimate."""
    instead = (korn_graubard if np.isfinite(basis.range).all() else log_normal)(basis, level)
    note = f"the {wanted} interval is not defined here ({why})"
    return replace(instead, note=joined(note, instead.note))


def _scaled(basis: Basis, level: float, low: float, high: float, method: str, note: str = "") -> Interval:
    """The interval with limits given as shares, rescaled to the metric's range."""
    bottom, top = basis.range
    return Interval(bottom + low * (top - bottom), bottom + high * (top - bottom), level, method, note)


def anytime(basis: Basis, level: float) -> Interval:
    """Limits that hold at every look at once, from wagers or else from a posterior; the whole range without either.

    They are extended to the estimate.
    """
    if basis.wagers is not None:
        low, high = basis.wagers.limits(level)
        value = np.array(basis.value)
        found = _around(basis, value, value - low, high - value, level, "anytime")
    elif len(_defined(basis.draws)) >= 2 and len(_defined(basis.before)) >= NEAREST:
        found = prior_posterior(basis, level)
    else:
        return nothing(basis, level, "no interval for any look is known here")
    if (found.low, found.high) == basis.range:
        return nothing(basis, level, "there are too few labels for an interval that holds at any look")
    return found


def prior_posterior(basis: Basis, level: float) -> Interval:
    """The values whose posterior density is at least 1 − level times their prior density.

    If the prior is right, the ratio of prior to posterior density at the true value is a martingale with mean 1. So the
    probability that it ever reaches 1/α is at most α (Waudby-Smith & Ramdas 2020, section 2). A normal posterior density
    with standard deviation s about c falls to α·π₀(c) at a distance of s·√(−2·log(√(2π)·α·s·π₀(c))), the limit. On either
    side, s is derived from the posterior's own widened limits at 90 % or, if its tail is heavy, at a higher level up to
    this one, so that an interval of a higher level contains one of a lower. No limit is closer than s·√(2·log(1/α)).
    """
    draws, before, tiny = _defined(basis.draws), _defined(basis.before), np.finfo(float).tiny
    sure = SURE[: max(np.count_nonzero(level >= SURE), 1)]
    arms = np.array([_arms(draws, basis.labels, at) for at in sure])
    centre, spread = float(arms[0, 0]), arms[:, 1:] / special.ndtri((1 + sure) / 2)[:, None]
    nearest = np.sort(np.abs(before - centre))[NEAREST - 1]
    density = NEAREST / (2 * len(before) * max(nearest, tiny))
    log_height = 0.5 * np.log(2 * np.pi) + np.log(max(spread[0].mean(), tiny)) + np.log(density)
    reach = np.sqrt(2 * (max(-log_height, 0.0) - np.log(1 - level)))
    below, above = reach * spread.max(axis=0)
    return _around(basis, arms[0, 0], below, above, level, "anytime")
