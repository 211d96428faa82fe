"""The precision that people ask for, in a unit that suits the metric."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sampleval.metrics import Metric


@dataclass(frozen=True, slots=True)
class Precision:
    """A choice of ± x.

    Attributes:
        usual: The value to begin with, > 0.
        step: By how much to change it, > 0.
        most: The largest value that makes sense; `None` if there is no limit.
    """

    usual: float
    step: float
    most: float | None = None


def precision_for(metric: Metric, width: float) -> Precision:
    """± 0.05 for a metric between 0 and 1; for others about half the width that a plan expects, rounded up to one digit.

    A width that cannot be foreseen is `nan` or infinite.

    >>> from sampleval.metrics import resolve
    >>> precision_for(resolve("f1"), 0.2)
    Precision(usual=0.05, step=0.005, most=0.5)
    >>> precision_for(resolve("rmse"), 6400.0), precision_for(resolve("rmse"), math.nan)
    (Precision(usual=4000.0, step=1000.0, most=None), Precision(usual=1.0, step=0.1, most=None))
    >>> [precision_for(resolve("rmse"), 2 * half).usual for half in (0.07, 0.3, 0.91, 5e-6)]
    [0.07, 0.3, 1.0, 5e-06]
    """
    if metric.fraction:
        return Precision(0.05, 0.005, 0.5)
    half = width / 2
    if not 0 < half < math.inf:
        return Precision(1.0, 0.1)
    digits = math.floor(math.log10(half))
    step = float(f"1e{digits}")
    most = math.ceil(round(half / step, 9))  # 0.07 / 0.01 is a little more than 7
    return Precision(float(f"{most}e{digits}"), step)
