"""A study is the fold of its log: fresh, mid-way, in a second process, and whatever its users do."""

from __future__ import annotations

import copy
import json
import math
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import sampleval as sv
from sampleval.designs import DESIGNS, Stratified
from sampleval.events import Answered, Asked, Created, Event, Opened
from sampleval.intervals import INTERVALS
from sampleval.metrics import for_kind, resolve, within
from sampleval.numerals import number
from sampleval.presets import PRESETS
from sampleval.storage import Log, MemoryLog
from sampleval.study import Study, progress, results
from sampleval.study.conclusions import conclude
from tests.pools import binary, scored

POOL, LABELS = binary()
TRUTH = {str(id): POOL.task.classes[y] for id, y in zip(POOL.ids, LABELS.values, strict=True)}


def begun(**options: Any) -> Study:
    usual: dict[str, Any] = {"metric": "f1", "budget": 12, "seed": 7, "preset": "queue"}
    return sv.create_study(POOL, **(usual | options))


def answered(study: Study, n: int) -> Study:
    for item in study.ask(n):
        study.tell(item, TRUTH[item.id])
    return study


def exact(name: str) -> float:
    """The metric of the whole pool, computed from all its labels."""
    metric = resolve(name)
    risk = metric.loss(POOL.items, LABELS.values).mean(axis=0)
    return float(metric.value(risk)[0]) * (POOL.size if metric.total else 1)


# What people do, in any order, through two handles on one stored study.


class Labelling(RuleBasedStateMachine):
    """Two processes on one study: each must know what the log says, at any moment."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.url = f"sqlite:///{self.folder / 'studies.db'}"

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(
        preset=st.sampled_from(sorted(PRESETS)),
        budget=st.integers(1, 12),
        held=st.integers(0, 3),
        seed=st.integers(0, 3),
    )
    def begin(self, preset: str, budget: int, held: int, seed: int) -> None:
        known = dict(list(TRUTH.items())[:held])
        first = sv.create_study(
            POOL, metric="f1", budget=budget, preset=preset, seed=seed, held=known, storage=self.url, name="s"
        )
        self.handles = [first, sv.load_study("s", self.url, pool=POOL)]
        self.told: dict[str, list[tuple[str, Any]]] = {}  # what should stand: id → (annotator, answer)
        self.held = known

    @property
    def asked(self) -> list[str]:
        state = self.handles[0].state
        return [str(id) for id in POOL.ids[state.queue[: state.asked]]]

    @rule(who=st.integers(0, 1), n=st.integers(1, 5))
    def ask(self, who: int, n: int) -> None:
        items = self.handles[who].ask(n)
        self.handles[1 - who].refresh()
        assert len(items) <= n
        assert not {item.id for item in items} & {id for id, answers in self.told.items() if answers}
        assert not {item.id for item in items} & set(self.held)
        assert [item.place for item in items] == sorted(item.place for item in items)

    @precondition(lambda self: self.asked)
    @rule(
        who=st.integers(0, 1),
        pick=st.integers(0, 50),
        annotator=st.sampled_from(["", "ada"]),
        answer=st.sampled_from(["ham", "spam", sv.SKIP, sv.UNSURE]),
    )
    def tell(self, who: int, pick: int, annotator: str, answer: Any) -> None:
        """An answer, or a correction of one."""
        id = self.asked[pick % len(self.asked)]
        self.handles[who].tell(id, answer, annotator=annotator)
        self.told.setdefault(id, []).append((annotator, answer))
        self._history = [*getattr(self, "_history", []), (id, annotator)]

    @rule(who=st.integers(0, 1), annotator=st.sampled_from(["", "ada"]))
    def undo(self, who: int, annotator: str) -> None:
        item = self.handles[who].undo(annotator=annotator)
        mine = [k for k, (_, by) in enumerate(getattr(self, "_history", [])) if by == annotator]
        assert (item is None) == (not mine)
        if item is not None:
            id, _ = self._history.pop(mine[-1])
            assert item.id == id
            answers = self.told[id]
            del answers[max(k for k, (by, _) in enumerate(answers) if by == annotator)]

    @rule(who=st.integers(0, 1), more=st.integers(1, 4))
    def extend(self, who: int, more: int) -> None:
        before = self.handles[who].budget
        if before + more <= POOL.size - len(self.held):
            self.handles[who].extend(more)
            assert self.handles[who].budget == before + more

    @rule(who=st.integers(0, 1))
    def reopen(self, who: int) -> None:
        """The process was killed; another opens the study."""
        self.handles[who] = sv.load_study("s", self.url, pool=POOL)

    @invariant()
    def all_know_the_same(self) -> None:
        if not hasattr(self, "handles"):
            return
        for handle in self.handles:
            handle.refresh()
        one, two = self.handles
        assert one.state == two.state
        assert one.state == Study.replay(POOL, one.events()).state
        standing = {
            str(POOL.ids[one.state.queue[row]]): [
                (a.annotator, a.what.kind if a.what.kind != "label" else POOL.task.classes[a.what.label])
                for a in answers
            ]
            for row, answers in one.state.given.by_place.items()
        }
        expected = {
            id: [(by, x if isinstance(x, str) else x.kind) for by, x in answers]
            for id, answers in self.told.items()
            if answers
        }
        assert standing == expected
        assert one.labels == len(expected)
        if not one.method.design.random_size:
            assert len(one.state.queue) <= one.budget
        assert set(POOL.ids[one.state.queue]).isdisjoint(self.held)

    @invariant()
    def the_run_is_what_a_slow_look_finds(self) -> None:
        if not hasattr(self, "handles"):
            return
        state = self.handles[0].state
        rows = [row for row in range(len(state.queue)) if row not in state.given.by_place]
        assert state.open_places() == rows
        assert state.given.run_length == (rows[0] if rows else len(state.queue))
        labels, responded = state.given.labels(state.given.run_length)
        for row, (label, given) in enumerate(zip(labels, responded, strict=True)):
            what = state.given.by_place[row][-1].what
            assert given == (what.kind == "label")
            assert not given or label == what.label

    @invariant()
    def a_number_never_stands_without_its_interval(self) -> None:
        if hasattr(self, "handles"):
            found = self.handles[0].estimate("f1")
            assert math.isnan(found.value) or found.interval.low <= found.value <= found.interval.high
            assert not math.isnan(found.value) or found.note


Labelling.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestLabelling = Labelling.TestCase


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


def overtaken_by_corrections(preset: str, how: type[Overtaken]) -> tuple[MemoryLog, Study, Study]:
    """A study about to open its second round, and another process that turns the first one's answers round."""
    log, other = pair(preset=preset, budget=30)
    first = other.ask(30)
    other.tell_all([(item, TRUTH[item.id]) for item in first])
    assert other.round == 1
    corrected = [(item, "ham" if TRUTH[item.id] == "spam" else "spam") for item in first]
    return log, Study(POOL, how(log, lambda: other.tell_all(corrected))), other


