"""The studies of a storage that have labels of a pool's items."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.storage import Storage
from sampleval.study import Elsewhere, elsewhere, reuse, taken

IDS = [f"r-{k:x}{k * 7919 % 9973:x}z" for k in range(40)]


def items(seed: int, ids: list[str] = IDS) -> sv.Pool:
    return sv.Pool.from_frame(
        pd.DataFrame({"id": ids, "score": np.random.default_rng(seed).random(len(ids))}), id="id"
    )


def test_a_storage_is_looked_through_once_and_then_only_what_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, pool = Storage.at(f"sqlite:///{tmp_path}/a.db"), items(0)
    for seed in (1, 2):
        study = sv.create_study(items(seed), metric="accuracy", budget=9, storage=store, name=f"v{seed}")
        study.tell_all((item, 1) for item in study.ask(2 + seed))
    sv.create_study(items(3), metric="accuracy", budget=9, storage=store, name="without labels")
    kept: dict[tuple[str, str, int], Elsewhere | None] = {}
    first = elsewhere(pool, store, kept)
    assert {(line.name, line.here, line.own) for line in first} == {("v2", 4, False), ("v1", 3, False)}
    monkeypatch.setattr(reuse, "_line", lambda *_: pytest.fail("nothing changed"))
    assert elsewhere(pool, store, kept) == first
    monkeypatch.undo()
    study.undo()
    assert {line.here for line in elsewhere(pool, store, kept)} == {3}
    assert len(kept) == 3


def test_a_study_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    store, pool = Storage.at(f"sqlite:///{tmp_path}/a.db"), items(0)
    for name in ("sound", "damaged"):
        study = sv.create_study(items(1), metric="accuracy", budget=9, storage=store, name=name)
        study.tell_all((item, 1) for item in study.ask(3))
    with closing(sqlite3.connect(tmp_path / "a.db")) as base, base:
        base.execute("delete from events where seq=1 and study=(select id from studies where name='damaged')")
    assert [line.name for line in elsewhere(pool, store)] == ["sound"]


@pytest.mark.parametrize("content", [None, b"", b"PAR1 cut short"])
def test_a_study_whose_pool_is_gone_or_damaged_is_left_out(tmp_path: Path, content: bytes | None) -> None:
    store = Storage.at(f"sqlite:///{tmp_path}/a.db")
    study = sv.create_study(items(1), metric="accuracy", budget=9, storage=store, name="lost")
    study.tell_all((item, 1) for item in study.ask(3))
    file = store.folder / f"{study.pool.fingerprint}.parquet"
    file.unlink() if content is None else file.write_bytes(content)
    assert elsewhere(items(0), store) == []
    assert [line.own for line in elsewhere(study.pool, store)] == [True]


def test_labels_of_items_that_a_pool_lacks_are_left_out() -> None:
    study = sv.create_study(items(1), metric="accuracy", budget=40, preset="queue")
    study.tell_all((item, item.place % 2) for item in study.ask(40))
    found = taken(items(1, IDS[:30]), study)
    assert (len(found.labels), found.of, found.by_ids, found.teaches) == (30, 40, True, True)
    more = items(1, [*IDS[:30], "new-one"])
    assert not taken(more, study).teaches
    new = sv.create_study(more, metric="accuracy", budget=5, held=found.labels)
    assert [item.id for item in new.ask(5)] == ["new-one"]
