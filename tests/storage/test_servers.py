"""A server that falls silent is given up, and its password is not told."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

import sampleval as sv
from sampleval.storage import Storage, Unavailable, database, files, servers
from sampleval.storage.tables import STUDIES
from tests.storage.events import begun_in, noted, opened

pytestmark = pytest.mark.xdist_group("storage")  # one database server for all of these


@contextmanager
def frozen(process: int) -> Iterator[None]:
    """This process standing still, for five seconds at most."""
    os.kill(process, signal.SIGSTOP)
    thaw = threading.Timer(5, os.kill, (process, signal.SIGCONT))
    thaw.start()
    try:
        yield
    finally:
        thaw.cancel()
        os.kill(process, signal.SIGCONT)


def test_a_server_that_falls_silent_is_given_up(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever pressed had waited without a word for as long as the server stood still."""
    with opened("postgres", request, tmp_path) as storage:
        log = begun_in(storage)
        monkeypatch.setattr(servers, "SILENT", 0.3)

        start, who = time.monotonic(), sa.text("select pg_backend_pid()")
        with storage.engine.connect() as connection:
            server = connection.scalars(who).one()
        with frozen(server):
            assert log.append([noted("a")])  # by another connection
        with (
            pytest.raises(Unavailable, match=r"does not answer; nothing was kept, try again$"),
            database.writing(storage.engine) as connection,
            frozen(connection.scalars(who).one()),
        ):
            connection.execute(who)
        assert time.monotonic() - start < 4
        assert log.append([noted("b")])


def test_a_study_that_another_program_holds_is_said_so(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL waits for ever for a program that was stopped while it wrote; an SQLite file is given up after `BUSY`."""
    monkeypatch.setattr(files, "BUSY", 0.1)
    with opened("postgres", request, tmp_path) as storage:
        log = begun_in(storage)
        with storage.engine.connect() as other:
            other.execute(STUDIES.update().values(id=STUDIES.c.id))
            release = threading.Timer(5, other.rollback)
            release.start()
            with pytest.raises(Unavailable, match=r"lock timeout; nothing was kept, try again$"):
                log.append([noted("a")])
            release.cancel()
            other.rollback()
        assert log.append([noted("a")])


def test_a_password_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(sv.InputError) as caught:
        Storage.at("postgresql+psycopg://me:hush@127.0.0.1:1/none", tmp_path)
    assert "hush" not in str(caught.value)