def test_extensions_decided_at_once_add_up() -> None:
    log, other = pair()
    study = Study(POOL, Overtaken(log, lambda: other.extend(3)))
    study.extend(2)
    assert study.budget == 17


@pytest.mark.parametrize("k", [0, 5, 12])
@pytest.mark.parametrize("preset", PRESETS)
def test_replay_equals_the_study_midway_and_fresh(preset: str, k: int) -> None:
    study = begun(preset=preset)
    for _ in range(k):
        answered(study, 1)
    log = study.events()
    for end in range(1, len(log) + 1):
        midway = Study.replay(POOL, log[:end])
        midway_then_rest = Study.replay(POOL, [*midway.events(), *log[end:]])
        assert midway_then_rest.state == study.state
    stored = [Event.from_dict(json.loads(json.dumps(e.to_dict()))) for e in log]
    assert stored == log
    assert Study.replay(POOL, stored).state == study.state


@pytest.mark.parametrize("asked", [0, 20])
def test_another_pool_is_not_the_study_s(asked: int) -> None:
    """With equal ids, the same labels would be counted for other scores."""
    study = answered(begun(preset="uniform"), asked) if asked else begun()
    frame = scored().assign(score=1 - scored()["score"])
    other = sv.Pool.from_frame(frame, id="id", score="score", label="label", classes=("ham", "spam"))
    with pytest.raises(sv.InputError, match="`pool` must be the study's own; this is another"):
        Study.replay(other, study.events())


@pytest.mark.parametrize("events", [(), None, "x", ["x"], 5])
def test_what_is_no_log_is_refused(events: Any) -> None:
    with pytest.raises(sv.InputError, match="`events` must"):
        Study.replay(POOL, events)


def test_states_that_differ_are_not_equal() -> None:
    """The control: equality must see each kind of difference."""
    study = answered(begun(), 3)
    for other in (
        begun(),
        begun(seed=8),
        begun(budget=11),
        answered(begun(), 4),
        begun(held=dict([*TRUTH.items()][:1])),
    ):
        assert study.state != other.state
    last = study.state.given.current(2)
    assert last is not None
    flipped = "ham" if TRUTH[last.what.id] == "spam" else "spam"
    corrected = Study.replay(POOL, study.events())
    corrected.tell(last.what.id, flipped)
    assert corrected.state != study.state


def test_a_repeated_uuid_is_one_answer() -> None:
    study = begun()
    (item,) = study.ask(1)
    for _ in range(3):
        study.tell(item, "spam", uuid="same")
    study.ask(2)
    assert study.labels == 1
    assert sum(isinstance(e.what, Answered) for e in study.events()) == 1
    taken = study.undo(uuid="undo")
    assert taken is not None
    assert study.undo(uuid="undo") is None
    assert study.labels == 0


@pytest.mark.parametrize(
    "wrong", ["no-such-id", "item-999", sv.Item("item-000", 99, {}), sv.Item("x", 0, {}), 5, None]
)
def test_an_item_that_was_not_asked_is_refused(wrong: Any) -> None:
    study = begun()
    study.ask(2)
    with pytest.raises(sv.InputError, match="must be an item that was asked"):
        study.tell(wrong, "spam")
    assert study.labels == 0


def test_a_queued_item_that_was_not_handed_out_is_refused() -> None:
    study = begun()
    study.ask(2)
    later = str(POOL.ids[study.state.queue[5]])
    with pytest.raises(sv.InputError, match="was asked"):
        study.tell(later, "spam")


@pytest.mark.parametrize("label", ["eggs", 2, None, float("nan"), ["spam"], {"spam": 1}, b"\xff", ""])
def test_a_label_that_does_not_fit_is_refused_and_nothing_kept(label: Any) -> None:
    study = begun()
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match="`label`"):
        study.tell(item, label)
    with pytest.raises(sv.InputError, match="`label`"):
        study.tell_all([(item, "spam"), (item, label)])
    assert study.labels == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [("annotator", "a\0b"), ("annotator", "x" * 201), ("annotator", None), ("uuid", "x" * 65), ("uuid", ""), ("uuid", 5),
     ("seconds", float("nan")), ("seconds", "3"), ("annotator", "\ud800")],
)  # fmt: skip
def test_what_no_database_could_hold_is_refused(option: str, value: Any) -> None:
    study = begun()
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match=f"`{option}`"):
        study.tell(item, "spam", **{option: value})
    assert study.labels == 0


