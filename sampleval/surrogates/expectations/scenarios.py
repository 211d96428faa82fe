"""The labels to be enumerated for the distribution of a loss under a belief, or for its extremes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.codes import distinct
from sampleval.metrics.jacobians import Jacobian, dense, effects
from sampleval.pool import Floats, Integers, Items, Task
from sampleval.surrogates.belief import Belief


def scenarios(metric: Metric, items: Items, belief: Belief) -> Iterator[tuple[Floats, Encoded]]:
    """Labels of every item with their probabilities, sufficient for the distribution of ℓ under the belief."""
    if metric.shortcuts.exceptions is not None and belief.task.kind == "multilabel":
        return belief.apart(metric.shortcuts.exceptions(items))
    return belief.scenarios()


def options(metric: Metric, items: Items, belief: Belief) -> Iterator[Encoded]:
    """Labels of every item that cover all values of ℓ, or its extremes for numbers; each (n,) or (n, C)."""
    if metric.shortcuts.exceptions is not None and belief.task.kind == "multilabel":
        return (y for _, y in scenarios(metric, items, belief))
    return belief.candidates()


def label_terms(metric: Metric, task: Task) -> Callable[[Items, Floats], Floats] | None:
    """`Shortcuts.by_label` if ℓ is a sum over independent labels, so that label sets need no listing, otherwise `None`."""
    return metric.shortcuts.by_label if task.kind == "multilabel" else None


def linear(metric: Metric, task: Task) -> bool:
    """Whether E_π ℓ equals ℓ evaluated at the probabilities π, so that labels need no listing."""
    able = {"multilabel": metric.shortcuts.by_label, "multiclass": metric.shortcuts.by_class}
    return able.get(task.kind) is not None


def class_effects(metric: Metric, items: Items, jacobian: Jacobian) -> Iterator[Floats]:
    """Yields Dg·ℓ of n items, (n, m), if all of them were of one class, for each class in turn."""
    if metric.shortcuts.by_class and linear(metric, items.task):
        yield from metric.shortcuts.by_class(items, dense(jacobian))
    elif metric.terms and metric.cells:  # each of the two has few cells, but their pairs are many
        half = jacobian.shape[1] // 2  # sliced, since that of a curve is sparse
        pairs = zip(metric.terms, (jacobian[:, :half], jacobian[:, half:]), strict=True)
        yield from map(np.add, *(_of_cells(term, items, slope) for term, slope in pairs))
    else:
        yield from (effects(loss, jacobian) for loss in class_losses(metric, items))


def _of_cells(metric: Metric, items: Items, jacobian: Jacobian) -> Iterator[Floats]:
    """`class_effects` of a metric with cells, from one item of each."""
    codes, typical = typical_items(metric, items)
    return (effect[codes] for effect in class_effects(metric, typical, jacobian))


def typical_items(metric: Metric, items: Items) -> tuple[Integers, Items]:
    """The cell of each item, (N,), and one item of each cell, (K,)."""
    assert metric.cells is not None
    one, which = distinct(metric.cells(items))
    return which, items.take(one)


def class_losses(metric: Metric, items: Items) -> Iterator[Floats]:
    """Yields ℓ of n items, (n, d), if all of them were of one class, for each class in turn."""
    return (metric.loss(items, np.full(len(items), c)) for c in range(items.task.width))


def option_effects(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Floats:
    """Effects Dg·ℓ of every option, (L, K, n, m): K options for each of L independent labels whose effects add up.

    L = 1 unless ℓ is a sum over the labels of a multi-label task.
    """
    if terms := label_terms(metric, items.task):
        return terms(items, dense(jacobian)).transpose(1, 2, 0, 3)
    if items.task.classified:
        return np.stack(list(class_effects(metric, items, jacobian)))[None]
    return np.stack([effects(metric.loss(items, y), jacobian) for y in options(metric, items, belief)])[None]


def worst_labels(metric: Metric, items: Items, belief: Belief, gradient: Floats) -> tuple[Encoded, Encoded]:
    """The labels with the smallest and with the largest effect Dg·ℓ on a scalar metric, Dg (1, d), each (n,) or (n, C)."""
    effect = option_effects(metric, items, belief, gradient)[..., 0]
    least, most = effect.argmin(axis=1), effect.argmax(axis=1)
    if label_terms(metric, items.task):
        return least.T, most.T
    labels, every = np.stack(list(options(metric, items, belief))), np.arange(len(items))
    return labels[least[0], every], labels[most[0], every]
