"""The formulas behind the controls, shown on request."""

from __future__ import annotations

import streamlit as st

from sampleval._checks import conforms
from sampleval.pool import Kind
from sampleval.presets import Method
from sampleval.surrogates import Formulas, OfNumbers, Surrogate
from sampleval.ui import words

TOGETHER = (
    "Several metrics at once: d has a part for each, in units of the error left by a sample for that metric alone",
    r"d_n = \big(\sqrt{w_k}\, d_{kn}\big)_k, \qquad w_k^{-1/2} = \frac1N \sum_n \sqrt{\mathbb{E}_\pi\, d_{kn}^2}",
)
EVENLY = "A share δ of the sampling is spread evenly over the pool"
MIXED = r"h_n \leftarrow (1-\delta)\,\frac{h_n}{\sum_m h_m} + \frac{\delta}{N}, \qquad \delta = %g"


def plan(method: Method, kind: Kind, *, several: bool) -> None:
    """The formulas of a plan with this method for labels of this kind, drawn for one metric or for several."""
    for told, formula in lines(method, kind, several=several):
        st.markdown(told)
        st.latex(formula)


def lines(method: Method, kind: Kind, *, several: bool = False) -> Formulas:
    """The formulas for what a method believes, how it derives the sizes of items, and how it draws them."""
    asked = tuple((words.of_labels(told, kind), formula) for told, formula in method.design.formulas)
    if several and any("h_n" in formula for _, formula in asked):
        asked += (TOGETHER,)
    if method.defensive:
        asked += ((EVENLY, MIXED % method.defensive),)
    return believed(method.surrogate, kind) + asked


def believed(surrogate: Surrogate, kind: Kind) -> Formulas:
    """The formula for the belief about an item's label."""
    told, formula = surrogate.formula
    if kind == "regression" and conforms(surrogate, OfNumbers):
        told, formula = surrogate.formula_of_numbers
    return ((f"What is believed about an item's label: {told}", formula),)
