"""Labels with which a new study begins: those in the table, and those of an earlier study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.pool import Labels, Pool
from sampleval.pool.fingerprint import digest
from sampleval.study import take_over
from sampleval.ui import address, shell, stores, words

Held = Mapping[str, Any]  # id → label


@dataclass(frozen=True, slots=True)
class Beforehand:
    """The labels with which a new study begins.

    Attributes:
        labels: Id → label.
        random: Whether chance, or chance and scores, chose them, so that the method may learn from them.
        key: Names these labels, so that what is made with them can be kept in memory.
    """

    labels: Held = field(default_factory=dict)
    random: bool = False
    key: str = ""

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


def of_study(pool: Pool, name: str, doubted: Beforehand = NOTHING) -> Beforehand:
    """The labels that another study of these items has so far, but for those doubted ones that it took from the table."""
    record = stores.storage().get(name)
    key = f"{record.id}|{stores.storage().log(record.id).end()}|{doubted.key}"

    def gather() -> Beforehand:
        study = take_over(name, stores.storage(), pool=pool, doubted=doubted.labels)
        return Beforehand(study.known_labels(), study.impartial, key)

    return _kept(key, gather)


@st.cache_resource(show_spinner=False, max_entries=4)
def _kept(key: str, _gather: Callable[[], Beforehand]) -> Beforehand:
    return _gather()


def ask(pool: Pool, *, learns: bool) -> Beforehand:
    """Ask with which labels a new study begins.

    Args:
        pool: The items.
        learns: Whether the method can learn from labels that chance chose.
    """
    known, doubted = stores.labels(pool.fingerprint), NOTHING
    if (some := partly(known)) and not _counted(some):
        known, doubted = None, of_table(pool, known)
    said, chance = st.container(), st.container()
    others = [record.name for record in stores.storage().studies() if record.pool == pool.fingerprint]
    other = st.selectbox(
        "Take over labels of",
        ["", *others],
        format_func=lambda name: name or "no other study",
        **shell.bound("held", ["", *others]),
        help="They count in the new study: used in every estimate, never asked again. Where chance and "
        "scores chose them, as with most methods, they also teach the new study how far to trust the model.",
    )
    taken = of_study(pool, other, doubted) if other else NOTHING
    picked = other if len(taken) and not taken.random else ""
    random = bool(partly(known)) and learns and _random(chance, beside=picked)
    if not (partly(known) and learns):
        address.unasked("known_random", instead="there are no such labels from which this method could learn")
    beforehand = of_table(pool, known, random=random)
    if len(taken):
        table = beforehand
        impartial = learns and taken.random and (random or not table)
        beforehand = Beforehand({**table.labels, **taken.labels}, impartial, f"{table.key}|{taken.key}")
    if 0 < len(beforehand) < pool.size:
        said.caption(words.held(len(beforehand), pool.size))
    return beforehand


def _counted(some: int) -> bool:
    """Ask whether the labels of the table count. The default is yes, so that nobody labels an item twice."""
    return st.toggle(
        f"Count the labels that these data already have ({words.count(some)})",
        True,
        **address.switch("count_known"),
        help="On, so that nobody labels an item twice. Switch it off if you do not trust these labels: then the items "
        "may be asked like any other, also where another study counted them whose labels are taken over.",
    )


def _random(place: DeltaGenerator, *, beside: str) -> bool:
    """Ask whether the items whose labels the table has were chosen by chance alone.

    Args:
        place: Where to ask.
        beside: The study whose labels are taken over, if chance alone did not choose them: the method learns from none then.
    """
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
