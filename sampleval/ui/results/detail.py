"""The Results page in detail: curves, classes, confusion, calibration, systems, parts; one at a time."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from sampleval import frames, plots
from sampleval.metrics import Metric, for_pool, precision_recall_curve, roc_curve, score_grid
from sampleval.plots.detail import FEW_CLASSES
from sampleval.plots.style import UNIT
from sampleval.pool import SEVERAL, SINGLE, Floats, Kind, deciding_threshold, scored
from sampleval.study import (
    JointEstimate,
    Study,
    estimating_parts,
    side_by_side,
    undefined_classes,
    unlike_means,
)
from sampleval.study.conclusions.rare_classes import MET
from sampleval.study.conclusions.too_few import FEW
from sampleval.ui import address, shell, words
from sampleval.ui.charts import chart
from sampleval.ui.memo import once
from sampleval.ui.results import tables, verdict
from sampleval.ui.results.one_metric import all_answered
from sampleval.ui.results.pictures import curve, dots, remarks

Section = Callable[[Study, float], None]
MEASURES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "items": "Items"}
CURVES = {"pr": "Precision–recall", "roc": "ROC", "threshold": "Against the threshold"}
# Of these, one quantity against another: the metric on a grid of thresholds, and its picture.
CROSSED = {"pr": (precision_recall_curve, plots.precision_recall), "roc": (roc_curve, plots.roc)}
TALL = 480  # pixels of a table that scrolls
POINTS = 128  # of a curve without a threshold axis: they follow the scores, lest skewed ones make it one step
CLASSES = 30  # told apart in a picture, which more would make too long to be read
BANDS = (
    "Dark band: each point on its own. Between the dotted lines: the whole curve at once, at the same level."
)


def sections(study: Study, level: float) -> None:
    """What is worth a closer look for this task; only the chosen part is computed."""
    offered = {name.lower(): name for name, (fits, _) in SECTIONS.items() if fits(study)}
    if not offered:
        return
    st.header("A closer look", anchor=False)
    chosen = offered[shell.choice("View", offered, key="detail")]
    said = f"Limits, bands and brackets are {words.sure(level)} intervals"
    if len(study.pool.systems) > 1 and chosen != "Systems":
        said += f"; everything here is about {words.name(study.pool.systems[0].name)}, and “Systems” compares it with the others"
    st.caption(f"{said}.")
    SECTIONS[chosen][1](study, level)


def _found(study: Study, metric: str | Metric, level: float) -> JointEstimate:
    """The estimate of a metric with several components, computed once until the next answer."""
    name = study.metric(metric).name
    return once(study, ("several", name, level), lambda: study.curve(metric, level=level))


def _by_score(study: Study, make: Callable[[Floats], Metric]) -> Metric:
    """A curve whose thresholds follow the scores, made once: what is remembered of a metric hangs on the object."""
    return study.state.problem.once((make, POINTS), lambda: make(score_grid(study.pool.score, POINTS)))


def curves(study: Study, level: float) -> None:
    """Precision–recall, ROC and quantities against the threshold."""
    shown = shell.choice("Curve", CURVES, key="curve")
    if shown in CROSSED:
        make, draw = CROSSED[shown]
        found = _found(study, _by_score(study, make), level)
        rows = frames.curve(found)
        alt = f"{CURVES[shown]} curve with bands"
        if curve(found, rows, lambda: draw(rows), key=f"{shown}_curve", alt=alt, crossed=True):
            st.caption(BANDS)
        return
    found = _found(study, "pr_curve", level)
    rows = frames.curve(found)
    used = deciding_threshold(study.pool)
    f1 = frames.curve(_found(study, "f1_curve", level))
    left, right = st.columns(2, gap="large")
    with left:
        title = "Precision and recall"
        curve(
            found,
            rows,
            lambda: plots.against_threshold(rows, threshold=used, title=title),
            key="threshold",
            alt=title,
        )
    with right:
        figure = plots.against_threshold(f1, threshold=used, title="F1 score")
        chart(figure, f1, key="f1_curve", alt="F1 score against the threshold")
    st.caption(
        "All thresholds from the same labels; a threshold picked because it is highest here looks better than it is."
    )


def classes(study: Study, level: float) -> None:
    """How well each class is told apart."""
    rows = once(study, ("classes", level), lambda: frames.classes(study, level=level))
    measure = shell.choice("Measure", MEASURES, key="class_measure")
    shown, title = rows[rows["measure"] == measure], MEASURES[measure]
    span = None if measure == "items" else UNIT
    shown = shown.assign(**{"class": tables.marked(shown)})
    most, width = shown.nlargest(CLASSES, "labels").sort_index(), len(shown)
    if known := most["value"].notna().any():
        figure = plots.dots(most, "class", title=f"{title} by class", x=title, span=span)
        chart(figure, rows, key="classes", alt=f"{title} by class with intervals")
    else:
        st.caption("Nothing to draw yet: no class has a value.")
    if known and width > CLASSES:
        st.caption(
            f"The {CLASSES} classes with the most labels; all {words.count(width)} are in the table and the figures."
        )
    st.dataframe(
        frames.legible_classes(rows), hide_index=True, height="content" if width <= CLASSES else TALL
    )
    if rows["few"].any():
        st.caption(
            f"“Too few”: fewer than {MET} labels name the class. Where none does, its limits allow for what this number of labels "
            "can miss."
        )
    for said in once(study, ("unlike means", level), lambda: unlike_means(study, rows)):
        st.caption(said)
    for said in undefined_classes(rows):
        st.caption(words.plain(said))


def confusion(study: Study, level: float) -> None:
    """The confusion matrix, estimated for the whole pool; of two classes precision and recall as a region, too."""
    width = study.pool.task.width
    among = None if width <= CLASSES else frames.confused(study, CLASSES)
    rows = once(study, ("confusion", level), lambda: frames.confusion(study, classes=among, level=level))
    left, right = st.columns([7, 5]) if width <= 4 else (st.container(), st.container())
    with left:
        chart(plots.confusion(rows), rows, key="confusion", alt="Confusion matrix with limits")
    if study.pool.task.kind == "binary":
        with right:
            _region(study, level)
    shown = width <= FEW_CLASSES
    limits = "with their limits" if shown else "with limits where the pointer is"
    st.caption(
        f"Numbers are estimates for the whole pool, {limits}; shading is the share of each predicted class. A row adds up to "
        "the number of items predicted as its class, which is known; a column need not add up to the "
        "number shown by class until every item is labelled."
    )
    if not all_answered(study):
        st.caption(
            "These limits allow for items without an answer approximately (to first order), those of the "
            "table above in full: the same number may have slightly different limits there."
        )
    if among:
        st.caption(
            f"The {CLASSES} classes that are confused most often in the answers so far, or that have the most answers; the others "
            f"({words.count(width - CLASSES)}) are taken as one."
        )
    if rows["few"].any():
        st.caption(
            f"\\* fewer than {FEW} labels are about items predicted as this class: wait for more before you rely on that row."
        )
    if rows["items"].isna().any():
        st.caption(
            "“–” where there is no estimate, as while no label is about an item predicted as this class."
        )


def _region(study: Study, level: float) -> None:
    """Precision and recall of two classes as a joint region."""
    both = _found(study, "precision_recall", level)
    if both.labels <= 2 or not np.isfinite(both.spread.covariance).all() or both.method == "census":
        st.caption(words.plain(both.note or "The region appears when there are more labels."))
        return
    figure = plots.region(both.ellipsoid().outline(), (both.value[0], both.value[1]))
    chart(figure, frames.region(both), key="region", alt="Joint region of precision and recall")
    said = f"The {words.sure(level)} region for both at once (Marchant & Rubinstein 2021)."
    st.caption(" ".join([said, *([words.sentence(both.note)] if both.note else [])]))


def calibration(study: Study, level: float) -> None:
    """Scores against shares."""
    found = _found(study, "reliability", level)
    rows = frames.components(found)
    outcome = "positive" if study.pool.task.kind == "binary" else "right"
    with st.columns(2, gap="large")[0]:
        curve(
            found,
            rows,
            lambda: plots.calibration(rows, outcome=outcome),
            key="reliability",
            alt=f"Share {outcome} by score",
        )


def systems(study: Study, level: float) -> None:
    """Systems side by side and their differences."""
    name = _metric(study, "system_metric")
    # Not for any look, which the page says of no section, and which is not known of parts.
    kept = study.method.fixed
    rows = once(
        study, ("systems", name, level), lambda: frames.systems(study, [name], level=level, interval=kept)
    )
    title = study.metric(name).title
    alone, apart = rows[rows["against"] == ""], rows[rows["against"] != ""]
    apart = apart.assign(systems=apart["system"] + " − " + apart["against"])
    left, right = st.columns(2, gap="large")
    with left:
        alt = f"{title} of each system"
        dots(alone, "system", title=title, x=title, figures=rows, key="systems", alt=alt)
    with right:
        alt, x = "Differences between systems with intervals", f"difference in {title}"
        dots(apart, "systems", title="Differences", x=x, zero=True, key="differences", alt=alt)
    st.markdown("\n".join(f"- {words.plain(said)}" for said in verdict.comparisons(apart)))
    st.caption(
        "Differences are estimated from the same labels, so errors that both systems make cancel out: "
        f"they are more precise than the values beside them, and need not add up with those exactly. In brackets: {words.sure(level)} intervals."
    )
    remarks(pd.concat([alone.assign(systems=alone["system"]), apart]), "systems")
    st.caption(words.plain(side_by_side(study)))


def parts(study: Study, level: float) -> None:
    """A metric in each part of the pool."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        columns = frames.part_columns(study.pool)
        column = st.selectbox("Parts by", columns, width=240, **address.bound("part_column", columns))
        name = _metric(study, "part_metric")
    kept = study.method.fixed  # as beside systems
    rows = once(
        study,
        ("parts", column, name, level),
        lambda: frames.parts(study, column, name, level=level, interval=kept),
    )
    title = study.metric(name).title
    left, right = st.columns([6, 6], gap="large")
    with left:
        alt = f"{title} in each part"
        dots(rows, "part", title=f"{title} by {column}", x=title, key="parts", alt=alt)
    with right:
        # Its cells wrap on a narrow page.
        st.table(tables.parts(rows, level), border="horizontal", hide_index=True)
        if rows["small"].any():
            st.caption(f"\\* fewer than {frames.FEW_IN_PART} labels: wait for more before you rely on it.")
        if len(study.state.problem.held):
            st.caption(
                "Only labels that were asked for are counted here; labels known beforehand count in the estimates too."
            )
        remarks(rows, "part")
    st.caption(words.plain(estimating_parts(study)))


def _metric(study: Study, key: str) -> str:
    names = list(for_pool(study.pool))
    own = study.metric().name.partition("[")[0]  # without the systems that it may compare
    return st.selectbox(
        "Metric",
        names,
        format_func=lambda name: study.metric(name).title,
        width=300,
        **address.bound(key, names, own if own in names else None),
    )


def _scored(study: Study, kinds: Container[Kind]) -> bool:
    """Whether a task of such a kind has scores, and not only the decisions in their place."""
    return study.pool.task.kind in kinds and scored(study.pool)


SECTIONS: Mapping[str, tuple[Callable[[Study], bool], Section]] = {
    "Systems": (lambda study: len(study.pool.systems) > 1, systems),
    "Classes": (lambda study: study.pool.task.kind in SEVERAL, classes),
    "Curves": (lambda study: _scored(study, ("binary",)), curves),
    "Confusion": (lambda study: study.pool.task.kind in SINGLE, confusion),
    "Calibration": (lambda study: _scored(study, SINGLE), calibration),
    "Parts": (lambda study: bool(frames.part_columns(study.pool)), parts),
}