def test_a_second_answer_corrects_the_first() -> None:
    study = begun()
    (item,) = study.ask(1)
    study.tell(item, "ham")
    study.tell(item, "spam", annotator="ada")
    assert study.known_labels() == {item.id: "spam"}
    assert study.labels == 1
    study.undo(annotator="ada")
    assert study.known_labels() == {item.id: "ham"}
    assert study.undo(annotator="ada") is None


def test_answers_out_of_order_wait() -> None:
    study = begun(design="uniform")
    items = study.ask(4)
    for item in items[1:]:
        study.tell(item, TRUTH[item.id])
    waiting = study.estimate("accuracy")
    assert math.isnan(waiting.value)
    assert study.state.given.run_length == 0
    study.tell(items[0], TRUTH[items[0].id])
    found = study.estimate("accuracy")
    assert found.labels == 4
    assert "out of order" not in found.note
    study.ask(8)
    study.tell(study.item(6).id, "spam")
    assert "answers that wait for items before them: 1" in study.estimate("accuracy").note


def test_untold_items_come_first_and_in_order() -> None:
    study = begun()
    first = study.ask(4)
    study.tell(first[2], "ham")
    assert [item.id for item in study.ask(3)] == [first[0].id, first[1].id, first[3].id]
    assert [item.place for item in study.ask(6)] == [0, 1, 3, 4, 5, 6]


@pytest.mark.parametrize("design", ["priority", "importance", "uniform"])
def test_the_budget_is_a_hard_cap(design: str) -> None:
    study = begun(design=design, budget=5)
    assert study.answer(LABELS, 100) == 5
    assert study.ask(1) == []
    study.extend(3)
    assert study.answer(LABELS, 100) == 3
    assert study.ask(10) == []
    assert study.labels == study.budget == 8


def test_a_larger_budget_only_appends() -> None:
    small, large = begun(budget=6), begun(budget=12)
    small.ask(1)
    large.ask(1)
    small.extend(6)
    answered(small, 6)
    small.ask(6)
    assert small.state.queue.tolist() == large.state.queue.tolist()


@pytest.mark.parametrize("budget", [0, -1, POOL.size + 1, 2.5, "many", None])
def test_budgets_that_mean_nothing_are_refused(budget: Any) -> None:
    with pytest.raises(sv.InputError, match="`budget`"):
        begun(budget=budget)


@pytest.mark.parametrize(
    "metric", [[], {}, None, 3, [["f1"]], {"f1": 0}, {"f1": -1}, {"f1": math.nan}, {"f1": "much"}, ["f1", 2]]
)
def test_targets_that_mean_nothing_are_refused(metric: Any) -> None:
    with pytest.raises(sv.InputError, match="`metric` must"):
        begun(metric=metric)


@pytest.mark.parametrize(
    "metric", [["f1", "f1"], ["f1", "f1.0"], {"f1": 1, "f1.0": 3}, {"f1": 1, resolve("f1"): 3}]
)
def test_a_metric_named_twice_is_refused(metric: Any) -> None:
    """Otherwise the weight of one of them would be lost."""
    with pytest.raises(sv.InputError, match="`metric` must name each metric once; got 'f1'"):
        begun(metric=metric)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("f1_score", "f1"), ("roc_auc_score", "auc"), ("balanced_accuracy_score", "balanced_accuracy")],
)
def test_the_names_of_scikit_learn_lead_to_ours(name: str, meant: str) -> None:
    with pytest.raises(sv.InputError, match=f"did you mean '{meant}'"):
        begun(metric=name)


@pytest.mark.parametrize(
    ("option", "value"),
    [("surrogate", sv.Shrunk), ("surrogate", 3), ("design", sv.Shrunk()), ("estimator", Stratified()), ("held", 3), ("held", ["a"]),
     ("interval", 3), ("interval", []), ("preset", [])],
)  # fmt: skip
def test_parts_of_another_kind_are_refused(option: str, value: Any) -> None:
    with pytest.raises(sv.InputError, match=f"`{option}` must"):
        begun(**{option: value})


def test_an_interval_that_nobody_knows_is_refused_at_once() -> None:
    """The study had been created, and then each of its estimates failed."""
    with pytest.raises(sv.InputError, match="`interval` is not known; got 'betta'; did you mean 'beta'"):
        begun(interval="betta")


def test_numbers_from_numpy_are_numbers() -> None:
    half: Any = np.float32(0.5)
    study = begun(seed=np.int64(7), level=half, budget=np.int64(12), surrogate=sv.Shrunk(shrinkage=half))
    same = begun(seed=7.0, level=0.5, surrogate=sv.Shrunk(shrinkage=0.5))
    assert study.settings == same.settings
    assert answered(study, 12).estimate() == answered(same, 12).estimate()


def test_more_than_the_pool_is_refused() -> None:
    study = begun()
    with pytest.raises(
        sv.InputError,
        match="`labels` cannot exceed the 28 items that can be asked beyond the budget of 12; got 40",
    ):
        study.extend(POOL.size)
    assert study.budget == 12


