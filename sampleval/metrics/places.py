"""Whether a loss looks at more of an item than the systems' outputs: at its place in the pool, as weights by row do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sampleval.metrics.base import Encoded, Metric, blocks
from sampleval.pool import Items, Pool

KEPT = 64  # metrics of one's own whose finding a pool keeps
ROUNDING = 1e-9  # of the largest loss: sums over the pool in another order


def by_place(metric: Metric, pool: Pool) -> bool:
    """Whether ℓ changes where the same outputs stand at other places of the pool; looked at once for each pool.

    Args:
        metric: Any metric that the pool's task can have.
        pool: The pool.
    """
    found: dict[Metric, bool] = pool.once("by place", dict)
    if metric not in found:
        if len(found) >= KEPT:
            found.clear()
        found[metric] = _changes(metric, pool.items)
    return found[metric]


def _changes(metric: Metric, items: Items) -> bool:
    order = np.random.default_rng(0).permutation(len(items))  # what stood at row k stands at order[k]
    came_from = np.argsort(order)
    moved = tuple(system.take(came_from) for system in items.systems)
    for block in blocks(len(items)):
        here = items.take(block)
        there = Items(items.task, order[block], here.systems, moved)
        for y in _labels(here):
            one, other = metric.loss(here, y), metric.loss(there, y)
            largest = np.nanmax(np.abs(one), axis=0, initial=0.0)
            with np.errstate(invalid="ignore"):  # what is not finite is refused elsewhere
                near = np.isclose(one, other, rtol=0, atol=ROUNDING * largest, equal_nan=True)
            if not near.all():
                return True
    return False


def _labels(items: Items) -> Iterator[Encoded]:
    """Two labels of each item that no prediction could both be right about."""
    kind, n, width = items.task.kind, len(items), items.task.width
    for y in (0, 1):
        if kind == "regression":
            yield items.pred + y
        else:
            yield np.full((n, width) if kind == "multilabel" else n, y)
