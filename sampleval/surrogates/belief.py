"""A belief: what a surrogate holds about every label, π(y|n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sampleval.metrics.base import Encoded
from sampleval.pool import Floats, Integers, Task

# Seven Gauss–Hermite nodes integrate polynomials up to degree 13 exactly: every moment the losses need.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(7)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """π(y|n) for n items.

    Attributes:
        task: What the labels are.
        mean: Binary p(y = 1), (n,); multiclass p(class), (n, C) with rows summing to 1; multilabel
            independent p(label), (n, C); regression E y, (n,).
        sd: Standard deviation of y, (n,); regression only, else empty.
    """

    task: Task
    mean: Floats
    sd: Floats

    def __len__(self) -> int:
        return len(self.mean)

    def take(self, index: Integers) -> Belief:
        """The belief about the items at these positions."""
        return Belief(self.task, self.mean[index], self.sd[index] if self.sd.size else self.sd)

    def scenarios(self) -> Iterator[tuple[Floats, Encoded]]:
        """Label by label: its probability (n,) and the label of every item, encoded (n,).

        Binary and multiclass labels are enumerated; regression uses Gauss–Hermite nodes.
        Multilabel has 2^C scenarios and is summed label by label instead (`moments`).
        """
        n = len(self)
        if self.task.kind == "binary":
            yield 1 - self.mean, np.zeros(n, np.int8)
            yield self.mean, np.ones(n, np.int8)
        elif self.task.kind == "multiclass":
            for c in range(self.task.width):
                yield self.mean[:, c], np.full(n, c, np.intp)
        elif self.task.kind == "regression":
            for node, weight in zip(NODES, WEIGHTS, strict=True):
                yield np.full(n, weight), self.mean + self.sd * node
        else:
            raise NotImplementedError("multilabel beliefs are summed label by label")
