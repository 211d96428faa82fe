"""How far the labelling is, and how long the rest will take."""

from __future__ import annotations

from sampleval.study import progress
from tests.studies import begun


def test_progress_estimates_the_time_left_from_the_pace() -> None:
    study = begun()
    for seconds, item in zip((2.0, 4.0, 60.0), study.ask(3), strict=True):
        study.tell(item, "spam", annotator="ada", seconds=seconds)
    at = progress(study.state)
    assert (at.labels, at.budget, at.seconds, at.left) == (3, 12, 4.0, 9 * 4.0)
    assert progress(study.state, annotator="bob").seconds == 4.0
    study.tell(study.ask(1)[0], "spam", annotator="bob", seconds=9.0)
    assert progress(study.state, annotator="bob").seconds == 9.0
    study.tell(study.item(0), "spam", annotator="eve", seconds=0.0)
    assert progress(study.state, annotator="eve").seconds == 0.0
