"""The study that a press of a button begins: its settings, its name, and that pressing twice begins one."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from sampleval._checks import InputError
from sampleval.metrics import for_pool
from sampleval.planning import plan
from sampleval.planning.posing import ALL_HELD
from sampleval.pool import Pool
from sampleval.presets import PRESETS
from sampleval.study import Study, create_study
from sampleval.study.opening import keep
from sampleval.ui import pointless, stores
from sampleval.ui.held import NOTHING, Beforehand
from sampleval.ui.plan.planner import SENSIBLE_BUDGET, Wanted
from sampleval.ui.stopping import FAMILY

DOUBLE = 5.0  # seconds after which a second press means another study


@dataclass(frozen=True, slots=True)
class BegunStudies:
    """The studies that one session has begun: what distinguishes each → its name and the time."""

    last: dict[str, tuple[str, float]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


def once(wanted: str, begin: Callable[[], Study]) -> str:
    """The name of the study that pressing the button begins. A double click begins one study and leads to it.

    A second press starts a run of its own while that of the first still goes on; it waits for what that one begins.
    The text `wanted` differs between studies.
    """
    begun: BegunStudies = st.session_state.setdefault("_begun", BegunStudies())
    with begun.lock:
        name, at = begun.last.get(wanted, ("", -math.inf))
        if time.monotonic() - at > DOUBLE or stores.storage().find(name) is None:
            name = begin().name
            begun.last[wanted] = name, time.monotonic()
    return name


def free_name(stem: str) -> str:
    """A free name for a new study: "digits", or else "digits-2" and so on."""
    taken = {record.name for record in stores.storage().studies()}
    stem = re.sub(r"\s+", " ", stem).strip() or "study"
    names = [stem, *(f"{stem}-{k}" for k in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def stored(study: Study, stem: str) -> Study:
    """The study in the storage under a free name, or the next free one where somebody else takes that one at this moment."""
    while True:
        name = free_name(stem)
        try:
            return keep(study, stores.storage(), name)
        except InputError:
            if stores.storage().find(name) is None:
                raise


def counted(pool: Pool, held: Beforehand) -> int:
    """How many items have their label already; refused if all of them have."""
    if len(held) == pool.size:
        raise InputError(f"{ALL_HELD}; there is nothing to ask")
    return len(held)


def begin(pool: Pool, wanted: Wanted, stem: str, held: Beforehand = NOTHING, *, name: str = "") -> Study:
    """Create and store a study with these settings, beginning with the held labels, under this name or a free one."""
    method = wanted.method()
    study = create_study(
        pool,
        metric=wanted.metrics,
        budget=wanted.budget,
        preset=wanted.recipe if wanted.recipe in PRESETS and wanted.own is None else None,
        surrogate=method.surrogate,
        design=method.design,
        estimator=method.estimator,
        interval=FAMILY if wanted.watched else method.interval,
        seed=wanted.seed,
        level=wanted.level,
        goal=wanted.goal,
        held=held.labels,
        held_random=held.random,
    )
    return keep(study, stores.storage(), name) if name else stored(study, stem)


def _sensible_metric(pool: Pool, budget: int) -> str:
    """The first metric for the pool that labels can change. If no item is predicted positive, F1 is 0 in any case."""
    names = for_pool(pool)
    return next(
        (name for name in names if not pointless.why(plan(pool, metric=name, budget=budget), pool)), names[0]
    )


def begin_sensibly(pool: Pool, stem: str, held: Beforehand = NOTHING) -> Study:
    """Create and store a study with the default settings, beginning with the held labels."""
    budget = min(SENSIBLE_BUDGET, pool.size - counted(pool, held))
    metric = _sensible_metric(pool, budget)
    study = create_study(pool, metric=metric, budget=budget, held=held.labels, held_random=held.random)
    return stored(study, stem)
