"""Sentences about plans, for the app and the console."""

from __future__ import annotations

import math
from collections.abc import Callable

from sampleval._checks import capitalised
from sampleval.numerals import count, limits, many, number, span, sure
from sampleval.planning.advice import Advice
from sampleval.planning.ranges import BudgetRange
from sampleval.pool import Kind

# Above this ratio of its ends, the low end of a range is not informative: a share of 0 would need one label.
WIDE = 20

FORECAST = "In brackets: where about nine studies in ten end, or somewhat fewer where the scores mislead."
RANDOM_SIZE = "the number of labels is random; the ± behind it is its standard deviation"


def needed(budget: BudgetRange, wanted: str, level: float, *, stressed: Callable[[str], str] = str) -> str:
    """A sentence about the number of labels that a precision, `wanted` in words, needs.

    `stressed` emphasises the main number, as the place where the sentence is shown requires.

    >>> print(needed(BudgetRange(80, 98, 120), "± 20,000", 0.9))
    About 98 labels for ± 20,000 at 90%; 80 to 120, depending on how the labels turn out.
    >>> print(needed(BudgetRange(178, 191, 191), "± 0.05", 0.9))
    About 191 labels for ± 0.05 at 90%; perhaps only 178, depending on how the labels turn out.
    >>> print(needed(BudgetRange(191, 191, 230), "± 0.05", 0.9))
    About 191 labels for ± 0.05 at 90%; perhaps 230, depending on how the labels turn out.
    >>> print(needed(BudgetRange(1, 1, 1), "± 0.05", 0.9, stressed="**{}**".format))
    About **1 label** for ± 0.05 at 90%.
    >>> print(needed(BudgetRange(1, 193, 4499), "± 0.05", 0.9))
    About 193 labels for ± 0.05 at 90%, perhaps 4,499; only the first labels can show whether far fewer are enough.
    >>> print(needed(BudgetRange(math.nan, math.nan, math.nan), "± 0.05", 0.9))
    The scores predict no value of this metric, so nothing can be said.
    """
    if not math.isfinite(budget.likely):
        return "The scores predict no value of this metric, so nothing can be said."
    likely = f"About {stressed(many(budget.likely, 'label'))} for {wanted} at {sure(level)}"
    low, high = count(budget.low), count(budget.high)
    if low == high:
        return f"{likely}."
    if budget.high > WIDE * budget.low:
        most = f", perhaps {high}" if high != count(budget.likely) else ""
        return f"{likely}{most}; only the first labels can show whether far fewer are enough."
    return f"{likely}; {span(low, count(budget.likely), high)}, depending on how the labels turn out."


def what_ranges_hold(kind: Kind) -> str:
    """A sentence about how much the ranges of labels and of widths hold, as `QUANTILES` of the budgets has it."""
    if kind == "binary":
        return (
            "The ranges allow for how the model may err: of the plausible ways, at most one in ten leads below a range "
            "and one in twenty above it."
        )
    return (
        "A range reaches from the mildest to the harshest assumption tried about how the model errs; how probable "
        "these are is not known."
    )


def suggestion(advice: Advice, *, given: bool = False) -> str:
    """A sentence about the suggested λ and what it gains over the method's own, or over the λ `given` by the user.

    >>> import numpy as np
    >>> shrinkages, error = np.array([0.5, 0.9, 0.999]), np.array([0.5, 0.37, 0.141])
    >>> print(suggestion(Advice("f1", 300, "half", 0.999, 0.9, shrinkages, error, error, error * 0.5, error * 1.2)))
    λ = 0.999 suits these scores: an expected error of 0.141 (0.070 to 0.170), against 0.370 (0.18 to 0.45) with the method's own 0.9. In brackets: eight of ten plausible calibrations.
    """
    best, own = (_told(advice, shrinkage) for shrinkage in (advice.shrinkage, advice.default))
    whose = "your" if given else "the method's own"
    said = f"λ = {advice.shrinkage:g} suits these scores: an expected error of {best}, against {own} with {whose} {advice.default:g}."
    if advice.shrinkage == advice.default:
        said = f"{capitalised(whose)} λ = {advice.default:g} suits these scores: an expected error of {best}."
    return f"{said} In brackets: eight of ten plausible calibrations." if best.endswith(")") else said


def _told(advice: Advice, shrinkage: float) -> str:
    """The expected error at this λ, with those of eight of ten calibrations if they differ."""
    low, high = advice.span_at(shrinkage)
    return number(advice.at(shrinkage)) + (f" ({limits(low, high)})" if low < high else "")
