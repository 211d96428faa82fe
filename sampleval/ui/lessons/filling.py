"""Lesson 3: Bernoulli sampling, water-filling and certainty."""

import streamlit as st

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.ui import address, charts, words
from sampleval.ui.lessons.base import Lesson

SIZE = 60


def live() -> None:
    """Show sixty items, their chances, and the waterline."""
    left, right = st.columns(2)
    budget = left.slider("Labels (M)", value=35, **address.number("water_labels", 1, SIZE))
    sharp = right.slider(
        "How well the model tells the classes apart",
        value=2.0,
        step=0.5,
        **address.number("water_sharp", 0.5, 4.0),
    )
    made = lessons.toy(size=SIZE, prevalence=0.2, sharp=sharp)
    items = lessons.filled(made, budget=budget)
    charts.chart(
        pictures.waterline(items),
        items,
        key="lesson_water",
        alt="Chances of 60 items in falling order, cut at 1, beside those of importance sampling.",
    )
    certain = int((items["inclusion"] >= 1).sum())
    one, two = st.columns(2)
    one.metric("Certain items", f"{certain} of {SIZE}")
    two.metric("First certain item from", f"M = {words.number(lessons.onset(made))}")


LESSON = Lesson(
    "Water-filling",
    "[[Bernoulli sampling]] tosses a coin for each item. It shows heads with the item's own [[inclusion "
    "probability]] b, and the answer then counts 1/b, its [[design weight]]. No item is asked twice, so "
    "no label is wasted.\n\n"
    "The best b is in proportion to h, but a chance cannot exceed 1. [[Water-filling|water-filling]] cuts "
    "off what exceeds 1, makes these items [[certain|certainty]] and shares the excess out among the others. When all items are "
    "certain, the estimate is exact. Importance sampling (dashed) makes no item certain before that: it draws some items "
    "again and again while others wait.",
    (
        ("Chances", r"b_n = \min(1, \kappa h_n)"),
        ("with κ such that they add up to the budget", r"\sum_n b_n = M"),
        ("The first item is certain from", r"M \ge \frac{\sum_n h_n}{\max_n h_n}"),
        ("Variance of a total: certain items add nothing", r"\sum_n \Big(\frac{1}{b_n} - 1\Big)\, d_n^2"),
        ("Importance sampling in J draws, so many that these chances add up to M", r"1 - (1 - q_n)^J"),
    ),
    live,
    "At which M does the first item become certain, and how many are soon after? When is the dashed line "
    "above the bars, and which items pay for it?",
    "The first is certain at M = Σh / max h; with all h alike that would be M = N. Items that the model calls positive "
    "matter about equally, so they become certain almost together. Importance sampling asks the first "
    "items less surely and so the others more: unless every item is labelled, it cannot give the most "
    "important ones what they are worth.",
    "3_water_filling.ipynb",
)
