"""Small populations, and every path through them that labels can lead to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sampleval.designs import Draws, Successive
from sampleval.estimators import Linear, Run, infer, weighted_mean
from sampleval.estimators.inference import Residuals
from sampleval.metrics import Metric
from tests.reference import Floats, poisson_samples

NOTHING = np.zeros(1)
Paths = Iterator[tuple[Draws | Successive, Floats, float]]


def population(rng: np.random.Generator, n: int) -> Floats:
    """Two loss components per item."""
    return rng.normal(size=(n, 2)).round(2)


def residuals(metric: Metric, run: Run, estimator: Linear) -> Residuals:
    """What an estimate leaves of the losses."""
    left = infer(metric, run, estimator).residuals
    assert left is not None
    return left


def assert_unbiased(
    estimator: Linear, paths: Paths, values: Floats, *, minus: bool = False, measurable: bool = True
) -> None:
    """Over all paths E R̂ is the mean of the values and E V̂ is Var R̂, or nan if the variance is not `measurable`."""
    first, second, spread, total = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for sample, chosen, p in paths:
        mean = weighted_mean(estimator, sample, chosen)
        first, second, total = first + p * mean, second + p * mean**2, total + p
        spread = spread + p * estimator.spread(sample, chosen, mean if minus else NOTHING).variance
    assert total == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(first, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(spread, second - first**2 if measurable else [np.nan, np.nan], atol=1e-12)


def learned(base: Floats, seen: list[int], labels: Floats) -> Floats:
    """A positive weight per item that depends on all labels seen, like a learned proposal."""
    return base + sum((0.3 + labels[i]) * np.roll(base, i + 1) for i in seen)


def bernoulli_paths(values: Floats, rounds: int, *, measurable: bool = True) -> Paths:
    """All samples without replacement in Bernoulli rounds, in which a round knows the labels before it."""
    n = len(values)
    base, labels = np.linspace(0.3, 0.5, n), (values[:, 0] > 0).astype(float)

    def extend(seen: list[int], parts: list[tuple[int, float]], p: float, r: int) -> Paths:
        if r == rounds:
            order = [i for i, _ in parts]
            assert order == seen
            yield sample_of(seen, parts, n, rounds), values[seen], p
            return
        b = np.minimum(learned(base, seen, labels) / (1 + len(seen)), 0.95)
        b[seen] = 0
        for chosen, chance in poisson_samples(b):
            extra = [(int(i), float(b[i])) for i in chosen]
            marks[r] = len(seen)
            if chance:
                yield from extend(seen + [i for i, _ in extra], parts + extra, p * chance, r + 1)

    marks = [0] * rounds

    def sample_of(seen: list[int], parts: list[tuple[int, float]], n: int, rounds: int) -> Successive:
        starts = np.array([*marks, len(seen)])
        return Successive(
            np.arange(len(seen)),
            np.repeat(np.arange(rounds), np.diff(starts)),
            np.array([b for _, b in parts]),
            np.ones(rounds),
            np.ones(rounds),
            n,
            np.full(rounds, measurable),
        )

    yield from extend([], [], 1.0, 0)
