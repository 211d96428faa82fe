"""How close adaptive methods come to the best sampler, round by round."""

from __future__ import annotations

from collections import OrderedDict

import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval.designs import Adaptive, Importance
from sampleval.presets import PRESETS, fitting, method_of
from sampleval.simulation import divergences
from sampleval.study import method_name
from sampleval.ui import charts, shell, words
from sampleval.ui.laboratory import bench
from sampleval.ui.laboratory.bench import Subject

USUAL = ("marchant-flat", "marchant-tree", "yilmaz-is")
KEPT = 8  # results kept while the server runs


def rounds(about: Subject) -> None:
    """The view of the KL divergence from the optimal proposal, against the number of labels."""
    left, right = shell.columns(4, 8)
    with left:
        metric = bench.target(about.pool)
        able = [
            name
            for name in fitting(about.pool.task.kind)
            if isinstance(PRESETS[name].method.design, Adaptive | Importance)
        ]
        names = st.multiselect(
            "Methods", able, [n for n in USUAL if n in able], key="draws", bind="query-params"
        )
        names = names or able[:1]
        st.caption(" · ".join(words.plain(method_name(name)) for name in names))
        most = bench.budget(about.pool, 200)
        times = st.select_slider("Repeats", [1, 2, 3, 5, 10, 20], 3, key="times", bind="query-params")
        seed = bench.seed()
    with right:
        st.caption(
            "The best proposal q* puts the most draws where the true label moves the metric most; only someone who "
            "knows all labels can draw from it. The divergence is 0 for a sampler as good as that."
        )
        methods = {name: method_of(name, kind=about.pool.task.kind) for name in names}
        key = f"{about.pool.fingerprint}|{metric}|{sorted(methods)}|{most}|{times}|{seed}"
        if key not in _kept() and st.button(
            "Run", type="primary", icon=":material/play_arrow:", key="rounds_run"
        ):
            with shell.mistakes_in_words():
                found = divergences(
                    about.pool,
                    about.labels,
                    methods,
                    metric=metric,
                    budget=most,
                    repeats=times,
                    seed=seed,
                    progress=bench.counting("rounds"),
                )
            _keep(key, found)
            st.rerun()
        if (frame := _kept().get(key)) is None:
            if st.session_state.get("rounds_stop"):  # pressed just now
                st.caption("Stopped before the end: there is nothing to show yet.")
            return
        charts.chart(
            plots.divergence(frame, titles={name: bench.called(name) for name in methods}),
            frame,
            key="divergence",
            alt="Divergence from the best proposal against labels, one line per method, with its extremes.",
        )
        if times > 1:
            st.caption(
                f"Lines: means of {words.many(times, 'repeat')}; shaded: from the least to the largest of them."
            )


@st.cache_resource(show_spinner=False)
def _kept() -> OrderedDict[str, pd.DataFrame]:
    """The latest results, so that a reloaded page shows them again."""
    return OrderedDict()


def _keep(key: str, frame: pd.DataFrame) -> None:
    _kept()[key] = frame
    while len(_kept()) > KEPT:
        _kept().popitem(last=False)
