"""Poisson sampling asks about as many as the budget."""

from __future__ import annotations

import numpy as np
import pytest

from sampleval import Pool
from sampleval.designs import Poisson, Problem
from sampleval.metrics import resolve
from sampleval.surrogates import Shrunk
from tests.designs.frames import frame


def test_poisson_asks_about_as_many_as_the_budget() -> None:
    pool = Pool.from_frame(frame(400), id="id", score="score", label="label")
    design, problem = Poisson(), Problem(pool, {resolve("f1"): 1.0}, Shrunk())
    rounds = [design.open(problem.reseeded(seed), (), problem.held, 60) for seed in range(200)]
    counts = [len(opened.queue) for opened in rounds if opened is not None]
    b = design.inclusion(problem, 60)
    assert b.sum() == pytest.approx(60, abs=1e-9)
    assert abs(np.mean(counts) - 60) < 5 * np.sqrt(b @ (1 - b) / 200)
