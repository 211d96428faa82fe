"""Connections to PostgreSQL that give up if the server falls silent; the driver by itself waits for ever."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import sqlalchemy as sa

REACHED = 5  # seconds for which a connection is tried
LOOK = 0.1  # seconds between two looks at the clock
SILENT = 10.0  # seconds without a byte after which a server is given up: frozen, or out of reach


def engine(url: str) -> sa.Engine:
    """An engine whose connections end if the server says nothing for `SILENT` seconds; with the driver psycopg alone."""
    made = sa.create_engine(url, pool_pre_ping=True, isolation_level="READ COMMITTED")
    if made.driver == "psycopg":
        _impatient(made)
    return made


def _impatient(made: sa.Engine) -> None:
    import psycopg  # what the extra [postgres] installs

    class Impatient(psycopg.Connection[Any]):
        """A connection that looks at the clock while it waits."""

        def wait(
            self, gen: Generator[Any, Any, Any], interval: float = LOOK, timeout: float | None = None
        ) -> Any:
            limits = () if timeout is None else (timeout,)  # psycopg knows it from 3.3 on
            return super().wait(self._heard(gen), interval, *limits)

        def _heard(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
            """The same steps; what is sent in after each is false if nothing has come for an `interval`."""
            heard = time.monotonic()
            try:
                wanted = next(gen)
                while True:
                    if ready := (yield wanted):
                        heard = time.monotonic()
                    elif time.monotonic() - heard > SILENT:
                        self.pgconn.finish()  # or the pool would hand it out again
                        raise psycopg.OperationalError("the database server does not answer")
                    wanted = gen.send(ready)
            except StopIteration as done:
                return done.value

    @sa.event.listens_for(made, "do_connect")
    def _connect(_dialect: Any, _record: Any, place: list[Any], options: dict[str, Any]) -> Any:
        return Impatient.connect(*place, **{"connect_timeout": REACHED, **options})
