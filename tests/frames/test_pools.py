"""Pools as frames: every item is counted once, and labels agree with scores as far as they do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike
from scipy import stats

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
    with pytest.raises(
        sv.InputError, match="`pool` must have scores; a regression pool has none; see `frames"
    ):
        frames.reliability(numbers, sv.Labels.from_frame(table, numbers, "label"))


def test_known_numbers_are_told_in_groups_of_like_predictions() -> None:
    rng = np.random.default_rng(0)
    predicted = rng.permutation(np.repeat(np.arange(23.0), 4))
    pool, known = numbers(predicted, predicted + rng.normal(size=92))
    rows = frames.prediction_error(pool, known, groups=5, level=0.8)
    assert rows["items"].tolist() == [20, 16, 20, 16, 20]  # equal predictions stay together
    truth = np.asarray(known.values, float)
    parts = np.split(truth[np.argsort(predicted, kind="stable")], rows["items"].cumsum().to_numpy()[:-1])
    assert rows["mean"].tolist() == pytest.approx([part.mean() for part in parts])
    for row, part in zip(rows.itertuples(), parts, strict=True):
        interval = stats.ttest_1samp(part, 0).confidence_interval(0.8)
        assert (row.low, row.high) == pytest.approx(interval)
        assert (row.tenth, row.ninetieth) == pytest.approx(tuple(np.quantile(part, [0.1, 0.9])))
    order = np.sort(predicted)
    assert rows["prediction"].iloc[0] == order[:20].mean()


def test_numbers_that_are_all_alike_tell_nothing_of_how_far_others_may_lie() -> None:
    rows = frames.prediction_error(*numbers([1.0, 2.0], [1.5, np.nan]))
    assert rows[["prediction", "mean", "items"]].to_numpy().tolist() == [[1.0, 1.5, 1.0]]
    alike = frames.prediction_error(*numbers([1.0, 2.0], [1.5, 1.5]), groups=1)
    assert pd.concat([rows, alike])[["low", "high"]].isna().all(axis=None)
    assert frames.prediction_error(*numbers([1.0, 2.0], [np.nan, np.nan])).empty


def test_only_numbers_are_held_against_predictions() -> None:
    with pytest.raises(sv.InputError, match="`pool` must be a regression pool; got 'binary'; see `frames"):
        frames.prediction_error(*calibrated())


def numbers(predicted: ArrayLike, actual: ArrayLike) -> tuple[sv.Pool, sv.Labels]:
    df = pd.DataFrame({"predicted": predicted, "actual": actual})
    pool = sv.Pool.from_frame(df, pred="predicted", label="actual", task="regression")
    return pool, sv.Labels.from_frame(df, pool, "actual")
