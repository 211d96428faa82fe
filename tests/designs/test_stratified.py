"""Strata that are joined favour no item."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool, create_study
from sampleval.designs import Problem, Stratified
from sampleval.estimators import StratifiedMean, weighted_mean
from sampleval.metrics import resolve
from sampleval.surrogates import Shrunk


@pytest.mark.parametrize("labels", [4, 5])
def test_joined_strata_do_not_favour_the_one_that_completes_a_pair(labels: int) -> None:
    """With as many strata as items; their answers alone would say .54 and .53, far beyond four standard errors."""
    truth = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 8)}), score="score")
    design, begun, found = Stratified(), Problem(pool, {resolve("prevalence"): 1.0}, Shrunk()), []
    for seed in range(600):
        problem = begun.reseeded(seed)
        opened = design.open(problem, (), problem.held, labels)
        assert opened is not None
        sample = design.sample(problem, [opened], labels)
        found.append(weighted_mean(StratifiedMean(), sample, truth[opened.queue, None])[0])
    assert abs(np.mean(found) - truth.mean()) < 4 * np.std(found) / np.sqrt(len(found))


def test_wherever_labelling_stops_each_stratum_has_its_share_of_the_labels() -> None:
    size = np.array([10, 30, 60])
    stratum = np.repeat([0, 1, 2], size)
    pool = Pool.from_frame(pd.DataFrame({"score": np.array([0.2, 0.5, 0.8])[stratum]}), score="score")
    study = create_study(
        pool, metric="prevalence", budget=100, preset="uniform", design=Stratified(by="equal-width", strata=3)
    )
    asked = np.cumsum([stratum[int(item.id)] == [0, 1, 2] for item in study.ask(100)], axis=0)
    assert np.abs(asked - np.arange(1, 101)[:, None] * size / 100).max() < 2


@pytest.mark.parametrize("column", ["length", "width"])
def test_strata_are_those_of_the_features_that_are_named(column: str, rng: np.random.Generator) -> None:
    frame = pd.DataFrame({"score": rng.random(40), "length": np.arange(40) % 2, "width": np.arange(40) // 20})
    pool = Pool.from_frame(frame, score="score", fields=["length", "width"])
    strata = Stratified(by="clusters", strata=2, columns=(column,)).stratify(pool)
    assert len(set(zip(strata.leaf, frame[column], strict=True))) == 2
