"""The posterior predictive: its middle, its limits, and a census, prefixes and gaps in studies of `recommended`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

import sampleval as sv
from sampleval.designs import Problem
from sampleval.designs.targeted import model_of
from sampleval.estimators.inference import middles, values_at
from sampleval.estimators.middle import middle
from sampleval.estimators.posterior import PosteriorPredictive, predictive_draws
from sampleval.metrics import resolve
from sampleval.presets import method_of
from sampleval.simulation import simulate
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import replicate
from sampleval.study.conclusions.census import true_value
from sampleval.surrogates import Evidence
from sampleval.surrogates.calibration import Calibration
from tests.pools import calibrated
from tests.surrogates.mixtures import rates_of_the_prior


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("labels", [10, 60])
def test_limits_hold_the_estimate_at_every_level(level: float, labels: int) -> None:
    pool, known = calibrated(seed=2)
    study = sv.create_study(pool, metric="recall", budget=100, seed=1)
    study.answer(known, labels)
    for metric in ("f1", "recall", "accuracy"):
        found = study.estimate(metric, level=level)
        assert found.interval.low <= found.value <= found.interval.high


def test_areas_of_scores_that_tell_classes_apart_are_at_most_1() -> None:
    """Rounding made the area 1.0000000000000004, above its own upper limit."""
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.3
    pool = sv.Pool.from_frame(pd.DataFrame({"score": expit(40 * y - 20 + rng.normal(size=200))}))
    study = sv.create_study(pool, metric="auc", budget=4)
    study.tell_all([(item, int(y[int(item.id)])) for item in study.ask(4)])
    found = study.estimate("auc")
    assert found.value <= found.interval.high <= 1


@pytest.mark.parametrize(
    ("draws", "wanted"),
    [
        ([2.0], 2.0),
        ([3.0] * 5, 3.0),
        ([np.nan, np.nan, 1.0], np.nan),
        ([np.nan, 1.0], np.nan),
        ([np.nan, 1.0, 1.0, 9.0], 1.0),
    ],
)
def test_the_middle_of_few_or_undefined_draws(draws: list[float], wanted: float) -> None:
    assert middle(np.array(draws)) == pytest.approx(wanted, nan_ok=True)


def test_the_middle_moves_with_its_draws(rng: np.random.Generator) -> None:
    draws = rng.gamma(1.0, size=601)
    assert middle(1e9 * draws - 5) == pytest.approx(1e9 * middle(draws) - 5)
    assert middle(draws) < np.median(draws)
    tied = rng.integers(0, 9, size=(200, 40)).astype(float)
    assert [middle(9 - row) for row in tied] == [9 - middle(row) for row in tied]


def test_the_middle_of_a_share_moves_only_if_its_whole_is_very_uncertain(rng: np.random.Generator) -> None:
    """Of what is known within a factor of two or so it is what it is of anything else."""
    known = 60 / (60 + rng.gamma(4.0, 3.0, size=601))
    assert middle(known, of_open=True) == middle(known)
    skewed = np.exp(0.7 * stats.norm.ppf((np.arange(999) + 0.5) / 999))
    # The two shortest halves start apart, but share most draws.
    assert middle(skewed, of_open=True) == middle(skewed)
    open_ = 60 / (60 + np.exp(rng.normal(4.5, 2.0, size=601)))
    assert middle(open_) < 0.2
    assert middle(open_, of_open=True) > 0.6
    assert middle(np.zeros(5), of_open=True) == 0


def test_the_middle_of_what_may_be_negative_is_not_taken_by_its_logarithm() -> None:
    """Under a logarithm, all draws below 0 had counted as equal."""
    gain = replace(resolve("recall"), g=lambda risk: 2 * risk[0] / risk[1] - 1, range=(-1.0, 1.0))
    draws = np.concatenate([np.linspace(-1, -0.1, 300), np.linspace(-0.01, 0.01, 301)])
    scale = np.linspace(0.1, 0.2, 601)
    assert middles(gain, np.column_stack([(draws + 1) / 2 * scale, scale])) == pytest.approx(middle(draws))


def test_mcc_and_kappa_agree_with_recall_where_thousands_may_be_missed() -> None:
    """If every decision is right, MCC² is close to recall, and κ is close to F1."""
    missed, n = np.geomspace(1, 60_000, 999), 1e7
    none, found = np.zeros(999), np.full(999, 60.0)
    table = np.column_stack([n - found - missed, found, missed, none, none, missed, np.full(999, n)]) / n
    recall = middle(found / (found + missed), of_open=True)
    assert middles(resolve("mcc"), table)[0] == pytest.approx(np.sqrt(recall), abs=0.01)
    assert middles(resolve("kappa"), table)[0] == pytest.approx(2 * recall / (1 + recall), abs=0.02)
    assert middle(-found) == middle(-found, of_open=True) == -60


def test_recall_agrees_with_the_counts_of_found_and_missed_positives() -> None:
    """Of 60,000 record pairs recall was said to be .2 to .3, next to 10 missed of 60: many may be, but few are likely."""
    rng, n = np.random.default_rng(1), 60_000
    truth = rng.random(n) < 0.0015
    match, alike = ((6.0, 1.2), (5.0, 1.5), (3.0, 2.0)), ((5.0, 1.5), (4.0, 2.0), (2.0, 2.0))
    likeness = np.column_stack([np.where(truth, rng.beta(a, b, n), rng.beta(1.2, 6, n)) for a, b in match])
    near = ~truth & (rng.random(n) < 0.005)
    likeness[near] = np.column_stack([rng.beta(a, b, near.sum()) for a, b in alike])
    taught = np.r_[np.flatnonzero(truth)[:30], np.flatnonzero(~truth)[:300]]
    model = LogisticRegression().fit(likeness[taught], truth[taught])
    rest = np.setdiff1d(np.arange(n), taught)
    frame = pd.DataFrame(
        {"score": model.predict_proba(likeness[rest])[:, 1], "label": truth[rest].astype(int)}
    )
    pool = sv.Pool.from_frame(frame, score="score", label="label", fields=[])
    known = sv.Labels.from_frame(frame, pool, label="label")
    for seed in range(3):
        study = sv.create_study(pool, metric="f1", budget=200, seed=seed)
        study.answer(known, 200)
        recall, missed, positives, balanced, specificity = (
            study.estimate(name).value
            for name in ("recall", "missed_positives", "positives", "balanced_accuracy", "specificity")
        )
        assert recall == pytest.approx(1 - missed / positives, abs=0.1)
        assert balanced == pytest.approx((recall + specificity) / 2)


@pytest.mark.parametrize("systems", [1, 2, 3])
@pytest.mark.parametrize("name", ["brier", "auc", "f1"])
def test_unlabelled_items_of_a_cell_are_positive_as_their_systems_and_their_draw_say(
    name: str, systems: int
) -> None:
    """Each item by itself, at the rate r + r (1 − r) β·(t − t̄) that its cell's draw gives it."""
    rng = np.random.default_rng(3)
    odds = rng.normal(-1, 1.5, 400)[:, None] + rng.normal(size=(400, systems))
    names = list("abc")[:systems]
    df = pd.DataFrame(expit(odds), columns=names)
    df["label"] = (rng.random(400) < df["a"]).astype(int)
    outputs = {own: {"score": own} for own in names}
    pool = sv.Pool.from_frame(df, system=outputs, label="label", task="binary")
    metric = resolve(f"{name}[b - a]" if systems > 1 else name)
    problem = Problem(pool, {metric: 1.0}, Calibration())
    index = rng.permutation(400)[:150]
    evidence = Evidence(index, df["label"].to_numpy()[index], np.ones(150))
    model, rest = model_of(problem), np.setdiff1d(np.arange(400), index)
    left = np.bincount(model.cells.code[rest], minlength=len(model.cells))
    draws = predictive_draws(model.cells, model.posterior(evidence), tuple(left.tolist()))
    negative, positive = (metric.loss(pool.items, np.full(400, y)) for y in (0, 1))
    known = np.where(df["label"].to_numpy()[index, None] == 1, positive[index], negative[index]).sum(axis=0)
    code, apart = model.cells.code[rest], model.cells.apart[rest]
    apart = apart - (model.cells.total(apart, rest) / np.maximum(left, 1)[:, None])[code]
    for found, drawn in zip(PosteriorPredictive().predict(metric, problem, evidence), draws, strict=True):
        for j in (0, 300, 599):
            share = (drawn.totals[j] / np.maximum(left, 1))[code]
            rate = share + share * (1 - share) * (apart @ drawn.tilt[j])
            risk = known + negative[rest].sum(axis=0) + rate @ (positive - negative)[rest]
            np.testing.assert_allclose(found[j], risk / 400, atol=1e-12)
    if systems > 1 and name != "f1":
        assert np.abs(drawn.tilt).mean() > 0.1
        assert np.abs(rate - share).max() > 0.01


