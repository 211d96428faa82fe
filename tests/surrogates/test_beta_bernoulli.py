"""Strata of Beta–Bernoulli: how much their scores count for beside labels."""

from __future__ import annotations

import numpy as np
import pytest

from sampleval.presets import PRESETS
from sampleval.surrogates import Evidence, LeafModel
from sampleval.surrogates.beta_bernoulli import posterior_mean
from sampleval.surrogates.leaves import LeafCounts
from tests.partition.shapes import pool


def test_a_stratum_s_prior_counts_for_less_with_each_label() -> None:
    """8 labels' worth at no label and at one, then 8/2, 8/3, …: a mean score of .25 and two positives among four labels."""
    scores = np.array([[0.75, 0.25]] * 3)
    counts = LeafCounts(np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 2.0]]), np.zeros((3, 2)), np.zeros(3))
    found = posterior_mean(8.0, True, scores, counts)[:, 1]
    assert found.tolist() == pytest.approx([0.25, (8 * 0.25 + 1) / (8 + 1), (2 * 0.25 + 2) / (2 + 4)])
    fixed = posterior_mean(8.0, False, scores, counts)[:, 1]
    assert fixed.tolist() == pytest.approx([0.25, (8 * 0.25 + 1) / (8 + 1), (8 * 0.25 + 2) / (8 + 4)])


def test_oasis_believes_each_stratum_s_scores_for_as_much_as_two_labels() -> None:
    """η = 2K are the labels of all strata together: as 2K each, 30 strata stood by their scores through hundreds of labels."""
    made = pool(300)
    model = PRESETS["oasis"].method.surrogate.model(made)
    assert isinstance(model, LeafModel)
    item = np.array([0])
    before, k = model.leaves(Evidence.none(made)).mean, model.partition.leaf[0]
    after = model.leaves(Evidence(item, np.ones(1), np.ones(1))).mean
    assert after[k] == pytest.approx((2 * before[k] + 1) / 3)
