"""Append-only logs of events, in memory or in a database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Any, NoReturn, Protocol

import sqlalchemy as sa

from sampleval._checks import InputError, fail
from sampleval.events import Event
from sampleval.storage.database import EVENTS, STUDIES, reading, writing

BATCH = 5_000  # uuids in one query: databases limit the number of parameters


class Log(Protocol):
    """An append-only list of a study's events, numbered from 1."""

    def append(self, events: Iterable[Event], *, after: int | None = None) -> bool:
        """Make the events durable before returning, all or none; a known uuid changes nothing.

        Args:
            events: What happened, oldest first.
            after: Append only if this is still the number of the last event.

        Returns:
            False if something else happened since `after`; nothing was kept then.
        """
        ...

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events after this number, oldest first, with their numbers."""
        ...


class MemoryLog:
    """A log that lives as long as the process."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: list[Event] = []
        self._known: set[str] = set()
        self._writing = Lock()
        self.append(events)

    def __reduce__(self) -> tuple[Any, ...]:
        return MemoryLog, (list(self._events),)

    def append(self, events: Iterable[Event], *, after: int | None = None) -> bool:
        """Keep the events that are new."""
        with self._writing:  # as a transaction would be, between threads
            if after is not None and after != len(self._events):
                return False
            for event in events:
                if event.uuid not in self._known:
                    self._known.add(event.uuid)
                    self._events.append(event)
            return True

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events after this number."""
        return list(enumerate(self._events[seq:], start=seq + 1))


@dataclass(frozen=True, slots=True)
class DatabaseLog:
    """A study's log in a database; several processes may append to it."""

    engine: sa.Engine
    study: str

    def __reduce__(self) -> NoReturn:
        remedy = "open it again, with load_study(name, storage)"
        raise TypeError(
            f"a study in a database can be neither pickled nor copied with what it holds; {remedy}"
        )

    def append(self, events: Iterable[Event], *, after: int | None = None) -> bool:
        """One short transaction; committed, and on disk, when this returns."""
        with writing(self.engine) as connection:
            end = self._lock(connection)
            if after is not None and after != end:
                return False
            insert(connection, self.study, events, end)
        return True

    def _lock(self, connection: sa.Connection) -> int:
        """Keep others from appending until commit; the number of the last event.

        An update that changes nothing locks in every database. In SQLite it has to be the first statement, since a
        reader that turns writer is refused there.
        """
        mine = STUDIES.c.id == self.study
        if connection.execute(STUDIES.update().where(mine).values(id=STUDIES.c.id)).rowcount == 0:
            raise InputError("this study is not in its storage any more; somebody has deleted it")
        return self._end(connection)

    def _end(self, connection: sa.Connection) -> int:
        last = sa.select(sa.func.max(EVENTS.c.seq)).where(EVENTS.c.study == self.study)
        return connection.scalar(last) or 0

    def end(self) -> int:
        """The number of the last event, by whatever process: it tells whether the log grew without reading it."""
        with reading(self.engine) as connection:
            return self._end(connection)

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events of this study after this number, by every process."""
        query = (
            sa.select(EVENTS).where(EVENTS.c.study == self.study, EVENTS.c.seq > seq).order_by(EVENTS.c.seq)
        )
        try:
            with reading(self.engine) as connection:
                return [(row.seq, Event.from_dict(row._asdict())) for row in connection.execute(query)]
        except InputError:
            raise
        except (ValueError, TypeError, RecursionError) as error:  # of json: no text, or nested too deep
            remedy = "the database is damaged: put back a copy of it"
            fail("events", f"must hold JSON; an event of this study does not: {error}", remedy=remedy)


def insert(connection: sa.Connection, study: str, events: Iterable[Event], end: int) -> None:
    """Number the events that are new from `end` + 1 on."""
    fresh: dict[str, Event] = {}
    for event in events:
        fresh.setdefault(event.uuid, event)
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
