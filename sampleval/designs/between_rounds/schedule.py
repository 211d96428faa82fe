"""The number of labels of each round, larger if several people label at once: each needs items that nobody else has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar

from sampleval._checks import count, nonnegative
from sampleval.designs.base import Design, Round, spent

EACH = 2  # labels of a round per person: of the answers of thirty, seven in ten were labels; in rounds of ten, one in four
D = TypeVar("D", bound=Design)


def round_size(first: int, growth: float, labels: int, budget: int) -> int:
    """Number of labels of the next round: max(first, growth · labels so far), at most what is left of the budget.

    With growth 0 all rounds have the same size: first = 1 asks for one label at a time, first = 0 for the whole budget at
    once. Sizes depend on counts alone, so they are fixed before any label.

    >>> [round_size(10, 0.5, k, 100) for k in (0, 10, 40, 95, 100)]
    [10, 10, 20, 5, 0]
    """
    wanted = max(int(first), ceil(growth * labels)) if first else budget - labels
    return max(0, min(wanted, budget - labels))


def check_rounds(first: int, growth: float) -> None:
    """Raise an error for impossible round sizes."""
    count(first, "first", minimum=0)
    nonnegative(growth, "growth", remedy="0 keeps all rounds of one size")


def least_round(design: Design) -> int:
    """Labels of the design's first round; 0 if there is one round, in which nobody waits for anybody."""
    return int(getattr(design, "first", 0))


def for_people(design: D, people: int) -> D:
    """The design with rounds of at least `EACH` labels per person, if it works in rounds and several people label at once."""
    return enlarged(design, EACH * people) if people > 1 else design


def enlarged(design: D, first: int) -> D:
    """The design with at least this many labels in its first round, if it works in rounds."""
    if not 0 < least_round(design) < first:
        return design
    changed: Any = design
    return replace(changed, first=first)


def too_small(design: Design, past: Sequence[Round], people: int) -> int:
    """Labels of the open round, the last of `past`, as it was planned, if that is less than `EACH` per person; otherwise 0."""
    if people < 2:
        return 0
    enough, done = EACH * people, spent(past[:-1])
    size = round_size(least_round(design), getattr(design, "growth", 0.0), done, done + enough)
    return size if size < enough else 0
