"""The mean loss R of items whose labels are all known, and groups of items with the same loss."""

from __future__ import annotations

import numpy as np

from sampleval._checks import fail
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.blocks import ENTRIES, blocks
from sampleval.metrics.codes import distinct, paired
from sampleval.pool import Floats, Integers, Items


def mean_loss(metric: Metric, items: Items, labels: Encoded) -> Floats:
    """R = (1/N) Σ ℓ(n, yₙ), (d,), of all N items of a pool, from at most K·C losses if the metric has cells.

    Their encoded labels, (N,) or (N, C), must all be known. For the metric of a part see `within`.

    Raises:
        InputError: A label is unknown.
    """
    if items.task.kind != "regression" and labels.dtype.kind == "i" and labels.min(initial=0) < 0:
        row = int((labels.reshape(len(labels), -1) < 0).any(axis=1).argmax())
        fail("labels", "must all be known", labels[row], row=row, remedy="take the items that have one")
    like = combinations(metric, items, labels)
    rows = np.arange(len(items)) if like is None else like[0]
    count = np.ones(len(items)) if like is None else np.bincount(like[1]).astype(float)
    width = metric.loss(items.take(rows[:1]), labels[rows[:1]]).shape[1]
    total: Floats = np.zeros(width)
    for block in blocks(len(rows), ENTRIES // width):
        total = total + count[block] @ metric.loss(items.take(rows[block]), labels[rows[block]])
    return np.asarray(total / len(items))


def combinations(metric: Metric, items: Items, labels: Encoded) -> tuple[Integers, Integers] | None:
    """(one row of each combination of cell and label that occurs, (K,); the combination of each item, (n,)).

    All items of a combination have the same loss. `None` if the metric has no cells or labels are not classes.
    """
    if metric.cells is None or labels.ndim != 1 or labels.dtype.kind not in "biu" or not len(labels):
        return None
    return distinct(paired(metric.cells(items), labels))
