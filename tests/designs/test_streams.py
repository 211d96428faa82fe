"""Streams of random numbers are independent."""

from __future__ import annotations

import numpy as np

from sampleval.designs import streams
from sampleval.designs.problem.hashing import uniforms


def test_streams_and_seeds_are_independent() -> None:
    ids = np.array([f"i{k}" for k in range(20_000)], object)
    u, v, w = uniforms(ids, 1), uniforms(ids, 2), uniforms(ids, 1, "round 1")
    for other in (v, w):
        assert abs(np.corrcoef(u, other)[0, 1]) < 0.03
    assert abs(u.mean() - 0.5) < 0.01


def test_every_use_of_a_seed_has_a_number_of_its_own() -> None:
    numbers = [number for name, number in vars(streams).items() if name.isupper()]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
