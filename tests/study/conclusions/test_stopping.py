"""Why there are no intervals for any look: one reason, told to a programmer and to a person."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study.conclusions.anytime import WHERE_KNOWN, Obstacle, obstacle

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui.results import stopping

SHARES = pd.DataFrame({"score": np.linspace(0.05, 0.95, 40)})
NUMBERS = pd.DataFrame({"predicted_price": np.linspace(1.0, 9.0, 40)})


@pytest.mark.parametrize(
    ("frame", "options", "about", "found", "said"),
    [
        (SHARES, {"preset": "queue"}, "pool", None, ""),
        (SHARES, {"preset": "queue"}, "future", "future", "about this pool only"),
        (SHARES, {"preset": "stratified"}, "pool", "design", "is not known for design 'stratified'"),
        (
            SHARES,
            {"preset": "yilmaz-is", "oracle": "stochastic"},
            "pool",
            "stochastic",
            "the same label each time",
        ),
        (NUMBERS, {"preset": "queue"}, "pool", "kind", "two or more classes"),
    ],
)
def test_one_obstacle_is_told_in_python_and_on_the_page(
    frame: pd.DataFrame, options: dict[str, Any], about: Any, found: Obstacle | None, said: str
) -> None:
    metric = "accuracy" if frame is SHARES else "rmse"
    study = sv.create_study(sv.Pool.from_frame(frame), metric=metric, budget=20, seed=1, **options)
    study.tell_all([(item, 1) for item in study.ask(5)])
    assert obstacle(study.state.problem, study.method, about) == found
    if found is None:
        study.estimate(interval="anytime", about=about)
        return
    with pytest.raises(sv.InputError, match=said):
        study.estimate(interval="anytime", about=about)
    excuse = stopping.excuse(found, study.method)
    assert excuse.startswith("They are")
    assert "`" not in excuse


def test_every_obstacle_to_anytime_intervals_has_words() -> None:
    assert {*WHERE_KNOWN, "design"} == set(get_args(Obstacle))
