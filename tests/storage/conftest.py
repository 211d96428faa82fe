"""A PostgreSQL server of our own, and storages and logs in each kind of database."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from sampleval.storage import Log, MemoryLog, Storage
from sampleval.storage.database import engine_of
from tests.storage.events import begun, begun_in, opened

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


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """An empty storage in either kind of database."""
    with opened(request.param, request, tmp_path) as storage:
        yield storage


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """A log with its first event."""
    if request.param == "memory":
        yield MemoryLog(begun())
        return
    with opened(request.param, request, tmp_path) as storage:
        yield begun_in(storage)
