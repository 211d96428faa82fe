"""Logs lose nothing and hide nothing, in SQLite, in PostgreSQL and in memory."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
import sqlalchemy as sa

import sampleval as sv
from sampleval.events import KINDS, Answered, Asked, Created, Event, Extended, Noted
from sampleval.storage import Log, MemoryLog, Storage, Unavailable, database, pools_folder, servers
from sampleval.storage.database import EVENTS, STUDIES, engine_of
from sampleval.study import summaries
from tests.places import ROOT
from tests.pools import binary

pytestmark = pytest.mark.xdist_group("storage")  # one database server for all of these

POOL, LABELS = binary()
FINGERPRINT = "0" * 64


# A server of our own: PostgreSQL refuses to run as root, so it runs as somebody who may nothing.


def _unprivileged() -> list[str]:
    """A prefix that drops root's rights; empty where there are none."""
    if os.name != "posix" or os.getuid() != 0:
        return []
    found = shutil.which("setpriv")
    if found is None:
        pytest.skip("PostgreSQL refuses to run as root and there is no setpriv to become somebody else")
    return [found, "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of an empty PostgreSQL server on this machine."""
    pytest.importorskip("psycopg", reason="no PostgreSQL driver (psycopg) is installed")
    missing = [tool for tool in ("initdb", "postgres") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no PostgreSQL server on this machine (looked for {', '.join(missing)})")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are closed to other users
        yield from _served(Path(folder))


def _served(folder: Path) -> Iterator[str]:
    """Start a server in this folder, give its URL, stop it."""
    become = _unprivileged()
    if become:
        os.chown(folder, 65534, 65534)
    data, log = folder / "data", folder / "log"
    settings = ["initdb", "-D", str(data), "-U", "sampleval", "-A", "trust", "-E", "UTF8", "--locale=C"]
    made = subprocess.run([*become, *settings], cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(folder), "-c", "fsync=off"]
    with log.open("wb") as out:
        server = subprocess.Popen([*become, "postgres", *options], cwd=folder, stdout=out, stderr=out)
    url = f"postgresql+psycopg://sampleval@127.0.0.1:{port}/postgres"
    try:
        _await(url, server, log)
        yield url
    finally:
        engine_of(url).dispose()
        server.send_signal(signal.SIGINT)  # at once, whoever is still connected
        server.wait(60)


def _await(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            with sa.create_engine(url, poolclass=sa.NullPool).connect():
                return
        except sa.exc.OperationalError:
            time.sleep(0.1)
    pytest.fail(f"PostgreSQL did not answer; its log:\n{log.read_text()}")


@contextmanager
def opened(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Storage]:
    """An empty storage in this kind of database."""
    url = f"sqlite:///{folder / 's.db'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    yield Storage.at(url, folder / "pools")
    with engine_of(url).begin() as connection:
        connection.execute(EVENTS.delete())
        connection.execute(STUDIES.delete())
    engine_of(url).dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """An empty storage in either kind of database."""
    with opened(request.param, request, tmp_path) as storage:
        yield storage


def begun(name: str = "s") -> list[Event]:
    return [Event(Created({"pool": FINGERPRINT}, {}), uuid=f"begin-{name}")]


def noted(text: str) -> Event:
    return Event(Noted(0, text), uuid=text)


def texts(log: Log) -> list[str]:
    return [event.what.text for _, event in log.since(0) if isinstance(event.what, Noted)]


# What every log does.


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """A log with its first event."""
    if request.param == "memory":
        yield MemoryLog(begun())
        return
    with opened(request.param, request, tmp_path) as storage:
        yield storage.log(storage.add("s", FINGERPRINT, begun()).id)


def test_numbers_count_from_one_without_a_gap(log: Log) -> None:
    log.append([noted("a"), noted("b")])
    log.append([noted("c")])
    assert [number for number, _ in log.since(0)] == [1, 2, 3, 4]
    assert [event.uuid for _, event in log.since(2)] == ["b", "c"]
    assert log.since(4) == []


def test_a_known_uuid_changes_nothing(log: Log) -> None:
    assert log.append([noted("a"), Event(Noted(7, "second"), uuid="a")])
    assert log.append([Event(Noted(5, "other"), uuid="a"), noted("b")])
    assert texts(log) == ["a", "b"]


def test_appending_after_an_event_stores_all_or_nothing(log: Log) -> None:
    assert log.append([noted("a")], after=1)
    assert not log.append([noted("b"), noted("c")], after=1)
    assert texts(log) == ["a"]
    assert log.append([noted("b")], after=2)
    assert log.append([])


def test_events_survive_storage(log: Log) -> None:
    events = [
        Event(Answered(3, "i=1", "label", [0, 1], 1.5), "ädä 🦉"),
        Event(Answered(4, "x", "skip")),
        Event(Answered(4, "x", "label", 0.1 + 0.2)),
        Event(Asked(10**6)),
        Event(Extended(7)),
        noted('a\n"b" \'; DROP TABLE events; --'),
    ]
    log.append(events)
    assert [event for _, event in log.since(1)] == events


# Several writers.


def _append_many(url: str, folder: Path, name: str, who: int, n: int) -> None:
    store = Storage.at(url, folder)
    log = store.log(store.get(name).id)
    for k in range(n):
        log.append([noted(f"{who}-{k}"), noted(f"{who}-{k}-twin")])


@pytest.mark.parametrize(("crowd", "writers"), [(ThreadPoolExecutor, 4), (ProcessPoolExecutor, 2)])
def test_many_writers_lose_nothing_and_keep_order(
    storage: Storage, crowd: Callable[..., Any], writers: int
) -> None:
    record = storage.add("s", FINGERPRINT, begun())
    spawn = {"mp_context": multiprocessing.get_context("spawn")} if crowd is ProcessPoolExecutor else {}
    with crowd(writers, **spawn) as pool:
        list(pool.map(partial(_append_many, storage.url, storage.folder, "s", n=15), range(writers)))
    found = storage.log(record.id).since(0)
    assert [number for number, _ in found] == list(range(1, 30 * writers + 2))
    assert storage.log(record.id).end() == len(found)
    written = [event.uuid for _, event in found[1:]]
    for who in range(writers):
        mine = [uuid for uuid in written if uuid.startswith(f"{who}-")]
        assert mine == [f"{who}-{k}{end}" for k in range(15) for end in ("", "-twin")]
    assert all(a + "-twin" == b for a, b in zip(written[::2], written[1::2], strict=True))


def test_a_reader_never_passes_over_an_event_that_commits_late(storage: Storage) -> None:
    """What a database's own sequence would get wrong: the second writer commits before the first."""
    log = storage.log(storage.add("s", FINGERPRINT, begun()).id)
    seen: list[tuple[int, str]] = []

    def read() -> None:
        seen.extend((number, event.uuid) for number, event in log.since(seen[-1][0] if seen else 1))

    with storage.engine.connect() as slow:
        slow.execute(STUDIES.update().where(STUDIES.c.name == "s").values(name="s"))  # holds the study's lock
        second = threading.Thread(target=log.append, args=([noted("second")],))
        second.start()
        time.sleep(0.3)
        read()
        assert seen == []  # the second waits: it has no number yet that a reader could pass
        slow.commit()
    second.join()
    read()
    assert seen == [(2, "second")]


def test_only_one_of_two_decisions_from_one_state_is_kept(storage: Storage) -> None:
    log = storage.log(storage.add("s", FINGERPRINT, begun()).id)
    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(lambda k: log.append([noted(f"n{k}")], after=1), range(8)))
    assert sum(kept) == 1
    assert len(texts(log)) == 1


def test_two_processes_extend_together(storage: Storage) -> None:
    """Both extensions count, although each was decided from the same budget."""
    made = sv.create_study(POOL, metric="f1", budget=4, storage=storage, name="s")
    with ThreadPoolExecutor(6) as pool:
        handles = [sv.load_study("s", storage, pool=POOL) for _ in range(6)]
        list(pool.map(lambda study: study.extend(2), handles))
    made.refresh()
    assert made.budget == 16


# A label is on disk when `tell` returns.

KILLED = """
import os, sys
import sampleval as sv
study = sv.load_study("s", sys.argv[1])
for item in study.ask(3):
    study.tell(item, "spam", annotator="killed")
    print(item.id, flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_killed_process_loses_nothing_acknowledged(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=9, storage=url, name="s")
    run = subprocess.run(
        [sys.executable, "-c", KILLED, url],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == -9, run.stderr
    told = run.stdout.split()
    assert len(told) == 3
    assert study.labels == 0  # of what another process told, nothing is known here before it is read
    assert study.known_labels() == dict.fromkeys(told, "spam")
    assert study.labels == 3
    again = sv.load_study("s", url)
    assert again.state == study.state
    assert {item.id for item in again.ask(9)}.isdisjoint(told)


# Studies by name.


def test_studies_are_found_renamed_and_deleted(storage: Storage) -> None:
    first = sv.create_study(POOL, metric="f1", budget=3, storage=storage, name="first")
    sv.create_study(POOL, metric="f1", budget=3, storage=storage, name="second")
    assert {record.name for record in storage.studies()} == {"first", "second"}
    (item,) = first.ask(1)
    storage.rename("first", "erste")
    first.tell(item, "spam")  # the open handle goes on: a rename changes no log
    assert sv.load_study("erste", storage).known_labels() == {item.id: "spam"}
    for old, new in (
        ("erste", "second"),
        ("nobody", "x"),
        ("erste", ""),
        ("erste", "x" * 201),
        ("erste", "a\nb"),
    ):
        with pytest.raises(sv.InputError, match="`name`"):
            storage.rename(old, new)
    storage.delete("erste")
    assert [record.name for record in storage.studies()] == ["second"]
    with pytest.raises(sv.InputError, match="there is 'second'"):
        sv.load_study("erste", storage)
    with pytest.raises(sv.InputError, match="`name`"):
        storage.delete("erste")
    with pytest.raises(sv.InputError, match="deleted"):
        first.tell(item, "ham")
    assert len(sv.load_study("second", storage).ask(5)) == 3


def test_a_name_is_taken_once_even_in_a_race(storage: Storage) -> None:
    def make(_: int) -> str:
        try:
            return storage.add("s", FINGERPRINT, begun()).id
        except sv.InputError as error:
            return str(error)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(make, range(6)))
    assert sum("must be new" in text for text in found) == 5
    (record,) = storage.studies()
    assert len(storage.log(record.id).since(0)) == 1


def test_an_empty_database_may_be_opened_by_several_at_once(storage: Storage) -> None:
    """All but the first had been refused: the tables that they were about to create existed by then."""
    database.METADATA.drop_all(storage.engine)
    quicker = sa.create_engine(storage.url, poolclass=sa.NullPool)

    @sa.event.listens_for(storage.engine, "before_cursor_execute")
    def _overtaken(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.strip().startswith("CREATE TABLE"):
            database.METADATA.create_all(quicker)

    database.lay_out(storage.engine)
    sa.event.remove(storage.engine, "before_cursor_execute", _overtaken)
    assert [storage.add("s", FINGERPRINT, begun())] == storage.studies()


def test_a_study_reopens_from_its_own_pool_file(storage: Storage) -> None:
    study = sv.create_study(POOL, metric="recall", budget=6, preset="yilmaz-is", storage=storage, name="s")
    study.answer(LABELS, 4)
    again = sv.load_study("s", storage)
    assert again.pool is not POOL
    assert again.state == study.state
    assert again.estimates() == study.estimates()
    assert [item.fields["text"] for item in again.ask(2)] == [item.fields["text"] for item in study.ask(2)]


def test_a_missing_or_damaged_pool_is_said_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=3, storage=url, name="s")
    (path,) = (tmp_path / "pools").glob("*.parquet")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(sv.InputError):
        sv.load_study("s", url)
    path.unlink()
    with pytest.raises(sv.InputError, match="missing"):
        sv.load_study("s", url)


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "", "x" * 201])
def test_no_study_has_an_impossible_name(name: str, storage: Storage) -> None:
    assert storage.find(name) is None


def test_known_labels_lie_beside_their_pool(storage: Storage) -> None:
    storage.save_pool(POOL)
    assert storage.load_labels(POOL) is None
    storage.save_labels(LABELS)
    found = storage.load_labels(POOL)
    assert found is not None
    assert (found.values == LABELS.values).all()
    path = storage.folder / f"{POOL.fingerprint}.labels.parquet"
    binary(n=41)[1].to_parquet(path)
    with pytest.raises(sv.InputError, match="must hold the labels of this pool; these are of another"):
        storage.load_labels(POOL)


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


@pytest.mark.parametrize("table", ["studies", "events"])
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
    monkeypatch.setattr(database, "BUSY", 0.1)
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
    log = storage.log(storage.add("s", FINGERPRINT, begun()).id)
    connections = storage.engine.pool
    assert isinstance(connections, sa.QueuePool)
    with ThreadPoolExecutor(1) as other:
        with database.writing(storage.engine) as connection:
            connection.execute(STUDIES.delete().where(STUDIES.c.id == "another"))  # takes the lock
            waiting = other.submit(log.append, [noted("a")])
            time.sleep(0.2)
            assert connections.checkedout() == 1  # the other does not ask SQLite meanwhile
        assert waiting.result()


def test_threads_that_wait_for_another_program_give_up_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each had begun to wait for the file when the one before it gave up: of thirty people the last was told after 150 s."""
    monkeypatch.setattr(database, "BUSY", 0.3)
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    log = storage.log(storage.add("s", FINGERPRINT, begun()).id)

    def refused(_: int) -> float:
        start = time.monotonic()
        with pytest.raises(Unavailable, match=r"database is locked; nothing was kept, try again$"):
            log.append([noted("a")])
        return time.monotonic() - start

    with closing(sqlite3.connect(tmp_path / "s.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        with ThreadPoolExecutor(8) as people:
            assert max(people.map(refused, range(8))) < 4 * database.BUSY
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
        log = storage.log(storage.add("s", FINGERPRINT, begun()).id)
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
    monkeypatch.setattr(database, "BUSY", 0.1)
    with opened("postgres", request, tmp_path) as storage:
        log = storage.log(storage.add("s", FINGERPRINT, begun()).id)
        with storage.engine.connect() as other:
            other.execute(STUDIES.update().values(id=STUDIES.c.id))
            release = threading.Timer(5, other.rollback)
            release.start()
            with pytest.raises(Unavailable, match=r"lock timeout; nothing was kept, try again$"):
                log.append([noted("a")])
            release.cancel()
            other.rollback()
        assert log.append([noted("a")])


@pytest.mark.parametrize("name", ["the team’s 👩\u200d💻", "می\u200cخواهم", "क्\u200dष"])
def test_a_name_may_hold_joined_signs(name: str, tmp_path: Path) -> None:
    """The joiner in a picture of several, or in a Persian or Hindi word, was refused as unprintable."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=10, storage=url, name=name)
    assert sv.load_study(name, url).name == name


@pytest.mark.parametrize(
    "name", [5, None, float("nan"), ["x"], 10**400, "", "a\nb", "\u200d", "a\u202eb"], ids=range(9)
)
def test_what_is_no_name_is_refused(name: Any, tmp_path: Path) -> None:
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}")
    for use in (partial(sv.load_study, storage=storage), storage.delete, partial(storage.rename, new="b")):
        with pytest.raises(sv.InputError, match="`name` must be 1 to 200 printable characters"):
            use(name)


def test_pools_lie_beside_a_file_and_else_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = "postgresql+psycopg://me@127.0.0.1:1/none"
    monkeypatch.delenv("SAMPLEVAL_DATA", raising=False)
    assert pools_folder(server) == Path("pools")
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path / "data"))
    assert pools_folder(server) == tmp_path / "data" / "pools"
    assert pools_folder(f"sqlite:///{tmp_path / 'there' / 's.db'}") == tmp_path / "there" / "pools"
    monkeypatch.setenv("SAMPLEVAL_DATA", "~/data")
    assert pools_folder(server) == Path.home() / "data" / "pools"


def test_a_password_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(sv.InputError) as caught:
        Storage.at("postgresql+psycopg://me:hush@127.0.0.1:1/none", tmp_path)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "answered"},
        {"kind": "exec", "payload": {}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": {"upto": 1, "more": 2}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": {"upto": 1}, "annotator": None, "uuid": "u", "at": ""},
        {"kind": ["asked"], "payload": {"upto": 1}, "annotator": "", "uuid": "u", "at": ""},
        {"kind": "asked", "payload": [1], "annotator": "", "uuid": "u", "at": ""},
    ],
    ids=range(7),
)
def test_records_that_are_no_events_are_refused(record: dict[str, Any]) -> None:
    with pytest.raises(sv.InputError, match="`events`"):
        Event.from_dict(record)


def test_every_kind_of_event_has_a_name() -> None:
    assert len(KINDS) == len({kind.__name__ for kind in KINDS.values()}) >= 8


def test_a_mistyped_database_is_refused_and_not_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'here' / 'typo.db'}"
    with pytest.raises(sv.InputError, match="does not exist"):
        sv.load_study("s", url)
    with pytest.raises(
        sv.InputError, match=r"in a folder that exists; got .*; check the spelling, or create"
    ):
        sv.create_study(POOL, metric="f1", budget=3, storage=url)
    assert list(tmp_path.iterdir()) == []


# Files that are damaged, gone, or of another version.


def changed(folder: Path, sql: str) -> str:
    """URL of a database with one study, "s", after this statement."""
    url = f"sqlite:///{folder / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=3, storage=url, name="s").ask(1)
    with closing(sqlite3.connect(folder / "s.db")) as database, database:
        database.execute(sql)
    return url


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("update events set payload=json_set(payload,'$.settings.new',1) where seq=1", "knows no new; .* update"),
        ("update events set payload=json_set(payload,'$.settings.method.design.key','new') where seq=1", "'new'.*update"),
        ("update events set payload=json_set(payload,'$.settings.method.design.new',1) where seq=1", "'new'.*update"),
        ("update events set payload=json_remove(payload,'$.settings.budget') where seq=1", "must hold budget"),
        ("update events set payload=json_set(payload,'$.settings.metrics',json('{}')) where seq=1", "`metrics` must hold"),
        ("update events set payload=json_set(payload,'$.settings.preset',5) where seq=1", "`preset` must be a str"),
        ("update events set payload=json_set(payload,'$.settings.held_random','x') where seq=1", "`held_random` must be a bool"),
        ("update events set kind='zoom' where seq=2", "got {'kind': 'zoom'.*another version of sampleval"),
        ("update events set payload='not json' where seq=1", "`events` must hold JSON.*put back a copy"),
        ("update events set payload=x'80' where seq=1", "`events` must hold JSON.*put back a copy"),
        ("update events set payload=replace(hex(zeroblob(9999)),'0','[') where seq=1", "`events` must hold JSON.*put back"),
        ("delete from events", "must begin with the study's creation; there are none; delete the study"),
    ],
)  # fmt: skip
def test_a_log_that_cannot_be_read_is_said_so(sql: str, said: str, tmp_path: Path) -> None:
    url = changed(tmp_path, sql)
    with pytest.raises(sv.InputError, match=said):
        sv.load_study("s", url)
    sv.create_study(POOL, metric="f1", budget=4, storage=url, name="other").ask(1)
    lines = {line.name: line for line in summaries(url)}  # and hides no other study
    assert (lines["other"].metrics, lines["other"].budget, lines["other"].damaged) == (("f1",), 4, "")


def test_a_study_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    url = changed(tmp_path, "update events set kind='zoom' where seq=2")
    [line] = summaries(url)
    assert line.name == "s"
    assert "another version of sampleval" in line.damaged


@pytest.mark.parametrize(
    "sql",
    [
        "update events set payload=json_set(payload,'$.settings.metrics',5) where seq=1",
        "update events set payload=json_set(payload,'$.settings.metrics','f1') where seq=1",
        "update events set payload=json_set(payload,'$.upto','x') where seq=3",
        "delete from events where seq=1",
        "delete from events",
    ],
)
def test_what_a_damaged_log_holds_hides_no_other_study(sql: str, tmp_path: Path) -> None:
    url = changed(tmp_path, sql)
    sv.create_study(POOL, metric="f1", budget=4, storage=url, name="other")
    assert {line.name: bool(line.damaged) for line in summaries(url)} == {"s": True, "other": False}


def test_a_record_of_a_study_that_is_damaged_hides_no_other_study(tmp_path: Path) -> None:
    url = changed(tmp_path, "select 1")
    sv.create_study(POOL, metric="f1", budget=4, storage=url, name="other")
    with closing(sqlite3.connect(tmp_path / "s.db")) as database, database:
        database.execute("create table t as select * from studies")
        database.execute("drop table studies")
        database.execute("create table studies (id, name, pool, created)")
        database.execute("insert into studies select * from t")
        database.execute("update studies set created = null, pool = hex(zeroblob(999)) where name = 's'")
    assert {line.name for line in summaries(url)} == {"s", "other"}
    with pytest.raises(sv.InputError, match="pool of this study is missing"):
        sv.load_study("s", url)


def test_a_list_of_studies_that_cannot_be_read_now_damages_none(tmp_path: Path) -> None:
    class Away(Storage):
        def log(self, study: str) -> NoReturn:
            raise Unavailable(f"the server is gone, with {study}")

    with pytest.raises(Unavailable):
        summaries(Away(changed(tmp_path, "select 1"), tmp_path))


def test_the_list_of_studies_needs_no_preset(tmp_path: Path) -> None:
    """`load_study` accepts a log without a preset, but the list had failed with a KeyError."""
    url = changed(tmp_path, "update events set payload=json_remove(payload,'$.settings.preset') where seq=1")
    [line] = summaries(url)
    assert (line.preset, line.budget, line.damaged) == ("", 3, "")


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("delete from events where seq between 6 and 8", "without a gap; after event 5 comes event 9; .* put back a copy"),
        ("delete from events where seq = 1", "without a gap; after event 0 comes event 2"),
        ("update events set payload=json_set(payload,'$.place',1.5) where seq=7", "numbers and text where they belong; .*copy"),
        ("update events set payload=json_set(payload,'$.place','1') where seq=7", "numbers and text where they belong"),
        ("update events set payload=json_set(payload,'$.place',99) where seq=7", "queue, which has 6 items so far; got 99; .*copy"),
        ("update events set payload=json_set(payload,'$.label','zz') where seq=7", "^in the study's log .*zz' .the answer for 'item-.*copy"),
        ("update events set payload=json_set(payload,'$.settings.budget',-4) where seq=1", "^in the study's log `budget` .*-4; .*copy"),
        ("update events set payload=json_set(payload,'$.held.zz','spam') where seq=1", "^in the study's log .*known beforehand.; .*copy"),
        ("update events set payload=json_set(payload,'$.upto','x') where seq=3", "numbers and text where they belong"),
    ],
)  # fmt: skip
def test_a_log_with_events_lost_or_altered_is_refused(sql: str, said: str, tmp_path: Path) -> None:
    """Six answers had silently become three."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=6, storage=url, name="s")
    study.answer(LABELS, 6)
    with closing(sqlite3.connect(tmp_path / "s.db")) as database, database:
        database.execute(sql)
    with pytest.raises(sv.InputError, match=said):
        sv.load_study("s", url)


def test_an_answer_to_a_database_that_was_deleted_is_not_acknowledged(tmp_path: Path) -> None:
    """It had been written to a file without a name, and was lost with the process."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=5, storage=url, name="s")
    first, second = study.ask(2)
    with closing(sqlite3.connect(tmp_path / "s.db")) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    kept = (tmp_path / "s.db").read_bytes()
    for path in tmp_path.glob("s.db*"):
        path.unlink()
    for _ in range(2):
        with pytest.raises(
            Unavailable, match=r"was deleted or replaced while it was open: .*s\.db; nothing was"
        ):
            study.tell(first, POOL.task.classes[1])
        study.refresh()  # what was refused had come back from the file without a name, as if it were kept
        assert not study.known_labels()
    (tmp_path / "s.db").write_bytes(kept)
    study.tell(second, POOL.task.classes[1])
    assert sv.load_study("s", url).known_labels() == {second.id: POOL.task.classes[1]}


def test_a_copy_that_is_put_back_is_read(tmp_path: Path) -> None:
    """The remedy for a damaged file had not helped before the program was started anew."""
    url, file = f"sqlite:///{tmp_path / 's.db'}", tmp_path / "s.db"
    sv.create_study(POOL, metric="f1", budget=20, storage=url, name="s").answer(LABELS, 2)
    with closing(sqlite3.connect(file)) as database:
        database.execute("vacuum into ?", (str(tmp_path / "copy.db"),))
        database.execute("pragma wal_checkpoint(truncate)")
    with file.open("r+b") as damaged:
        damaged.truncate(2 * 4096)
    with pytest.raises(sv.InputError, match="put back a copy"):
        sv.load_study("s", url)
    for path in tmp_path.glob("s.db*"):
        path.unlink()
    (tmp_path / "copy.db").rename(file)
    assert sv.load_study("s", url).labels == 2


def test_an_answer_to_a_study_that_was_put_back_as_it_was_before_is_refused(tmp_path: Path) -> None:
    """It had been kept at a place that the older queue does not have, and the study could never be opened again."""
    url, copy = f"sqlite:///{tmp_path / 's.db'}", tmp_path / "copy.db"
    study = sv.create_study(POOL, metric="f1", budget=20, storage=url, name="s")
    study.answer(LABELS, 2)
    with closing(sqlite3.connect(tmp_path / "s.db")) as database:
        database.execute("vacuum into ?", (str(copy),))
    study.answer(LABELS, 13)
    (item,) = study.ask(1)
    assert study.round > 0
    for path in tmp_path.glob("s.db*"):
        path.unlink()
    copy.rename(tmp_path / "s.db")
    replaced = r"replaced by an older copy.*; open the study again"
    with pytest.raises(sv.InputError, match=replaced):
        study.tell(item, POOL.task.classes[1])
    with pytest.raises(sv.InputError, match=replaced):  # had said that the log, a sound copy, is damaged
        study.extend(1)
    assert sv.load_study("s", url).labels == 2


def test_a_damaged_pool_is_replaced_by_a_sound_one(tmp_path: Path) -> None:
    """A new study of the same data had kept the truncated file and could not be opened."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    sv.create_study(POOL, metric="f1", budget=3, storage=url, name="s")
    (path,) = (tmp_path / "pools").glob("*.parquet")
    content, storage = path.read_bytes(), Storage.at(url)
    for damaged in (content[:50], content[: len(content) // 2], b""):
        path.write_bytes(damaged)
        assert storage.pool_size(POOL.fingerprint) == 0
        with pytest.raises(
            sv.InputError, match=r"the pool of this study cannot be read: .*; put it back, or choose"
        ):
            sv.load_study("s", url)
        storage.save_pool(POOL)
        assert path.read_bytes() == content
    at = path.stat().st_mtime_ns
    storage.save_pool(POOL)
    assert path.stat().st_mtime_ns == at
    assert sv.load_study("s", url).pool.fingerprint == POOL.fingerprint


def test_a_damaged_file_is_to_be_replaced_by_a_copy(tmp_path: Path) -> None:
    """The message had advised to try again, which did not help."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=20, storage=url, name="s")
    study.answer(LABELS, 20)
    engine_of(url).dispose()
    with closing(sqlite3.connect(tmp_path / "s.db")) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    content = (tmp_path / "s.db").read_bytes()
    (tmp_path / "s.db").write_bytes(content[: 3 * 4096] + b"Z" * (len(content) - 3 * 4096))
    with pytest.raises(
        Unavailable, match=r"malformed; nothing was kept, the file is damaged: put back a copy of it$"
    ):
        sv.load_study("s", url)


def test_a_database_that_cannot_be_opened_now_or_ever_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both cases the message had asked if the place is right."""
    monkeypatch.setattr(database, "BUSY", 0.1)
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


def test_a_database_that_cannot_be_opened_may_lie_in_a_folder_without_leave_to_write(tmp_path: Path) -> None:
    """On a disk that may only be read the place is right, which alone had been asked."""
    (tmp_path / "s.db").mkdir()  # the same complaint, for one who may write anything
    with pytest.raises(sv.InputError, match=r"unable to open .* may this program write to its folder\?$"):
        sv.Storage.at(f"sqlite:///{tmp_path / 's.db'}")


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda s: s.save_pool(None), "`pool` must be a Pool; got 'NoneType'"),
        (lambda s: s.save_labels(None), "`labels` must be a Labels; got 'NoneType'"),
        (lambda s: s.load_labels(None), "`pool` must be a Pool; got 'NoneType'"),
        (lambda s: s.at(s.url, folder=5), "`folder` must be a path; got 5"),
    ],
    ids=range(4),
)
def test_what_cannot_be_stored_is_refused_in_words(
    use: Callable[[Any], Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(sv.InputError, match=said):
        use(Storage.at(f"sqlite:///{tmp_path / 's.db'}"))


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


def test_connections_that_were_closed_are_not_kept(tmp_path: Path) -> None:
    """Each that many people at once need beyond the pool's five was, for as long as the process ran."""

    def kept() -> int:
        gc.collect()  # what other tests have let go of may be collected at any time
        return sum(isinstance(one, sqlite3.Connection) for one in gc.get_objects())

    engine, before = engine_of.__wrapped__(f"sqlite:///{tmp_path / 's.db'}"), kept()
    with ExitStack() as crowd:
        for _ in range(12):
            crowd.enter_context(engine.connect())
        assert kept() == before + 12
    assert kept() <= before + 5
    engine.dispose()
