"""Engines on which committed data is safe, and their transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from types import MappingProxyType

import sqlalchemy as sa

from sampleval._checks import alike, fail
from sampleval.storage import files, servers
from sampleval.storage.complaints import in_words
from sampleval.storage.files import FILE, still_there, turn

# How a database is told how many milliseconds a transaction waits for one that writes to the same study.
WAIT = MappingProxyType({"sqlite": "PRAGMA busy_timeout", "postgresql": "SET LOCAL lock_timeout"})


@lru_cache(maxsize=16)
def engine_of(url: str) -> sa.Engine:
    """The engine for this URL. Every label that it has acknowledged is on disk."""
    place = sa.make_url(url)
    backend = place.get_backend_name()
    try:
        return files.engine(url) if backend == "sqlite" else servers.engine(url)
    except (ImportError, sa.exc.NoSuchModuleError) as error:
        remedy = 'install its driver, for PostgreSQL with pip install "sampleval[postgres]"'
        if backend == "sqlite":
            remedy = "write 'sqlite:///' and the file, without a driver"
        elif backend.startswith("postgres") and place.drivername not in ("postgresql", "postgresql+psycopg"):
            remedy = "write 'postgresql://' and the server, without a driver"
        elif meant := alike(backend, list(WAIT)):
            remedy = meant
        fail("storage", f"needs a driver that is not installed ({error})", backend, remedy=remedy)


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection to read from."""
    with in_words(), engine.connect() as connection:
        yield connection


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A transaction, which is committed at its end or undone if it fails."""
    alone = turn(engine.url) if engine.dialect.name == "sqlite" else nullcontext(files.BUSY)
    with in_words(), alone as patience:
        with engine.begin() as connection:
            if wait := WAIT.get(engine.dialect.name):
                connection.exec_driver_sql(f"{wait} = {1000 * patience:.0f}")
            file = connection.info.get(FILE)
            yield connection
            still_there(file)  # before commit, so that what is refused is not read back either
        still_there(file)
