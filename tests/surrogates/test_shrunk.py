"""Shrunk scores: what they are shrunk towards, for each kind of labels."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool
from sampleval.pool import Kind
from sampleval.surrogates import Shrunk


@pytest.mark.parametrize("task", ["binary", "multiclass", "multilabel"])
@pytest.mark.parametrize("toward", ["mean", "half"])
def test_scores_are_drawn_together_around_their_mean_by_class_or_around_no_knowledge(
    task: Kind, toward: Literal["mean", "half"], rng: np.random.Generator
) -> None:
    """The mean keeps the expected number of every class."""
    score = rng.dirichlet([1.0, 2.0, 5.0], 30)
    names = ["a", "b", "c"][: 1 if task == "binary" else 3]
    pool = Pool.from_frame(
        pd.DataFrame(score, columns=["a", "b", "c"])[names], score=names, task=task, fields=[]
    )
    found = Shrunk(shrinkage=0.6, toward=toward).model(pool).belief.mean
    centre = {"mean": pool.score.mean(axis=0), "half": 1 / 3 if task == "multiclass" else 1 / 2}[toward]
    np.testing.assert_allclose(found - centre, 0.6 * (pool.score - centre))


def test_error_scales_are_drawn_together_around_their_mean() -> None:
    sd = np.array([0.0, 1.0, 5.0])
    pool = Pool.from_frame(
        pd.DataFrame({"pred": [4.0, 5.0, 6.0], "sd": sd}), pred="pred", error="sd", task="regression"
    )
    belief = Shrunk(shrinkage=0.6).model(pool).belief
    assert belief.mean.tolist() == [4, 5, 6]
    np.testing.assert_allclose(belief.sd - 2, 0.6 * (sd - 2))
