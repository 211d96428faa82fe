"""Begin a study, or reopen a stored one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal
from uuid import uuid4

from sampleval import _checks
from sampleval.designs import Design
from sampleval.estimators import Estimator
from sampleval.events import Aimed, Created, Event, in_order, logged
from sampleval.intervals import LEVEL
from sampleval.metrics import Metric, Target, defined, target, unmistakable
from sampleval.planning import Held, beforehand
from sampleval.pool import Pool, checked
from sampleval.presets import DEFAULT, is_free, method_of, tells_apart, unrepeatable
from sampleval.storage import Log, MemoryLog, Storage, StudyRecord
from sampleval.study.answers import counting, labels_of, refuse_unreadable, standing
from sampleval.study.conclusions.anytime import refuse_any_look
from sampleval.study.item import json_ready
from sampleval.study.settings import OtherVersion, Settings, own_metrics
from sampleval.study.study import Study
from sampleval.surrogates import Evidence, Surrogate


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
    level: float = LEVEL,
    goal: float | None = None,
    oracle: Literal["deterministic", "stochastic"] = "deterministic",
    held: Held | None = None,
    held_random: bool | None = None,
    storage: str | Storage | None = None,
    name: str | None = None,
) -> Study:
    """Begin a study.

    >>> import numpy as np, pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 99)}))
    >>> study = create_study(pool, metric="accuracy", budget=99)
    >>> while items := study.ask(10):
    ...     study.tell_all((item, 1) for item in items)
    >>> float(pool.pred.mean()) == study.estimate().value  # if all are positive, so many decisions are right
    True

    Args:
        pool: The scored items.
        metric: Pre-sampling metric; a list or name → weight makes a joint target.
        budget: Labels allowed besides those held. It is a hard cap, except for designs of a random size such as
            "poisson", where it is the expected number.
        preset: Name in `PRESETS`.
        surrogate: Registry key or options object in place of the preset's.
        design: The same for the design.
        estimator: The same for the estimator.
        interval: Key in `INTERVALS` in place of the preset's.
        shrinkage: λ in [0, 1]: how far to trust the scores as probabilities.
        defensive: δ in [0, 1]: share of the sampling spread evenly.
        seed: Seed of all draws.
        level: Default level of intervals, in (0, 1).
        goal: Half the width wanted of the first metric's interval: 0.03 for ± 0.03. `Study.aim` can change it.
        oracle: "stochastic" if repeated draws of one item are labelled anew; a held label is then one answer of many.
        held: Labels known beforehand, which are not sampled (id → label, `Labels` of the pool, or another study).
        held_random: Whether the held items were chosen by chance, or by chance and scores, so that methods that learn may
            learn from them. By default this is so only for the labels of another study if they qualify (see
            `Study.impartial`) and the pool has the scores that chose. It must not be set for labels that a person
            chose.
        storage: Database URL; without one the study lives in memory.
        name: The study's name in the storage, which must be new there.

    Raises:
        InputError: An argument is out of range; the message names it, the value and the remedy.
    """
    metrics = target(metric)
    unmistakable(metrics)
    if name is not None:
        _checks.instance(name, str, "name")
    defined(metrics, checked(pool).task.kind)
    method = method_of(
        preset,
        kind=pool.task.kind,
        apart=tells_apart(metrics, pool),
        surrogate=surrogate,
        design=design,
        estimator=estimator,
        interval=interval,
        shrinkage=shrinkage,
        defensive=defensive,
    )
    known, learned = beforehand(pool, held, method, random=held_random)
    settings = Settings(
        pool.fingerprint,
        {m.name: weight for m, weight in metrics.items()},
        method.to_dict(),
        min(_checks.budget(budget, pool.size), pool.size - len(known.index)),
        seed,
        level,
        oracle,
        preset or ("" if is_free(surrogate, design, estimator, shrinkage, defensive) else DEFAULT),
        learned,
    )
    if settings.oracle == "stochastic" and (reason := unrepeatable(method)):
        raise _checks.InputError(reason)
    begun = [_created(pool, settings, known)]
    if goal is not None:
        begun.append(Event(Aimed(_checks.goal(goal, "goal"))))
    study = Study(pool, MemoryLog(begun), name=name or "", metrics=metrics)  # refuses unsound combinations
    if method.interval == "anytime":
        refuse_any_look(study.state.problem, method)
    if storage is None:
        return study
    return keep(study, storage, name or f"study-{uuid4().hex[:8]}", metrics=metrics)


def _created(pool: Pool, settings: Settings, known: Evidence) -> Event:
    """The event with which a study of these settings begins, holding these labels."""
    said = zip(pool.ids[known.index], known.labels, strict=True)
    return Event(Created(settings.to_dict(), {str(id): json_ready(y) for id, y in said}))


def keep(study: Study, storage: str | Storage, name: str, *, metrics: Iterable[Metric] = ()) -> Study:
    """A copy of the study in a storage, with its pool. Everything that happens to the copy is stored there.

    Args:
        study: The study, which is not changed.
        storage: Database URL, or the storage.
        name: The copy's name there.
        metrics: Metrics of your own that the study was made for.

    Raises:
        InputError: The name is taken, or the storage cannot be used.
    """
    store, pool = Storage.at(storage), study.pool
    store.save_pool(pool)
    record = store.add(name, pool.fingerprint, study.events())
    return Study(pool, store.log(record.id), name=record.name, metrics=metrics)


def load_study(
    name: str, storage: str | Storage, *, metrics: Iterable[Metric] = (), pool: Pool | None = None
) -> Study:
    """Reopen a stored study; its pool is read from the storage.

    >>> import pandas as pd, tempfile
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9]}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/studies.db"
    ...     asked = create_study(pool, metric="f1", budget=3, storage=url, name="spam").ask(3)
    ...     load_study("spam", url).ask(3) == asked
    True

    Args:
        name: The study's name.
        storage: Database URL.
        metrics: Metrics of your own that the study was made for.
        pool: The study's pool, if it is in memory already; it is then not read from the storage.

    Raises:
        InputError: The database or the study does not exist, the study's pool is gone, or the pool given is another one.
    """
    record, log, pool = _stored(name, storage, pool)
    return Study(pool, log, name=record.name, metrics=metrics)


def take_over(
    name: str,
    storage: str | Storage,
    *,
    metrics: Iterable[Metric] = (),
    pool: Pool | None = None,
    doubted: Mapping[str, Any] = MappingProxyType({}),
) -> Study:
    """A study in memory that holds all labels of a stored one, to pass as `held` to `create_study`.

    It has the settings of the stored one but not its queue. So labels can also be had where the queue was made by
    another version of sampleval, and `load_study` refuses it. Where this version does not know its method, it has that
    of the labelling queue, and its labels count without teaching, since nobody can say how they were chosen.

    Args:
        name: The stored study's name.
        storage: Database URL.
        metrics: Metrics of your own that the study was made for.
        pool: The study's pool, if it is in memory already; it is then not read from the storage.
        doubted: Id → label: where the study held the same label beforehand, it is left out.

    Raises:
        InputError: The database or the study does not exist, its log is damaged, or its pool is gone or another one.
    """
    record, log, pool = _stored(name, storage, pool)
    events, own = in_order(log.since(0)), tuple(own_metrics(metrics).values())
    first, known_method = _with_known_method(events[0], pool)
    begun = Study(pool, MemoryLog([first]), name=record.name, metrics=own)
    settings = replace(begun.settings, held_random=known_method and begun.impartial)
    answers = standing(events).values()
    for answer in answers:
        refuse_unreadable(pool.task, answer.what)
    with logged("an answer"):
        held = {id: y for id, y in begun.known_labels().items() if id not in doubted or doubted[id] != y}
        known = Evidence.held(pool, held | labels_of(pool.task, counting(answers)))
    return Study(pool, MemoryLog([_created(pool, settings, known)]), name=record.name, metrics=own)


def _with_known_method(created: Event, pool: Pool) -> tuple[Event, bool]:
    """The event with which a study began, and whether this version knows its method; otherwise the queue's stands there."""
    what = created.what
    assert isinstance(what, Created)  # as in any log that `in_order` lets pass
    settings = Settings.from_dict(what.settings)
    try:
        settings.as_method()
    except OtherVersion:
        method = method_of("queue", kind=pool.task.kind).to_dict()
        known = replace(settings, method=method, preset="queue", held_random=False)
        return replace(created, what=replace(what, settings=known.to_dict())), False
    return created, True


def _stored(name: str, storage: str | Storage, pool: Pool | None) -> tuple[StudyRecord, Log, Pool]:
    """The record, the log and the pool of a stored study."""
    store = Storage.at(storage, new=False)
    record = store.get(name)
    if pool is None:
        pool = store.load_pool(record.pool)
    elif checked(pool).fingerprint != record.pool:  # positions in the log would mean other items
        remedy = (
            "leave it out to read the stored pool; if these are the same items, read differently or with other scores, "
            "begin a new study of them with held=load_study(name, storage)"
        )
        _checks.fail(
            "pool", f"must be the pool of the study {_checks.shown(name)}; this is another", remedy=remedy
        )
    log = store.log(record.id)
    log.refuse_hidden()
    return record, log, pool
