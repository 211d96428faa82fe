"""Estimators and variance estimators: unbiased by listing every sample, and equal to R's survey package."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import Draws, Inclusions, Strata, water_fill
from sampleval.designs.importance import _stream, prefix_draws
from sampleval.designs.priority import enqueue, prefix
from sampleval.estimators import HorvitzThompson, ImportanceSampling, Linear, StratifiedMean, weighted_mean
from sampleval.estimators.ratio_bias import by_class
from sampleval.metrics import METRICS, resolve
from tests.pools import binary
from tests.reference import Floats, poisson_samples, sequences, subsets

NOTHING = np.zeros(1)


def population(rng: np.random.Generator, n: int) -> Floats:
    """Two loss components per item."""
    return rng.normal(size=(n, 2)).round(2)


def test_horvitz_thompson_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    values, n = population(rng, 7), 7
    b = water_fill(rng.random(n) + 0.05, 3.5)
    assert (b == 1).sum() < n
    mean, square, variance, total = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for rows, p in poisson_samples(b):
        sample = Inclusions(np.arange(len(rows)), b[rows], n)
        estimate = weighted_mean(HorvitzThompson(), sample, values[rows])
        mean += p * estimate
        square += p * estimate**2
        variance += p * HorvitzThompson().spread(sample, values[rows], NOTHING).variance
        total += p
    assert total == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(mean, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(variance, square - mean**2, atol=1e-12)


def test_the_enumeration_catches_wrong_weights(rng: np.random.Generator) -> None:
    values, n = population(rng, 6), 6
    b = water_fill(rng.random(n) + 0.05, 3)
    wrong = np.zeros(2)
    for rows, p in poisson_samples(b):
        sample = Inclusions(np.arange(len(rows)), np.sqrt(b[rows]), n)
        wrong += p * weighted_mean(HorvitzThompson(), sample, values[rows])
    assert np.abs(wrong - values.mean(axis=0)).max() > 1e-3


def test_the_bias_of_a_ratio_is_mostly_foreseen() -> None:
    """Eight items of a class, of which the missed ones are seldom drawn: recall over all 256 samples is .013 too high."""
    found, b = np.repeat([1.0, 0.0], [5, 3]), np.repeat([0.95, 0.7], [5, 3])
    recall = METRICS["macro_recall"].averages
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


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_queue_prefix_is_unbiased_item_by_item(rng: np.random.Generator, k: int) -> None:
    """Given all other items' keys, item i is in the first k exactly when u < c and then has weight 1/c."""
    h = np.array([5.0, 1.0, 0.4, 2.0, 0.1])
    for _ in range(20):
        u = rng.random(5)
        for i in range(5):
            others = np.sort(np.delete(u / h, i))
            c = min(1.0, others[k - 1] * h[i])
            for inside in (c * (1 - 1e-9), c * rng.random()):
                order, queue = enqueue(np.where(np.arange(5) == i, inside, u), h, k)
                assert i in order
                weight = prefix(queue, k, 5).weight[np.flatnonzero(order == i)[0]]
                assert weight * c == pytest.approx(1, abs=1e-7)
            if c < 1:
                order, _ = enqueue(np.where(np.arange(5) == i, c * (1 + 1e-9), u), h, k)
                assert i not in order


def test_queue_terms_are_uncorrelated_and_its_variance_unbiased(rng: np.random.Generator) -> None:
    """By simulation: within five standard errors for the queue, far outside for weights from κ."""
    h, values, repeats = np.array([5.0, 1.0, 0.4, 2.0, 0.1, 0.7]), np.array([1.0, -2, 3, 0.5, 1, -1]), 40_000
    b = water_fill(h, 3)
    estimates, variances, biased = np.empty(repeats), np.empty(repeats), np.empty(repeats)
    for r in range(repeats):
        order, queue = enqueue(rng.random(6), h, 3)
        sample = prefix(queue, 3, 6)
        estimates[r] = weighted_mean(HorvitzThompson(), sample, values[order][:, None])[0]
        variances[r] = HorvitzThompson().spread(sample, values[order][:, None], NOTHING).variance[0]
        biased[r] = (values[order] / b[order]).sum() / 6
    error = (estimates.mean() - values.mean()) / (estimates.std() / np.sqrt(repeats))
    assert abs(error) < 5
    assert abs(biased.mean() - values.mean()) / (biased.std() / np.sqrt(repeats)) > 5
    squares = (estimates - values.mean()) ** 2
    off = (variances - squares).mean() / ((variances - squares).std() / np.sqrt(repeats))
    assert abs(off) < 5


