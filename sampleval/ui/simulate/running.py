"""A simulation that runs piece by piece below a bar, can be stopped, and goes on where it was."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.metrics import Target
from sampleval.presets import Method
from sampleval.simulation import Simulation, batch_by_batch, finished, prepare, summarise, truths
from sampleval.ui import shell, words
from sampleval.ui.simulate.controls import Setting
from sampleval.ui.simulate.subject import Subject


@st.cache_resource(show_spinner=False)
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """The folder of finished batches. It exists as long as the server, so that a stopped or reloaded page can go on."""
    return tempfile.TemporaryDirectory(prefix="sampleval-")


def simulated(
    about: Subject,
    methods: Mapping[str, Method],
    chosen: Setting,
    *,
    metric: Target,
    metrics: Sequence[str] | None,
    key: str,
    targets: Mapping[str, Target] | None = None,
) -> pd.DataFrame | None:
    """Offer to simulate these methods. The result is the summary of the batches done so far, or `None` before the first.

    Metrics and targets are those of `prepare`; the key separates the buttons of one view from those of another.
    """
    with shell.mistakes_in_words():
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
            targets=targets,
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
    for n, _ in enumerate(batch_by_batch(work, jobs=jobs, cache=cache), 1):
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
    """The text of the progress bar once n pieces have come in.

    The time left is estimated from the pieces done now, since those kept from before took no time.
    """
    new, left = n - sum(kept[:n]), len(kept) - n - sum(kept[n:])
    share = f"{n / len(kept):.0%} done"
    return f"{share}, {words.roughly(seconds / new * left / 3600)} to go" if new and left else share
