"""A summary of each stored study, made without opening its pool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sampleval._checks import InputError, fail
from sampleval.events import Created, Event, Extended
from sampleval.storage import Storage, StudyRecord, Unavailable
from sampleval.study.answers import standing
from sampleval.study.settings import DAMAGED, Settings, refuse_misplaced


@dataclass(frozen=True, slots=True)
class Summary:
    """The facts about a study that a list of studies shows.

    Attributes:
        id: The study's id, which a rename does not change.
        name: Its name.
        pool: Fingerprint of its pool.
        metrics: Names of the pre-sampling metrics.
        preset: The preset that the method came from; "" for a free combination.
        labels: Number of standing answers, including skipped and unsure ones.
        budget: Labels allowed in all.
        created: When it began, UTC, ISO 8601.
        changed: When its last event happened.
        annotators: Who answered; "" stands for answers without a name.
        damaged: Why its log cannot be read, in which case little more than name and pool is known; "" if it can be read.
    """

    id: str
    name: str
    pool: str
    metrics: tuple[str, ...]
    preset: str
    labels: int
    budget: int
    created: str
    changed: str
    annotators: tuple[str, ...]
    damaged: str = ""


def summaries(storage: str | Storage) -> list[Summary]:
    """Summaries of all studies of a storage, the last changed first.

    Args:
        storage: Database URL, or the storage.

    Raises:
        InputError: The storage does not exist or cannot be read.
    """
    store = Storage.at(storage, new=False)
    lines = [line_of(store, record) for record in store.studies()]
    return sorted(lines, key=lambda line: line.changed, reverse=True)


def line_of(store: Storage, record: StudyRecord) -> Summary:
    """The summary of one study. If its log cannot be read, the summary says so, and other studies can still be listed."""
    try:
        return summary(record, [event for _, event in store.log(record.id).since(0)])
    except Unavailable:  # this concerns all studies, and may pass
        raise
    except InputError as error:
        own = record.id, record.name, record.pool
        return Summary(*own, (), "", 0, 0, record.created, record.created, (), damaged=str(error))


def summary(record: StudyRecord, events: Iterable[Event]) -> Summary:
    """The summary that follows from a study's events without its pool.

    Raises:
        InputError: Events or settings are damaged or unknown to this version.
    """
    metrics: tuple[str, ...] = ()
    preset, budget, changed = "", 0, record.created
    events = list(events)
    for number, event in enumerate(events, 1):
        refuse_misplaced(number, event.what)
        changed = max(changed, event.at)
        match event.what:
            case Created(settings):
                made = Settings.from_dict(settings)
                metrics, preset, budget = tuple(made.metrics), made.preset, made.budget
            case Extended(upto):
                budget = max(budget, upto)
    if not metrics:
        fail("events", "must begin with the study's creation; there are none", remedy=DAMAGED)
    answers = standing(events).values()
    places = {answer.what.place for answer in answers}
    annotators = tuple(dict.fromkeys(answer.annotator for answer in answers))
    return Summary(
        record.id,
        record.name,
        record.pool,
        metrics,
        preset,
        len(places),
        budget,
        record.created,
        changed,
        annotators,
    )
