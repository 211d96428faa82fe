"""Beginning a study: what settings mean, and which are refused before anything is kept."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import Stratified
from sampleval.metrics import resolve
from tests.studies import LABELS, POOL, answered, begun


@pytest.mark.parametrize("budget", [0, -1, POOL.size + 1, 2.5, "many", None])
def test_budgets_that_mean_nothing_are_refused(budget: Any) -> None:
    with pytest.raises(sv.InputError, match="`budget`"):
        begun(budget=budget)


@pytest.mark.parametrize(
    "metric", [[], {}, None, 3, [["f1"]], ["f1", 2], {"f1", "recall"}, frozenset({"recall"}), {"f1"}]
)
def test_targets_that_mean_nothing_are_refused(metric: Any) -> None:
    """Which metric of a set came first, and so what the study was about, changed from one process to the next."""
    with pytest.raises(sv.InputError, match="`metric` must"):
        begun(metric=metric)


@pytest.mark.parametrize("weight", [0, -1, math.nan, "much"])
def test_a_weight_that_means_nothing_is_refused_with_its_metric(weight: Any) -> None:
    with pytest.raises(sv.InputError, match=r"`metric\['f1'\]` must be "):
        begun(metric={"recall": 1, "f1": weight})


@pytest.mark.parametrize(
    "metric", [["f1", "f1"], ["f1", "f1.0"], {"f1": 1, "f1.0": 3}, {"f1": 1, resolve("f1"): 3}]
)
def test_a_metric_named_twice_is_refused(metric: Any) -> None:
    """Otherwise the weight of one of them would be lost."""
    with pytest.raises(sv.InputError, match="`metric` must name each metric once; got 'f1'"):
        begun(metric=metric)


def test_metrics_may_come_in_an_array_or_a_series() -> None:
    names = np.array(["f1", "recall"])
    assert begun(metric=pd.Series(names)).settings.metrics == {"f1": 1.0, "recall": 1.0}
    assert [found.metric for found in answered(begun(), 5).estimates(names)] == ["f1", "recall"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "value"),
    [("surrogate", sv.Shrunk), ("surrogate", 3), ("design", sv.Shrunk()), ("estimator", Stratified()), ("held", 3), ("held", ["a"]),
     ("interval", 3), ("interval", []), ("preset", [])],
)  # fmt: skip
def test_parts_of_another_kind_are_refused(option: str, value: Any) -> None:
    with pytest.raises(sv.InputError, match=f"`{option}` must"):
        begun(**{option: value})


def test_an_interval_that_nobody_knows_is_refused_at_once() -> None:
    """The study had been created, and then each of its estimates failed."""
    with pytest.raises(sv.InputError, match="`interval` is not known; got 'betta'; did you mean 'beta'"):
        begun(interval="betta")


@pytest.mark.parametrize("metric", ["f1[new]", "f1[new - old]", {"recall": 1.0, "f1[old]": 2.0}])
def test_a_system_that_the_pool_does_not_hold_is_refused_before_anything_is_kept(
    metric: Any, tmp_path: Path
) -> None:
    """Such a study had been stored, but could neither be asked nor be created again under its name."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    with pytest.raises(sv.InputError, match="the pool holds one system"):
        begun(metric=metric, storage=url, name="s")
    begun(storage=url, name="s")


def test_numbers_from_numpy_are_numbers() -> None:
    half: Any = np.float32(0.5)
    study = begun(seed=np.int64(7), level=half, budget=np.int64(12), surrogate=sv.Shrunk(shrinkage=half))
    same = begun(seed=7.0, level=0.5, surrogate=sv.Shrunk(shrinkage=0.5))
    assert study.settings == same.settings
    assert answered(study, 12).estimate() == answered(same, 12).estimate()


@pytest.mark.parametrize("pool", [None, "pool.csv", LABELS, pd.DataFrame({"score": [0.5]})])
def test_what_is_no_pool_is_refused_with_the_way_to_one(pool: Any) -> None:
    frame = pd.DataFrame({"id": POOL.ids, "label": "ham"})
    for use in (
        lambda: sv.create_study(pool, metric="f1", budget=3),
        lambda: sv.plan(pool, metric="f1", budget=3),
        lambda: sv.plan_curve(pool, metric="f1"),
        lambda: sv.budget_for(pool, metric="f1", width=0.1),
        lambda: sv.simulate(pool, LABELS, budgets=[3]),
        lambda: sv.Labels.from_frame(frame, pool),
        lambda: LABELS.by_id(pool),
    ):
        with pytest.raises(sv.InputError, match=r"`pool` must be a Pool; .* Pool\.from_frame\(df\)"):
            use()


def test_permuting_the_pool_changes_nothing(rng: np.random.Generator) -> None:
    order = rng.permutation(POOL.size)
    df = pd.DataFrame({"id": POOL.ids, "score": POOL.score, "text": POOL.fields["text"]})
    other = sv.Pool.from_frame(
        df.iloc[order], id="id", score="score", fields=["text"], classes=POOL.task.classes
    )
    here, there = begun(), sv.create_study(other, metric="f1", budget=12, seed=7, preset="queue")
    assert [i.id for i in here.ask(12)] == [i.id for i in there.ask(12)]


def test_repeated_draws_of_items_all_alike_do_not_hang_on_the_order_of_the_rows() -> None:
    """Shares of ½ ± one digit sent NumPy's draws another way: 1.30 for one order, 1.10 for another."""
    rng = np.random.default_rng(251)
    df = pd.DataFrame({"id": [f"i{k}" for k in range(int(rng.integers(5, 150)))]})
    df["pred"] = rng.normal(size=len(df))
    truth = dict(zip(df["id"], df["pred"] + rng.normal(size=len(df)), strict=True))
    found = []
    for rows in (df, df.sample(frac=1, random_state=251)):
        pool = sv.Pool.from_frame(rows, id="id", pred="pred", task="regression")
        study = sv.create_study(pool, metric="mae", budget=12, preset="marchant-is", seed=251)
        study.tell_all([(item, truth[item.id]) for item in study.ask(12)])
        found.append(study.estimate("mse").value)
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize("preset", ["recommended", "active-testing", "yilmaz-online-bs"])
def test_designs_that_take_an_answer_for_the_truth_refuse_an_oracle_that_may_change_it(preset: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(20), "score": np.linspace(0.05, 0.95, 20)}))
    with pytest.raises(
        sv.InputError, match=r"`oracle` 'stochastic' is not known for design .* use 'priority'"
    ):
        sv.create_study(pool, metric="accuracy", budget=10, preset=preset, oracle="stochastic")
    with pytest.raises(sv.InputError, match="`probability` is not known for design"):
        sv.simulate(
            pool, None, presets=[preset], metric="accuracy", budgets=[10], repeats=2, probability=pool.score
        )
