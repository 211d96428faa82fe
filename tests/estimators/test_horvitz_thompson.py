"""Horvitz–Thompson is unbiased with an unbiased variance, of Poisson samples and of a queue: every sample is listed."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from sampleval.designs import Inclusions, Problem
from sampleval.designs.inclusion import water_fill
from sampleval.designs.priority import enqueue, prefix
from sampleval.estimators import HorvitzThompson, Run, infer, weighted_mean
from sampleval.metrics import resolve
from sampleval.surrogates import Shrunk
from tests.estimators.listing import NOTHING, population
from tests.estimators.survey import P, Y, ratio_and_error
from tests.pools import binary
from tests.reference import Floats, poisson_samples


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
    h, values, repeats = np.array([5.0, 1.0, 0.4, 2.0, 0.5, 0.7]), np.array([1.0, -2, 3, 0.5, 1, -1]), 6000
    b = water_fill(h, 4)
    estimates, variances, biased = np.empty(repeats), np.empty(repeats), np.empty(repeats)
    for r in range(repeats):
        order, queue = enqueue(rng.random(6), h, 4)
        sample = prefix(queue, 4, 6)
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


def test_poisson_total_and_ratio_equal_r_survey() -> None:
    sample = Inclusions(np.arange(10), P, 20)
    total = 20 * weighted_mean(HorvitzThompson(), sample, Y[:, None].astype(float))
    error = 20 * np.sqrt(HorvitzThompson().spread(sample, Y[:, None].astype(float), NOTHING).variance)
    np.testing.assert_allclose([total[0], error[0]], [7.02777777777778, 1.8833661091871], rtol=1e-12)
    np.testing.assert_allclose(
        ratio_and_error(HorvitzThompson(), sample), [0.459390862944162, 0.122552025443255], rtol=1e-12
    )


def test_with_a_stochastic_oracle_the_variance_is_never_too_small(rng: np.random.Generator) -> None:
    """Over all samples and all answers, the variance estimate is compared with the error about E ℓ.

    Items with b = 1 are uncertain too.
    """
    b, chance = np.array([0.4, 1.0, 0.7]), np.array([0.2, 0.5, 0.9])
    answers = np.stack([rng.normal(size=3), rng.normal(size=3)])
    target = (chance * answers[1] + (1 - chance) * answers[0]).mean()
    error, said, exact = 0.0, 0.0, 0.0
    for rows, p in poisson_samples(b):
        for labels in itertools.product((0, 1), repeat=3):
            y = np.array(labels)
            q = p * float(np.prod(np.where(y == 1, chance, 1 - chance)))
            values = answers[y, np.arange(3)][rows][:, None]
            sample = Inclusions(np.arange(len(rows)), b[rows], 3, stochastic=True)
            estimate = weighted_mean(HorvitzThompson(), sample, values)[0]
            error += q * (estimate - target) ** 2
            said += q * HorvitzThompson().spread(sample, values, NOTHING).variance[0]
            still = Inclusions(np.arange(len(rows)), b[rows], 3)
            exact += q * HorvitzThompson().spread(still, values, NOTHING).variance[0]
    assert exact < error < said


def test_an_estimate_computes_its_metric_once_and_once_more_for_the_check_of_its_scale() -> None:
    """Four times, and compared at length, it made a fifth of the time of simulations: a thousand repeats took over a minute."""
    pool, labels = binary(40)
    seen: list[Floats] = []
    metric = resolve("f1")

    def counted(risk: Floats) -> Floats:
        seen.append(risk)
        return np.asarray(metric.g(risk))

    problem, rows = Problem(pool, {metric: 1.0}, Shrunk()), np.arange(20)
    sample = Inclusions(rows, np.full(20, 0.5), 40)
    run = Run(
        pool.items.take(rows),
        labels.values[rows],
        np.ones(20, bool),
        problem.belief.take(rows),
        sample,
        problem,
    )
    found = infer(replace(metric, g=counted), run, HorvitzThompson())
    assert found.value == pytest.approx(infer(metric, run, HorvitzThompson()).value)
    np.testing.assert_array_equal(seen, [found.risk, 2 * found.risk])
