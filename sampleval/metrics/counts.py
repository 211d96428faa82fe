"""What is known of the sums that R consists of, on which limits and means over classes rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from sampleval._checks import fail
from sampleval.metrics.jacobians import Map
from sampleval.pool import Floats

if TYPE_CHECKING:
    from sampleval.metrics.base import Metric

OfClass = Literal["", "count", "ratio"]


@dataclass(frozen=True, slots=True)
class Counts:
    """What the sums in R are, where that is known; the limits of a metric that says nothing of them rest on less.

    Attributes:
        share: Whether G = R₁/R₂ with 0 ≤ ℓ₁ ≤ ℓ₂, so that it is one part of a whole.
        wholes: A linear map from R to the whole of which each component is a share, (m,). For a `share` it is R₂. It
            tells how many of the labels could have shown that the metric varies. Of several R side by side, (d, J), it gives
            (m, J). `None` where the whole is not known.
        nonnegative: Whether ℓ ≥ 0 for every label. The sum over the labelled items is then a lower bound of N·R.
        per_class: Whether R = (TP₁..TP_C, FP₁..FP_C, FN₁..FN_C, 1).
        of_class: How a metric by class depends on items of the class, which only labels of that class reveal when they
            are missed. "ratio" if they are in the denominator, as for recall; "count" if it only counts them; "" if
            labels of any class inform it equally, as for precision.
        averages: The metrics by class whose plain means over the classes this one is made of.
        slopes: The map from R to the slopes of this metric along these means. `None` if it is such a mean itself.
    """

    share: bool = False
    wholes: Map | None = None
    nonnegative: bool = False
    per_class: bool = False
    of_class: OfClass = ""
    averages: tuple[Metric, ...] = ()
    slopes: Callable[[Floats], Sequence[float | Floats]] | None = None

    def __post_init__(self) -> None:
        if self.share and self.wholes is None:
            object.__setattr__(self, "wholes", _second)
        if len(self.averages) > 1 and self.slopes is None:
            fail("slopes", "must be given where a metric is made of several means", self.slopes)

    @property
    def mean_of(self) -> Metric | None:
        """The metric by class of which this one is the plain mean; `None` if there is none."""
        return self.averages[0] if self.averages and self.slopes is None else None

    def by_classes(self, risk: Floats) -> list[tuple[Metric, float]]:
        """The metrics by class whose means it is made of, each with the slope along that mean; empty if there are none."""
        if self.slopes is None:
            return [(each, 1.0) for each in self.averages]
        with np.errstate(all="ignore"):
            slopes = map(float, self.slopes(risk))
        return list(zip(self.averages, slopes, strict=True))

    def whole_slopes(self, d: int) -> Floats:
        """`wholes` as a matrix, (d, m): it is linear in R."""
        assert self.wholes is not None
        return np.ascontiguousarray(np.asarray(self.wholes(np.eye(d)), float).T)

    def each(self, wrapped: Callable[[Metric], Metric]) -> Counts:
        """The same facts of a metric that is wrapped in some way, as its metrics by class then are."""
        return replace(self, averages=tuple(map(wrapped, self.averages)))

    def beside(self, other: Counts, minus: Callable[[Metric, Metric], Metric]) -> Counts:
        """What is known of R = (R₁, R₂) of a difference; its means are those of its terms pair by pair.

        They are known if both of a pair need labels of a class for the same reason.
        """
        reasons, others = ([each.counts.of_class for each in known.averages] for known in (self, other))
        pairs = zip(self.averages, other.averages, strict=True) if reasons == others else ()
        plain = self.slopes is None and other.slopes is None
        return Counts(
            nonnegative=self.nonnegative and other.nonnegative,
            of_class=self.of_class if self.of_class == other.of_class else "",
            averages=tuple(minus(one, its) for one, its in pairs),
            slopes=None if plain or reasons != others else (lambda risk: _steeper(self, other, risk)),
        )


def _steeper(one: Counts, other: Counts, risk: Floats) -> list[float]:
    """The slope along each pair of means, which is the steeper of both."""
    known = (counts.by_classes(half) for counts, half in zip((one, other), np.split(risk, 2), strict=True))
    return [max(slope, its) for (_, slope), (_, its) in zip(*known, strict=True)]


def _second(risk: Floats) -> Floats:
    """`Counts.wholes` of a share R₁/R₂."""
    return risk[1:2]
