"""Files that are damaged, gone, or of another version are said to be so, and hide no other study."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

import sampleval as sv
from sampleval.storage import Storage, Unavailable
from sampleval.storage.database import engine_of
from sampleval.study import summaries, take_over
from tests.studies import LABELS, POOL


def changed(folder: Path, sql: str, answers: int = 0) -> str:
    """URL of a database with one study, "s", which asks for an item or has so many answers, after this statement."""
    url = f"sqlite:///{folder / 's.db'}"
    study = sv.create_study(POOL, metric="f1", budget=answers or 3, storage=url, name="s")
    if answers:
        study.answer(LABELS, answers)
    else:
        study.ask(1)
    with closing(sqlite3.connect(folder / "s.db")) as database, database:
        database.execute(sql)
    return url


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("update events set payload=json_set(payload,'$.settings.new',1) where seq=1", "knows no new; .* update"),
        ("update events set payload=json_set(payload,'$.settings.method.design.key','new') where seq=1", "'new'.*update"),
        ("update events set payload=json_set(payload,'$.settings.method.design.new',1) where seq=1", "'new'.*update"),
        ("update events set payload=json_set(payload,'$.settings.method.surrogate',1.5) where seq=1", "does not know the method.*update"),
        ("update events set payload=json_remove(payload,'$.settings.budget') where seq=1", "must hold budget"),
        ("update events set payload=json_set(payload,'$.settings.metrics',json('{}')) where seq=1", "`metrics` must hold"),
        ("update events set payload=json_set(payload,'$.settings.preset',5) where seq=1", "`preset` must be a str"),
        ("update events set payload=json_set(payload,'$.settings.held_random','x') where seq=1", "`held_random` must be a bool"),
        ("update events set kind='zoom' where seq=2", "got {'kind': 'zoom'.*another version of sampleval"),
        ("update events set payload='not json' where seq=1", "`events` must hold JSON.*put back a copy"),
        ("update events set payload=x'80' where seq=1", "`events` must hold JSON.*put back a copy"),
        ("update events set payload=replace(hex(zeroblob(9999)),'0','[') where seq=1", "`events` must hold JSON.*put back"),
        ("update events set payload=json_set(payload,'$.settings.metrics',json('{\"new\":1}')) where seq=1", "got 'new'.*, update sampleval; if"),
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
        ("update events set payload=json_set(payload,'$.kind','zz') where seq=7", "unknown kind 'zz' for 'item-.*update.*copy"),
        ("update events set payload=json_set(payload,'$.kind',hex(zeroblob(999))) where seq=7", "unknown kind '0{58}… for 'item-"),
        ("update events set payload=json_set(payload,'$.id',hex(zeroblob(999))) where seq=7", "item '0{58}… stands at place .* queue"),
        ("update events set payload=json_set(payload,'$.settings.budget',-4) where seq=1", "^in the study's log `budget` .*-4; .*copy"),
        ("update events set payload=json_set(payload,'$.held.zz','spam') where seq=1", "^in the study's log .*known beforehand.; .*copy"),
        ("update events set payload=json_set(payload,'$.upto','x') where seq=3", "numbers and text where they belong"),
    ],
)  # fmt: skip
def test_a_log_with_events_lost_or_altered_is_refused(sql: str, said: str, tmp_path: Path) -> None:
    """Six answers had silently become three."""
    url = changed(tmp_path, sql, answers=6)
    with pytest.raises(sv.InputError, match=said):
        sv.load_study("s", url)
    if "queue" not in said:  # which nobody asks for when labels are taken over
        with pytest.raises(sv.InputError, match=said):
            take_over("s", url)


def torn(path: Path, earlier: bytearray) -> None:
    """Put the pages of the indexes back as they were, as in a copy that was made while the file was written to."""
    now, size = content_of(path), 4096
    for start in range(0, len(earlier), size):
        if now[start] in (2, 10):
            now[start : start + size] = earlier[start : start + size]
    engine_of(f"sqlite:///{path}").dispose()
    path.write_bytes(now)


def content_of(path: Path) -> bytearray:
    with closing(sqlite3.connect(path)) as database:
        database.execute("pragma wal_checkpoint(truncate)")
    return bytearray(path.read_bytes())


def test_answers_that_the_index_of_a_torn_copy_lacks_are_not_left_out(tmp_path: Path) -> None:
    """The study had opened without them, and without a word."""
    url = changed(tmp_path, "select 1", answers=6)
    earlier = content_of(tmp_path / "s.db")
    sv.load_study("s", url).extend(8)
    torn(tmp_path / "s.db", earlier)
    for opening in (sv.load_study, take_over):
        with pytest.raises(Unavailable, match=r"index lacks 1 event of this study; .* put back a copy"):
            opening("s", url)


def test_a_study_that_the_index_of_a_torn_copy_lacks_is_not_said_to_be_unknown(tmp_path: Path) -> None:
    """The message had been: got 'new'; did you mean 'new'?"""
    url = changed(tmp_path, "select 1")
    earlier = content_of(tmp_path / "s.db")
    Storage.at(url).rename("s", "new")
    torn(tmp_path / "s.db", earlier)
    with pytest.raises(Unavailable, match=r"index lacks this study; .* put back a copy"):
        sv.load_study("new", url)


def test_an_answer_of_another_pool_is_not_taken_over(tmp_path: Path) -> None:
    """Its id is all that tells where the queue is not known; it was said to be an argument of the caller."""
    url = changed(tmp_path, "update events set payload=json_set(payload,'$.id','zz') where seq=7", answers=6)
    with pytest.raises(
        sv.InputError, match=r"^in the study's log .* not in the pool; got 'zz'.*put back a copy"
    ):
        take_over("s", url)


def test_a_list_of_studies_tells_of_events_that_are_lost(tmp_path: Path) -> None:
    """The study was listed with the answers that were left, and did not open."""
    url = changed(tmp_path, "delete from events where seq between 6 and 8", answers=6)
    [line] = summaries(url)
    assert "without a gap; after event 5 comes event 9" in line.damaged


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
