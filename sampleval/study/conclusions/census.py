"""The true value of a metric, where every label is known: demos and simulations."""

from __future__ import annotations

from sampleval.metrics import Metric, mean_loss
from sampleval.pool import Labels, Pool, belonging


def true_value(metric: Metric, pool: Pool, known: Labels | None) -> float:
    """G(R) of the whole pool; `nan` unless every item's label is known.

    Args:
        metric: A scalar metric.
        pool: The pool.
        known: Its known labels.

    Raises:
        InputError: Labels of another pool.
    """
    if known is None or not belonging(known, pool, "known").complete:
        return float("nan")
    risk = mean_loss(metric, pool.items, known.values)
    return float(metric.value(risk)[0]) * metric.scale(pool.size)
