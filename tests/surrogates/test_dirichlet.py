"""Dirichlet trees against closed forms and listed label sets."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleval import Pool
from sampleval.partition import Tree, grow, partition
from sampleval.surrogates import BetaBernoulli, DirichletTree, Evidence, LeafModel
from sampleval.surrogates.beta_bernoulli import posterior_mean
from sampleval.surrogates.dirichlet import (
    Hyperparameters,
    branches,
    em_step,
    expectation_maximisation,
    posterior_predictive,
)
from sampleval.surrogates.leaves import LeafCounts, count
from tests import reference
from tests.partition.shapes import SHAPES, pool
from tests.reference import Floats


def random_counts(tree: Tree, rng: np.random.Generator, classes: int = 2) -> tuple[Floats, LeafCounts]:
    leaves = len(tree.leaves)
    scores = rng.dirichlet(np.ones(classes), leaves)
    labelled = rng.integers(0, 3, (leaves, classes)).astype(float)
    unlabelled = rng.integers(0, 5, leaves).astype(float)
    return scores, LeafCounts(labelled, labelled * rng.random((leaves, classes)), unlabelled)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("tree", SHAPES)
def test_em_is_the_papers_item_by_item(tree: Tree, classes: int, rng: np.random.Generator) -> None:
    scores, counts = random_counts(tree, rng, classes)
    items: list[tuple[int, int | None]] = []
    for k in range(len(tree.leaves)):
        items += [(k, None)] * int(counts.unlabelled[k])
        items += [(k, y) for y in range(classes) for _ in range(int(counts.labelled[k, y]))]
    prior, fast, slow = Hyperparameters.of(tree, scores), scores, scores
    for _ in range(4):
        fast = em_step(tree, prior, counts.labelled, counts.unlabelled, fast)
        slow = reference.tree_em_step(tree.parent.tolist(), tree.leaves.tolist(), scores, items, slow)
        np.testing.assert_allclose(fast, slow, rtol=1e-10)


def log_posterior(tree: Tree, scores: Floats, counts: LeafCounts, theta: Floats, b: Floats) -> float:
    """log p(θ, b | labels, leaves) up to a constant, summed over every labelling of the unlabelled items."""
    prior = Hyperparameters.of(tree, scores)
    psi = tree.down(b)
    at = [k for k in range(len(psi)) for _ in range(int(counts.unlabelled[k]))]
    total = sum(
        float(np.prod([theta[y] * psi[k, y] for k, y in zip(at, labels, strict=True)]))
        for labels in itertools.product(range(2), repeat=len(at))
    )
    known = float((counts.labelled * np.log(theta * psi)).sum())
    before = float(((prior.alpha - 1) * np.log(theta)).sum() + ((prior.beta[1:] - 1) * np.log(b[1:])).sum())
    return np.log(total) + known + before


@pytest.mark.parametrize("tree", [grow(4, depth=2), grow(3, depth=1)])
def test_em_climbs_the_posterior_listed_over_all_labellings_to_its_top(
    tree: Tree, rng: np.random.Generator
) -> None:
    leaves = len(tree.leaves)
    scores = np.column_stack([1 - (p := rng.random(leaves)), p])
    counts = LeafCounts(np.eye(leaves, 2), np.eye(leaves, 2), np.array([3.0, 2, 1, 1])[:leaves])
    prior, now, last = Hyperparameters.of(tree, scores), scores, -np.inf

    def parameters(believed: Floats) -> tuple[Floats, Floats]:
        expected = counts.labelled + counts.unlabelled[:, None] * believed
        theta = prior.alpha + expected.sum(axis=0) - 1
        return theta / theta.sum(), branches(tree, prior.beta + tree.up(expected))

    for _ in range(400):
        theta, b = parameters(now)
        value = log_posterior(tree, scores, counts, theta, b)
        assert value >= last - 1e-10
        last, now = value, em_step(tree, prior, counts.labelled, counts.unlabelled, now)
    theta, b = parameters(now)
    for _ in range(60):
        shaken = theta * np.exp(rng.normal(0, 0.02, 2))
        moved = b * np.exp(rng.normal(0, 0.02, b.shape))
        moved = tree.shares(moved)
        assert log_posterior(tree, scores, counts, shaken / shaken.sum(), moved) <= last + 1e-9


def test_labels_count_in_a_tree_as_much_as_they_represent() -> None:
    """M App. H weighs a draw by p(x)/q(x): design weights of 10, 20 and 50 among 40 items are .75, 1.5 and 3.75."""
    pool = Pool.from_frame(pd.DataFrame({"id": range(40), "score": np.repeat([0.1, 0.9], 20)}))
    part, labels = partition(pool, "csf", leaves=2, depth=1), np.array([0, 1, 1])
    index = np.array([0, 1, 30])
    counts = count(part, Evidence(index, labels, np.array([10.0, 20.0, 50.0])), 2)
    assert counts.labelled.tolist() == [[1, 1], [0, 1]]
    assert counts.weighted.tolist() == [[0.75, 1.5], [0, 3.75]]


@pytest.mark.parametrize("tree", SHAPES[1:])
def test_acceleration_ends_where_em_does(tree: Tree, rng: np.random.Generator) -> None:
    scores, counts = random_counts(tree, rng)
    prior, slow = Hyperparameters.of(tree, scores), scores
    for _ in range(5000):
        slow = em_step(tree, prior, counts.labelled, counts.unlabelled, slow)
    np.testing.assert_allclose(expectation_maximisation(tree, scores, counts), slow, atol=1e-5)


def test_a_flat_tree_is_one_dirichlet_per_stratum(rng: np.random.Generator) -> None:
    tree = grow(6, depth=1)
    scores, counts = random_counts(tree, rng, 3)
    found = expectation_maximisation(tree, scores, counts)
    np.testing.assert_allclose(found, posterior_mean(1.0, False, scores, counts))
    again = em_step(tree, Hyperparameters.of(tree, scores), counts.labelled, counts.unlabelled, found)
    np.testing.assert_allclose(again, found, rtol=1e-12)


@given(seed=st.integers(0, 200), leaves=st.integers(2, 40), depth=st.integers(1, 6))
def test_every_branch_lies_between_0_and_1(seed: int, leaves: int, depth: int) -> None:
    """The printed M-step, β̃ − #leaves, leaves that range for these β."""
    rng = np.random.default_rng(seed)
    tree = grow(leaves, depth=depth)
    scores = rng.dirichlet([0.01, 0.01], leaves)
    prior = Hyperparameters.of(tree, scores)
    b = branches(tree, prior.beta + tree.up(rng.integers(0, 2, (leaves, 2)).astype(float)))
    assert ((b > 0) & (b <= 1)).all()
    np.testing.assert_allclose(tree.down(b).sum(axis=0), 1)


