"""Parts of like items by their features: a k-d tree, or a clustering with its own hierarchy."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial import KDTree

from sampleval.partition.tree import Tree
from sampleval.pool import Floats, Integers

# Hierarchical clustering costs the square of what it clusters: past this many items, a sample is clustered
# and every other item joins its nearest member.
SEEDS = 2000


def kd_tree(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """SciPy's k-d tree, cut where about `leaves` boxes are left: (N, p) to the leaf of each item and the tree."""
    # Sorted distinct rows: ties then stay together, whatever the order of the items.
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    root = KDTree(points, leafsize=max(1, -(-len(points) // leaves)), balanced_tree=True).tree
    leaf, parent, owner = np.zeros(len(points), np.intp), [0], list[int]()
    waiting = [(root, 0)]
    while waiting:
        box, node = waiting.pop(0)
        if isinstance(box, KDTree.leafnode):
            leaf[box.idx] = len(owner)
            owner.append(node)
            continue
        for child in (box.less, box.greater):
            parent.append(node)
            waiting.append((child, len(parent) - 1))
    return leaf[inverse.reshape(-1)], Tree(np.array(parent, np.intp), np.array(owner, np.intp))


def clusters(features: Floats, leaves: int) -> tuple[Integers, Tree]:
    """Ward's agglomerative clustering cut at `leaves` clusters, with the merges above the cut as the tree."""
    centre, points = compress(features)
    count = min(leaves, len(points))
    merges = linkage(points, "ward") if len(points) > 1 else np.empty((0, 4))
    # Undo the last count − 1 merges: what they joined are the clusters, and they are the tree.
    top = 2 * len(points) - 2
    parent, waiting, roots, owner = [0], [(top, 0)], [], []
    while waiting:
        cluster, node = waiting.pop(0)
        if cluster <= top - (count - 1):
            roots.append(cluster)
            owner.append(node)
            continue
        for child in merges[cluster - len(points), :2].astype(int):
            parent.append(node)
            waiting.append((int(child), len(parent) - 1))
    cluster_of = np.zeros(len(points), np.intp)
    for number, root in enumerate(roots):
        cluster_of[members(merges, root, len(points))] = number
    return cluster_of[centre], Tree(np.array(parent, np.intp), np.array(owner, np.intp))


def compress(features: Floats) -> tuple[Integers, Floats]:
    """Few enough points to cluster: the distinct rows, or some of them; and the nearest one to each item."""
    points, inverse = np.unique(features, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    if len(points) <= SEEDS:
        return inverse, points
    # Chosen among sorted distinct rows, so that the order in which the items came does not matter.
    seeds = points[np.sort(np.random.default_rng(0).choice(len(points), SEEDS, replace=False))]
    return KDTree(seeds).query(points)[1][inverse], seeds


def members(merges: Floats, cluster: int, points: int) -> list[int]:
    """The points that were merged into a cluster."""
    found, waiting = [], [cluster]
    while waiting:
        one = waiting.pop()
        if one < points:
            found.append(one)
        else:
            waiting.extend(int(child) for child in merges[one - points, :2])
    return found
