"""Scores as probabilities with finite log-odds."""

from __future__ import annotations

import numpy as np

from sampleval.surrogates.probabilities import drawn_in


def test_extreme_log_odds_are_compressed_and_the_others_are_as_they_were(rng: np.random.Generator) -> None:
    """Of 50,000 items of 1,000 classes each log-odds was compressed, and then most were taken as they were: 4 s."""
    odds = rng.normal(0, 20, (50, 40))
    found, far = drawn_in(odds, 1000), np.log(10_000)
    plain = np.sign(odds) * (far + 2.5 * np.log(np.maximum(np.abs(odds), far) / far))
    np.testing.assert_array_equal(found, np.where(np.abs(odds) > far, plain, odds))
    assert (np.abs(found) > far).any()
    assert (found[np.abs(odds) <= far] == odds[np.abs(odds) <= far]).all()
