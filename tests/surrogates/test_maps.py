"""Calibration maps are the penalised optimum, also of several systems, each with a slope of its own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, special

from sampleval.pool import Floats
from sampleval.surrogates.maps import LogisticMap, MapPrior, SoftmaxMap, lowered_solve

ITEMS, LABELS = 60, np.arange(25)


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_a_logistic_map_is_the_penalised_optimum(systems: int, rng: np.random.Generator) -> None:
    x, y, weight = rng.normal(0, 2, (systems, ITEMS)), rng.integers(0, 2, 25), rng.uniform(0.2, 5, 25)
    prior = MapPrior(1.5, (0.5, 0.7, 0.9)[:systems])
    centre, spread = np.array([0, 1, 0, 0])[: 1 + systems], np.array([1.5, 0.5, 0.7, 0.9])[: 1 + systems]

    def lost(at: Floats) -> float:
        z = at[0] + at[1:] @ x[:, LABELS]
        return float((((at - centre) / spread) ** 2).sum() / 2 - weight @ (y * z - np.logaddexp(0, z)))

    best = optimize.minimize(lost, centre, tol=1e-12).x
    found = LogisticMap(x, prior).probabilities(LABELS, y, weight)
    np.testing.assert_allclose(found, special.expit(best[0] + best[1:] @ x), atol=1e-5)


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_a_softmax_map_is_the_penalised_optimum(systems: int, rng: np.random.Generator) -> None:
    logs = tuple(np.asfortranarray(rng.normal(0, 2, (ITEMS, 4))) for _ in range(systems))
    y, weight = rng.integers(0, 4, 25), rng.uniform(0.2, 5, 25)
    centre, spread = np.zeros(4 + systems), np.array([1.5] * 4 + [0.5, 0.7, 0.9][:systems])
    centre[4] = 1.0

    def odds(at: Floats) -> Floats:
        return np.asarray(at[:4] + np.tensordot(at[4:], logs, 1))

    def lost(at: Floats) -> float:
        fit = weight @ special.log_softmax(odds(at)[LABELS], axis=1)[LABELS, y]
        return float((((at - centre) / spread) ** 2).sum() / 2 - fit)

    best = optimize.minimize(lost, centre, tol=1e-12).x
    model = SoftmaxMap(logs, MapPrior(1.5, (0.5, 0.7, 0.9)[:systems]))
    found = model.probabilities(LABELS, y, weight)
    np.testing.assert_allclose(found, special.softmax(odds(best), axis=1), atol=1e-5)
    np.testing.assert_array_equal(found[3:9], model.probabilities(LABELS, y, weight, slice(3, 9)))


@pytest.mark.parametrize("labels", [1, 30, 60, 200])
def test_with_fewer_labels_than_classes_a_step_is_that_of_the_whole_matrix(
    labels: int, rng: np.random.Generator
) -> None:
    """A step for 1,000 classes solved 1,000 equations, however few the labels: half of an estimate's time."""
    classes = 60
    p, weight = rng.dirichlet(np.full(classes, 0.1), labels), rng.uniform(0, 50, labels)
    diagonal, right = 0.4 + weight @ p, rng.normal(size=(classes, 2))
    whole = np.diag(diagonal) - p.T @ (weight[:, None] * p)
    found = lowered_solve(diagonal, np.sqrt(weight)[:, None] * p, right)
    np.testing.assert_allclose(found, np.linalg.solve(whole, right), rtol=1e-9, atol=1e-9)
