"""Sample for one metric, report another (Y fig 10, 11)."""

from __future__ import annotations

import streamlit as st

from sampleval import plots
from sampleval.metrics import resolve
from sampleval.presets import method
from sampleval.simulation import crossed, matrix, prepare
from sampleval.ui import charts, shell, words
from sampleval.ui.laboratory import bench
from sampleval.ui.laboratory.bench import Subject

USUAL = ["f1", "accuracy", "precision", "recall", "specificity"]
SHOWN = {"ratio": "Relative error", "rmse": "Error", "coverage": "Coverage"}


def cross(about: Subject) -> None:
    """The matrix of pre-sampling × post-sampling metrics."""
    left, right = st.columns([4, 8], gap="large")
    with left:
        metrics = bench.reported(about.pool, USUAL)
        able = bench.presets_for(about.pool)
        default = able.index("yilmaz-bs") if "yilmaz-bs" in able else 0
        name = st.selectbox("Method", able, default, key="method", bind="query-params")
        defensive = None
        if hasattr(method(name).design, "defensive"):
            defensive = st.slider(
                "Spread evenly (δ)", 0.0, 0.5, 0.0, 0.01, key="even", bind="query-params",
                help="Up: one sample serves other metrics better, its own a bit worse.",
            )  # fmt: skip
        chosen = bench.setting(about.pool, points=1)
    with right:
        with shell.mistakes_in_words():
            work = prepare(
                about.pool, about.labels, crossed(method(name, defensive=defensive), metrics),
                metric={m: m for m in metrics}, metrics=metrics, budgets=chosen.budgets,
                repeats=chosen.repeats, seed=chosen.seed, level=chosen.level,
            )  # fmt: skip
            summary = bench.carry_out(work, jobs=chosen.jobs, key="cross")
        if summary is None:
            return
        frame = matrix(summary)
        value = st.segmented_control(
            "Show", list(SHOWN), default="ratio", required=True, key="cross_value", format_func=SHOWN.get,
            label_visibility="collapsed",
        )  # fmt: skip
        titles = {m: resolve(m).title for m in metrics}
        charts.chart(
            plots.matrix(frame, value=value or "ratio", titles=titles), frame, key="matrix",
            alt="Table of metrics sampled for against metrics reported.",
        )  # fmt: skip
        worst = frame.loc[frame["ratio"].idxmax()] if frame["ratio"].notna().any() else None
        if worst is not None and worst["ratio"] > 1:
            st.markdown(
                f"Each row is one sampler. Sampling for **{titles[worst['pre']]}** and reporting "
                f"**{titles[worst['post']]}** costs most: {words.number(worst['ratio'])} × the error of sampling for it. "
                "Blue cells below 1 are luck, or a sampler that happens to suit the other metric too."
            )