def test_items_whose_label_is_held_are_no_room_for_the_budget() -> None:
    """A budget of all items with some of them held stood at 7 of 12 for good, and could be extended by what is held."""
    held = {id: TRUTH[id] for id in map(str, POOL.ids[:5])}
    study = begun(held=held, budget=POOL.size, metric="accuracy", preset="uniform")
    assert study.budget == POOL.size - 5
    answered(study, POOL.size)
    assert progress(study.state).share == 1.0
    assert progress(study.state).left == 0.0
    with pytest.raises(sv.InputError, match="`labels` cannot exceed the 0 items that can be asked"):
        study.extend(1)


def test_a_study_that_asks_no_more_is_done_and_has_no_room() -> None:
    """Precision: three items are predicted positive, and no other label can change it."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.9, 0.8, 0.7] + [0.2] * 27}), score="score")
    study = sv.create_study(pool, metric="precision", budget=10, preset="queue")
    for item in study.ask(10):
        study.tell(item, 1, seconds=4.0)
    at = progress(study.state)
    assert (at.labels, at.budget, at.left) == (3, 3, 0.0)
    with pytest.raises(sv.InputError, match="`labels` cannot exceed the 0 items that can be asked"):
        study.extend(5)


@pytest.mark.parametrize("preset", ["marchant-is", "yilmaz-is", "yilmaz-bs", "queue", "recommended"])
def test_whether_more_can_be_asked_is_known_at_once(preset: str) -> None:
    """A sample of the whole pool had been planned to find out, which took minutes with replacement."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.random.default_rng(0).beta(0.3, 3, 20_000)}))
    study = sv.create_study(pool, metric="f1", budget=20, preset=preset)
    while items := study.ask(20):
        study.tell_all([(item, item.place % 2) for item in items])
    start = perf_counter()
    study.extend(10)
    assert perf_counter() - start < 2
    assert study.ask(1)


def test_a_time_that_cannot_be_is_refused() -> None:
    study = begun()
    [item] = study.ask(1)
    with pytest.raises(sv.InputError, match="`seconds` must be"):
        study.tell(item, 1, seconds=-5)


def test_one_point_of_a_history_is_the_present() -> None:
    assert [e.labels for e in answered(begun(), 7).history(points=1)] == [7]


PARTS = [("preset", name) for name in PRESETS]
PARTS += [("design", name) for name in DESIGNS if name != "targeted"]  # that one comes with `recommended`


@cache
def census(axis: str, name: str) -> Study:
    """The study of this preset or design with every item labelled."""
    study = begun(**{axis: name}, budget=POOL.size, metric="accuracy")
    assert study.answer(LABELS, POOL.size) == POOL.size
    return study


@pytest.mark.parametrize("metric", for_kind("binary"))
@pytest.mark.parametrize("part", PARTS, ids="-".join)
def test_a_census_is_exact(part: tuple[str, str], metric: str) -> None:
    """M = N: the exact metric, width 0, whatever the method."""
    found = census(*part).estimate(metric)
    assert found.method == "census"
    assert found.value == pytest.approx(exact(metric), abs=1e-12)
    assert (found.variance, found.interval.width) == (0, 0)


def test_a_census_with_one_item_left_is_not_exact() -> None:
    """The control: one label short of everything there is a width."""
    study = begun(design="uniform", budget=POOL.size, metric="accuracy")
    study.answer(LABELS, POOL.size - 1)
    assert study.estimate("accuracy").interval.width > 0


@pytest.mark.parametrize("metric", ["precision", "f1", "recall"])
def test_all_that_can_matter_labelled_is_exact_too(metric: str) -> None:
    """Items whose label cannot move the metric are never asked; the rest being labelled, nothing is unknown."""
    study = begun(metric=metric, budget=POOL.size)
    study.answer(LABELS, POOL.size)
    assert study.ask(1) == []
    found = study.estimate(metric)
    assert found.value == pytest.approx(exact(metric), abs=1e-12)
    assert found.variance == pytest.approx(0, abs=1e-15)
    assert found.interval.width == pytest.approx(0, abs=1e-12)


def test_labels_held_beforehand_are_certainties() -> None:
    known = dict(list(TRUTH.items())[:15])
    study = begun(held=known, budget=25, metric="accuracy", design="uniform")
    study.answer(LABELS, 25)
    assert set(study.known_labels()) == set(TRUTH)
    found = study.estimate("accuracy")
    assert found.value == pytest.approx(exact("accuracy"))
    assert found.interval.width == 0
    assert found.labels == 25


@pytest.mark.parametrize("preset", PRESETS)
def test_where_every_label_is_held_nothing_is_asked_and_the_value_is_known(preset: str) -> None:
    study = begun(held=dict(TRUTH), budget=5, metric="accuracy", preset=preset)
    assert study.ask(3) == []
    found = study.estimate("accuracy")
    assert found.value == pytest.approx(exact("accuracy"))
    assert found.interval.width == 0


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs", "active-testing"])
def test_where_every_label_that_matters_is_held_the_value_is_known(preset: str) -> None:
    """The labels were "not enough", although no other was ever asked."""
    scores = np.linspace(0.02, 0.98, 40)
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(40), "score": scores}))
    found = {str(k): int(k % 4 > 0) for k in np.flatnonzero(scores >= 0.5)}
    study = sv.create_study(pool, metric="precision", budget=5, preset=preset, held=found)
    assert not study.ask(5)
    at = study.estimate()
    assert at.value == at.interval.low == at.interval.high == pytest.approx(np.mean(list(found.values())))
    assert np.isnan(study.estimate("recall").value)
    assert "never asks" in study.estimate("recall").note
    one_short = dict(list(found.items())[:-1])
    open_ = sv.create_study(pool, metric="precision", budget=5, preset=preset, held=one_short)
    assert np.isnan(open_.estimate().value)
    assert open_.ask(5)


