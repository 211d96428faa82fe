"""The one object with state: a pool, a metric and one cell of the three axes, driven by ask and tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid4

import numpy as np

from sampleval import _checks
from sampleval._checks import InputError
from sampleval.designs import Design, Sample
from sampleval.estimators import Estimator
from sampleval.estimators.inference import Run
from sampleval.events import (
    Answered,
    Asked,
    Created,
    Event,
    Extended,
    Guided,
    Happening,
    Noted,
    Opened,
    Undone,
)
from sampleval.intervals import INTERVALS, probability_above
from sampleval.metrics import Metric, for_kind, resolve
from sampleval.pool import Labels, Pool, decode_label, encode_label
from sampleval.presets import DEFAULT, Method, method
from sampleval.storage import Log, MemoryLog, Storage, StudyRecord
from sampleval.study.estimate import About, Estimate, conclude
from sampleval.study.settings import MetricLike, Settings, Target, target
from sampleval.study.state import State, digest
from sampleval.surrogates import Surrogate


class Sentinel:
    """An answer that is not a label."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return self.kind.upper()


SKIP = Sentinel("skip")
UNSURE = Sentinel("unsure")


@dataclass(frozen=True, slots=True)
class Item:
    """An item to label.

    Attributes:
        id: Its id in the pool.
        row: Its place in the study's queue, from 0.
        fields: What to show, column by column.
    """

    id: str
    row: int
    fields: Mapping[str, Any]


