"""Sample for one metric, report another (Y fig 10, 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval._checks import listed
from sampleval.metrics import Target
from sampleval.metrics.names import the
from sampleval.presets import fitting, method_of
from sampleval.simulation import errors_of_most, matrix
from sampleval.ui import address, charts, shell, words
from sampleval.ui.simulate import controls, running
from sampleval.ui.simulate.subject import Subject

USUAL: Mapping[str, Sequence[str]] = {
    "binary": ("f1", "accuracy", "precision", "recall", "specificity"),
    "multiclass": ("accuracy", "balanced_accuracy", "macro_f1", "kappa"),
    "multilabel": ("micro_f1", "micro_precision", "micro_recall", "hamming", "exact_match"),
    "regression": ("rmse", "mae", "r2", "bias"),
}
TOGETHER = "together"  # the row of the sampler for all metrics
SHOWN = {"ratio": "Relative error", "rmse": "Error", "coverage": "Coverage"}


def cross(about: Subject) -> None:
    """The view of the matrix of pre-sampling × post-sampling metrics."""
    kind = about.pool.task.kind
    left, right = shell.columns(4, 8)
    with left:
        metrics = controls.reported(about.pool, USUAL[kind])
        joint = st.toggle(
            "Also one sample for all of them together",
            True,
            **address.switch("studied_together"),
            disabled=len(metrics) == 1,
            help="A further row: the sampler that Plan uses if other metrics must come out well too.",
        )
        able = fitting(kind)
        default = "yilmaz-bs" if "yilmaz-bs" in able else able[0]
        name = controls.method(able, default)
        defensive = None
        if method_of(name, kind=kind).defensive is not None:
            defensive = controls.defensive()
        else:
            address.unasked("studied_even", instead="this method has its own way to give every item a chance")
        chosen = controls.setting(about.pool, points=1)
    targets: Mapping[str, Target] = {
        **{m: m for m in metrics},
        **({TOGETHER: metrics} if joint and len(metrics) > 1 else {}),
    }
    with right:
        summary = running.simulated(
            about,
            dict.fromkeys(targets, method_of(name, kind=kind, defensive=defensive)),
            chosen,
            metric=metrics,
            metrics=metrics,
            key="cross",
            targets=targets,
        )
        if summary is None:
            return
        frame = matrix(errors_of_most(summary))
        value = shell.choice("Show", SHOWN, key="matrix_of")
        titles = {m: words.entitled(m) for m in metrics} | {TOGETHER: "All together"}
        if np.isfinite(frame[value]).any():
            charts.chart(
                plots.matrix(frame, value=value, titles=titles),
                frame,
                key="matrix",
                alt="Table of metrics sampled for against metrics reported.",
            )
            st.caption(
                "With each number, where there is room, and in any case at the pointer and in the figures: its 95% band."
            )
        st.markdown(lesson(frame, {m: words.plain(title) for m, title in titles.items()}, value))


def lesson(frame: pd.DataFrame, titles: Mapping[str, str], value: str) -> str:
    """What the matrix shows, in words, including the meaning of its blank cells if there are any."""
    known = frame[np.isfinite(frame["ratio"])]
    single, together = known[known["pre"] != TOGETHER], known[known["pre"] == TOGETHER]
    drawn = np.isfinite(frame[value]).any()
    said = ["Each row is one sampler, each column one metric that is reported from its sample."] * bool(drawn)
    said += [*_of_one(single, titles), *_of_all(together, titles), *_blanks(frame, titles, value)]
    return " ".join(said)


def _of_one(single: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """What it costs to report another metric than the one sampled for."""
    sure = single[single["ratio_low"] > 1]
    if len(sure):
        worst = sure.nlargest(1, "ratio").iloc[0]
        yield (
            f"Sampling for **{the(titles[worst['pre']])}** and reporting **{the(titles[worst['post']])}** costs most: "
            f"**{words.brief(worst['ratio'])} ×** the error of sampling for the reported metric itself "
            f"({words.brief(worst['ratio_low'])} to {words.brief(worst['ratio_high'])} by the 95% bands)."
        )
    elif (single["ratio"] > 1).any():
        yield "No sampler is clearly worse than the metric's own yet, as far as the 95% bands tell. More repeats may show a difference."


def _of_all(together: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """What it costs to draw one sample for all metrics."""
    if together.empty:
        return
    worst = together.nlargest(1, "ratio").iloc[0]
    yield (
        f"One sample for all of them together leaves {the(titles[worst['post']])} worst off, at "
        f"**{words.brief(worst['ratio'])} ×** the error of a sample of its own ({words.brief(worst['ratio_low'])} to {words.brief(worst['ratio_high'])})."
    )


def _blanks(frame: pd.DataFrame, titles: Mapping[str, str], value: str) -> Iterator[str]:
    """Why cells are blank."""

    def named(metrics: Iterable[str]) -> str:
        return listed([the(titles[name]) for name in metrics], 5)

    blank = frame[~np.isfinite(frame[value])]
    own = (frame["pre"] == frame["post"]) & (frame["rmse"] == 0)
    exact: list[str] = frame.loc[own, "post"].tolist() if value == "ratio" else []
    undone = np.isfinite(blank["rmse"]) & ~blank["post"].isin(frame["pre"])  # of a run that was stopped
    if exact:
        yield f"Sampling for {named(exact)} leaves no error at all: blank, as nothing can be compared with that."
    if undone.any():
        yield f"No study that samples for {named(blank['post'][undone].unique())} is done yet: blank, as nothing can be compared with that."
    if not (undone | blank["post"].isin(exact)).all():
        yield f"Blank{' elsewhere' * bool(exact or undone.any())}: the sampler never or seldom asks items that this metric needs."
