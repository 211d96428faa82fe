"""How close adaptive methods come to the best sampler, round by round."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval.designs import Adaptive, Importance
from sampleval.pool import Pool
from sampleval.presets import PRESETS, fitting, method_of
from sampleval.simulation import divergences
from sampleval.study import method_name
from sampleval.ui import address, charts, shell, words
from sampleval.ui.simulate import controls, running
from sampleval.ui.simulate.subject import Subject

USUAL = ("marchant-flat", "marchant-tree", "yilmaz-is")
REPEATS = (1, 2, 3, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Options:
    """What can be chosen of `simulation.divergences`, beside the methods."""

    metric: str
    budget: int
    repeats: int
    seed: int


def rounds(about: Subject) -> None:
    """The view of the KL divergence from the optimal proposal, against the number of labels."""
    left, right = shell.columns(4, 8)
    with left:
        names, options = _asked(about.pool)
    with right:
        st.caption(
            "The best proposal q* puts the most draws where the true label moves the metric most; only someone who "
            "knows all labels can draw from it. The divergence is 0 for a sampler as good as that."
        )
        frame = _found(about, names, options)
        if frame is not None:
            _show(frame, options.repeats)


def _asked(pool: Pool) -> tuple[list[str], Options]:
    """Ask for the methods, which draw by importance, and for the rest."""
    metric = controls.target(pool)
    drawing = Adaptive | Importance
    able = [name for name in fitting(pool.task.kind) if isinstance(PRESETS[name].method.design, drawing)]
    names = controls.methods(able, USUAL, key="draws")
    st.caption(" · ".join(words.plain(method_name(name)) for name in names))
    most = controls.budget(pool, 200)
    times = st.select_slider("Repeats", REPEATS, **address.bound("times", REPEATS, 3))
    return names, Options(metric, most, times, controls.seed())


def _found(about: Subject, names: list[str], options: Options) -> pd.DataFrame | None:
    """The divergences, or a button that computes them; `None` until there are some."""
    key = f"{about.pool.fingerprint}|{sorted(names)}|{options}"
    if kept := _kept(key):
        return kept[0]
    if st.button("Run", type="primary", icon=":material/play_arrow:", key="rounds_run"):
        methods = {name: method_of(name, kind=about.pool.task.kind) for name in names}
        told = running.counting("rounds")
        with shell.mistakes_in_words():
            kept.append(divergences(about.pool, about.labels, methods, **asdict(options), progress=told))
        st.rerun()
    if st.session_state.get("rounds_stop"):  # pressed just now
        st.caption("Stopped before the end: there is nothing to show yet.")
    return None


def _show(frame: pd.DataFrame, repeats: int) -> None:
    titles = {name: controls.called(name) for name in frame["method"].unique()}
    charts.chart(
        plots.divergence(frame, titles=titles),
        frame,
        key="divergence",
        alt="Divergence from the best proposal against labels, one line per method, with its extremes.",
    )
    st.caption(
        f"Lines: means of {words.many(repeats, 'repeat')}; shaded: from the least to the largest of them."
        if repeats > 1
        else "One study of each method: how much another would differ is not known. More repeats show it."
    )


@st.cache_resource(show_spinner=False, max_entries=64)
def _kept(key: str) -> list[pd.DataFrame]:
    """The result for these settings, if it was computed, as a list that can be changed. A reloaded page shows it again."""
    return []
