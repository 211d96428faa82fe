"""Poisson sampling asks about as many as the budget."""

from __future__ import annotations

import numpy as np
import pytest

from sampleval import Pool, create_study
from sampleval.designs import Poisson
from tests.designs.frames import frame


def test_poisson_asks_about_as_many_as_the_budget() -> None:
    pool = Pool.from_frame(frame(400), id="id", score="score", label="label")
    counts = []
    for seed in range(200):
        study = create_study(pool, metric="f1", budget=60, seed=seed, design=Poisson())
        counts.append(len(study.ask(400)))
    b = Poisson().inclusion(study.state.problem, 60)
    assert b.sum() == pytest.approx(60, abs=1e-9)
    assert abs(np.mean(counts) - 60) < 5 * np.sqrt(b @ (1 - b) / 200)
