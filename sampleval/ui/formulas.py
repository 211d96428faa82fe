"""The formulas behind the controls, for those who open them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st

from sampleval.designs import Design
from sampleval.presets import Method
from sampleval.surrogates import Shrunk, Surrogate

Lines = tuple[tuple[str, str], ...]
# What is believed of an item's label, by surrogate; shrunk scores have their own options.
BELIEFS: Mapping[str, Lines] = MappingProxyType(
    {
        "calibration": (
            (
                "What is believed about an item's label: a curve over the scores, learned from the labels",
                r"\pi_n = \mathbb{E}\,[\,p(s_n) \mid \text{labels}\,]",
            ),
        ),
        "recalibrated": (
            (
                "What is believed about an item's label: its score, moved as the labels so far say; for two classes",
                r"\operatorname{logit} \pi_n = a + b\,\operatorname{logit} s_n",
            ),
        ),
        "dirichlet-tree": (
            (
                "What is believed about an item's label: what its stratum k and those beside it were found to hold",
                r"\pi_n(y) \propto \theta_y\,\psi_{y,k(n)}",
            ),
        ),
        "beta-bernoulli": (
            (
                "What is believed about an item's label: what its stratum k was found to hold",
                r"\pi_n = \mathbb{E}\,[\,\theta_{k(n)} \mid \text{labels}\,]",
            ),
        ),
        "learned": (
            (
                "What is believed about an item's label: what a classifier of its features x learned, beside its score",
                r"\pi_n = p(y \mid x_n, s_n, \text{labels})",
            ),
        ),
    }
)
DESIGNS: dict[str, Lines] = {
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
            r"q_t(n) \propto h_n \text{ under } \pi_t",
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


def plan(method: Method) -> None:
    """The formulas of a plan with this method."""
    for words, formula in lines(method):
        st.markdown(words)
        st.latex(formula)


def lines(method: Method) -> Lines:
    """(words, formula) of what a method believes, how it sizes items by that, and how it asks them."""
    key = method.design.key
    return believed(method.surrogate) + sized(method.design) + DESIGNS.get(key, ()) + mixed(method.defensive)


def believed(surrogate: Surrogate) -> Lines:
    """What is believed about an item's label."""
    if not isinstance(surrogate, Shrunk):
        return BELIEFS.get(surrogate.key, ())
    if surrogate.shrinkage == 1:
        return (("What is believed about an item's label: its score", r"\pi_n = s_n"),)
    words = "What is believed about an item's label: its score, trusted as far as λ says, else t"
    toward = r"\bar s" if surrogate.toward == "mean" else r"\tfrac1C"
    formula = r"\pi_n = \lambda s_n + (1-\lambda)\,t, \qquad \lambda = %g, \quad t = %s"
    return ((words, formula % (surrogate.shrinkage, toward)),)


def sized(design: Design) -> Lines:
    """How far an item's label can move the metric."""
    words = "How far its label can move the metric G = g(R), expected over that belief"
    if getattr(design, "norm", 2) == 1:
        size = r"h_n = \mathbb{E}_\pi\,|d_n(y)|"
    elif getattr(design, "assisted", False):
        words += "; less what the belief foresees of it, as far as the labels bear it out (w)"
        size = r"h_n^2 = (1-w)\,\mathbb{E}_\pi\,d_n(y)^2 + w\operatorname{Var}_\pi d_n(y)"
    else:
        size = r"h_n^2 = \mathbb{E}_\pi\,d_n(y)^2"
    return ((words, size + r", \qquad d_n(y) = \mathrm{D}g(R)\,\ell(n, y)"),)


def mixed(defensive: float | None) -> Lines:
    """What spreads some of the sample evenly, if anything does."""
    if not defensive:
        return ()
    words = "A share δ of the sampling is spread evenly over the pool"
    formula = r"h_n \leftarrow (1-\delta)\,\frac{h_n}{\sum_m h_m} + \frac{\delta}{N}, \qquad \delta = %g"
    return ((words, formula % defensive),)
