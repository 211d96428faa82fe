"""Partitions: strata and trees of items that are expected to have similar labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sampleval._checks import choice, count
from sampleval.metrics.codes import summed
from sampleval.numerals import many
from sampleval.partition.features import clusters, feature_columns, kd_tree
from sampleval.partition.merging import merged
from sampleval.partition.score import CUTS, cut, strata_of
from sampleval.partition.tree import Tree, grow, join
from sampleval.pool import Floats, Integers, Pool

BY_FEATURES = {"k-d tree": kd_tree, "clusters": clusters}
PARTITIONS = (*CUTS, *BY_FEATURES)
FEW = 4  # times the parts wanted: items looked at first


@dataclass(frozen=True, eq=False)
class Partition:
    """A division of the pool into K non-empty parts, which are the leaves of a tree.

    Attributes:
        leaf: Part of every item, (N,) in 0..K−1; parts of a score are in rising order.
        tree: The hierarchy above the parts.
        note: Why there are far fewer parts than were wanted, "" if there are not.
    """

    leaf: Integers
    tree: Tree
    note: str = ""

    @property
    def count(self) -> int:
        """Number of parts K."""
        return len(self.tree.leaves)

    @cached_property
    def sizes(self) -> Integers:
        """Items in each part, (K,)."""
        return np.bincount(self.leaf, minlength=self.count)

    def mean(self, values: Floats) -> Floats:
        """Mean of values in each part, (N,) or (N, C) to (K,) or (K, C)."""
        if values.ndim > 1:
            return summed(values, self.leaf, self.count) / self.sizes[:, None]
        return np.bincount(self.leaf, values, self.count) / self.sizes


def partition(
    pool: Pool, by: str = "csf", *, leaves: int = 256, depth: int = 1, columns: tuple[str, ...] = ()
) -> Partition:
    """The partition of a pool into parts of similar items.

    Args:
        pool: The scored items.
        by: "csf", "geometric", "equal-width", "equal-size" or "thresholds" cut the score (within each
            predicted class if there are several); "k-d tree" and "clusters" use feature columns.
        leaves: Number of parts wanted, K ≥ 1. Ties, few distinct values or few items give fewer; each
            predicted class of a multiclass task has at least one.
        depth: Depth of the tree over score strata; 1 is flat. If there are several predicted classes, each has a node, so
            that the tree is at least 2 deep. Feature methods have their own tree.
        columns: Numeric columns of the pool's fields, for the methods that need them.

    >>> import pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, 20)}), score="score")
    >>> partition(pool, "equal-size", leaves=4).sizes.tolist()
    [5, 5, 5, 5]
    """
    choice(by, PARTITIONS, "by")
    leaves = count(leaves, "leaves", minimum=1)
    if by in BY_FEATURES:
        features = feature_columns(pool, columns)
        leaf, tree = BY_FEATURES[by](features, leaves)
        return Partition(leaf, tree, shortage(len(tree.leaves), leaves, [features]))
    groups = strata_of(pool)
    parts, trees, start = np.zeros(pool.size, np.intp), [], 0
    for index, score in groups:
        leaf = cut(score, by, max(1, leaves // len(groups)))
        parts[index] = leaf + start
        start += int(leaf.max()) + 1
        trees.append(grow(int(leaf.max()) + 1, depth=max(1, depth - (len(groups) > 1))))
    return Partition(parts, join(trees), shortage(start, leaves, [score for _, score in groups]))


def cut_by_label(pool: Pool, by: str, *, leaves: int, depth: int) -> tuple[Partition, ...]:
    """One partition per label of a multi-label pool, along that label's own score."""
    found, leaves = [], count(leaves, "leaves", minimum=1)
    for score in pool.score.T:
        leaf = cut(score, choice(by, CUTS, "by"), leaves)
        tree = grow(int(leaf.max()) + 1, depth=depth)
        found.append(Partition(leaf, tree, shortage(len(tree.leaves), leaves, [score])))
    return tuple(found)


def shortage(made: int, wanted: int, groups: Sequence[Floats]) -> str:
    """Why there are fewer parts than wanted, if values are too few or more than half of the parts are lacking; otherwise "".

    Args:
        made: Number of parts.
        wanted: Number of parts wanted.
        groups: What each group of items was cut by, (n,) or (n, p).

    >>> shortage(3, 16, [np.array([0.1, 0.1, 0.4, 0.8])])
    '3 strata instead of 16: there are only 3 different values'
    >>> shortage(4, 16, [np.linspace(0.9, 1, 40)]), shortage(14, 16, [np.linspace(0, 1, 40)])
    ('4 strata instead of 16: most cuts separate no items', '')
    """
    if made >= wanted:
        return ""
    values = _different([each[: FEW * wanted] for each in groups])
    if values < wanted:  # of a large pool the first items nearly always have enough
        values = _different(groups)
    if values >= wanted and 2 * made >= wanted:
        return ""
    why = "most cuts separate no items"
    if values < wanted:
        why = f"there {'is' if values == 1 else 'are'} only {many(values, 'different value')}"
    return f"{many(made, 'stratum', 'strata')} instead of {wanted:,}: {why}"


def _different(groups: Sequence[Floats]) -> int:
    return sum(len(np.unique(each, axis=0)) for each in groups)


__all__ = [
    "PARTITIONS",
    "Partition",
    "Tree",
    "cut",
    "cut_by_label",
    "feature_columns",
    "grow",
    "join",
    "merged",
    "partition",
]
