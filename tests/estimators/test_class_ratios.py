"""The bias of a ratio is foreseen, and no ratio varies more than it can."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import report
from sampleval.designs import Draws, Inclusions
from sampleval.designs.problem import profile
from sampleval.estimators import (
    HorvitzThompson,
    ImportanceSampling,
    Spread,
    class_ratios,
    infer,
    weighted_mean,
    weights,
)
from sampleval.estimators.class_ratios import bounded_slope, by_class, ratio_bias, weight_bias
from sampleval.metrics import METRICS, Counts, Metric, minus, within
from sampleval.pool import Floats
from sampleval.surrogates import predicted_risk
from tests.pools import multiclass
from tests.reference import poisson_samples


def test_the_bias_of_a_ratio_is_mostly_foreseen() -> None:
    """Eight items of a class, of which the missed ones are seldom drawn: recall over all 256 samples is .013 too high."""
    found, b = np.repeat([1.0, 0.0], [5, 3]), np.repeat([0.95, 0.7], [5, 3])
    recall = METRICS["macro_recall"].counts.mean_of
    assert recall is not None
    loss = np.column_stack(
        [found, np.zeros(8), 1 - found, np.ones(8)]
    )  # true and false positives, misses, items
    plain, mended = 0.0, 0.0
    for rows, p in poisson_samples(b):
        if len(rows):
            sample = Inclusions(np.arange(len(rows)), b[rows], 8)
            risk = weighted_mean(HorvitzThompson(), sample, loss[rows])
            spread = HorvitzThompson().spread(sample, loss[rows], risk)
            plain += p * recall.value(risk)[0]
            mended += p * (recall.value(risk) - by_class(recall, risk, spread))[0]
    assert plain - 5 / 8 == pytest.approx(0.013, abs=0.002)
    assert abs(mended - 5 / 8) < 0.25 * (plain - 5 / 8)


def test_a_class_that_no_item_is_of_leaves_the_others_their_bias() -> None:
    recall = METRICS["macro_recall"].counts.mean_of
    assert recall is not None
    risk, factor = np.array([0.1, 0.0, 0.05, 0.0, 0.02, 0.0, 1.0]), np.zeros((2, 7))
    factor[:, [0, 4]] = [[0.01, 0.02], [0.03, -0.01]]  # of found and missed items of the first class
    both = by_class(recall, risk, Spread(factor, np.zeros(7)))
    alone = by_class(recall, risk[[0, 2, 4, 6]], Spread(factor[:, [0, 2, 4, 6]], np.zeros(4)))
    assert both.tolist() == [alone[0], 0.0]
    assert alone[0] != 0


def test_no_bias_is_known_of_what_does_not_tell_its_wholes() -> None:
    recall = METRICS["macro_recall"].counts.mean_of
    assert recall is not None
    risk, spread = np.array([0.05, 0.0, 0.05, 1.0]), Spread(np.array([[0.01, 0.0, 0.02, 0.0]]), np.zeros(4))
    assert (
        by_class(replace(recall, counts=Counts()), risk, spread).tolist()
        == [0.0]
        != by_class(recall, risk, spread)
    )


def test_the_bias_is_that_of_the_covariance_also_where_draws_are_repeated() -> None:
    """Rows drawn 6, 1, 3 and 1 times: the covariance of R̂ is not that of factors centred row by row."""
    loss = np.array([[1.0, 0, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1]])
    q = np.array([0.2, 0.05, 0.1, 0.1])
    recall, drawn = METRICS["macro_recall"].counts.mean_of, np.repeat(np.arange(4), [6, 1, 3, 1])
    assert recall is not None
    sample = Draws.of(drawn, q[drawn], 8)
    risk = weighted_mean(ImportanceSampling(), sample, loss)
    spread = ImportanceSampling().spread(sample, loss, risk)
    whole = np.array([1.0, 0, 1, 0])  # found and missed
    positives, variance = risk @ whole, whole @ spread.covariance @ whole
    expected = -recall.gradient(risk) @ spread.covariance @ whole * positives / (positives**2 + variance)
    np.testing.assert_allclose(by_class(recall, risk, spread), expected)


@pytest.mark.parametrize(("items", "mended"), [(0.1, 1.0), (-0.1, 0.0)])
def test_a_bias_larger_than_the_range_leaves_the_end_of_it(items: float, mended: float) -> None:
    """Found and missed items vary against each other by far more than there are: the bias would be 25 times the range."""
    recall = METRICS["macro_recall"].counts.mean_of
    assert recall is not None
    risk = np.array([0.05, 0.0, 0.05, 1.0])  # found, mistaken, missed, items
    factor = np.array([[5 + items / 2, 0.0, items / 2 - 5, 0.0]])
    bias = by_class(recall, risk, Spread(factor, np.zeros(4)))
    assert recall.value(risk) - bias == pytest.approx(mended)


@pytest.mark.parametrize("found", [0.12, -0.02])
def test_a_value_out_of_its_range_has_its_own_bias_and_is_not_moved_to_the_end(found: float) -> None:
    """A mean over classes takes values such as 1.2 and −.2 as they are: moved to 1 and 0, it would be biased itself."""
    recall = METRICS["macro_recall"].counts.mean_of
    assert recall is not None
    risk = np.array([found, 0.0, 0.1 - found, 1.0])  # found, mistaken, missed, items
    spread, whole = Spread(np.array([[0.01, 0.0, 0.02, 0.0]]), np.zeros(4)), np.array([1.0, 0, 1, 0])
    covariance, variance = (
        recall.gradient(risk) @ spread.covariance @ whole,
        whole @ spread.covariance @ whole,
    )
    expected = -covariance * 0.1 / (0.1**2 + variance)
    assert by_class(recall, risk, spread) == pytest.approx(expected)
    assert 0 < abs(expected[0]) < 0.2


def test_no_ratio_of_a_mean_varies_more_than_it_can() -> None:
    """Two of a hundred items are left of the first class, and R̂ of its hits has a standard deviation of ten."""
    recall, f1 = METRICS["macro_recall"], METRICS["macro_f1_of_means"]
    risk = np.array([0.01, 0.2, 0.3, 0.1, 0.1, 0.1, 0.01, 0.05, 0.13, 1.0])
    factor = np.zeros((2, 10))
    factor[0, 0], factor[1, [1, 7]] = 0.1, [0.01, -0.02]
    spread = Spread(factor, np.zeros(10))
    slope = bounded_slope(recall, risk, spread)[0]
    assert slope[0] * 0.1 == pytest.approx(1 / 2 / 3)
    np.testing.assert_allclose(slope[[1, 2, 7, 8]], recall.gradient(risk)[0, [1, 2, 7, 8]])
    both = bounded_slope(minus(recall, f1), np.tile(risk, 2), Spread(np.hstack([factor] * 2), np.zeros(20)))[
        0
    ]
    np.testing.assert_allclose(both, np.append(slope, -bounded_slope(f1, risk, spread)[0]))
    assert abs(both[10]) < 0.5 * f1.gradient(risk)[0, 0]
    precision = METRICS["macro_precision"]  # whose estimates may leave the range
    assert bounded_slope(precision, risk, spread).tolist() == precision.gradient(risk).tolist()
    steady = Spread(0.01 * factor, np.zeros(10))
    assert bounded_slope(recall, risk, steady).tolist() == recall.gradient(risk).tolist()


def test_a_class_without_a_ratio_counts_neither_for_the_bias_of_a_mean_nor_for_its_slope() -> None:
    recall, rng = METRICS["macro_recall"], np.random.default_rng(1)
    two = np.array([[0.01, 0.2], [0.1, 0.1], [0.01, 0.05]])  # hits, false alarms and misses of two classes
    factor = 0.1 * rng.normal(size=(9, 3, 2))

    def found(risk: Floats, factor: Floats) -> tuple[float, Floats]:
        risk, factor = np.append(risk.ravel(), 1.0), np.pad(factor.reshape(9, -1), ((0, 0), (0, 1)))
        spread = Spread(factor, np.zeros(len(risk)))
        return ratio_bias(recall, risk, spread), bounded_slope(recall, risk, spread)[0]

    alone = found(two, factor)
    beside = found(np.pad(two, ((0, 0), (0, 1))), np.pad(factor, ((0, 0), (0, 0), (0, 1))))
    assert beside[0] == pytest.approx(alone[0])
    np.testing.assert_allclose(np.delete(beside[1], [2, 5, 8]), alone[1])
    assert not beside[1][[2, 5, 8]].any()


def test_half_of_what_unequal_weights_seem_to_add_is_subtracted_and_half_is_doubted() -> None:
    pool, known = multiclass(300)
    study = sv.create_study(pool, metric="macro_f1", budget=40, seed=1, preset="queue")
    study.answer(known, 40)
    run, recall = study.run(), METRICS["macro_recall"]
    assert run is not None
    assert isinstance(run.sample, Inclusions)
    found, weight = infer(recall, run, HorvitzThompson()), weights(run, HorvitzThompson())
    added = weight_bias(recall, run, found.risk, weight)
    assert found.residuals is not None
    spread = HorvitzThompson().spread(run.sample, found.residuals.rest, found.risk)
    plain = found.residuals.covariance(bounded_slope(recall, found.risk, spread))
    assert abs(added) > 0.0001
    assert found.spread.variance == pytest.approx(plain.variance + added**2 / 4)
    value = recall.value(found.risk) - ratio_bias(recall, found.risk, spread) - added / 2
    assert found.value == pytest.approx(value)
    assert weight_bias(recall, run, found.risk, np.full(40, 7.5)) == 0
    both = minus(recall, METRICS["macro_f1"])
    own = weight_bias(METRICS["macro_f1"], run, found.risk, weight)
    assert weight_bias(both, run, np.tile(found.risk, 2), weight) == pytest.approx(added - own)
    assert weight_bias(METRICS["macro_precision"], run, found.risk, weight) == 0


@pytest.mark.parametrize("scored", [True, False])
def test_a_model_assisted_mean_of_mere_decisions_is_corrected_for_unequal_weights(scored: bool) -> None:
    """With scores its predictions tell of missed items: of 60 classes decided without, macro recall was .17 too high at 200 labels."""
    rng = np.random.default_rng(9)
    score, names = rng.dirichlet(np.full(4, 0.4), 300), list("abcd")
    frame = pd.DataFrame(score, columns=names)
    frame["label"] = [rng.choice(names, p=row) for row in score]
    if not scored:
        frame = pd.DataFrame({"pred": frame[names].idxmax(axis=1), "label": frame["label"]})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="macro_f1", budget=80, seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 80)
    run = study.run()
    assert run is not None
    found = infer(METRICS["macro_recall"], run, study.method.estimator)
    assert found.residuals is not None
    _, _, doubt = found.residuals.of_classes(found.risk)
    assert (doubt > 0) != scored
    assert ("one for unequal weights" in report.methods(study, study.estimate())) != scored


def seeming(pool: sv.Pool, known: sv.Labels, metric: Metric, budget: int, **options: Any) -> float:
    """What unequal weights seem to add to a metric in a study of macro recall."""
    study = sv.create_study(pool, metric="macro_recall", budget=budget, seed=1, preset="queue", **options)
    study.answer(known, budget)
    run = study.run()
    assert run is not None
    risk = infer(metric, run, HorvitzThompson()).risk
    return weight_bias(metric, run, risk, weights(run, HorvitzThompson()))


def test_labels_held_beforehand_are_not_drawn_towards_what_scores_expect() -> None:
    """Most items that are decided for half of the classes are held: as if the others were like them, .01 of bias was seen."""
    pool, known = multiclass(1000, 10)
    held = [k for k in range(1000) if k % 10 and pool.pred[k] < 5]
    mine = {pool.ids[k]: known.by_id(pool)[pool.ids[k]] for k in held}
    assert abs(seeming(pool, known, METRICS["macro_recall"], 60, held=mine)) < 0.002


def test_metrics_that_count_alike_ask_the_scores_once_in_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, known = multiclass(300)
    study = sv.create_study(pool, metric="macro_f1", budget=40, seed=1, preset="queue")
    study.answer(known, 30)
    asked = Mock(wraps=predicted_risk)
    monkeypatch.setattr(class_ratios, "predicted_risk", asked)
    part = within(METRICS["macro_recall"], np.arange(300) < 100, "first")
    each_time = (
        (METRICS["macro_f1"], 2),
        (METRICS["macro_recall"], 2),
        (part, 4),
    )  # of the pool, and of the answers
    for metric, times in each_time:
        study.estimate(metric)
        assert asked.call_count == times
    study.answer(known, 10)
    study.estimate(part)
    assert asked.call_count == 6


def test_a_small_part_of_a_large_pool_is_judged_by_all_of_its_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 25,000 items 2,000 stood for all, and so 80 for the 1,000 of a part: .044 of bias for .034."""
    pool, known = multiclass(25_000, 10)
    part = within(METRICS["macro_recall"], np.arange(25_000) < 1000, "first")
    found = seeming(pool, known, part, 300)
    monkeypatch.setattr(profile, "EXACT", 25_000)
    assert found == pytest.approx(seeming(pool, known, part, 300))
    assert found > 0.03
