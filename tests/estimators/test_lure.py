"""LURE is unbiased, and its weights are those of the papers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sampleval.designs import Singles, Successive
from sampleval.estimators import Lure, weighted_mean
from tests.estimators.listing import Paths, assert_unbiased, learned
from tests.reference import Floats


def sequential_paths(values: Floats, labels: int) -> Paths:
    """All orders of drawing without replacement, with chances that know the labels before."""
    n = len(values)
    base, truth = np.linspace(1, 2, n), (values[:, 0] > 0).astype(float)
    for order in itertools.permutations(range(n), labels):
        q = []
        for m, i in enumerate(order):
            left = learned(base, list(order[:m]), truth)
            left[list(order[:m])] = 0
            q.append(left[i] / left.sum())
        yield Singles.of(np.array(q), n), values[list(order)], float(np.prod(q))


def test_lure_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    values = rng.normal(size=(7, 2)) + 1
    assert_unbiased(Lure(), sequential_paths(values, 3), values)


@pytest.mark.parametrize("labels", [1, 2, 4, 5])
def test_lure_weights_are_the_papers(rng: np.random.Generator, labels: int) -> None:
    values = rng.normal(size=(5, 2))
    for sample, chosen, _ in sequential_paths(values, labels):
        assert isinstance(sample, Successive)
        m, q = np.arange(1, labels + 1), sample.inclusion
        with np.errstate(divide="ignore", invalid="ignore"):
            v = 1 + (5 - labels) / (5 - m) * (1 / ((5 - m + 1) * q) - 1)
        v = np.where(m == 5, 1.0, v)
        np.testing.assert_allclose(weighted_mean(Lure(), sample, chosen), (v[:, None] * chosen).mean(axis=0))
