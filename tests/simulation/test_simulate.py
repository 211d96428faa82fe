"""Simulation: known variances, textbook coverage, and the same result from any number of workers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sampleval as sv
from sampleval import frames
from sampleval.bundle import export_study
from sampleval.designs import Adaptive, Importance, Poisson, Uniform
from sampleval.metrics import resolve
from sampleval.plots import QUANTITIES, comparison, divergence
from sampleval.plots import matrix as matrix_of
from sampleval.presets import method_of
from sampleval.simulation import (
    Simulation,
    divergences,
    finished,
    ideal,
    kullback_leibler,
    matrix,
    prepare,
    run,
    simulate,
    summarise,
    sweep,
    swept,
    truths,
)
from sampleval.simulation.replicate import seed_of
from sampleval.simulation.work import Batch
from sampleval.study import true_value
from tests.places import ROOT
from tests.pools import binary, multiclass, multilabel, scored
from tests.reference import Floats

DIGITS = ROOT / "demo_data" / "digits_is8.parquet"
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


def test_every_repeat_counts_once_however_many_methods_report_the_metric() -> None:
    pool, labels = tiny()
    result = simulate(pool, labels, presets=["queue", "uniform", "yilmaz-bs"], budgets=[10], repeats=7)
    assert result["method"].tolist() == ["queue", "uniform", "yilmaz-bs"]
    assert (result["repeats"] == 7).all()
    band = result["coverage_high"] - result["coverage_low"]
    assert (band > 0.3).all()  # of 7, not of 21


@pytest.mark.parametrize("design", [Poisson(), Importance(draws="equal-cost"), Uniform(replacement=True)])
def test_positives_are_counted_right_on_average_by_every_design(
    design: Poisson | Importance | Uniform,
) -> None:
    """Divided by the weights' own sum they are only consistent, with a bias that so few repeats do not show."""
    pool, labels = tiny()
    methods = {"m": method_of(design=design)}
    work = prepare(pool, labels, methods, metric="f1", metrics=["positives"], budgets=[12], repeats=150)
    assert within(run(work)["value"].to_numpy(), labels.of(np.arange(pool.size)).sum())


def test_without_variation_a_belief_counts_at_most_as_many_labels_as_could_have_varied() -> None:
    """Uniformly drawn positives of which none was missed: limits that scores too high had made narrow never held."""
    frame = scored(2000, seed=4, classes=("no", "yes"))
    frame["score"] = np.minimum(frame["score"] + 0.35, 1)
    pool = sv.Pool.from_frame(frame, id="id", score="score", label="label", fields=[], threshold=0.5)
    labels = sv.Labels.from_frame(frame, pool)
    study = sv.create_study(pool, metric="f1", budget=60, preset="uniform", seed=1)
    study.answer(labels, 60)
    found, run = study.estimate("recall"), study.run()
    assert run is not None
    positives = int(run.known.labels.sum())
    assert found.value == 1
    assert found.interval.low == pytest.approx(float(stats.beta.ppf(0.05, positives, 1)))
    assert f"those of {positives} items" in found.interval.note


def test_gaps_that_an_honest_model_does_not_have_are_within_the_limits() -> None:
    """Noise lifts every draw of a sum of absolute gaps: limits from the draws alone held in none of these studies."""
    rng = np.random.default_rng(6)
    score = rng.beta(2, 2, 2000)
    frame = pd.DataFrame({"score": score, "label": (rng.random(2000) < score).astype(int)})
    pool = sv.Pool.from_frame(frame)
    found = simulate(
        pool,
        sv.Labels.from_frame(frame, pool),
        presets=["recommended"],
        metric="f1",
        metrics=["ece"],
        budgets=[100],
        repeats=10,
    )
    assert (found["truth"] < 0.03).all()
    assert (found["coverage"] >= 0.8).all()
    assert (found["width"] < 0.2).all()


