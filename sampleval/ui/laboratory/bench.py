"""What the views of the laboratory share: data with known labels, common settings, and a run that can be stopped.

Settings go by names of their own, `studied_…`: by those of the Plan page, what is tried here would change a plan.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.intervals import LEVEL
from sampleval.metrics import for_pool, resolve
from sampleval.pool import Labels, Pool
from sampleval.presets import PRESETS, Method
from sampleval.simulation import Simulation, finished, prepare, stream, summarise, truths
from sampleval.ui import address, shell, stores, words
from sampleval.ui.data import mapping, sources
from sampleval.ui.plan import held, planner

REPEATS = (10, 25, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Subject:
    """A pool whose labels are all known.

    Attributes:
        pool: The scored items.
        labels: Their labels.
        name: What people call it.
    """

    pool: Pool
    labels: Labels
    name: str


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that every view asks for.

    Attributes:
        budgets: Numbers of labels.
        repeats: Studies per method.
        level: Of the intervals.
        seed: Makes every draw.
        jobs: Processor cores.
    """

    budgets: tuple[int, ...]
    repeats: int
    level: float
    seed: int
    jobs: int


def subject() -> Subject | None:
    """The stored pool if all its labels are known, or else a demo or an upload; `None` until there is one."""
    stored = stores.chosen_pool()
    known = stores.labels(stored.fingerprint) if stored is not None else None
    if stored is not None and known is not None and known.complete:
        here = st.toggle(
            f"The data chosen before: {words.many(stored.size, 'item')}",
            True,
            key="chosen",
            bind="query-params",
            help="Switch off to choose other data.",
        )
        if here:
            return Subject(stored, known, "the data chosen before")
    with st.expander(
        "**Data**: which pool with known labels?",
        expanded=stored is not None or shell.recall("source") not in ("", "demo"),  # they may be refused
        icon=":material/table_view:",
    ):
        source = sources.choose()
        if source is None:
            if stored is not None:
                _lacking(known, stored.size, "Choose others.")
            return None
        draft = mapping.of(source)
    if draft.labels is None or not draft.labels.complete:
        _lacking(draft.labels, draft.pool.size, "Choose others, or say above which column is the true label.")
        return None
    st.caption(f"{words.plain(source.name)} · {words.many(draft.pool.size, 'item')}, all labels known.")
    return Subject(draft.pool, draft.labels, source.name)


def _lacking(known: Labels | None, size: int, remedy: str) -> None:
    """Say that labels are missing, and what the user can do."""
    have = f"{words.count(held.partly(known))} of {words.count(size)}"
    st.warning(
        f"Simulating needs the true label of every item; these data have {have}. {remedy}",
        icon=":material/help:",
    )


def target(pool: Pool) -> str:
    """Ask for the pre-sampling metric."""
    return st.selectbox(
        "Metric to sample for",
        for_pool(pool),
        **shell.bound("studied_metric", for_pool(pool)),
        format_func=lambda name: resolve(name).title,
        help="The sample is drawn so that this metric comes out most precise.",
    )


def reported(pool: Pool, default: Sequence[str]) -> list[str]:
    """Ask for the metrics to report."""
    options = list(for_pool(pool))
    chosen = st.multiselect(
        "Metrics to report",
        options,
        format_func=lambda name: resolve(name).title,
        max_selections=8,
        **shell.bound_several("reported", options, list(dict.fromkeys(default))),
    )
    return chosen or options[:1]


def called(name: str) -> str:
    """What pictures and sentences call a method of a comparison: its preset's title, and its settings.

    >>> called("queue λ 0.5"), called("yilmaz-bs"), called("Bernoulli")
    ('Labelling queue (λ 0.5)', 'Bernoulli sampling', 'Bernoulli')
    """
    preset, _, settings = name.partition(" ")
    if preset not in PRESETS:
        return name
    return f"{PRESETS[preset].title} ({settings})" if settings else PRESETS[preset].title


def budget(pool: Pool, wanted: int, *, question: str = "Labels, up to", help: str | None = None) -> int:
    """Ask for a number of labels, the largest or the only one. It begins near the wanted number."""
    return planner.ask_budget(question, pool.size, wanted, key="studied_labels", help=help)


def seed() -> int:
    """Ask for the seed."""
    told = "The same seed gives the same pictures, on any machine."
    return int(st.number_input("Seed", value=0, **address.number("studied_seed", 0, 2**31 - 1), help=told))


def defensive(help: str | None = None) -> float:
    """Ask for δ."""
    return st.slider(
        "Spread evenly (δ)", value=0.0, step=0.01, **address.number("studied_even", 0.0, 0.5), help=help
    )


