"""How many labels a round asks for."""

from __future__ import annotations

from math import ceil

from sampleval._checks import count, nonnegative


def round_size(first: int, growth: float, labels: int, budget: int) -> int:
    """max(first, growth · labels so far), cut to what the budget leaves; 0 at its end.

    Growth 0 keeps rounds of one size; first = 1 then asks for one label at a time, first = 0 for all that the
    budget leaves. Sizes follow from counts alone, so they are fixed before any label.

    >>> [round_size(10, 0.5, k, 100) for k in (0, 10, 40, 95, 100)]
    [10, 10, 20, 5, 0]
    """
    wanted = max(first, ceil(growth * labels)) if first else budget - labels
    return max(0, min(wanted, budget - labels))


def in_rounds(methods: str, first: int) -> str:
    """How items were drawn, saying so where one round was all."""
    return methods if first else f"{methods}, here all in one round"


def check_rounds(first: int, growth: float) -> None:
    """Refuse impossible round sizes."""
    count(first, "first", minimum=0)
    nonnegative(growth, "growth", remedy="0 keeps all rounds of one size")
