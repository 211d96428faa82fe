"""Plans as frames: what a budget buys, which items it would ask, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from sampleval._checks import count, fail, instance, listable, nonnegative, several
from sampleval.planning import Advice, Plan
from sampleval.pool import Floats, Integers, Pool, checked

ENDS = 6  # of the points kept of a curve, how many are reserved for the ends and for where the curve leaves 1


def plans(found: Iterable[Plan]) -> pd.DataFrame:
    """Plans as a frame with one row each, to compare designs or budgets.

    Returns:
        Columns metric, design, budget, predicted, error, width, labels, labels_sd, certain (number of items),
        onset (budget at which the first item becomes certain).
    """
    found = _plans(found, "found")
    return pd.DataFrame(
        {
            "metric": [plan.metric for plan in found],
            "design": [plan.method.design.key for plan in found],
            "budget": [plan.budget for plan in found],
            "predicted": [plan.predicted for plan in found],
            "error": [plan.expected_error for plan in found],
            "width": [plan.expected_width for plan in found],
            "labels": [plan.expected_labels for plan in found],
            "labels_sd": [plan.labels_sd for plan in found],
            "certain": [int(plan.saturated.sum()) for plan in found],
            "onset": [plan.onset for plan in found],
        }
    )


def _plans(found: Iterable[Plan], name: str) -> list[Plan]:
    """The plans as a list, which may be empty; anything else is refused."""
    if not listable(found):
        fail(name, "must be a list of plans", type(found).__name__, remedy="put a single one in a list")
    return [instance(each, Plan, name) for each in found]


def inclusion(plan: Plan, pool: Pool) -> pd.DataFrame:
    """The chance of every item to be asked, in the pool's order.

    Returns:
        Columns id, inclusion, certain.
    """
    plan = instance(plan, Plan, "plan")
    return pd.DataFrame({"id": checked(pool).ids, "inclusion": plan.inclusion, "certain": plan.saturated})


def sorted_inclusion(plans: Iterable[Plan], *, max_points: int = 2000) -> pd.DataFrame:
    """The inclusion probabilities of each plan in falling order (Y fig 4).

    Args:
        plans: Plans to compare, of one pool.
        max_points: Most rows of each plan, at least 10.

    Returns:
        Columns design, rank (1..N), inclusion.

    Raises:
        InputError: There is no plan, or `max_points` is below 10.
    """
    max_points, parts = count(max_points, "max_points", minimum=10), []
    for plan in several(_plans(plans, "plans"), "plans", remedy="pass one or more plans"):
        falling = np.sort(plan.inclusion)[::-1]
        at = _ranks(falling, max_points)
        parts.append(
            pd.DataFrame({"design": plan.method.design.key, "rank": at + 1, "inclusion": falling[at]})
        )
    return pd.concat(parts, ignore_index=True)


def _ranks(falling: Floats, points: int) -> Integers:
    """At most so many positions that show a falling curve.

    If there are more, these are positions at geometric and linear distances, both ends, and where the curve leaves 1.
    """
    n = len(falling)
    if n <= points:
        return np.arange(n)
    certain = int(np.count_nonzero(falling >= 1))
    half = (points - ENDS) // 2
    spread = np.concatenate([np.geomspace(1, n, half) - 1, np.linspace(0, n - 1, half)])
    edge = np.clip([0, certain - 1, certain, certain + 1, n - 1], 0, n - 1)
    return np.unique(np.concatenate([spread.round(), edge]).astype(np.intp))


def advice(found: Advice) -> pd.DataFrame:
    """Expected errors against λ.

    Returns:
        Columns shrinkage, expected (root mean squared error over plausible calibrations), median, low, high (median
        and central 80 % of the calibrations), suggested, default.
    """
    return pd.DataFrame(
        {
            "shrinkage": found.shrinkages,
            "expected": found.expected,
            "median": found.median,
            "low": found.low,
            "high": found.high,
            "suggested": found.shrinkages == found.shrinkage,
            "default": found.shrinkages == found.default,
        }
    )


def costs(curve: pd.DataFrame, *, price: float, seconds: float) -> pd.DataFrame:
    """A plan curve with the cost of its labels.

    Args:
        curve: Frame of `plan_curve`.
        price: Money per label.
        seconds: Time per label.

    Returns:
        The curve's columns, money and hours.
    """
    price, seconds = nonnegative(price, "price"), nonnegative(seconds, "seconds")
    return curve.assign(money=curve["budget"] * price, hours=curve["budget"] * seconds / 3600)
