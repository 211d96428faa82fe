"""Several processes, threads or copies of one study: what one decides, the others meet."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import sampleval as sv
from sampleval import frames
from sampleval.events import Event
from sampleval.storage import Log, MemoryLog
from sampleval.study import Study, results
from sampleval.study.conclusions.estimate import conclude
from sampleval.study.conclusions.future import About
from tests.studies import POOL, TRUTH, answered, begun


class Overtaken:
    """A log to which somebody else always appends just before the next decision."""

    def __init__(self, log: Log, meanwhile: Callable[[], object]) -> None:
        self._log, self._meanwhile = log, meanwhile

    def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
        if after is not None:
            meanwhile, self._meanwhile = self._meanwhile, lambda: None
            meanwhile()
        return self._log.append(events, after=after, seen=seen)

    def since(self, seq: int) -> list[tuple[int, Event]]:
        return self._log.since(seq)


def pair(**options: Any) -> tuple[MemoryLog, Study]:
    """A log and a study on it, as another process would have it open."""
    log = MemoryLog(begun(**options).events())
    return log, Study(POOL, log)


def test_two_processes_that_open_a_round_at_once_both_get_its_items() -> None:
    log, other = pair()
    study = Study(POOL, Overtaken(log, lambda: other.ask(2)))
    assert [item.place for item in study.ask(3)] == [0, 1, 2]
    assert study.state == Study.replay(POOL, [e for _, e in log.since(0)]).state
    assert study.round == 1


def test_a_log_that_refuses_for_what_it_does_not_tell_is_damaged() -> None:
    """With a damaged index in its database, `ask` had never ended."""

    class Torn(Overtaken):
        def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
            return after is None and super().append(events)

    log, _ = pair()
    with pytest.raises(
        sv.InputError, match="`log` must tell what happened after event 1; the log is damaged"
    ):
        Study(POOL, Torn(log, lambda: None)).ask(1)


def overtaken_by_corrections(preset: str, how: type[Overtaken]) -> tuple[MemoryLog, Study, Study]:
    """A study about to open its second round, and another process that turns the first one's answers round."""
    log, other = pair(preset=preset, budget=30)
    first = other.ask(30)
    other.tell_all([(item, TRUTH[item.id]) for item in first])
    assert other.round == 1
    corrected = [(item, "ham" if TRUTH[item.id] == "spam" else "spam") for item in first]
    return log, Study(POOL, how(log, lambda: other.tell_all(corrected))), other


@pytest.mark.parametrize("preset", ["active-testing", "marchant-flat", "yilmaz-online-bs"])
def test_a_round_is_planned_from_the_answers_before_it_in_the_log(preset: str) -> None:
    """A correction slips in between planning and opening: the plan is made anew, or replay would refuse it."""
    log, study, _ = overtaken_by_corrections(preset, Overtaken)
    assert study.ask(1)
    assert study.round == 2
    assert study.state == Study.replay(POOL, [e for _, e in log.since(0)]).state


def test_the_control_a_plan_from_older_answers_cannot_be_replayed() -> None:
    class Careless(Overtaken):
        def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
            return super().append(events, after=after) or self._log.append(events)

    _, study, _ = overtaken_by_corrections("marchant-flat", Careless)
    with pytest.raises(sv.InputError, match="cannot be remade"):
        study.ask(1)


def test_extensions_decided_at_once_add_up() -> None:
    log, other = pair()
    study = Study(POOL, Overtaken(log, lambda: other.extend(3)))
    study.extend(2)
    assert study.budget == 17


def test_what_is_set_is_compared_with_what_another_process_set_last() -> None:
    """The first to set something could not set it again, and nothing said so."""
    log, one = pair()
    other = Study(POOL, log)
    for text, half in (("x", 0.1), ("y", 0.2), ("x", 0.1)):
        one, other = other, one
        one.guide(text)
        one.aim(half)
    assert (one.state.guidelines, one.goal) == ("x", 0.1)
    other.refresh()
    assert (other.state.guidelines, other.goal) == ("x", 0.1)


def test_what_another_process_told_is_in_the_history_and_among_the_known_labels(tmp_path: Path) -> None:
    study = begun(storage=f"sqlite:///{tmp_path / 'studies.db'}", name="s")
    other, third = (sv.load_study("s", f"sqlite:///{tmp_path / 'studies.db'}") for _ in range(2))
    answered(study, 9)
    assert frames.estimates(other.history()).equals(frames.estimates(study.history()))
    assert third.known_labels() == study.known_labels()


def test_estimates_of_one_call_rest_on_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process had answered between the estimates of two metrics."""
    log, study = pair()
    other = Study(POOL, log)
    other.tell(other.ask()[0], POOL.task.classes[0])

    def overtaken(*args: Any, **more: Any) -> Callable[[float], sv.Estimate]:
        other.tell(other.ask()[0], POOL.task.classes[0])
        return conclude(*args, **more)

    monkeypatch.setattr(results, "conclude", overtaken)
    assert {found.labels for found in study.estimates(["f1", "recall", "accuracy"])} == {1}
    assert study.estimate().labels > 2


def test_limits_of_all_levels_rest_on_the_same_labels() -> None:
    """Another process had answered between the levels of a picture."""
    log, study = pair()
    other = Study(POOL, log)
    for item in other.ask(4):
        other.tell(item, TRUTH[item.id])
    abouts: list[About] = ["pool", "future"]
    for about in abouts:
        limits = study.limits("accuracy", interval="logit", about=about)
        before = [
            study.estimate("accuracy", level=level, interval="logit", about=about).interval
            for level in (0.5, 0.9)
        ]
        other.tell(other.ask()[0], POOL.task.classes[0])
        assert [limits(0.5), limits(0.9)] == before
        assert study.estimate("accuracy", level=0.5, interval="logit", about=about).interval != before[0]
    with pytest.raises(sv.InputError, match="`level`"):
        limits(90)


@pytest.fixture
def restless() -> Iterator[None]:
    """Make threads take turns as often as possible."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("stored", [False, True])
def test_threads_may_share_a_study(stored: bool, tmp_path: Path) -> None:
    """Two threads had applied one event and reported a damaged log, or had damaged it by opening a round twice."""
    url = f"sqlite:///{tmp_path / 's.db'}" if stored else None
    study = begun(preset="oasis", storage=url)

    def work(_: int) -> None:
        while items := study.ask(2):
            for item in items:
                study.tell(item, TRUTH[item.id])
            study.estimate()

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    assert study.labels == study.budget
    assert Study.replay(POOL, study.events()).state == study.state


# ---------------------------------------------------------------- copies


def pickled(study: Study) -> Study:
    again: Study = pickle.loads(pickle.dumps(study))
    return again


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("metric", ["f1", "f3"])
def test_a_copy_is_the_same_study(again: Callable[[Study], Study], metric: str) -> None:
    study = answered(begun(metric=metric), 5)
    found = again(study)
    assert found.state == study.state
    assert found.estimate() == study.estimate()
    answered(found, 2)
    study.refresh()
    assert study.labels == (
        7 if again is copy.copy else 5
    )  # a plain copy shares the log, as a second handle does


def test_a_stored_study_says_how_to_open_it_elsewhere(tmp_path: Path) -> None:
    study = begun(storage=f"sqlite:///{tmp_path / 's.db'}", name="s")
    for again in (copy.deepcopy, pickled):
        with pytest.raises(TypeError, match="load_study"):
            again(study)
    answered(copy.copy(study), 2)
    study.refresh()
    assert study.labels == 2
