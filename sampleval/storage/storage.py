"""A database of studies and a folder of pools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard
from uuid import uuid4

import sqlalchemy as sa

from sampleval._checks import InputError, fail, instance, nearest, shown
from sampleval.events import Event, now
from sampleval.pool import Labels, Pool, checked
from sampleval.pool.files import Head, read_head, saved_items
from sampleval.storage.complaints import complaint, torn
from sampleval.storage.database import engine_of, reading, writing
from sampleval.storage.logs import DatabaseLog, insert
from sampleval.storage.places import parsed, pools_folder, there
from sampleval.storage.tables import EVENTS, STUDIES, lay_out

_PRINT = re.compile("[0-9a-f]{64}")
# What joins signs to one, in pictures of several and in Persian and Indic words: in a name, though nobody sees it alone.
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """A study's row in the database: its id, name, pool fingerprint and time of creation."""

    id: str
    name: str
    pool: str
    created: str


@dataclass(frozen=True, slots=True)
class Storage:
    """A database of studies and a folder of pools.

    Attributes:
        url: SQLAlchemy URL, e.g. "sqlite:///sampleval.db".
        folder: Folder of pools and labels, whose files are named by content; see `pools_folder`.
    """

    url: str
    folder: Path

    @classmethod
    def at(cls, url: str | Storage, folder: Path | str | None = None, *, new: bool = True) -> Storage:
        """Open the storage at this URL, and create its tables if they are missing.

        Args:
            url: SQLAlchemy URL, or a storage that is open already.
            folder: Folder of pools, created if it is missing; by default `pools_folder(url)`, for which the folder of an
                SQLite file must exist.
            new: Whether to create an SQLite file that does not exist.

        Raises:
            InputError: The URL is not that of a database, or the database cannot be opened or is another program's.
        """
        if isinstance(url, Storage):
            return url
        place = parsed(url)
        if folder is not None and not isinstance(folder, str | Path):
            fail("folder", "must be a path", folder, remedy="leave it out to keep pools beside the database")
        storage = cls(url, Path(folder) if folder else pools_folder(url))
        try:
            there(place, new=new, bare=folder is None)
            storage.folder.mkdir(parents=True, exist_ok=True)
            lay_out(storage.engine)
        except InputError:
            raise
        except (sa.exc.SQLAlchemyError, OSError, ValueError, TypeError) as error:  # last two: odd options
            reason, remedy = complaint(error, "is the place right?")
            fail("storage", f"cannot be opened: {reason}", place.render_as_string(), remedy=remedy)
        return storage

    @property
    def engine(self) -> sa.Engine:
        """The database engine, of which a process has one for each URL."""
        return engine_of(self.url)

    def log(self, study: str) -> DatabaseLog:
        """The log of the study with this id."""
        return DatabaseLog(self.engine, study)

    def add(self, name: str, pool: str, events: Iterable[Event]) -> StudyRecord:
        """Store a study with its first events in one transaction, and return its record.

        Args:
            name: Its name, which must be new in this storage.
            pool: Fingerprint of its pool.
            events: Its log so far.
        """
        record = StudyRecord(uuid4().hex, _named(name), pool, now())
        with _new_name(name), writing(self.engine) as connection:
            connection.execute(STUDIES.insert(), asdict(record))
            insert(connection, record.id, events, 0)
        return record

    def find(self, name: str) -> StudyRecord | None:
        """The study of this name; `None` if there is none."""
        if not _possible(name):  # some databases refuse even to look for such a name
            return None
        with reading(self.engine) as connection:
            row = connection.execute(sa.select(STUDIES).where(STUDIES.c.name == name)).first()
        return None if row is None else _record(row)

    def studies(self) -> list[StudyRecord]:
        """All studies, newest first."""
        with reading(self.engine) as connection:
            rows = connection.execute(sa.select(STUDIES).order_by(STUDIES.c.created.desc()))
            return [_record(row) for row in rows]

    def ends(self) -> dict[str, int]:
        """Id of a study → number of its last event, of all studies, which shows whose log grew without reading any."""
        query = sa.select(EVENTS.c.study, sa.func.max(EVENTS.c.seq)).group_by(EVENTS.c.study)
        with reading(self.engine) as connection:
            return {str(study): int(end) for study, end in connection.execute(query)}

    def get(self, name: str) -> StudyRecord:
        """The study of this name. An unknown name is refused, and the message lists the existing ones."""
        record = self.find(_named(name))
        if record is None:
            names = [known.name for known in self.studies()]
            if name in names and self.find(name) is None:  # the file has it, but not where it looks names up
                raise torn("this study")
            remedy = nearest(name, names)
            if not names and self.engine.dialect.name == "sqlite":
                remedy += (
                    "; of a database in use copy its whole folder: what is new stands in files beside it"
                )
            fail("name", "must name a study of this storage", name, remedy=remedy)
        return record

    def rename(self, name: str, new: str) -> None:
        """Give a study another name; its id and log stay.

        Args:
            name: Its present name.
            new: Its new name, which no other study in this storage may have.
        """
        record = self.get(name)
        with _new_name(new), writing(self.engine) as connection:
            connection.execute(STUDIES.update().where(STUDIES.c.id == record.id).values(name=_named(new)))

    def delete(self, name: str) -> None:
        """Remove a study and its log. Its pool stays, since other studies may use it.

        Args:
            name: Its name.
        """
        record = self.get(name)
        with writing(self.engine) as connection:
            connection.execute(STUDIES.delete().where(STUDIES.c.id == record.id))
            connection.execute(EVENTS.delete().where(EVENTS.c.study == record.id))

    def save_pool(self, pool: Pool) -> None:
        """Store a pool under its fingerprint, unless it is there. Its file appears whole or not at all.

        A file of that name which does not hold the pool, for instance because it was cut short, is replaced.
        """
        path = self._pool_path(checked(pool).fingerprint)
        if self.pool_size(pool.fingerprint) != pool.size:
            pool.to_parquet(path)

    def load_pool(self, fingerprint: str) -> Pool:
        """The pool with this fingerprint.

        Raises:
            InputError: Its file is missing or damaged.
        """
        path = self._pool_path(instance(fingerprint, str, "fingerprint"))
        remedy = "put it back, or choose the same data again, which writes it anew"
        if not _PRINT.fullmatch(fingerprint) or not path.exists():
            raise InputError(
                f"the pool of this study is missing: no file {shown(path.name, 80)[1:-1]} in the pools folder; {remedy}"
            )
        try:
            return Pool.from_parquet(path)
        except InputError as error:
            raise InputError(f"the pool of this study cannot be read: {error}; {remedy}") from None

    def pool_size(self, fingerprint: str) -> int:
        """The number of items of a stored pool, which is found without reading them.

        Args:
            fingerprint: The pool's fingerprint.

        Returns:
            The number; 0 if the file is gone or its end is damaged.
        """
        return saved_items(self._pool_path(fingerprint), fingerprint)

    def pool_head(self, fingerprint: str) -> Head | None:
        """The task and the first items of a stored pool, found without reading the others; `None` if its file is gone.

        Args:
            fingerprint: The pool's fingerprint.
        """
        return read_head(self._pool_path(fingerprint))

    def save_labels(self, labels: Labels) -> None:
        """Store known labels in a file of their own beside their pool's."""
        remedy = "make them with Labels.from_frame(df, pool)"
        instance(labels, Labels, "labels", remedy=remedy).to_parquet(self._labels_path(labels.fingerprint))

    def load_labels(self, pool: Pool) -> Labels | None:
        """The known labels of a pool; `None` if there are none."""
        path = self._labels_path(checked(pool).fingerprint)
        return Labels.from_parquet(path, pool) if path.exists() else None

    def _pool_path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}.parquet"

    def _labels_path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}.labels.parquet"


def _record(row: sa.Row[Any]) -> StudyRecord:
    """A row as a record. All cells are turned into text, since a damaged database may hold other types."""
    return StudyRecord(**{name: "" if cell is None else str(cell) for name, cell in row._mapping.items()})


def _possible(name: object) -> TypeGuard[str]:
    if not isinstance(name, str) or len(name) > 200:
        return False
    seen = name.translate(_JOINERS)
    return bool(seen.strip()) and seen.isprintable()


def _named(name: object) -> str:
    if not _possible(name):
        fail("name", "must be 1 to 200 printable characters", name)
    return name


@contextmanager
def _new_name(name: str) -> Iterator[None]:
    """Turn the database's refusal of a second study with this name into an `InputError`."""
    try:
        yield
    except sa.exc.IntegrityError:
        rule, remedy = "must be new; there is a study of this name", "open that one, or choose another"
        fail("name", rule, name, remedy=remedy)