class Study:
    """A labelling study. Make one with `create_study`, reopen it with `load_study`.

    Its state is its event log alone: `Study.replay(pool, study.events())` equals the study.
    """

    def __init__(self, pool: Pool, log: Log, *, name: str = "", metrics: Iterable[Metric] = ()) -> None:
        self.name = name
        self._log = log
        self._state = State(pool, {m.name: m for m in metrics})
        self._run_at: tuple[tuple[int, int], Run] | None = None
        self.refresh()

    @classmethod
    def replay(cls, pool: Pool, events: Iterable[Event], *, metrics: Iterable[Metric] = ()) -> Study:
        """The study that these events amount to, in memory."""
        return cls(pool, MemoryLog(events), metrics=metrics)

    # ------------------------------------------------------------------ what it is

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
    def labels(self) -> int:
        """Answers given so far, skipped and unsure ones included: they cost as much."""
        return sum(1 for answers in self._state.answers.values() if answers)

    @property
    def round(self) -> int:
        """Number of rounds planned so far."""
        return len(self._state.rounds)

    @property
    def state(self) -> State:
        """The folded log, to read."""
        return self._state

    def events(self) -> list[Event]:
        """The whole log, oldest first."""
        return [event for _, event in self._log.since(0)]

    # ------------------------------------------------------------------ ask and tell

    def ask(self, n: int = 1) -> list[Item]:
        """The next items to label: at most n of the open round, asked-and-untold ones first.

        Returns an empty list only at the end of the budget (or of what the design can reach).
        """
        _checks.count(n, "n", minimum=1)
        self.refresh()
        rows = self._state.open_rows()
        if not rows and self._open_round():
            rows = self._state.open_rows()
        rows = rows[:n]
        if rows and rows[-1] + 1 > self._state.asked:
            self._record(Asked(rows[-1] + 1))
        return [self.item(row) for row in rows]

    def item(self, row: int) -> Item:
        """The item at a row of the queue."""
        position = int(self._state.queue[row])
        fields = {str(name): self.pool.fields[name].iloc[position] for name in self.pool.fields.columns}
        return Item(str(self.pool.ids[position]), row, fields)

    def _open_round(self) -> bool:
        state = self._state
        if state.budget <= len(state.queue) and not state.method.design.random_size:
            return False
        planned = state.plan(state.budget)
        if planned is None or len(planned.queue) == 0:
            return False
        self._record(Opened(len(state.rounds), state.budget, digest(self.pool, planned)))
        return bool(self._state.open_rows())

    def tell(
        self,
        id: str | Item,
        label: Any,
        *,
        annotator: str = "",
        seconds: float | None = None,
        uuid: str | None = None,
    ) -> None:
        """Record the answer for an item that was asked; durable when this returns.

        Args:
            id: The item or its id.
            label: 0/1, a class name, a set of labels or a number, as the task has it; or `SKIP`, `UNSURE`.
                A second answer for the same item is a correction.
            annotator: Who says so.
            seconds: Time taken.
            uuid: Makes a repeated call harmless.

        Raises:
            InputError: The item was not asked, or the label does not fit the task.
        """
        if uuid is not None and uuid in self._state.uuids:
            return
        row = id.row if isinstance(id, Item) else self._row(str(id))
        kind = label.kind if isinstance(label, Sentinel) else "label"
        value = plain(encode_label(self.pool.task, label)) if kind == "label" else None
        what = Answered(row, str(self.pool.ids[self._state.queue[row]]), kind, value, seconds)
        self._record(what, annotator=annotator, uuid=uuid)

    def _row(self, id: str) -> int:
        row = self._state.rows.get(id)
        if row is None or row >= self._state.asked:
            self.refresh()
            row = self._state.rows.get(id)
        if row is None or row >= self._state.asked:
            raise InputError(
                f"`id` must be an item that was asked; got {id!r}; call ask() and label what it returns"
            )
        return row

    def undo(self, *, annotator: str = "", answer: str | None = None, uuid: str | None = None) -> Item | None:
        """Take back this annotator's last answer, skipped ones too; `None` if there is none.

        Args:
            annotator: Whose answer.
            answer: Uuid of the answer to take back in place of the last one.
            uuid: Makes a repeated call harmless.
        """
        self.refresh()
        if uuid is not None and uuid in self._state.known:
            return None
        mine = [
            (a.at, order, a, row)
            for order, (row, answers) in enumerate(self._state.answers.items())
            for a in answers
            if a.annotator == annotator and answer in (None, a.uuid)
        ]
        if not mine:
            return None
        last = max(mine, key=lambda entry: self._state.order[entry[2].uuid])
        self._record(Undone(last[2].uuid), annotator=annotator, uuid=uuid)
        return self.item(last[3])

    def note(self, id: str | Item, text: str, *, annotator: str = "", uuid: str | None = None) -> None:
        """Attach a remark to an asked item."""
        row = id.row if isinstance(id, Item) else self._row(str(id))
        self._record(Noted(row, str(text)), annotator=annotator, uuid=uuid)

    def guide(self, text: str, *, annotator: str = "") -> None:
        """Tell annotators what counts as which class; earlier guidelines stay in the log."""
        if text != self._state.guidelines:
            self._record(Guided(str(text)), annotator=annotator)

    def extend(self, labels: int) -> None:
        """Allow this many more labels."""
        _checks.count(labels, "labels", minimum=1)
        self._record(Extended(self.budget + labels))

    def answer(self, known: Labels, n: int, *, annotator: str = "oracle") -> int:
        """Let the known labels answer the next n items; returns how many they answered."""
        done = 0
        while done < n and (items := self.ask(n - done)):
            events = []
            for item in items:
                position = self._state.queue[item.row]
                label = plain(known.values[position]) if known.known[position] else None
                kind = "label" if known.known[position] else "unsure"
                events.append(Event(Answered(item.row, item.id, kind, label), annotator))
            self._log.append(events)
            self.refresh()
            done += len(items)
        return done

    # ------------------------------------------------------------------ conclude

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

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            level: Coverage of the interval; the study's by default.
            interval: Key in `INTERVALS`; the method's by default.
            about: "pool" for this pool's metric, "future" for items like these.
            labels: Use only the first so many answers of the queue.
        """
        self.refresh()
        chosen = self.metric(metric)
        family = _checks.choice(interval or self.method.interval, INTERVALS, "interval")
        length = self._state.run_length()
        k = length if labels is None else min(_checks.count(labels, "labels"), length)
        return conclude(
            chosen,
            self.run(k),
            self._state.problem,
            self.method,
            level=_checks.level(self.settings.level if level is None else level),
            family=family,
            about=about,
            waiting=self.labels - length,
        )

    def estimates(self, metrics: Sequence[MetricLike] | None = None, **options: Any) -> list[Estimate]:
        """All metrics of the task, or those named, from the same labels."""
        return [self.estimate(m, **options) for m in metrics or for_kind(self.pool.task.kind)]

    def probability_above(
        self,
        threshold: float,
        metric: MetricLike | None = None,
        *,
        interval: str | None = None,
        about: About = "pool",
    ) -> float:
        """How sure to be that the metric is at least this; see `intervals.probability_above`.

        Args:
            threshold: Value of the metric, in its own unit.
            metric: As in `estimate`.
            interval: As in `estimate`.
            about: As in `estimate`.
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
    ) -> list[Estimate]:
        """The estimate after 1, …, k answers, at up to `points` lengths of the run."""
        length = self._state.run_length()
        ks: list[int] = np.unique(np.linspace(min(1, length), length, min(points, length)).round()).tolist()
        return [self.estimate(metric, level=level, interval=interval, labels=int(k)) for k in ks]

    def metric(self, metric: MetricLike | None = None) -> Metric:
        """The metric of this name, the pre-sampling one by default."""
        if metric is None:
            return next(iter(self._state.problem.metrics))
        if isinstance(metric, str) and metric in self._state.custom:
            return self._state.custom[metric]
        return resolve(metric)

    def run(self, k: int | None = None) -> Run | None:
        """The first k answers as the estimators see them; `None` if there are none at all."""
        state = self._state
        k = state.run_length() if k is None else k
        if k == 0 and not len(state.problem.held):
            return None
        if self._run_at is None or self._run_at[0] != (state.seen, k):
            self._run_at = ((state.seen, k), self._run(k))
        return self._run_at[1]

    def _run(self, k: int) -> Run:
        state, problem = self._state, self._state.problem
        queue = state.queue[:k]
        labels, responded = state.labels(k)
        return Run(
            problem.pool.items.take(queue),
            labels,
            responded,
            problem.belief.take(queue),
            self.sample(k),
            problem.pool.items.take(problem.held.index),
            problem.held.labels,
        )

    def sample(self, k: int | None = None) -> Sample:
        """With what chances the first k answered items came in."""
        state = self._state
        return self.method.design.sample(state.problem, state.rounds, state.run_length() if k is None else k)

    def known_labels(self) -> dict[str, Any]:
        """Id → label of every labelled item, to import as certainties into another study."""
        state = self._state
        given = {
            str(self.pool.ids[p]): decode_label(self.pool.task, y)
            for p, y in zip(state.problem.held.index, state.problem.held.labels, strict=True)
        }
        for row, position in enumerate(state.queue):
            answer = state.current(row)
            if answer is not None and answer.what.kind == "label":
                given[str(self.pool.ids[position])] = decode_label(
                    self.pool.task, np.asarray(answer.what.label)
                )
        return given

    # ------------------------------------------------------------------ the log

    def refresh(self) -> None:
        """Read the events that this or another process has appended since."""
        for number, event in self._log.since(self._state.seen):
            self._state.apply(number, event)

    def _record(self, what: Happening, *, annotator: str = "", uuid: str | None = None) -> None:
        event = Event(what, annotator, uuid) if uuid else Event(what, annotator)
        self._log.append([event])
        self.refresh()


