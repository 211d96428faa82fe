"""Which labels have to be looked at to know the law of a loss under a belief, or how far it may reach."""

from __future__ import annotations

from collections.abc import Iterator

from sampleval.metrics.base import Encoded, Metric
from sampleval.pool import Floats, Items
from sampleval.surrogates.belief import Belief


def scenarios(metric: Metric, items: Items, belief: Belief) -> Iterator[tuple[Floats, Encoded]]:
    """Labels and their probabilities, enough of them to know the law of ℓ under the belief."""
    if metric.exceptions is not None and belief.task.kind == "multilabel":
        return belief.apart(metric.exceptions(items))
    return belief.scenarios()


def options(metric: Metric, items: Items, belief: Belief) -> Iterator[Encoded]:
    """Labels of every item among which every ℓ is found, or of numbers its extremes; each (n,) or (n, C)."""
    if metric.exceptions is not None and belief.task.kind == "multilabel":
        return (y for _, y in scenarios(metric, items, belief))
    return belief.candidates()


def label_wise(metric: Metric, belief: Belief) -> bool:
    """Whether ℓ is a sum over independent labels, so that no label sets need listing."""
    return belief.task.kind == "multilabel" and metric.by_label is not None