def setting(pool: Pool, *, points: int = 6) -> Setting:
    """Ask for budgets, repeats and the settings that are rarely changed."""
    if points > 1:
        most = budget(pool, 500, help="The horizontal axis of the pictures ends here.")
    else:
        most = budget(pool, 200, question="Labels in each study")
    times = st.select_slider(
        "Repeats of each study",
        REPEATS,
        format_func=words.count,
        **shell.bound("repeats", REPEATS, 50),
        help="More: narrower bands around the curves, and more time. 1,000 tell a coverage to ± 2 points.",
    )
    with st.expander("More settings", icon=":material/tune:"):
        level = st.select_slider(
            "Level of the intervals",
            planner.LEVELS,
            format_func=words.share,
            **shell.bound("studied_level", planner.LEVELS, LEVEL),
        )
        chance = seed()
        cores = os.cpu_count() or 1
        jobs = st.number_input(
            "Processor cores", 1, cores, 1, key="cores", help="Results do not depend on it."
        )
    first = max(min(20, most), round(most / 30))
    budgets = (most,) if points == 1 else np.unique(np.geomspace(first, most, points).round().astype(int))
    return Setting(tuple(int(b) for b in budgets), times, level, chance, int(jobs))


@st.cache_resource(show_spinner=False)
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """The folder of finished batches. It exists as long as the server, so that a stopped or reloaded page can go on."""
    return tempfile.TemporaryDirectory(prefix="sampleval-")


def simulated(
    about: Subject,
    methods: Mapping[str, Method],
    chosen: Setting,
    *,
    metric: str | Mapping[str, str],
    metrics: Sequence[str] | None,
    key: str,
) -> pd.DataFrame | None:
    """Offer to simulate these methods. The result is the summary of the batches done so far, or `None` before the first.

    Args:
        about: The pool whose labels are known.
        methods: Name → method.
        chosen: The numbers of repeats and of labels.
        metric: Pre-sampling metric, or one for each method.
        metrics: Metrics to report; the pre-sampling ones if `None`.
        key: A key that separates the buttons of one view from those of another.
    """
    work = prepare(
        about.pool,
        about.labels,
        methods,
        metric=metric,
        metrics=metrics,
        budgets=chosen.budgets,
        repeats=chosen.repeats,
        seed=chosen.seed,
        level=chosen.level,
    )
    return carry_out(work, jobs=chosen.jobs, key=key)


def carry_out(work: Simulation, *, jobs: int, key: str) -> pd.DataFrame | None:
    """Show buttons to run, stop and go on. The result is the summary of the batches done so far, or `None` before the first."""
    cache = _scratch().name
    raw, kept = finished(work, cache)
    done, total = sum(kept), len(kept)
    if done < total:
        label = "Go on" if done else "Run the simulation"
        if st.button(label, type="primary", icon=":material/play_arrow:", key=f"{key}_run"):
            _run(work, kept, jobs, cache, key)
            st.rerun()
        if done:
            st.caption(
                f"{words.count(done)} of {words.count(total)} pieces of work are done; this is what they show so far."
            )
    if not done:
        if st.session_state.get(f"{key}_stop"):  # pressed just now
            st.caption("Stopped before the first piece of work was done: there is nothing to show yet.")
        studies = work.repeats * len(work.methods)
        st.info(
            f"{words.many(studies, 'study', 'studies')} to run, each with up to {words.many(max(work.budgets), 'label')}.",
            icon=":material/science:",
        )
        return None
    return summarise(raw, truths(work), level=work.level)


def _run(work: Simulation, kept: Sequence[bool], jobs: int, cache: str, key: str) -> None:
    """Show the progress while batches come in."""
    bar = stoppable(key)
    start = perf_counter()
    with shell.mistakes_in_words():
        for n, _ in enumerate(stream(work, jobs=jobs, cache=cache), 1):
            bar.progress(n / len(kept), text=progress(kept, n, perf_counter() - start))


def stoppable(key: str) -> DeltaGenerator:
    """Show a progress bar above a button that stops the work, and return the bar.

    Pressing Stop, or going elsewhere, reruns the page; the work then ends where it next moves the bar.
    """
    with st.container(border=True):
        bar = st.progress(0.0, text="Starting …")
        st.button("Stop", icon=":material/stop_circle:", key=f"{key}_stop")
    return bar


def counting(key: str) -> Callable[[int, int], None]:
    """The same for work that calls what is returned with the number of steps done and of all."""
    bar = stoppable(key)

    def told(done: int, total: int) -> None:
        bar.progress(done / total, text=f"{done / total:.0%} done")

    return told


def progress(kept: Sequence[bool], n: int, seconds: float) -> str:
    """The text of the progress bar. The time left is estimated from the pieces done now, since those kept took no time.

    Args:
        kept: For each piece, whether it was done beforehand.
        n: Number of pieces that have come in.
        seconds: Time that this took.
    """
    new, left = n - sum(kept[:n]), len(kept) - n - sum(kept[n:])
    share = f"{n / len(kept):.0%} done"
    return f"{share}, {words.roughly(seconds / new * left / 3600)} to go" if new and left else share
