"""Plans: the precision that a budget buys, and the budget that a precision needs, before any label.

Every plan begins with a problem from `posing` and takes its widths from `widths`: `plan` is for one budget, `curves` for many,
`budgets` the way back, with ranges over the truths in `plausible` and `beliefs`. `forecast` is for a study that runs already.
"""

from sampleval.planning.advice import Advice, advice_of, advise_shrinkage
from sampleval.planning.budgets import as_good_as, budget_for, budget_range, width_range
from sampleval.planning.curves import curve_of, default_budgets, plan_curve
from sampleval.planning.forecast import forecast, narrowed, rarer_outcomes, variance_at
from sampleval.planning.plan import Plan, plan, plan_of
from sampleval.planning.plausible import Plausible, plausible
from sampleval.planning.posing import Held, beforehand, posed, teaches
from sampleval.planning.precision import Precision, precision_for
from sampleval.planning.ranges import UNKNOWN, UNKNOWN_WIDTH, BudgetRange, WidthRange, enough

__all__ = [
    "UNKNOWN",
    "UNKNOWN_WIDTH",
    "Advice",
    "BudgetRange",
    "Held",
    "Plan",
    "Plausible",
    "Precision",
    "WidthRange",
    "advice_of",
    "advise_shrinkage",
    "as_good_as",
    "beforehand",
    "budget_for",
    "budget_range",
    "curve_of",
    "default_budgets",
    "enough",
    "forecast",
    "narrowed",
    "plan",
    "plan_curve",
    "plan_of",
    "plausible",
    "posed",
    "precision_for",
    "rarer_outcomes",
    "teaches",
    "variance_at",
    "width_range",
]
