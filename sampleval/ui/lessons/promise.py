"""Lesson 5: what an interval promises."""

import streamlit as st

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.ui import address, asking, charts, shell, words
from sampleval.ui.lessons.base import Lesson

FAMILIES = {"plug-in": "Plug-in (± z·σ)", "beta": "Beta", "korn-graubard": "Korn–Graubard"}
TRUTHS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
LABELS = (10, 20, 50, 100, 300)
WATCHED = 300  # labels until the last look: so few make peeking plain


def live() -> None:
    """Show the intervals of a hundred studies, then studies that are watched every ten labels."""
    family = shell.choice("Kind of interval", FAMILIES, key="promise_family", labelled=True)
    one, two, three = st.columns(3)
    truth = one.select_slider("True value", TRUTHS, **address.bound("promise_truth", TRUTHS, 0.9))
    labels = two.select_slider("Labels (M)", LABELS, **address.bound("promise_labels", LABELS, 50))
    with three:
        level = asking.level("Promised (level)", "promise_level")
    seed = int(
        st.number_input("Seed: another hundred studies", value=0, **address.number("promise_seed", 0, 999))
    )
    studies = lessons.replicates(truth=truth, labels=labels, level=level, family=family, seed=seed)
    charts.chart(
        pictures.replicates(studies),
        studies,
        key="lesson_promise",
        alt="A hundred intervals across the truth; those that miss it stand out.",
    )
    low, high = map(words.share, lessons.coverage(studies))
    st.caption(
        f"{words.many(len(studies), 'study', 'studies')} tell the coverage no better than {low} to {high} (95% interval)."
    )
    st.markdown(
        f"**And if you peek?** Such studies go on to {WATCHED} labels and are looked at after every ten, with the same "
        f"kind of interval: {FAMILIES[family]}."
    )
    looks = lessons.watched(truth=truth, labels=WATCHED, level=level, family=family, seed=seed)
    charts.chart(
        pictures.peeking(looks, labels=labels),
        looks,
        key="lesson_peeking",
        alt="Share of studies that have missed the truth, at one look, at any look so far, and with an interval for any look.",
    )
    st.caption("Shaded: 95% bands from 300 studies.")


LESSON = Lesson(
    "What an interval promises",
    "A 90% [[interval]] does not contain the true value with 90% probability: a single interval either "
    "does or does not. The promise is about the method: of a hundred studies, about ninety intervals "
    "contain it. The share that does is the [[coverage]]. “90% sure” in this "
    "app means an interval at that level. For the default method, the interval is what its model of the "
    "scores leaves possible; how often that contains the true value was measured, not proved.\n\n"
    "Near 0 or 1 and with few labels, a plug-in interval breaks its promise, because a sample without a surprise looks "
    "more certain than it is. And whoever looks again and again, and stops when the result pleases, gets "
    "many chances to be misled: [[optional stopping]]. An [[interval for any look]] is made for that, and "
    "is usually wider.",
    (
        ("The promise", r"P\big(\text{low} \le G \le \text{high}\big) \ge 1 - \alpha"),
        ("Plug-in", r"\hat G \pm z_{1-\alpha/2}\,\hat\sigma"),
        (
            "Korn–Graubard: the labels' effective number in an exact binomial interval",
            r"n^* = \frac{\hat G (1-\hat G)}{\hat\sigma^2}",
        ),
        (
            "For any look: every g against which betting on k of n right has not yet won 1/α",
            r"\frac{\int_0^1 p^k (1-p)^{n-k}\,dp}{g^k (1-g)^{n-k}} < \frac{1}{\alpha}",
        ),
    ),
    live,
    "True value 0.98, 50 labels: how many plug-in intervals hold the truth, and what do the others have in common? Then "
    "change the kind of interval. And how many studies have missed the truth at some look after 300 labels?",
    "A third of the samples hold no error at all: the plug-in interval then has width 0, and misses. Korn–Graubard knows "
    "that fifty right answers still allow a few errors. After 300 labels four of five studies have missed "
    "at some look with the plug-in interval, most of them at the first, where ten labels show no error. "
    "With Beta it is a third, with Korn–Graubard nearly a fifth; a tenth was promised. The interval for "
    "any look keeps its promise at all looks together. Decide the number "
    "of labels beforehand, or switch on “I’ll stop when I’ve seen enough” with the results.",
    "5_what_an_interval_promises.ipynb",
)
