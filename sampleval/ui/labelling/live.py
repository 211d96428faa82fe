"""The estimate during labelling: a small chart that is redrawn only every few labels, once for all who label."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from sampleval import frames, plots
from sampleval.metrics import Metric
from sampleval.metrics.names import the
from sampleval.study import Estimate, Study, done, finding, held_up
from sampleval.ui import goals, shell, words
from sampleval.ui.charts import download, picture
from sampleval.ui.memo import kept_for

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
def live_estimate(study: Study, identity: str) -> None:
    """Show the estimate of the main metric and how it has converged so far.

    Args:
        study: The study.
        identity: The study's identity, which all who label it share.
    """
    with shell.mistakes_in_words(stop=False):  # a fragment may run alone
        _estimate_so_far(study, identity)


def _estimate_so_far(study: Study, identity: str) -> None:
    if not study.labels and done(study.state):
        return  # no answer will come
    metric = study.metric(study.scalars[0])
    title = metric.title
    drawn = _drawn(study, identity)
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


def _drawn(study: Study, identity: str) -> Drawn:
    """The drawing for the last multiple of `STEP` labels. It stays the same object until the next one, to avoid flicker."""
    metric, length, kept = (
        study.metric(study.scalars[0]),
        study.state.given.run_length,
        kept_for(("live", identity)),
    )
    # At the end all of them count: that need not be the budget, as where chance made the sample smaller.
    upto = length - length % STEP if study.state.open_places(1) else length
    uuids = _uuids(study, upto)
    key = (study.budget, upto, hash(uuids))
    with kept.turn:
        drawn: Drawn | None = kept.made.get("drawn")
        if drawn is None or drawn.key != key:
            history = _history(study, metric, uuids, kept.made.setdefault("points", {}))
            drawn = kept.made["drawn"] = _picture(key, upto, history, metric.title)
        return drawn


def _picture(key: tuple[Hashable, ...], labels: int, history: list[Estimate], title: str) -> Drawn:
    """The small chart of these estimates, if there are any."""
    rows = frames.estimates(history)
    if not history:
        return Drawn(key, labels, None, rows, None)
    figure = plots.convergence(rows, title=title, heading="The estimate so far", height=HEIGHT)
    return Drawn(key, labels, history[-1], rows, figure)


def _uuids(study: Study, upto: int) -> tuple[str, ...]:
    """The uuids of the answers that count at the first `upto` places; a correction has another uuid at the same place."""
    return tuple(answer.uuid for row in range(upto) if (answer := study.state.given.current(row)) is not None)


def _history(
    study: Study, metric: Metric, uuids: tuple[str, ...], points: dict[Hashable, Estimate]
) -> list[Estimate]:
    """Estimates after more and more labels. One is recomputed only if an answer before it has changed.

    Args:
        study: The study.
        metric: What is estimated.
        uuids: The answers that count.
        points: The estimates that were made before, of which those still needed are kept.
    """
    upto = len(uuids)
    step = STEP * max(1, -(-upto // (STEP * POINTS)))
    lengths = sorted({*range(step, upto + 1, step), *([upto] if upto else [])})
    held = dict(points)
    points.clear()
    for k in lengths:
        mark = k, hash(uuids[:k])
        points[mark] = held.get(mark) or study.estimate(metric, labels=k)
    return list(points.values())
