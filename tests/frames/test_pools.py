"""Pools as frames: every item is counted once, and labels agree with scores as far as they do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames
from sampleval.intervals import clopper_pearson
from tests.pools import calibrated, multiclass, multilabel


def test_a_histogram_has_every_item_in_its_bin_by_decision() -> None:
    pool, _ = calibrated()
    rows = frames.histogram(pool, bins=20)
    assert rows["items"].sum() == pool.size
    for low, high, decision, items in rows[["low", "high", "decision", "items"]].to_numpy():
        inside = (pool.score >= low) & ((pool.score < high) | (high == 1))
        decided = pool.pred == (decision == "predicted positive")
        assert items == (inside & decided).sum()
    assert frames.histogram(multilabel(30)[0])["items"].sum() == 3 * 30
    of_classes = frames.histogram(multiclass(60)[0])
    assert (of_classes["items"].sum(), set(of_classes["decision"])) == (60, {"predicted class"})
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": [1.5, 2.5, 7.0]}), task="regression")
    assert frames.histogram(numbers, bins=2)["items"].tolist() == [2, 1]


def test_items_predicted_positive_are_counted_by_label() -> None:
    pool, _ = multilabel(30)
    rows = frames.predicted_positive(pool)
    assert rows["items"].tolist() == pool.pred.sum(axis=0).tolist()
    assert rows["share"].tolist() == pytest.approx(pool.pred.mean(axis=0))
    [one] = frames.predicted_positive(calibrated()[0])["items"]
    assert one == calibrated()[0].pred.sum()


def test_groups_of_a_reliability_hold_equal_parts_of_what_is_undecided() -> None:
    pool, labels = calibrated(20_000)
    rows = frames.reliability(pool, labels, groups=5, level=0.8)
    parts = np.split(np.argsort(pool.score, kind="stable"), rows["items"].cumsum().to_numpy()[:-1])
    score, truth = pool.score, np.asarray(labels.values)
    spread = [np.sqrt(score[part] * (1 - score[part])).sum() for part in parts]
    np.testing.assert_allclose(spread, np.mean(spread), rtol=0.02)
    assert rows["score"].tolist() == pytest.approx([score[part].mean() for part in parts])
    assert rows["positive"].tolist() == pytest.approx([truth[part].mean() for part in parts])
    hits = np.array([truth[part].sum() for part in parts])
    np.testing.assert_allclose(
        rows[["low", "high"]].T, clopper_pearson(hits, rows["items"].to_numpy() - hits, 0.8)
    )


def test_a_reliability_needs_scores_and_has_no_rows_without_labels() -> None:
    pool, _ = calibrated()
    none = sv.Labels.from_frame(pd.DataFrame({"id": pool.ids, "label": None}), pool, "label")
    assert frames.reliability(pool, none).empty
    table = pd.DataFrame({"amount": [1.5, 2.5, 7.25], "label": [1.0, 2.0, 7.0]})
    numbers = sv.Pool.from_frame(table, pred="amount", label="label", task="regression")
    with pytest.raises(sv.InputError, match="`pool` must have scores; a regression pool has none; compare"):
        frames.reliability(numbers, sv.Labels.from_frame(table, numbers, "label"))
