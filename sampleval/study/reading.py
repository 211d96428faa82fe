"""The readable side of a study: its settings, its items, its progress and its labels so far."""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from typing import Any

from sampleval import _checks
from sampleval._checks import InputError
from sampleval.designs import Sample
from sampleval.estimators import Run
from sampleval.events import Event
from sampleval.metrics import Metric, MetricLike, for_pool
from sampleval.numerals import as_written, many
from sampleval.pool import Pool, decode_label
from sampleval.presets import Method, tells_apart
from sampleval.storage import Log
from sampleval.study.answers import labels_of
from sampleval.study.assembly import assemble
from sampleval.study.item import Item
from sampleval.study.settings import Settings, own_metrics
from sampleval.study.state import State


class StudyReading:
    """`Study` as far as it can be read: its settings, its progress and what is known of its items. The class lies in three files."""

    def __init__(self, pool: Pool, log: Log, *, name: str = "", metrics: Iterable[Metric] = ()) -> None:
        self.name = name
        self._log = log
        self._turn = RLock()  # threads that share a study never see it halfway through an event
        self._latest, self._torn = State(pool, own_metrics(metrics)), False
        self._met: dict[str, Metric] = {}  # own metrics passed as objects, later found by name
        self.refresh()
        if not self.state.seen:
            remedy = "delete the study, or put back a copy of its database"
            _checks.fail("events", "must begin with the study's creation; there are none", remedy=remedy)

    @property
    def pool(self) -> Pool:
        """The scored items."""
        return self.state.pool

    @property
    def settings(self) -> Settings:
        """What was frozen when the study began."""
        return self.state.settings

    @property
    def method(self) -> Method:
        """The surrogate, design, estimator and interval."""
        return self.state.method

    @property
    def budget(self) -> int:
        """Labels allowed in all."""
        return self.state.budget

    @property
    def goal(self) -> float | None:
        """Half the width wanted of the first metric's interval, in its own unit; `None` if no goal is set."""
        return self.state.goal

    @property
    def labels(self) -> int:
        """Answers given so far, including skipped and unsure ones, which cost as much."""
        return len(self.state.given)

    @property
    def round(self) -> int:
        """Number of rounds planned so far."""
        return len(self.state.rounds)

    @property
    def scalars(self) -> list[str]:
        """Names of the metrics of this task that are a single number, with the pre-sampling ones first."""
        drawn = [metric.name for metric in self.state.problem.metrics if not metric.vector]
        return list(dict.fromkeys([*drawn, *for_pool(self.pool)]))

    def events(self) -> list[Event]:
        """The whole log, oldest first."""
        return [event for _, event in self._log.since(0)]

    def item(self, place: int) -> Item:
        """The item at a place of the queue.

        Args:
            place: Counted from 0.

        Raises:
            InputError: The queue has no such place.
        """
        place, length = _checks.count(place, "place"), len(self.state.queue)
        if place >= length:
            _checks.fail(
                "place", f"must be a place of the queue, which has {many(length, 'item')} so far", place
            )
        position = int(self.state.queue[place])
        cells = self.pool.fields
        fields = {str(name): as_written(cells[name].iloc[position]) for name in cells.columns}
        return Item(str(self.pool.ids[position]), place, fields)

    def _place(self, id: str | Item) -> int:
        """The place in the queue of an item that was asked, by this or another process; any other item is refused."""
        given: object = id
        if _checks.listable(given) and not isinstance(given, str | bytes):
            rule, remedy = "must be one item or id", "for many answers call tell_all(zip(ids, labels))"
            _checks.fail("id", rule, id, remedy=remedy)
        if (place := self.state.asked_place(id)) is None:
            self.refresh()
            place = self.state.asked_place(id)
        if place is None:
            what = id.id if isinstance(id, Item) else id
            _checks.fail("id", "must be an item that was asked", what, remedy="label what ask() returns")
        return place

    def metric(self, metric: MetricLike | None = None) -> Metric:
        """The metric of this name, by default the pre-sampling one.

        A metric of your own can be named once it has been passed to this study as an object.

        Raises:
            InputError: The name is unknown, or the pool does not have the system that it mentions.
        """
        try:
            meant = self.state.metric(metric)
            for system in meant.systems:  # a name that no system has may be that of a part
                self.pool.items.of(system)
        except InputError:
            if not isinstance(metric, str) or metric not in self._met:
                raise
            return self._met[metric]
        if isinstance(metric, Metric):
            self._met[metric.name] = metric
        return meant

    def run(self, k: int | None = None) -> Run | None:
        """The first k answers, or all if there are fewer, as the estimators take them; `None` if there are none.

        Args:
            k: At least 0; by default all answers count.

        Raises:
            InputError: k is out of range.
        """
        with self._turn:
            state, most = self.state, self.state.given.run_length
            upto = most if k is None else min(_checks.count(k, "k"), most)
            return state.memo.once(
                "run",
                lambda: assemble(state.problem, state.method, state.rounds, *state.given.labels(upto)),
                (state.seen, upto),
            )

    def sample(self, k: int | None = None) -> Sample:
        """The sample of the first k answered items, with the chances by which they were drawn.

        Args:
            k: From 1 to the length of the answered run; all of it by default.

        Raises:
            InputError: k is out of range, or there is no answer yet.
        """
        length = self.state.given.run_length
        if not length:
            raise InputError("the study needs an answer before its sample can be told; tell one")
        upto = length if k is None else _checks.count(k, "k", minimum=1, maximum=length)
        return self.method.design.sample(self.state.problem, self.state.rounds, upto)

    @property
    def impartial(self) -> bool:
        """Whether the labelled items were chosen by nothing but chance and the systems' scores.

        Such labels are representative of other items with similar scores, also in another study that has these scores.
        Labels chosen by anything else (features, a part of the pool, a person) need not be.
        """
        problem = self.state.problem
        alike = not tells_apart(problem.metrics, self.pool)
        return alike and not self.method.by_features and (not len(problem.held) or problem.held_random)

    def known_labels(self) -> dict[str, Any]:
        """A dictionary id → label of all labelled items, to pass to another study as labels held beforehand."""
        self.refresh()
        ids, task, held = self.pool.ids, self.pool.task, self.state.problem.held
        given = {str(ids[p]): decode_label(task, y) for p, y in zip(held.index, held.labels, strict=True)}
        return given | labels_of(task, self.state.given.counting)

    def refresh(self) -> None:
        """Read the events that this or another process has appended since the last look."""
        with self._turn:
            self._follow(self.state)

    @property
    def state(self) -> State:
        """The state that the log leads to, for reading only; made anew where an interrupt left it halfway through an event."""
        if self._torn:
            with self._turn:
                if self._torn:  # another thread may have made it meanwhile
                    whole = State(self._latest.pool, self._latest.custom)
                    self._follow(whole)
                    self._latest, self._torn = whole, False
        return self._latest

    def _follow(self, state: State) -> None:
        """Apply to a state the events that it has not seen."""
        for number, event in self._log.since(state.seen):
            try:
                state.apply(number, event)
            except InputError:  # what refuses an event has not begun to apply it
                raise
            except BaseException:  # such as a notebook's "interrupt the kernel"
                self._torn = True
                raise
