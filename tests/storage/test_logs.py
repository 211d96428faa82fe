"""Logs lose nothing and keep their order, in SQLite, in PostgreSQL and in memory."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import sampleval as sv
from sampleval.events import Answered, Asked, Event, Extended, Noted
from sampleval.storage import Log, Storage
from sampleval.storage.tables import STUDIES
from tests.places import ROOT
from tests.storage.events import FINGERPRINT, begun, begun_in, noted, texts
from tests.studies import POOL

pytestmark = pytest.mark.xdist_group("storage")  # one database server for all of these


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


def write_at_once(storage: Storage, crowd: Executor, writers: int) -> None:
    """Let each writer append, and look whether all of it is stored, in order."""
    record = storage.add("s", FINGERPRINT, begun())
    with crowd as pool:
        list(pool.map(partial(_append_many, storage.url, storage.folder, "s", n=15), range(writers)))
    found = storage.log(record.id).since(0)
    assert [number for number, _ in found] == list(range(1, 30 * writers + 2))
    assert storage.log(record.id).end() == len(found)
    written = [event.uuid for _, event in found[1:]]
    for who in range(writers):
        mine = [uuid for uuid in written if uuid.startswith(f"{who}-")]
        assert mine == [f"{who}-{k}{end}" for k in range(15) for end in ("", "-twin")]
    assert all(a + "-twin" == b for a, b in zip(written[::2], written[1::2], strict=True))


def test_threads_that_write_at_once_lose_nothing_and_keep_order(storage: Storage) -> None:
    write_at_once(storage, ThreadPoolExecutor(4), 4)


def test_processes_that_write_at_once_lose_nothing_and_keep_order(tmp_path: Path) -> None:
    """In SQLite alone: a server knows connections only, and does not tell processes from threads."""
    storage = Storage.at(f"sqlite:///{tmp_path / 's.db'}", tmp_path / "pools")
    write_at_once(storage, ProcessPoolExecutor(2, multiprocessing.get_context("spawn")), 2)


def test_a_reader_never_passes_over_an_event_that_commits_late(storage: Storage) -> None:
    """What a database's own sequence would get wrong: the second writer commits before the first."""
    log = begun_in(storage)
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
    log = begun_in(storage)
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
