"""Answers in words: whether a metric reaches a threshold, and which of two systems is better."""

from __future__ import annotations

import math
from typing import Literal

import pandas as pd

from sampleval.metrics import Metric
from sampleval.metrics.names import subject
from sampleval.ui import words

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
SIDES = {"least": "at least", "most": "at most"}


def usual_side(metric: Metric) -> Literal["least", "most"]:
    """Which side of a threshold is good: for a metric of which less is better, it is "at most".

    >>> from sampleval.metrics import resolve
    >>> usual_side(resolve("f1")), usual_side(resolve("rmse")), usual_side(resolve("rmse[b]"))
    ('least', 'most', 'most')
    """
    return "most" if metric.better == "less" else "least"


def usual_threshold(metric: Metric) -> float | None:
    """The threshold with which a metric is compared at first. For a difference of systems it is 0, which shows the better one.

    >>> from sampleval.metrics import resolve
    >>> usual_threshold(resolve("f1[b]")), usual_threshold(resolve("f1[b - a]")), usual_threshold(resolve("rmse"))
    (0.8, 0.0, None)
    """
    if len(metric.systems) > 1:
        return 0.0
    return 0.8 if metric.fraction and metric.better == "more" else None


def answer(probability: float) -> str:
    """A probability as the answer to a yes-no question.

    >>> answer(0.97), answer(0.5), answer(0.003)
    ('Very probably', 'Open', 'Almost certainly not')
    """
    return next(word for least, word in SCALE if probability >= least)


def chance(probability: float) -> str:
    """A probability in percent that never reads as certain or impossible.

    >>> chance(0.9999), chance(0.873), chance(0.001)
    ('over 99%', '87%', 'under 1%')
    """
    if probability > 0.99:
        return "over 99%"
    if probability < 0.01:
        return "under 1%"
    return f"{probability:.0%}"


def leaning(probability: float) -> str:
    """A probability as an answer without a number, for cases in which the number cannot be trusted.

    >>> leaning(0.999), leaning(0.5), leaning(0.04)
    ('Rather yes', 'Open', 'Rather not')
    """
    return "Rather yes" if probability >= 0.8 else "Rather not" if probability < 0.2 else "Open"


def question(
    title: str, threshold: float, probability: float, *, at_most: bool = False, doubtful: str = ""
) -> str:
    """Whether the metric is at least, or at most, the threshold: the question, its answer and the probability, in one line.

    The probability is that it is on this side, `nan` if unknown. It is doubtful, for the reason given, where the interval
    behind it may cover less often than it says.

    >>> question("F1 score", 0.8, 0.97)
    'Is the F1 score at least 0.8? Very probably: 97% chance that it is.'
    >>> question("Log-loss", 0.8, 0.03, at_most=True)
    'Is the log-loss at most 0.8? Very probably not: 3% chance that it is.'
    >>> question("F1 score", 0.8, 0.999, doubtful="where positives are rare, such intervals fail")
    'Is the F1 score at least 0.8? Rather yes, but it is not known how surely: where positives are rare, such intervals fail.'
    >>> question("F1 score", 0.8, math.nan)
    'Is the F1 score at least 0.8? Not known yet.'
    >>> question("F1 score", 0.8, 0.0)
    'Is the F1 score at least 0.8? No, and this is known exactly.'
    >>> question("RMSE", 0.0, 1.0, at_most=True)
    'Is the RMSE at most 0? Yes, and this is known exactly.'
    >>> question("RMSE", 40000, 0.5, at_most=True), question("R²", -0.5, 0.5)
    ('Is the RMSE at most 40,000? Open: 50% chance that it is.', 'Is the R² at least −0.5? Open: 50% chance that it is.')
    """
    asked = f"Is {subject(title)} {'at most' if at_most else 'at least'} {words.as_typed(threshold)}?"
    if math.isnan(probability):
        return f"{asked} Not known yet."
    if probability in (0, 1):  # never of an interval with some width
        return f"{asked} {'Yes' if probability else 'No'}, and this is known exactly."
    if doubtful:
        return f"{asked} {leaning(probability)}, but it is not known how surely: {doubtful}."
    return f"{asked} {answer(probability)}: {chance(probability)} chance that it is."


def comparisons(rows: pd.DataFrame) -> list[str]:
    """The differences of `frames.systems` in sentences."""
    numbers = rows[["value", "low", "high"]].to_numpy(float).tolist()
    return [
        compared(str(a), str(b), *n) for a, b, n in zip(rows["system"], rows["against"], numbers, strict=True)
    ]


def compared(a: str, b: str, value: float, low: float, high: float) -> str:
    """A difference in a sentence.

    >>> compared("new", "old", 0.05, 0.01, 0.09)
    'new is higher than old by 0.050 (0.010 to 0.090)'
    >>> compared("new", "old", -0.05, -0.09, -0.01)
    'old is higher than new by 0.050 (0.010 to 0.090)'
    >>> compared("new", "old", 0.02, -0.01, 0.05)
    'new and old cannot be told apart yet: 0.020 (−0.010 to 0.050)'
    >>> compared("new", "old", -2.783, -6.6, 1.1)
    'new and old cannot be told apart yet: −2.8 (−6.6 to 1.1)'
    >>> compared("new", "old", math.nan, -1, 1), compared("new", "old", math.nan, math.nan, math.nan)  # as after a census
    ('new and old cannot be compared yet', 'new and old cannot be compared')
    >>> compared("new", "old", -0.005, -0.005, -0.005), compared("new", "old", 0.0, 0.0, 0.0)
    ('old is higher than new by exactly 0.005', 'new and old are exactly level: no label left could change that')
    """
    if math.isnan(value):
        return f"{a} and {b} cannot be compared{'' if math.isnan(low) else ' yet'}"
    if low == high == 0:
        return f"{a} and {b} are exactly level: no label left could change that"
    if low == high:
        more, less = (a, b) if value > 0 else (b, a)
        return f"{more} is higher than {less} by exactly {words.number(abs(value))}"
    if low > 0:
        return f"{a} is higher than {b} by {words.within(value, low, high)} ({words.limits(low, high)})"
    if high < 0:
        return f"{b} is higher than {a} by {words.within(-value, -high, -low)} ({words.limits(-high, -low)})"
    return (
        f"{a} and {b} cannot be told apart yet: {words.within(value, low, high)} ({words.limits(low, high)})"
    )
