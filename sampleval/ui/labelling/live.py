"""The estimate during labelling: a small chart that is redrawn only every few labels, once for all who label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from sampleval import frames, plots
from sampleval.metrics import Metric
from sampleval.metrics.names import subject
from sampleval.study import Estimate, Study, done, finding, held_up
from sampleval.ui import goals, shell, words
from sampleval.ui.charts import download, picture
from sampleval.ui.headings import headline
from sampleval.ui.memo import Kept, kept_for

STEP = 5  # answers between two drawings
POINTS = 40
HEIGHT = 250


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing, the number of labels that it shows, and the last of its estimates."""

    labels: int
    estimate: Estimate
    rows: pd.DataFrame
    figure: go.Figure


def live_estimate(study: Study, identity: str) -> None:
    """Show the estimate of the main metric and how it has converged so far, drawn once for all who label the study."""
    with shell.mistakes_in_words(stop=False):  # the labelling goes on without it
        _estimate_so_far(study, identity)


def _estimate_so_far(study: Study, identity: str) -> None:
    if not study.labels and done(study.state):
        return  # no answer will come
    metric = study.metric(study.scalars[0])
    title = metric.title
    drawn = _drawn(study, metric, identity)
    if drawn is None:
        waiting = held_up(study.state)
        st.caption(
            f"{waiting}: {words.plain(subject(title))} appears here when those items have an answer."
            if waiting
            else words.sentence(
                f"{subject(title)} and its interval appear here after {words.many(min(STEP, study.budget), 'answer')}"
            )
        )
        goals.towards(study, study.estimate(study.scalars[0]))
        return
    headline(metric, drawn.estimate, f" after {words.many(drawn.labels, 'answer')}")
    if study.state.given.waiting >= STEP:  # a few wait whenever two people label
        st.caption(f"{held_up(study.state)}.")
    if math.isnan(drawn.estimate.value):
        st.caption(words.plain(finding(study, drawn.estimate)))
    goals.towards(study, drawn.estimate)
    if not frames.has_scale(drawn.rows):
        return
    picture(
        drawn.figure,
        key="live_chart",
        alt=f"{title} and its interval against the number of answers",
        bar=False,
    )
    download(drawn.rows, key="live_csv", file="estimates.csv")


def _drawn(study: Study, metric: Metric, identity: str) -> Drawn | None:
    """The drawing for the last multiple of `STEP` labels, `None` before the first.

    It stays the same object until the next one, to avoid flicker.
    """
    length = study.state.given.run_length
    # At the end all of them count: that need not be the budget, as where chance made the sample smaller.
    upto = length - length % STEP if study.state.open_places(1) else length
    kept = kept_for(("live", identity))
    return kept.once(
        ("drawn", *_key(study, upto)),
        lambda: _picture(upto, _history(study, metric, upto, kept), metric.title),
    )


def _picture(labels: int, history: list[Estimate], title: str) -> Drawn | None:
    """The small chart of these estimates, if there are any."""
    if not history:
        return None
    rows = frames.estimates(history)
    figure = plots.convergence(rows, title=title, heading="The estimate so far", height=HEIGHT)
    return Drawn(labels, history[-1], rows, figure)


def _history(study: Study, metric: Metric, upto: int, kept: Kept) -> list[Estimate]:
    """Estimates after more and more labels. One is recomputed only if a label before it has changed."""
    step = STEP * max(1, -(-upto // (STEP * POINTS)))
    lengths = sorted({*range(step, upto + 1, step), *([upto] if upto else [])})
    return [kept.once(_key(study, k), partial(study.estimate, metric, labels=k)) for k in lengths]


def _key(study: Study, upto: int) -> tuple[int, int]:
    """A key for the first labels: a correction changes it."""
    labels, responded = study.state.given.labels(upto)
    return upto, hash((labels.tobytes(), responded.tobytes()))
