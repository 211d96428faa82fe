"""Inclusion probabilities of successive draws, by enumeration of all orders of drawing."""

from itertools import permutations

import numpy as np
import pytest

from sampleval.designs import Problem, Sequential
from sampleval.metrics import resolve
from sampleval.surrogates import Shrunk
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
    for budget in range(1, 8):
        assert np.abs(design.inclusion(problem, budget) - included(q, budget)).max() < 0.03
