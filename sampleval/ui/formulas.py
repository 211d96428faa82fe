"""The formulas behind the controls, for those who open them."""

from __future__ import annotations

import streamlit as st

COMMON = (
    (
        "What is believed about an item's label: its score, trusted as far as λ says",
        r"\pi_n = \lambda s_n + (1-\lambda)\,t",
    ),
    (
        "How far its label can move the metric G = g(R), expected over that belief",
        r"h_n^2 = \mathbb{E}_\pi\,d_n(y)^2, \qquad d_n(y) = \mathrm{D}g(R)\,\ell(n, y)",
    ),
)
DESIGNS = {
    "priority": (
        (
            "One random number an item, from its id and the seed; the queue runs in rising order of",
            r"u_n / h_n",
        ),
        ("After k answers the k+1-th value τ gives the chances", r"b_n = \min(1, \tau h_n)"),
        (
            "Expected variance of the estimate",
            r"\frac{1}{N^2}\sum_n \Big(\frac{1}{b_n}-1\Big)\,\mathbb{E}_\pi d_n^2",
        ),
    ),
    "poisson": (
        (
            "Each item is asked with its own chance; κ makes them sum to M",
            r"b_n = \min(1, \kappa h_n), \quad \sum_n b_n = M",
        ),
        ("The first item is certain from", r"M \ge \frac{\sum_n h_n}{\max_n h_n}"),
        (
            "Expected variance of the estimate",
            r"\frac{1}{N^2}\sum_n \Big(\frac{1}{b_n}-1\Big)\,\mathbb{E}_\pi d_n^2",
        ),
    ),
    "importance": (
        ("Draws with replacement, in proportion to h", r"q_n = h_n / \sum_m h_m"),
        ("Chance of being asked in J draws; J makes them sum to M", r"\pi_n = 1 - (1 - q_n)^J"),
        ("Expected variance of the estimate", r"\frac{1}{J N^2}\sum_n \mathbb{E}_\pi d_n^2 / q_n"),
    ),
    "uniform": (
        ("Every item has the same chance", r"b_n = M / N"),
        (
            "Expected variance of the estimate",
            r"\Big(\frac1M - \frac1N\Big)\,\frac1N \sum_n \mathbb{E}_\pi d_n^2",
        ),
    ),
}


def plan(design: str) -> None:
    """The formulas of a plan with this design."""
    for words, formula in (*COMMON, *DESIGNS.get(design, ())):
        st.markdown(words)
        st.latex(formula)
    st.caption("t is the mean score or ½; δ mixes h with a constant: (1−δ) h/Σh + δ/N.")
