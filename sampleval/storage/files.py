"""SQLite files: what is committed is on disk, writers take turns, and a file that is deleted or replaced is noticed."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import sqlalchemy as sa

from sampleval.storage.complaints import REMEDIES, Unavailable, unusable

BUSY = 5.0  # seconds for which a writer waits for another one to finish
FILE = "file"  # key in a connection's info under which its SQLite file is kept
Identity = tuple[int, int] | None


def engine(url: str) -> sa.Engine:
    """An engine of SQLite that writes through to the disk (WAL mode, full sync) and connects anew to a replaced file."""
    # Connections are pooled, each for one use at a time. To close the last one would copy the whole write-ahead log into
    # the database, which costs ten times as much as a label.
    made = sa.create_engine(url, connect_args={"timeout": BUSY})
    # An engine that is let go of does not close its connections, which Python warns of from 3.13 on.
    opened: set[Any] = set()
    weakref.finalize(made, _close, opened).atexit = False

    @sa.event.listens_for(made, "connect")
    def _pragmas(connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            cursor.execute(f"PRAGMA {pragma}")
        path = cursor.execute("PRAGMA database_list").fetchone()[2]
        record.info[FILE] = path, _identity(path)
        cursor.close()
        opened.add(connection)

    @sa.event.listens_for(made, "checkout")
    def _same(_connection: Any, record: Any, _checked_out: Any) -> None:
        path, file = record.info[FILE]
        if _identity(path) not in (file, None):
            raise sa.exc.DisconnectionError  # another file has the name now: connect to that one

    @sa.event.listens_for(made, "handle_error")
    def _reopen(context: sa.engine.ExceptionContext) -> None:
        # What SQLite could not open for writing it opens for reading, and a connection stays so when it might write.
        if "readonly" in str(context.original_exception):
            context.is_disconnect = True

    @sa.event.listens_for(made, "close")
    def _closed(connection: Any, _record: Any) -> None:
        connection.rollback()  # else an error that is kept, with its cursor, would keep the lock as well
        opened.discard(connection)

    return made


def _close(opened: set[Any]) -> None:
    for connection in opened:
        connection.close()


@contextmanager
def turn(url: sa.URL) -> Iterator[float]:
    """Let this process's threads write to this file in turn, and tell how many of the `BUSY` seconds are left to wait.

    SQLite has those who wait look again at growing intervals, so that of thirty people one may miss every gap.
    """
    lock, until = _lock(url, os.getpid()), time.monotonic() + BUSY
    try:
        if not lock.acquire(timeout=BUSY):
            raise Unavailable(unusable("database is locked", REMEDIES["locked"]))
        yield max(until - time.monotonic(), 0.0)
    finally:  # an interrupt may come as soon as the lock is held
        with suppress(RuntimeError):  # this thread does not hold it
            lock.release()


@lru_cache(maxsize=16)
def _lock(_url: sa.URL, _process: int) -> RLock:
    """The lock of this file in this process; a forked one would wait for threads that it does not have.

    It knows its thread, which alone may release it, and which never waits for what the traceback of an interrupt keeps.
    """
    return RLock()


def still_there(file: tuple[str, Identity] | None) -> None:
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
