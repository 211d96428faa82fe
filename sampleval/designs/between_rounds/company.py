"""Rounds that are large enough for several people at once, each of whom needs items that nobody else has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sampleval.designs.base import Design, Round, spent
from sampleval.designs.between_rounds.schedule import round_size

EACH = 2  # labels of a round per person: of the answers of thirty, seven in ten were labels; in rounds of ten, one in four
D = TypeVar("D", bound=Design)


def least_round(design: Design) -> int:
    """Labels of the design's first round; 0 if there is one round, in which nobody waits for anybody."""
    return int(getattr(design, "first", 0))


def for_people(design: D, people: int) -> D:
    """The design with rounds of at least `EACH` labels per person, if it works in rounds and several people label.

    Args:
        design: The design.
        people: How many label at the same time.
    """
    return enlarged(design, EACH * people) if people > 1 else design


def enlarged(design: D, first: int) -> D:
    """The design with at least this many labels in its first round, if it works in rounds."""
    if not 0 < least_round(design) < first:
        return design
    changed: Any = design
    return replace(changed, first=first)


def too_small(design: Design, past: Sequence[Round], people: int) -> int:
    """Labels of the open round as it was planned, if that is less than `EACH` per person; otherwise 0.

    Args:
        design: The design.
        past: The rounds so far, with the open one.
        people: How many label at the same time.
    """
    if people < 2:
        return 0
    enough, done = EACH * people, spent(past[:-1])
    size = round_size(least_round(design), getattr(design, "growth", 0.0), done, done + enough)
    return size if size < enough else 0
