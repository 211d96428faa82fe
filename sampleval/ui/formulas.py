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
    "targeted": (
        (
            "Items of like score make a cell; a curve learned from the labels says how likely each is positive",
            r"\pi_k \mid \text{labels}",
        ),
        (
            "A round goes where a label lowers the posterior variance of the metric most",
            r"\operatorname{Var}\big(g(R) \mid \text{labels}\big)",
        ),
    ),
    "adaptive": (
        (
            "Each round draws with replacement from a proposal made from all labels before it",
            r"q_t(n) \propto \sqrt{\mathbb{E}_{\pi_t} d_n^2}",
        ),
        (
            "The estimate weighs every draw by the proposal it came from",
            r"\hat R = \frac1J \sum_j \frac{\ell_j}{N q_{t(j)}(n_j)}",
        ),
    ),
    "rounds": (
        ("Each round is a queue of the items left, from all labels before it", r"u^{(r)}_n / h^{(r)}_n"),
        (
            "Rounds are combined with weights fixed beforehand",
            r"\hat R = \sum_r a_r Z_r, \quad \sum_r a_r = 1",
        ),
    ),
    "sequential": (
        ("Each item is drawn among those left", r"q_m(n) \propto h_n"),
        (
            "The weights correct for drawing without replacement",
            r"v_m = 1 + \frac{N-M}{N-m}\Big(\frac{1}{(N-m+1)\,q_m}-1\Big)",
        ),
    ),
    "stratified": (
        ("Ranges of like score, each labelled in proportion to its size", r"M_k \approx M\,N_k / N"),
        (
            "The estimate is the weighted mean of the ranges' means",
            r"\hat R = \sum_k \frac{N_k}{N}\,\bar\ell_k",
        ),
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
