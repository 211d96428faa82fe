"""An interrupt, such as a notebook's, may come at any line: the study and its log are sound afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from linecache import getline
from types import FrameType
from typing import Any

import pytest

import sampleval
from sampleval.study import Study
from tests.studies import POOL, TRUTH, answered, begun

HOME = sampleval.__path__[0]


class Interrupt:
    """A trace function that interrupts at the k-th line of this library; `came` tells whether there were so many."""

    def __init__(self, k: int) -> None:
        self.left, self.came = k, False

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        # Python looks for signals where it calls something, never between the end of a `with` and its exit.
        if event == "line" and not getline(frame.f_code.co_filename, frame.f_lineno).strip().startswith(
            "with "
        ):
            self.left -= 1
            if not self.left:
                self.came = True
                raise KeyboardInterrupt
        return self


def interrupted(step: Callable[[], object], k: int) -> bool:
    """Whether the step had a k-th line, at which it was interrupted."""
    interrupt, before = Interrupt(k), sys.gettrace()
    sys.settrace(interrupt)
    try:
        step()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return interrupt.came


STEPS: dict[str, Callable[[Study], object]] = {
    "ask": lambda study: study.ask(3),
    "tell": lambda study: study.tell(study.item(4), 1),
    "tell_all": lambda study: study.tell_all([(study.item(4), 1), (study.item(5), 0)]),
    "undo": lambda study: study.undo(),
}


@pytest.mark.parametrize("step", STEPS)
def test_a_study_is_sound_after_an_interrupt_at_any_line(step: str) -> None:
    """One answer had counted twice, an answer taken back still stood, or the next round did not fit the log."""
    k = 0
    while True:
        k += 3 if step == "tell_all" else 1  # its lines are many, and mostly those of "tell"
        study = answered(begun(preset="uniform"), 4)
        if step in ("tell", "tell_all"):
            study.ask(2)
        before = study.events()
        if not interrupted(lambda study=study: STEPS[step](study), k):  # type: ignore[misc]
            break
        study.refresh()
        assert study.state == Study.replay(POOL, study.events()).state
        added = [event.what for event in study.events()[len(before) :]]
        assert len(added) in (0, 2 if step == "tell_all" else 1)
    assert k > 50


def test_a_study_whose_round_was_being_opened_goes_on_as_its_log_says() -> None:
    """The items of a round were asked that its own log did not know, so that no later round could be planned."""
    k = 0
    while True:
        k += 5  # planning has many lines
        study = answered(begun(preset="oasis", budget=4), 1)
        if not interrupted(study.ask, k):
            break
        while items := study.ask(5):
            study.tell_all((item, TRUTH[item.id]) for item in items)
        assert study.labels == study.budget
        assert study.state == Study.replay(POOL, study.events()).state
    assert k > 50
