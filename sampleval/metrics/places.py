"""Whether a loss looks at more of an item than the systems' outputs: at its place in the pool, as weights by row do."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np

from sampleval.metrics.base import Encoded, Metric
from sampleval.pool import Items, System

PROBED = 100_000  # items, at most
_FOUND: WeakKeyDictionary[System, dict[Metric, bool]] = WeakKeyDictionary()


def by_place(metric: Metric, items: Items) -> bool:
    """Whether ℓ changes where the same outputs stand at other places of the pool; seen once for each pool.

    Args:
        metric: Any metric that these items' task can have.
        items: All items of a pool.
    """
    found = _FOUND.setdefault(items.systems[0], {})
    if metric not in found:
        found[metric] = _probed(metric, items)
    return found[metric]


def _probed(metric: Metric, items: Items) -> bool:
    n, rng = len(items), np.random.default_rng(0)
    order = rng.permutation(n)  # what stood at row k stands at order[k]
    rows = np.sort(rng.choice(n, min(n, PROBED), replace=False))
    moved = tuple(system.take(np.argsort(order)) for system in items.systems)
    here = items.take(rows)
    there = Items(items.task, order[rows], here.systems, moved)
    return not all(
        np.allclose(metric.loss(here, y), metric.loss(there, y), rtol=1e-9, atol=0, equal_nan=True)
        for y in _labels(here)
    )


def _labels(items: Items) -> Iterator[Encoded]:
    """Two labels of each item that no prediction could both be right about."""
    kind, n, width = items.task.kind, len(items), items.task.width
    for y in (0, 1):
        yield (
            items.pred + y
            if kind == "regression"
            else np.full((n, width), y)
            if kind == "multilabel"
            else np.full(n, y)
        )
