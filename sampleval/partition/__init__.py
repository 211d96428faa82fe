"""Partitions: strata and trees of items that are expected to have similar labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sampleval._checks import InputError, choice, column_names, count, fail
from sampleval.metrics.codes import compact, summed
from sampleval.partition.features import clusters, kd_tree
from sampleval.partition.merging import merged
from sampleval.partition.score import CUTS
from sampleval.partition.tree import Tree, grow, join
from sampleval.pool import Floats, Integers, Pool

BY_FEATURES = {"k-d tree": kd_tree, "clusters": clusters}
PARTITIONS = (*CUTS, *BY_FEATURES)


@dataclass(frozen=True, eq=False)
class Partition:
    """A division of the pool into K non-empty parts, which are the leaves of a tree.

    Attributes:
        leaf: Part of every item, (N,) in 0..K−1; parts of a score are in rising order.
        tree: The hierarchy above the parts.
        note: Why there are fewer parts than asked for, or "".
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
        leaves: Number of parts wanted, K ≥ 1. Ties, few distinct values or few items give fewer, with a note; each
            predicted class of a multiclass task has at least one.
        depth: Depth of the tree over score strata; 1 is flat. Feature methods have their own tree.
        columns: Numeric columns of the pool's fields, for the methods that need them.

    >>> import pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, 20)}), score="score")
    >>> partition(pool, "equal-size", leaves=4).sizes.tolist()
    [5, 5, 5, 5]
    """
    choice(by, PARTITIONS, "by")
    count(leaves, "leaves", minimum=1)
    if by in BY_FEATURES:
        leaf, tree = BY_FEATURES[by](feature_columns(pool, columns), leaves)
        return _noted(leaf, tree, leaves)
    groups = strata_of(pool)
    parts, trees, start = np.zeros(pool.size, np.intp), [], 0
    for index, score in groups:
        leaf = cut(score, by, max(1, leaves // len(groups)))
        parts[index] = leaf + start
        start += int(leaf.max()) + 1
        trees.append(grow(int(leaf.max()) + 1, depth=max(1, depth - (len(groups) > 1))))
    return _noted(parts, join(trees), leaves)


def cut_by_label(pool: Pool, by: str, *, leaves: int, depth: int) -> tuple[Partition, ...]:
    """One partition per label of a multi-label pool, along that label's own score."""
    found = []
    for score in pool.score.T:
        leaf = cut(score, choice(by, CUTS, "by"), leaves)
        found.append(_noted(leaf, grow(int(leaf.max()) + 1, depth=depth), leaves))
    return tuple(found)


def cut(score: Floats, by: str, strata: int) -> Integers:
    """The stratum of every score, (n,), numbered in rising order without gaps."""
    if not len(score) or score.min() == score.max():
        return np.zeros(len(score), np.intp)
    at = np.searchsorted(np.unique(CUTS[by](score, strata)), score, side="right")
    return compact(at)


def strata_of(pool: Pool) -> list[tuple[Integers, Floats]]:
    """Groups of items and the score by which each group is cut: one per predicted class if multiclass, else a single one."""
    kind, everyone = pool.task.kind, np.arange(pool.size)
    if kind == "binary":
        return [(everyone, pool.score)]
    if kind == "regression":
        return [(everyone, np.asarray(pool.pred, float))]
    if kind == "multilabel":
        return [(everyone, pool.score.max(axis=1))]
    groups = [np.flatnonzero(pool.pred == c) for c in range(pool.task.width)]
    return [(index, pool.score[index, c]) for c, index in enumerate(groups) if len(index)]


def feature_columns(pool: Pool, columns: tuple[str, ...] = ()) -> Floats:
    """Standardised numeric fields, (N, p); missing and infinite values become the column's mean.

    Args:
        pool: The scored items.
        columns: Names of fields; all numeric ones by default.

    Raises:
        InputError: No such column, or none that is numeric.
    """
    fields, columns = pool.fields, column_names(columns, "columns")
    for name in columns:
        choice(name, [str(c) for c in fields.columns], "columns")
    numeric = fields.select_dtypes(["number", "bool"])
    for name in columns:
        if name not in numeric:
            fail("columns", "must name numeric fields", name, remedy="leave it out")
    chosen = numeric[list(columns)] if columns else numeric
    if not chosen.shape[1]:
        raise InputError(
            "`columns` must name numeric fields of the pool; it has none; "
            "read the pool with fields=[...] that hold features, or cut the score instead"
        )
    values = chosen.to_numpy(float, na_value=np.nan)
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, values, mean)
    return np.asarray((filled - mean) / np.maximum(filled.std(axis=0), 1e-12))


def _noted(leaf: Integers, tree: Tree, wanted: int) -> Partition:
    made = len(tree.leaves)
    why = "values repeat, or classes that are cut apart do not share them evenly"
    note = f"{made} strata instead of {wanted}: {why}" if made < wanted else ""
    return Partition(leaf, tree, note)


__all__ = [
    "PARTITIONS",
    "Partition",
    "Tree",
    "cut_by_label",
    "feature_columns",
    "grow",
    "join",
    "merged",
    "partition",
]
