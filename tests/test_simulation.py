"""Simulation: known variances, textbook coverage, and the same result from any number of workers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sampleval as sv
from sampleval.designs import Importance, Poisson, Uniform
from sampleval.presets import method
from sampleval.simulation import prepare, run, simulate, summarise
from tests.reference import Floats

DIGITS = Path(__file__).parents[1] / "demo_data" / "digits_is8.parquet"
FALSE_ALARM = 1e-6


def tiny(n: int = 40) -> tuple[sv.Pool, sv.Labels]:
    rng = np.random.default_rng(5)
    score = rng.random(n).round(2)
    df = pd.DataFrame({"id": range(n), "score": score, "label": (rng.random(n) < score).astype(int)})
    pool = sv.Pool.from_frame(df, id="id", score="score", label="label")
    return pool, sv.Labels.from_frame(df, pool, label="label")


def digits() -> tuple[sv.Pool, sv.Labels]:
    df = pd.read_parquet(DIGITS)
    pool = sv.Pool.from_frame(df, id="id", score="score", pred="pred", label="label", fields=[])
    return pool, sv.Labels.from_frame(df, pool, label="label")


def within(values: Floats, expected: float) -> bool:
    """Whether a mean of repeats agrees with its expectation at the false-alarm rate."""
    z = (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))
    return bool(abs(z) < stats.norm.isf(FALSE_ALARM / 2))


def test_uniform_error_is_the_textbook_s() -> None:
    """(1 - n/N) S²/n for a share, the accuracy, whose ratio has a constant denominator."""
    pool, labels = tiny()
    work = prepare(pool, labels, ["uniform"], metric="accuracy", metrics=None, budgets=[10], repeats=400)
    raw = run(work)
    right = (pool.pred == labels.of(np.arange(pool.size))).astype(float)
    expected = (1 - 10 / 40) * right.var(ddof=1) / 10
    assert within(((raw["value"] - right.mean()) ** 2).to_numpy(), expected)
    assert within(raw["variance"].to_numpy(), expected)


@pytest.mark.parametrize("design", [Poisson(), Importance(draws="equal-cost"), Uniform(replacement=True)])
def test_totals_from_every_design_are_unbiased(design: Poisson | Importance | Uniform) -> None:
    """Prevalence by Hájek is only consistent; the plain total behind it is unbiased."""
    pool, labels = tiny()
    methods = {"m": method(design=design)}
    work = prepare(pool, labels, methods, metric="f1", metrics=["prevalence"], budgets=[12], repeats=300)
    problem_values = run(work)["value"].to_numpy()
    assert abs(np.nanmean(problem_values) - labels.of(np.arange(pool.size)).mean()) < 0.05


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    pool, labels = tiny()
    options = {"presets": ["queue", "yilmaz-bs"], "budgets": [5, 10], "repeats": 60, "seed": 3}
    one = simulate(pool, labels, **options)
    two = simulate(pool, labels, **options, jobs=2, cache=tmp_path)
    again = simulate(pool, labels, **options, cache=tmp_path)
    columns = [c for c in one if c != "seconds"]
    pd.testing.assert_frame_equal(one[columns], two[columns])
    pd.testing.assert_frame_equal(two, again)


def test_a_run_can_be_stopped_and_taken_up_again(tmp_path: Path) -> None:
    pool, labels = tiny()
    seen: list[int] = []

    def stop_at_two(done: int, _of: int) -> bool:
        seen.append(done)
        return done < 2

    work = prepare(pool, labels, ["uniform"], metric="f1", metrics=None, budgets=[5], repeats=100)
    part = run(work, progress=stop_at_two, cache=tmp_path)
    assert seen == [1, 2]
    assert len(part) == 50
    assert len(run(work, cache=tmp_path)) == 100


def test_summary_counts_misses_and_undefined_values() -> None:
    raw = pd.DataFrame(
        {
            "method": "m",
            "metric": "f1",
            "budget": 5,
            "value": [0.4, 0.6, np.nan, 0.5],
            "low": [0.3, 0.55, 0, 0.45],
            "high": [0.5, 0.7, 1, 0.55],
            "interval": ["beta", "beta", "none", "beta"],
            "labels": [5, 5, 5, 5],
            "wasted": [1, 2, 3, 4],
            "seconds": 0.1,
        }
    )
    row = summarise(raw, {"f1": 0.5}).iloc[0]
    assert (row["coverage"], row["defined"], row["informative"]) == (0.75, 0.75, 0.75)
    assert row["mse"] == pytest.approx(0.02 / 3)
    assert row["bias"] == pytest.approx(0)


def test_missing_labels_are_refused() -> None:
    pool, labels = tiny()
    df = pd.DataFrame({"id": pool.ids, "label": [None, *labels.of(np.arange(1, pool.size))]})
    with pytest.raises(sv.InputError, match="every item's label"):
        simulate(pool, sv.Labels.from_frame(df, pool, label="label"))


@pytest.mark.slow
def test_on_the_digits_bernoulli_beats_importance_beats_uniform() -> None:
    pool, labels = digits()
    result = simulate(
        pool,
        labels,
        presets=["uniform", "yilmaz-is", "yilmaz-bs", "queue"],
        budgets=[200, 400],
        repeats=400,
        jobs=2,
    ).set_index(["method", "budget"])["rmse"]
    for budget in (200, 400):
        assert result["yilmaz-bs", budget] <= result["yilmaz-is", budget] * 1.05
        assert result["yilmaz-is", budget] < result["uniform", budget]
    assert result["yilmaz-bs", 400] < result["yilmaz-is", 400]


@pytest.mark.slow
def test_bernoulli_error_vanishes_at_the_census_and_importance_sampling_s_does_not() -> None:
    pool, labels = digits()
    methods = {"bs": method("yilmaz-bs"), "is": method("yilmaz-is", design=Importance(draws="equal-cost"))}
    result = simulate(
        pool, labels, presets=methods, budgets=[pool.size - 1, pool.size], repeats=40, jobs=2
    ).set_index(["method", "budget"])["rmse"]
    assert result["bs", pool.size] == 0
    assert result["is", pool.size - 1] > 3 * result["bs", pool.size - 1]


@pytest.mark.slow
def test_queue_coverage_on_the_digits_is_near_nominal() -> None:
    pool, labels = digits()
    result = simulate(
        pool,
        labels,
        presets=["queue"],
        metrics=["f1", "accuracy", "recall", "precision"],
        budgets=[100, 300],
        repeats=600,
        jobs=2,
    )
    floor = stats.binom.ppf(FALSE_ALARM, 600, 0.87) / 600
    assert (result["coverage"] > floor).all(), result[["metric", "budget", "coverage"]]
