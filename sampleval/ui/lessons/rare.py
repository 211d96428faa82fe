"""Lesson 1: why uniform sampling fails on rare classes."""

import streamlit as st

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.ui import address, charts, words
from sampleval.ui.lessons.base import Lesson

SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
LABELS = (20, 50, 100, 200, 500, 1000)
SAMPLERS = {"uniform": "uniform", "poisson": "Bernoulli"}


def live() -> None:
    """Show estimates from many samples, drawn uniformly and drawn where labels matter."""
    left, right = st.columns(2)
    prevalence = left.select_slider(
        "Share of positives in the pool",
        SHARES,
        format_func=words.share,
        **address.bound("rare_prevalence", SHARES, 0.02),
    )
    labels = right.select_slider("Labels (M)", LABELS, **address.bound("rare_labels", LABELS, 100))
    made = lessons.toy(prevalence=prevalence)
    samples = lessons.rare(made, labels=labels)
    charts.chart(
        pictures.rare(samples),
        samples,
        key="lesson_rare",
        alt="Histograms of F1 estimates from 400 samples: uniform wide, Bernoulli narrow, around the truth.",
    )
    found = lessons.found(samples)
    for place, (design, called) in zip(st.columns(2), SAMPLERS.items(), strict=True):
        seen = found.loc[design]
        place.metric(
            f"Positives found, {called}",
            f"{seen['mean']:.1f} ± {seen['half']:.1f}",
            f"{seen['none']:.0%} of samples find none ({seen['low']:.1%} to {seen['high']:.1%})",
            delta_color="off",
            delta_arrow="off",
        )
    st.caption("± and brackets: how far 400 samples can tell, with 95% intervals.")


LESSON = Lesson(
    "Rare classes",
    "The [[F1 score]] counts only items that are positive, or that the model calls positive. Where these are rare, "
    "[[uniform sampling]] spends nearly every [[label]] on items that cannot move it. A sample with two "
    "positives in it says next to nothing. A sample without positives says 0, or nothing at all if it has "
    "no item that is predicted positive either.\n\n"
    "The remedy: ask more often where the [[deviation]] is large, with a known [[inclusion probability]], and let "
    "every answer count one over that chance. Sums stay [[unbiased]] and the labels do more.",
    (
        ("Chance that a uniform sample of M from a large pool holds no positive", r"(1-p)^M"),
        ("F1, as sums over the pool", r"F_1 = \frac{\sum_n y_n \hat y_n}{\sum_n \tfrac12 (y_n + \hat y_n)}"),
        (
            "Such a sum from a sample: each item counts for 1/b",
            r"\sum_n y_n \hat y_n \approx \sum_{n \in s} \frac{y_n \hat y_n}{b_n}",
        ),
    ),
    live,
    "One item in a hundred is positive. How many labels until uniform sampling finds at least one in 99 of 100 samples? "
    "Set the share to 1% and find out. How many does the other sampler need?",
    "(1 − 0.01)^M ≤ 0.01 gives M ≥ ln 0.01 / ln 0.99 ≈ 459 from a large pool (410 from the 2,000 items "
    "here, because no item is asked twice), and that is only to find *one*. With 50 labels the other "
    "sampler nearly always finds some, because the model's scores tell it where to look.",
    "1_rare_classes.ipynb",
)
