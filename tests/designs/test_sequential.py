"""Successive draws: inclusion probabilities by enumeration of all orders, chances and numbers of rounds."""

from itertools import permutations

import numpy as np
import pytest

from sampleval.designs import Problem, Sequential
from sampleval.designs.sequential import successive
from sampleval.metrics import resolve
from sampleval.surrogates import Evidence, Shrunk
from tests.pools import binary
from tests.reference import Floats


def included(q: Floats, wanted: int) -> Floats:
    """Exact probabilities that items are among the first draws made one by one in proportion to q, (N,)."""
    found = np.zeros(len(q))
    for order in permutations(range(len(q)), wanted):
        drawn = q[list(order)]
        found[list(order)] += np.prod(drawn / (q.sum() - np.append(0.0, np.cumsum(drawn)[:-1])))
    return found


@pytest.mark.parametrize("design", [Sequential(), Sequential(norm=2), Sequential(defensive=0.3)])
def test_inclusion_comes_close_to_that_of_the_draws_it_is_made_with(design: Sequential) -> None:
    """Those of a queue were shown, which are off by up to 0.18 here: its sizes are √E d², and its largest items certain."""
    pool, _ = binary(7)
    problem = Problem(pool, {resolve("f1"): 1.0}, Shrunk())
    q = design.chances(problem, (), problem.held)
    for budget in (1, 3, 5):
        assert np.abs(design.inclusion(problem, budget) - included(q, budget)).max() < 0.03


def test_successive_draws_have_their_chance_among_the_items_left(rng: np.random.Generator) -> None:
    h = np.array([3.0, 1.0, 0.0, 0.5, 2.5])
    order, q = successive(rng.random(5), h, 5)
    assert sorted(order) == [0, 1, 3, 4]
    left = h.tolist()
    for item, chance in zip(order, q, strict=True):
        assert chance == pytest.approx(left[item] / sum(left), rel=1e-12)
        left[item] = 0.0


def test_each_round_of_a_sequence_has_numbers_of_its_own() -> None:
    """Items that one round leaves had large numbers in it: with the same numbers, the next round would depend on it."""
    pool, labels = binary(60)
    design = Sequential(first=5)
    problem = Problem(pool, {resolve("accuracy"): 1.0}, Shrunk(), seed=3)
    first = design.open(problem, [], problem.held, 20)
    assert first is not None
    index = first.queue
    answers = Evidence(index, labels.values[index], np.ones(len(index)))
    second = design.open(problem, [first], answers, 20)
    assert second is not None
    h = design.updated(problem, [first], answers).size
    with np.errstate(divide="ignore"):
        clocks = [np.where(h > 0, -np.log(problem.round_uniforms(r)) / h, np.inf) for r in (0, 1)]
    orders = [np.argsort(clock)[: len(second.queue)] for clock in clocks]
    np.testing.assert_array_equal(second.queue, orders[1])
    assert orders[0].tolist() != orders[1].tolist()
    assert abs(np.corrcoef(problem.round_uniforms(0), problem.round_uniforms(1))[0, 1]) < 0.5
