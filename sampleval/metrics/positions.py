"""Whether a loss depends on an item's position in the pool, as weights by row do, and whether its cells know of that."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sampleval._checks import fail
from sampleval.memo import once_each
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.blocks import blocks
from sampleval.metrics.codes import distinct
from sampleval.metrics.registry import built_in
from sampleval.pool import Flags, Floats, Items, Pool

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
            if not _near(metric.loss(here, y), metric.loss(there, y)).all():
                return True
    return False


@once_each
def alike_in_cells(pool: Pool, metric: Metric) -> None:
    """Refuse a metric whose cells hold items of different losses for one label; tried once per pool, with a few labels.

    Of each cell, one item stands for all in plans and in the true value. Where weights by row were beside `cells` that knew the
    decision only, the plan was for other weights, and a simulation's truth was 0.940 instead of 0.947.

    Raises:
        InputError: There is such a cell; the message names one of its items.
    """
    items = pool.items
    if metric.cells is None or not items.task.classified or built_in(metric):
        return
    one, which = distinct(metric.cells(items))
    for block in blocks(len(items)):
        here, like = items.take(block), items.take(one[which[block]])
        for y in (*_labels(here), here.pred):
            near = _near(metric.loss(here, y), metric.loss(like, y)).all(axis=1)
            if not near.all():
                row = int(here.index[np.argmin(near)])
                rule = f"must tell apart items that {metric.name!r} treats differently"
                remedy = "leave `cells` out, or give items of other weights other codes"
                fail("cells", rule, row=row, ids=pool.ids, remedy=remedy)


def _near(one: Floats, other: Floats) -> Flags:
    """Whether losses are the same but for rounding, (n, d)."""
    if np.array_equal(one, other):
        return np.ones(one.shape, bool)
    largest = np.nanmax(np.abs(one), axis=0, initial=0.0)
    with np.errstate(invalid="ignore"):  # infinite losses raise an error elsewhere
        return np.asarray(np.isclose(one, other, rtol=0, atol=ROUNDING * largest, equal_nan=True))


def _labels(items: Items) -> Iterator[Encoded]:
    """Yields two different labels of each item, so that no prediction is right about both."""
    kind, n, width = items.task.kind, len(items), items.task.width
    for y in (0, 1):
        if kind == "regression":
            yield items.pred + y
        else:
            yield np.full((n, width) if kind == "multilabel" else n, y)
