"""The tables, and engines that keep what they acknowledge."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from sampleval._checks import fail

METADATA = sa.MetaData()
STUDIES = sa.Table(
    "studies",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("pool", sa.String(64), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
)
# Each study numbers its events itself, 1, 2, …, under a lock on its row above. A database's own sequence
# would not do: numbers are handed out before commit, so a reader could see 8, go on from there, and never
# see 7, committed a moment later.
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


@lru_cache(maxsize=16)
def engine_of(url: str) -> sa.Engine:
    """SQLite in WAL with a 5 s busy timeout and full sync: a label acknowledged is a label on disk."""
    if (backend := sa.make_url(url).get_backend_name()) != "sqlite":
        try:
            return sa.create_engine(url, pool_pre_ping=True, isolation_level="READ COMMITTED")
        except (ImportError, sa.exc.NoSuchModuleError) as error:
            remedy = 'install its driver, for PostgreSQL with pip install "sampleval[postgres]"'
            fail("storage", f"needs a driver that is not installed ({error})", backend, remedy=remedy)
    # Pooled, each connection for one use at a time: closing the last one would copy the whole
    # write-ahead log into the database, ten times the cost of a label.
    engine = sa.create_engine(url, connect_args={"timeout": 5})

    @sa.event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine
