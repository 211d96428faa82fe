"""Append-only logs of events, in memory or in a database."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any, NoReturn, Protocol

import sqlalchemy as sa

from sampleval._checks import InputError, fail
from sampleval.events import Event
from sampleval.numerals import many
from sampleval.storage.complaints import torn
from sampleval.storage.database import reading, writing
from sampleval.storage.tables import EVENTS, STUDIES

BATCH = 5_000  # uuids in one query: databases limit the number of parameters
# Events of a study that SQLite has but does not find; both are counted in one statement, since others may append meanwhile.
HIDDEN = sa.text(
    "SELECT (SELECT count(*) FROM events NOT INDEXED WHERE study = :study) - (SELECT count(*) FROM events WHERE study = :study)"
)


class Log(Protocol):
    """An append-only list of a study's events, numbered from 1."""

    def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
        """Append all of the events or none, and make them durable before returning. Events with known uuids are skipped.

        Args:
            events: The events, oldest first.
            after: Append only if this is still the number of the last event.
            seen: The number of the last event that was read. A log that ends before it is an older copy, to which the
                events do not belong.

        Returns:
            False if other events happened since `after`, so that nothing was appended.
        """
        ...

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """The events after this number with their own numbers, oldest first."""
        ...


class MemoryLog:
    """A log in memory, which lives as long as the process."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: dict[str, Event] = {}  # by uuid
        self._writing = Lock()
        self.append(events)

    def __reduce__(self) -> tuple[Any, ...]:
        return MemoryLog, (list(self._events.values()),)

    def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
        """Append the events that are new."""
        with self._writing:  # a lock between threads, in place of a transaction
            if after is not None and after != len(self._events):
                return False
            # At once, so that an interrupt leaves all or none.
            self._events.update(_unknown(events, self._events))
            return True

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events after this number."""
        with self._writing:
            latest = list(islice(reversed(self._events.values()), max(len(self._events) - seq, 0)))
        return list(enumerate(reversed(latest), start=seq + 1))


@dataclass(frozen=True, slots=True)
class DatabaseLog:
    """A study's log in a database, to which several processes may append."""

    engine: sa.Engine
    study: str

    def __reduce__(self) -> NoReturn:
        remedy = "open it again, with load_study(name, storage)"
        raise TypeError(
            f"a study in a database can be neither pickled nor copied with what it holds; {remedy}"
        )

    def append(self, events: Iterable[Event], *, after: int | None = None, seen: int = 0) -> bool:
        """Append the events in one short transaction, which is committed and on disk when this returns."""
        with writing(self.engine) as connection:
            end = self._lock(connection)
            if end < seen:  # an event about a place that the older queue lacks would make the log unreadable
                what = "this study was replaced by an older copy, to which this does not belong"
                raise InputError(f"{what}; open the study again: reload the page, or call load_study")
            if after is not None and after != end:
                return False
            insert(connection, self.study, events, end)
        return True

    def _lock(self, connection: sa.Connection) -> int:
        """Keep others from appending until commit, and return the number of the last event.

        An update that changes nothing takes the lock in every database. In SQLite it must be the first statement, since
        a transaction that begins by reading may be refused when it writes.
        """
        mine = STUDIES.c.id == self.study
        if connection.execute(STUDIES.update().where(mine).values(id=STUDIES.c.id)).rowcount == 0:
            raise InputError("this study is not in its storage any more; somebody has deleted it")
        return self._end(connection)

    def _end(self, connection: sa.Connection) -> int:
        last = sa.select(sa.func.max(EVENTS.c.seq)).where(EVENTS.c.study == self.study)
        return connection.scalar(last) or 0

    def end(self) -> int:
        """The number of the last event of any process, which shows whether the log grew without reading it."""
        with reading(self.engine) as connection:
            return self._end(connection)

    def refuse_hidden(self) -> None:
        """Refuse an SQLite file with answers that its index lacks, as a copy made while it was written to may have.

        They are looked up in the index, so the latest ones would be missing without a word.
        """
        if self.engine.dialect.name == "sqlite":
            with reading(self.engine) as connection:
                hidden = connection.scalar(HIDDEN, {"study": self.study})
            if hidden > 0:
                raise torn(f"{many(hidden, 'event')} of this study")

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """The events of this study after this number, from all processes."""
        query = (
            sa.select(EVENTS).where(EVENTS.c.study == self.study, EVENTS.c.seq > seq).order_by(EVENTS.c.seq)
        )
        try:
            with reading(self.engine) as connection:
                return [(row.seq, Event.from_dict(row._asdict())) for row in connection.execute(query)]
        except InputError:
            raise
        except (ValueError, TypeError, RecursionError) as error:  # json: no text, or nested too deep
            remedy = "the database is damaged: put back a copy of it"
            fail("events", f"must hold JSON; an event of this study does not: {error}", remedy=remedy)


def insert(connection: sa.Connection, study: str, events: Iterable[Event], end: int) -> None:
    """Insert the events that are new, numbered from `end` + 1 on."""
    fresh = _by_uuid(events)
    uuids = list(fresh)
    for start in range(0, len(uuids), BATCH):
        some = EVENTS.c.uuid.in_(uuids[start : start + BATCH])
        for known in connection.scalars(sa.select(EVENTS.c.uuid).where(EVENTS.c.study == study, some)):
            del fresh[known]
    records = [
        event.to_dict() | {"study": study, "seq": seq} for seq, event in enumerate(fresh.values(), end + 1)
    ]
    if records:
        connection.execute(EVENTS.insert(), records)


def _unknown(events: Iterable[Event], known: Collection[str]) -> dict[str, Event]:
    """Those of these events, by uuid, that are not known yet.

    A function of its own: since Python 3.12, an interrupt in a comprehension within a `with` may leave its lock locked.
    """
    return {uuid: event for uuid, event in _by_uuid(events).items() if uuid not in known}


def _by_uuid(events: Iterable[Event]) -> dict[str, Event]:
    """Uuid → event, the first of those that share a uuid, in their order."""
    found: dict[str, Event] = {}
    for event in events:
        found.setdefault(event.uuid, event)
    return found
