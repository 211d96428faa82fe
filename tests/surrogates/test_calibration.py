"""The calibration curve against brute force, and what labels and decisions tell of it."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike
from scipy import integrate, stats
from scipy.special import betaln, expit, logit

import sampleval as sv
from sampleval.pool import Floats, System
from sampleval.simulation import simulate
from sampleval.surrogates import Evidence
from sampleval.surrogates.calibration import Calibration, Posterior, ScoreCells
from sampleval.surrogates.calibration.averages import averaged
from sampleval.surrogates.calibration.decisions import boundary, decided, excess, turn
from sampleval.surrogates.calibration.posterior import _likelihood, _shares, posterior, systematic_rows
from sampleval.surrogates.calibration.prior import Leaning, Prior, _smooth, mixture, readings, scarce
from sampleval.surrogates.calibration.score_cells import _sides, score_cells
from sampleval.surrogates.probabilities import claimed, inside
from sampleval.surrogates.together import names_together
from tests.pools import calibrated
from tests.surrogates.mixtures import flat, rates_of_the_prior


def cells_of(score: Floats, flagged: ArrayLike, *others: tuple[Floats, ArrayLike]) -> ScoreCells:
    """The cells of one system's scores and decisions, or of several."""
    told = enumerate([(score, flagged), *others])
    return score_cells([System(str(k), s, np.asarray(f, np.int8), np.empty(0)) for k, (s, f) in told])


@pytest.mark.parametrize("sigma", [0.3, 2.0])
@pytest.mark.parametrize(("found", "labelled"), [(0, 0), (0, 12), (3, 8), (40, 50)])
def test_posterior_of_one_cell_equals_the_integral(found: int, labelled: int, sigma: float) -> None:
    tau = 1.0

    def weight(z: float) -> tuple[float, float]:
        rate = float(expit(-1 + tau * z))
        size = 1 / (sigma**2 * rate * (1 - rate)) + 1
        a, b = rate * size, (1 - rate) * size
        log = betaln(a + found, b + labelled - found) - betaln(a, b)
        return float(np.exp(log) * stats.norm.pdf(z)), (a + found) / (size + labelled)

    total = integrate.quad(lambda z: weight(z)[0], -8, 8)[0]
    mean = integrate.quad(lambda z: weight(z)[0] * weight(z)[1], -8, 8)[0] / total
    belief = posterior(flat(tau, sigma, tau), np.array([float(found)]), np.array([float(labelled)]))
    assert belief.mean[0] == pytest.approx(mean, abs=0.0005)


def test_posterior_moments_agree_with_its_own_draws(rng: np.random.Generator) -> None:
    pool, labels = calibrated()
    model = Calibration().model(pool)
    index = np.arange(60)
    belief = model.posterior(Evidence(index, labels.of(index), np.ones(60)))
    left = model.cells.count - model.cells.tally(index).astype(int)
    rates = belief.predicted(left, 20_000, rng, belief.weight).totals / np.maximum(left, 1)
    seen = left > 5
    np.testing.assert_allclose(rates.mean(axis=0)[seen], belief.mean[seen], atol=0.02)


def doubted(mistrust: list[float], weight: list[float], feared: list[float], labels: float) -> Posterior:
    """A posterior with these degrees of mistrust and random rates of three cells."""
    rng, size = np.random.default_rng(4), (len(mistrust), 3)
    a, b = rng.gamma(2.0, size=size), rng.gamma(3.0, size=size)
    labelled = np.array([labels, 0.0, 0.0])
    return Posterior(
        np.array(weight), np.array(mistrust), np.array(feared), a, b, labelled, np.zeros(3), np.empty((3, 0))
    )


def test_rates_covary_as_draws_of_them_listed_one_by_one() -> None:
    belief = doubted([0.2, 1.0, 2.0], [0.5, 0.3, 0.2], [1.0, 1.0, 1.0], 0.0)
    weight = np.array([0.2, 0.1, 0.7])
    rates = [stats.beta(a, b) for a, b in zip(belief.a, belief.b, strict=True)]
    mean = sum(w * rate.mean() for w, rate in zip(weight, rates, strict=True))
    square = sum(
        w * (np.outer(rate.mean(), rate.mean()) + np.diag(rate.var()))
        for w, rate in zip(weight, rates, strict=True)
    )
    np.testing.assert_allclose(belief.covariance(weight), square - np.outer(mean, mean))