def test_intervals_of_three_rounds_hold_as_often_as_they_say() -> None:
    """From what the rounds differed by, with two degrees of freedom, they held in .73 to .8 of these studies."""
    pool, labels = binary(300, seed=5)
    metrics = ["f1", "accuracy", "positives"]
    found = simulate(
        pool, labels, presets=["yilmaz-online-bs"], metrics=metrics, budgets=[60], repeats=120, seed=3
    )
    assert (found["coverage"] > 0.84).all()


def test_the_time_of_a_small_study_is_not_that_of_the_large_one_whose_beginning_it_is() -> None:
    """Nor that of the estimates in between: several budgets take their answers from one run."""
    pool, labels = binary(200, seed=5)
    found = simulate(pool, labels, presets=["active-testing"], budgets=[10, 200], repeats=2, seed=3)
    short, long = found.set_index("budget")["seconds"]
    assert 0 < short < long / 3


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    pool, labels = tiny()
    again_and_again = partial(
        simulate, pool, labels, presets=["queue", "yilmaz-bs"], budgets=[5, 10], repeats=60, seed=3
    )
    one = again_and_again()
    two = again_and_again(jobs=2, cache=tmp_path)
    again = again_and_again(cache=tmp_path)
    pd.testing.assert_frame_equal(timeless(one), timeless(two))
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