def test_that_held_labels_are_a_random_sample_is_kept_and_asked_only_where_it_tells(tmp_path: Path) -> None:
    held = dict(list(TRUTH.items())[:15])
    study = begun(
        held=held, held_random=True, preset="recommended", storage=f"sqlite:///{tmp_path}/a.db", name="a"
    )
    study.answer(LABELS, 10)
    again = sv.load_study("a", f"sqlite:///{tmp_path}/a.db")
    assert again.state.problem.held_random
    assert again.estimate("f1") == study.estimate("f1")
    plain = begun(held=held, preset="recommended")
    plain.answer(LABELS, 10)
    assert plain.estimate("f1").value != study.estimate("f1").value
    for wrong, why in (
        ({}, "needs labels in `held`"),
        ({"held": held, "preset": "queue"}, "is for beliefs that learn"),
        ({"held": plain, "preset": "recommended"}, "needs labels that chance or scores chose"),
    ):
        with pytest.raises(sv.InputError, match=why):
            begun(held_random=True, **wrong)


@pytest.mark.parametrize("preset", ["queue", "stratified", "yilmaz-bs", "yilmaz-online-bs"])
def test_a_new_study_of_the_same_seed_draws_by_chance_what_the_old_one_left(preset: str) -> None:
    """It had drawn with the same random numbers: what was left had all been passed over, and counts were twice too high."""
    pool, known = binary(240, seed=8)
    errors = []
    for seed in range(40):
        old = sv.create_study(pool, metric="recall", budget=60, seed=seed, preset=preset)
        old.answer(known, 60)
        new = sv.create_study(pool, metric="f1", budget=30, seed=seed, preset=preset, held=old)
        assert new.answer(known, 30) > 10
        errors.append(new.estimate("positives").value - float(np.sum(known.values)))
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(len(errors))


@pytest.mark.parametrize("preset", ["uniform", "queue", "yilmaz-online-bs"])
def test_what_is_skipped_is_filled_in_with_what_the_labels_given_say_of_the_scores(
    preset: str, rng: np.random.Generator
) -> None:
    """Scores that the labels had shown to be too high had been used for skipped labels unchanged."""
    frame = scored(400, classes=("no", "yes"))
    frame["score"] = np.minimum(frame["score"] + 0.3, 1)
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    truth = dict(zip(frame["id"], frame["label"], strict=True))
    errors = []
    for seed in range(10):
        study = sv.create_study(pool, metric="f1", budget=120, seed=seed, preset=preset)
        while items := study.ask(120):
            study.tell_all([(item, sv.SKIP if rng.random() < 0.5 else truth[item.id]) for item in items])
        errors.append(study.estimate("positives").value - (frame["label"] == "yes").sum())
    assert abs(np.mean(errors)) < 20


def test_a_new_study_imports_the_labels_of_an_old_one() -> None:
    old = answered(begun(), 12)
    new = begun(metric="recall", seed=9, held=old)
    asked = {item.id for item in new.ask(12)}
    assert asked.isdisjoint(old.known_labels())
    assert new.known_labels() == old.known_labels()


FEATURED = sv.Pool.from_frame(
    pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(60)],
            "a.score": np.linspace(0.02, 0.98, 60),
            "b.score": np.linspace(0.98, 0.02, 60) ** 2,
            "x": np.arange(60.0) % 7,
            "part": ["u", "v"] * 30,
        }
    )
)


@pytest.mark.parametrize(
    ("how", "impartial"),
    [
        ({"metric": "f1", "preset": "queue"}, True),
        ({"metric": ["recall", "accuracy"], "preset": "recommended"}, True),
        ({"metric": "accuracy[a]", "preset": "queue"}, True),
        ({"metric": "accuracy[a - b]", "preset": "queue"}, True),
        ({"metric": ["f1", "f1[b]"], "preset": "queue"}, True),
        ({"metric": within(resolve("f1"), np.arange(60) % 2 == 0, "u"), "preset": "queue"}, False),
        ({"metric": "f1", "preset": "active-testing", "surrogate": "learned"}, False),
        ({"metric": "f1", "design": Stratified(by="k-d tree", columns=("x",))}, False),
        ({"metric": "f1", "preset": "queue", "held": {"i3": 1}}, False),
    ],
    ids=range(9),
)
def test_labels_of_a_study_teach_another_where_scores_and_chance_chose_them(
    how: dict[str, Any], impartial: bool
) -> None:
    old = sv.create_study(FEATURED, budget=20, **how)
    old.tell_all((item, item.place % 2) for item in old.ask(10))
    assert old.impartial is impartial
    new = sv.create_study(FEATURED, metric="f1", budget=20, preset="recommended", held=old)
    assert new.settings.held_random is impartial
    assert sv.create_study(
        FEATURED, metric="f1", budget=20, preset="recommended", held=new
    ).settings.held_random is (impartial)
    for unmoved in (
        sv.create_study(FEATURED, metric="f1", budget=20, preset="queue", held=old),
        sv.create_study(FEATURED, metric="f1", budget=20, held=old, held_random=False),
    ):
        assert not unmoved.settings.held_random
    if not impartial:
        with pytest.raises(sv.InputError, match="`held_random` needs labels that chance or scores chose"):
            sv.create_study(FEATURED, metric="f1", budget=20, held=old, held_random=True)


