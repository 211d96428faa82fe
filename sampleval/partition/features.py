"""Partitions by features: a k-d tree, or a clustering with its own hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import ClusterNode, linkage, to_tree
from scipy.spatial import KDTree

from sampleval._checks import InputError, choice, column_names, fail
from sampleval.partition.tree import Tree, unfolded
from sampleval.pool import Floats, Integers, Pool

# The cost of hierarchical clustering is quadratic: with more distinct items than this, a random sample of them is
# clustered, and every other item joins the nearest sampled one.
SEEDS = 2000


def feature_columns(pool: Pool, columns: tuple[str, ...] = ()) -> Floats:
    """Standardised numeric fields, (N, p); missing and infinite values become the column's mean.

    Args:
        pool: The scored items.
        columns: Names of fields; all numeric ones by default.

    Raises:
        InputError: No such column, or none that is numeric.
    """
    fields, columns = pool.fields, column_names(columns, "columns")
    numeric = fields.select_dtypes(["number", "bool"])
    for name in columns:
        if choice(name, [str(c) for c in fields.columns], "columns") not in numeric:
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


def kd_tree(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """SciPy's k-d tree with about `leaves` boxes: from features (N, p) to the leaf of each item, (N,), and the tree."""
    # Distinct rows in sorted order keep ties together and do not depend on the order of items.
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    root = KDTree(points, leafsize=max(1, -(-len(points) // leaves)), balanced_tree=True).tree
    boxes, tree = unfolded(
        root, lambda box: () if isinstance(box, KDTree.leafnode) else (box.less, box.greater)
    )
    return _parts([box.idx for box in boxes], len(points))[inverse.reshape(-1)], tree


def clusters(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """Ward's agglomerative clustering cut at `leaves` clusters: the cluster of each item, (N,), and the tree above them."""
    centre, points = compress(features)
    root = to_tree(linkage(points, "ward")) if len(points) > 1 else ClusterNode(0)
    # Nodes of the last merges form the tree; what they join are the clusters.
    last = root.id - min(leaves, len(points)) + 1
    found, tree = unfolded(root, lambda one: () if one.id <= last else (one.left, one.right))
    return _parts([one.pre_order() for one in found], len(points))[centre], tree


def _parts(members: Sequence[Sequence[int]], size: int) -> Integers:
    """The part of each of `size` points, from the points of each part."""
    part = np.empty(size, np.intp)
    for number, points in enumerate(members):
        part[points] = number
    return part


def compress(features: Floats) -> tuple[Integers, Floats]:
    """The nearest point to each item, (N,), and at most `SEEDS` points to cluster: the distinct rows or a sample of them."""
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    if len(points) <= SEEDS:
        return inverse, points
    # Drawn from sorted distinct rows, so that the result does not depend on the order of items.
    seeds = points[np.sort(np.random.default_rng(0).choice(len(points), SEEDS, replace=False))]
    return KDTree(seeds).query(points)[1][inverse], seeds
