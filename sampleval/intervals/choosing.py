"""The registry of interval families, the choice between them, and the confidence that a metric reaches a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from scipy import optimize

from sampleval.intervals.anytime import anytime
from sampleval.intervals.base import Basis, Interval, joined
from sampleval.intervals.families import beta, korn_graubard, log_normal, logit, normal
from sampleval.intervals.posterior import posterior

LEAST = 1e-9  # least tail probability outside a limit
ROUNDING = 1e-12  # by how much a metric may miss a threshold that it equals: a total is a mean times the number of items


def probability_above(limits: Callable[[float], Interval], threshold: float) -> float:
    """Confidence that the metric is at least a threshold, by inverting the interval.

    It is the level at which the threshold would be a one-sided limit: (1 + level)/2 if the threshold is the lower limit
    at that level, (1 − level)/2 if it is the upper limit. For the Beta, the normal and Student's interval this is the
    upper tail of that distribution. If the intervals of all levels contain the threshold, as Korn–Graubard intervals do
    close to the estimate, it is 1/2. If they end at the threshold at many levels, as at the end of the metric's range,
    the metric may equal it, which counts.

    Args:
        limits: Function from a level to the interval.
        threshold: Value of the metric.

    Returns:
        In [0, 1]; `nan` if nothing is known.

    >>> from scipy.special import ndtr
    >>> basis = Basis(0.8, 0.04**2)
    >>> p = probability_above(lambda level: normal(basis, level), 0.75)
    >>> abs(p - ndtr(0.05 / 0.04)) < 1e-9
    np.True_
    """
    at = limits(0.5)
    if not at.known or np.isnan(at.low):
        return np.nan
    threshold -= ROUNDING * max(1.0, abs(threshold))
    if at.width == 0:
        return float(at.low >= threshold)

    below = _tail(lambda tail: threshold - limits(1 - 2 * tail).low)
    return 1 - below if below < 0.5 else _tail(lambda tail: limits(1 - 2 * tail).high - threshold)


def probability_below(limits: Callable[[float], Interval], threshold: float) -> float:
    """Confidence that the metric is at most a threshold: `probability_above` of the metric with the other sign."""

    def mirrored(level: float) -> Interval:
        found = limits(level)
        return replace(found, low=-found.high, high=-found.low)

    return probability_above(mirrored, -threshold)


def _tail(beyond: Callable[[float], float]) -> float:
    """The tail probability outside one limit, (1 − level)/2 in [LEAST, ½], at which the limit equals the threshold.

    How far the limit lies `beyond` the threshold falls with the tail probability.
    """

    def at(log: float) -> float:
        return float(np.clip(beyond(np.exp(log)), -1e300, 1e300))

    bottom, top = np.log(LEAST), np.log(0.5 - 1e-9)
    if at(top) >= 0:
        return 0.5
    if at(bottom) <= 0:
        return LEAST
    return float(np.exp(optimize.brentq(at, bottom, top, xtol=1e-12)))


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of interval.

    Attributes:
        limits: Function from the basis of an estimate and a level to its interval.
        title: Its name in words, for someone who has to choose.
        methods: The interval in words, as the methods section of a paper would put it.
        bounded: Whether it is for shares, that is, for metrics with both a smallest and a largest value.
    """

    limits: Callable[[Basis, float], Interval]
    title: str
    methods: str
    bounded: bool = False


STUDENT = (
    ", for metrics in which items have different costs, with Student’s t at the degrees of freedom "
    "that the labels’ unequal shares of the variance leave (Satterthwaite 1946)"
)
INTERVALS: MappingProxyType[str, Family] = MappingProxyType(
    {
        "korn-graubard": Family(
            korn_graubard,
            "Korn–Graubard (safe for few labels)",
            f"Korn–Graubard (Clopper–Pearson at the effective sample size{STUDENT})",
            bounded=True,
        ),
        "beta": Family(
            beta,
            "Beta (Yilmaz et al.; too narrow where few positives are found)",
            "Beta (moments matched, Yilmaz et al. 2021)",
            bounded=True,
        ),
        "logit": Family(logit, "Logit", f"normal on the log-odds scale{STUDENT}", bounded=True),
        "normal": Family(normal, "Normal (Wald)", f"normal (Wald){STUDENT}"),
        "log-normal": Family(log_normal, "Log-normal", f"normal on the scale of the logarithm{STUDENT}"),
        "posterior": Family(
            posterior,
            "Posterior (what the labels leave possible)",
            "quantiles of such draws, of which some assume errors where the labels have shown none and some assume that there "
            "are none",
        ),
        "anytime": Family(
            anytime,
            "Anytime (holds at every look at once)",
            "a confidence sequence: limits that hold at every number of labels at once, whenever labelling stops "
            "(a mixture of wagers on the weighted labels, Ville’s inequality)",
        ),
    }
)
# (whether a metric has a smallest value, whether it has a largest one) → in words.
ENDS = {
    (True, False): "no largest value",
    (False, True): "no smallest value",
    (False, False): "neither a smallest nor a largest value",
    (True, True): "a smallest and a largest value",
}


def suited(family: str, ends: tuple[float, float]) -> str:
    """The family to use for a metric with these ends of its range when `family` is asked for.

    Families for shares need both ends to be finite and rescale them to 0 and 1. With one finite end the log-normal
    interval stands in, on the distance to that end, and with none the normal interval.

    >>> suited("beta", (-1, 1)), suited("beta", (0, np.inf)), suited("beta", (-np.inf, np.inf))
    ('beta', 'log-normal', 'normal')
    """
    finite = int(np.isfinite(ends).sum())
    if INTERVALS[family].bounded:
        return ("normal", "log-normal", family)[finite]
    return "normal" if family == "log-normal" and finite != 1 else family


def interval(basis: Basis, level: float, family: str) -> Interval:
    """The interval at a level in (0, 1), of this family (a key in `INTERVALS`) or else one that suits the metric's range, as noted."""
    used = suited(family, basis.range)
    found = INTERVALS[used].limits(basis, level)
    if used == family or not found.known:
        return found
    low, high = np.isfinite(basis.range)
    why = f"a {used} interval, since the metric has {ENDS[bool(low), bool(high)]}"
    return replace(found, note=joined(why, found.note))
