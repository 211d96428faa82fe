"""What makes expectations over unknown labels cheap, for losses that are sums over labels or affine in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sampleval.metrics.jacobians import effects
from sampleval.metrics.wide import Written, wide
from sampleval.pool import Flags, Floats, Items

T = TypeVar("T")
Effects = Callable[[Items, Floats], T]


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """Ways around listing all labels that an item may have. Each is `None` where the loss ℓ does not allow it.

    Attributes:
        by_label: For multi-label tasks in which ℓ is a sum over the labels and accepts probabilities as y_c, in which it is
            affine. It maps (items, Dg) to Dg·ℓ label by label for y_c = 0 and 1, (n, C, 2, m), so that 2^C label sets
            cost only 2·C terms.
        by_class: For multi-class tasks in which ℓ accepts memberships (n, C) in [0, 1] as labels and is affine in them.
            It maps (items, Dg) to Dg·ℓ (n, m) for each of the C classes as the label, which costs about as much as one.
        exceptions: For multi-label tasks in which ℓ is the same for all label sets but a few. It gives these few
            sets, each (n, C). For exact match there is one, the decision.
    """

    by_label: Effects[Floats] | None = None
    by_class: Effects[Iterator[Floats]] | None = None
    exceptions: Callable[[Items], Iterator[NDArray[Any]]] | None = None

    def of(self, system: str) -> Shortcuts:
        """Those of the loss of the named system."""
        labels, classes, sets = self.by_label, self.by_class, self.exceptions
        return Shortcuts(
            labels and (lambda items, dg: labels(items.of(system), dg)),
            classes and (lambda items, dg: classes(items.of(system), dg)),
            sets and (lambda items: sets(items.of(system))),
        )

    def within(self, inside: Callable[[Items], Flags]) -> Shortcuts:
        """Those of the loss that is 0 for items that are not `inside`, (n,)."""
        labels, classes = self.by_label, self.by_class
        return replace(
            self,
            by_label=labels and (lambda items, dg: labels(items, dg) * inside(items)[:, None, None, None]),
            by_class=classes and (lambda items, dg: (c * inside(items)[:, None] for c in classes(items, dg))),
        )

    def beside(self, other: Shortcuts) -> Shortcuts:
        """Those of two losses side by side, ℓ = (ℓ₁, ℓ₂), as far as both have them."""
        sets, others = self.exceptions, other.exceptions
        return Shortcuts(
            _added(self.by_label, other.by_label, np.add),
            _added(self.by_class, other.by_class, partial(map, np.add)),
            sets and others and (lambda items: chain(sets(items), others(items))),
        )


def _added(one: Effects[T] | None, other: Effects[T] | None, add: Callable[[T, T], T]) -> Effects[T] | None:
    """The sum of what two functions of (items, Dg) make, each of its half of Dg."""
    if one is None or other is None:
        return None

    def added(items: Items, jacobian: Floats) -> T:
        left, right = np.split(jacobian, 2, axis=1)
        return add(one(items, left), other(items, right))

    return added


def by_label(loss: Written) -> Shortcuts:
    """`Metric.shortcuts` of any multi-label loss that is a sum over the labels, computed from C + 1 losses.

    Args:
        loss: ℓ, (n, d), with ℓ(n, y) = ℓ(n, 0) + Σ_c y_c·(ℓ(n, e_c) − ℓ(n, 0)).
    """
    loss = wide(loss)

    def found(items: Items, jacobian: Floats) -> Floats:
        width, n = items.task.width, len(items)
        none = effects(loss(items, np.zeros((n, width))), jacobian)
        out = np.empty((n, width, 2, none.shape[1]))
        out[:, :, 0] = none[:, None] / width
        for c, alone in enumerate(np.eye(width)):
            change = effects(loss(items, np.broadcast_to(alone, (n, width))), jacobian) - none
            out[:, c, 1] = out[:, c, 0] + change
        return out

    return Shortcuts(by_label=found)
