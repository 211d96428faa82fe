"""Events of a study that is stored, and the storages that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sampleval.events import Created, Event, Noted
from sampleval.storage import Log, Storage
from sampleval.storage.database import engine_of
from sampleval.storage.tables import EVENTS, STUDIES

FINGERPRINT = "0" * 64


@contextmanager
def opened(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Storage]:
    """An empty storage in this kind of database."""
    url = f"sqlite:///{folder / 's.db'}" if kind == "sqlite" else request.getfixturevalue("postgres")
    yield Storage.at(url, folder / "pools")
    with engine_of(url).begin() as connection:
        connection.execute(EVENTS.delete())
        connection.execute(STUDIES.delete())
    engine_of(url).dispose()


def begun(name: str = "s") -> list[Event]:
    return [Event(Created({"pool": FINGERPRINT}, {}), uuid=f"begin-{name}")]


def begun_in(storage: Storage) -> Log:
    """The log of a study that begins in this storage."""
    return storage.log(storage.add("s", FINGERPRINT, begun()).id)


def noted(text: str) -> Event:
    return Event(Noted(0, text), uuid=text)


def texts(log: Log) -> list[str]:
    return [event.what.text for _, event in log.since(0) if isinstance(event.what, Noted)]