def test_a_study_that_was_taught_knows_something_before_its_first_question() -> None:
    old = sv.create_study(FEATURED, metric="f1", budget=20, preset="queue")
    old.tell_all((item, item.place % 2) for item in old.ask(20))
    new = sv.create_study(FEATURED, metric="f1", budget=20, preset="recommended", held=old)
    first = new.estimate("f1")
    assert first.labels == 0
    assert first.note == ""
    assert 0 < first.interval.width < 0.9
    assert new.estimate("accuracy[b]").note == ""
    assert "no answers yet" in new.estimate(within(resolve("f1"), np.arange(60) % 2 == 0, "u")).note
    untaught = sv.create_study(
        FEATURED, metric="f1", budget=20, preset="recommended", held=old, held_random=False
    )
    assert "no answers yet" in untaught.estimate("f1").note


@pytest.mark.parametrize("held", [{"nobody": "spam"}, {"item-000": "eggs"}, {"item-000": None}])
def test_held_labels_that_do_not_fit_are_refused_before_anything_is_stored(
    held: dict[str, Any], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    with pytest.raises(sv.InputError):
        begun(held=held, storage=url, name="s")
    assert sv.Storage.at(url).studies() == []


def test_ids_keep_their_spaces_wherever_they_are_named() -> None:
    """If ids begin with a space, labels by id had been refused, and so had answers by id."""
    frame = pd.DataFrame({"id": [f" a{k}" for k in range(20)], "score": np.linspace(0, 1, 20), "label": 1})
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool).by_id(pool)
    study = sv.create_study(pool, metric="f1", budget=5, held=dict(list(known.items())[:3]))
    (item,) = study.ask(1)
    study.tell(item.id, 1)
    assert (study.labels, len(study.known_labels())) == (1, 4)


def test_an_id_may_bear_spaces_that_the_pool_s_does_not() -> None:
    study = begun(held={" item-000": "spam"})
    assert study.known_labels() == {"item-000": "spam"}
    with pytest.raises(sv.InputError, match="`held` must name every item once"):
        begun(held={" item-000": "spam", "item-000": "ham"})


def test_skips_cost_budget_and_widen_the_interval() -> None:
    full, gappy = begun(metric="accuracy", design="uniform"), begun(metric="accuracy", design="uniform")
    answered(full, 12)
    for k, item in enumerate(gappy.ask(12)):
        gappy.tell(item, sv.SKIP if k in (2, 5) else TRUTH[item.id])
    assert gappy.labels == 12
    assert gappy.ask(1) == []
    assert gappy.estimate("accuracy").interval.width > full.estimate("accuracy").interval.width
    assert "items without an answer: 2" in gappy.estimate("accuracy").note
    skipped = np.isin(gappy.pool.ids, [gappy.item(2).id])
    part, rest = (within(resolve("accuracy"), members, "x") for members in (skipped, ~skipped))
    assert "items without an answer: 1" in gappy.estimate(part).note
    assert "items without an answer: 1" in gappy.estimate(rest).note


@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-online-bs"])
def test_where_all_items_were_asked_only_the_answers_not_given_are_open(preset: str) -> None:
    # With every decision right and one answer missing the interval was the whole range.
    pool, _ = binary(30)
    study = sv.create_study(pool, metric="accuracy", budget=30, preset=preset)
    while items := study.ask(30):
        for item in items:
            right = int(pool.pred[pool.position(item.id)])
            study.tell(item, sv.SKIP if item.place == 7 else right)
    interval = study.estimate().interval
    assert [interval.low, interval.high] == pytest.approx([29 / 30, 1.0])


def test_permuting_the_pool_changes_nothing(rng: np.random.Generator) -> None:
    order = rng.permutation(POOL.size)
    df = pd.DataFrame({"id": POOL.ids, "score": POOL.score, "text": POOL.fields["text"]})
    other = sv.Pool.from_frame(
        df.iloc[order], id="id", score="score", fields=["text"], classes=POOL.task.classes
    )
    here, there = begun(), sv.create_study(other, metric="f1", budget=12, seed=7, preset="queue")
    assert [i.id for i in here.ask(12)] == [i.id for i in there.ask(12)]


def test_repeated_draws_of_items_all_alike_do_not_hang_on_the_order_of_the_rows() -> None:
    """Shares of ½ ± one digit sent NumPy's draws another way: 1.30 for one order, 1.10 for another."""
    rng = np.random.default_rng(251)
    df = pd.DataFrame({"id": [f"i{k}" for k in range(int(rng.integers(5, 150)))]})
    df["pred"] = rng.normal(size=len(df))
    truth = dict(zip(df["id"], df["pred"] + rng.normal(size=len(df)), strict=True))
    found = []
    for rows in (df, df.sample(frac=1, random_state=251)):
        pool = sv.Pool.from_frame(rows, id="id", pred="pred", task="regression")
        study = sv.create_study(pool, metric="mae", budget=12, preset="marchant-is", seed=251)
        study.tell_all([(item, truth[item.id]) for item in study.ask(12)])
        found.append(study.estimate("mse").value)
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize("preset", ["recommended", "queue", "marchant-is"])
def test_the_largest_numbers_have_finite_estimates(preset: str) -> None:
    rows = pd.DataFrame({"pred": np.linspace(-1e70, 1e70, 300)})
    pool = sv.Pool.from_frame(rows, pred="pred", task="regression")
    study = sv.create_study(pool, metric="rmse", budget=40, preset=preset)
    study.tell_all([(item, -1e70) for item in study.ask(40)])
    for estimate in (study.estimate("mse"), study.estimate("rmse"), study.estimate("mae")):
        assert np.isfinite([estimate.value, estimate.variance, estimate.interval.high]).all()


