"""A whole study in one file: its pool, its log, its settings and the known labels of its pool."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import pyarrow.parquet as pq

from sampleval._checks import count, fail, instance, shown, undamaged
from sampleval.events import Created, Event
from sampleval.metrics import Metric
from sampleval.pool import Labels, Pool, belonging
from sampleval.pool.files import aside
from sampleval.pool.tables.memory import allowed, size_in_memory
from sampleval.storage import MemoryLog, Storage
from sampleval.study import Study
from sampleval.study.opening import keep
from sampleval.study.settings import OtherVersion, own_metrics

FORMAT = 1
ABOUT, POOL, LABELS, EVENTS = "study.json", "pool.parquet", "labels.parquet", "events.jsonl"
# Most bytes of each member, unpacked.
LARGEST = {ABOUT: 1_000_000, POOL: 20_000_000_000, LABELS: 2_000_000_000, EVENTS: 200_000_000}
MOST_ROWS = 100_000_000  # a few bytes of Parquet can stand for any number of rows
ZIPPED, LINE = 100, 1_000_000  # factor that unpacking may grow by; bytes of an event without held labels
REMEDY = "export the study anew"


def export_study(study: Study, target: str | Path | IO[bytes], *, labels: Labels | None = None) -> None:
    """Write a study to one file.

    Args:
        study: The study.
        target: Path, where the file appears whole or not at all, or open file.
        labels: Known labels of its pool, to be written with it.

    Raises:
        InputError: The labels are another pool's, or the path cannot be written.
    """
    instance(study, Study, "study", remedy="make one with create_study(pool, …)")
    if labels is not None:
        belonging(labels, study.pool)
    study.refresh()
    # Events that come in from now on are left out, since the labels counted below do not include them.
    events = study.events()[: study.state.seen]
    about = {
        "format": FORMAT,
        "name": study.name,
        "pool": study.pool.fingerprint,
        "items": study.pool.size,
        "events": len(events),
        "labels": study.labels,
        "settings": study.settings.to_dict(),
    }
    if not isinstance(target, str | Path):
        if not hasattr(target, "write"):
            fail("target", "must be a path, or a file that is open for writing", target)
        _pack(study.pool, about, events, target, labels)
        return
    if not Path(target).name or "\0" in str(target):
        fail(
            "target", "must be the path of a file", str(target), remedy="name one, for example toxicity.study"
        )
    with aside(Path(target), "target") as file:
        _pack(study.pool, about, events, file, labels)


def _pack(
    pool: Pool, about: Mapping[str, Any], events: list[Event], file: Path | IO[bytes], labels: Labels | None
) -> None:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps(about, indent=2, ensure_ascii=False))
        lines = (json.dumps(event.to_dict(), ensure_ascii=False) for event in events)
        archive.writestr(EVENTS, "".join(f"{line}\n" for line in lines))
        path = pool.to_parquet(Path(folder) / POOL)
        archive.write(path, POOL, zipfile.ZIP_STORED)
        if labels is not None:
            archive.write(labels.to_parquet(Path(folder) / LABELS), LABELS, zipfile.ZIP_STORED)


def read_study(
    source: str | Path | IO[bytes], *, metrics: Iterable[Metric] = ()
) -> tuple[Study, Labels | None]:
    """The study in a file, as a study in memory, and the known labels that came with it.

    Args:
        source: Path or open file.
        metrics: Metrics of your own that the study was made for.

    Raises:
        InputError: The file is no exported study, or is damaged.
    """
    with tempfile.TemporaryDirectory() as folder:
        parts = _unpack(source, Path(folder))
        about = _json(parts[ABOUT].read_bytes())
        for member in {POOL, LABELS} & set(parts):
            _weigh(parts[member], about.get("items"))
        events = _events(parts[EVENTS], count(about["items"], "items"))
        # Before the replay, which takes rounds without a lost answer for those of another version.
        _as_many(about, "events", len(events))
        pool = Pool.from_parquet(parts[POOL])
        known = Labels.from_parquet(parts[LABELS]) if LABELS in parts else None
    study = _replayed(pool, known, events, str(about.get("name") or "imported"), metrics)
    _as_many(about, "labels", study.labels)
    return study, known


def _as_many(about: Mapping[str, Any], what: str, found: int) -> None:
    """Refuse a file that holds another number of these than it says, if it says one."""
    if about.get(what, found) != found:
        rule = f"must hold as many {what} as it says; it says {shown(about[what])}"
        fail("file", rule, found, remedy=f"it is damaged: take another copy of it, or {REMEDY}")


def import_study(
    source: str | Path | IO[bytes],
    storage: str | Storage,
    *,
    name: str | None = None,
    metrics: Iterable[Metric] = (),
) -> Study:
    """Store an exported study and return it. Nothing is stored unless the whole file is sound.

    Args:
        source: Path or open file.
        storage: Database URL, or the storage.
        name: Its name there; by default the one it had.
        metrics: Metrics of your own that the study was made for.

    Raises:
        InputError: The file is no exported study or is damaged, or the name is taken.
    """
    store, own = Storage.at(storage), tuple(own_metrics(metrics).values())
    study, known = read_study(source, metrics=own)
    if known is not None and store.load_labels(study.pool) is not None:
        known = None  # stored labels stay; read before the study is stored, as damaged ones are refused
    copy = keep(study, store, name or study.name, metrics=own)
    if known is not None:
        store.save_labels(known)
    return copy


def _unpack(source: str | Path | IO[bytes], folder: Path) -> dict[str, Path]:
    """Member → its unpacked file. An archive that has unexpected members or too large ones is refused."""
    with undamaged("exported study", remedy=REMEDY), zipfile.ZipFile(source) as archive:
        members = {info.filename: info for info in archive.infolist()}
        if ABOUT in members:  # at first, since another format may have other members
            version = _json(_unpacked(archive, members[ABOUT], folder).read_bytes()).get("format")
            if version != FORMAT:
                remedy = "was it made by a newer version of sampleval? Then update sampleval"
                fail("file", f"must be a study of format {FORMAT}", version, remedy=remedy)
        if len(members) != len(archive.infolist()) or not {ABOUT, POOL, EVENTS} <= set(members) <= set(
            LARGEST
        ):
            rule = f"must be an exported study, with {ABOUT}, {POOL}, {EVENTS} and nothing but {LABELS} beside them"
            fail("file", rule, sorted(members)[:6], remedy=REMEDY)
        return {member: _unpacked(archive, info, folder) for member, info in members.items()}


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> Path:
    """The unpacked file of a member that is expected; a too large one is refused."""
    member = info.filename
    most = min(LARGEST[member], LINE + ZIPPED * info.compress_size)
    if info.file_size > most:
        fail("file", f"must not hold a {member} of more than {most:,} bytes", info.file_size)
    with archive.open(info) as packed, (folder / member).open("wb") as file:
        shutil.copyfileobj(packed, file)
    return folder / member


def _json(line: bytes | str) -> dict[str, Any]:
    try:
        value = json.loads(line)
        json.dumps(value, ensure_ascii=False).encode()  # refuses lone surrogates, which cannot be stored
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        fail("file", "must hold JSON records", line[:60], remedy=REMEDY)
    return value


def _events(path: Path, items: int) -> list[Event]:
    """The log of a study of this many items. Its first event may be long, since it names all held items."""
    found: list[Event] = []
    with path.open("rb") as lines:
        while line := lines.readline(LINE + (0 if found else 1_000 * items)):
            if not line.endswith(b"\n"):
                fail(
                    "file",
                    f"must hold events that end; event {len(found) + 1} is too long, or cut off",
                    remedy=REMEDY,
                )
            if line.strip():
                found.append(Event.from_dict(_json(line)))
    return found


def _weigh(path: Path, items: object) -> None:
    """Refuse a table whose number of rows is not the number of items, or that would fill the memory when read."""
    most = allowed(path.stat().st_size)
    with undamaged("exported study", remedy=REMEDY):
        rows = pq.read_metadata(path).num_rows
        if rows != items or rows > MOST_ROWS:
            rule = f"must hold as many items as it says, at most {MOST_ROWS:,}; {path.name} has {rows:,}"
            fail("file", rule, items, remedy=REMEDY)
        if size_in_memory(path, most) > most:
            rule = f"must not hold a {path.name} of more than {most:,} bytes when read"
            fail("file", rule, remedy=REMEDY)


def _replayed(
    pool: Pool, known: Labels | None, events: list[Event], name: str, metrics: Iterable[Metric]
) -> Study:
    """The study, if the parts belong together and the log can be replayed."""
    with undamaged("exported study", remedy=REMEDY):
        first = events[0].what if events else None
        if not isinstance(first, Created) or first.settings.get("pool") != pool.fingerprint:
            fail("file", "must hold a log that belongs to its pool; this one is of another", remedy=REMEDY)
        if known is not None:
            belonging(known, pool, "file", remedy=REMEDY)
        try:
            return Study(pool, MemoryLog(events), name=name, metrics=metrics)
        except OtherVersion:  # the remedy that this names is for a stored study
            rule = "must hold a method and a queue that this version of sampleval has; they were made by another version"
            remedy = (
                "open it with that version, and export its labels: a new study counts those that are a column of its data; "
                "if that version is newer, update sampleval"
            )
            fail("file", rule, remedy=remedy)
