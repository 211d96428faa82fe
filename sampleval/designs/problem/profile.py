"""The profile of a pool: groups of items in falling order of size, few enough for planning."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sampleval.designs.inclusion import Waterline, defensive_mixture
from sampleval.pool import Floats, Integers

EXACT, GROUPS = 20_000, 2_000  # up to EXACT items nothing is grouped; more form about GROUPS groups


@dataclass(frozen=True)
class Profile:
    """Up to about 2,000 groups of items of similar size h; exact up to 20,000 items.

    Attributes:
        h: Mean size of each group, falling, (K,).
        square: Mean E d² of each group, (K,), or of m components at once, (K, m).
        count: Items in each group, (K,).
        waterline: The exact `Waterline` over all items.
        order: Positions of the items in falling order of h, (N,).
        edges: Where each group starts in that order, (K+1,).
        population: N, including held items and those whose label cannot matter.
        eligible: Number of items that may be asked.
    """

    h: Floats
    square: Floats
    count: Floats
    waterline: Waterline
    order: Integers
    edges: Integers
    population: int
    eligible: int
    _mixtures: dict[float, tuple[Floats, Waterline]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, h: Floats, square: Floats, eligible: int | None = None) -> Profile:
        """The profile with the items of h > 0 grouped at geometric and linear ranks, so that both ends are fine.

        Args:
            h: Sizes, (N,); 0 for held items and where no label can matter.
            square: E d², (N,).
            eligible: Items that may be asked; all by default.
        """
        order = _falling(h)
        edges = _edges(len(order))
        count = np.diff(edges).astype(float)
        return cls(
            np.add.reduceat(h[order], edges[:-1]) / count,
            np.add.reduceat(square[order], edges[:-1]) / count,
            count,
            Waterline.sorted(h[order]),
            order,
            edges,
            len(h),
            len(h) if eligible is None else eligible,
        )

    @classmethod
    def of_groups(cls, h: Floats, square: Floats, count: Floats, population: int | None = None) -> Profile:
        """The profile of a pool that is given as groups of alike items.

        Args:
            h: Size of the items of each group, (G,).
            square: Their E d², (G,).
            count: Items of each group that may be asked, (G,).
            population: N; by default all may be asked.
        """
        order = _falling(h)
        waterline, size = Waterline.sorted(h[order], count[order]), int(count.sum())
        edges = np.arange(len(order) + 1)
        return cls(h[order], square[order], count[order], waterline, order, edges, population or size, size)

    @property
    def idle(self) -> int:
        """Number of items that may be asked but whose label cannot matter: only defensive mixtures ask them."""
        return self.eligible - int(self.waterline.before[-1])

    def mixed(self, defensive: float) -> tuple[Floats, Waterline]:
        """Sizes of the groups, (K,), and the exact waterline, both after the defensive mixture (M 3.3.1)."""
        total = self.waterline.tail[0]
        if defensive == 0 or total == 0:
            return self.h, self.waterline
        if defensive not in self._mixtures:
            falling = defensive_mixture(np.append(self.waterline.h, 0), total, defensive, self.eligible)
            count = np.append(np.diff(self.waterline.before), self.idle)
            sizes = defensive_mixture(self.h, total, defensive, self.eligible)
            self._mixtures[defensive] = sizes, Waterline.sorted(falling, count)
        return self._mixtures[defensive]

    def mean(self, values: Floats) -> Floats:
        """Mean of values over the items of each group, (N,) to (K,)."""
        return np.asarray(np.add.reduceat(values[self.order], self.edges[:-1]) / self.count)

    def with_square(self, square: Floats) -> Profile:
        """The same groups with other expected squares, (K,) or (K, m)."""
        return replace(self, square=square)

    @cached_property
    def typical(self) -> Integers:
        """Position of one item per group, its middle one, (K,)."""
        return self.order[(self.edges[:-1] + self.edges[1:]) // 2]


def _falling(h: Floats) -> Integers:
    """Positions of the positive sizes in falling order."""
    return np.argsort(h)[::-1][: np.count_nonzero(h > 0)]


def _edges(n: int) -> Integers:
    if n <= EXACT:
        return np.arange(n + 1)
    geometric = np.geomspace(1, n, GROUPS // 2)
    linear = np.linspace(0, n, GROUPS // 2)
    return np.unique(np.concatenate([[0], geometric, linear, [n]]).round().astype(np.intp))
