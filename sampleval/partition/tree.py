"""Trees over the parts of a partition, with sums and products along the tree as sparse matrix products."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from sampleval.pool import Floats, Integers

Node = TypeVar("Node")
DENSE = 1 << 18  # up to this number of entries, a dense matrix product is faster


@dataclass(frozen=True)
class Tree:
    """A rooted tree whose K leaves are the parts of a partition.

    Attributes:
        parent: Parent of every node, (V,); the root is node 0 and is its own parent. Parents come
            before their children.
        leaves: Node of each leaf, (K,), in the order of the partition's parts.
    """

    parent: Integers
    leaves: Integers

    @property
    def size(self) -> int:
        """Number of nodes V."""
        return len(self.parent)

    @cached_property
    def depth(self) -> Integers:
        """Number of steps from the root to every node, (V,)."""
        depth = np.zeros(self.size, np.intp)
        for node in range(1, self.size):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @cached_property
    def below(self) -> Any:
        """1 if a leaf lies below a node or is that node, otherwise 0, (V, K); sparse if it is large."""
        node, leaf = [self.leaves], [np.arange(len(self.leaves))]
        while node[-1].any():
            inner = node[-1] > 0
            node.append(self.parent[node[-1][inner]])
            leaf.append(leaf[-1][inner])
        ones = np.ones(sum(map(len, node)))
        made = csr_array((ones, (np.concatenate(node), np.concatenate(leaf))), (self.size, len(self.leaves)))
        return made.toarray() if made.shape[0] * made.shape[1] <= DENSE else made

    @cached_property
    def above(self) -> Any:
        """The transpose of `below`, (K, V)."""
        return self.below.T.copy() if isinstance(self.below, np.ndarray) else self.below.T.tocsr()

    @cached_property
    def _family(self) -> tuple[Integers, Integers, Integers]:
        """Nodes but the root in the order of their parents, where each family of siblings begins, and each node's family."""
        order = 1 + np.argsort(self.parent[1:], kind="stable")
        begins = np.flatnonzero(np.diff(self.parent[order], prepend=-1))
        family = np.zeros(self.size, np.intp)
        family[order] = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(order))))
        return order, begins, family

    def up(self, values: Floats) -> Floats:
        """Sums over the leaves below every node, (K, …) to (V, …)."""
        return np.asarray(self.below @ values)

    def shares(self, values: Floats) -> Floats:
        """Every node's value divided by the sum over it and its siblings, (V, …); 1 at the root."""
        shares = np.ones_like(values, float)
        if self.size > 1:
            order, begins, family = self._family
            shares[order] = values[order] / np.add.reduceat(values[order], begins)[family[order]]
        return shares

    def down(self, branch: Floats) -> Floats:
        """Products of positive branch probabilities from the root to every leaf, (V, …) to (K, …)."""
        logs = np.log(branch)
        logs[0] = 0.0
        return np.exp(self.above @ logs)


def grow(leaves: int, *, depth: int) -> Tree:
    """A tree over K leaves in their order, with splits that are as even as possible.

    Args:
        leaves: K ≥ 1.
        depth: Number of levels below the root, with ⌈K^(1/depth)⌉ children per node; 1 is a flat partition.

    >>> grow(256, depth=8).size, grow(256, depth=1).size, grow(6, depth=2).depth.tolist()
    (511, 257, [0, 1, 1, 1, 2, 2, 2, 2, 2, 2])
    """
    ways = smallest_branching(leaves, depth)

    def cut(span: tuple[int, int]) -> list[tuple[int, int]]:
        start, stop = span
        cuts = np.linspace(start, stop, min(ways, stop - start) + 1).round().astype(int).tolist()
        return list(pairwise(cuts)) if stop - start > 1 else []

    ends, tree = unfolded((0, leaves), cut)
    return replace(tree, leaves=tree.leaves[np.argsort([start for start, _ in ends])])


def unfolded(root: Node, children: Callable[[Node], Sequence[Node]]) -> tuple[list[Node], Tree]:
    """The leaves below a root in breadth-first order, and their tree; a leaf has no children."""
    parent, leaves, at, waiting = [0], [], [], deque([(root, 0)])
    while waiting:
        one, place = waiting.popleft()
        below = children(one)
        if not below:
            leaves.append(one)
            at.append(place)
        for child in below:
            parent.append(place)
            waiting.append((child, len(parent) - 1))
    return leaves, Tree(np.array(parent, np.intp), np.array(at, np.intp))


def smallest_branching(leaves: int, depth: int) -> int:
    """The smallest number of children per node, ≥ 2, with which a tree of this depth has room for the leaves."""
    ways, depth = 2, min(depth, leaves.bit_length())  # at this depth two children per node are enough
    while ways**depth < leaves:
        ways += 1
    return ways


def join(trees: Sequence[Tree]) -> Tree:
    """The tree with these trees below a new root, with leaves in their order; a single tree is not changed."""
    if len(trees) == 1:
        return trees[0]
    parents, leaves, start = [np.zeros(1, np.intp)], [], 1
    for tree in trees:
        parents.append(np.concatenate([[0], tree.parent[1:] + start]).astype(np.intp))
        leaves.append(tree.leaves + start)
        start += tree.size
    return Tree(np.concatenate(parents), np.concatenate(leaves))
