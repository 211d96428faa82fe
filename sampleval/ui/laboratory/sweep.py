"""Error and coverage against λ."""

from __future__ import annotations

import streamlit as st

from sampleval import plots
from sampleval.metrics import resolve
from sampleval.presets import method
from sampleval.simulation import SHRINKAGES, prepare, swept
from sampleval.simulation import sweep as arms
from sampleval.surrogates import Shrunk
from sampleval.ui import charts, shell, words
from sampleval.ui.laboratory import bench
from sampleval.ui.laboratory.bench import Subject


def sweep(about: Subject) -> None:
    """One method with many values of λ."""
    left, right = shell.columns(4, 8)
    with left:
        metric = bench.target(about.pool)
        able = [
            n
            for n in bench.presets_for(about.pool)
            if isinstance(method(n).surrogate, Shrunk) and n != "uniform"
        ]
        name = st.selectbox("Method", able, **shell.bound("method", able))
        chosen = bench.setting(about.pool, points=1)
    with right:
        with shell.mistakes_in_words():
            work = prepare(
                about.pool,
                about.labels,
                arms(method(name), SHRINKAGES),
                metric=metric,
                metrics=None,
                budgets=chosen.budgets,
                repeats=chosen.repeats,
                seed=chosen.seed,
                level=chosen.level,
            )
            summary = bench.carry_out(work, jobs=chosen.jobs, key="sweep")
        if summary is None:
            return
        frame = swept(summary)
        charts.chart(
            plots.sweep(frame),
            frame,
            key="sweep",
            alt="Error and coverage against λ, the λ of least error marked, with 95% bands.",
        )
        st.caption(f"Shaded: what {words.many(chosen.repeats, 'repeat')} leave open, with 95% bands.")
        best = frame[frame["best"]]
        if len(best):
            st.markdown(
                f"Least error for the {resolve(metric).title} at **λ = {best['shrinkage'].iloc[0]:g}**: "
                f"{words.number(best['rmse'].iloc[0])}, with coverage {words.share(best['coverage'].iloc[0])}."
            )
        st.warning(
            "This λ was tuned on labels that a real evaluation does not have. Look for a range of λ that does no harm "
            "instead of the one best value; on other data another one wins.",
            icon=":material/warning:",
        )
