"""Metrics that are ratios of two sums, as most are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sampleval._checks import fail
from sampleval.metrics.base import BEYOND, Better, Encoded, Metric
from sampleval.metrics.counts import Counts
from sampleval.metrics.makers import repeatable
from sampleval.metrics.shortcuts import Shortcuts
from sampleval.pool import Floats, Integers, Items, Kind


@repeatable
def ratio(
    name: str,
    title: str,
    summands: Callable[[Items, Encoded], tuple[NDArray[Any] | float, NDArray[Any] | float]],
    *,
    kinds: frozenset[Kind] = frozenset({"binary"}),
    range: tuple[float, float] = (0.0, 1.0),
    cells: Callable[[Items], Integers] | None = None,
    shortcuts: Shortcuts | None = None,
    total: bool = False,
    about: str = "",
    undefined: str = "",
    needs_positives: bool = False,
    phrase: str = "",
    unit: str = "",
    better: Better = "more",
    of_scores: bool = False,
) -> Metric:
    """The metric Σf / Σg of Y eq 1: ℓ = (f, g), G = R₁/R₂, Dg = (1, −G)/R₂.

    Arguments are those of `Metric`, except `summands`: (f, g) of n items and their labels, each (n,) or a number. The
    `range` must be given unless 0 ≤ f ≤ g for every label, as a label that breaks this is refused.

    >>> m = ratio("share", "Share", lambda items, y: (y, 1.0))
    >>> m.value(np.array([0.2, 0.8])).tolist()
    [0.25]
    """
    share = range == (0.0, 1.0)

    def loss(items: Items, y: Encoded) -> Floats:
        out = np.empty((len(y), 2))
        out[:, 0], out[:, 1] = summands(items, y)
        f, g = out.T
        if share and (((f < 0) | (f > g + BEYOND)) & np.isfinite(f)).any():
            rule = f"must be given where {name!r} is not a share, 0 ≤ f ≤ g for every label"
            fail("range", rule, range, remedy="range=(0, 5) for costs up to 5")
        return out

    def jacobian(risk: Floats) -> Floats:
        return np.array([[1.0, -risk[0] / risk[1]]]) / risk[1]

    return Metric(
        name,
        title,
        loss,
        lambda risk: risk[:1] / risk[1],
        jacobian,
        kinds,
        range,
        cells=cells,
        shortcuts=shortcuts or Shortcuts(),
        total=total,
        about=about,
        undefined=undefined,
        needs_positives=needs_positives,
        phrase=phrase,
        unit=unit,
        counts=Counts(share=share, nonnegative=range[0] == 0),
        better=better,
        of_scores=of_scores,
    )
