"""Lesson 4: how a belief is updated."""

import streamlit as st

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.surrogates import SHRINKAGE
from sampleval.ui import address, charts, shell, words
from sampleval.ui.lessons.base import Lesson

KINDS = {"scores": "Shrunk (λ)", "strata": "Strata", "tree": "Tree", "recalibrated": "Recalibrated"}
LABELS = (0, 10, 30, 100, 300, 1000, 2000)
SAMPLES = 40
SLOPES = {0.4: "too timid", 1.0: "well calibrated", 2.5: "too sure of itself"}


def live() -> None:
    """Show belief and truth against the score of a model that is too sure of itself."""
    kind = shell.choice("Kind of belief", KINDS, key="belief_kind", default="strata", labelled=True)
    left, right = st.columns(2)
    labels = left.select_slider(
        "Labels so far",
        LABELS,
        **address.bound("belief_labels", LABELS, 100),
        disabled=kind == "scores",
        help="Shrunk scores do not learn from labels." if kind == "scores" else None,
    )
    trust = right.slider(
        "Trust in the scores (λ)",
        value=SHRINKAGE,
        step=0.05,
        **address.number("belief_trust", 0.0, 1.0),
        disabled=kind != "scores",
        help="Only shrunk scores have it: choose “Shrunk (λ)” above." if kind != "scores" else None,
    )
    slope = st.select_slider(
        "The model is …",
        list(SLOPES),
        format_func=SLOPES.__getitem__,
        **address.bound("belief_slope", SLOPES, 2.5),
    )
    made = lessons.toy(prevalence=0.3, slope=slope)
    groups = lessons.believed(made, labels=labels, kind=kind, shrinkage=trust)
    charts.chart(
        pictures.belief(groups),
        groups,
        key="lesson_belief",
        alt="Believed and true share of positives along the score.",
    )
    [off] = lessons.missed(made, labels=labels, kind=kind, shrinkage=trust, samples=SAMPLES).to_dict(
        "records"
    )
    varies = words.number(off["least"]) != words.number(off["most"])
    st.metric(
        "The belief shown is off by, on average",
        words.number(off["shown"]),
        f"{words.number(off['mean'])} ± {words.number(off['half'])} in {SAMPLES} such samples"
        if varies
        else None,
        delta_color="off",
        delta_arrow="off",
    )
    st.caption(
        f"±: how far {SAMPLES} samples of {words.many(labels, 'label')} can tell, with a 95% interval. Single ones are off "
        f"by {words.number(off['least'])} to {words.number(off['most'])}."
        if varies
        else "It does not depend on which labels are drawn."
    )


LESSON = Lesson(
    "Beliefs",
    "Where to ask depends on what is thought of the answers: the [[belief]]. At first there are only [[scores|score]], "
    "and a model may be too sure of itself or too timid; [[λ]] pulls them towards their mean.\n\n"
    "Labels can teach. [[Strata|stratum]] let items of similar score learn from their own labels; a [[tree]] lets "
    "neighbours share, so that it learns from fewer; recalibration bends the whole curve.\n\n"
    "Where answers count by their [[design weights|design weight]], a wrong belief costs precision and leaves sums "
    "[[unbiased]], though with few labels intervals can be too narrow. The default method has no such weights: it leans "
    "on its belief until enough labels correct it.",
    (
        ("Shrunk scores", r"\pi_n = \lambda s_n + (1-\lambda)\,\bar s"),
        (
            "A stratum with n labels, k of them positive, and a prior worth e labels",
            r"\pi = \frac{e\,\bar s + k}{e + n}",
        ),
        (
            "A leaf of the tree multiplies its branches",
            r"\pi(y \mid \text{leaf}) \propto \theta_y \prod_{\nu \to \text{leaf}} b_{y\nu}",
        ),
    ),
    live,
    "The model is too sure of itself. Which λ comes closest to the truth with no label at all? How many labels do "
    "strata need to beat it, and how many the tree?",
    "Shrinking helps at both ends, but no λ bends a curve: the best one, about 0.7, stays off. In the sample shown the "
    "tree comes as close with 10 labels, but that is luck: on average it takes about 125, and the strata about 165. "
    "With 300, both beat that λ. Recalibration beats it with 100 and stays ahead: this model's error, a stretch of the "
    "log-odds, is just what it can correct. The fewer shapes a belief can take, the sooner it is learnt, but the more "
    "depends on these shapes being the right ones.",
    "4_beliefs.ipynb",
)