def test_one_item_of_a_queue_has_no_variance_but_a_whole_pool_has_none_left() -> None:
    order, queue = enqueue(np.array([0.1, 0.9]), np.ones(2), 1)
    spread = HorvitzThompson().spread(prefix(queue, 1, 2), np.ones((1, 1)), NOTHING)
    assert np.isnan(spread.variance).all()
    order, queue = enqueue(np.array([0.5]), np.ones(1), 1)
    whole = prefix(queue, len(order), 1)
    assert HorvitzThompson().spread(whole, np.ones((1, 1)), NOTHING).variance == 0


def test_importance_sampling_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    q, draws = np.array([0.5, 0.3, 0.15, 0.05]), 3
    values = population(rng, 4)
    centred = values - values.mean(axis=0)
    mean, square, variance = np.zeros(2), np.zeros(2), np.zeros(2)
    for rows, p in sequences(q, draws):
        sample = Draws.of(rows, q[rows], 4)
        estimate = weighted_mean(ImportanceSampling(), sample, centred)
        mean += p * estimate
        square += p * estimate**2
        variance += p * ImportanceSampling().spread(sample, centred, NOTHING).variance
    np.testing.assert_allclose(mean, 0, atol=1e-12)
    np.testing.assert_allclose(variance, square, atol=1e-12)


@pytest.mark.parametrize("labels", [1, 2])
def test_drawing_on_through_repeats_is_unbiased_and_stopping_at_the_last_label_is_not(labels: int) -> None:
    """Every sequence of six draws from three items, cut before the (k+1)-th new item or at the end."""
    q, values = np.array([0.6, 0.3, 0.1]), np.array([[1.0], [-1.0], [4.0]])
    mean, stopped = 0.0, 0.0
    for drawn, p in sequences(q, 6):
        stream = _stream(drawn, q, labels)
        sample = prefix_draws(stream, min(labels, len(stream.order)), 3)
        mean += p * weighted_mean(ImportanceSampling(), sample, values[stream.order])[0]
        first = np.sort(np.unique(drawn, return_index=True)[1])
        early = drawn[: first[labels - 1] + 1] if len(first) >= labels else drawn
        stopped += p * float((values[early, 0] / (3 * q[early])).mean())
    assert mean == pytest.approx(values.mean(), abs=1e-12)
    assert labels == 1 or abs(stopped - values.mean()) > 1e-3


def test_stratified_mean_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    sizes, takes = np.array([4, 3]), (2, 2)
    values = population(rng, 7)
    mean, square, variance, count = np.zeros(2), np.zeros(2), np.zeros(2), 0
    for first in subsets(4, takes[0]):
        for second in subsets(3, takes[1]):
            rows = np.concatenate([first, 4 + second])
            sample = Strata(np.arange(4), np.array([0, 0, 1, 1]), sizes)
            estimate = weighted_mean(StratifiedMean(), sample, values[rows])
            mean, square, count = mean + estimate, square + estimate**2, count + 1
            variance = variance + StratifiedMean().spread(sample, values[rows], NOTHING).variance
    np.testing.assert_allclose(mean / count, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(variance / count, square / count - (mean / count) ** 2, atol=1e-12)


# R 4.2.2, survey 4.1.1, from the data below:
#   y, x as here; p: inclusion; options(digits = 15)
#   d <- svydesign(id = ~1, probs = ~p, data, pps = poisson_sampling(p)); svytotal(~y, d)
#   svyratio(~I(x*y), ~I(.5*x + .5*y), d)
#   d <- svydesign(id = ~1, data, fpc = rep(40, 10)); the same ratio
#   d <- svydesign(id = ~1, strata = ~s, data, fpc = N_h); svymean(~y, d); the same ratio
#   d <- svydesign(id = ~1, weights = 1/(10*q), data); the same ratio, SE times sqrt(9/10): R divides by n - 1
Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 0])
X = np.array([1, 1, 0, 1, 0, 1, 1, 0, 1, 1])
P = np.array([0.9, 0.25, 0.5, 0.8, 0.1, 0.3, 0.6, 0.2, 1, 0.4])
Q = np.array([0.05, 0.02, 0.1, 0.05, 0.03, 0.03, 0.04, 0.02, 0.1, 0.06])
STRATUM = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])


