"""Names of metrics with numbers and systems in them, and titles for use in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sampleval.metrics.base import Metric
from sampleval.metrics.wrappers import DIFFERENCE, unquoted

# Titles that begin with one of these keep their capital in a sentence.
PEOPLE = ("Brier", "Cohen", "Fowlkes", "Hamming", "Jaccard", "Matthews")


def exact(number: float) -> str:
    """A number as text for a name, as short as possible without loss.

    >>> exact(2.0), exact(1.0000001)
    ('2', '1.0000001')
    """
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))


def in_sentence(title: str) -> str:
    """A metric's title for the middle of a sentence: in lower case unless it begins with a proper name or a symbol.

    >>> [in_sentence(title) for title in ("Area under the ROC curve", "F1 score", "Cohen's κ", "RMSE", "R²")]
    ['area under the ROC curve', 'F1 score', "Cohen's κ", 'RMSE', 'R²']
    """
    small = title[1:2].islower() or title[1:2] in (" ", "-")
    return title[:1].lower() + title[1:] if small and not title.startswith(PEOPLE) else title


def together(titles: Iterable[str]) -> str:
    """Several titles in one phrase.

    >>> together(["F1 score"]), together(["F1 score", "recall", "accuracy"])
    ('F1 score', 'F1 score, recall and accuracy')
    """
    *some, last = titles
    return f"{', '.join(some)} and {last}" if some else last


def the(title: str) -> str:
    """A metric's title for the middle of a sentence with its article, which possessive titles do not have.

    >>> the("F1 score"), the("Cohen's κ")
    ('the F1 score', "Cohen's κ")
    """
    said = in_sentence(title)
    return said if "'s " in said else f"the {said}"


def subject(title: str) -> str:
    """A metric's title with its article, for what a verb or a condition follows: a comma in it is closed by another.

    >>> subject("F1 score"), subject("F1 score, new − old")
    ('the F1 score', 'the F1 score, new − old,')
    """
    said = the(title)
    return f"{said}," if ", " in title else said


def sides(metric: Metric) -> tuple[str, str] | None:
    """The systems a and b if the metric is a difference a − b of two systems, otherwise `None`.

    >>> from sampleval.metrics import resolve
    >>> sides(resolve("f1[new - old]")), sides(resolve("f1[new]"))
    (('new', 'old'), None)
    """
    match = re.fullmatch(DIFFERENCE, metric.name)
    return (unquoted(match[2]), unquoted(match[3])) if match else None
