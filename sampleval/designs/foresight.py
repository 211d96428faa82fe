"""What was foreseen of every item as a round began: the part of a loss that no label need tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from sampleval._checks import conforms
from sampleval.metrics import Metric
from sampleval.metrics.base import Loss
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import Belief, Evidence, expected_loss, predicted_risk


class Foresight(Protocol):
    """Expected losses under a belief that no label of its round has touched."""

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        ...

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        ...


@runtime_checkable
class Reserved(Protocol):
    """A model that draws items by more than it lets an estimate foresee of them while there is no label."""

    def reserved(self) -> Belief:
        """What it foresees of every item before the first label."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Believed:
    """The foresight of a belief about single items; sums over the pool are remembered.

    Attributes:
        belief: π of every item, (N,).
    """

    belief: Belief
    _totals: dict[Loss, Floats] = field(default_factory=dict, repr=False)

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        return expected_loss(metric, items.take(index), self.belief.take(index))

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        # Many metrics are of one loss, as all of counts class by class are.
        if metric.loss not in self._totals:
            self._totals[metric.loss] = len(items) * predicted_risk(metric, items, self.belief)
        return self._totals[metric.loss]


def foresight_of(model: object, answers: Evidence, belief: Belief) -> Believed:
    """The foresight of a belief that comes from these answers; before any, without what its model keeps to itself."""
    return Believed(model.reserved() if not len(answers) and conforms(model, Reserved) else belief)
