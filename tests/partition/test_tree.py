"""Partitions and trees against slow loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleval import InputError, Pool
from sampleval.partition import PARTITIONS, Tree, feature_columns, grow, join, partition
from sampleval.partition.features import SEEDS
from sampleval.partition.score import CUTS
from tests.partition.shapes import SHAPES, frame


@pytest.mark.parametrize("tree", SHAPES)
def test_sums_up_and_products_down_are_those_of_loops(tree: Tree, rng: np.random.Generator) -> None:
    values = rng.random((len(tree.leaves), 2))
    below = np.zeros((tree.size, 2))
    for k, node in enumerate(tree.leaves):
        at = int(node)
        while True:
            below[at] += values[k]
            if at == 0:
                break
            at = int(tree.parent[at])
    np.testing.assert_allclose(tree.up(values), below)
    np.testing.assert_allclose(tree.down(tree.shares(below)), values / values.sum(axis=0))


@given(leaves=st.integers(1, 300), depth=st.integers(1, 9))
def test_trees_have_every_leaf_once_and_no_more_depth_than_asked(leaves: int, depth: int) -> None:
    tree = grow(leaves, depth=depth)
    assert len(np.unique(tree.leaves)) == leaves
    assert tree.depth.max() <= depth
    assert not np.isin(tree.leaves, tree.parent[1:]).any() or leaves == 1


def test_joined_trees_keep_their_leaves_in_order(rng: np.random.Generator) -> None:
    tree = join([grow(3, depth=1), grow(4, depth=2), grow(1, depth=1)])
    values = rng.random((8, 1))
    np.testing.assert_allclose(tree.up(values)[0], values.sum(axis=0))
    np.testing.assert_allclose(tree.up(values)[tree.parent[tree.leaves[0]]], values[:3].sum(axis=0))


@pytest.mark.parametrize("by", PARTITIONS)
def test_partitions_cover_the_pool_whatever_the_order_of_its_rows(by: str) -> None:
    df = frame(400)
    shuffled = df.sample(frac=1, random_state=1)
    made = [
        partition(
            Pool.from_frame(rows, id="id", score="score", fields=["x", "z"]),
            by,
            leaves=16,
            columns=("x", "z"),
        )
        for rows in (df, shuffled)
    ]
    assert made[0].sizes.min() > 0
    assert made[0].sizes.sum() == 400
    assert len(made[0].sizes) == made[0].count
    at = pd.Series(made[1].leaf, shuffled["id"]).loc[df["id"]].to_numpy()
    np.testing.assert_array_equal(at, made[0].leaf)


@pytest.mark.parametrize("by", CUTS)
@pytest.mark.parametrize(
    "scores", [[0.5] * 9, [0.0] * 9, [0.0, 1.0] * 5, [0.0] * 9 + [1e-9], list(np.linspace(0, 1, 7))]
)
def test_ties_make_fewer_strata(by: str, scores: list[float]) -> None:
    made = partition(Pool.from_frame(pd.DataFrame({"score": scores}), score="score"), by, leaves=64)
    assert 1 <= made.count <= len(set(scores))
    assert made.sizes.min() > 0
    assert made.note.startswith("1 stratum " if made.count == 1 else f"{made.count} strata ")
    assert made.note.endswith(f" {len(set(scores))} different value{'s' * (len(set(scores)) > 1)}")
    order = np.argsort(scores, kind="stable")
    assert (np.diff(made.leaf[order]) >= 0).all()


def test_a_lack_of_strata_is_noted_only_if_values_or_most_parts_are_lacking() -> None:
    """Of scores that differ, rules of strata leave some empty, which tells nobody anything."""
    many = np.sort(np.random.default_rng(0).beta(0.5, 2, 400))
    for scores, wanted, noted in (
        (many, 256, ""),
        (np.append(np.linspace(0, 1, 5), np.full(395, 0.5)), 16, "there are only 5 different values"),
        (np.append(np.zeros(1000), many[-20:]), 16, "most cuts separate no items"),
    ):
        pool = Pool.from_frame(pd.DataFrame({"score": scores}), score="score")
        made = partition(pool, "equal-size", leaves=wanted)
        assert made.count < wanted or not noted
        assert made.note.partition(": ")[2] == noted


@pytest.mark.parametrize("by", CUTS)
@pytest.mark.parametrize("scores", [[0.3, 0.1 + 0.2] * 5, [1.0, 1 - 1e-16, 1 - 2e-16] * 4, [1e-323, 0.0] * 3])
def test_scores_that_differ_by_rounding_are_cut_or_taken_together(by: str, scores: list[float]) -> None:
    made = partition(Pool.from_frame(pd.DataFrame({"score": scores}), score="score"), by, leaves=16)
    assert 1 <= made.count <= len(set(scores))
    order = np.argsort(scores, kind="stable")
    assert (np.diff(made.leaf[order]) >= 0).all()


def test_csf_cuts_where_the_root_of_frequency_accumulates() -> None:
    """Sizes differ, the sums of √f do not."""
    score = np.concatenate([np.full(1600, 0.1), np.full(400, 0.3), np.full(100, 0.6), np.full(100, 0.9)])
    score = np.clip(score + np.random.default_rng(0).uniform(-0.05, 0.05, len(score)), 0, 1)
    made = partition(Pool.from_frame(pd.DataFrame({"score": score}), score="score"), "csf", leaves=4)
    roots = [np.sqrt(np.histogram(score[made.leaf == k], 1000, (0, 1))[0]).sum() for k in range(4)]
    assert max(roots) / min(roots) < 1.1
    assert made.sizes.max() / made.sizes.min() > 2.5


def test_a_score_at_a_threshold_lies_above_it() -> None:
    """As a decision does: within a stratum no threshold of the curve tells two items apart."""
    pool = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.25, 0.3, 0.5]}), score="score")
    assert partition(pool, "thresholds", leaves=4).leaf.tolist() == [0, 1, 1, 2]


def test_clusters_are_as_many_as_wanted_and_keep_together_what_lies_together() -> None:
    x = np.repeat([0.0, 1.0, 5.0, 9.0], 5) + np.tile(np.arange(5) / 100, 4)
    pool = Pool.from_frame(pd.DataFrame({"score": 0.5, "x": x}), score="score", fields=["x"])
    leaf = partition(pool, "clusters", leaves=4).leaf.reshape(4, 5)
    assert (leaf == leaf[:, :1]).all()
    assert sorted(leaf[:, 0]) == [0, 1, 2, 3]


def test_of_many_items_a_sample_is_clustered_and_the_others_join_the_nearest(
    rng: np.random.Generator,
) -> None:
    x = rng.permutation(np.repeat([0.0, 1.0, 5.0, 9.0], [900, 300, 500, 700]) + rng.uniform(0, 0.3, 2400))
    assert len(np.unique(x)) > SEEDS
    pool = Pool.from_frame(pd.DataFrame({"score": 0.5, "x": x}), fields=["x"])
    leaf = partition(pool, "clusters", leaves=4).leaf
    assert [np.unique(leaf[x.astype(int) == k]).tolist() for k in (0, 1, 5, 9)] == [
        [leaf[np.flatnonzero(x.astype(int) == k)[0]]] for k in (0, 1, 5, 9)
    ]
    assert sorted(set(leaf)) == [0, 1, 2, 3]


def test_a_k_d_tree_has_as_many_boxes_of_equal_size_as_are_wanted() -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": 0.5, "x": np.arange(64)}), score="score", fields=["x"])
    leaf = partition(pool, "k-d tree", leaves=4).leaf
    assert leaf.tolist() == np.repeat([0, 1, 2, 3], 16).tolist()


@pytest.mark.parametrize("by", ["clusters", "k-d tree"])
@pytest.mark.parametrize("items", [1, 3])
def test_items_whose_features_are_alike_are_one_part(by: str, items: int) -> None:
    pool = Pool.from_frame(pd.DataFrame({"score": np.full(items, 0.5), "x": 1.0}), fields=["x"])
    assert partition(pool, by, leaves=4).leaf.tolist() == [0] * items


def test_feature_partitions_need_features() -> None:
    bare = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.9]}), score="score")
    with pytest.raises(InputError, match="numeric fields"):
        partition(bare, "k-d tree", leaves=2)


def test_features_that_are_missing_or_infinite_count_as_the_mean() -> None:
    x = [1.0, 2.0, np.inf, np.nan]
    frame = pd.DataFrame({"score": [0.1, 0.4, 0.6, 0.9], "x": x, "none": np.nan, "text": list("abcd")})
    pool = Pool.from_frame(frame, score="score", fields=["x", "none", "text"])
    mean, spread = 1.5, np.std([1.0, 2.0, 1.5, 1.5])
    wanted = (np.array([1.0, 2.0, mean, mean]) - mean) / spread
    np.testing.assert_allclose(feature_columns(pool, ("x", "none")), np.column_stack([wanted, np.zeros(4)]))
    with pytest.raises(InputError, match="must name numeric fields; got 'text'"):
        feature_columns(pool, ("x", "text"))
