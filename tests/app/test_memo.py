"""Conclusions that all sessions of a server share."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from unittest.mock import patch

import pytest

from sampleval.study import Study, results
from sampleval.study.conclusions.estimate import conclude

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.ui.memo import MOST, Kept, once
from tests.app.steps import said


@pytest.mark.parametrize("page", ["Results", "Label"])
def test_of_many_who_open_a_page_the_first_one_concludes_for_all(
    page: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    study.tell_all((item, int(int(item.id[1:]) % 3 == 0)) for item in study.ask(30))
    with patch.object(results, "conclude", wraps=conclude) as concluded:
        first = said(opened(page))
        made = concluded.call_count
        assert said(opened(page)) == first
        assert made >= 6
        assert concluded.call_count <= made + 1  # what is left to allow for the goal


def test_those_who_need_a_conclusion_at_once_wait_for_one(study: Study) -> None:
    made = []

    def conclude() -> int:
        time.sleep(0.05)
        made.append(0)
        return len(made)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: once(study, ("slow",), conclude), range(8)))
    assert found == [1] * 8


def test_of_many_conclusions_the_oldest_is_dropped() -> None:
    kept = Kept()
    for key in range(MOST + 1):
        assert kept.once(key, partial(str, key)) == str(key)
    assert [*kept.made] == [*range(1, MOST + 1)]
    assert kept.once(0, lambda: "anew") == "anew"


def test_a_new_answer_or_another_study_is_concluded_from_anew(study: Study) -> None:
    items = study.ask(2)
    before = once(study, ("labels",), lambda: study.labels)
    study.tell(items[0], 1)
    assert [before, once(study, ("labels",), lambda: study.labels)] == [0, 1]
    other = Study.replay(study.pool, study.events()[:1])
    other.tell(other.ask(2)[0], 0)
    assert other.state.seen == study.state.seen
    assert once(other, ("labels",), lambda: "other") == "other"
