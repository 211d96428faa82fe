"""A study as one file: another storage gets an equal study, or says why not."""

from __future__ import annotations

import dataclasses
import errno
import io
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from functools import partial, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sampleval as sv
from sampleval import bundle
from sampleval.bundle import export_study, import_study, read_study
from sampleval.events import Event
from sampleval.pool.tables import memory
from sampleval.presets import PRESETS
from sampleval.storage import Storage
from sampleval.study import Study
from sampleval.study.opening import keep
from tests.pools import binary, multilabel
from tests.studies import of_another_version

POOL, LABELS = binary()


def begun(preset: str = "queue") -> Study:
    study = sv.create_study(
        POOL, metric="f1", budget=12, seed=7, preset=preset, name="mine", held={"item-003": "spam"}
    )
    study.answer(LABELS, 6)
    study.undo(annotator="oracle")
    (item,) = study.ask(1)
    study.tell(item, sv.UNSURE, annotator="ädä", seconds=2.5)
    study.note(item, "=odd 🦉")
    study.guide("Spam is what nobody asked for.")
    study.extend(2)
    return study


def packed(study: Study | None = None, **options: Any) -> bytes:
    out = io.BytesIO()
    export_study(study or begun(), out, **options)
    return out.getvalue()


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'other.db'}"


def test_a_disk_without_room_to_unpack_is_no_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message had advised to export the study anew."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    content = packed()
    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(
        sv.InputError, match=r"`file` cannot be read: No space left on device; .* room on the disk"
    ):
        read_study(io.BytesIO(content))


def test_a_damaged_place_within_the_archive_is_no_fault_of_the_disk(tmp_path: Path) -> None:
    """The system refuses to seek before the beginning of a file, and this had been taken for a full disk."""
    content = bytearray(packed())
    place = slice(
        content.rindex(b"PK\5\6") + 16, content.rindex(b"PK\5\6") + 20
    )  # where the table of contents begins
    content[place] = (int.from_bytes(content[place], "little") + 60).to_bytes(4, "little")
    (path := tmp_path / "study.sampleval").write_bytes(content)
    with pytest.raises(sv.InputError, match="`file` must be an undamaged exported study; export"):
        read_study(path)


@pytest.mark.parametrize("preset", PRESETS)
def test_another_storage_gets_an_equal_study(preset: str, tmp_path: Path) -> None:
    study = begun(preset)
    export_study(study, tmp_path / "mine.study", labels=LABELS)
    back = import_study(tmp_path / "mine.study", url(tmp_path))
    assert back.name == "mine"
    assert back.events() == study.events()
    assert back.state == study.state
    for metric in ("f1", "auc"):
        found, told = dataclasses.asdict(back.estimate(metric)), dataclasses.asdict(study.estimate(metric))
        np.testing.assert_equal(found, told)  # since Python 3.13, `==` on what holds a `nan` is false
    assert back.pool.fingerprint == POOL.fingerprint
    assert [i.fields for i in back.ask(3)] == [i.fields for i in study.ask(3)]
    known = sv.Storage.at(url(tmp_path)).load_labels(POOL)
    assert known is not None
    assert (known.values == LABELS.values).all()
    assert sv.load_study("mine", url(tmp_path)).state == back.state


def test_a_metric_of_one_s_own_is_asked_for_and_brought_along(tmp_path: Path) -> None:
    own = dataclasses.replace(sv.metrics.resolve("accuracy"), name="mine")
    study = sv.create_study(POOL, metric=own, budget=12, storage=url(tmp_path), name="own")
    study.answer(LABELS, 6)
    export_study(study, tmp_path / "own.study")
    ways: list[Callable[..., Study]] = [
        partial(sv.load_study, "own", url(tmp_path)),
        partial(import_study, tmp_path / "own.study", url(tmp_path), name="again"),
        lambda **more: read_study(tmp_path / "own.study", **more)[0],
        partial(Study.replay, POOL, study.events()),
    ]
    for opened in ways:
        with pytest.raises(sv.InputError, match=r"`metrics` must hold .*got 'mine';.*metrics=\[…\]"):
            opened()
        assert opened(metrics=iter([own])).estimate("mine") == study.estimate()


