"""A database that cannot be used is refused in words, and whoever waits for it gives up together."""

from __future__ import annotations

import errno
import gc
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
import sqlalchemy as sa

import sampleval as sv
from sampleval.storage import Storage, Unavailable, database, files
from sampleval.storage.database import engine_of, writing
from sampleval.storage.tables import STUDIES
from tests.storage.events import FINGERPRINT, begun, begun_in, noted
from tests.studies import POOL

pytestmark = pytest.mark.xdist_group("storage")  # one database server for all of these


@pytest.mark.parametrize(
    "url",
    ["nonsense", 5, None, "sqlite://", "sqlite:///:memory:", "oracle+nothing://x", "sqlite:////proc/nowhere/s.db",
     "postgresql+psycopg://nobody@127.0.0.1:1/none", "sqlite://home/x.db", "sqlite://x.db", "sqlite+aiosqlite:///x",
     "sqlite+nothing:///x", "sqlite:///x.db?timeout=abc", "sqlite:///a\0b.db"],
)  # fmt: skip
def test_a_storage_that_cannot_be_is_refused_in_words(
    url: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sv.InputError, match="`storage`"):
        Storage.at(url)


def test_too_few_slashes_are_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sv.InputError, match="write 'sqlite:///home/x\\.db', or with four"):
        Storage.at("sqlite://home/x.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("table", ["studies", "events", "sampleval"])
def test_another_program_s_database_is_refused_and_left_alone(table: str, tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as theirs:
        theirs.execute(f"create table {table} (a int)")
        theirs.commit()
        with pytest.raises(sv.InputError, match=f"its table '{table}' is another's; name another file"):
            sv.load_study("s", f"sqlite:///{path}")
        assert theirs.execute("select name from sqlite_master").fetchall() == [(table,)]


def test_a_database_that_stays_locked_is_said_so_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer may be told again later. The error had been a page of SQL."""
    monkeypatch.setattr(files, "BUSY", 0.1)
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=5, storage=url, name="s")
    item = study.ask(1)[0]
    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(Unavailable) as caught:
            study.tell(item, POOL.task.classes[1])
        other.execute("rollback")
    assert (
        str(caught.value) == "`storage` cannot be used now: database is locked; nothing was kept, try again"
    )
    assert isinstance(caught.value, sv.InputError)
    study.tell(item, POOL.task.classes[1])
    assert sv.load_study("s", url).labels == 1


def test_threads_that_write_at_once_wait_for_each_other(tmp_path: Path) -> None:
    """Of thirty people who answered in one app, one had missed every gap for as long as SQLite waits."""
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    log = begun_in(storage)
    connections = storage.engine.pool
    assert isinstance(connections, sa.QueuePool)
    with ThreadPoolExecutor(1) as other:
        with database.writing(storage.engine) as connection:
            connection.execute(STUDIES.delete().where(STUDIES.c.id == "another"))  # takes the lock
            waiting = other.submit(log.append, [noted("a")])
            time.sleep(0.2)
            assert connections.checkedout() == 1  # the other does not ask SQLite meanwhile
        assert waiting.result()


def test_an_interrupt_as_soon_as_it_is_its_turn_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notebook that was interrupted there was told "database is locked; try again" until its kernel was restarted."""
    monkeypatch.setattr(files, "BUSY", 0.3)
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    log = begun_in(storage)
    usual = files._lock

    class Interrupted:
        def __init__(self, *key: Any) -> None:
            self.lock = usual(*key)
            self.release = self.lock.release

        def acquire(self, **options: Any) -> NoReturn:
            self.lock.acquire(**options)
            raise KeyboardInterrupt

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(files, "_lock", Interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.append([noted("a")])
    with ThreadPoolExecutor(1) as other:
        assert other.submit(log.append, [noted("b")]).result()
    assert log.append([noted("c")])


def test_threads_that_wait_for_another_program_give_up_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each had begun to wait for the file when the one before it gave up: of thirty people the last was told after 150 s."""
    monkeypatch.setattr(files, "BUSY", 0.3)
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    log = begun_in(storage)

    def refused(_: int) -> float:
        start = time.monotonic()
        with pytest.raises(Unavailable, match=r"database is locked; nothing was kept, try again$"):
            log.append([noted("a")])
        return time.monotonic() - start

    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        with ThreadPoolExecutor(8) as people:
            assert max(people.map(refused, range(8))) < 4 * files.BUSY
        other.execute("rollback")
    assert log.append([noted("a")])  # with the whole of its patience again


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent(tmp_path: Path) -> None:
    """A thread's turn is copied with the rest, and nobody in the copy ends it: no write to the file succeeded there."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    Storage.at(url).add("s", FINGERPRINT, begun())
    script = f"""
import os, threading
from sampleval.storage import Storage, database
storage, taken, done = Storage.at({url!r}), threading.Event(), threading.Event()
def write():
    with database.writing(storage.engine):
        taken.set()
        done.wait(10)
thread = threading.Thread(target=write)
thread.start()
taken.wait()
child = os.fork()
if not child:
    storage.rename("s", "renamed")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
done.set()
thread.join()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)
    assert [record.name for record in Storage.at(url).studies()] == ["renamed"]


def test_what_is_committed_has_reached_the_disk(tmp_path: Path) -> None:
    """A process that is killed loses nothing without that either, but a machine that loses its power does."""
    with engine_of(f"sqlite:///{tmp_path / 's.db'}").connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {p}").scalar() for p in ("synchronous", "journal_mode")]
    assert found == [2, "wal"]  # FULL: the log is flushed at each commit


def test_a_mistyped_database_is_refused_and_not_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'here' / 'typo.db'}"
    with pytest.raises(sv.InputError, match="does not exist"):
        sv.load_study("s", url)
    with pytest.raises(
        sv.InputError, match=r"in a folder that exists; got .*; check the spelling, or create"
    ):
        sv.create_study(POOL, metric="f1", budget=3, storage=url)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_cannot_be_opened_now_or_ever_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both cases the message had asked if the place is right."""
    monkeypatch.setattr(files, "BUSY", 0.1)
    url = f"sqlite:///{tmp_path / 's.db'}"
    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(sv.InputError, match=r"cannot be opened: database is locked; got .*; try again$"):
            Storage.at(url)
        other.execute("rollback")
    (tmp_path / "s.db").write_bytes(b"no database" * 1000)
    with pytest.raises(
        sv.InputError, match=r"not a database; got .*; is it the right file\? Then it is damaged"
    ):
        Storage.at(url)


def test_a_full_disk_is_said_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=5, storage=url, name="s")
    item = study.ask(1)[0]
    with engine_of(url).connect() as connection:
        connection.execute(sa.text("pragma max_page_count=1"))  # a disk that has no room

    def fill() -> None:
        for k in range(100):
            study.tell(item, POOL.task.classes[1], annotator=f"{k}".ljust(200))

    with pytest.raises(
        Unavailable, match=r"disk is full; nothing was kept, free space on it, then try again$"
    ):
        fill()


def test_a_file_that_may_only_be_read_is_said_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=5, storage=url, name="s")
    with engine_of(url).connect() as connection:
        connection.execute(
            sa.text("pragma query_only=1")
        )  # the same complaint, for one who may write anything
    with pytest.raises(
        Unavailable, match=r"readonly database; nothing was kept, let this program write to its"
    ):
        study.ask(1)
    assert study.ask(1)  # the connection stayed so, and only a new server wrote again


def test_a_transaction_in_which_a_file_became_read_only_locks_nobody_out(tmp_path: Path) -> None:
    """Its connection was closed with the lock, which lasted until Python collected the error's frames."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=5, storage=url, name="s")

    def refused() -> None:
        with writing(engine_of(url)) as connection:
            connection.execute(sa.text("update studies set name = 't'"))
            connection.execute(sa.text("pragma query_only=1"))
            connection.execute(sa.text("update studies set name = 'u'"))

    with pytest.raises(Unavailable, match="readonly database") as kept:
        refused()
    assert study.ask(1), kept
    assert [record.name for record in sv.Storage.at(url).studies()] == ["s"]


@pytest.mark.parametrize(
    ("code", "remedy"),
    [(errno.EACCES, "let this program write to its folder"), (errno.ENOSPC, "free space on it")],
)
def test_what_helps_a_folder_that_cannot_be_made_is_said(
    code: int, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asked only whether the place was right."""

    def refused(self: Path, **_: object) -> NoReturn:
        raise OSError(code, os.strerror(code), str(self))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(sv.InputError, match=remedy):
        sv.Storage.at(f"sqlite:///{tmp_path / 's.db'}")


def test_a_database_that_cannot_be_opened_may_lie_in_a_folder_without_leave_to_write(tmp_path: Path) -> None:
    """On a disk that may only be read the place is right, which alone had been asked."""
    (tmp_path / "s.db").mkdir()  # the same complaint, for one who may write anything
    with pytest.raises(sv.InputError, match=r"unable to open .* may this program write to its folder\?$"):
        sv.Storage.at(f"sqlite:///{tmp_path / 's.db'}")


def test_an_engine_that_is_let_go_of_closes_its_connections(tmp_path: Path) -> None:
    """A process keeps those of the storages used last; from 3.13 on Python warns of connections that nobody closed."""
    engine = engine_of.__wrapped__(f"sqlite:///{tmp_path / 's.db'}")
    with engine.connect() as connection:
        raw = connection.connection.dbapi_connection
    assert raw is not None
    raw.cursor().close()  # open
    del engine, connection
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        raw.cursor()


def test_connections_that_were_closed_are_not_kept(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each that many people at once need beyond the pool's five was, for as long as the process ran."""

    def kept() -> int:
        gc.collect()
        return sum(isinstance(one, sqlite3.Connection) for one in gc.get_objects())

    gc.freeze()  # what other tests hold or have let go of is neither searched nor counted
    request.addfinalizer(gc.unfreeze)
    engine = engine_of.__wrapped__(f"sqlite:///{tmp_path / 's.db'}")
    with ExitStack() as crowd:
        for _ in range(12):
            crowd.enter_context(engine.connect())
        assert kept() == 12
    assert kept() <= 5
    engine.dispose()


def test_a_copy_of_a_database_in_use_without_the_files_beside_it_is_recognised(tmp_path: Path) -> None:
    url, copy = f"sqlite:///{tmp_path}/s.db", tmp_path / "copy.db"
    study = sv.create_study(POOL, metric="f1", budget=4, storage=url, name="s")
    shutil.copy(tmp_path / "s.db", copy)
    with pytest.raises(
        sv.InputError, match="'s'; there are none; of a database in use copy its whole folder"
    ):
        sv.load_study("s", f"sqlite:///{copy}")
    assert sv.load_study("s", url).events() == study.events()
