"""Ranges of labels and of widths, and the smallest number of labels that does what is wanted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BudgetRange:
    """Labels that a wanted interval width will take: likely, and how few or many it may be.

    All `nan` where nothing tells.
    """

    low: float
    likely: float
    high: float


@dataclass(frozen=True, slots=True)
class WidthRange:
    """How narrow or wide an interval may turn out after so many labels, both `nan` where nothing tells."""

    low: float
    high: float


UNKNOWN = BudgetRange(float("nan"), float("nan"), float("nan"))
UNTOLD = WidthRange(float("nan"), float("nan"))


def first(reached: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number in (low, high] that reaches a goal, by bisection; high if none does.

    >>> first(lambda m: m * m >= 50, 0, 100)
    8
    """
    return min(low + 1 + bisect_left(range(low + 1, high), True, key=reached), high)
