"""The formulas behind the controls, for those who open them."""

from __future__ import annotations

import streamlit as st

from sampleval.presets import Method
from sampleval.surrogates import Formulas, Surrogate


def plan(method: Method) -> None:
    """The formulas of a plan with this method."""
    for words, formula in lines(method):
        st.markdown(words)
        st.latex(formula)


def lines(method: Method) -> Formulas:
    """What a method believes, how it sizes items by that, and how it asks them."""
    return believed(method.surrogate) + method.design.formulas + mixed(method.defensive)


def believed(surrogate: Surrogate) -> Formulas:
    """What is believed about an item's label."""
    words, formula = surrogate.formula
    return ((f"What is believed about an item's label: {words}", formula),)


def mixed(defensive: float | None) -> Formulas:
    """What spreads some of the sample evenly, if anything does."""
    if not defensive:
        return ()
    words = "A share δ of the sampling is spread evenly over the pool"
    formula = r"h_n \leftarrow (1-\delta)\,\frac{h_n}{\sum_m h_m} + \frac{\delta}{N}, \qquad \delta = %g"
    return ((words, formula % defensive),)
