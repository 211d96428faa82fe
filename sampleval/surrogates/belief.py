"""A belief: the distribution of every item's label under a surrogate, π(y|n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from scipy.special import ndtri

from sampleval._checks import InputError
from sampleval.metrics.base import Encoded
from sampleval.pool import Floats, Integers, Task

At = Integers | slice  # positions of items
ALL = slice(None)
MOST_LABELS = 10  # with more labels, 2^C label sets are too many to list
# A number has no worst case: the 99.5% quantile of the normal distribution is used instead.
EXTREME = float(ndtri(0.995))

# Four Gauss nodes and weights for E f(|Z|), Z normal. They are exact for functions that are polynomials of degree up to 7
# on either side of the mean, and so for the squares of |y − ŷ|, (y − ŷ)² and y² if the mean is the prediction.
HALF = np.array([0.18918846566795994, 0.8829284441871323, 1.8986352010260545, 3.199890790487896])
SHARE = np.array([0.3670651279193882, 0.47516848084583363, 0.15057373740855834, 0.007192653826220158])
NODES, WEIGHTS = np.concatenate([-HALF, HALF]), np.concatenate([SHARE, SHARE]) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """The distributions π(y|n) of the labels of n items.

    Attributes:
        task: The kind of labels.
        mean: Binary p(y = 1), (n,); multiclass p(class), (n, C) with rows summing to 1; multilabel
            independent p(label), (n, C); regression E y, (n,).
        sd: Standard deviation of y, (n,); empty unless the task is regression.
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
        """π of every class, (C, n), for binary and multiclass labels only."""
        return np.stack([1 - self.mean, self.mean]) if self.task.kind == "binary" else self.mean.T

    def scenarios(self) -> Iterator[tuple[Floats, Encoded]]:
        """Yields the possible labels: the probability, (n,), and the encoded label, (n,) or (n, C), of every item.

        Classes are enumerated, and so are label sets if they are few; regression uses Gauss nodes.
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
                "give the Metric `shortcuts` (see sampleval.metrics.by_label)"
            )

    def candidates(self) -> Iterator[Encoded]:
        """Yields the labels of every item among which the worst case is sought, each (n,) or (n, C).

        These are all classes or label sets, or, if there are too many, the likeliest set and those that differ from it in one
        label. For numbers, which have no worst case, they are the mean and the 0.5 % and 99.5 % quantiles of a normal belief.
        """
        if self.task.kind == "regression":
            yield from (self.mean + z * self.sd for z in (-EXTREME, 0.0, EXTREME))
        elif self.task.kind == "multilabel" and self.task.width > MOST_LABELS:
            likely = (self.mean > 0.5).astype(np.int8)
            yield likely
            yield from (likely ^ flipped for flipped in np.eye(self.task.width, dtype=np.int8))
        else:
            yield from (y for _, y in self.scenarios())

    def probability(self, sets: Encoded) -> Floats:
        """π of one label set per item, (n, C) to (n,), with independent labels."""
        return np.asarray(np.where(sets == 1, self.mean, 1 - self.mean).prod(axis=1))

    def apart(self, exceptions: Iterator[Encoded]) -> Iterator[tuple[Floats, Encoded]]:
        """Yields these label sets with their probabilities, then some other set with the remaining probability.

        Args:
            exceptions: Label sets, each (n, C); one that repeats an earlier set of the same item gets
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
        """Yields label sets next to y: one more than there are exceptions is always enough."""
        for flip in range(1, min(2**self.task.width, enough + 2)):
            bits = (flip >> np.arange(self.task.width)) & 1
            yield np.asarray(y) ^ bits.astype(np.asarray(y).dtype)
