"""Decisions: those that are given, and those that a threshold makes from scores."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task
from tests.tables import decided, items


def test_explicit_decisions_win_over_the_threshold() -> None:
    frame = items(pred=[1, 1, 1, 0, 0, 0])
    assert Pool.from_frame(frame, pred="pred", threshold=0.7).pred.tolist() == [1, 1, 1, 0, 0, 0]
    assert Pool.from_frame(frame).pred.tolist() == [1, 1, 1, 0, 0, 0]
    assert Pool.from_frame(frame, threshold=0.7).pred.tolist() == [0, 0, 0, 0, 1, 1]
    assert Pool.from_frame(frame.drop(columns="score"), threshold=0.7).pred.tolist() == [1, 1, 1, 0, 0, 0]
    assert Pool.from_frame(frame, pred=()).pred.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("threshold", [0, 0.2, 1])
def test_threshold_includes_its_own_value(threshold: float) -> None:
    pool = Pool.from_frame(items(), threshold=threshold)
    assert pool.pred.tolist() == (np.linspace(0, 1, 6) >= threshold).astype(int).tolist()


@pytest.mark.parametrize("precision", ["float16", "float32", "Float32", "float[pyarrow]", "float64"])
@pytest.mark.parametrize("whole", [1, 100])
def test_threshold_includes_its_own_value_whatever_the_precision_of_scores(
    precision: Any, whole: int, tmp_path: Path
) -> None:
    """Networks give scores in single precision, whose 0.9 is below 0.9, so that the tie had been decided negative."""
    hundredths = np.arange(1, 100)
    scores = pd.Series(hundredths / 100 * whole).astype(precision)
    written = [f"{share / 100 * whole:.2f}" for share in hundredths]
    (tmp_path / "items.csv").write_text("\n".join(["score", *written]))
    pd.DataFrame({"score": scores}).to_parquet(tmp_path / "items.parquet")
    transform: Any = "percent" if whole == 100 else None
    for percent in (10, 35, 70, 90, 95):
        right = (hundredths >= percent).astype(int).tolist()
        for name in ("items.csv", "items.parquet"):
            pool = Pool.read(tmp_path / name, threshold=percent / 100, transform=transform)
            assert pool.pred.tolist() == right, (name, percent)


def test_thresholds_of_labels_include_their_own_values_in_single_precision() -> None:
    block = np.array([[0.7, 0.9], [0.69, 0.89], [0.71, 0.91]], dtype=np.float32)
    names = ["a", "b"]
    frames = (
        pd.DataFrame({"score_a": block[:, 0], "score_b": block[:, 1]}),
        pd.DataFrame({"score": list(block)}),
    )
    for frame in frames:
        pool = Pool.from_frame(frame, threshold={"a": 0.7, "b": 0.9}, task="multilabel", classes=names)
        assert pool.pred.tolist() == [[1, 1], [0, 0], [1, 1]]
        assert pool.threshold == (0.7, 0.9)


def test_decisions_are_compared_with_the_threshold_that_makes_them() -> None:
    """A single-precision 0.9 reaches 0.9, so the first decision does not differ from it."""
    score = np.array([0.9, 0.2, 0.95], np.float32)
    told = Pool.from_frame(
        pd.DataFrame({"score": score, "pred": [1, 0, 1]}), pred="pred", threshold=0.9
    ).report
    assert not [line for line in told if "differ from score" in line]
    told = Pool.from_frame(
        pd.DataFrame({"score": score, "pred": [0, 0, 1]}), pred="pred", threshold=0.9
    ).report
    assert [line for line in told if "1 differ from score ≥ 0.9" in line]


def test_thresholds_in_a_list_are_refused_with_the_mapping_that_works() -> None:
    frame = pd.DataFrame({"p_a": [0.1, 0.9], "p_b": [0.6, 0.2]})
    told: Any = [0.1, 0.2]
    with pytest.raises(
        InputError, match=r"must be a number, or a mapping; got .*; one per label: \{'a': 0.3, …\}"
    ):
        Pool.from_frame(frame, task="multilabel", threshold=told)


def test_each_label_may_have_decisions_and_a_threshold_of_its_own() -> None:
    frame = pd.DataFrame({
        "score_a": [0.9, 0.4, 0.1], "score_b": [0.8, 0.6, 0.2],
        "label_a": [1, 1, 0], "label_b": [0, 1, 0],
    })  # fmt: skip
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b"))
    assert pool.pred.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert Labels.from_frame(frame, pool).values.tolist() == [[1, 0], [1, 1], [0, 0]]
    strict = Pool.from_frame(frame, threshold={"a": 0.3})
    assert strict.pred.tolist() == [[1, 1], [1, 1], [0, 0]]
    assert strict.threshold == (0.3, 0.5)
    told = Pool.from_frame(frame.assign(pred_a=[0, 0, 1], pred_b=[1, 1, 1]))
    assert told.pred.tolist() == [[0, 1], [0, 1], [1, 1]]


@pytest.mark.parametrize(
    "told",
    [
        {"pred": ["a_says", "b_says", "c_says"]},
        {"pred": {name: f"{name}_says" for name in "cab"}},
        {"system": {"": {"score": "score_", "pred": ["a_says", "b_says", "c_says"]}}},
        {"score": ["score_b", "score_c", "score_a"], "pred": ["b_says", "c_says", "a_says"]},
    ],
    ids=["list", "mapping", "system", "order"],
)
def test_decisions_told_per_label_count_whatever_their_columns_are_called(told: dict[str, Any]) -> None:
    """A list of names other than `pred_a` had silently been dropped, so that the threshold decided."""
    usual: dict[str, Any] = {} if "score" in told or "system" in told else {"score": "score_"}
    pool = Pool.from_frame(decided(), task="multilabel", **usual, **told)
    order = [f"{name}_says" for name in pool.task.classes]
    assert pool.pred.tolist() == decided()[order].to_numpy().tolist()


def test_decisions_named_by_told_classes_follow_them() -> None:
    frame = decided().rename(columns={f"{name}_says": f"pred_{name}" for name in "abc"})
    frame = frame.rename(columns={f"score_{name}": f"s{k}" for k, name in enumerate("abc")})
    told: dict[str, Any] = {
        "score": ["s0", "s1", "s2"],
        "pred": ["pred_c", "pred_a", "pred_b"],
        "classes": ["a", "b", "c"],
    }
    pool = Pool.from_frame(frame, task="multilabel", **told)
    assert pool.pred.tolist() == frame[["pred_a", "pred_b", "pred_c"]].to_numpy().tolist()
