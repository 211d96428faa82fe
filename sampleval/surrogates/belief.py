"""A belief: what a surrogate holds about every label, π(y|n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from scipy.special import ndtri

from sampleval._checks import InputError
from sampleval.metrics.base import Encoded
from sampleval.pool import Floats, Integers, Task

MOST_LABELS = 10  # beyond, 2^C label sets are too many to list
# A number has no worst case: the 99.5% quantile of the normal distribution stands in for it.
EXTREME = float(ndtri(0.995))

# Gauss's four nodes and weights for E f(|Z|), Z normal. On either side of the mean they are exact for polynomials of
# up to degree 7 that break there, and so for every square of |y − ŷ|, (y − ŷ)² and y² where the mean is the prediction.
HALF = np.array([0.18918846566795994, 0.8829284441871323, 1.8986352010260545, 3.199890790487896])
SHARE = np.array([0.3670651279193882, 0.47516848084583363, 0.15057373740855834, 0.007192653826220158])
NODES, WEIGHTS = np.concatenate([-HALF, HALF]), np.concatenate([SHARE, SHARE]) / 2


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
    sd: Floats = field(default_factory=lambda: np.empty(0))

    def __len__(self) -> int:
        return len(self.mean)

    def take(self, index: Integers | slice) -> Belief:
        """The belief about the items at these positions."""
        return Belief(self.task, self.mean[index], self.sd[index] if self.sd.size else self.sd)

    @property
    def by_class(self) -> Floats:
        """π of every class, (C, n), binary and multiclass labels only."""
        return np.stack([1 - self.mean, self.mean]) if self.task.kind == "binary" else self.mean.T

    def scenarios(self) -> Iterator[tuple[Floats, Encoded]]:
        """Label by label: its probability (n,) and the label of every item, encoded (n,) or (n, C).

        Classes are enumerated, label sets too while they are few; regression uses Gauss nodes.
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
        elif self.task.width <= MOST_LABELS:
            for labels in product((0, 1), repeat=self.task.width):
                y = np.broadcast_to(np.array(labels, np.int8), (n, self.task.width))
                yield self.probability(y), y
        else:
            raise InputError(
                f"`metric` cannot be planned for: {self.task.width} labels have too many combinations; "
                "give the Metric `by_label` (see sampleval.metrics.by_label) or `exceptions`"
            )

    def candidates(self) -> Iterator[Encoded]:
        """Labels of every item among which the worst case is sought, each (n,) or (n, C).

        All classes, or label sets; of numbers, which have no worst case, the prediction and the 0.5 % and
        99.5 % quantiles of a normal belief.
        """
        if self.task.kind == "regression":
            yield from (self.mean + z * self.sd for z in (-EXTREME, 0.0, EXTREME))
        elif self.task.kind == "multilabel" and self.task.width > MOST_LABELS:
            likely = (self.mean > 0.5).astype(np.int8)
            yield likely
            yield from self._neighbours(likely, self.task.width)
        else:
            yield from (y for _, y in self.scenarios())

    def probability(self, sets: Encoded) -> Floats:
        """π of one label set per item, (n, C) to (n,); labels are independent."""
        return np.asarray(np.where(sets == 1, self.mean, 1 - self.mean).prod(axis=1))

    def apart(self, exceptions: Iterator[Encoded]) -> Iterator[tuple[Floats, Encoded]]:
        """These label sets with their probabilities, then any other set with the rest.

        Args:
            exceptions: Label sets, each (n, C); where one repeats another of the same item it has
                probability 0.
        """
        sets: list[Encoded] = []
        rest = np.ones(len(self))
        for y in exceptions:
            new = ~np.logical_or.reduce([(y == z).all(axis=1) for z in sets] or [np.zeros(len(self), bool)])
            p = np.where(new, self.probability(y), 0.0)
            rest = rest - p
            sets.append(y)
            yield p, y
        other, free = np.array(sets[0]), np.zeros(len(self), bool)
        for candidate in self._neighbours(sets[0], len(sets)):
            fits = ~free & ~np.logical_or.reduce([(candidate == z).all(axis=1) for z in sets])
            other[fits] = candidate[fits]
            free |= fits
        yield np.where(free, np.maximum(rest, 0.0), 0.0), other

    def _neighbours(self, y: Encoded, enough: int) -> Iterator[Encoded]:
        """Label sets next to y; one more than there are exceptions is always enough."""
        for flip in range(1, min(2**self.task.width, enough + 2)):
            bits = (flip >> np.arange(self.task.width)) & 1
            yield np.asarray(y) ^ bits.astype(np.asarray(y).dtype)
