"""Beliefs per part: which parts there are, and what is counted in each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool
from sampleval.surrogates import BetaBernoulli, DirichletTree, LeafModel
from sampleval.surrogates.leaves import PerLabel


@pytest.mark.parametrize("surrogate", [BetaBernoulli, DirichletTree])
@pytest.mark.parametrize("column", ["length", "width"])
def test_strata_are_those_of_the_features_that_are_named(
    surrogate: type[BetaBernoulli | DirichletTree], column: str, rng: np.random.Generator
) -> None:
    frame = pd.DataFrame({"score": rng.random(40), "length": np.arange(40) % 2, "width": np.arange(40) // 20})
    pool = Pool.from_frame(frame, score="score", fields=["length", "width"])
    model = surrogate(by="clusters", leaves=2, columns=(column,)).model(pool)
    assert isinstance(model, LeafModel)
    assert len(set(zip(model.partition.leaf, frame[column], strict=True))) == 2


@pytest.mark.parametrize("depth", [1, 3])
def test_each_label_of_a_set_has_a_tree_of_the_depth_that_is_asked(
    depth: int, rng: np.random.Generator
) -> None:
    pool = Pool.from_frame(
        pd.DataFrame(rng.random((60, 2)), columns=["score_a", "score_b"]), score="score_", task="multilabel"
    )
    model = DirichletTree(leaves=8, depth=depth).model(pool)
    assert isinstance(model, PerLabel)
    assert [part.partition.tree.depth.max() for part in model.models] == [depth, depth]
