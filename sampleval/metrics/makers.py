"""How a metric was made: a pickle consists of the call, since the functions inside a metric cannot be pickled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec

from sampleval.metrics.base import Metric

P = ParamSpec("P")


def repeatable(make: Callable[P, Metric]) -> Callable[P, Metric]:
    """The function, whose results remember the call that made them, as `Metric.maker`.

    This is for module-level functions only: another process finds them by their name.
    """

    @wraps(make)
    def _made(*args: P.args, **kwargs: P.kwargs) -> Metric:
        metric = make(*args, **kwargs)
        object.__setattr__(metric, "maker", partial(_made, *args, **kwargs))
        return metric

    return _made
