"""Five lessons that a teacher can give in a browser."""

from __future__ import annotations

from collections.abc import Mapping

from sampleval.ui.lessons import beliefs, filling, importance, promise, rare
from sampleval.ui.lessons.base import Lesson
from sampleval.ui.lessons.glossary import TERMS, anchor, entry, linked

LESSONS: Mapping[str, Lesson] = {
    "rare": rare.LESSON,
    "weights": importance.LESSON,
    "water": filling.LESSON,
    "belief": beliefs.LESSON,
    "promise": promise.LESSON,
}

__all__ = ["LESSONS", "TERMS", "anchor", "entry", "linked"]