def test_an_export_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.study"
    export_study(begun(), path)
    before = path.read_bytes()
    monkeypatch.setattr(sv.Pool, "to_parquet", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export_study(begun(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_multilabel_study_travels_too(tmp_path: Path) -> None:
    pool, labels = multilabel()
    study = sv.create_study(pool, metric=sv.metrics.for_kind("multilabel")[0], budget=8, name="m")
    study.answer(labels, 5)
    back = import_study(io.BytesIO(packed(study)), url(tmp_path))
    assert back.state == study.state
    assert back.known_labels() == study.known_labels()


def test_a_copy_lives_beside_its_original_and_goes_its_own_way(tmp_path: Path) -> None:
    content = packed()
    first = import_study(io.BytesIO(content), url(tmp_path))
    with pytest.raises(sv.InputError, match="must be new"):
        import_study(io.BytesIO(content), url(tmp_path))
    second = import_study(io.BytesIO(content), url(tmp_path), name="copy")
    assert second.state == first.state
    (item,) = second.ask(1)
    second.tell(item, "spam")
    first.refresh()
    assert first.labels == second.labels - 1


def test_answers_that_come_in_while_it_is_written_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = keep(begun(), Storage.at(url(tmp_path)), "mine")
    other, events = sv.load_study("mine", url(tmp_path), pool=POOL), Study.events

    def later(own: Study) -> list[Event]:
        other.answer(LABELS, 1)
        return events(own)

    before = study.labels
    monkeypatch.setattr(Study, "events", later)
    copy, _ = read_study(io.BytesIO(packed(study)))
    assert (copy.labels, other.labels) == (before, before + 1)


def test_reading_needs_no_storage() -> None:
    study = begun()
    back, known = read_study(io.BytesIO(packed(study)))
    assert known is None
    assert back.state == study.state


def test_known_labels_that_are_there_stay(tmp_path: Path) -> None:
    store = sv.Storage.at(url(tmp_path))
    store.save_labels(LABELS)
    values = LABELS.values.copy()
    other = sv.Labels(LABELS.task, 1 - values, LABELS.known.copy(), LABELS.fingerprint)
    import_study(io.BytesIO(packed(labels=other)), store)
    found = store.load_labels(POOL)
    assert found is not None
    assert (found.values == LABELS.values).all()


def repacked(
    change: Callable[[dict[str, bytes]], dict[str, bytes]],
    compression: int = zipfile.ZIP_STORED,
    study: Study | None = None,
) -> bytes:
    """The archive with its members changed."""
    with zipfile.ZipFile(io.BytesIO(packed(study, labels=LABELS))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in change(members).items():
            archive.writestr(name, content)
    return out.getvalue()


def event(**changes: Any) -> bytes:
    usual = {
        "kind": "asked",
        "payload": {"upto": 3},
        "annotator": "",
        "uuid": "u",
        "at": "2026-01-01T10:00:00+00:00",
    }
    return json.dumps(usual | changes).encode() + b"\n"


def uncounted(members: dict[str, bytes]) -> dict[str, bytes]:
    """The members of a file that does not say how many events it holds."""
    said = json.loads(members["study.json"])
    del said["events"]
    return members | {"study.json": json.dumps(said).encode()}


def altered(log: bytes, *path: str, value: object) -> bytes:
    """The log with one part of its first event changed."""
    first, rest = log.split(b"\n", 1)
    record = json.loads(first)
    *outer, last = path
    reduce(getitem, outer, record["payload"])[last] = value
    return json.dumps(record).encode() + b"\n" + rest


def of_another_pool(members: dict[str, bytes]) -> dict[str, bytes]:
    other, _ = binary(n=30)
    with zipfile.ZipFile(io.BytesIO(packed(sv.create_study(other, metric="f1", budget=5)))) as archive:
        return members | {"pool.parquet": archive.read("pool.parquet")}


PROGRAM = json.dumps(
    {"key": "learned", "classifier": {"module": "builtins", "class": "exit", "params": {"code": 1}}}
).encode()


def test_a_file_of_another_version_names_a_remedy_that_needs_no_stored_study(tmp_path: Path) -> None:
    """It advised to take over the labels of a study that is stored nowhere here."""
    store = f"sqlite:///{tmp_path / 'theirs.db'}"
    theirs = keep(begun(), store, "mine")
    of_another_version(store)
    with zipfile.ZipFile(io.BytesIO(packed(theirs))) as archive:
        digests = [json.loads(line)["payload"].get("digest") for line in archive.open("events.jsonl")]
    assert "another" in digests
    with pytest.raises(
        sv.InputError, match=r"`file` .* another version; open it with that version, and export"
    ) as told:
        import_study(io.BytesIO(packed(theirs)), url(tmp_path))
    assert "take_over" not in str(told.value)
    assert sv.Storage.at(url(tmp_path)).studies() == []


def test_a_file_of_a_newer_version_is_said_to_be_one_whatever_else_it_holds() -> None:
    """It was said to be no exported study, to be exported anew."""
    newer = {"study.json": b'{"format": 2}', "people.jsonl": b"{}"}
    said = "must be a study of format 1; got 2; .* newer version of sampleval. Then update sampleval"
    with pytest.raises(sv.InputError, match=said):
        read_study(io.BytesIO(repacked(lambda members: members | newer)))


MALFORMED: dict[str, Callable[[dict[str, bytes]], dict[str, bytes]]] = {
    "no pool": lambda m: {n: c for n, c in m.items() if n != "pool.parquet"},
    "no events": lambda m: m | {"events.jsonl": b""},
    "not json": lambda m: m | {"events.jsonl": b"hello\n"},
    "deep json": lambda m: m | {"events.jsonl": b"[" * 100_000},
    "a list": lambda m: m | {"study.json": b"[]"},
    "another format": lambda m: m | {"study.json": b'{"format": 99}'},
    "half a pool": lambda m: m | {"pool.parquet": m["pool.parquet"][:1000]},
    "another pool": of_another_pool,
    "half the labels": lambda m: m | {"labels.parquet": m["labels.parquet"][:200]},
    "labels as pool": lambda m: m | {"pool.parquet": m["labels.parquet"]},
    "climbing out": lambda m: m | {"../evil": b"x"},
    "absolute": lambda m: m | {"/evil": b"x"},
    "no time": lambda m: m | {"events.jsonl": m["events.jsonl"] + event(at="now")},
    "unknown event": lambda m: m | {"events.jsonl": m["events.jsonl"] + event(kind="exec")},
    "wrong payload": lambda m: m | {"events.jsonl": m["events.jsonl"] + event(payload={"upto": "many"})},
    "no beginning": lambda m: m | {"events.jsonl": event()},
    "answer elsewhere": lambda m: (
        m
        | {
            "events.jsonl": m["events.jsonl"]
            + event(kind="answered", payload={"place": 10**9, "id": "x", "kind": "label"})
        }
    ),
    "row of text": lambda m: (
        m
        | {
            "events.jsonl": m["events.jsonl"]
            + event(kind="answered", payload={"place": "0", "id": "x", "kind": "label"})
        }
    ),
    "wrong settings": lambda m: (
        m | {"events.jsonl": m["events.jsonl"].replace(b'"budget": 12', b'"budget": "12"', 1)}
    ),
    "no settings": lambda m: m | {"events.jsonl": altered(m["events.jsonl"], "settings", value=None)},
    "a word for a method": lambda m: (
        m | {"events.jsonl": altered(m["events.jsonl"], "settings", "method", value="x")}
    ),
    "an interval that there is not": lambda m: (
        m | {"events.jsonl": altered(m["events.jsonl"], "settings", "method", "interval", value="")}
    ),
    "unknown design": lambda m: (
        m | {"events.jsonl": m["events.jsonl"].replace(b'"priority"', b'"os.system"', 1)}
    ),
    "a program for a classifier": lambda m: (
        m
        | {
            "events.jsonl": m["events.jsonl"].replace(
                b'{"key": "shrunk", "shrinkage": 0.9, "toward": "mean"}', PROGRAM, 1
            )
        }
    ),
    "unknown metric": lambda m: m | {"events.jsonl": m["events.jsonl"].replace(b'"f1"', b'"f"', 1)},
    "half a sign, which no database keeps": lambda m: (
        m
        | {"events.jsonl": m["events.jsonl"].replace(b'"annotator": "oracle"', b'"annotator": "\\ud800"', 1)}
    ),
    "unknown option": lambda m: (
        m | {"events.jsonl": m["events.jsonl"].replace(b'"shrinkage"', b'"trust"', 1)}
    ),
}


@pytest.mark.parametrize("how", MALFORMED)
def test_a_malformed_archive_is_refused_and_nothing_stored(how: str, tmp_path: Path) -> None:
    content = repacked(lambda members: MALFORMED[how](uncounted(members)))
    with pytest.raises(sv.InputError):
        import_study(io.BytesIO(content), url(tmp_path))
    assert sv.Storage.at(url(tmp_path)).studies() == []
    assert [path.name for path in (tmp_path / "pools").iterdir()] == []
    assert not (tmp_path.parent / "evil").exists()


@pytest.mark.parametrize("change", [lambda members: members, uncounted], ids=["as it was", "uncounted"])
def test_the_control_an_archive_without_a_fault_is_accepted(change: Any, tmp_path: Path) -> None:
    assert import_study(io.BytesIO(repacked(change)), url(tmp_path)).labels == 6


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.study"
    path.write_bytes(content)
    with pytest.raises(sv.InputError, match="`file`"):
        import_study(path, url(tmp_path))
    with pytest.raises(sv.InputError, match="`file`"):
        import_study(tmp_path / "nothing.study", url(tmp_path))


def test_an_archive_that_unpacks_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bundle.LARGEST, bundle.EVENTS, 100)
    with pytest.raises(sv.InputError, match="of more than 100 bytes"):
        import_study(io.BytesIO(packed()), url(tmp_path))


def test_damage_anywhere_is_refused_or_harmless() -> None:
    """Flipped bytes: an `InputError`, or the same study (in the names of the archive's own index, say)."""
    content, study = packed(), begun()
    rng, refused = random.Random(5), 0
    for _ in range(150):
        damaged = bytearray(content)
        at = rng.randrange(len(damaged))
        damaged[at] ^= 1 << rng.randrange(8)
        try:
            back, _ = read_study(io.BytesIO(bytes(damaged)))
        except sv.InputError:
            refused += 1
        else:
            assert back.known_labels() == study.known_labels()
    assert refused > 100


def misspelt(pool: bytes) -> bytes:
    """A pool whose file has a description of its columns that this version does not know."""
    table, out = pq.read_table(io.BytesIO(pool)), io.BytesIO()
    told = {
        key: value.replace(b"explanation", b"explanatisn") for key, value in table.schema.metadata.items()
    }
    pq.write_table(table.replace_schema_metadata(told), out)
    return out.getvalue()


@pytest.mark.parametrize(
    "how",
    [
        lambda m: m | {"events.jsonl": altered(m["events.jsonl"], "settings", value=-1)},
        lambda m: m | {"pool.parquet": misspelt(m["pool.parquet"])},
        lambda m: m | {"pool.parquet": m["pool.parquet"][:-12] + b"\x0e" * 4 + m["pool.parquet"][-8:]},
        lambda m: m | {"pool.parquet": m["pool.parquet"][:4] + b"\x0e" * 4 + m["pool.parquet"][8:]},
    ],
    ids=range(4),
)
def test_damage_is_told_without_the_words_of_those_who_stumbled(
    how: Callable[[dict[str, bytes]], dict[str, bytes]],
) -> None:
    """The messages had spoken of thrift, attributes and keyword arguments."""
    with pytest.raises(
        sv.InputError, match=r"must be an undamaged (exported study; e|pool file; got '.*'; it may)"
    ):
        read_study(io.BytesIO(repacked(how)))


def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file of 149 KB had taken 5.5 GB and a minute, and 5 KB of Parquet had taken 3.4 GB."""
    line = event(payload={"upto": [0] * 1_500_000})
    long = repacked(lambda m: m | {"events.jsonl": m["events.jsonl"] + line}, zipfile.ZIP_DEFLATED)
    with pytest.raises(sv.InputError, match=r"must not hold a events.jsonl of more than 1,\d{3},\d{3} bytes"):
        read_study(io.BytesIO(long))
    with pytest.raises(sv.InputError, match=r"must hold events that end; event \d+ is too long"):
        read_study(io.BytesIO(repacked(lambda m: m | {"events.jsonl": m["events.jsonl"] + line})))

    def swollen(members: dict[str, bytes]) -> dict[str, bytes]:
        table = pq.read_table(io.BytesIO(members["pool.parquet"]))
        text = pa.DictionaryArray.from_arrays(pa.array([0] * len(table)), pa.array(["x" * 100_000]))
        out = io.BytesIO()
        pq.write_table(table.append_column("field/more", text), out, compression="zstd")
        return members | {"pool.parquet": out.getvalue()}

    content = repacked(swollen)
    assert len(content) < 50_000
    monkeypatch.setattr(memory, "FREE", 10_000)
    monkeypatch.setattr(memory, "TIMES", 100)
    with pytest.raises(
        sv.InputError, match=r"must not hold a pool.parquet of more than [\d,]+ bytes when read"
    ):
        read_study(io.BytesIO(content))
    assert read_study(io.BytesIO(packed()))[0].labels == 6


@pytest.mark.parametrize("items", [59, 61, None, "60"])
def test_a_pool_of_other_size_than_the_file_says_is_refused(items: Any) -> None:
    def miscounted(members: dict[str, bytes]) -> dict[str, bytes]:
        about = json.loads(members["study.json"])
        return members | {"study.json": json.dumps(about | {"items": items}).encode()}

    with pytest.raises(
        sv.InputError, match=f"must hold as many items as it says, .*parquet has {POOL.size}; got"
    ):
        read_study(io.BytesIO(repacked(miscounted)))


def test_the_number_of_items_may_be_written_with_a_point() -> None:
    size = f'"items": {POOL.size}'.encode()
    content = repacked(lambda m: m | {"study.json": m["study.json"].replace(size, size + b".0")})
    assert read_study(io.BytesIO(content))[0].pool.size == POOL.size


def test_a_file_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    """The error had named a hidden file that the caller did not know."""
    with pytest.raises(
        sv.InputError,
        match=r"`target` must be a file that can be written: No such file.*; got '.*; is its folder there",
    ):
        export_study(begun(), tmp_path / "no" / "x.study")
    with pytest.raises(sv.InputError, match="`study` must be a Study; got 'NoneType'"):
        export_study(None, tmp_path / "x.study")  # type: ignore[arg-type]
    with pytest.raises(
        sv.InputError, match="`target` must be a path, or a file that is open for writing; got 5"
    ):
        export_study(begun(), 5)  # type: ignore[arg-type]
    for nameless in ("", "a\0b"):
        with pytest.raises(sv.InputError, match="`target` must be the path of a file; got"):
            export_study(begun(), nameless)
    with pytest.raises(sv.InputError, match="`metrics` must be a list; got 'f1'"):
        import_study(io.BytesIO(packed()), url(tmp_path), metrics="f1")  # type: ignore[arg-type]


def test_a_lost_answer_is_not_taken_for_the_queue_of_another_version() -> None:
    """Rounds that learn from the answers are drawn otherwise without one."""

    def shortened(members: dict[str, bytes]) -> dict[str, bytes]:
        lines = members["events.jsonl"].splitlines(keepends=True)
        first = next(k for k, line in enumerate(lines) if json.loads(line)["kind"] == "answered")
        return members | {"events.jsonl": b"".join(lines[:first] + lines[first + 1 :])}

    study = sv.create_study(POOL, metric="f1", budget=30, seed=7)
    study.answer(LABELS, 25)
    content = repacked(shortened, study=study)
    with pytest.raises(sv.InputError, match=r"must hold as many events as it says; it says \d+; got"):
        read_study(io.BytesIO(content))


@pytest.mark.parametrize(("what", "counted"), [("answered", True), ("answered", False), ("asked", True)])
def test_a_study_with_a_line_removed_is_refused(what: str, counted: bool) -> None:
    """Ten labels had become nine without a word; a file that does not count its events has its labels to go by."""

    def shortened(members: dict[str, bytes]) -> dict[str, bytes]:
        lines = members["events.jsonl"].splitlines(keepends=True)
        lost = max(k for k, line in enumerate(lines) if json.loads(line)["kind"] == what)
        kept = b"".join(lines[:lost] + lines[lost + 1 :])
        return (members if counted else uncounted(members)) | {"events.jsonl": kept}

    with pytest.raises(
        sv.InputError, match=r"must hold as many (events|labels) as it says; it says \d+; got"
    ):
        read_study(io.BytesIO(repacked(shortened)))


def test_what_happens_during_an_export_is_not_in_it(tmp_path: Path) -> None:
    """A label of another process had been in the log but not in the count, so that the file would have been refused."""
    kept = sv.create_study(POOL, metric="f1", budget=4, storage=url(tmp_path), name="mine")
    other = sv.load_study("mine", url(tmp_path))
    kept.answer(LABELS, 2)
    other.answer(LABELS, 1)
    assert read_study(io.BytesIO(packed(kept)))[0].labels == 3


def test_an_import_that_is_refused_for_the_labels_there_stores_nothing(tmp_path: Path) -> None:
    """The study had been stored all the same, and a second attempt was refused for its name."""
    store = sv.Storage.at(url(tmp_path))
    store.save_pool(POOL)
    (store.folder / f"{POOL.fingerprint}.labels.parquet").write_bytes(b"PAR1 damaged")
    for _ in range(2):
        with pytest.raises(sv.InputError, match="labels file"):
            import_study(io.BytesIO(packed(labels=LABELS)), store)
    assert store.studies() == []
