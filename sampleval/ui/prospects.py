"""What a plan buys and costs, in sentences."""

from __future__ import annotations

import math

from sampleval.planning import Advice, BudgetRange, Plan
from sampleval.pool import Pool
from sampleval.surrogates import Shrunk
from sampleval.ui import words
from sampleval.ui.verdict import inside

# The ratio of its ends from which a range of labels says nothing by its low one: a share of 0 would take one label.
WIDE = 20


def promise(plan: Plan, pool: Pool, title: str, level: float, uniform: float) -> str:
    """What the plan buys, in two sentences."""
    labels, title = plan.asked, f"the {inside(title)}"
    bought = f"With **{words.many(labels, 'label')}**"
    if plan.note:
        return f"How near **{words.many(labels, 'label')}** come to {title}, nothing tells beforehand: {plan.note}. {_remedy(plan)}"
    if plan.expected_width == 0:
        which = "every item" if labels == pool.size else "every item that can change it"
        bought += f", one for {which}, {title} will be known exactly."
    else:
        half, level_said = words.number(plan.expected_width / 2), words.share(level)
        bought += f" the {level_said} interval of {title} should be about **± {half}**, {_premise(plan, pool, title)}."
    factor = uniform / labels if labels else math.nan
    if not factor > 1.05:
        return bought
    return f"{bought} Uniform sampling would need **{factor:.1f} × as many** ({words.count(uniform)})."


def _remedy(plan: Plan) -> str:
    """What to choose where a belief foretells nothing."""
    lower = isinstance(plan.method.surrogate, Shrunk)
    other = "Trust the probabilities less (λ)" if lower else "Choose another method"
    return f"{other} to see what to expect; estimates are valid either way."


def _premise(plan: Plan, pool: Pool, title: str) -> str:
    """What the plan takes for true, and the metric's value if it is."""
    value = words.number(plan.predicted)
    if pool.task.kind != "regression":
        belief = plan.method.surrogate
        if isinstance(belief, Shrunk) and belief.shrinkage < 1:
            return f"if the scores are right when trusted so far (λ = {belief.shrinkage:g}); they then predict {value}"
        if belief.as_scored:
            return f"if the scores are right; they predict {value}"
        return f"going by what such scores usually mean ({title} about {value})"
    if pool.items.error.any():
        return f"if the expected errors are right; they predict {value}"
    return f"if errors are as large as the spread of the predictions, since nothing is known of them ({title} {value})"


def within(plan: Plan) -> str:
    """The ± of the interval, "–" where nothing foretells it."""
    half = plan.expected_width / 2
    return f"± {words.number(half)}" if math.isfinite(half) else "–"


def too_small(size: int) -> str:
    """What to do with a pool that is too small for pictures of a plan.

    >>> too_small(1)
    'A pool of 1 item is too small for pictures. Label all of it: the result is exact then, without an interval.'
    """
    return (
        f"A pool of {words.many(size, 'item')} is too small for pictures. Label all of it: the result is "
        "exact then, without an interval."
    )


def needed(budget: BudgetRange, within: float, level: float) -> str:
    """How many labels a wanted precision takes.

    >>> print(needed(BudgetRange(80, 98, 120), 20000, 0.9))
    About **98 labels** for ± 20,000 at 90%; 80 to 120, as labels turn out more or less as foreseen.
    >>> print(needed(BudgetRange(1, 1, 1), 0.05, 0.9))
    About **1 label** for ± 0.05 at 90%.
    >>> print(needed(BudgetRange(1, 193, 4499), 0.05, 0.9))
    About **193 labels** for ± 0.05 at 90%, at worst 4,499: how few may do, only the first labels can show.
    """
    if not math.isfinite(budget.likely):
        return "The scores predict no value of this metric, so nothing can be said."
    likely = (
        f"About **{words.many(budget.likely, 'label')}** for ± {words.told(within)} at {words.share(level)}"
    )
    low, high = words.count(budget.low), words.count(budget.high)
    if low == high:
        return f"{likely}."
    if budget.high > WIDE * budget.low:
        worst = f", at worst {high}" if high != words.count(budget.likely) else ""
        return f"{likely}{worst}: how few may do, only the first labels can show."
    return f"{likely}; {low} to {high}, as labels turn out more or less as foreseen."


def suggestion(advice: Advice) -> str:
    """The λ suggested, and what it gains, in a sentence.

    >>> import numpy as np
    >>> levels, error = np.array([0.5, 0.9, 0.999]), np.array([0.5, 0.37, 0.141])
    >>> print(suggestion(Advice("f1", 300, "half", 0.999, 0.9, levels, error, error, error, error)))
    λ = 0.999 suits these scores: an expected error of 0.141, against 0.370 with the method's own 0.9.
    """
    best, own = advice.at(advice.shrinkage), advice.at(advice.default)
    if advice.shrinkage == advice.default:
        return f"The method's own λ = {advice.default:g} suits these scores: an expected error of {words.number(best)}."
    return (
        f"λ = {advice.shrinkage:g} suits these scores: an expected error of {words.number(best)}, against {words.number(own)} "
        f"with the method's own {advice.default:g}."
    )


def compared(called: str) -> str:
    """What the picture of inclusion probabilities shows, by the name of the method chosen."""
    return (
        f"Thick: {called}, the design chosen, as planned before any label; a design that learns moves on "
        "from there. Bernoulli and importance sampling with the same belief, for comparison."
    )


def certainty(plan: Plan, shown: Plan, chosen: str) -> str:
    """Which design's certain items a picture shows, and why another's than the plan's."""
    title = shown.method.design.title
    if plan is shown:
        return f"Of {chosen}, the design chosen. Orange: where the first item becomes certain."
    return f"Of {title} with the same belief. For {chosen}, the design chosen, no such number of labels is known beforehand."


def bill(labels: int, amount: float, hours: float, currency: str) -> str:
    """What a number of labels costs."""
    return f"{words.many(labels, 'label')}: **{words.money(amount, words.plain(currency))}** and **{words.duration(hours)}** of work."
