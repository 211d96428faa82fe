"""Expected losses under a belief: of items, and of the whole pool, which give the predicted metric (Y eq 14)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sampleval._checks import fail
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.blocks import ENTRIES, blocks
from sampleval.metrics.codes import distinct
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Floats, Integers, Items, Task, blanks
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.expectations.scenarios import (
    class_losses,
    label_terms,
    linear,
    scenarios,
    typical_items,
)


def expected_loss(metric: Metric, items: Items, belief: Belief) -> Floats:
    """E_π ℓ of every item, (n, d)."""
    if linear(metric, items.task):
        return metric.loss(items, belief.mean)
    return sum(
        (p[:, None] * metric.loss(items, y) for p, y in scenarios(metric, items, belief)),
        start=np.zeros(()),
    )


def predicted_risk(metric: Metric, items: Items, belief: Belief, *, weight: Floats | None = None) -> Floats:
    """R_a = (1/N) Σ w E_π ℓ, (d,) (Y eq 14 with w = 1, the default; w is (N,)), from K losses if the metric has cells.

    That of a difference consists of the risks of its two metrics: each has few cells, but their pairs are many.
    """
    if metric.terms:
        return np.concatenate([predicted_risk(term, items, belief, weight=weight) for term in metric.terms])
    _takes_chances(metric, items)
    if celled(metric, items.task):
        return risk_of_cells(metric, belief, *typical_items(metric, items), weight)
    w = np.ones(len(items)) if weight is None else weight
    wide = metric.loss(items.take(slice(0, 1)), _any_label(belief.take(slice(0, 1)))).shape[1]
    direct = linear(metric, items.task)
    if direct:
        wide = max(wide, items.task.width)
    total: Floats = np.zeros(())
    for block in blocks(len(items), ENTRIES // wide):
        here, about = items.take(block), belief.take(block)
        if direct:
            total = total + w[block] @ metric.loss(here, about.mean)
        else:
            total = total + sum(
                (p * w[block]) @ metric.loss(here, y) for p, y in scenarios(metric, here, about)
            )
    return np.asarray(total) / len(items)


def _takes_chances(metric: Metric, items: Items) -> None:
    """Refuse `by_label` of a loss that is not affine in the labels as it is written: it is handed probabilities of them."""
    if metric.shortcuts.by_label is None or items.task.kind != "multilabel" or not len(items):
        return
    one, shape = items.take(slice(0, 1)), (1, items.task.width)
    none, half, every = (metric.loss(one, np.full(shape, chance)) for chance in (0.0, 0.5, 1.0))
    if not np.allclose(half, (none + every) / 2, equal_nan=True):
        rule = "must be affine in the labels where `by_label` is given, for it is handed their probabilities"
        fail("loss", rule, remedy="write y * (1 - pred) + (1 - y) * pred for y != pred")


def risk_of_cells(
    metric: Metric, belief: Belief, codes: Integers, typical: Items, weight: Floats | None = None
) -> Floats:
    """R_a, (d,), from sums of the weighted belief over the items of each cell."""
    chances = [np.bincount(codes, p if weight is None else p * weight, len(typical)) for p in belief.by_class]
    if linear(metric, typical.task):
        size = np.bincount(codes, weight, len(typical))
        mean = np.divide(chances, size, where=size > 0, out=np.zeros((len(chances), len(typical))))
        return size @ metric.loss(typical, mean.T) / len(codes)
    total = sum(p @ loss for p, loss in zip(chances, class_losses(metric, typical), strict=True))
    return np.asarray(total) / len(codes)


def celled(metric: Metric, task: Task) -> bool:
    """Whether the metric has cells, whose items have the same loss for the same label, and the task has classes."""
    return metric.cells is not None and task.classified


def one_of_each(metric: Metric, items: Items, among: Integers | None = None) -> tuple[Integers, Integers]:
    """The position of one item of each cell, (K,), and the cell of each item, (n,); without cells each item is one.

    With `among`, the positions of some items, (n,), only these are considered.
    """
    among = np.arange(len(items)) if among is None else among
    if not celled(metric, items.task):
        return among, np.arange(len(among))
    assert metric.cells is not None
    one, which = distinct(metric.cells(items)[among])
    return among[one], which


def effect_blocks(metric: Metric, items: Items, jacobian: Jacobian) -> Iterator[slice]:
    """Slices of the items, so few at a time that the effects Dg·ℓ of their labels stay in the cache; for metrics without cells."""
    width = items.task.width if label_terms(metric, items.task) else 1
    return blocks(len(items), int(ENTRIES // max(jacobian.shape[0] * width, jacobian.shape[1])))


def _any_label(belief: Belief) -> Encoded:
    """Some label of one item, to find the width of a loss; for numbers a likely one, as others may have no finite loss."""
    if belief.task.kind == "regression":
        return next(belief.scenarios())[1]
    return np.asarray(blanks(belief.task, 1))
