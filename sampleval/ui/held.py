"""Labels with which a new study begins: those in the table, and those of an earlier study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval._checks import listed
from sampleval.pool import Labels, Pool
from sampleval.pool.fingerprint import digest
from sampleval.study import Elsewhere, Taken, elsewhere, take_over, taken
from sampleval.ui import address, shell, stores, words

REFUSED = 3  # studies of which the page says why their labels cannot be taken over


@dataclass(frozen=True, slots=True)
class Beforehand:
    """The labels with which a new study begins.

    Attributes:
        labels: Id → label.
        random: Whether chance, or chance and scores, chose them, so that the method may learn from them.
        key: Names these labels, so that what is made with them can be kept in memory.
        note: How the items of another pool were recognised, and what their labels are good for; "" for those of this pool.
    """

    labels: Mapping[str, Any] = field(default_factory=dict)
    random: bool = False
    key: str = ""
    note: str = ""

    def __len__(self) -> int:
        return len(self.labels)


NOTHING = Beforehand()


def partly(known: Labels | None) -> int:
    """How many labels the table has; 0 if it has all of them, since a study would have nothing to find out."""
    return 0 if known is None or known.complete else int(known.known.sum())


def of_table(pool: Pool, known: Labels | None, *, random: bool = False) -> Beforehand:
    """The known labels of the table, if other items are left to ask; otherwise there are none."""
    if known is None or not partly(known):
        return NOTHING
    key = pool.fingerprint + digest(known.values)
    return replace(_kept(key, lambda: Beforehand(known.by_id(pool), key=key)), random=random)


def _of_study(pool: Pool, name: str, doubted: Beforehand = NOTHING) -> Beforehand:
    """The labels that another study of these items has so far, but for those doubted ones that it took from the table.

    Its pool may have other scores or columns.

    Raises:
        InputError: Its labels are of another task, or its items may be others.
    """
    record = stores.storage().get(name)
    key = f"{record.id}|{stores.storage().log(record.id).end()}|{pool.fingerprint}|{doubted.key}"

    def gather() -> Beforehand:
        own = record.pool == pool.fingerprint
        its = pool if own else stores.pool(record.pool)
        study = take_over(name, stores.storage(), pool=its, doubted=doubted.labels)
        if own:
            return Beforehand(study.known_labels(), study.impartial, key)
        found = taken(pool, study)
        return Beforehand(found.labels, found.teaches, key, _recognised(found))

    return _kept(key, gather)


def _recognised(found: Taken) -> str:
    """How the items of another pool were recognised, and what their labels are good for, in words."""
    alike, here = found.alike, len(found.labels)
    how = "their ids" if found.by_ids else "their ids and by what is shown of them"
    had = "had other columns, or other items beside them" if found.teaches else "had other scores or columns"
    count = f"{words.count(here)} of its {words.many(found.of, 'label')} {'is' if here == 1 else 'are'}"
    said = [f"{count} for items of this pool, which {had} there. The items were recognised by {how}."]
    if alike.equal:
        names = listed([f"“{words.short(name, 24)}”" for name in alike.equal], most=3)
        said.append(f"Equal in both for all {words.many(alike.items, 'labelled item')}: {names}.")
    if alike.unlike:
        differ = [f"“{words.short(name, 24)}” for {words.count(n)}" for name, n in alike.unlike.items()]
        said.append(f"Not equal: {listed(differ, most=3)} of {words.many(alike.items, 'labelled item')}.")
    said.append(
        "The scores are the same, so that these labels also teach how far to trust them."
        if found.teaches
        else "Other scores, or a person, may have chosen them. That biases no result: each counts for its own item alone, and teaches "
        "nothing about the others."
    )
    return " ".join(said)


def found_elsewhere(pool: Pool) -> list[Elsewhere]:
    """The studies that have labels of these items."""
    return elsewhere(pool, stores.storage(), _found_before(pool.fingerprint))


@st.cache_resource(show_spinner=False, max_entries=16)
def _found_before(fingerprint: str) -> dict[tuple[str, str, int], Elsewhere | None]:
    """What was found of the pool with this fingerprint before, which `elsewhere` fills."""
    return {}


@st.cache_resource(show_spinner=False, max_entries=4)
def _kept(key: str, _gather: Callable[[], Beforehand]) -> Beforehand:
    return _gather()


def ask(pool: Pool, *, learns: bool) -> Beforehand:
    """Ask with which labels a new study begins, and if its method learns, whether chance chose them."""
    known, doubted = _ask_table(pool)
    said, chance = st.container(), st.container()
    other, given = _ask_study(pool, doubted)
    random = False
    if partly(known) and learns:
        random = _random(chance, beside=other if len(given) and not given.random else "")
    else:
        address.unasked("known_random", instead="there are no such labels from which this method could learn")
    beforehand = _both(of_table(pool, known, random=random), given, learns=learns)
    if 0 < len(beforehand) < pool.size:
        said.caption(words.held(len(beforehand), pool.size))
    return beforehand


def _ask_table(pool: Pool) -> tuple[Labels | None, Beforehand]:
    """Ask whether the labels of the table count: those that do, and those that are doubted."""
    known = stores.labels(pool.fingerprint)
    some = partly(known)
    if not some or st.toggle(
        f"Count the labels that these data already have ({words.count(some)})",
        True,
        **address.switch("count_known"),
        help="On, so that nobody labels an item twice. Switch it off if you do not trust these labels: then the items "
        "may be asked like any other, also where another study counted them whose labels are taken over.",
    ):
        return known, NOTHING
    return None, of_table(pool, known)


def _ask_study(pool: Pool, doubted: Beforehand) -> tuple[str, Beforehand]:
    """Ask which study gives labels: its name, "" for none, and they."""
    others = {record.name: "" for record in stores.storage().studies() if record.pool == pool.fingerprint}
    lines = [line for line in found_elsewhere(pool) if not line.own]
    others |= {line.name: _of_other_scores(line) for line in lines if not line.refused}
    other = st.selectbox(
        "Take over labels of",
        ["", *others],
        format_func=lambda name: f"{name}{others[name]}" if name else "no other study",
        **address.bound("held", ["", *others]),
        help="They count in the new study: used in every estimate, never asked again. Where chance and the "
        "model chose them, as with most methods, they also teach the new study how far to trust the model.",
    )
    for line in [line for line in lines if line.refused][:REFUSED]:
        st.caption(words.plain(f"“{line.name}” is not in the list: {line.refused}."))
    given = NOTHING
    if other:
        with shell.mistakes_in_words():
            given = _of_study(pool, other, doubted)
    if given.note:
        st.caption(words.plain(given.note))
    return other, given


def _both(table: Beforehand, given: Beforehand, *, learns: bool) -> Beforehand:
    """The labels of the table and of another study together: the method may learn from them if chance chose all of them."""
    if not given:
        return table
    random = learns and given.random and (table.random or not table)
    return Beforehand({**table.labels, **given.labels}, random, f"{table.key}|{given.key}")


def _of_other_scores(line: Elsewhere) -> str:
    """What the list, in which there is little room, says of a study of another pool beside its name.

    >>> _of_other_scores(Elsewhere("digits", False, 120, 110))
    ' · 110 of 120 labels, of another table'
    """
    return f" · {words.count(line.here)} of {words.many(line.labels, 'label')}, of another table"


def _random(place: DeltaGenerator, *, beside: str) -> bool:
    """Ask whether chance alone chose the items whose labels the table has; grey beside a study whose items it did not choose."""
    return place.toggle(
        "They are a random sample of these items",
        False,
        **address.switch("known_random"),
        disabled=bool(beside),
        help=f"Not with the labels of “{words.name(beside)}”: they are not a random sample, so the method learns from no label known beforehand."
        if beside
        else "Switch it on if chance alone chose which items got these labels, with the same chance for every item: the method then learns "
        "from them how far to trust the model, and needs fewer new ones. Labels that someone picked would mislead it.",
    )
