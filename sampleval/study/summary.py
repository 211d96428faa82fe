"""A summary of each stored study, made without opening its pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sampleval._checks import InputError
from sampleval.events import Asked, Created, Event, Extended, in_order
from sampleval.storage import Storage, StudyRecord, Unavailable
from sampleval.study.answers import counting, standing
from sampleval.study.settings import Settings


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
        budget: Labels allowed in all; only their expected number where chance decides how many are asked.
        created: When it began, UTC, ISO 8601.
        changed: When its last event happened.
        annotators: Who answered; "" stands for answers without a name.
        damaged: Why its log cannot be read, in which case little more than name and pool is known; "" if it can be read.
        by_chance: Whether chance decides how many labels are asked.
        asked: Number of places of the queue that were handed out.
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
    by_chance: bool = False
    asked: int = 0

    @property
    def full(self) -> bool:
        """Whether the budget is used up; never if chance decides how many labels are asked."""
        return self.labels >= self.budget and not self.by_chance

    @property
    def may_have_ended(self) -> bool:
        """Whether it may be over though it is not full, since all that was handed out is answered. Only its pool can tell."""
        return not self.full and 0 < self.asked <= self.labels


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
        return summary(record, in_order(store.log(record.id).since(0)))
    except Unavailable:  # this concerns all studies, and may pass
        raise
    except InputError as error:
        own = record.id, record.name, record.pool
        return Summary(*own, (), "", 0, 0, record.created, record.created, (), damaged=str(error))


def summary(record: StudyRecord, events: Sequence[Event]) -> Summary:
    """The summary that follows from a study's events, in order, without its pool.

    Raises:
        InputError: Settings are damaged or unknown to this version.
    """
    [made] = (Settings.from_dict(event.what.settings) for event in events if isinstance(event.what, Created))
    budgets = (event.what.budget for event in events if isinstance(event.what, Extended))
    answers = standing(events).values()
    annotators = tuple(dict.fromkeys(answer.annotator for answer in answers))
    return Summary(
        record.id,
        record.name,
        record.pool,
        tuple(made.metrics),
        made.preset,
        len(counting(answers)),
        max([made.budget, *budgets]),
        record.created,
        max(record.created, *(event.at for event in events)),
        annotators,
        by_chance=_by_chance(made),
        asked=max((event.what.upto for event in events if isinstance(event.what, Asked)), default=0),
    )


def _by_chance(made: Settings) -> bool:
    """Whether the design draws its own number of items; no if this version does not know it, which only opening refuses."""
    try:
        return made.as_method().design.random_size
    except InputError:
        return False
