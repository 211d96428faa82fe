"""What a study concludes from its labels: one half of `Study`; the other asks and records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from sampleval import _checks
from sampleval.designs import Sample
from sampleval.estimators import Run
from sampleval.events import Event
from sampleval.intervals import INTERVALS, probability_above
from sampleval.metrics import Metric, for_pool, named
from sampleval.numerals import many
from sampleval.pool import Pool, decode_label
from sampleval.presets import Method, telling_apart
from sampleval.storage import Log
from sampleval.study.conclusions import About, Estimate, JointEstimate, conclude, conclude_jointly
from sampleval.study.item import Item
from sampleval.study.settings import MetricLike, Settings, own_metrics
from sampleval.study.state import State


class Results:
    """What can be read of a study: its settings, how far it is, and what it concludes from the labels so far."""

    def __init__(self, pool: Pool, log: Log, *, name: str = "", metrics: Iterable[Metric] = ()) -> None:
        self.name = name
        self._log = log
        self._turn = RLock()  # threads that share a study see it whole, before or after an event
        self._state = State(pool, own_metrics(metrics))
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

    def estimate(
        self,
        metric: MetricLike | None = None,
        *,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
        labels: int | None = None,
    ) -> Estimate:
        """What is known now about a metric, whether or not the sample was drawn for it.

        One that is not defined for these labels is `nan`, and the note says so, as where the labels cannot tell yet.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            level: Coverage of the interval; the study's by default.
            interval: Key in `INTERVALS`; the method's by default.
            about: "pool" for this pool's metric, "future" for items like these.
            labels: Use only the first so many answers of the queue.

        Raises:
            InputError: A metric that is not known or has several components, or another argument out of range.
        """
        self.refresh()
        family = _checks.choice(self.method.interval if interval is None else interval, INTERVALS, "interval")
        _checks.choice(about, ("pool", "future"), "about")
        return conclude(
            self.metric(metric),
            self.run(self._length(labels, "labels")),
            self._state.problem,
            self.method,
            level=self._level(level),
            family=family,
            about=about,
            waiting=self._state.given.waiting,
        )

    def estimates(
        self,
        metrics: Sequence[MetricLike] | Metric | None = None,
        *,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
    ) -> list[Estimate]:
        """All `scalars`, or the one or more metrics named, from the same labels; see `estimate`.

        Raises:
            InputError: As of `estimate`.
        """
        chosen = self.scalars if metrics is None else named(metrics)
        return [self.estimate(metric, level=level, interval=interval, about=about) for metric in chosen]

    def curve(
        self, metric: MetricLike | None = None, *, level: float | None = None, labels: int | None = None
    ) -> JointEstimate:
        """What is known now about a metric of several components: a curve, classes, a confusion matrix.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            level: Coverage of its limits; the study's by default.
            labels: Use only the first so many answers of the queue.

        Raises:
            InputError: A metric that is not known, or another argument out of range.
        """
        self.refresh()
        return conclude_jointly(
            self.metric(metric),
            self.run(self._length(labels, "labels")),
            self._state.problem,
            self.method,
            level=self._level(level),
            waiting=self._state.given.waiting,
        )

    def _length(self, most: int | None, name: str) -> int:
        """Length of the answered run, or so many answers if it has more: what lies beyond it is not answered yet."""
        length = self._state.run_length()
        return length if most is None else min(_checks.count(most, name), length)

    def _level(self, level: float | None) -> float:
        """A level asked for, or the study's."""
        return _checks.level(self.settings.level if level is None else level)

    def probability_above(
        self,
        threshold: float,
        metric: MetricLike | None = None,
        *,
        interval: str | None = None,
        about: About = "pool",
    ) -> float:
        """How sure to be that the metric is at least this, in its own unit; see `intervals.probability_above`.

        Raises:
            InputError: A threshold that is no number; else as of `estimate`.
        """
        return probability_above(
            lambda level: self.estimate(metric, level=level, interval=interval, about=about).interval,
            _checks.real(threshold, "threshold"),
        )

    def history(
        self,
        metric: MetricLike | None = None,
        *,
        points: int = 60,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
    ) -> list[Estimate]:
        """The estimate after 1, …, k answers, at up to `points` lengths of the run, the present one among them.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            points: Most estimates, at least 1.
            level: Coverage of the intervals; the study's by default.
            interval: Key in `INTERVALS`; the method's by default.
            about: "pool" for this pool's metric, "future" for items like these.

        Raises:
            InputError: As of `estimate`.
        """
        self.refresh()
        length, points = self._state.run_length(), _checks.count(points, "points", minimum=1)
        ks: list[int] = np.unique(np.linspace(length, 1, min(points, length)).round()).tolist()
        return [self.estimate(metric, level=level, interval=interval, about=about, labels=int(k)) for k in ks]

    def metric(self, metric: MetricLike | None = None) -> Metric:
        """The metric of this name, the pre-sampling one by default.

        Raises:
            InputError: An unknown name, or a system that the pool does not have.
        """
        meant = self._state.metric(metric)
        for system in meant.systems:
            self.pool.items.of(system)  # refuses a name that no system has
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
            raise _checks.InputError("the study needs an answer before its sample can be told; tell one")
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
