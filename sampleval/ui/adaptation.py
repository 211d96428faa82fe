"""What an adaptive study has learned, shown on the Label and Results pages."""

from __future__ import annotations

import streamlit as st

from sampleval import frames, plots
from sampleval.designs import Moving
from sampleval.pool import Labels, scored
from sampleval.study import Study
from sampleval.surrogates import Fixed
from sampleval.ui import words
from sampleval.ui.charts import chart
from sampleval.ui.memo import once


def moved(study: Study) -> None:
    """Show how the last round changed the chances of the strata; show nothing if there are none or they never change."""
    without = study.pool.task.kind == "regression"  # strata are ranges of scores
    if without or not isinstance(study.method.design, Moving) or study.round < 2:
        return
    # While it is closed, no answer draws the picture. A title that named the round would close it with each round.
    box = st.expander("How the sampling moved", icon=":material/moving:", key="moved_box", on_change="rerun")
    if not box.open:
        return
    with box:
        frame = once(study, ("moved",), lambda: frames.moved(study))
        chart(
            plots.moved(frame, found=found(study)),
            frame,
            key="moved",
            alt="Share of draws by score range, last round and this round, with the labels found",
            bar=False,
        )
        st.caption(
            f"Round {study.round}. From the labels the method learns where an answer tells the most. Numbers over the bars: "
            f"labels that were {found(study)}, out of all labels there."
        )


def believed(study: Study, level: float, truth: Labels | None = None) -> None:
    """Show what the surrogate believes by now and, if all labels are known, how far the sampling is from the best one.

    Nothing is shown if the surrogate never learns, or if the pool has decisions and no scores.
    """
    if isinstance(study.state.problem.model, Fixed) or not scored(study.pool):
        return  # of decisions alone there is no score to learn about, and the confusion matrix tells how right each is
    frame = once(study, ("believed", level), lambda: frames.believed(study, level=level))
    if frame.empty:
        return
    st.header("What the study has learned about the scores", anchor=False)
    binary = study.pool.task.kind == "binary"
    about = "share of positives" if binary else "share of right predictions"
    left, right = st.columns(2, gap="large")
    with left:
        figure = plots.believed(frame, y=about)
        chart(
            figure,
            frame,
            key="believed",
            alt="Belief in each range of scores, with limits, against the score",
        )
        st.caption(
            f"{words.sure(level)} limits from the labels asked within each range alone; on the dotted line the scores "
            "mean what they say."
        )
    with right:
        if truth is None:
            return
        rows = once(study, ("diverged", truth), lambda: frames.divergence(study, truth))
        if len(rows) > 1:
            chart(
                plots.diverged(rows),
                rows,
                key="diverged",
                alt="Divergence from the best proposal against labels",
            )
            st.caption(
                "The best proposal needs every label; this pool's labels are all known, so it can be drawn."
            )


def found(study: Study) -> str:
    """The word for a label of interest."""
    return "positive" if study.pool.task.kind == "binary" else "not as predicted"