def answered(study: sv.Study, labels: sv.Labels) -> sv.Study:
    study.answer(labels, 10**6)
    return study


@pytest.mark.parametrize("metric", ["f1", "accuracy", "recall", "precision", "brier", "mcc"])
def test_a_census_is_exact(metric: str) -> None:
    pool, labels = calibrated(60)
    study = answered(sv.create_study(pool, metric=metric, budget=60, preset="recommended"), labels)
    estimate = study.estimate()
    assert estimate.interval.width == 0
    assert estimate.value == pytest.approx(true_value(sv.metrics.resolve(metric), pool, labels))


def test_the_budget_is_a_hard_cap_and_can_be_extended() -> None:
    pool, labels = calibrated()
    study = answered(sv.create_study(pool, metric="f1", budget=37, preset="recommended"), labels)
    assert study.labels == 37
    study.extend(10)
    answered(study, labels)
    assert study.labels == 47


def test_every_prefix_is_usable_and_says_the_same_when_asked_again() -> None:
    pool, labels = calibrated()
    study = answered(sv.create_study(pool, metric="f1", budget=60, preset="recommended"), labels)
    for k in (1, 7, 23, 60):
        first, again = study.estimate(labels=k), study.estimate(labels=k)
        assert first == again
        assert 0 <= first.interval.low <= first.interval.high <= 1