def test_a_bar_tells_what_is_done_and_changes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    pool, labels = tiny()
    repeated = partial(simulate, pool, labels, presets=["queue", "uniform"], budgets=[5], repeats=50)
    silent = repeated(progress=False)
    assert capfd.readouterr() == ("", "")
    shown = repeated(progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert re.search(r"^\r +0%\|.* 0 of 4 batches, .* left\r", err)
    assert re.search(r"100%\|.* 4 of 4 batches, 00:00 left\n$", err)
    pd.testing.assert_frame_equal(timeless(shown), timeless(silent))


def test_a_bar_ends_its_line_when_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pool, labels = tiny()
    work = prepare(pool, labels, ["uniform"], metric="f1", metrics=None, budgets=[5], repeats=75)
    do = Simulation.do

    def interrupted(self: Simulation, batch: Batch) -> pd.DataFrame:
        if batch[1] == 50:
            raise KeyboardInterrupt
        return do(self, batch)

    monkeypatch.setattr(Simulation, "do", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(work, progress=True, cache=tmp_path)
    assert re.search(r" 2 of 3 batches, .*left\n$", capfd.readouterr().err)
    assert len(finished(work, tmp_path)[0]) == 50


def timeless(summary: pd.DataFrame) -> pd.DataFrame:
    """The summary without the times, which are others each time."""
    return summary.drop(columns=list(summary.filter(like="seconds")))


def test_each_mean_and_share_of_repeats_has_a_band() -> None:
    """Width, wasted labels and time had none, in pictures and tables."""
    rng, repeats = np.random.default_rng(3), 400
    raw = pd.DataFrame(
        {
            "repeat": range(repeats),
            "value": np.where(rng.random(repeats) < 0.9, 0.5, np.nan),
            "high": rng.normal(0.7, 0.05, repeats),
            "labels": rng.poisson(20, repeats),
            "wasted": rng.poisson(5, repeats),
            "seconds": rng.exponential(0.1, repeats),
            "interval": np.where(rng.random(repeats) < 0.8, "beta", "none"),
        }
    ).assign(method="m", metric="f1", budget=5, low=0.4)
    row = summarise(raw, {"f1": 0.5}).iloc[0]
    for name, values in {"width": raw["high"] - 0.4, **raw[["labels", "wasted", "seconds"]]}.items():
        half = 1.96 * values.std() / repeats**0.5
        assert [row[name], row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx(
            [values.mean(), values.mean() - half, values.mean() + half], abs=0.4 * half
        )
    for name, hits in {"defined": raw["value"].notna(), "informative": raw["interval"] == "beta"}.items():
        limits = stats.binomtest(int(hits.sum()), repeats).proportion_ci(0.95)
        assert [row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx([limits.low, limits.high])
    for quantity in QUANTITIES:
        assert "tonexty" in [trace.fill for trace in comparison(row.to_frame().T, quantity=quantity).data]
    # Seven times 0.1 is less than 0.7.
    same = summarise(raw[:7].assign(wasted=0.1, high=0.8), {"f1": 0.5}).iloc[0]
    for name in ("width", "wasted"):
        assert same[f"{name}_low"] == same[name] == same[f"{name}_high"]
    endless = summarise(raw.assign(high=np.inf), {"f1": 0.5}).iloc[0]
    assert np.isinf(endless["width"])
    assert np.isnan([endless["width_low"], endless["width_high"]]).all()


def test_summary_counts_misses_and_undefined_values() -> None:
    raw = pd.DataFrame(
        {
            "method": "m",
            "repeat": range(4),
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
    off = np.array([0.1, 0.1, 0.0])  # the band is one standard deviation wide
    ends = [off.mean() - off.std() / 2, off.mean() + off.std() / 2]
    assert [row["absolute_low"], row["absolute_high"]] == pytest.approx(ends)
    later = raw.assign(budget=9, low=[0.3, 0.4, 0.6, 0.45])
    rows = summarise(pd.concat([later, raw], ignore_index=True), {"f1": 0.5}).set_index("budget")
    assert rows["coverage"].to_dict() == {9: 0.75, 5: 0.75}  # another repeat's interval misses now
    assert rows["missed_ever"].to_dict() == {9: 0.5, 5: 0.25}
    assert (rows["missed_ever_low"] < rows["missed_ever"]).all()


def test_what_has_no_true_value_is_neither_held_nor_missed() -> None:
    """Its coverage had been 0, as if every interval had missed."""
    pool, _ = tiny()
    none = sv.Labels.from_frame(pd.DataFrame({"id": range(40), "label": 0}), pool)
    found = sv.simulate(
        pool,
        none,
        presets="queue",
        metric="accuracy",
        metrics=["accuracy", "recall"],
        budgets=[5, 40],
        repeats=4,
    )
    told = found.set_index("metric")
    bands = [name + end for name in ("coverage", "missed_ever") for end in ("", "_low", "_high")]
    assert np.isnan(told.loc["recall", ["truth", "rmse", *bands]].to_numpy(float)).all()
    assert np.isfinite(told.loc["accuracy", bands].to_numpy(float)).all()


def test_a_bias_has_a_band_that_chance_alone_rarely_leaves(rng: np.random.Generator) -> None:
    """Without one, thirty repeats of an unbiased method look biased: the eye takes the line for the truth."""
    methods, repeats = [f"m{k}" for k in range(200)], 30
    raw = pd.DataFrame(
        {
            "method": np.repeat(methods, repeats),
            "repeat": np.tile(np.arange(repeats), len(methods)),
            "value": rng.normal(0.5, 0.1, len(methods) * repeats),
        }
    ).assign(metric="f1", budget=5, low=0.0, high=1.0, interval="beta", labels=5, wasted=0, seconds=0.1)
    rows = summarise(raw, {"f1": 0.5})
    held = (rows["bias_low"] <= 0) & (rows["bias_high"] >= 0)
    assert 0.87 < held.mean() < 0.99  # a percentile bootstrap of 30 holds a little less than 95 %
    assert (rows["bias_high"] - rows["bias_low"]).mean() == pytest.approx(2 * 1.96 * 0.1 / 30**0.5, rel=0.1)
    names = [trace.name for trace in comparison(rows[rows["method"] == "m0"], quantity="bias").data]
    assert len(names) > names.count("m0")  # the band beside the line


def test_a_budget_beyond_the_pool_is_refused_and_left_out_by_default() -> None:
    """It had silently become the pool's size, so that its row had another budget than was asked for."""
    pool, labels = tiny()
    with pytest.raises(sv.InputError, match="`budgets` cannot exceed the 40 items of the pool; got 41"):
        simulate(pool, labels, presets="uniform", budgets=[10, 41])
    found = simulate(pool, labels, presets="uniform", repeats=2)
    assert found["budget"].tolist() == [40]


def test_missing_labels_are_refused() -> None:
    pool, labels = tiny()
    df = pd.DataFrame({"id": pool.ids, "label": [None, *labels.of(np.arange(1, pool.size))]})
    with pytest.raises(sv.InputError, match="every item's label"):
        simulate(pool, sv.Labels.from_frame(df, pool, label="label"))


LABELLED: dict[str, Callable[[sv.Pool, sv.Labels], object]] = {
    "simulate": lambda pool, labels: simulate(pool, labels, presets=["uniform"], budgets=[5], repeats=1),
    "divergences": lambda pool, labels: divergences(pool, labels, {"is": method_of("yilmaz-is")}, repeats=1),
    "reliability": frames.reliability,
    "divergence": lambda pool, labels: frames.divergence(oasis(pool), labels),
    "true value": lambda pool, labels: true_value(resolve("f1"), pool, labels),
    "export": lambda pool, labels: export_study(oasis(pool), io.BytesIO(), labels=labels),
    "answer": lambda pool, labels: oasis(pool).answer(labels, 3),
    "by id": lambda pool, labels: labels.by_id(pool),
}


@pytest.mark.parametrize("ask", LABELLED.values(), ids=LABELLED)
def test_labels_of_another_pool_are_refused(ask: Callable[[sv.Pool, sv.Labels], object]) -> None:
    """This includes the same items in another order, whose labels would be mixed up."""
    frame = scored(classes=("0", "1"))
    turned = frame.iloc[::-1]
    pool, other = (sv.Pool.from_frame(df, id="id", score="score", label="label") for df in (frame, turned))
    with pytest.raises(sv.InputError, match="must hold the labels of this pool"):
        ask(pool, sv.Labels.from_frame(turned, other))
    ask(pool, sv.Labels.from_frame(frame, pool))  # the control


def test_what_is_no_labels_or_not_all_of_them_is_refused() -> None:
    pool, labels = tiny()
    with pytest.raises(sv.InputError, match="`labels` must be a Labels; got 'Series'; make them with"):
        simulate(pool, pd.Series(labels.values), presets=["uniform"])  # type: ignore[arg-type]
    some = sv.Labels(labels.task, labels.values, labels.known & (np.arange(40) > 0), labels.fingerprint)
    with pytest.raises(sv.InputError, match="`labels` must hold every item's label; item '0' has none"):
        divergences(pool, some, {"is": method_of("yilmaz-is")})


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("metrics", ["mse", "f1"], "`metric` 'mse' is not defined for binary labels; choose one of f1"),
        ("metrics", [], "`metrics` must not be empty"),
        ("presets", 5, "`presets` must be a list; got 5"),
        ("presets", [], "`presets` must not be empty"),
        ("presets", {"a": "uniform"}, "got 'str'; make it with `from sampleval.presets import method_of`"),
        ("jobs", 0, "`jobs` must be a whole number of at least 1; got 0"),
        ("jobs", "a", "`jobs` must be a whole number"),
        ("probability", "a", "`probability` must hold numbers; got 'a'"),
        ("probability", [None] * 40, r"`probability` must lie in \[0, 1\]"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(option: str, value: object, said: str) -> None:
    pool, labels = tiny()
    usual = {"presets": ["uniform"], "budgets": [5], "repeats": 1}
    with pytest.raises(sv.InputError, match=said):
        simulate(pool, labels, **(usual | {option: value}))  # type: ignore[arg-type]


def test_one_preset_and_one_metric_may_be_named_where_several_may() -> None:
    frame = simulate(*tiny(), presets="uniform", metrics="recall", budgets=[5], repeats=1)
    assert frame[["method", "metric"]].to_numpy().tolist() == [["uniform", "recall"]]


@pytest.mark.parametrize("option", ["budget", "repeats", "points"])
def test_a_divergence_of_nothing_is_refused(option: str) -> None:
    with pytest.raises(sv.InputError, match=f"`{option}` must be a whole number of at least 1; got -5"):
        divergences(*tiny(), {"oasis": method_of("oasis")}, **{option: -5})  # type: ignore[arg-type]


def test_only_a_method_with_a_shrinkage_is_swept() -> None:
    with pytest.raises(
        sv.InputError, match="`base` must believe in shrunk scores to have a λ; got 'calibration'"
    ):
        sweep(method_of("recommended"))


@pytest.mark.parametrize(
    ("option", "value"), [("groups", 0), ("groups", "a"), ("level", 2), ("level", float("nan"))]
)
def test_a_reliability_that_means_nothing_is_refused(option: str, value: object) -> None:
    with pytest.raises(sv.InputError, match=f"`{option}` must"):
        frames.reliability(*tiny(), **{option: value})  # type: ignore[arg-type]


def oasis(pool: sv.Pool) -> sv.Study:
    return sv.create_study(pool, metric="f1", budget=5, preset="oasis")


@pytest.mark.parametrize("preset", ["recommended", "queue", "marchant-tree"])
def test_a_joint_target_is_simulated_as_the_study_drawn_for_it(preset: str) -> None:
    """The weights belong to the target: one of them alone may move the sample."""
    pool, labels = tiny()
    target = {"precision": 1.0, "recall": 5.0}
    work = prepare(pool, labels, [preset], metric=target, metrics=None, budgets=[15], repeats=3)
    raw = work.do(work.batches()[0])
    assert raw["metric"].unique().tolist() == list(target)
    for repeat, rows in raw.groupby("repeat"):
        study = sv.create_study(
            pool, metric=target, budget=15, preset=preset, seed=seed_of(work.seed, int(str(repeat)))
        )
        study.answer(labels, 15)
        expected = [(e.value, e.interval.low, e.interval.high) for e in study.estimates(list(target))]
        np.testing.assert_allclose(rows[["value", "low", "high"]].to_numpy(), expected)


def test_labels_wasted_are_those_whose_answer_moves_nothing() -> None:
    """For F1 they are the rejected items that are negative, all of which a census asks."""
    pool, labels = tiny()
    result = simulate(pool, labels, presets=["uniform"], metrics=["f1", "accuracy"], budgets=[40], repeats=3)
    rejected_negative = int(((pool.pred == 0) & (labels.of(np.arange(pool.size)) == 0)).sum())
    assert result.set_index("metric")["wasted"].to_dict() == {"f1": rejected_negative, "accuracy": 0}


def test_where_the_truth_has_no_value_nothing_is_known_to_be_wasted() -> None:
    """F1 without any positive: its gradient is `nan`, which had counted as moving the metric."""
    frame = pd.DataFrame({"score": np.zeros(6), "label": 0})
    pool = sv.Pool.from_frame(frame, score="score", label="label")
    labels = sv.Labels.from_frame(frame, pool, "label")
    result = simulate(pool, labels, presets=["uniform"], metric="f1", budgets=[2], repeats=2)
    assert result[["truth", "wasted"]].isna().to_numpy().all()


def test_a_stochastic_oracle_s_truth_is_the_expected_one() -> None:
    """Prevalence of the census is a mean of N coin flips: right on average, p(1-p)/N off."""
    pool, _ = tiny()
    p = np.clip(pool.score, 0.1, 0.9)
    work = prepare(
        pool, None, ["uniform"], metric="prevalence", metrics=None, budgets=[40], repeats=400, probability=p
    )
    assert truths(work) == {"prevalence": pytest.approx(p.mean())}
    values = run(work)["value"].to_numpy()
    assert within(values, p.mean())
    assert within((values - p.mean()) ** 2, (p * (1 - p)).sum() / 40**2)


@pytest.mark.slow
def test_an_oracle_s_chance_goes_with_nothing_that_the_design_drew() -> None:
    rng = np.random.default_rng(0)
    p = rng.beta(0.5, 2, 60)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": p}))
    result = simulate(
        pool,
        None,
        presets=["stratified"],
        metric="accuracy",
        budgets=[12],
        repeats=2000,
        probability=p,
        seed=1,
    )
    assert (
        abs(result["bias"].item()) < 0.005
    )  # 0.009 while the strata's shifts were the oracle's first numbers


@pytest.mark.parametrize(
    ("probability", "said"),
    [(np.full(3, 0.5), "shape"), (np.full(40, 1.5), r"\[0, 1\]"), (None, "must be given")],
)
def test_probabilities_that_are_none_are_refused(probability: Floats | None, said: str) -> None:
    with pytest.raises(sv.InputError, match=said):
        simulate(tiny()[0], None, probability=probability)


@pytest.mark.parametrize("by", ["row", "id", "number"])
def test_probabilities_in_another_order_than_the_pool_are_refused(by: str) -> None:
    """They were taken by their places, and the truth was another's."""
    # The last half of the numbers comes first, so that row numbers are the same ids in another order.
    ids = np.roll(np.arange(40), 20) if by == "number" else [f"i{n}" for n in range(40)]
    df = pd.DataFrame({"id": ids, "score": np.linspace(0.01, 0.99, 40)})
    pool = sv.Pool.from_frame(df)
    given = df["score"] if by == "row" else df.set_index("id")["score"]

    def ask(probability: Any) -> pd.DataFrame:
        options: dict[str, Any] = {"metric": "accuracy", "budgets": [9], "repeats": 2, "presets": "uniform"}
        return timeless(simulate(pool, None, probability=probability, **options))

    turned = given[::-1]
    with pytest.raises(sv.InputError, match=r"`probability` must have its rows in the order of the pool"):
        ask(turned)
    plain = ask(given.to_numpy())
    pd.testing.assert_frame_equal(ask(given), plain)
    pd.testing.assert_frame_equal(ask(df["score"]), plain)
    later = given.set_axis(range(100, 140))  # of a frame that was cut otherwise
    pd.testing.assert_frame_equal(ask(later), plain)
    assert not plain.equals(ask(turned.to_numpy()))


def test_probabilities_of_classes_in_another_order_are_refused() -> None:
    rows = np.random.default_rng(2).dirichlet(np.ones(3), 30)
    given: Any = pd.DataFrame(rows, columns=["a", "b", "c"])
    pool = sv.Pool.from_frame(given.add_prefix("score_"), score="score_")
    options: dict[str, Any] = {"metric": "accuracy", "budgets": [9], "repeats": 2, "presets": "uniform"}
    with pytest.raises(sv.InputError, match=r"must have its columns in the order of the classes"):
        simulate(pool, None, probability=given[["c", "a", "b"]], **options)
    assert len(simulate(pool, None, probability=given, **options))


def test_the_key_of_a_batch_changes_with_what_it_depends_on() -> None:
    pool, labels = tiny()
    flipped = pd.DataFrame({"id": pool.ids, "label": 1 - labels.of(np.arange(pool.size))})
    make = partial(prepare, pool, presets=["queue"], metric="f1", metrics=None, budgets=[5], repeats=5)
    other = sv.Labels.from_frame(flipped, pool, label="label")
    table = pd.DataFrame({"id": pool.ids, "score": pool.score**0.9, "label": labels.of(np.arange(pool.size))})
    bolder = sv.Pool.from_frame(table)
    works = [
        make(labels=labels),
        make(labels=labels, level=0.5),
        make(labels=labels, seed=1),
        make(labels=other),
        make(labels=None, probability=np.full(pool.size, 0.5)),
        make(labels=labels, budgets=[6]),
        make(labels=labels, repeats=4),
        make(labels=labels, metrics=["f1", "recall"]),
        make(labels=labels, metric="recall", metrics=["f1"]),
        make(labels=labels, metric=["recall", "f1"], metrics=["f1"]),
        make(labels=labels, metric={"recall": 1, "f1": 2}, metrics=["f1"]),
        make(labels=labels, presets={"queue": method_of("queue", shrinkage=0.5)}),
        make(labels=labels, presets=["uniform"]),
        prepare(
            bolder,
            sv.Labels.from_frame(table, bolder),
            ["queue"],
            metric="f1",
            metrics=None,
            budgets=[5],
            repeats=5,
        ),
    ]
    keys = {work.key(work.batches()[0]) for work in works}
    assert len(keys) == len(works)
    assert make(labels=labels).key(("queue", 0, 5)) in keys


def test_the_matrix_has_ones_on_its_diagonal_and_the_sweep_one_best() -> None:
    pool, labels = tiny()
    metrics = ["f1", "accuracy"]
    work = prepare(
        pool,
        labels,
        dict.fromkeys(metrics, method_of("queue")),
        metric="f1",
        targets={m: m for m in metrics},
        metrics=metrics,
        budgets=[10],
        repeats=10,
    )
    table = matrix(summarise(run(work), truths(work)))
    assert len(table) == 4
    assert (table.loc[table["pre"] == table["post"], "ratio"] == 1).all()
    assert (table["ratio_low"] <= table["ratio"]).all()
    assert (table["ratio"] <= table["ratio_high"]).all()
    same = table["pre"] == table["post"]
    assert (table.loc[same, ["ratio_low", "ratio_high"]] == 1).all(axis=None)  # a sampler's ratio to itself
    for name in ("rmse", "coverage"):
        assert table[name].between(table[f"{name}_low"], table[f"{name}_high"]).all()
        [cells] = matrix_of(table, value=name).data
        assert all(
            re.fullmatch(r"[\d.%]+<br>[\d.%]+–<br>[\d.%]+", text) for row in cells.text for text in row
        )
    [cells] = matrix_of(table).data
    assert cells.text[0][0] == cells.text[1][1] == "1.00"
    assert re.fullmatch(r"[\d.]+<br>[\d.]+–<br>[\d.]+", cells.text[0][1])
    assert re.fullmatch(r"[\d.]+, 95% band [\d.]+–[\d.]+", cells.customdata[0][1])
    arms = sweep(method_of("queue"), (0.0, 0.5, 1.0))
    frame = swept(simulate(pool, labels, presets=arms, budgets=[10], repeats=10))
    assert frame["shrinkage"].tolist() == [0, 0.5, 1]
    assert frame.loc[frame["best"], "mse"].tolist() == [frame["mse"].min()]


def test_one_shrinkage_is_marked_where_several_have_the_least_error() -> None:
    """All of them had been marked, one name upon another, as if each were the best."""
    rows = [
        {"metric": metric, "budget": 10, "method": method, "mse": error}
        for metric, errors in {"f1": (0.3, 0.1, 0.1), "recall": (0.2, 0.2, 0.2)}.items()
        for method, error in zip(("1", "0.5", "0"), errors, strict=True)
    ]
    frame = swept(pd.DataFrame(rows))
    assert frame.loc[frame["best"], ["metric", "shrinkage"]].to_numpy().tolist() == [["f1", 0.0]]


def test_divergence_is_nought_for_the_ideal_proposal_and_falls_as_a_tree_learns() -> None:
    pool, labels = digits()
    metric = resolve("f1")
    best = ideal(metric, pool, labels)
    assert kullback_leibler(best, best) == 0
    assert kullback_leibler(best, np.full(pool.size, 1 / pool.size)) > 1
    frame = divergences(
        pool, labels, {n: method_of(n) for n in ("yilmaz-is", "marchant-flat")}, budget=200, repeats=2
    )
    flat = frame[frame["method"] == "marchant-flat"].set_index("labels")["mean"]
    assert flat[200] < flat[0]
    design = method_of("marchant-flat").design
    assert isinstance(design, Adaptive)
    assert flat.index[1] == design.first  # whose last label the first proposal drew
    assert flat[design.first] == flat[0]
    static = frame[frame["method"] == "yilmaz-is"]["mean"].to_numpy()
    assert (static == static[0]).all()
    with pytest.raises(sv.InputError, match="draw by importance"):
        divergences(pool, labels, {"queue": method_of("queue")})


def test_a_divergence_is_not_looked_at_beyond_the_budget_and_begins_before_any_label() -> None:
    frame = divergences(*tiny(), {"tree": method_of("marchant-tree")}, budget=1, repeats=1)
    assert frame["labels"].min() == 0
    assert frame["labels"].max() == 1
    line = divergence(frame).data[-1]
    assert line.x[0] == 1  # a logarithmic axis has no 0
    assert list(line.customdata) == ["0 labels", "1 label"]


def test_the_pointer_tells_labels_whole_and_shares_in_percent() -> None:
    part = simulate(*tiny(), presets=["uniform"], budgets=[5, 20], repeats=2)
    large = comparison(part.assign(labels=[20_000.0, 100_000.0])).data[-1]
    assert list(large.customdata) == ["20,000 labels", "100,000 labels"]
    assert list(comparison(part, fraction=40).data[-1].customdata) == ["12%", "50%"]


def test_no_error_is_written_with_an_exponent() -> None:
    """For prices, the picture had shown 2e+3 while the text said 2,429."""
    part = simulate(*tiny(), presets=["uniform"], budgets=[5, 20], repeats=5)
    for size in (0.001, 1.0, 1000.0):
        figure = comparison(part.assign(rmse=size * part["rmse"]))
        assert "g" not in figure.layout.yaxis.tickformat
        assert "%{y:,.4~r}" in figure.data[-1].hovertemplate
    assert comparison(part.assign(rmse=2000.0)).layout.yaxis.tickformat == ".2~s"


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
    methods = {
        "bs": method_of("yilmaz-bs"),
        "is": method_of("yilmaz-is", design=Importance(draws="equal-cost")),
    }
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


def numbers(n: int) -> tuple[sv.Pool, sv.Labels]:
    rng = np.random.default_rng(3)
    df = pd.DataFrame({"pred": rng.random(n)}).assign(label=lambda d: d["pred"] + rng.normal(size=n))
    pool = sv.Pool.from_frame(df, label="label")
    return pool, sv.Labels.from_frame(df, pool, label="label")


MADE: dict[str, Callable[[int], tuple[sv.Pool, sv.Labels]]] = {
    "binary": binary,
    "multiclass": multiclass,
    "multilabel": multilabel,
    "regression": numbers,
}


@pytest.mark.parametrize(
    ("kind", "metric"),
    [
        ("binary", "f1"),
        ("multiclass", "macro_f1"),
        ("multilabel", "micro_f1"),
        ("multilabel", "exact_match"),  # its loss compares whole rows, also before the first label
        ("regression", "mae"),
    ],
)
def test_labels_of_every_kind_are_simulated_to_the_last_one(kind: str, metric: str) -> None:
    """By every preset that takes them; with the label of each item known nothing is left to be off by."""
    pool, labels = MADE[kind](30)
    assert pool.task.kind == kind
    result = simulate(pool, labels, metric=metric, budgets=[10, 30], repeats=2)
    result = result.set_index(["method", "budget"])
    assert {"recommended", "queue", "uniform"} <= set(result.index.get_level_values("method"))
    exact = result.xs(30, level="budget").drop("yilmaz-is", errors="ignore")  # draws some items again
    np.testing.assert_allclose(exact["rmse"], 0, atol=1e-9)
    assert (result.xs(10, level="budget")["rmse"] > 0).all()
