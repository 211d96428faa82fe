"""Ranges of labels and of widths, and a search for the smallest number of labels that reaches a goal."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sampleval.numerals import count, many, span


@dataclass(frozen=True, slots=True)
class BudgetRange:
    """The number of labels that a wanted interval width needs: a likely value and a range; all `nan` if unknown."""

    low: float
    likely: float
    high: float

    def __str__(self) -> str:
        """The likely number, and the ends of the range that differ from it.

        >>> print(BudgetRange(97, 271, 1287)); print(BudgetRange(1, 1, 1)); print(UNKNOWN)
        271 labels, 97 to 1,287
        1 label
        an unknown number of labels
        """
        if math.isnan(self.likely):
            return "an unknown number of labels"
        ends = span(count(self.low), count(self.likely), count(self.high))
        return many(self.likely, "label") + (ends and f", {ends}")


@dataclass(frozen=True, slots=True)
class WidthRange:
    """The range of an interval's width after a number of labels; both `nan` if unknown."""

    low: float
    high: float


UNKNOWN = BudgetRange(float("nan"), float("nan"), float("nan"))
UNKNOWN_WIDTH = WidthRange(float("nan"), float("nan"))


def enough(needs: Iterable[BudgetRange]) -> BudgetRange:
    """The labels that are enough for all of these, as far as they are known.

    >>> print(enough([BudgetRange(10, 20, 90), UNKNOWN, BudgetRange(15, 18, 60)]))
    20 labels, 15 to 90
    """
    known = [(each.low, each.likely, each.high) for each in needs if math.isfinite(each.likely)]
    return BudgetRange(*map(max, zip(*known, strict=True))) if known else UNKNOWN


def first(reached: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number in (low, high] that reaches a goal, by bisection; high if none does.

    >>> first(lambda m: m * m >= 50, 0, 100)
    8
    """
    return min(low + 1 + bisect_left(range(low + 1, high), True, key=reached), high)
