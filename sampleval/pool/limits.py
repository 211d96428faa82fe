"""Names of columns that hold the bounds or quantiles of a predicted number."""

from __future__ import annotations

import re

from sampleval.pool.naming import folded

_BOUND = re.compile(r"\b(?:lower|upper|lwr|upr|low|high|lo|hi|lb|ub)\b")
_QUANTILE = re.compile(r"(?:q(?:uantile)?[_ ]?)?(0?\.\d+)|(?:p|q)(\d{1,2})")  # 0.1 and q0.1, p10


def is_bound(name: str) -> bool:
    """Whether a column is called like a bound of an interval or a quantile.

    >>> is_bound("yhat_lower"), is_bound("Hi 95"), is_bound("0.1"), is_bound("p90"), is_bound("slow")
    (True, True, True, True, False)
    """
    return bool(_BOUND.search(folded(name)) or _QUANTILE.fullmatch(name.strip().lower()))
