"""Beliefs: the label sets and numbers that they tell apart, listed one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sampleval.pool import Task
from sampleval.surrogates import Belief
from sampleval.surrogates.belief import EXTREME


@pytest.mark.parametrize("exceptions", [1, 2, 5, 9])
def test_exceptions_and_the_other_sets_share_the_probability_of_all_sets(
    exceptions: int, rng: np.random.Generator
) -> None:
    """Of three labels, whose eight sets are listed; exceptions may repeat, and may be all of them."""
    task, n = Task("multilabel", ("a", "b", "c")), 40
    belief = Belief(task, rng.random((n, 3)))
    sets = rng.integers(0, 2, (exceptions, n, 3)).astype(np.int8)
    *told, (rest, other) = belief.apart(iter(sets))
    for k in range(n):
        chance = {
            y: np.where(y, belief.mean[k], 1 - belief.mean[k]).prod() for y in product((0, 1), repeat=3)
        }
        found = dict.fromkeys(chance, 0.0)
        for p, y in told:
            found[tuple(y[k].tolist())] += p[k]
        excepted = {tuple(y.tolist()) for y in sets[:, k]}
        left = sum(p for y, p in chance.items() if y not in excepted)
        assert found == pytest.approx({y: p if y in excepted else 0.0 for y, p in chance.items()})
        assert rest[k] == pytest.approx(left, abs=1e-12)
        assert tuple(other[k].tolist()) not in excepted or rest[k] == 0


def test_a_number_may_be_as_believed_or_far_off_on_either_side() -> None:
    belief = Belief(Task("regression"), np.array([3.0, 5.0]), np.array([1.0, 2.0]))
    found = np.sort(np.stack(list(belief.candidates())), axis=0)
    np.testing.assert_allclose(
        (found - belief.mean) / belief.sd, np.array([[-EXTREME], [0], [EXTREME]]) * np.ones(2)
    )


def test_of_too_many_labels_to_list_each_may_be_unlike_the_likeliest() -> None:
    """Only the first four of twelve labels were: how far a metric of the others may move was too small."""
    belief = Belief(Task("multilabel", tuple("abcdefghijkl")), np.random.default_rng(0).random((5, 12)))
    likely, *others = belief.candidates()
    np.testing.assert_array_equal(likely, belief.mean > 0.5)
    assert [(other != likely).sum(axis=0).tolist() for other in others] == (
        5 * np.eye(12, dtype=int)
    ).tolist()