def test_the_printed_step_would_leave_that_range() -> None:
    tree = grow(64, depth=2)
    beta = Hyperparameters.of(tree, np.full((64, 2), 0.01)).beta
    assert (beta - tree.up(np.ones((64, 2))) < 0).any()


def test_the_predictive_of_a_stochastic_oracle_is_the_papers(rng: np.random.Generator) -> None:
    tree = grow(4, depth=2)
    scores, counts = random_counts(tree, rng)
    prior = Hyperparameters.of(tree, scores)
    alpha, beta = prior.alpha + counts.weighted.sum(axis=0), prior.beta + tree.up(counts.weighted)
    expected = np.zeros((4, 2))
    for k in range(4):
        for y in range(2):
            p, node = alpha[y], int(tree.leaves[k])
            while node:
                family = np.flatnonzero(tree.parent == tree.parent[node])
                p *= beta[node, y] / beta[family[family > 0], y].sum()
                node = int(tree.parent[node])
            expected[k, y] = p
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior_predictive(tree, scores, counts), expected)


@pytest.mark.parametrize("surrogate", [DirichletTree(leaves=12, depth=3), BetaBernoulli(leaves=12)])
def test_leaf_beliefs_follow_the_labels(surrogate: DirichletTree | BetaBernoulli) -> None:
    made = pool(300)
    model = surrogate.model(made)
    assert isinstance(model, LeafModel)
    top = np.flatnonzero(model.partition.leaf == model.partition.count - 1)[:3]
    none = model.leaves(Evidence.none(made)).mean
    ones = model.leaves(Evidence(top, np.ones(len(top), int), np.ones(len(top)))).mean
    zeros = model.leaves(Evidence(top, np.zeros(len(top), int), np.ones(len(top)))).mean
    assert ones[-1] > none[-1] > zeros[-1]
    believed = model.believe(Evidence(top, np.ones(len(top), int), np.ones(len(top))))
    np.testing.assert_array_equal(believed.mean, ones[model.partition.leaf])


@pytest.mark.parametrize("score", [0.0, 1.0])
@pytest.mark.parametrize("depth", [1, 3])
def test_a_class_that_every_score_rules_out_has_a_chance_once_labels_say_it(score: float, depth: int) -> None:
    """The root has no siblings, and nothing to share where no score and no label is of a class."""
    six = Pool.from_frame(pd.DataFrame({"score": np.full(6, score)}))
    model = DirichletTree(leaves=4, depth=depth).model(six, stochastic=True)
    before = model.believe(Evidence.none(six)).mean
    np.testing.assert_array_less(np.abs(before - 0.5), 0.5)
    after = model.believe(Evidence(np.arange(3), np.full(3, int(score == 0)), np.full(3, 2.0))).mean
    assert (np.abs(after - score) > np.abs(before - score)).all()


def test_a_tree_of_endless_depth_is_one_of_two_branches() -> None:
    """A study's log may give any depth, and computing two to its power had never ended."""
    assert grow(6, depth=2**63).size == grow(6, depth=3).size