def test_intervals_grow_with_their_level_and_keep_the_posterior_s_name() -> None:
    pool, labels = calibrated()
    study = answered(sv.create_study(pool, metric="f1", budget=80, preset="recommended"), labels)
    narrow, wide = study.estimate(level=0.5).interval, study.estimate(level=0.95).interval
    assert wide.low < narrow.low < narrow.high < wide.high
    assert narrow.method == "posterior"
    assert study.estimate(interval="korn-graubard").interval.method == "korn-graubard"


def test_unanswered_items_widen_the_interval() -> None:
    pool, labels = calibrated()
    whole = sv.create_study(pool, metric="f1", budget=60, preset="recommended", seed=2)
    part = sv.create_study(pool, metric="f1", budget=60, preset="recommended", seed=2)
    answered(whole, labels)
    while items := part.ask(60):
        for item in items:
            at = pool.position(item.id)
            part.tell(item.id, sv.SKIP if item.place % 4 == 0 else int(labels.of(np.array([at]))[0]))
    assert part.estimate().interval.width > whole.estimate().interval.width
    assert "without an answer" in part.estimate().note


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.4, 1.0, 2.5])
def test_error_beats_the_queue_and_coverage_holds_where_scores_mislead(scale: float) -> None:
    """Scores whose log-odds are too timid, right, or too bold."""
    rng = np.random.default_rng(11)
    truth = -2 + 2 * rng.normal(size=6000)
    df = pd.DataFrame(
        {
            "id": range(6000),
            "score": expit(-2 + scale * (truth + 2)),
            "label": (rng.random(6000) < expit(truth)).astype(int),
        }
    )
    pool = sv.Pool.from_frame(df, id="id", score="score", label="label")
    result = simulate(
        pool,
        sv.Labels.from_frame(df, pool, label="label"),
        presets=["recommended", "queue"],
        budgets=[100, 300],
        repeats=200,
        jobs=2,
    )
    ours, theirs = (result[result["method"] == name] for name in ("recommended", "queue"))
    assert ours["mse"].sum() < theirs["mse"].sum()
    assert (ours["coverage"] > stats.binom.ppf(1e-6, 200, 0.87) / 200).all()


@pytest.mark.slow
def test_values_from_the_prior_lie_anywhere_among_their_posterior_s_draws() -> None:
    """Simulation-based calibration (Talts et al., 2018): whichever items the labels so far chose, ranks are uniform."""
    rng = np.random.default_rng(12)
    score = expit(-5 + 2.5 * rng.normal(size=1500))
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}), fields=[])
    metrics = [resolve(name) for name in ("f1", "recall", "precision", "accuracy")]
    method = method_of("recommended", kind="binary")
    problem = Problem(pool, {metrics[0]: 1.0}, method.surrogate)
    ranks: dict[tuple[int, str], list[float]] = defaultdict(list)
    model = model_of(problem)
    for seed in range(250):
        label = rng.random(1500) < rates_of_the_prior(model.mixture, rng)[model.cells.code]
        oracle = Known(replace(calibrated(1500)[1], values=label.astype(np.int8)))
        study = replicate(problem.reseeded(seed), method, oracle, 120)
        for labels in (20, 60, 120):
            run = study.run(labels)
            assert run is not None
            for metric in metrics:
                value = metric.value(oracle.risk(metric, pool))[0]
                draws = values_at(metric, PosteriorPredictive().predict(metric, run.problem, run.known)[0])
                draws = draws[np.isfinite(draws)]
                if np.isfinite(value) and len(draws):
                    ranks[labels, metric.name].append(
                        rng.uniform((draws < value).mean(), (draws <= value).mean())
                    )
    for at, found in ranks.items():
        assert stats.kstest(found, "uniform").pvalue > 1e-5, at
        assert stats.binomtest(sum(0.05 < u < 0.95 for u in found), len(found), 0.9).pvalue > 1e-5, at