@pytest.mark.parametrize(
    ("mistrust", "labels", "least"),
    [
        ([0.2, 0.5, 1.0, 2.0, 4.0], 0.0, 0.3),
        ([0.2, 0.5, 1.0, 2.0, 4.0], 30.0, 0.3),
        ([0.2, 0.5, 1.0, 2.0, 4.0], 60.0, 0.2),
        ([0.2, 0.5, 1.0, 1.0, 1.0], 60.0, 0.0),  # no draw mistrusts the scores so much
        ([0.2, 0.5, 1.0, 1.0, 1.0], 0.0, 0.0),
        ([2.0, 2.0, 1.0, 2.0, 4.0], 60.0, 0.8),  # they do so anyway
    ],
)
def test_scepticism_gives_mistrust_a_least_share_which_falls_with_the_labels(
    mistrust: list[float], labels: float, least: float
) -> None:
    belief = doubted(mistrust, [0.6, 0.2, 0.1, 0.06, 0.04], [1.0, 1.0, 1.0, 1.0, 3.0], labels)
    before = belief.weight.copy()
    sceptical, wary = belief.sceptical, belief.wary
    np.testing.assert_array_equal(belief.weight, before)
    for weight, factor in ((sceptical, 1.0), (wary, belief.feared)):
        assert weight.sum() == pytest.approx(1)
        assert weight[belief.mistrust >= 2].sum() >= least - 1e-9
        assert weight[belief.mistrust >= 1].sum() >= min(0.2 * (1 + 60 / max(labels, 30)), 0.5) - 1e-9
        ratio = weight / (before * factor)
        for degree in np.digitize(belief.mistrust, [1, 2]):
            alike = ratio[np.digitize(belief.mistrust, [1, 2]) == degree]
            np.testing.assert_allclose(alike, alike[0])
    if not least:
        assert sceptical[belief.mistrust >= 1].sum() == pytest.approx(
            min(0.2 * (1 + 60 / max(labels, 30)), 0.5)
        )
    elif least < 0.8:
        assert sceptical[belief.mistrust >= 2].sum() == pytest.approx(least)


def test_a_systematic_sample_has_each_row_as_often_as_its_weight_says_whatever_its_start() -> None:
    weight, starts = np.array([0.05, 0.6, 0.0, 0.35]), (np.arange(200) + 0.5) / 200
    counts = np.array([np.bincount(systematic_rows(weight, 7, start), minlength=4) for start in starts])
    assert (np.abs(counts - 7 * weight) < 1).all()
    np.testing.assert_allclose(counts.mean(axis=0), 7 * weight, atol=0.01)


def test_few_draws_are_kept_for_mistrust_that_labels_speak_against() -> None:
    score = np.repeat(np.linspace(0.05, 0.95, 19), 100)
    made = cells_of(score, score > 0.5)
    labelled = np.full(len(made), 90.0)
    belief = posterior(mixture(made, Prior()), labelled * made.score, labelled)
    assert belief.weight[belief.mistrust >= 1].sum() < 0.5
    for degree in (1.0, 2.0):
        assert np.count_nonzero(belief.mistrust == degree) >= 20


def test_many_labels_overrule_the_scores() -> None:
    """Scores that say 90 % where 10 % are positive."""
    score = np.repeat([0.05, 0.9], 500)
    made = cells_of(score, score > 0.5)
    belief = posterior(mixture(made, Prior()), np.array([10.0, 40.0]), np.array([200.0, 400.0]))
    np.testing.assert_allclose(belief.mean, [0.05, 0.1], atol=0.02)


@pytest.mark.parametrize(
    "score", [[0.5], [0.0, 1.0], [0.2] * 30, [0.0] * 50 + [1.0], list(np.linspace(0, 1, 300))]
)
def test_cells_cover_the_pool_whatever_its_scores(score: list[float]) -> None:
    values = np.array(score)
    made = cells_of(values, values >= 0.5)
    assert made.count.sum() == len(values)
    assert (made.count > 0).all()
    assert (np.diff(made.code[np.argsort(values, kind="stable")]) >= 0).all()
    assert np.isfinite(mixture(made, Prior()).offset).all()


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ([0.0, 0.1, 0.5, 0.9, 1.0], [0.05, 0.1, 0.5, 0.9, 0.95]),
        ([0.0, 0.0, 0.3], [0.15, 0.15, 0.3]),
        ([0.0, 1.0], [0.1, 0.9]),  # decisions, of which a tenth is wrong
        (
            [0.0, 0.0, 0.0, 0.0, 1.0],
            [0.025, 0.025, 0.025, 0.025, 0.9],
        ),  # and a tenth of what they seek missed
        (
            [0.0, 1.0, 1.0, 1.0, 1.0],
            [0.1, 0.9, 0.9, 0.9, 0.9],
        ),  # but never more than a tenth of those passed over
        ([0.0, 0.0], [0.05, 0.05]),
        ([1.0, 1.0], [0.9, 0.9]),
        ([0.2, 0.7], [0.2, 0.7]),
    ],
)
def test_scores_of_exactly_0_and_1_move_half_way_to_the_nearest_score(
    told: list[float], meant: list[float]
) -> None:
    np.testing.assert_allclose(inside(np.array(told)), meant)
    np.testing.assert_allclose(cells_of(np.array(told), np.array(told) >= 0.5).score, sorted(set(meant)))