def test_a_system_that_the_pool_does_not_have_is_refused_before_the_first_label() -> None:
    with pytest.raises(sv.InputError, match="`system` must be left out"):
        begun().estimate("f1[a]")


@pytest.mark.parametrize("family", [name for name in INTERVALS if name != "anytime"])
@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_every_metric_has_every_family_of_interval(preset: str, family: str) -> None:
    study = answered(begun(preset=preset, budget=20), 10)
    for estimate in study.estimates(interval=family):
        assert estimate.interval.low <= estimate.value <= estimate.interval.high or math.isnan(estimate.value)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_limits_about_future_items_allow_for_the_pool_too(preset: str) -> None:
    study = answered(begun(preset=preset, budget=24), 1)
    while study.ask():
        answered(study, 24)
    for metric in study.scalars:
        pool, future = study.estimate(metric), study.estimate(metric, about="future")
        np.testing.assert_equal(future.value, pool.value)
        assert future.interval.low <= pool.interval.low
        assert pool.interval.high <= future.interval.high
        if metric in ("f1", "accuracy", "ece", "brier") and not math.isnan(pool.value):
            assert future.variance > pool.variance
            assert future.interval.width > pool.interval.width


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda study: study.estimate(about="futur"), "`about` is not known.*'future'"),
        (lambda study: study.history(points=0), "`points` must be a whole number of at least 1"),
        (lambda study: study.estimate("f1[new]"), "`system` must be left out"),
        (lambda study: study.estimates(3), "`metrics` must be a list; got 3"),
        (lambda study: study.answer(None, 3), "`known` must be a Labels; got 'NoneType'"),
        (lambda study: study.answer(LABELS, -1), "`n` must be a whole number"),
        (lambda study: study.answer(binary(seed=5)[1], 3), "`known` must hold the labels of this pool"),
    ],
    ids=["about", "points", "system", "metrics", "none", "n", "known"],
)
def test_questions_that_mean_nothing_are_refused(ask: Callable[[Study], object], message: str) -> None:
    with pytest.raises(sv.InputError, match=message):
        ask(answered(begun(), 3))


@pytest.mark.parametrize("pool", [None, "pool.csv", LABELS, pd.DataFrame({"score": [0.5]})])
def test_what_is_no_pool_is_refused_with_the_way_to_one(pool: Any) -> None:
    frame = pd.DataFrame({"id": POOL.ids, "label": "ham"})
    for use in (
        lambda: sv.create_study(pool, metric="f1", budget=3),
        lambda: sv.plan(pool, metric="f1", budget=3),
        lambda: sv.plan_curve(pool, metric="f1"),
        lambda: sv.budget_for(pool, metric="f1", width=0.1),
        lambda: sv.simulate(pool, LABELS, budgets=[3]),
        lambda: sv.Labels.from_frame(frame, pool),
        lambda: LABELS.by_id(pool),
    ):
        with pytest.raises(sv.InputError, match=r"`pool` must be a Pool; .* Pool\.from_frame\(df\)"):
            use()


def test_a_label_refused_among_many_is_named_by_its_id() -> None:
    study = begun()
    one, two = study.ask(2)
    with pytest.raises(sv.InputError, match=rf"`label` must be .*; got 'maybe'.* \(id '{two.id}'\)"):
        study.tell_all([(one, "spam"), (two, "maybe")])
    held = {one.id: "spam", two.id: "maybe"}
    for use in (begun, partial(sv.plan, POOL, metric="f1", budget=3)):
        with pytest.raises(sv.InputError, match=rf"`held` must be .*; got 'maybe'.* \(id '{two.id}'\)"):
            use(held=held)


@pytest.mark.parametrize("option", ["annotator", "answer", "uuid"])
@pytest.mark.parametrize("value", [["a"], {}, 5])
def test_names_in_an_undo_that_are_none_are_refused(option: str, value: Any) -> None:
    study = answered(begun(), 2)
    with pytest.raises(sv.InputError, match=f"`{option}` must be text"):
        study.undo(**{option: value})
    assert study.labels == 2


def test_more_than_there_is_may_be_asked_for() -> None:
    assert len(begun().ask(10**30)) == 12


@pytest.mark.parametrize("answers", [None, 5, "ab", {"item-000": "spam"}, ["ab"], [("item-000",)], [5]])
def test_answers_that_are_no_pairs_are_refused(answers: Any) -> None:
    study = begun()
    study.ask(12)
    with pytest.raises(sv.InputError, match="`answers` must be pairs"):
        study.tell_all(answers)
    assert study.labels == 0


def test_metrics_may_come_in_an_array_or_a_series() -> None:
    names = np.array(["f1", "recall"])
    assert begun(metric=pd.Series(names)).settings.metrics == {"f1": 1.0, "recall": 1.0}
    assert [found.metric for found in answered(begun(), 5).estimates(names)] == ["f1", "recall"]  # type: ignore[arg-type]


def test_one_metric_may_be_named_where_several_may() -> None:
    study = answered(begun(), 5)
    assert study.estimates("f1") == study.estimates(resolve("f1")) == [study.estimate("f1")]


def test_history_ends_with_the_estimate() -> None:
    study = answered(begun(), 9)
    history = study.history("recall", points=4)
    assert [e.labels for e in history] == [1, 4, 6, 9]
    assert history[-1] == study.estimate("recall")
    assert begun().history() == []


