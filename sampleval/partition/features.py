"""Parts of like items by their features: a k-d tree, or a clustering with its own hierarchy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import ClusterNode, linkage, to_tree
from scipy.spatial import KDTree

from sampleval.partition.tree import Tree, unfolded
from sampleval.pool import Floats, Integers

# Hierarchical clustering costs the square of what it clusters: past this many items, a sample is clustered
# and every other item joins its nearest member.
SEEDS = 2000


def kd_tree(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """SciPy's k-d tree, cut where about `leaves` boxes are left: (N, p) to the leaf of each item and the tree."""
    # Sorted distinct rows: ties then stay together, whatever the order of the items.
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    root = KDTree(points, leafsize=max(1, -(-len(points) // leaves)), balanced_tree=True).tree
    boxes, tree = unfolded(
        root, lambda box: () if isinstance(box, KDTree.leafnode) else (box.less, box.greater)
    )
    return _parts([box.idx for box in boxes], len(points))[inverse.reshape(-1)], tree


def clusters(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """Ward's agglomerative clustering cut at `leaves` clusters, with the merges above the cut as the tree."""
    centre, points = compress(features)
    root = to_tree(linkage(points, "ward")) if len(points) > 1 else ClusterNode(0)
    # The last merges undone: what they joined are the clusters, and they are the tree.
    last = root.id - min(leaves, len(points)) + 1
    found, tree = unfolded(root, lambda one: () if one.id <= last else (one.left, one.right))
    return _parts([one.pre_order() for one in found], len(points))[centre], tree


def _parts(members: Sequence[Sequence[int]], size: int) -> Integers:
    """The part of each of so many points, from the points of each part."""
    part = np.empty(size, np.intp)
    for number, points in enumerate(members):
        part[points] = number
    return part


def compress(features: Floats) -> tuple[Integers, Floats]:
    """Few enough points to cluster: the distinct rows, or some of them; and the nearest one to each item."""
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    if len(points) <= SEEDS:
        return inverse, points
    # Chosen among sorted distinct rows, so that the order in which the items came does not matter.
    seeds = points[np.sort(np.random.default_rng(0).choice(len(points), SEEDS, replace=False))]
    return KDTree(seeds).query(points)[1][inverse], seeds