def ratio_and_error(estimator: Linear, sample: Inclusions | Strata | Draws) -> tuple[float, float]:
    """F1 of predictions X against labels Y, from the library's own parts."""
    metric = METRICS["f1"]
    loss = np.column_stack([X * Y, 0.5 * X + 0.5 * Y])
    risk = weighted_mean(estimator, sample, loss)
    jacobian = metric.gradient(risk)
    spread = estimator.spread(sample, loss @ jacobian.T, jacobian @ risk)
    return float(metric.value(risk)[0]), float(np.sqrt(spread.variance[0]))


def test_poisson_total_and_ratio_equal_r_survey() -> None:
    sample = Inclusions(np.arange(10), P, 20)
    total = 20 * weighted_mean(HorvitzThompson(), sample, Y[:, None].astype(float))
    error = 20 * np.sqrt(HorvitzThompson().spread(sample, Y[:, None].astype(float), NOTHING).variance)
    np.testing.assert_allclose([total[0], error[0]], [7.02777777777778, 1.8833661091871], rtol=1e-12)
    np.testing.assert_allclose(
        ratio_and_error(HorvitzThompson(), sample), [0.459390862944162, 0.122552025443255], rtol=1e-12
    )


def test_uniform_and_stratified_ratios_equal_r_survey() -> None:
    whole = Strata(np.arange(10), np.zeros(10, np.intp), np.array([40]))
    np.testing.assert_allclose(
        ratio_and_error(StratifiedMean(), whole), [0.666666666666667, 0.143443827637312], rtol=1e-12
    )
    strata = Strata(np.arange(10), STRATUM, np.array([20, 12, 8]))
    np.testing.assert_allclose(
        ratio_and_error(StratifiedMean(), strata), [0.666666666666667, 0.166533279957291], rtol=1e-12
    )
    mean = weighted_mean(StratifiedMean(), strata, Y[:, None].astype(float))
    error = np.sqrt(StratifiedMean().spread(strata, Y[:, None].astype(float), NOTHING).variance)
    np.testing.assert_allclose([mean[0], error[0]], [0.541666666666667, 0.150923085635624], rtol=1e-12)


def test_ratio_from_draws_equals_r_survey() -> None:
    sample = Draws.of(np.arange(10), Q, 20)
    expected = [0.576923076923077, 0.199420867101923 * np.sqrt(9 / 10)]
    np.testing.assert_allclose(ratio_and_error(ImportanceSampling(), sample), expected, rtol=1e-12)


def test_a_stratum_with_one_answer_of_several_has_no_variance() -> None:
    strata = Strata(np.arange(3), np.array([0, 0, 1]), np.array([4, 3]))
    assert np.isnan(StratifiedMean().spread(strata, np.ones((3, 1)), NOTHING).variance).all()


def test_a_difference_of_calibration_errors_has_the_same_limits_from_either_side() -> None:
    """Noise was allowed for at the lower end alone: .142 for .155, and limits held in .79 for .84 of the studies."""
    rng = np.random.default_rng(50000)
    p = rng.random(600)
    y = rng.random(600) < p
    pool = sv.Pool.from_frame(pd.DataFrame({"a.score": np.where(p > 0.5, 0.95, 0.05), "b.score": p}))
    study = sv.create_study(pool, metric="accuracy[a]", budget=60, preset="uniform")
    study.tell_all([(item, int(y[int(item.id)])) for item in study.ask(60)])
    one, other = (study.estimate(name).interval for name in ("ece[a - b]", "ece[b - a]"))
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


def test_a_resampled_spread_leaves_out_the_labels_held() -> None:
    """Half of the items are held: resampled as the whole pool, the variance was four times what its slopes give."""
    pool, labels = binary(400)
    held = {str(pool.ids[k]): labels.by_id(pool)[pool.ids[k]] for k in range(0, 400, 2)}
    study = sv.create_study(pool, metric="accuracy", budget=100, preset="uniform", held=held)
    study.answer(labels, 100)
    rough = replace(resolve("accuracy"), name="rough", smooth=False)
    assert study.estimate(rough).variance == pytest.approx(study.estimate("accuracy").variance, rel=0.1)
