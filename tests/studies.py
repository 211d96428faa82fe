"""A study of forty items whose labels are known, as it begins and once some are answered."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import sampleval as sv
from sampleval.metrics import resolve
from sampleval.study import Study
from tests.pools import binary

POOL, LABELS = binary()
TRUTH = {str(id): POOL.task.classes[y] for id, y in zip(POOL.ids, LABELS.values, strict=True)}


def begun(**options: Any) -> Study:
    """A new study of the pool; options replace the usual ones."""
    usual: dict[str, Any] = {"metric": "f1", "budget": 12, "seed": 7, "preset": "queue"}
    return sv.create_study(POOL, **(usual | options))


def answered(study: Study, n: int) -> Study:
    """The same study with the next n items labelled truly."""
    for item in study.ask(n):
        study.tell(item, TRUTH[item.id])
    return study


def exact(name: str) -> float:
    """The metric of the whole pool, computed from all its labels."""
    metric = resolve(name)
    risk = metric.loss(POOL.items, LABELS.values).mean(axis=0)
    return float(metric.value(risk)[0]) * (POOL.size if metric.total else 1)


def of_another_version(storage: str) -> None:
    """Make the queues of all studies in this SQLite storage such as this version does not make."""
    with closing(sqlite3.connect(storage.removeprefix("sqlite:///"))) as database, database:
        database.execute(
            "update events set payload=json_set(payload,'$.digest','another') where kind='opened'"
        )
