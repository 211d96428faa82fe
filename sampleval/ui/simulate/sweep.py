"""Error and coverage against λ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval._checks import listed
from sampleval.metrics.names import the
from sampleval.presets import fitting, method_of
from sampleval.simulation import as_close, errors_of_most, swept
from sampleval.simulation import sweep as arms
from sampleval.ui import charts, shell, words
from sampleval.ui.plan.trust import unshrunk
from sampleval.ui.simulate import controls, running
from sampleval.ui.simulate.subject import Subject


def sweep(about: Subject) -> None:
    """The view that runs one method with many values of λ."""
    methods = {name: method_of(name, kind=about.pool.task.kind) for name in fitting(about.pool.task.kind)}
    why = {name: unshrunk(method, about.pool) for name, method in methods.items()}
    able = [name for name in methods if not why[name]]
    if not able:
        st.info(why["queue"], icon=":material/info:")
        return
    left, right = shell.columns(4, 8)
    with left:
        metric = controls.target(about.pool)
        name = controls.method(able)
        chosen = controls.setting(about.pool, points=1)
    with right:
        summary = running.simulated(
            about, arms(methods[name]), chosen, metric=metric, metrics=None, key="sweep"
        )
        if summary is None:
            return
        frame = swept(errors_of_most(summary))
        charts.chart(
            plots.sweep(frame),
            frame,
            key="sweep",
            alt="Error and coverage against λ, the λ of least error marked, with 95% bands.",
        )
        st.caption(f"Shaded: 95% bands from {controls.repeated(frame)}. Dashed: the promised coverage.")
        st.markdown(least(frame, words.plain(words.entitled(metric))))
        if frame["best"].any():
            st.warning(
                "This λ was tuned on labels that a real evaluation does not have. Look for a range of λ that does no harm "
                "instead of the one best value; on other data another value is best.",
                icon=":material/warning:",
            )


def least(frame: pd.DataFrame, title: str) -> str:
    """Sentences on the λ of smallest error, with that error and the coverage, and on those whose bands meet its band."""
    if frame["rmse"].isna().all():
        return f"In most studies, no λ led to a value of {the(title)} yet."
    if not frame["best"].any():
        return f"No λ comes closer to {the(title)} than the others."
    best = frame[frame["best"]].iloc[0]
    error, low, high = (words.number(best[name]) for name in ("rmse", "rmse_low", "rmse_high"))
    held, fewest, most = (words.share(best[name]) for name in ("coverage", "coverage_low", "coverage_high"))
    said = (
        f"Least error for {the(title)} at **λ = {best['shrinkage']:g}**: {error} (95% band {low} to "
        f"{high}), with coverage {held} ({fewest} to {most})."
    )
    rivals = frame.loc[as_close(frame, frame["best"]), "shrinkage"]
    if rivals.empty:
        return said
    values = listed([f"{value:g}" for value in rivals], len(rivals))
    return f"{said} As far as the bands tell, λ = {values} may come as close."