def test_each_label_of_a_set_claims_by_its_own_scores_and_classes_together() -> None:
    told = {"a": [0.0, 1e-9, 0.5, 0.9], "b": [0.0, 0.0, 0.0, 1.0], "c": [0.0, 0.0, 0.0, 0.0]}
    meant = np.array([[5e-10, 1e-9, 0.5, 0.9], [0.1 / 3, 0.1 / 3, 0.1 / 3, 0.9], [0.025] * 4]).T
    columns = {name: name for name in told}
    pool = sv.Pool.from_frame(pd.DataFrame(told), score=columns, task="multilabel")
    np.testing.assert_allclose(claimed(pool.task, pool.systems[0]), meant)
    one_hot = pd.DataFrame(np.eye(3), columns=list("abc"))
    pool = sv.Pool.from_frame(one_hot, score=columns, task="multiclass")
    np.testing.assert_allclose(claimed(pool.task, pool.systems[0]), np.where(np.eye(3) > 0, 0.9, 0.05))


def test_scores_that_left_the_numbers_have_log_odds_too() -> None:
    edge = np.array([[0.0, 5e-324, np.nextafter(1, 0)], [1.0, 0.5, 0.0]])
    assert np.isfinite(logit(inside(edge))).all()
    assert np.isfinite(cells_of(edge.ravel(), edge.ravel() >= 0.5).raw).all()


def test_what_no_score_gives_away_is_feared_until_labels_rule_it_out() -> None:
    """Sceptical curves let positives hide among many sure negatives until enough of these are labelled."""
    score = np.concatenate([np.full(5000, 1e-6), np.full(50, 0.95)])
    made = cells_of(score, score > 0.5)
    bulk, prior = made.score.argmin(), mixture(made, Prior())
    high = np.array([0.0, 20.0]) if bulk == 0 else np.array([20.0, 0.0])

    def hidden(labels: float) -> tuple[float, float]:
        labelled = high.copy()
        labelled[bulk] = labels
        belief = posterior(prior, high, labelled)
        believed, feared = (w @ belief.within[:, bulk] for w in (belief.weight, belief.wary))
        return float(believed * 5000), float(feared * 5000)

    early, late = hidden(20.0), hidden(2000.0)
    assert early[1] > 2 * early[0]
    assert late[1] < early[1] / 3


