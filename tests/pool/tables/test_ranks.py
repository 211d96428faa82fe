"""A model's best guesses in columns by rank: they were sets of labels 1, 2, 3, whose truth the guesses told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval.pool import Labels, Pool, guess_columns

N = 60
CLASSES = np.array(list("abcde"))
SHARES = np.random.default_rng(1).dirichlet(np.ones(5), N).round(4)
ORDER = np.argsort(-SHARES, axis=1)
GOLD = CLASSES[SHARES.argmax(axis=1)]


def ranked(ranks: int, label: str = "label_{}", score: str = "score_{}", first: int = 1) -> pd.DataFrame:
    """The best guesses with their scores."""
    columns: dict[str, Any] = {"text": [f"t {k}" for k in range(N)]}
    for k in range(ranks):
        columns[label.format(k + first)] = CLASSES[ORDER[:, k]]
        columns[score.format(k + first)] = np.take_along_axis(SHARES, ORDER, 1)[:, k]
    return pd.DataFrame(columns | {"gold": GOLD})


@pytest.mark.parametrize(
    ("label", "score", "first"),
    [
        ("label_{}", "score_{}", 1),
        ("pred_{}", "prob_{}", 0),
        ("top{}_label", "top{}_score", 1),
        ("top_{}", "top_{}_prob", 1),
        ("class{}", "confidence{}", 1),
    ],
)
def test_the_best_guess_is_the_decision(label: str, score: str, first: int, tmp_path: Path) -> None:
    df = ranked(3, label, score, first)
    df.to_csv(tmp_path / "t.csv", index=False)
    for pool in (Pool.from_frame(df), Pool.read(tmp_path / "t.csv")):
        assert (pool.task.kind, pool.columns.preds) == ("multiclass", ("decision",))
        assert (pool.columns.label, pool.columns.fields) == (("gold",), ("text",))
        np.testing.assert_array_equal(Labels.from_frame(df, pool).values, pool.pred)
        assert "were taken for the best guesses of one model" in " ".join(pool.report)


def test_all_classes_by_rank_are_the_scores_of_each() -> None:
    pool = Pool.from_frame(ranked(5))
    assert pool.task.classes == tuple(CLASSES)
    np.testing.assert_allclose(pool.score, SHARES, atol=1e-3)


@pytest.mark.parametrize("classes", [list("12345"), list("01234"), [1, 2, 3, 4, 5]])
def test_columns_guessed_make_the_same_pool_where_classes_are_numbers(classes: list[Any]) -> None:
    """The scores of class 1 were called `score_1`, as those of the first rank are: one was read for the other."""
    called = dict(zip(CLASSES, classes, strict=True))
    df = ranked(5).drop(columns="gold").map(lambda cell: called.get(cell, cell))
    pool = Pool.from_columns(df, guess_columns(df))
    assert pool.task.classes == tuple(map(str, classes))
    np.testing.assert_allclose(pool.score, SHARES, atol=1e-3)
    assert pool.fingerprint == Pool.from_frame(df).fingerprint


def test_a_column_of_decisions_comes_first() -> None:
    pool = Pool.from_frame(ranked(3).assign(prediction=GOLD))
    assert (pool.columns.preds, pool.columns.fields, pool.columns.hidden) == (("prediction",), ("text",), ())


def test_what_is_not_ranked_stays_as_it_is() -> None:
    df = ranked(3)
    turned = df.rename(columns={"score_1": "score_3", "score_3": "score_1"})
    sets = df.assign(label_1=1, label_2=0, label_3=1)
    over = df.assign(score_1=0.9, score_2=0.8, score_3=0.7)
    texts = df.assign(**{f"label_{k}": [f"doc {k} {row}" for row in range(N)] for k in (1, 2, 3)})
    beside = df.assign(score=0.5)
    gap = df.rename(columns={"label_2": "label_4", "score_2": "score_4"})
    mixed = ranked(5).replace({"a": 1, "b": 2})
    arrays = pd.Series([np.ones(2) for _ in range(N)], dtype=object)
    lists = df.assign(label_1=arrays, label_2=arrays, label_3=arrays)
    for other in (turned, sets, over, texts, beside, gap, mixed, lists):
        assert "best guesses" not in " ".join(_report(other))


def test_what_the_caller_names_of_them_is_kept_and_the_rest_is_hidden() -> None:
    pool = Pool.from_frame(ranked(3), pred="label_1")
    assert (pool.columns.preds, pool.columns.label, pool.columns.fields) == (
        ("label_1",),
        ("gold",),
        ("text",),
    )
    assert Pool.from_frame(ranked(3), pred="decision").columns.preds == ("decision",)
    pool = Pool.from_columns(ranked(3), guess_columns(ranked(3)))
    assert (pool.columns.preds, pool.columns.hidden) == (("decision",), ("confidence",))


def _report(df: pd.DataFrame) -> list[str]:
    try:
        return [*Pool.from_frame(df).report]
    except ValueError as error:
        return [str(error)]
