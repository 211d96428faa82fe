"""The stratified mean is unbiased with an unbiased variance: every sample is listed."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Strata
from sampleval.estimators import StratifiedMean, weighted_mean
from tests.estimators.listing import NOTHING, population
from tests.estimators.survey import STRATUM, Y, ratio_and_error
from tests.reference import subsets


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


def test_a_stratum_with_one_answer_of_several_has_no_variance() -> None:
    strata = Strata(np.arange(3), np.array([0, 0, 1]), np.array([4, 3]))
    assert np.isnan(StratifiedMean().spread(strata, np.ones((3, 1)), NOTHING).variance).all()