def test_what_another_process_told_is_in_the_history_and_among_the_known_labels(tmp_path: Path) -> None:
    study = begun(storage=f"sqlite:///{tmp_path / 'studies.db'}", name="s")
    other, third = (sv.load_study("s", f"sqlite:///{tmp_path / 'studies.db'}") for _ in range(2))
    answered(study, 9)
    assert repr(other.history()) == repr(study.history())  # nan differs from nan
    assert third.known_labels() == study.known_labels()


def test_a_run_ends_where_the_answers_do() -> None:
    """Items that were asked and have no answer yet are not skipped ones."""
    study = answered(begun(), 5)
    study.ask(12)
    for most in (5, 8, 99):
        run = study.run(most)
        assert run is not None
        assert len(run.items) == 5


@pytest.mark.parametrize(
    "tamper",
    [
        lambda log: log[1:],
        lambda log: [log[0], *log],
        lambda log: [*log, Event(Answered(0, "somebody else", "label", 1))],
        lambda log: [*log, Event(Answered(99, "item-000", "label", 1))],
        lambda log: [*log, Event(Answered(-1, "item-000", "label", 1))],
        lambda log: [log[0], Event(Opened(0, 12, "0000000000000000"))],
    ],
    ids=["no beginning", "two beginnings", "other item", "other row", "negative row", "other queue"],
)
def test_a_log_of_something_else_is_refused(tamper: Any) -> None:
    log = answered(begun(), 3).events()
    assert isinstance(log[0].what, Created)
    tampered = [Event(e.what, e.annotator) for e in tamper(log)]
    with pytest.raises(sv.InputError):
        Study.replay(POOL, tampered)


def test_an_answer_of_another_kind_of_task_is_refused() -> None:
    study = begun()
    (item,) = study.ask(1)
    for label in (7, [0, 1], "spam", None, 0.5):
        with pytest.raises(sv.InputError):
            Study.replay(POOL, [*study.events(), Event(Answered(0, item.id, "label", label))])


def test_asking_never_writes_twice_what_is_known() -> None:
    study = begun()
    study.ask(3)
    before = len(study.events())
    study.ask(3)
    study.ask(1)
    assert len(study.events()) == before
    assert [type(e.what) for e in study.events()] == [Created, Opened, Asked]


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs"])
def test_a_study_that_asks_for_nothing_says_why(preset: str) -> None:
    pool = sv.Pool.from_frame(
        pd.DataFrame({"id": ["a", "b", "c"], "score": [0.1, 0.2, 0.4]}), id="id", score="score"
    )
    study = sv.create_study(pool, metric="precision", budget=3, preset=preset)
    assert study.ask() == []
    assert study.estimate().note == "no label can change precision here, so none is asked"
    assert (
        sv.create_study(pool, metric="accuracy", budget=3, preset=preset).estimate().note == "no labels yet"
    )


# In a notebook: shown, copied, pickled, shared by threads.


def pickled(study: Study) -> Study:
    again: Study = pickle.loads(pickle.dumps(study))
    return again


def test_a_study_shows_what_it_is_for_and_how_far_it_is(tmp_path: Path) -> None:
    assert (
        repr(answered(begun(metric=["f1", "recall"]), 3))
        == f"<Study f1 and recall, 3 of 12 labels, {POOL.size} items>"
    )
    stored = begun(storage=f"sqlite:///{tmp_path / 's.db'}", name="toxicity")
    assert repr(stored) == f"<Study 'toxicity': f1, 0 of 12 labels, {POOL.size} items>"


def test_an_estimate_prints_as_one_line_with_its_uncertainty() -> None:
    study = begun()
    assert str(study.estimate()) == "f1 unknown, 90% interval 0.00 to 1.00, 0 answers; no labels yet"
    found = answered(study, 3).estimate()
    assert str(found) == f"f1 {number(found.value)}, {found.interval}, 3 answers"


def test_an_item_shows_cut_texts_and_of_bytes_their_number() -> None:
    item = sv.Item("a", 0, {"image": b"\x89PNG" * 99, "text": "so " * 99})
    assert repr(item) == f"<Item 'a', place 0, {{'image': 396 bytes, 'text': '{('so ' * 99)[:58]}…}}>"


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


@pytest.mark.parametrize("nothing", [None, math.nan, np.float32("nan"), pd.NA, pd.NaT])
def test_no_label_is_refused_with_what_to_tell_instead(nothing: Any) -> None:
    study = sv.create_study(POOL, metric="f1", budget=4)
    (item,) = study.ask(1)
    with pytest.raises(sv.InputError, match=f"`label` must not be missing.*tell UNSURE.*id '{item.id}'"):
        study.tell(item, nothing)


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


@pytest.mark.parametrize("metric", ["f1[new]", "f1[new - old]", {"recall": 1.0, "f1[old]": 2.0}])
def test_a_system_that_the_pool_does_not_hold_is_refused_before_anything_is_kept(
    metric: Any, tmp_path: Path
) -> None:
    """Such a study had been stored, but could neither be asked nor be created again under its name."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    with pytest.raises(sv.InputError, match="the pool holds one system"):
        begun(metric=metric, storage=url, name="s")
    begun(storage=url, name="s")


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


def test_estimates_of_one_call_rest_on_the_same_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process had answered between the estimates of two metrics."""
    log, study = pair()
    other = Study(POOL, log)
    other.tell(other.ask()[0], POOL.task.classes[0])

    def overtaken(*args: Any, **more: Any) -> sv.Estimate:
        other.tell(other.ask()[0], POOL.task.classes[0])
        return conclude(*args, **more)

    monkeypatch.setattr(results, "conclude", overtaken)
    assert {found.labels for found in study.estimates(["f1", "recall", "accuracy"])} == {1}
    assert study.estimate().labels > 2
