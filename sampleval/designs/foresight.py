"""What was foreseen of every item as a round began: the part of a loss that no label need tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sampleval.metrics import Metric
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import Belief, expected_loss, predicted_risk


class Foresight(Protocol):
    """Expected losses under a belief that no label of its round has touched."""

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        ...

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Believed:
    """The foresight of a belief about single items; sums over the pool are remembered.

    Attributes:
        belief: π of every item, (N,).
    """

    belief: Belief
    _totals: dict[Metric, Floats] = field(default_factory=dict, repr=False)

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        return expected_loss(metric, items.take(index), self.belief.take(index))

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        if metric not in self._totals:
            self._totals[metric] = len(items) * predicted_risk(metric, items, self.belief)
        return self._totals[metric]
