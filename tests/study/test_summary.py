"""A stored study in a line."""

from __future__ import annotations

from pathlib import Path

import sampleval as sv
from sampleval.study import summaries
from tests.studies import LABELS, begun


def test_the_list_of_studies_counts_what_the_study_counts(tmp_path: Path) -> None:
    study = begun(storage=(storage := f"sqlite:///{tmp_path / 's.db'}"), name="s")
    first, second = study.ask(2)
    study.tell(first, "spam", annotator="ada", uuid="a")
    study.tell(first, "ham", annotator="bob", uuid="b")
    study.tell(second, sv.SKIP, annotator="ada", uuid="c")
    study.undo(annotator="ada", answer="c", uuid="u")
    study.undo(annotator="ada", answer="c", uuid="u")
    study.tell(second, "ham", annotator=" Ada")
    study.extend(7)
    [line] = summaries(storage)
    assert (line.labels, line.budget, line.annotators) == (study.labels, study.budget, ("ada", "bob"))


def test_only_a_study_whose_items_are_all_answered_may_have_ended(tmp_path: Path) -> None:
    study = begun(storage=(storage := f"sqlite:///{tmp_path / 's.db'}"), name="s")
    told = []
    for asked, answers in ((0, 0), (5, 4), (1, 1), (7, 7)):
        if asked:
            study.ask(asked)
        study.answer(LABELS, answers)
        [line] = summaries(storage)
        told.append((line.labels, line.may_have_ended, line.full))
    assert told == [(0, False, False), (4, False, False), (5, True, False), (12, False, True)]
