"""What an interval is, and what it is computed from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sampleval.intervals.wagers import Wagers
from sampleval.pool import Floats

LEVEL = 0.9  # coverage aimed at where no other is asked for


@dataclass(frozen=True, slots=True)
class Interval:
    """Limits of a metric.

    Attributes:
        low: Lower limit.
        high: Upper limit.
        level: Nominal coverage in (0, 1).
        method: The interval's name, "census" when every item is labelled, "bounds" when only answers not given are
            open, "none" when nothing is known.
        note: Why it is not the one asked for, or "".
    """

    low: float
    high: float
    level: float
    method: str
    note: str = ""

    @property
    def width(self) -> float:
        """high − low."""
        return self.high - self.low

    @property
    def known(self) -> bool:
        """Whether it says anything: where it does not, it is the whole range."""
        return self.method != "none"

    def is_exactly(self, value: float) -> bool:
        """Whether it leaves this value alone, but for rounding: a total is a mean times the items.

        >>> third = 22 * (15 / 22)
        >>> Interval(third, third, 0.9, "census").is_exactly(15), Interval(14, 15, 0.9, "beta").is_exactly(15)
        (True, False)
        """
        return self.width == 0 and math.isclose(self.low, value, rel_tol=1e-12, abs_tol=1e-12)

    @property
    def sure(self) -> str:
        """The level in percent, with the digits it has: "90%", "99.5%"."""
        return f"{100 * self.level:g}%"


def joined(*notes: str) -> str:
    """Notes as one, in their order; empty and repeated ones are left out.

    >>> joined("few positives", "", "an answer waits", "few positives")
    'few positives; an answer waits'
    """
    return "; ".join(dict.fromkeys(filter(None, notes)))


@dataclass(frozen=True, slots=True)
class Basis:
    """What an interval is computed from.

    Attributes:
        value: The estimate.
        variance: Its estimated variance; `nan` if the sample cannot tell.
        anticipated: Variance that the belief predicts for this sample (V_model), `nan` if none.
        predicted: The value that the belief predicts, `nan` if none.
        range: Smallest and largest possible value of the metric.
        draws: Draws from the estimator's posterior, (J,); `None` from one that has none.
        before: The same before any label, (J,); `None` where limits need not hold at every look.
        labels: Labels that the estimate rests on.
        degrees: Degrees of freedom of the variance; infinite if it is as good as known.
        counted: Items that it rests on at least, whatever variation was seen; 0 if that is not known.
        telling: Labels that could have shown variation: without any, a belief counts for no more; infinite if not known.
        wagers: What the labels allow to bet on the metric, for limits that hold at every look.
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
    counted: float = 0.0
    telling: float = np.inf
    wagers: Wagers | None = None

    @property
    def varies(self) -> bool:
        """Whether the sample alone tells how sure to be: some variance, and not at an end of the range."""
        return bool(self.variance > 0 and self.range[0] < self.value < self.range[1])

    @property
    def share(self) -> float:
        """The estimate as a share of its range."""
        return min(max(self.portion(self.value), 0.0), 1.0)

    def portion(self, value: float) -> float:
        """A value in units of the range, from its lower end."""
        low, high = self.range
        return (value - low) / (high - low)

    def spread(self, variance: float) -> float:
        """A variance in units of the range."""
        return variance / (self.range[1] - self.range[0]) ** 2


def joined_limits(
    found: Interval, centre: float, below: float, above: float, ends: tuple[float, float]
) -> Interval:
    """Limits that also allow for distances from another source: √(a² + b²) on either side (MOVER, Zou & Donner 2008).

    Args:
        found: Limits otherwise.
        centre: The estimate.
        below: The other distance below it.
        above: That above it.
        ends: Smallest and largest possible value.
    """
    low = centre - np.hypot(centre - found.low, below)
    high = centre + np.hypot(found.high - centre, above)
    low, high = np.clip([low, high], *ends)
    return replace(found, low=float(low), high=float(high))


def nothing(basis: Basis, level: float, note: str) -> Interval:
    """The whole range: what can be said when nothing is known."""
    return Interval(*basis.range, level, "none", note)
