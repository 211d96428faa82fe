"""The names of metrics: numbers and systems in them, and their titles in sentences."""

from __future__ import annotations

import re

from sampleval.metrics.base import Metric
from sampleval.metrics.wrappers import DIFFERENCE, unquoted

# How titles begin that keep their capital in a sentence.
PEOPLE = ("Brier", "Cohen", "Fowlkes", "Hamming", "Jaccard", "Matthews")


def exact(number: float) -> str:
    """A number in a name, as short as it is told from all others.

    >>> exact(2.0), exact(1.0000001)
    ('2', '1.0000001')
    """
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))


def in_sentence(title: str) -> str:
    """A metric's title in mid-sentence: small, unless it begins with a name or a symbol.

    >>> [in_sentence(title) for title in ("Area under the ROC curve", "F1 score", "Cohen's κ", "RMSE", "R²")]
    ['area under the ROC curve', 'F1 score', "Cohen's κ", 'RMSE', 'R²']
    """
    small = title[1:2].islower() or title[1:2] in (" ", "-")
    return title[:1].lower() + title[1:] if small and not title.startswith(PEOPLE) else title


def the(title: str) -> str:
    """The same with its article; what is somebody's has none.

    >>> the("F1 score"), the("Cohen's κ")
    ('the F1 score', "Cohen's κ")
    """
    said = in_sentence(title)
    return said if "'s " in said else f"the {said}"


def sides(metric: Metric) -> tuple[str, str] | None:
    """The two systems whose difference a metric is, a and b of a − b; `None` if it is none.

    >>> from sampleval.metrics import resolve
    >>> sides(resolve("f1[new - old]")), sides(resolve("f1[new]"))
    (('new', 'old'), None)
    """
    match = re.fullmatch(DIFFERENCE, metric.name)
    return (unquoted(match[2]), unquoted(match[3])) if match else None
