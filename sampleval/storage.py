"""The only file and database I/O: event logs in a database, pools as Parquet files beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from sampleval._checks import InputError
from sampleval.events import Event
from sampleval.pool import Labels, Pool

METADATA = sa.MetaData()
STUDIES = sa.Table(
    "studies",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("pool", sa.String(64), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
)
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column(
        "seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
    ),
    sa.Column("study", sa.String(32), nullable=False),
    sa.Column("uuid", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("annotator", sa.String(200), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Index("events_by_study", "study", "seq"),
    sa.UniqueConstraint("study", "uuid"),  # a copy of a study keeps its events' uuids
)


class Log(Protocol):
    """An append-only list of a study's events."""

    def append(self, events: Iterable[Event]) -> None:
        """Make the events durable before returning; one whose uuid is known already changes nothing."""
        ...

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events after this sequence number, oldest first, with their numbers."""
        ...


class MemoryLog:
    """A log that lives as long as the process."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events: list[Event] = []
        self._known: set[str] = set()
        self.append(events)

    def append(self, events: Iterable[Event]) -> None:
        """Keep the events that are new."""
        for event in events:
            if event.uuid not in self._known:
                self._known.add(event.uuid)
                self._events.append(event)

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events after this number."""
        return list(enumerate(self._events[seq:], start=seq + 1))


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """One line of the list of studies: its id, name, pool fingerprint and time of creation."""

    id: str
    name: str
    pool: str
    created: str


@dataclass(frozen=True, slots=True)
class DatabaseLog:
    """A study's log in a database; several processes may append to it."""

    engine: sa.Engine
    study: str

    def append(self, events: Iterable[Event]) -> None:
        """One short transaction; committed, and on disk, when this returns."""
        for event in events:
            record = event.to_dict() | {"study": self.study}
            try:
                with self.engine.begin() as connection:
                    connection.execute(EVENTS.insert(), record)
            except sa.exc.IntegrityError:
                if not self._has(event.uuid):
                    raise

    def _has(self, uuid: str) -> bool:
        with self.engine.connect() as connection:
            query = sa.select(EVENTS.c.seq).where(EVENTS.c.study == self.study, EVENTS.c.uuid == uuid)
            return connection.execute(query).first() is not None

    def since(self, seq: int) -> list[tuple[int, Event]]:
        """Events of this study after this number, by every process."""
        query = (
            sa.select(EVENTS).where(EVENTS.c.study == self.study, EVENTS.c.seq > seq).order_by(EVENTS.c.seq)
        )
        with self.engine.connect() as connection:
            return [(row.seq, Event.from_dict(dict(row._mapping))) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class Storage:
    """A database of studies and a folder of pools.

    Attributes:
        url: SQLAlchemy URL, e.g. "sqlite:///sampleval.db".
        folder: Where pools and labels lie, named by content; beside an SQLite file by default.
    """

    url: str
    folder: Path

    @classmethod
    def at(cls, url: str | Storage, folder: Path | str | None = None) -> Storage:
        """Open the storage at this URL, making the tables if they are missing."""
        if isinstance(url, Storage):
            return url
        try:
            parsed = sa.make_url(url)
        except sa.exc.ArgumentError as error:
            raise InputError(
                f"`storage` must be a database URL; got {url!r}; for a file write 'sqlite:///sampleval.db'"
            ) from error
        beside = Path(parsed.database or ".").parent if parsed.get_backend_name() == "sqlite" else Path()
        storage = cls(url, Path(folder) if folder else beside / "pools")
        storage.folder.mkdir(parents=True, exist_ok=True)
        METADATA.create_all(storage.engine)
        return storage

    @property
    def engine(self) -> sa.Engine:
        """The database engine, one a process and URL."""
        return _engine(self.url)

    def log(self, study: str) -> DatabaseLog:
        """The log of the study with this id."""
        return DatabaseLog(self.engine, study)

    def add(self, record: StudyRecord) -> None:
        """Enter a study; its name must be new."""
        if self.find(record.name):
            raise InputError(
                f"`name` must be new; a study {record.name!r} exists already; use load_study, or another name"
            )
        with self.engine.begin() as connection:
            connection.execute(STUDIES.insert(), {f: getattr(record, f) for f in StudyRecord.__slots__})

    def find(self, name: str) -> StudyRecord | None:
        """The study of this name."""
        return next((record for record in self.studies() if record.name == name), None)

    def studies(self) -> list[StudyRecord]:
        """All studies, newest first."""
        with self.engine.connect() as connection:
            rows = connection.execute(sa.select(STUDIES).order_by(STUDIES.c.created.desc()))
            return [StudyRecord(**row._mapping) for row in rows]

    def rename(self, name: str, new: str) -> None:
        """Give a study another name; its id and log stay."""
        if self.find(new):
            raise InputError(f"`name` must be new; a study {new!r} exists already; choose another")
        with self.engine.begin() as connection:
            connection.execute(STUDIES.update().where(STUDIES.c.name == name).values(name=new))

    def delete(self, name: str) -> None:
        """Remove a study and its log; its pool stays, others may use it."""
        if record := self.find(name):
            with self.engine.begin() as connection:
                connection.execute(EVENTS.delete().where(EVENTS.c.study == record.id))
                connection.execute(STUDIES.delete().where(STUDIES.c.id == record.id))

    def save_pool(self, pool: Pool) -> None:
        """Store a pool under its fingerprint, once; written aside and renamed, so never half there."""
        path = self._pool_path(pool.fingerprint)
        if not path.exists():
            pool.to_parquet(path)

    def load_pool(self, fingerprint: str) -> Pool:
        """The pool with this fingerprint."""
        path = self._pool_path(fingerprint)
        if not path.exists():
            raise InputError(
                f"the pool of this study is missing: no file {path.name} in the pools folder; put it back"
            )
        return Pool.from_parquet(path)

    def save_labels(self, labels: Labels) -> None:
        """Store known labels beside their pool, apart from it."""
        labels.to_parquet(self._labels_path(labels.fingerprint))

    def load_labels(self, pool: Pool) -> Labels | None:
        """Known labels of a pool, `None` if there are none."""
        path = self._labels_path(pool.fingerprint)
        return Labels.from_parquet(path) if path.exists() else None

    def _pool_path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}.parquet"

    def _labels_path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}.labels.parquet"


@lru_cache(maxsize=16)
def _engine(url: str) -> sa.Engine:
    """SQLite in WAL with a 5 s busy timeout and full sync: a label acknowledged is a label on disk."""
    if sa.make_url(url).get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True)
    engine = sa.create_engine(url, poolclass=NullPool, connect_args={"timeout": 5})

    @sa.event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
