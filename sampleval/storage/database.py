"""The database's tables, and engines on which committed data is safe."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from sampleval._checks import InputError, fail
from sampleval.storage.servers import impatient

BUSY = 5.0  # seconds for which a writer waits for another one to finish

# How a database is told how many milliseconds a transaction waits for one that writes to the same study.
WAIT = MappingProxyType({"sqlite": "PRAGMA busy_timeout", "postgresql": "SET LOCAL lock_timeout"})
FILE = "file"  # key in a connection's info under which its SQLite file is kept
Identity = tuple[int, int] | None

REMEDIES = MappingProxyType(
    {
        "disk is full": "free space on it, then try again",
        "malformed": "the file is damaged: put back a copy of it",
        "not a database": "is it the right file? Then it is damaged: put back a copy of it",
        "locked": "try again",
        "unable to open": "is the place right, and may this program write to its folder?",  # a log lies beside the file
        "Permission denied": "let this program write to its folder, then try again",
        "No space left": "free space on it, then try again",
        "readonly": "let this program write to its file and folder, then try again",
    }
)
METADATA = sa.MetaData()
STUDIES = sa.Table(
    "studies",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("pool", sa.String(64), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
)
# Each study numbers its own events 1, 2, …, under a lock on its row above. A database's own sequence would not do: it
# gives out numbers before commit, so that a reader could see 8, go on from there, and never see a 7 committed later.
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("study", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("uuid", sa.String(64), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("annotator", sa.String(200), nullable=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.UniqueConstraint("study", "uuid"),  # a copy of a study keeps its events' uuids
)


class Unavailable(InputError):
    """The database cannot be used now. Nothing was stored, and the same call may be tried again."""


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection to read from."""
    with _in_words(), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction, which is committed at its end or undone if it fails."""
    with _in_words(), _turn(engine.url) as patience:
        with engine.begin() as connection:
            if wait := WAIT.get(engine.dialect.name):
                connection.exec_driver_sql(f"{wait} = {1000 * patience:.0f}")
            file = connection.info.get(FILE)
            yield connection
            _still_there(file)  # before commit, so that what is refused is not read back either
        _still_there(file)


@contextmanager
def _turn(url: sa.URL) -> Iterator[float]:
    """Let this process's threads write to an SQLite file in turn, and tell how many of the `BUSY` seconds are left to wait.

    SQLite has those who wait look again at growing intervals, so that of thirty people one may miss every gap.
    """
    if url.get_backend_name() != "sqlite":
        yield BUSY
        return
    lock, until = _lock(url, os.getpid()), time.monotonic() + BUSY
    if not lock.acquire(timeout=BUSY):
        raise Unavailable(_unusable("database is locked", REMEDIES["locked"]))
    try:
        yield max(until - time.monotonic(), 0.0)
    finally:
        lock.release()


@lru_cache(maxsize=16)
def _lock(_url: sa.URL, _process: int) -> Lock:
    """The lock of this file in this process; a forked one would wait for threads that it does not have."""
    return Lock()


def _still_there(file: tuple[str, Identity] | None) -> None:
    """Refuse to go on if the SQLite file was deleted or replaced, since what it holds is lost when this process ends."""
    if file is not None and _identity(file[0]) != file[1]:
        rule = "was deleted or replaced while it was open"
        raise Unavailable(f"`storage` {rule}: {file[0]}; nothing was kept: put the file back, then try again")


def _identity(path: str) -> Identity:
    """Device and inode of a file, which tell it from another file of the same name; `None` if it does not exist."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn errors of the database into one sentence without the SQL. An `IntegrityError` is passed on."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise
    except sa.exc.DBAPIError as error:
        raise Unavailable(_unusable(*complaint(error, "try again"))) from error


def _unusable(reason: str, remedy: str) -> str:
    return f"`storage` cannot be used now: {reason}; nothing was kept, {remedy}"


def complaint(error: Exception, otherwise: str) -> tuple[str, str]:
    """A database's message in one line, and the remedy.

    Args:
        error: The exception.
        otherwise: The remedy for messages that are not in `REMEDIES`.
    """
    told = str(getattr(error, "orig", error)).partition("\nCONTEXT:")[0]  # then PostgreSQL names the row
    reason = " ".join(told.split())
    return reason, next((remedy for said, remedy in REMEDIES.items() if said in reason), otherwise)


@lru_cache(maxsize=16)
def engine_of(url: str) -> sa.Engine:
    """The engine for this URL. SQLite runs in WAL mode with full sync, so that every acknowledged label is on disk."""
    backend = sa.make_url(url).get_backend_name()
    # Connections are pooled, each for one use at a time. To close the last one would copy the whole write-ahead log into
    # the database, which costs ten times as much as a label.
    options: dict[str, Any] = {"connect_args": {"timeout": BUSY}}
    if backend != "sqlite":
        options = {"pool_pre_ping": True, "isolation_level": "READ COMMITTED"}
    try:
        engine = sa.create_engine(url, **options)
    except (ImportError, sa.exc.NoSuchModuleError) as error:
        remedy = 'install its driver, for PostgreSQL with pip install "sampleval[postgres]"'
        if backend == "sqlite":
            remedy = "write 'sqlite:///' and the file, without a driver"
        fail("storage", f"needs a driver that is not installed ({error})", backend, remedy=remedy)
    if backend != "sqlite":
        impatient(engine)
        return engine

    # An engine that is let go of does not close its connections, which Python warns of from 3.13 on.
    opened: set[Any] = set()
    weakref.finalize(engine, _close, opened).atexit = False

    @sa.event.listens_for(engine, "connect")
    def _pragmas(connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            cursor.execute(f"PRAGMA {pragma}")
        path = cursor.execute("PRAGMA database_list").fetchone()[2]
        record.info[FILE] = path, _identity(path)
        cursor.close()
        opened.add(connection)

    @sa.event.listens_for(engine, "checkout")
    def _same(_connection: Any, record: Any, _checked_out: Any) -> None:
        path, file = record.info[FILE]
        if _identity(path) not in (file, None):
            raise sa.exc.DisconnectionError  # another file has the name now: connect to that one

    @sa.event.listens_for(engine, "handle_error")
    def _reopen(context: sa.engine.ExceptionContext) -> None:
        # What SQLite could not open for writing it opens for reading, and a connection stays so when it might write.
        if "readonly" in str(context.original_exception):
            context.is_disconnect = True

    @sa.event.listens_for(engine, "close")
    def _closed(connection: Any, _record: Any) -> None:
        connection.rollback()  # else an error that is kept, with its cursor, would keep the lock as well
        opened.discard(connection)

    return engine


def _close(opened: set[Any]) -> None:
    for connection in opened:
        connection.close()


def lay_out(engine: sa.Engine) -> None:
    """Create the tables that are missing. A database with other tables of the same names is refused unchanged."""
    there = sa.inspect(engine)
    for table in METADATA.sorted_tables:
        if there.has_table(table.name):
            found = {column["name"] for column in there.get_columns(table.name)}
            if not {column.name for column in table.columns} <= found:
                rule = f"must be a database of this program; its table {table.name!r} is another's"
                fail("storage", rule, remedy="name another file or database")
    for table in METADATA.sorted_tables:
        try:
            table.create(engine, checkfirst=True)
        except sa.exc.DBAPIError:
            if not sa.inspect(engine).has_table(table.name):  # else another process has just created it
                raise
