"""The family of limits from posterior draws of a metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from sampleval.intervals.base import Basis, Interval
from sampleval.intervals.families import fallback
from sampleval.pool import Floats

ROUNDING = 1e-12  # differences between draws up to this size are rounding errors


def stretch(labels: int) -> float:
    """Factor on the width of posterior limits, since true curves are rougher than those of the prior.

    It grows with the labels, as roughness then makes up more of the error. The constants were found on pools of
    many kinds, see `benchmarks/tried.md`.
    """
    return 1.05 + 0.2 * labels / (labels + 500)


def posterior(basis: Basis, level: float) -> Interval:
    """Equal-tailed quantiles of the posterior predictive draws, widened by `stretch`; the default family without draws."""
    draws = defined(basis.draws)
    if len(draws) < 2:
        return fallback(basis, level, "posterior", "the estimate has no posterior")
    return around(basis, *arms(draws, basis.labels, level), level, "posterior")


def posterior_limits(
    draws: Floats, value: Floats, labels: int, level: float, ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The limits of `posterior` for several estimates at once, (m,) each, from their draws, (J, m)."""
    return _ends(value, *arms(draws, labels, level), ends)


def defined(draws: Floats | None) -> Floats:
    """The draws that are defined, (≤ J,)."""
    return np.empty(0) if draws is None else draws[np.isfinite(draws)]


def arms(draws: Floats, labels: int, level: float) -> tuple[Floats, Floats, Floats]:
    """The median of the draws, and the distances of the limits below and above it, before they are cut to the range.

    J draws tell no tail of less than 1/J: from there on the distances grow as those of a normal distribution do.
    """
    tail = (1 - level) / 2
    told = max(tail, min(1 / len(draws), 0.05))
    low, centre, high = quantiles(draws, [told, 0.5, 1 - told])
    beyond = special.ndtri(tail) / special.ndtri(told) if tail < told else 1.0
    wider = stretch(labels) * beyond
    below, above = np.maximum(wider * np.array([centre - low, high - centre]), _steps(draws, centre))
    return centre, below, above


def quantiles(draws: Floats, at: Sequence[float]) -> Floats:
    """Quantiles of the draws that are defined, (J, …) to (len(at), …)."""
    found = np.quantile(draws, at, axis=0)
    gaps = np.isnan(draws).any(axis=0)
    if gaps.any():  # NumPy goes through such columns one by one
        found[:, gaps] = np.nanquantile(draws[:, gaps], at, axis=0)
    return found


def _steps(draws: Floats, centre: Floats) -> Floats:
    """Distance of the nearest other draws below and above the centre, (2, …): 0 if there is none, usually one label.

    Limits at this distance are needed if most draws agree although one unknown label could still change the metric.
    """
    gap = draws - centre
    gaps = np.array([np.where(gap < -ROUNDING, -gap, np.inf), np.where(gap > ROUNDING, gap, np.inf)])
    nearest = gaps.min(axis=1)
    return np.where(np.isfinite(nearest), nearest, 0.0)


def around(basis: Basis, centre: Floats, below: Floats, above: Floats, level: float, method: str) -> Interval:
    """The interval at these distances below and above the centre, with the ends of `_ends`."""
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
