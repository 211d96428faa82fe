"""Probabilities and estimates in words."""

from __future__ import annotations

import math

# From a probability on: what to call it.
SCALE = (
    (0.99, "Almost certainly"),
    (0.95, "Very probably"),
    (0.8, "Probably"),
    (0.2, "Open"),
    (0.05, "Probably not"),
    (0.01, "Very probably not"),
    (0.0, "Almost certainly not"),
)


def answer(probability: float) -> str:
    """A probability as the answer to a yes-no question.

    >>> answer(0.97), answer(0.5), answer(0.003), answer(math.nan)
    ('Very probably', 'Open', 'Almost certainly not', 'Not known yet')
    """
    if math.isnan(probability):
        return "Not known yet"
    return next(word for least, word in SCALE if probability >= least)


def chance(probability: float) -> str:
    """A probability in percent that claims neither certainty nor impossibility.

    >>> chance(0.9999), chance(0.873), chance(0.001)
    ('over 99%', '87%', 'under 1%')
    """
    if math.isnan(probability):
        return "–"
    if probability > 0.99:
        return "over 99%"
    if probability < 0.01:
        return "under 1%"
    return f"{probability:.0%}"


def question(title: str, threshold: float, above: float, *, at_most: bool = False) -> str:
    """The question, its answer and how sure it is, in one sentence.

    Args:
        title: The metric's.
        threshold: What it is compared with.
        above: Probability that it is at least the threshold, `nan` if unknown.
        at_most: Ask for the other side.

    >>> question("F1 score", 0.8, 0.97)
    'Is the F1 score at least 0.8? Very probably: 97% sure.'
    >>> question("Log-loss", 0.8, 0.97, at_most=True)
    'Is the Log-loss at most 0.8? Very probably not: 3% sure.'
    >>> question("F1 score", 0.8, 0.0)
    'Is the F1 score at least 0.8? No, it is known exactly.'
    """
    asked = f"Is the {title} {'at most' if at_most else 'at least'} {threshold:g}?"
    probability = 1 - above if at_most else above
    if math.isnan(probability):
        return f"{asked} Not known yet."
    if probability in (0, 1):  # never of an interval with some width
        return f"{asked} {'Yes' if probability else 'No'}, it is known exactly."
    return f"{asked} {answer(probability)}: {chance(probability)} sure."
