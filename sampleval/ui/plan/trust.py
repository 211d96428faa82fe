"""λ, how far to trust what the model says about itself: its meaning, whether it matters, and its control."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from sampleval.pool import Kind, Pool, scored, told_errors
from sampleval.presets import Method
from sampleval.surrogates import Shrunk
from sampleval.surrogates.shrunk import Toward
from sampleval.ui import address


def trusted(pool: Pool) -> str:
    """The plural noun for what λ says how far to trust: expected errors, probabilities or decisions."""
    if pool.task.kind == "regression":
        return "the expected errors"
    return "the model's own probabilities" if scored(pool) else "the model's decisions"


def shrinkage_of(method: Method) -> float:
    """The method's own λ; 1 where it has none."""
    return method.surrogate.shrinkage if isinstance(method.surrogate, Shrunk) else 1.0


def unshrunk(method: Method, pool: Pool) -> str:
    """Why λ does not change which of these items the method asks; "" if it does."""
    told = trusted(pool)
    if method.surrogate.learns:
        return f"Not for this method: it learns from the labels how far to trust {told}."
    if not isinstance(method.surrogate, Shrunk):
        return f"Not for this method: it has no λ that says how far to trust {told}."
    if method.design.blind:
        return (
            f"Not for this method: which items it asks does not depend on what {told} say about the metric."
        )
    if pool.task.kind == "regression" and not told_errors(pool):
        return "No column says how large the error of each prediction may be: whatever λ is, all predictions are trusted alike."
    return ""


def unpulled(method: Method, pool: Pool) -> str:
    """Why the target of the shrinkage makes no difference; "" if it does."""
    if pool.task.kind == "regression":
        return "Not for numbers: expected errors are pulled towards their mean."
    return unshrunk(method, pool)


def towards(kind: Kind) -> dict[Toward | Literal[""], str]:
    """The targets towards which distrusted scores can be shrunk, in words that fit the number of classes."""
    alike = "every class alike" if kind == "multiclass" else "one half"
    return {"": "the method's own target", "mean": "the mean score", "half": alike}


def settle(method: Method) -> None:
    """Set λ, its target and δ to those of a method that was just chosen."""
    st.session_state["trust"], st.session_state["even"] = shrinkage_of(method), method.defensive or 0.0
    address.remember("toward", "")


def take(shrinkage: float) -> None:
    """Set the slider of λ."""
    st.session_state["trust"] = shrinkage
