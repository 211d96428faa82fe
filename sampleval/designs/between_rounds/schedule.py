"""The number of labels of each round."""

from __future__ import annotations

from math import ceil

from sampleval._checks import count, nonnegative


def round_size(first: int, growth: float, labels: int, budget: int) -> int:
    """Number of labels of the next round: max(first, growth · labels so far), at most what is left of the budget.

    With growth 0 all rounds have the same size: first = 1 asks for one label at a time, first = 0 for the whole budget at
    once. Sizes depend on counts alone, so they are fixed before any label.

    >>> [round_size(10, 0.5, k, 100) for k in (0, 10, 40, 95, 100)]
    [10, 10, 20, 5, 0]
    """
    wanted = max(first, ceil(growth * labels)) if first else budget - labels
    return max(0, min(wanted, budget - labels))


def in_rounds(methods: str, first: int) -> str:
    """The `methods` sentence, with a remark if there is only one round."""
    return methods if first else f"{methods}, here all in one round"


def check_rounds(first: int, growth: float) -> None:
    """Raise an error for impossible round sizes."""
    count(first, "first", minimum=0)
    nonnegative(growth, "growth", remedy="0 keeps all rounds of one size")
