"""The estimate during labelling: a small chart that is redrawn only every few labels."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from sampleval import frames, plots
from sampleval.metrics.names import the
from sampleval.plots.layout import entitled
from sampleval.study import Estimate, Study, done, finding, held_up
from sampleval.ui import goals, shell, words
from sampleval.ui.charts import download, picture

STEP = 5  # answers between two drawings
POINTS = 40
HEIGHT = 250


@dataclass(frozen=True, slots=True)
class Drawn:
    """The last drawing, a key of all that it depends on, and the number of labels that it shows."""

    key: tuple[Hashable, ...]
    labels: int
    estimate: Estimate | None
    rows: pd.DataFrame
    figure: go.Figure | None


@st.fragment
def live_estimate(study: Study) -> None:
    """Show the estimate of the main metric and how it has converged so far."""
    with shell.mistakes_in_words(stop=False):  # a fragment may run alone
        _estimate_so_far(study)


def _estimate_so_far(study: Study) -> None:
    if not study.labels and done(study.state):
        return  # no answer will come
    metric = study.metric(study.scalars[0])
    title = metric.title
    drawn = _drawn(study)
    if drawn.estimate is None or drawn.figure is None:
        waiting = held_up(study.state)
        st.caption(
            f"{waiting}: {words.plain(the(title))} appears here when those items have an answer."
            if waiting
            else words.sentence(
                f"{the(title)} and its interval appear here after {words.many(min(STEP, study.budget), 'answer')}"
            )
        )
        goals.towards(study, study.estimate(study.scalars[0]))
        return
    st.metric(
        f"{words.plain(title)} after {words.many(drawn.labels, 'answer')}",
        words.value(drawn.estimate, whole=metric.total),
        words.between(drawn.estimate, whole=metric.total),
        delta_color="off",
        delta_arrow="off",
    )
    if study.state.given.waiting >= STEP:  # a few wait whenever two people label
        st.caption(f"{held_up(study.state)}.")
    if math.isnan(drawn.estimate.value):
        st.caption(words.plain(finding(study, drawn.estimate)))
    goals.towards(study, drawn.estimate)
    picture(
        drawn.figure,
        key="live_chart",
        alt=f"{title} and its interval against the number of answers",
        bar=False,
    )
    download(drawn.rows, key="live_csv", file="estimates.csv")


def _drawn(study: Study) -> Drawn:
    """The drawing for the last multiple of `STEP` labels. It stays the same object until the next one, to avoid flicker."""
    length, kept = study.state.given.run_length, st.session_state.get("_live")
    # At the end all of them count: that need not be the budget, as where chance made the sample smaller.
    upto = length - length % STEP if study.state.open_places(1) else length
    uuids = _uuids(study, upto)
    key = (study.name, study.budget, upto, hash(uuids))
    if isinstance(kept, Drawn) and kept.key == key:
        return kept
    history = _history(study, uuids)
    rows = frames.estimates(history)
    figure = _figure(rows, study.metric(study.scalars[0]).title) if history else None
    drawn = Drawn(key, upto, history[-1] if history else None, rows, figure)
    st.session_state["_live"] = drawn
    return drawn


def _figure(rows: pd.DataFrame, title: str) -> go.Figure:
    """The small chart."""
    figure = plots.convergence(rows, title=title).update_layout(height=HEIGHT)
    return entitled(figure, "The estimate so far")


def _uuids(study: Study, upto: int) -> tuple[str, ...]:
    """The uuids of the answers that count at the first `upto` places; a correction has another uuid at the same place."""
    return tuple(answer.uuid for row in range(upto) if (answer := study.state.given.current(row)) is not None)


def _history(study: Study, uuids: tuple[str, ...]) -> list[Estimate]:
    """Estimates after more and more labels. One is recomputed only if an answer before it has changed."""
    upto = len(uuids)
    step = STEP * max(1, -(-upto // (STEP * POINTS)))
    lengths = sorted({*range(step, upto + 1, step), *([upto] if upto else [])})
    marks = [(study.name, k, hash(uuids[:k])) for k in lengths]
    held: dict[tuple[str, int, int], Estimate] = st.session_state.get("_live_points", {})
    metric = study.scalars[0]
    points = {mark: held.get(mark) or study.estimate(metric, labels=mark[1]) for mark in marks}
    st.session_state["_live_points"] = points
    return list(points.values())
