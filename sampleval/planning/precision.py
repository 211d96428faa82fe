"""The precision that people ask for, in a unit that suits the metric."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sampleval.metrics import Metric


@dataclass(frozen=True, slots=True)
class Precision:
    """A choice of ± x.

    Attributes:
        usual: The value to begin with.
        step: By how much to change it.
        most: The largest value that makes sense; `None` if there is no limit.
    """

    usual: float
    step: float
    most: float | None = None


def precision_for(metric: Metric, width: float) -> Precision:
    """± 0.05 for a metric between 0 and 1; for others about half the width that a plan expects, rounded up to one digit.

    >>> from sampleval.metrics import resolve
    >>> precision_for(resolve("f1"), 0.2)
    Precision(usual=0.05, step=0.005, most=0.5)
    >>> precision_for(resolve("rmse"), 6400.0), precision_for(resolve("rmse"), math.nan)
    (Precision(usual=4000.0, step=1000.0, most=None), Precision(usual=1.0, step=0.1, most=None))
    """
    if metric.fraction:
        return Precision(0.05, 0.005, 0.5)
    half = width / 2
    if not 0 < half < math.inf:
        return Precision(1.0, 0.1)
    step = 10.0 ** math.floor(math.log10(half))
    return Precision(math.ceil(half / step) * step, step)
