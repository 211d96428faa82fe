"""Whether a loss depends on an item's position in the pool, as weights by row do, and not on systems' outputs alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.blocks import blocks
from sampleval.metrics.memo import once_each
from sampleval.pool import Items, Pool

ROUNDING = 1e-9  # relative to the largest loss: sums over the pool in another order differ by rounding


@once_each
def by_place(pool: Pool, metric: Metric) -> bool:
    """Whether ℓ changes if the same outputs stand at other positions of the pool; computed once per pool."""
    items = pool.items
    order = np.random.default_rng(0).permutation(len(items))  # the outputs of row k move to order[k]
    came_from = np.argsort(order)
    moved = tuple(system.take(came_from) for system in items.systems)
    for block in blocks(len(items)):
        here = items.take(block)
        there = Items(items.task, order[block], here.systems, moved)
        for y in _labels(here):
            one, other = metric.loss(here, y), metric.loss(there, y)
            if np.array_equal(one, other):
                continue
            largest = np.nanmax(np.abs(one), axis=0, initial=0.0)
            with np.errstate(invalid="ignore"):  # infinite losses raise an error elsewhere
                near = np.isclose(one, other, rtol=0, atol=ROUNDING * largest, equal_nan=True)
            if not near.all():
                return True
    return False


def _labels(items: Items) -> Iterator[Encoded]:
    """Yields two different labels of each item, so that no prediction is right about both."""
    kind, n, width = items.task.kind, len(items), items.task.width
    for y in (0, 1):
        if kind == "regression":
            yield items.pred + y
        else:
            yield np.full((n, width) if kind == "multilabel" else n, y)
