"""Adaptive importance sampling is unbiased: every path that labels can lead to is listed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sampleval.designs import Draws
from sampleval.designs.adaptive.drawing import DrawFacts
from sampleval.designs.sample import NOBODY
from sampleval.estimators import AdaptiveImportanceSampling, ImportanceSampling, weighted_mean
from tests.estimators.listing import NOTHING, Paths, assert_unbiased, learned
from tests.reference import Floats


def adaptive_paths(values: Floats, stages: tuple[int, ...]) -> Paths:
    """All sequences of draws in stages, in which a stage's proposal knows the labels of the stages before."""
    n = len(values)
    base, labels = np.linspace(1, 2, n), (values[:, 0] > 0).astype(float)
    for drawn in itertools.product(range(n), repeat=sum(stages)):
        seen: list[int] = []
        q, p = [], 1.0
        for size in stages:
            proposal = learned(base, seen, labels)
            proposal = proposal / proposal.sum()
            own = drawn[len(seen) : len(seen) + size]
            q += [proposal[i] for i in own]
            p *= float(np.prod(proposal[list(own)]))
            seen += own
        yield Draws.of(np.array(drawn), np.array(q), n), values, p


def test_adaptive_importance_sampling_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    assert_unbiased(AdaptiveImportanceSampling(), adaptive_paths(values, (2, 1, 2)), values, minus=True)


def test_the_newest_proposal_for_all_draws_would_be_biased(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    wrong = np.zeros(2)
    for sample, _, p in adaptive_paths(values, (1, 2)):
        assert isinstance(sample, Draws)
        newest = np.linspace(1, 2, 4) / 6
        wrong += p * weighted_mean(
            AdaptiveImportanceSampling(), Draws.of(sample.rows, newest[sample.rows], 4), values
        )
    assert np.abs(wrong - values.mean(axis=0)).max() > 1e-3


def test_one_stage_is_static_importance_sampling(rng: np.random.Generator) -> None:
    q, values = rng.dirichlet(np.ones(6)), rng.normal(size=(6, 2))
    rows = rng.integers(0, 6, 30)
    sample = Draws.of(rows, q[rows], 6)
    values = values[sample.rows]
    one = Draws(np.arange(len(values)), sample.draws, sample.inverse, sample.square, sample.current, 6)
    static, adaptive = ImportanceSampling(), AdaptiveImportanceSampling(variance="current")
    np.testing.assert_allclose(weighted_mean(adaptive, one, values), weighted_mean(static, one, values))
    np.testing.assert_allclose(
        adaptive.spread(one, values, NOTHING).covariance, static.spread(one, values, NOTHING).covariance
    )


def test_draws_of_earlier_rounds_count_as_draws() -> None:
    """Five draws of two rows before, three streaks since: listed one by one, those that may be used are nine."""
    earlier, since = (
        [(0, 0.2), (0, 0.2), (1, 0.4), (1, 0.4), (0, 0.2)],
        [(0, 0.1, 3), (2, 0.5, 1), (3, 0.4, 2)],
    )
    before = Draws.of(np.array([r for r, _ in earlier]), np.array([q for _, q in earlier]), 10)
    row, count = np.array([r for r, _, _ in since]), np.array([float(c) for _, _, c in since])
    facts = DrawFacts(2, np.array([0.1, 0.1, 0.5, 0.3]), row, count, np.array([2, 3, 4]), 0, before)
    listed = earlier + [(0, 0.1)] * 3 + [(2, 0.5)]
    found = facts.sample(3, 10)
    assert found.draws == len(listed) == 9
    inverse = [sum(1 / q for r, q in listed if r == k) for k in range(3)]
    np.testing.assert_allclose(found.inverse, inverse)


def test_draws_that_waited_for_a_new_item_end_with_their_round() -> None:
    """Two new items, a repeat between them, and two repeats until a third one that was left out."""
    row, count, needs = np.array([0, 0, 1, 0, 1]), np.ones(5), np.array([1, 1, 2, 2, 2])
    facts = DrawFacts(0, np.array([0.2, 0.3]), row, count, needs, 2, Draws.of(*NOBODY, 10))
    assert facts.sample(1, 10).draws == 2
    assert facts.sample(2, 10).draws == 5
    assert facts.sample(2, 10, over=True).draws == 3
    np.testing.assert_allclose(facts.sample(2, 10, over=True).inverse, [2 / 0.2, 1 / 0.3])


def test_the_variance_under_the_newest_proposal_is_the_papers() -> None:
    """Σ̂/J of M 3.3.2, draw by draw: each has q at its time and q of the last round."""
    drawn = [(0, 0.4), (1, 0.1), (0, 0.3), (2, 0.2), (1, 0.25)]
    newest, loss, slope = (
        np.array([0.3, 0.25, 0.35]),
        np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.5]]),
        [2.0, -0.7],
    )
    risk = sum(loss[row] / (10 * q) for row, q in drawn) / 5
    square = sum(np.outer(loss[row], loss[row]) / (100 * newest[row] * q) for row, q in drawn) / 5
    inverse, each = np.zeros(3), np.zeros(3)
    for row, q in drawn:
        inverse[row] += 1 / q
        each[row] += 1 / q**2
    sample = Draws(np.arange(3), 5.0, inverse, each, newest, 10)
    estimator, effects = AdaptiveImportanceSampling(variance="current"), (loss @ slope)[:, None]
    found = estimator.spread(sample, effects, np.array([risk @ slope])).variance
    assert found[0] == pytest.approx(slope @ (square - np.outer(risk, risk)) @ slope / 5, rel=1e-12)
