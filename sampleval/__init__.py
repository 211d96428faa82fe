"""sampleval estimates how good a classifier is from a few hundred labels, and says how certain the estimate is."""

from sampleval import frames, metrics, report
from sampleval._checks import InputError
from sampleval._version import __version__
from sampleval.planning import BudgetRange, Plan, budget_for, plan, plan_curve
from sampleval.pool import Labels, Pool
from sampleval.presets import PRESETS as presets
from sampleval.simulation import simulate
from sampleval.storage import Storage
from sampleval.study import SKIP, UNSURE, Estimate, Item, JointEstimate, Study, create_study, load_study
from sampleval.surrogates import Shrunk

__all__ = [
    "SKIP",
    "UNSURE",
    "BudgetRange",
    "Estimate",
    "InputError",
    "Item",
    "JointEstimate",
    "Labels",
    "Plan",
    "Pool",
    "Shrunk",
    "Storage",
    "Study",
    "__version__",
    "budget_for",
    "create_study",
    "frames",
    "load_study",
    "metrics",
    "plan",
    "plan_curve",
    "presets",
    "report",
    "simulate",
]


def __dir__() -> list[str]:
    return __all__  # and not the modules in which these are defined
