"""Predicted numbers that are told by their bounds alone, and those that are asked about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Pool, guess_columns

N = 40
MEAN = np.random.default_rng(5).normal(100.0, 20.0, N)


@pytest.mark.parametrize(
    "names",
    [
        ("fit", "lwr", "upr"),
        ("mean", "lower", "upper"),
        (".mean", "80%_lower", "80%_upper"),
        ("mean", "mean_ci_lower", "mean_ci_upper"),
        ("Point Forecast", "Lo 80", "Hi 80"),
        ("mean", "0.1", "0.9"),
    ],
)
def test_a_number_between_its_bounds_is_predicted(names: tuple[str, str, str]) -> None:
    """What R, fable, statsmodels and AutoGluon write was answered with "name one, score=…"."""
    number, low, high = names
    df = pd.DataFrame(
        {"day": [f"d{k}" for k in range(N)], number: MEAN, low: MEAN - 5, high: MEAN + 5, "y": MEAN + 1}
    )
    pool = Pool.from_frame(df)
    assert (pool.task.kind, pool.columns.preds, pool.columns.label) == ("regression", (number,), ("y",))
    assert {low, high} <= {*pool.columns.hidden}
    np.testing.assert_array_equal(pool.pred, MEAN)


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"std": 1.0},
        {"lower": MEAN - 5, "upper": MEAN[::-1] + 5},
        {"lower": MEAN - 5},
        {"lower": MEAN, "upper": MEAN},
    ],
    ids=["alone", "error", "at odds", "one bound", "no room"],
)
def test_a_number_that_may_be_predicted_is_asked_about(beside: dict[str, Any]) -> None:
    """A mean may be that of several ratings, too."""
    with pytest.raises(
        InputError, match="if `mean` holds the numbers that are predicted, name it, pred='mean'"
    ):
        Pool.from_frame(pd.DataFrame({"day": [f"d{k}" for k in range(N)], "mean": MEAN, **beside}))


@pytest.mark.parametrize(
    ("label", "classes"), [(["ham", "spam"], None), ([0, 1], None), (None, ("ham", "spam"))]
)
def test_a_feature_between_two_others_is_not_predicted_where_classes_are(label: Any, classes: Any) -> None:
    """Of a table of features and labels it was the prediction, of numbers, whatever the labels."""
    df = pd.DataFrame({"mean": MEAN, "low": MEAN - 5, "high": MEAN + 5})
    if label:
        df["label"] = label * (N // 2)
    assert not guess_columns(df).systems or classes
    with pytest.raises(InputError, match="no column holds a score or a prediction") as told:
        Pool.from_frame(df, classes=classes)
    assert ("labels known already" in str(told.value)) is bool(label)


def test_what_the_caller_or_another_name_says_comes_first() -> None:
    df = pd.DataFrame({"mean": MEAN, "fit": MEAN - 1, "lower": MEAN - 5, "upper": MEAN + 5})
    assert "if `mean` holds" in guess_columns(df).question  # which of the two?
    assert Pool.from_frame(df, pred="fit").columns.preds == ("fit",)
    assert Pool.from_frame(df.assign(yhat=MEAN)).columns.preds == ("yhat",)
    assert Pool.from_frame(df.assign(score=0.5)).task.kind == "binary"
    with pytest.raises(InputError, match="no column holds a score"):
        Pool.from_frame(df[["mean", "lower", "upper"]], label="mean")


def test_numbers_too_small_to_vary_come_close_to_nothing() -> None:
    """The variance of numbers near 1e-300 is 0, by which R² was divided."""
    df = pd.DataFrame({"pred": MEAN, "rate": 1e-300 * MEAN})
    assert "rate" in Pool.from_frame(df, pred="pred", task="regression").columns.fields
