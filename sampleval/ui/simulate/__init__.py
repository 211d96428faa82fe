"""The Simulate page: the questions that a simulation can answer, each of them a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sampleval.ui.simulate.compare import compare, equal_costs
from sampleval.ui.simulate.cross import cross
from sampleval.ui.simulate.divergence import rounds
from sampleval.ui.simulate.gallery import gallery
from sampleval.ui.simulate.subject import Subject, subject
from sampleval.ui.simulate.sweep import sweep


@dataclass(frozen=True, slots=True)
class View:
    """A question that a simulation can answer, in a few words and in full, with what shows settings, run and pictures."""

    title: str
    question: str
    show: Callable[[Subject], None]


VIEWS: Mapping[str, View] = {
    "compare": View(
        "Compare methods",
        "Which method comes closest to the truth with the fewest labels, and whose intervals keep their word?",
        compare,
    ),
    "cross": View(
        "Metric × metric",
        "If you sample for one metric and report another, how much do you lose?",
        cross,
    ),
    "trust": View(
        "Trust in the model (λ)",
        "How far should the sampler trust what the model says about itself?",
        sweep,
    ),
    "cost": View(
        "Importance against Bernoulli",
        "At the same number of labels: draws with replacement, or each item at most once?",
        equal_costs,
    ),
    "rounds": View(
        "Learning, round by round",
        "How close do adaptive methods come to the best possible sampler as labels arrive?",
        rounds,
    ),
}

__all__ = ["VIEWS", "gallery", "subject"]
