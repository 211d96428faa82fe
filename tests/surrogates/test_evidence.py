"""Labels as evidence: which items they are of, and how many they represent."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool
from sampleval.designs.between_rounds.aim import estimated_risk
from sampleval.designs.problem import Problem
from sampleval.metrics import mean_loss, resolve
from sampleval.surrogates import Evidence, Shrunk


def test_each_held_label_represents_its_item_alone() -> None:
    """With all other items labelled too, the mean loss is estimated exactly."""
    pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.1, 0.9, 20)}))
    labels, metric = np.arange(20) % 3 == 0, resolve("f1")
    held = Evidence.held(pool, {str(pool.ids[k]): int(labels[k]) for k in range(5)})
    everyone = held.then(Evidence(np.arange(5, 20), labels[5:].astype(int), np.ones(15)))
    problem = Problem(pool, {metric: 1.0}, Shrunk(), held=held)
    assert estimated_risk(metric, problem, held, "estimate") is None  # they represent no other item
    found = estimated_risk(metric, problem, everyone, "estimate")
    assert found == pytest.approx(mean_loss(metric, pool.items, labels))


def test_chosen_labels_keep_their_items_and_weights() -> None:
    all_ = Evidence(np.array([7, 3, 5]), np.array([1, 0, 1]), np.array([2.0, 4.0, 8.0]))
    first, last = all_.where(np.array([False, True, True])), all_.where(np.array([True, False, False]))
    for each in (first, last, first.then(last)):
        found = dict(zip(each.index.tolist(), zip(each.labels, each.weight, strict=True), strict=True))
        assert found.items() <= {7: (1, 2.0), 3: (0, 4.0), 5: (1, 8.0)}.items()
