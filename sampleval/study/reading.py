"""What a study tells of itself: its settings, its items, how far it is, and the labels so far."""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from typing import Any

from sampleval import _checks
from sampleval._checks import InputError
from sampleval.designs import Sample
from sampleval.estimators import Run
from sampleval.events import Event
from sampleval.metrics import Metric, for_pool
from sampleval.numerals import many
from sampleval.pool import Pool, decode_label
from sampleval.presets import Method, telling_apart
from sampleval.storage import Log
from sampleval.study.item import Item
from sampleval.study.settings import MetricLike, Settings, own_metrics
from sampleval.study.state import State


class Reading:
    """What can be read of a study's log, folded: its settings, how far it is, and what is known of its items."""

    def __init__(self, pool: Pool, log: Log, *, name: str = "", metrics: Iterable[Metric] = ()) -> None:
        self.name = name
        self._log = log
        self._turn = RLock()  # threads that share a study see it whole, before or after an event
        self._state = State(pool, own_metrics(metrics))
        self._met: dict[str, Metric] = {}  # asked for as such: what tells of them asks by name
        self._run_at: tuple[tuple[int, int], Run | None] | None = None
        self.refresh()
        if not self._state.seen:
            remedy = "delete the study, or put back a copy of its database"
            _checks.fail("events", "must begin with the study's creation; there are none", remedy=remedy)

    @property
    def pool(self) -> Pool:
        """The scored items."""
        return self._state.pool

    @property
    def settings(self) -> Settings:
        """What was frozen when the study began."""
        return self._state.settings

    @property
    def method(self) -> Method:
        """The cell of the three axes."""
        return self._state.method

    @property
    def budget(self) -> int:
        """Labels allowed in all."""
        return self._state.budget

    @property
    def goal(self) -> float | None:
        """Half the width wanted of the first metric's interval, in its own unit; `None` if no goal is set."""
        return self._state.goal

    @property
    def labels(self) -> int:
        """Answers given so far, skipped and unsure ones included: they cost as much."""
        return len(self._state.given)

    @property
    def round(self) -> int:
        """Number of rounds planned so far."""
        return len(self._state.rounds)

    @property
    def state(self) -> State:
        """The folded log, to read."""
        return self._state

    @property
    def scalars(self) -> list[str]:
        """Names of the metrics that are one number, for this task: the pre-sampling ones first."""
        drawn = [metric.name for metric in self._state.problem.metrics if not metric.vector]
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
        place, length = _checks.count(place, "place"), len(self._state.queue)
        if place >= length:
            _checks.fail(
                "place", f"must be a place of the queue, which has {many(length, 'item')} so far", place
            )
        position = int(self._state.queue[place])
        fields = {str(name): self.pool.fields[name].iloc[position] for name in self.pool.fields.columns}
        return Item(str(self.pool.ids[position]), place, fields)

    def _length(self, most: int | None, name: str) -> int:
        """Length of the answered run, or so many answers if it has more: what lies beyond it is not answered yet."""
        length = self._state.run_length()
        return length if most is None else min(_checks.count(most, name), length)

    def metric(self, metric: MetricLike | None = None) -> Metric:
        """The metric of this name, the pre-sampling one by default.

        A metric of your own is known by its name from the first time that this study is given it.

        Raises:
            InputError: An unknown name, or a system that the pool does not have.
        """
        try:
            meant = self._state.metric(metric)
        except InputError:
            if not isinstance(metric, str) or metric not in self._met:
                raise
            meant = self._met[metric]
        for system in meant.systems:
            self.pool.items.of(system)  # refuses a name that no system has
        if isinstance(metric, Metric):
            self._met[metric.name] = metric
        return meant

    def run(self, k: int | None = None) -> Run | None:
        """The first k answers, or all if there are no more, as the estimators see them; `None` if there are none at all."""
        with self._turn:
            k = self._length(k, "k")
            if self._run_at is None or self._run_at[0] != (self._state.seen, k):
                self._run_at = ((self._state.seen, k), self._state.run(k))
            return self._run_at[1]

    def sample(self, k: int | None = None) -> Sample:
        """With what chances the first k answered items came in.

        Args:
            k: From 1 to the length of the answered run; all of it by default.

        Raises:
            InputError: No such number, or no answer yet.
        """
        length = self._state.run_length()
        if not length:
            raise InputError("the study needs an answer before its sample can be told; tell one")
        return self._state.sample(length if k is None else _checks.count(k, "k", minimum=1, maximum=length))

    @property
    def impartial(self) -> bool:
        """Whether chance and the systems' scores alone chose whose label is known.

        Such labels speak for other items of like scores, in whatever study knows these; those chosen by what sets items
        of like scores apart (features, a part of the pool, a person) need not.
        """
        problem = self._state.problem
        alike = not telling_apart(problem.metrics, self.pool)
        return alike and not self.method.by_features and (not len(problem.held) or problem.held_random)

    def known_labels(self) -> dict[str, Any]:
        """Id → label of every labelled item, to import as certainties into another study."""
        self.refresh()
        ids, task, held = self.pool.ids, self.pool.task, self._state.problem.held
        given = {str(ids[p]): decode_label(task, y) for p, y in zip(held.index, held.labels, strict=True)}
        for answer in self._state.given.counting.values():
            if answer.what.kind == "label":
                given[answer.what.id] = decode_label(task, answer.what.label)
        return given

    def refresh(self) -> None:
        """Read the events that this or another process has appended since."""
        with self._turn:
            for number, event in self._log.since(self._state.seen):
                self._state.apply(number, event)
