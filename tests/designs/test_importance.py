"""Draws with replacement: how many the labels of a budget allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleval import Pool, plan
from sampleval.designs import Importance, Profile, Uniform
from sampleval.designs.importance import (
    drawn_at_least_once,
    drawn_order,
    equal_cost_draws,
    positions,
    solve_draws,
)
from sampleval.designs.problem import Problem
from sampleval.designs.streams import DRAWS, stream
from sampleval.metrics import resolve
from sampleval.surrogates import Shrunk
from tests.designs.frames import frame


@given(seed=st.integers(0, 50), budget=st.integers(0, 30))
def test_equal_cost_draws_are_the_smallest_that_suffice(seed: int, budget: int) -> None:
    q = np.random.default_rng(seed).dirichlet(np.full(25, 0.5))
    draws = equal_cost_draws(q, budget)
    if budget >= 25:
        assert draws is None
        return
    assert draws is not None
    assert drawn_at_least_once(q, draws).sum() >= budget - 1e-9
    assert draws == 0 or drawn_at_least_once(q, draws - 1).sum() < budget or budget == 0


def test_grouped_equal_cost_draws_agree_with_the_exact_ones(rng: np.random.Generator) -> None:
    q = rng.dirichlet(np.full(300, 0.3))
    budgets = np.array([0.0, 10.0, 100.0, 299.0, 300.0])
    draws = solve_draws(np.append(np.repeat(q, 2) / 2, 0.0), np.append(np.full(600, 0.5), 7.0), budgets)
    half = solve_draws(q / 2, np.ones(300), budgets)
    np.testing.assert_allclose(draws, half, rtol=1e-6)
    np.testing.assert_allclose(
        [drawn_at_least_once(q / 2, m).sum() for m in half[:-1]], budgets[:-1], rtol=1e-6, atol=1e-6
    )
    assert np.isinf(draws[-1])


def test_uniform_draws_with_replacement_vary_as_importance_sampling_without_sizes(
    rng: np.random.Generator,
) -> None:
    """One draw a label was counted, although repeats bring draws that cost none: 1.4 of them at half the pool."""
    h, budgets = rng.beta(0.3, 5, 500), np.array([1.0, 50.0, 250.0, 499.0, 500.0])
    profile = Profile.of(h, h**2)
    drawn = Uniform(replacement=True).variance(profile, budgets)
    np.testing.assert_allclose(drawn, Importance(defensive=1.0).variance(profile, budgets), rtol=1e-6)
    ratio = np.mean(h**2) / drawn[:4]  # draws
    np.testing.assert_allclose(500 * (1 - (1 - 1 / 500) ** ratio), budgets[:4], rtol=1e-6)
    assert (drawn >= Uniform().variance(profile, budgets)).all()


@pytest.mark.parametrize("budget", [1, 7, 80])
def test_importance_sampling_plans_the_labels_it_may_ask(budget: int) -> None:
    pool = Pool.from_frame(frame(200), id="id", score="score", fields=["text"])
    made = plan(pool, metric="f1", budget=budget, preset="yilmaz-is")
    assert made.expected_labels == pytest.approx(budget, rel=1e-9)


def test_draws_go_on_to_the_first_one_of_an_item_too_many() -> None:
    """They come in portions. To stop at the end of the one with the last label bends the estimate, but barely."""
    pool = Pool.from_frame(frame(600), id="id", score="score", fields=["text"])
    problem = Problem(pool, {resolve("accuracy"): 1.0}, Shrunk(), 4)
    q, rng = np.full(600, 1 / 600), stream(problem.entropy, DRAWS)
    at_once = problem.by_hash[positions(np.cumsum(q[problem.by_hash]), 20_000, rng)]
    firsts = np.sort(np.unique(at_once, return_index=True)[1])
    met = int((firsts < 1024).sum())  # in the first portion
    for budget in (1, 60, met - 1, met, met + 1, 599):
        found = drawn_order(problem, q, budget)
        assert len(found.rows) == found.first[-1] == firsts[budget]
        assert found.order.tolist() == at_once[firsts[:budget]].tolist()
