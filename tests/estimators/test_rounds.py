"""Means of rounds are unbiased: every path that labels can lead to is listed."""

from __future__ import annotations

import numpy as np
import pytest

from sampleval.designs import Successive
from sampleval.estimators import RoundsMean
from tests.estimators.listing import assert_unbiased, bernoulli_paths


@pytest.mark.parametrize("weights", ["precision", "size"])
@pytest.mark.parametrize(("rounds", "measurable"), [(2, True), (3, True), (3, False)])
def test_rounds_are_unbiased_with_an_unbiased_variance(
    rng: np.random.Generator, rounds: int, measurable: bool, weights: str
) -> None:
    """Rounds use their own variances; three that have none use the spread between them, unless one counts half."""
    values = rng.normal(size=(4, 2)) + 1
    paths = bernoulli_paths(values, rounds, measurable=measurable)
    assert_unbiased(RoundsMean(weights), paths, values, measurable=measurable or weights != "precision")


@pytest.mark.parametrize("sizes", [(50, 50, 75), (1, 2, 3, 4), (10, 90), (300,), (100, 200)])
def test_rounds_of_a_plain_sample_are_worth_that_sample(sizes: tuple[int, ...]) -> None:
    """V = (1 − n/N)/n of the whole, from V_r = N_r (N_r − n_r)/(N² n_r) of each round of what those before it left."""
    rows = np.arange(sum(sizes))
    number, n = np.repeat(np.arange(len(sizes)), sizes), np.array(sizes, float)
    left = 300 - np.cumsum(n) + n
    sample = Successive(rows, number, (n / left)[number], n, n, 300, np.ones(len(n), bool))
    shares = RoundsMean().shares(sample)
    assert shares.sum() == pytest.approx(1)
    assert shares**2 @ (left * (left - n) / n) / 300**2 == pytest.approx((1 - n.sum() / 300) / n.sum())


def test_with_equal_weights_a_round_cut_short_counts_for_its_completed_share() -> None:
    rows, one = np.arange(14), np.ones(2, bool)
    round_, counted, planned = np.repeat([0, 1], [10, 4]), np.array([10.0, 4.0]), np.array([10.0, 10.0])
    sample = Successive(rows, round_, np.full(14, 0.5), counted, planned, 100, one)
    assert RoundsMean(weights="equal").shares(sample).tolist() == pytest.approx([1 / 1.4, 0.4 / 1.4])


def test_rounds_that_forget_what_was_labelled_would_be_biased(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    wrong = np.zeros(2)
    for sample, chosen, p in bernoulli_paths(values, 2):
        assert isinstance(sample, Successive)
        wrong += p * (chosen / sample.inclusion[:, None]).sum(axis=0) / 2 / 4
    assert np.abs(wrong - values.mean(axis=0)).max() > 1e-3
