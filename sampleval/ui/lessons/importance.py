"""Lesson 2: importance sampling and its weights."""

import streamlit as st

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.ui import address, charts
from sampleval.ui.lessons.base import Lesson

DRAWS = (50, 100, 200, 500)
TILTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


def live() -> None:
    """Show one sample with its weights, and the error of many samples."""
    left, right = st.columns(2)
    tilt = left.select_slider(
        "How strongly to lean towards what matters",
        TILTS,
        **address.bound("lean", TILTS, 1.0),
        help="q is in proportion to h to this power: 0 draws evenly.",
    )
    draws = right.select_slider("Draws", DRAWS, **address.bound("lean_draws", DRAWS, 100))
    made = lessons.toy(prevalence=0.05)
    items = lessons.drawn(made, tilt=tilt, draws=draws)
    charts.chart(
        pictures.weights(items),
        items,
        key="lesson_weights",
        alt="Drawn items along the score, each at its importance weight.",
    )
    errors = lessons.spread(made, tilts=TILTS, draws=draws)
    charts.chart(
        pictures.tilts(errors, tilt=tilt),
        errors,
        key="lesson_tilts",
        alt="Error of F1 against the lean of the proposal, with its 95% band; least near 1.",
    )
    st.caption("Shaded: 95% bands from 400 samples.")


LESSON = Lesson(
    "Importance weights",
    "[[Importance sampling|importance sampling]] draws items with replacement from a [[proposal]] q. An "
    "item that is drawn three times as often as in even draws counts a third: its [[importance weight]]. So the estimate is right on average "
    "*whatever q is*, as long as q > 0 where a label can matter.\n\n"
    "What q changes is the spread. Lean too little, and labels are wasted; lean too much, and the few draws of unlikely "
    "items carry enormous weights: most samples miss them, and a rare one is thrown far off. The best q is in "
    "proportion to h, the expected size of the [[deviation]].",
    (
        ("The estimate", r"\hat R = \frac{1}{M N} \sum_{j=1}^{M} \frac{\ell_j}{q_j}"),
        ("Its variance is least for", r"q_n \propto h_n = \sqrt{\mathbb{E}_\pi\, d_n^2}"),
        (
            "What d is for F1 (f, g: item's share of numerator and denominator)",
            r"d_n = \frac{f_n - F\,g_n}{\bar g}",
        ),
    ),
    live,
    "Move the lean to 0, to 1 and to 3. Where do the largest weights sit, and whose answers would change the estimate most?",
    "At 0 all weights are 1, and most draws are of items that matter little. At 1 the weights are large only where the "
    "answer is almost surely “rightly left out”, which moves nothing. At 3 nearly all draws are of items that the model calls "
    "positive. A missed positive would count hundreds of times as much as one of those found, but with 100 draws the picture "
    "has none (it has with 500): four samples in five then overestimate recall, and others put it far too low.",
    "2_importance_weights.ipynb",
)