def create_study(
    pool: Pool,
    *,
    metric: Target,
    budget: int,
    preset: str | None = None,
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    estimator: str | Estimator | None = None,
    interval: str | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
    seed: int = 0,
    level: float = 0.9,
    oracle: Literal["deterministic", "stochastic"] = "deterministic",
    held: Mapping[str, Any] | Study | None = None,
    storage: str | Storage | None = None,
    name: str | None = None,
) -> Study:
    """Begin a study.

    Args:
        pool: The scored items.
        metric: Pre-sampling metric; a list or name → weight makes a joint target.
        budget: Labels allowed, a hard cap for every design except "poisson".
        preset: Name in `PRESETS`.
        surrogate: Registry key or options object in place of the preset's.
        design: The same for the design.
        estimator: The same for the estimator.
        interval: Key in `INTERVALS` in place of the preset's.
        shrinkage: λ in [0, 1]: how far to trust the scores as probabilities.
        defensive: δ in [0, 1]: share of the sampling spread evenly.
        seed: Makes every draw.
        level: Default level of intervals, in (0, 1).
        oracle: "stochastic" if repeated draws of one item are labelled anew.
        held: Labels known beforehand (id → label, or another study): certainties.
        storage: Database URL; without one the study lives in memory.
        name: Its name in the storage; must be new there.

    Raises:
        InputError: An argument out of range; the message names it, the value and the remedy.
    """
    metrics = target(metric)
    for chosen in metrics:
        if pool.task.kind not in chosen.kinds:
            raise InputError(
                f"`metric` {chosen.name!r} is not defined for {pool.task.kind} labels; "
                f"choose one of {', '.join(for_kind(pool.task.kind))}"
            )
    cell = method(
        preset,
        surrogate=surrogate,
        design=design,
        estimator=estimator,
        interval=interval,
        shrinkage=shrinkage,
        defensive=defensive,
    )
    settings = Settings(
        pool.fingerprint,
        {m.name: weight for m, weight in metrics.items()},
        cell.to_dict(),
        _checks.budget(budget, pool.size),
        seed,
        level,
        oracle,
        preset or ("" if design or estimator or surrogate else DEFAULT),
    )
    known = held.known_labels() if isinstance(held, Study) else dict(held or {})
    created = Created(settings.to_dict(), {id: plain(encode_label(pool.task, y)) for id, y in known.items()})
    if storage is None:
        return Study(pool, MemoryLog([Event(created)]), name=name or "", metrics=metrics)
    store = Storage.at(storage)
    record = StudyRecord(
        uuid4().hex, name or f"study-{uuid4().hex[:8]}", pool.fingerprint, datetime.now(UTC).isoformat()
    )
    store.save_pool(pool)
    store.add(record)
    store.log(record.id).append([Event(created)])
    return Study(pool, store.log(record.id), name=record.name, metrics=metrics)


def load_study(
    name: str, storage: str | Storage, *, metrics: Iterable[Metric] = (), pool: Pool | None = None
) -> Study:
    """Reopen a stored study; its pool is read from the storage.

    Args:
        name: The study's name.
        storage: Database URL.
        metrics: Metrics of your own that the study was made for.
        pool: The pool, if it is in memory already.

    Raises:
        InputError: No study of this name, or its pool is gone.
    """
    store = Storage.at(storage)
    record = store.find(name)
    if record is None:
        known = ", ".join(repr(r.name) for r in store.studies()[:5]) or "none"
        raise InputError(f"no study {name!r} in this storage; there are: {known}")
    if pool is None or pool.fingerprint != record.pool:
        pool = store.load_pool(record.pool)
    return Study(pool, store.log(record.id), name=record.name, metrics=metrics)


def plain(value: Any) -> Any:
    """A NumPy label as JSON-ready numbers."""
    return np.asarray(value).tolist()