def test_the_likelihood_is_exact_where_rates_are_next_to_nothing() -> None:
    """Against the product of the Pólya urn's chances; Gamma functions of 1e14 are whole numbers apart."""
    a, b, x, n = np.array([[100.0, 0.3]]), np.array([[1e14, 0.7]]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    urn = sum(
        np.log(np.arange(p, p + k)).sum()
        + np.log(np.arange(q, q + m)).sum()
        - np.log(np.arange(t, t + k + m)).sum()
        for p, q, t, k, m in zip(a[0], b[0], (a + b)[0], (1, 2), (2, 2), strict=True)
    )
    assert _likelihood(a, b, x, n)[0] == pytest.approx(urn, abs=1e-6)


def test_a_leaning_bounds_extreme_scores_by_what_is_missed_and_mistaken() -> None:
    odds = np.array([-40.0, 0.0, 40.0])
    kept = Leaning(1.0, steeper=0.0).log_odds(odds, np.zeros(3), 0.1)
    np.testing.assert_allclose(kept, odds)
    bounded = expit(Leaning(1.0, missed=0.5, mistaken=0.02).log_odds(odds, np.zeros(3), 0.1))
    np.testing.assert_allclose(bounded, [0.05, 0.05 + 0.93 / 2, 0.98], atol=1e-9)


def test_what_is_thought_of_scores_does_not_hang_on_which_class_is_called_positive() -> None:
    """Of nine positives in ten most lay in the steep tail of the rarer class, which had them too pure: F1 held in .7."""
    score = np.repeat(np.append(np.linspace(0.02, 0.38, 10), 0.6), 40)
    rare, many = cells_of(score, score > 0.5), cells_of(1 - score, score <= 0.5)
    here, there = mixture(rare, Prior()), mixture(many, Prior())
    np.testing.assert_allclose(there.offset[:, ::-1], -here.offset, atol=1e-9)
    covariance = [np.einsum("lkd,lmd->lkm", each.features, each.features) for each in (here, there)]
    np.testing.assert_allclose(covariance[1][:, ::-1, ::-1], covariance[0], atol=1e-3)


def unlevelled(slope: float, shift: float, n: int = 20_000) -> tuple[sv.Pool, sv.Labels]:
    """One item in 200 is positive; decisions flag as many, but the scores rank and mean nothing in level."""
    rng = np.random.default_rng(4)
    odds = np.concatenate([rng.normal(-9, 1.2, n - n // 200), rng.normal(1, 3, n // 200)])
    df = pd.DataFrame(
        {
            "id": np.arange(n),
            "score": expit(slope * odds + shift),
            "pred": (odds > -1).astype(int),
            "label": (np.arange(n) >= n - n // 200).astype(int),
        }
    ).sample(frac=1, random_state=0)
    pool = sv.Pool.from_frame(df, id="id", score="score", pred="pred", label="label")
    return pool, sv.Labels.from_frame(df, pool, label="label")


@pytest.mark.parametrize("much", [False, True])
@pytest.mark.parametrize("many", [False, True])
def test_negatives_are_the_rarer_class_if_both_scores_and_decisions_say_so(much: bool, many: bool) -> None:
    score = np.linspace(0.5, 0.95, 50) if much else np.linspace(0.05, 0.5, 50)
    flagged = np.arange(50) >= (10 if many else 40)
    assert scarce(cells_of(score, flagged)) == (-1 if much and many else 1)


@pytest.mark.parametrize("decided_as", [0, 1])
def test_decisions_that_are_all_alike_gainsay_no_score(decided_as: int) -> None:
    assert excess(cells_of(np.linspace(0.3, 0.99, 40), np.full(40, decided_as))) == 0


def test_scores_within_a_narrow_range_may_bend_as_far_as_those_of_a_wide_one() -> None:
    wide, narrow = (_smooth(reach * np.linspace(-3.0, 3.0, 40), Prior()) for reach in (1.0, 0.05))
    np.testing.assert_allclose(narrow, wide, atol=1e-9)


def test_the_decisions_tell_the_level_of_scores_that_claim_too_much() -> None:
    pool, _ = unlevelled(0.1, 0.5)
    made = cells_of(pool.score, pool.pred)
    predicted = pool.pred.sum()
    assert pool.score.sum() > 50 * predicted
    assert 0.8 < excess(made) <= 1.0
    highest, lowest = pool.score[pool.pred == 0].max(), pool.score[pool.pred == 1].min()
    assert boundary(made) == pytest.approx(logit((highest + lowest) / 2), abs=0.15)
    others = made.count * (made.votes == 0)
    for missed in (1.0, 0.1):
        odds = decided(made, missed)
        assert 0.8 * missed * predicted < expit(odds) @ others <= missed * predicted
        np.testing.assert_array_equal(odds > 0, made.log_odds > boundary(made))
        assert np.corrcoef(odds, made.log_odds)[0, 1] == pytest.approx(1.0)
        halved = decided(made, missed, shared=0.5)
        np.testing.assert_array_equal(halved[odds < 0], odds[odds < 0])
        away = made.log_odds - boundary(made)
        np.testing.assert_allclose((halved / away)[odds > 0], np.sqrt(turn(made, missed)))
    turned = readings(made, Prior())[len(Prior().leanings) :]
    assert sum(reading.weight for reading in readings(made, Prior())) == pytest.approx(1.0)
    assert [reading.weight for reading in turned] == pytest.approx([excess(made) / 6] * 3)


def test_the_decisions_tell_as_much_where_most_items_are_predicted_positive() -> None:
    pool, _ = unlevelled(0.1, 0.5)
    made, mirrored = (
        cells_of(score, flagged)
        for score, flagged in (
            (pool.score, np.asarray(pool.pred, bool)),
            (1 - pool.score, ~np.asarray(pool.pred, bool)),
        )
    )
    assert excess(mirrored) == pytest.approx(excess(made), abs=0.01)
    claimed, mirror = (
        float(expit(sign * decided(c, 1.0)) @ c.count) for sign, c in ((1, made), (-1, mirrored))
    )
    assert mirror == pytest.approx(claimed, rel=0.1)


@pytest.mark.parametrize(
    ("flagged", "hoped"),
    [
        (np.arange(100) >= 90, 1),  # about as many as the scores claim
        (np.arange(100) >= 50, 1),
        (np.zeros(100, bool), 0),
        (np.ones(100, bool), 0),
        (np.arange(100) == 0, 0),  # the lowest: no boundary has fewer errors than none
        (np.arange(100) < 99, 0),  # the highest is not
    ],
)
def test_scores_are_taken_as_they_are_where_decisions_do_not_gainsay_them(
    flagged: np.ndarray[Any, Any], hoped: int
) -> None:
    made = cells_of(np.concatenate([np.linspace(0, 0.1, 90), np.full(10, 0.9)]), flagged)
    assert excess(made) == 0.0
    assert all(reading.odds is made.log_odds for reading in readings(made, Prior())[: len(Prior().leanings)])
    assert len(readings(made, Prior())) - len(Prior().leanings) == hoped


def test_decisions_that_the_scores_know_nothing_of_tell_no_level() -> None:
    alike = cells_of(np.full(2000, 0.02), np.arange(2000) < 40)
    assert np.isnan(turn(alike, 1.0))
    assert len(readings(alike, Prior())) == len(Prior().leanings)


def test_noisy_decisions_steepen_the_scores_about_as_much_as_clear_ones(
    rng: np.random.Generator,
) -> None:
    """Items flagged below it, or not above it, are no reason for a steeper curve: it leaves as few beyond the boundary."""
    odds = rng.normal(-2, 2, 5000)
    clear, noisy = (cells_of(expit(odds), odds + noise > 0) for noise in (0.0, rng.normal(0, 0.7, 5000)))
    assert 1 < turn(clear, 0.1) < 10
    assert turn(noisy, 0.1) == pytest.approx(turn(clear, 0.1), rel=0.5)


@pytest.mark.parametrize(("slope", "shift"), [(0.1, 0.5), (0.25, 0.0), (0.7, 4.0)])
def test_scores_without_a_level_do_not_drown_the_positives(slope: float, shift: float) -> None:
    """Scores that claim thousands of positives had kept F1 and recall close to 0 for hundreds of labels."""
    pool, labels = unlevelled(slope, shift)
    result = simulate(
        pool, labels, presets=["recommended"], budgets=[100], metrics=["f1", "recall"], repeats=3, jobs=1
    )
    assert (np.sqrt(result["mse"]) < 0.06).all()
    assert (result["coverage"] >= 2 / 3).all()


def matched(n: int = 40_000) -> tuple[sv.Pool, sv.Labels]:
    """Pairs of records: margins through a logistic claim thousands of matches, decisions find all but two of fifty.

    Of those they find a third are none: near duplicates.
    """
    rng = np.random.default_rng(8)
    odds = np.concatenate(
        [np.minimum(rng.normal(-2.7, 0.7, n), -0.3), rng.uniform(0, 0.7, 25), rng.normal(0.7, 0.3, 50)]
    )
    label = np.arange(len(odds)) >= n + 25
    odds[-2:] = (-0.1, -0.7)
    odds[n + 25 : -2] = np.maximum(odds[n + 25 : -2], 0.05)
    df = pd.DataFrame({"score": expit(odds), "pred": odds > 0, "label": label}).sample(frac=1, random_state=0)
    df["id"] = np.arange(len(df))
    pool = sv.Pool.from_frame(df, id="id", score="score", pred="pred", label="label")
    return pool, sv.Labels.from_frame(df, pool, label="label")


def test_the_hope_that_decisions_miss_few_has_less_weight_the_more_the_decisions_are_believed() -> None:
    pool, _ = matched()
    made = cells_of(pool.score, np.asarray(pool.pred, bool))
    assert 0.2 < excess(made) < 0.95
    *own, hoped = readings(made, Prior())
    assert sum(reading.weight for reading in (*own, hoped)) == pytest.approx(1.0)
    assert hoped.leaning.feared > 1.0
    assert hoped.weight == pytest.approx((1 - excess(made)) * Prior().hoped.leaning.weight)
    flagged, others = made.votes == 1, made.count * (made.votes == 0)
    np.testing.assert_allclose(hoped.odds[flagged], (made.log_odds - boundary(made))[flagged])
    assert 0.08 < expit(hoped.odds) @ others / np.count_nonzero(pool.pred) <= 0.1


def test_good_decisions_are_not_drowned_in_positives_feared_elsewhere() -> None:
    """Recall had been off by .34, as if the flat scores of rejected items hid hundreds of positives."""
    pool, labels = matched()
    assert pool.score.sum() > 30 * np.count_nonzero(pool.pred)
    result = simulate(
        pool, labels, presets=["recommended"], budgets=[50], metrics=["f1", "recall"], repeats=5, jobs=1
    )
    assert (np.sqrt(result["mse"]) < 0.1).all()
    assert (result["coverage"] >= 3 / 5).all()


def two(n: int = 600, seed: int = 2) -> list[System]:
    """Two systems of one truth: one in tenths, one bold, with thresholds of their own."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(-1, 2, n)[:, None] + rng.normal(size=(n, 2))
    scores = expit(odds[:, 0]).round(1), expit(3 * odds[:, 1])
    none = np.empty(0)
    return [
        System(k, s, (s > t).astype(np.int8), none) for k, s, t in zip("ab", scores, (0.5, 0.8), strict=True)
    ]


def test_items_are_told_apart_by_the_highest_and_by_the_lowest_system() -> None:
    apart = np.array([[2, 0, -2], [0, 2, -2], [2, -2, 0], [2.1, 0, -2.1], [-2, 2, 0]])
    tilt = np.concatenate([apart, np.zeros((35, 3))])
    side = _sides(tilt, np.zeros(40, int))
    assert len({*side[:3], side[4], side[5]}) == 5
    assert side[3] == side[0]
    assert (side[5:] == 0).all()


def test_the_cells_of_two_systems_hold_items_alike_to_both() -> None:
    systems = two()
    made = score_cells(systems)
    assert made.count.sum() == 600
    assert made.count.min() > 0
    for k, system in enumerate(systems):
        np.testing.assert_array_equal(made.decisions[made.code, k], system.pred == 1)
    told = pd.DataFrame({"a": systems[0].score, "b": systems[1].score, "code": made.code})
    assert len(told.drop_duplicates()) == len(told.drop_duplicates(["a", "b"]))
    within = [np.corrcoef(told[s], told.groupby("code")[s].transform("mean"))[0, 1] for s in "ab"]
    assert min(within) > 0.98
    np.testing.assert_allclose(made.tilt.sum(axis=1), 0, atol=1e-9)
    np.testing.assert_allclose(made.votes, made.decisions.mean(axis=1))


def test_items_that_a_new_version_scores_differently_have_cells_of_their_own() -> None:
    """They had made up at most a sixth of each third of a cell, and were taken for as positive as the rest."""
    rng = np.random.default_rng(3)
    odds, anew = rng.normal(-1, 1.8, 6000), rng.random(6000) < 0.1
    other = np.where(anew, odds + rng.choice([-2, 2], 6000), odds)
    made = cells_of(expit(odds), odds > 0, (expit(other), other > 0))
    share = made.tally(np.flatnonzero(anew)) / made.count
    assert made.count[(share > 0.05) & (share < 0.95)].sum() < 0.02 * 6000


def test_the_cells_of_three_systems_tell_each_two_apart() -> None:
    """Cut by how far the first lies from all, a cell mixed what the second says more of with what the third does."""
    rng = np.random.default_rng(4)
    odds = rng.normal(-1, 2, 6000)[:, None] + 0.7 * rng.normal(size=(6000, 3))
    first, *others = ((expit(column), column > 0) for column in odds.T)
    made = cells_of(*first, *others)
    for a, b in combinations(range(3), 2):
        apart = odds[:, a] - odds[:, b]
        mean = made.tally(np.arange(6000), apart) / made.count
        assert np.corrcoef(apart, mean[made.code])[0, 1] > 0.8


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_the_weights_of_systems_are_those_that_the_curve_gives_to_their_distances(systems: int) -> None:
    """The last system's is left out: distances from the mean of all systems sum to 0."""
    rng = np.random.default_rng(5)
    odds = rng.normal(-1, 2, 3000)[:, None] + 0.7 * rng.normal(size=(3000, systems))
    outputs = [
        System(str(k), expit(own), np.asarray(own > 0, np.int8), np.empty(0)) for k, own in enumerate(odds.T)
    ]
    cells = score_cells(outputs)
    made = mixture(cells, Prior())
    normals = np.zeros(made.features.shape[2])
    if systems > 1:
        normals[-systems - 1 : -1] = rng.normal(size=systems)
    np.testing.assert_allclose(
        made.features[0] @ normals, cells.tilt[:, :-1] @ (made.tilt @ normals), atol=1e-9
    )
    assert cells.apart.shape == (3000, systems - 1)
    tilt = averaged(outputs)[1][:, : systems - 1]
    within = tilt - (cells.total(tilt) / cells.count[:, None])[cells.code]
    near = np.abs(within).max(axis=1, initial=0.0) < 0.5
    np.testing.assert_allclose(cells.total(cells.apart), 0, atol=1e-9)
    np.testing.assert_allclose(cells.apart[near], within[near], atol=0.3)
    assert np.abs(cells.apart).max(initial=0.0) < 2


def test_no_system_comes_first_where_scores_are_averaged() -> None:
    systems = two()
    middle, apart = averaged(systems)
    turned, back = averaged(systems[::-1])
    np.testing.assert_allclose(middle, turned)
    np.testing.assert_allclose(apart, back[:, ::-1])


def test_only_scores_with_degrees_are_averaged() -> None:
    first, second = two()
    hard = replace(second, score=second.pred.astype(float))
    level = replace(second, score=np.full(600, 0.3))
    alone = logit(inside(first.score))
    for other in (hard, level):
        middle, apart = averaged([first, other])
        np.testing.assert_allclose(middle, alone)
        np.testing.assert_allclose(apart, 0, atol=1e-12)
        assert np.isfinite(mixture(score_cells([other, first]), Prior()).features).all()
    middle, apart = averaged([level, replace(level, score=np.full(600, 0.5))])
    np.testing.assert_allclose(middle, logit(0.3) / 2)
    np.testing.assert_allclose(apart, 0, atol=1e-6)
    both = score_cells([hard, replace(first, score=first.pred.astype(float))])
    assert len(both) == len(np.unique(np.stack([hard.pred, first.pred]), axis=1).T)
    assert np.isfinite(mixture(both, Prior()).offset).all()


@pytest.mark.parametrize("better", [0, 1])
def test_labels_tell_which_of_two_systems_to_follow(better: int) -> None:
    """At first both systems count equally; where they differ, labels then agree with one of them."""
    rng = np.random.default_rng(1)
    odds = rng.normal(-0.5, 2, (4000, 2))
    scores = expit(odds).T
    positive = rng.random(4000) < scores[better]
    made = cells_of(scores[0], scores[0] > 0.5, (scores[1], scores[1] > 0.5))
    prior = mixture(made, Prior())
    chosen = np.arange(400)
    untold, told = (
        posterior(prior, made.tally(chosen, positive[chosen] * w), made.tally(chosen, np.full(400, w)))
        for w in (0.0, 1.0)
    )
    at = [[np.corrcoef(belief.mean[made.code], s)[0, 1] for s in odds.T] for belief in (untold, told)]
    assert at[0][0] == pytest.approx(at[0][1], abs=0.1)
    assert at[1][better] > at[1][1 - better] + 0.4


@pytest.mark.parametrize("seed", range(3))
def test_systems_that_are_right_about_different_items_leave_open_what_they_dispute(seed: int) -> None:
    """Each system is right on one half, so both scores mean less where they differ, which no tilt to one expresses."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(-1, 2.2, (6000, 2))
    scores, rate = expit(odds).T, expit(odds[np.arange(6000), np.arange(6000) % 2])
    made = cells_of(scores[0], scores[0] > 0.5, (scores[1], scores[1] > 0.5))
    chosen, positive = np.arange(300), (rng.random(6000) < rate).astype(float)
    counts = made.tally(chosen, positive[chosen]), made.tally(chosen)
    truth = made.tally(np.arange(6000), rate) / made.count

    def error(prior: Prior) -> float:
        return float(made.count @ np.abs(posterior(mixture(made, prior), *counts).mean - truth)) / 6000

    assert error(Prior()) < 0.97 * error(Prior(disputed=0.0, dispute=1e-9))
    assert made.dispute.max() > 0.5
    assert not cells_of(scores[0], scores[0] > 0.5).dispute.any()


@pytest.mark.parametrize("constant", [0.1, 0.5])
def test_decisions_tell_as_much_beside_a_constant_score_whatever_it_is(constant: float) -> None:
    """The rounding error of .1's standard deviation made all mean log-odds the same, as if nothing had been decided."""
    decided = np.repeat([0.0, 1.0], [700, 300])
    scores = (decided, np.full(1000, constant))
    systems = [System(str(k), s, decided.astype(np.int8), np.empty(0)) for k, s in enumerate(scores)]
    alone, both = (averaged(part)[0] for part in (systems[:1], systems))
    assert np.ptp(both) == pytest.approx(np.ptp(alone) / 2 / np.sqrt(alone.std()))


def test_systems_beyond_the_first_three_are_not_considered() -> None:
    scores = np.random.default_rng(0).random((50, 4))
    pool = sv.Pool.from_frame(pd.DataFrame(scores, columns=[f"{s}.score" for s in "abcd"]))
    assert names_together(pool) == set("abc")
    without = sv.Pool.from_frame(pd.DataFrame(scores[:, :3], columns=[f"{s}.score" for s in "abc"]))
    four, three = (Calibration().model(p).cells.code for p in (pool, without))
    np.testing.assert_array_equal(four, three)


def test_many_items_of_one_score_are_tied_and_few_or_unlike_ones_are_not() -> None:
    score = np.repeat([0.1, 0.2, 0.8, 0.9], [500, 480, 12, 11])
    decided = (score > 0.5).astype(int)
    few = cells_of(score, decided)
    assert few.tied.tolist() == [True, True, True, False]  # a cell of eleven items is too small
    jittered = np.concatenate([score[:500], score[500:] + np.linspace(0, 1e-3, 503)])
    assert cells_of(jittered, decided).tied.tolist()[0]
    assert not cells_of(jittered, decided).tied[1:].any()
    both = cells_of(score, decided, (jittered, decided))
    assert both.count[both.tied].tolist() == [500]


@pytest.mark.parametrize("systems", [1, 2])
def test_cells_are_certain_or_tied_if_all_of_their_items_are(systems: int, rng: np.random.Generator) -> None:
    """Listed cell by cell, of pools with as many items of one score as ties need and with fewer."""
    kinds = set[tuple[bool, bool]]()
    for few, size in product((5, 11, 12, 30, 60), (60, 900)):
        scores: list[Floats] = [
            rng.permutation(
                np.concatenate([np.zeros(few), np.ones(few), np.full(2 * few, 0.4), rng.random(size)])
            )
        ]
        scores += [np.where(rng.random(len(scores[0])) < 0.9, scores[0], 1.0) for _ in range(systems - 1)]
        first, *others = [(score, score > 0.5) for score in scores]
        made = cells_of(*first, *others)
        for k in range(len(made)):
            here = made.code == k
            alike = np.all([(s > 0.5) == d for s, d in zip(scores, made.decisions[k], strict=True)], axis=0)
            certain = here.sum() >= 0.02 * len(here) and all(set(s[here]) <= {0.0, 1.0} for s in scores)
            tied = here.sum() >= max(12, 0.05 * alike.sum()) and all(len(set(s[here])) == 1 for s in scores)
            assert (made.certain[k], made.tied[k]) == (certain, tied)
            kinds.add((certain, tied))
    assert {(False, False), (False, True), (True, True)} <= kinds


def test_a_pool_is_cut_into_cells_once_and_let_go() -> None:
    """Each plan, study and range of a pool sorted its scores anew: at N = 10⁶ for a quarter of a second."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 40)}))
    cells = Calibration().model(pool).cells
    assert Calibration().model(pool).cells is cells
    assert Calibration(bins=7).model(pool).cells is not cells
    lives = weakref.ref(pool)
    del pool
    gc.collect()
    assert lives() is None


def test_a_single_bin_of_several_systems_is_one_for_each_decision() -> None:
    score = np.linspace(0.05, 0.95, 40)
    pool = [System(name, score, np.asarray(score > 0.5, np.int8), np.empty(0)) for name in "ab"]
    assert score_cells(pool, bins=1).count.tolist() == [20, 20]


def test_every_component_that_is_not_negligible_has_a_few_draws_and_doubt_has_more() -> None:
    """A weight that rests on one draw is hardly known."""
    share = np.array([0.9, 0.0955, 0.003, 0.001, 0.0005])
    counts = _shares(np.log(share), np.array([4]))
    np.testing.assert_array_equal(counts, [230, 24, 6, 0, 20])


def test_a_gap_between_scores_takes_no_bins_however_wide_it_is() -> None:
    near, far = (
        len(cells_of(score, score > 0.5))
        for score in (
            expit(np.r_[np.linspace(-2, -1, 200), np.linspace(-1, 0, 200) + gap]) for gap in (0.5, 9)
        )
    )
    assert far >= near - 2


def test_scores_of_two_systems_that_differ_by_rounding_have_the_cells_of_equal_ones() -> None:
    score = np.random.default_rng(0).random(400)
    same, near = (
        cells_of(score, score > 0.5, (other, score > 0.5)) for other in (score, score * (1 - 1e-15))
    )
    assert (score != score * (1 - 1e-15)).any()
    np.testing.assert_array_equal(near.code, same.code)


def test_decisions_that_leave_few_beyond_their_boundary_as_it_is_tell_the_level_without_a_turn() -> None:
    """Log-odds that are steep enough already, but claim six times as many positives as are predicted."""
    odds = np.r_[np.linspace(-22, -8, 970), np.linspace(8, 12, 30)]
    made = cells_of(expit(odds + 10), odds > 0)
    assert 0.2 < excess(made) < 0.3
    assert turn(made, 0.1) == 1
    told = readings(made, Prior())[len(Prior().leanings) :]
    assert [reading.weight > 0 for reading in told] == [True] * len(Prior().decided)
    for reading in told:
        np.testing.assert_allclose(reading.odds, made.log_odds - boundary(made))


@pytest.mark.slow
def test_totals_from_the_prior_lie_anywhere_among_their_posterior_s_draws() -> None:
    """Simulation-based calibration (Talts et al., 2018) of all cells, of the lower and the upper half, and of single cells."""
    rng = np.random.default_rng(12)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": expit(-1 + 2 * rng.normal(size=1500))}))
    model = Calibration().model(pool)
    size, cells = model.cells.count, len(model.cells.count)
    ranks = []
    for k in range(1500):
        rate = rates_of_the_prior(model.mixture, rng)
        labelled = np.minimum(rng.integers(0, 6, cells), size)
        found, left = rng.binomial(labelled, rate), size - labelled
        total = rng.binomial(left, rate)
        belief = posterior(model.mixture, found.astype(float), labelled.astype(float))
        drawn = belief.predicted(left, 600, rng, belief.weight).totals
        for part in (
            slice(None),
            slice(cells // 2),
            slice(cells // 2, None),
            slice(k % cells, k % cells + 1),
        ):
            sums, true = drawn[:, part].sum(axis=1), total[part].sum()
            ranks.append(rng.uniform((sums < true).mean(), (sums <= true).mean()))
    for found in np.reshape(ranks, (-1, 4)).T:
        assert stats.kstest(found, "uniform").pvalue > 1e-5
        assert stats.binomtest(int(((found > 0.05) & (found < 0.95)).sum()), len(found), 0.9).pvalue > 1e-5
