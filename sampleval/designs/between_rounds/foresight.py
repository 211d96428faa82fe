"""Predicted losses of all items at the start of a round, for model-assisted estimates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sampleval.metrics import Metric
from sampleval.metrics.base import Loss
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import Belief, Evidence, expected_loss, predicted_risk
from sampleval.surrogates.errors import Errors


class Foresight(Protocol):
    """Expected losses under a belief that does not depend on the labels of its round."""

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Believed:
    """The foresight of a belief about every item, (N,); sums over the pool are computed once."""

    belief: Belief
    _totals: dict[Loss, Floats] = field(default_factory=dict, repr=False)

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        return expected_loss(metric, items.take(index), self.belief.take(index))

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        # Many metrics share one loss, for example all those of counts by class.
        if metric.loss not in self._totals:
            self._totals[metric.loss] = len(items) * predicted_risk(metric, items, self.belief)
        return self._totals[metric.loss]


def foresight_of(model: object, evidence: Evidence, belief: Belief) -> Believed:
    """The foresight of a belief based on these labels; without labels, of what a model of errors has `reserved`."""
    return Believed(model.reserved() if not len(evidence) and isinstance(model, Errors) else belief)
