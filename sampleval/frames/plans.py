"""Plans as frames: what a budget buys, and whom it would ask."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from sampleval.planning import Plan
from sampleval.pool import Pool


def plans(found: Iterable[Plan]) -> pd.DataFrame:
    """One row a plan: of several designs, or budgets, side by side.

    Returns:
        Columns metric, design, budget, predicted, error, width, labels, labels_sd, certain (number of items),
        onset (budget at which the first item becomes certain).
    """
    rows = [
        {
            "metric": plan.metric,
            "design": plan.method.design.key,
            "budget": plan.budget,
            "predicted": plan.predicted,
            "error": plan.expected_error,
            "width": plan.expected_width,
            "labels": plan.expected_labels,
            "labels_sd": plan.labels_sd,
            "certain": int(plan.saturated.sum()),
            "onset": plan.onset,
        }
        for plan in found
    ]
    columns = [
        "metric",
        "design",
        "budget",
        "predicted",
        "error",
        "width",
        "labels",
        "labels_sd",
        "certain",
        "onset",
    ]
    return pd.DataFrame(rows, columns=columns)


def inclusion(plan: Plan, pool: Pool) -> pd.DataFrame:
    """The chance of every item to be asked, in the pool's order.

    Returns:
        Columns id, inclusion, certain.
    """
    return pd.DataFrame({"id": pool.ids, "inclusion": plan.inclusion, "certain": plan.saturated})
