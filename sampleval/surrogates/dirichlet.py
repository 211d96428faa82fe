"""The Dirichlet-tree model of Marchant & Rubinstein: strata borrow strength from their neighbours along a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from sampleval._checks import choice, column_names, count
from sampleval.partition import PARTITIONS, Tree
from sampleval.pool import Floats, Kind, Pool
from sampleval.surrogates.base import OF_CLASSES, Model
from sampleval.surrogates.leaves import LeafCounts, leaf_model

CYCLES, TOLERANCE, LONGEST = 10, 1e-6, 100.0
# Least value of β̃ − 1, which can be 0 or negative at a node with a small prior and no count.
SMALLEST = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Hyperparameters:
    """Hyperparameters from mean scores per leaf (M section 5.2).

    Attributes:
        alpha: α_y = 1 + Σ_k s(y|k), (C,).
        beta: β_yν = depth(ν)² + Σ_k s(y|k) δ_ν(k), (V, C).
    """

    alpha: Floats
    beta: Floats

    @classmethod
    def of(cls, tree: Tree, scores: Floats) -> Hyperparameters:
        """The hyperparameters from mean scores s(y|k), (K, C)."""
        below = tree.up(scores)
        return cls(1 + scores.sum(axis=0), tree.depth[:, None].astype(float) ** 2 + below)


def branches(tree: Tree, beta: Floats) -> Floats:
    """Posterior modes of the branch probabilities, b ∝ β̃ − 1 among siblings, (V, C), each in (0, 1].

    M's eq 11 subtracts the number of leaves below instead of 1, which with these β can give negative values.
    """
    return tree.shares(np.maximum(beta - 1, SMALLEST))


def em_step(
    tree: Tree, prior: Hyperparameters, counts: Floats, unlabelled: Floats, believed: Floats
) -> Floats:
    """One step of EM on the leaves: π(y|k), (K, C) to (K, C) (M eq 10, 12).

    It is given the numbers of labelled items per leaf and class, (K, C), and of `unlabelled` items per leaf, (K,).
    """
    expected = counts + unlabelled[:, None] * believed
    psi = tree.down(branches(tree, prior.beta + tree.up(expected)))
    theta = prior.alpha + expected.sum(axis=0) - 1
    joint = psi * theta
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def expectation_maximisation(tree: Tree, scores: Floats, counts: LeafCounts) -> Floats:
    """π(y|k) for unlabelled items, (K, C), at the fixed point of EM reached from the scores (M App. F).

    For a flat tree it has the closed form (s + labelled)/(1 + Σ labelled), with one Dirichlet per stratum.
    """
    if tree.size == len(tree.leaves) + 1:
        found = scores + counts.labelled
        return np.asarray(found / found.sum(axis=1, keepdims=True))
    prior = Hyperparameters.of(tree, scores)
    step = partial(em_step, tree, prior, counts.labelled, counts.unlabelled)
    return accelerated(step, scores)


def accelerated(step: Callable[[Floats], Floats], start: Floats) -> Floats:
    """A fixed point of EM by squared extrapolation of log π (SQUAREM; Varadhan & Roland 2008).

    If most labels are unknown, EM alone takes thousands of steps. The number of cycles is limited, which bounds the cost.
    Each cycle ends with a step of EM, so π stays a distribution.
    """
    now = start
    for _ in range(CYCLES):
        one = step(now)
        two = step(one)
        if np.abs(two - one).max() < TOLERANCE:
            return two
        first = _log(one) - _log(now)
        bend = _log(two) - _log(one) - first
        length = float(np.sqrt((first**2).sum() / max(float((bend**2).sum()), SMALLEST)))
        length = min(max(length, 1.0), LONGEST)
        logs = _log(now) + 2 * length * first + length**2 * bend
        now = step(softmax(logs, axis=1))
    return now


def _log(values: Floats) -> Floats:
    return np.log(np.maximum(values, 1e-300))


def posterior_predictive(tree: Tree, scores: Floats, counts: LeafCounts) -> Floats:
    """π(y|k) ∝ α̃_y Π β̃/Σβ̃ with importance-weighted counts, (K, C) (M eq 14–15 and the text below them)."""
    prior = Hyperparameters.of(tree, scores)
    beta = prior.beta + tree.up(counts.weighted)
    joint = tree.down(tree.shares(beta)) * (prior.alpha + counts.weighted.sum(axis=0))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class DirichletTree:
    """A Dirichlet tree over strata of similar items; each stratum also learns from its neighbours' labels (M section 4).

    Attributes:
        by: Method of stratification: along the score ("csf" and others), or by "k-d tree" or "clusters" of features.
        leaves: Number of strata wanted, K.
        depth: Depth of the tree over score strata; M uses 8 and 1. With 1, strata are independent; in multiclass tasks, those of one
            predicted class share what they learn even then, since each predicted class has a node above its strata.
        columns: Feature columns, for the methods that need them.
    """

    key: ClassVar[str] = "dirichlet-tree"
    title: ClassVar[str] = "Dirichlet tree"
    about: ClassVar[str] = (
        "Strata of similar score that learn from their own labels and from their neighbours'."
    )
    kinds: ClassVar[frozenset[Kind]] = OF_CLASSES
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = True
    as_scored: ClassVar[bool] = False
    formula = (
        "what its stratum k and those beside it were found to hold",
        r"\pi_n(y) \propto \theta_y\,\psi_{y,k(n)}",
    )
    by: str = "csf"
    leaves: int = 256
    depth: int = 8
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choice(self.by, PARTITIONS, "by")
        count(self.leaves, "leaves", minimum=1)
        count(self.depth, "depth", minimum=1)
        object.__setattr__(self, "columns", column_names(self.columns, "columns"))

    @property
    def methods(self) -> str:
        """How beliefs are learned, with the depth of the tree."""
        return (
            f"was learned in strata of similar items by a Dirichlet tree of depth {self.depth} "
            "(Marchant and Rubinstein 2021)"
        )

    def model(self, pool: Pool, *, stochastic: bool = False) -> Model:
        """The tree over this pool's strata; EM for a deterministic oracle, App. H for a stochastic one."""
        posterior = posterior_predictive if stochastic else expectation_maximisation
        return leaf_model(
            pool, posterior, by=self.by, leaves=self.leaves, depth=self.depth, columns=self.columns
        )
