"""Intervals, and the quantities that they are computed from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sampleval.intervals.wagers import Wagers
from sampleval.numerals import limits, sure
from sampleval.pool import Floats

LEVEL = 0.9  # default level


@dataclass(frozen=True, slots=True)
class Interval:
    """Limits of a metric.

    Attributes:
        low: Lower limit.
        high: Upper limit.
        level: Nominal coverage in (0, 1).
        method: Key of the family; "census" if every item is labelled, "bounds" if only missing answers are unknown,
            "none" if nothing is known.
        note: Why it is not the interval asked for, or other remarks; "" if there are none.
    """

    low: float
    high: float
    level: float
    method: str
    note: str = ""

    def __str__(self) -> str:
        """The level and the limits, rounded outwards.

        >>> print(Interval(0.1311, 0.4229, 0.9, "beta"))
        90% interval 0.13 to 0.43
        """
        return f"{self.sure} interval {limits(self.low, self.high)}"

    @property
    def width(self) -> float:
        """high − low."""
        return self.high - self.low

    @property
    def known(self) -> bool:
        """Whether the interval is informative; otherwise it is the whole range."""
        return self.method != "none"

    @property
    def sure(self) -> str:
        """The level in percent: "90%", "99.5%"."""
        return sure(self.level)


def joined(*notes: str) -> str:
    """The notes joined by semicolons in their order, without empty and repeated ones.

    >>> joined("few positives", "", "an answer waits", "few positives")
    'few positives; an answer waits'
    """
    return "; ".join(dict.fromkeys(filter(None, notes)))


@dataclass(frozen=True, slots=True)
class Basis:
    """The quantities that an interval is computed from.

    Attributes:
        value: The estimate.
        variance: Its estimated variance; `nan` if the sample does not allow an estimate.
        anticipated: Variance expected under the belief for this sample (V_model), `nan` if none.
        predicted: Value expected under the belief, `nan` if none.
        range: Smallest and largest possible value of the metric.
        draws: Draws from the estimator's posterior, (J,); `None` if it has none.
        before: Draws from the posterior before any label, (J,); `None` if limits need not hold at every look.
        labels: Number of labels that the estimate rests on.
        degrees: Degrees of freedom of the variance; infinite if it counts as known.
        least_size: Lower bound of the effective size, whatever the variance; 0 if there is none.
        telling: Number of labels that could have shown variation, which caps the effective size that the belief implies
            if none did; infinite if not known.
        wagers: The wagers on the metric, for limits that hold at every look.
    """

    value: float
    variance: float
    anticipated: float = np.nan
    predicted: float = np.nan
    range: tuple[float, float] = (0.0, 1.0)
    draws: Floats | None = None
    before: Floats | None = None
    labels: int = 0
    degrees: float = np.inf
    least_size: float = 0.0
    telling: float = np.inf
    wagers: Wagers | None = None

    @property
    def varies(self) -> bool:
        """Whether the sample alone gives limits: its variance is positive and the value not at an end of the range."""
        return bool(self.variance > 0 and self.range[0] < self.value < self.range[1])

    @property
    def share(self) -> float:
        """The estimate as a share of its range."""
        return min(max(self.portion(self.value), 0.0), 1.0)

    def portion(self, value: float) -> float:
        """A value rescaled so that the range is [0, 1]."""
        low, high = self.range
        return (value - low) / (high - low)

    def portion_variance(self, variance: float) -> float:
        """A variance rescaled to a range of [0, 1]."""
        return variance / (self.range[1] - self.range[0]) ** 2


def joined_limits(
    found: Interval, centre: float, below: float, above: float, ends: tuple[float, float]
) -> Interval:
    """Limits combined with those of an independent error: distances √(a² + b²) on either side (MOVER, Zou & Donner 2008).

    That error alone has limits at the distances `below` and `above`; `ends` are the smallest and largest possible value.
    """
    low = centre - np.hypot(centre - found.low, below)
    high = centre + np.hypot(found.high - centre, above)
    low, high = np.clip([low, high], *ends)
    return replace(found, low=float(low), high=float(high))


def nothing(ends: tuple[float, float], level: float, note: str) -> Interval:
    """The whole range, from one end to the other, for an estimate about whose error nothing is known."""
    return Interval(*ends, level, "none", note)
