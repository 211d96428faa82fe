"""Labels that other studies of a storage have for items of a pool, also where their pools had other scores or columns."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sampleval._checks import InputError, shown
from sampleval.events import Created, in_order
from sampleval.numerals import many
from sampleval.planning import teaches
from sampleval.pool import Pool
from sampleval.pool.files import Head
from sampleval.pool.likeness import Likeness, brief, counted, incompatible, likeness
from sampleval.storage import Storage, StudyRecord, Unavailable
from sampleval.study.answers import counting, standing
from sampleval.study.study import Study


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A study that has labels of a pool's items.

    Attributes:
        name: The study's name.
        own: Whether it is of this very pool. If not, its pool had other scores, columns or items.
        labels: How many labels it has.
        here: How many of them are of items of this pool.
        refused: Why they cannot be taken over; "" if they can.
    """

    name: str
    own: bool
    labels: int
    here: int
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """Labels of a study for the items of another pool.

    Attributes:
        labels: Id → label.
        of: How many labels the study has, also of items that this pool lacks.
        alike: How alike what is shown of these items is in both pools.
        by_ids: Whether the ids alone tell that the items are the same.
        teaches: Whether they also tell of similar items, so that methods may learn from them.
    """

    labels: dict[str, Any]
    of: int
    alike: Likeness
    by_ids: bool
    teaches: bool


Lines = MutableMapping[tuple[str, str, int], Elsewhere | None]  # a study's id, name and last event → its line
UNREAD = Elsewhere("", False, 0, 0)


def elsewhere(pool: Pool, storage: Storage, kept: Lines | None = None) -> list[Elsewhere]:
    """The studies that have labels of this pool's items, the newest first.

    Pools are not loaded for this: logs say which items have labels, and the first items of a pool's file, where ids may
    be mere row numbers, whether it shows the same ones. `taken` compares all that are taken over.

    Args:
        pool: The items.
        storage: Where the studies are.
        kept: What was found of this pool before, to be passed again: only studies that are new or went on are looked at.
    """
    kept, ends = {} if kept is None else kept, storage.ends()
    now: dict[tuple[str, str, int], Elsewhere | None] = {}
    for record in storage.studies():
        key = record.id, record.name, ends.get(record.id, 0)
        line = kept.get(key, UNREAD)
        now[key] = _line(pool, storage, record, key[-1]) if line is UNREAD else line
    kept.update(now)
    for gone in list(kept):
        if gone not in now:
            kept.pop(gone, None)  # another thread may have dropped it
    return [line for line in now.values() if line is not None]


def _line(pool: Pool, storage: Storage, record: StudyRecord, end: int) -> Elsewhere | None:
    """The line of one study; `None` if it has no labels of these items, or cannot be read."""
    own, why = record.pool == pool.fingerprint, ""
    if not own:
        head = _head(storage, record.pool)
        found = None if head is None else _why_not(pool, head)
        if found is None:
            return None  # before its log is read, which takes longest
        why = found
    ids = _labelled(storage, record.id, end)
    here = len(ids) if own else sum(id in pool for id in ids)
    if not here or (why and 2 * here < len(ids)):  # few ids may be alike by chance
        return None
    return Elsewhere(record.name, own, len(ids), here, why)


@lru_cache(maxsize=1024)
def _labelled(storage: Storage, study: str, _end: int) -> frozenset[str]:
    """The ids of a study's labelled items, from its log as far as this event; none if the log cannot be read."""
    try:
        events = in_order(storage.log(study).since(0))
    except Unavailable:  # this concerns all studies, and may pass
        raise
    except InputError:
        return frozenset()
    first = events[0].what
    held = first.held if isinstance(first, Created) else ()
    answers = (answer.what for answer in counting(standing(events).values()).values())
    return frozenset({*held, *(what.id for what in answers if what.kind == "label")})


@lru_cache(maxsize=1024)
def _head(storage: Storage, fingerprint: str) -> Head | None:
    found = storage.pool_head(fingerprint)
    return None if found is None else replace(found, fields=brief(found.fields))


def _why_not(pool: Pool, head: Head) -> str | None:
    """Why the labels of another pool cannot be taken over, "" if they can; `None` if its items seem to be others."""
    if counted(pool.ids) or counted(head.ids):
        alike = likeness(pool, head.ids, head.fields)
        if not alike.telling:
            return None if alike.unlike or pool.size != head.size else _indistinct(str(head.ids[0]))
        if alike.unlike:
            return _unlike(alike)
    return incompatible(head.task, pool.task)


def taken(pool: Pool, study: Study) -> Taken:
    """The labels that a study of another pool has for items of this one.

    >>> import pandas as pd
    >>> from sampleval.study import create_study
    >>> texts = ["one", "two", "three", "four"]
    >>> pools = [Pool.from_frame(pd.DataFrame({"score": s, "text": texts})) for s in ([.1, .4, .6, .9], [.2, .3, .7, .8])]
    >>> study = create_study(pools[0], metric="accuracy", budget=4)
    >>> study.tell_all((item, 1) for item in study.ask(2))
    >>> found = taken(pools[1], study)
    >>> len(found.labels), found.alike.equal, found.by_ids, found.teaches
    (2, ('text',), False, False)

    Args:
        pool: The items of this pool.
        study: The other study.

    Raises:
        InputError: The labels are of another task, or nothing but row numbers says that the items are the same.
    """
    given = study.known_labels()
    known = {id: label for id, label in given.items() if id in pool}
    places = study.pool.positions(known)
    alike = likeness(pool, list(known), study.pool.fields.iloc[places])
    by_ids = not (counted(pool.ids) or counted(study.pool.ids))
    why = incompatible(study.pool.task, pool.task)
    if known and not by_ids and not alike.same:
        why = _unlike(alike) if alike.unlike else _indistinct(next(iter(known)))
    if why:
        raise InputError(
            f"the labels of {shown(study.name)} cannot be taken over: {why}; choose another study, or none"
        )
    return Taken(known, len(given), alike, by_ids, bool(known) and teaches(study, pool))


def _unlike(alike: Likeness) -> str:
    """That items of the same row number are not shown alike."""
    name, differ = next(iter(alike.unlike.items()))
    return (
        f"ids here may be mere row numbers, and {shown(name)} differs for {differ:,} of {many(alike.items, 'item')} "
        "that were compared"
    )


def _indistinct(id: str) -> str:
    return f"ids such as {shown(id)} may be mere row numbers, and nothing that both show of the items tells them apart"
