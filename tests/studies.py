"""Studies of pools whose labels are known, as they begin and once some are answered; mostly of the same forty items."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import sampleval as sv
from sampleval.metrics import resolve
from sampleval.pool import Pool, decode_label
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


def holding(n: int, **options: Any) -> Study:
    """A study of 40 items that knows the labels of n beforehand."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(40), "score": np.linspace(0.05, 0.95, 40)}))
    return sv.create_study(pool, metric="f1", budget=5, held={str(k): k % 2 for k in range(n)}, **options)


def study_of(pool: Pool, y: NDArray[Any], metric: Any, k: int, **options: Any) -> Study:
    """A study of this pool whose first k items are labelled as in y."""
    study = sv.create_study(pool, metric=metric, budget=k, **{"preset": "queue"} | options)
    study.tell_all(
        (item, decode_label(pool.task, y[pool.position(item.id)].tolist())) for item in study.ask(k)
    )
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
