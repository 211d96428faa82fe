"""Formulas in LaTeX that several designs share, for the app's explanations of its controls."""

from __future__ import annotations

from sampleval.designs.between_rounds.aim import Norm
from sampleval.surrogates import Formula


def sized(norm: Norm = 2, *, assisted: bool = False) -> Formula:
    """The formula of the size h, the expected effect of an item's label on the metric.

    h = √E d² for norm 2 and E|d| for 1; `assisted` leaves out the part of d that the belief predicts.
    """
    words = "How far its label can move the metric G = g(R), expected over that belief"
    if norm == 1:
        size = r"h_n = \mathbb{E}_\pi\,|d_n(y)|"
    elif assisted:
        words += "; minus what the belief predicts of it, as far as the labels confirm it (w)"
        size = r"h_n^2 = (1-w)\,\mathbb{E}_\pi\,d_n(y)^2 + w\operatorname{Var}_\pi d_n(y)"
    else:
        size = r"h_n^2 = \mathbb{E}_\pi\,d_n(y)^2"
    return words, size + r", \qquad d_n(y) = \mathrm{D}g(R)\,\ell(n, y)"


def varying(formula: str) -> Formula:
    """The formula of the anticipated variance of the estimate."""
    return "Expected variance of the estimate", formula


# For items that are included as if independently of each other.
APART = varying(r"\frac{1}{N^2}\sum_n \Big(\frac{1}{b_n}-1\Big)\,\mathbb{E}_\pi d_n^2")
