"""How far the labelling is, and how long the rest will take."""

from __future__ import annotations

from math import isnan

import sampleval as sv
from sampleval.study import all_known, progress
from tests.pools import binary
from tests.studies import begun


def test_progress_estimates_the_time_left_from_the_pace() -> None:
    study = begun()
    for seconds, item in zip((2.0, 4.0, 60.0, 3.0, 5.0), study.ask(5), strict=True):
        assert isnan(
            progress(study.state).left
        )  # the first answers are no pace: "16 min left" after one of them
        study.tell(item, "spam", annotator="ada", seconds=seconds)
    at = progress(study.state)
    assert (at.labels, at.budget, at.seconds, at.left) == (5, 12, 4.0, 7 * 4.0)
    assert progress(study.state, annotator="bob").seconds == 4.0
    for item in study.ask(5):
        study.tell(item, "spam", annotator="bob", seconds=9.0)
    assert progress(study.state, annotator="bob").seconds == 9.0
    for place in range(5):
        study.tell(study.item(place), "spam", annotator="eve", seconds=0.0)
    assert progress(study.state, annotator="eve").seconds == 0.0


def test_all_is_known_once_every_item_has_a_label_and_not_only_an_answer() -> None:
    pool, _ = binary(5)
    study = sv.create_study(pool, metric="accuracy", budget=5, preset="uniform", seed=1)
    first, *rest = study.ask(5)
    study.tell_all([(first, sv.SKIP), *((item, 1) for item in rest)])
    assert not all_known(study.state)
    study.tell(first, 1)
    assert all_known(study.state)
