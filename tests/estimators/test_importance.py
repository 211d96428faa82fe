"""Importance sampling is unbiased with an unbiased variance: every sequence of draws is listed."""

from __future__ import annotations

import numpy as np
import pytest

from sampleval.designs import Draws
from sampleval.designs.importance import _sequence, prefix_draws
from sampleval.estimators import AdaptiveImportanceSampling, ImportanceSampling, weighted_mean
from tests.estimators.listing import NOTHING, population
from tests.estimators.survey import Q, ratio_and_error
from tests.reference import sequences


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
        made = _sequence(drawn, q, labels)
        sample = prefix_draws(made, min(labels, len(made.order)), 3)
        mean += p * weighted_mean(ImportanceSampling(), sample, values[made.order])[0]
        first = np.sort(np.unique(drawn, return_index=True)[1])
        early = drawn[: first[labels - 1] + 1] if len(first) >= labels else drawn
        stopped += p * float((values[early, 0] / (3 * q[early])).mean())
    assert mean == pytest.approx(values.mean(), abs=1e-12)
    assert labels == 1 or abs(stopped - values.mean()) > 1e-3


def test_ratio_from_draws_equals_r_survey() -> None:
    sample = Draws.of(np.arange(10), Q, 20)
    expected = [0.576923076923077, 0.199420867101923 * np.sqrt(9 / 10)]
    np.testing.assert_allclose(ratio_and_error(ImportanceSampling(), sample), expected, rtol=1e-12)


def test_the_variance_of_draws_takes_the_square_of_the_mean_off(rng: np.random.Generator) -> None:
    """All sequences of three draws from four items are listed. The mean of the losses is not 0."""
    q, values, draws = np.array([0.5, 0.3, 0.15, 0.05]), 2 + rng.normal(size=(4, 2)), 3
    truth = values.mean(axis=0)
    mean, square, variance, own = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2)
    for rows, p in sequences(q, draws):
        sample = Draws.of(rows, q[rows], 4)
        estimate = weighted_mean(ImportanceSampling(), sample, values)
        mean, square = mean + p * estimate, square + p * estimate**2
        variance += p * ImportanceSampling().spread(sample, values, truth).variance
        own += p * AdaptiveImportanceSampling().spread(sample, values, estimate).variance
    np.testing.assert_allclose(mean, truth, atol=1e-12)
    np.testing.assert_allclose(variance, square - truth**2, atol=1e-12)
    np.testing.assert_allclose(own, square - truth**2, atol=1e-12)
