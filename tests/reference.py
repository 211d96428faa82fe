"""Slow, obvious versions of fast computations in the library: loops that can be checked by eye."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def siphash(key: bytes, data: bytes) -> int:
    """SipHash-2-4 as published by its authors (Aumasson & Bernstein 2012)."""
    mask = (1 << 64) - 1

    def rotated(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & mask

    k = [int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")]
    v = [
        k[0] ^ 0x736F6D6570736575,
        k[1] ^ 0x646F72616E646F6D,
        k[0] ^ 0x6C7967656E657261,
        k[1] ^ 0x7465646279746573,
    ]

    def rounds(times: int) -> None:
        for _ in range(times):
            v[0] = (v[0] + v[1]) & mask
            v[1] = rotated(v[1], 13) ^ v[0]
            v[0] = rotated(v[0], 32)
            v[2] = (v[2] + v[3]) & mask
            v[3] = rotated(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & mask
            v[3] = rotated(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & mask
            v[1] = rotated(v[1], 17) ^ v[2]
            v[2] = rotated(v[2], 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def mixed(x: int) -> int:
    """The finaliser of SplitMix64, which pandas applies to every hash."""
    mask = (1 << 64) - 1
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
    return x ^ (x >> 31)


def water_fill(h: Sequence[float], budget: float) -> Floats:
    """Raise κ by bisection until the capped probabilities use up the budget."""
    sizes = np.asarray(h, float)
    low, high = 0.0, 1.0
    wanted = min(budget, float(np.count_nonzero(sizes)))
    while np.minimum(1, high * sizes).sum() < wanted - 1e-13 * wanted and high < 1e300:
        high *= 2
    for _ in range(2000):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, middle * sizes).sum() < wanted else (low, middle)
    return np.minimum(1, high * sizes)


def poisson_samples(b: Floats) -> Iterator[tuple[NDArray[np.intp], float]]:
    """All samples of independent inclusions, each with its probability."""
    for pattern in itertools.product([False, True], repeat=len(b)):
        inside = np.array(pattern)
        yield np.flatnonzero(inside), float(np.prod(np.where(inside, b, 1 - b)))


def subsets(n: int, k: int) -> list[NDArray[np.intp]]:
    """All sets of k out of n items, which are equally likely."""
    return [np.array(s) for s in itertools.combinations(range(n), k)]


def sequences(q: Floats, draws: int) -> Iterator[tuple[NDArray[np.intp], float]]:
    """All sequences of draws with replacement, each with its probability."""
    for s in itertools.product(range(len(q)), repeat=draws):
        yield np.array(s), float(np.prod(q[list(s)]))


def tree_em_step(
    parent: Sequence[int],
    leaf_node: Sequence[int],
    scores: Floats,
    items: Sequence[tuple[int, int | None]],
    believed: Floats,
) -> Floats:
    """One step of EM item by item, as M App. F writes it, with branches at their mode in their own measure.

    Args:
        parent: Parent of every node; 0 is the root.
        leaf_node: Node of every leaf.
        scores: s(y|k), (K, C).
        items: (leaf, label or None) of every item of the pool.
        believed: π(y|k) before the step, (K, C).
    """
    leaves, classes, nodes = len(leaf_node), scores.shape[1], len(parent)

    def path(leaf: int) -> list[int]:
        node, found = leaf_node[leaf], []
        while node != 0:
            found.append(node)
            node = parent[node]
        return found

    def depth(node: int) -> int:
        return 0 if node == 0 else 1 + depth(parent[node])

    alpha = [1 + sum(scores[k, y] for k in range(leaves)) for y in range(classes)]
    beta = [[depth(v) ** 2 + 0.0 for v in range(nodes)] for _ in range(classes)]
    for y in range(classes):
        for k in range(leaves):
            for v in path(k):
                beta[y][v] += scores[k, y]
    for k, label in items:
        for y in range(classes):
            share = (1.0 if label == y else 0.0) if label is not None else believed[k, y]
            alpha[y] += share
            for v in path(k):
                beta[y][v] += share
    found = np.zeros((leaves, classes))
    for k in range(leaves):
        for y in range(classes):
            psi = 1.0
            for v in path(k):
                family = [c for c in range(1, nodes) if parent[c] == parent[v]]
                psi *= (beta[y][v] - 1) / sum(beta[y][c] - 1 for c in family)
            found[k, y] = psi * (alpha[y] - 1)
        found[k] /= found[k].sum()
    return found


def truncated_square(effect: Floats, mean: Floats) -> Floats:
    """Σ_c E d_c² (n,), without the cross terms between labels: Y's own macro-F1 form (eq 109, 119).

    It is too small or too large wherever several labels of one item count.

    Args:
        effect: d_c for y_c = 0 and 1, (n, C, 2, m).
        mean: π(y_c = 1), (n, C).
    """
    each = np.einsum("ncym,ncym->ncy", effect, effect)
    return np.asarray(((1 - mean) * each[:, :, 0] + mean * each[:, :, 1]).sum(axis=1))
