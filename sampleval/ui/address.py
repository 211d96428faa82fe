"""Numbers in the address: of one that its control does not take, Streamlit lets go without a word."""

from __future__ import annotations

import math
from typing import Generic, Literal, TypedDict, TypeVar

import streamlit as st

from sampleval.ui import shell

N = TypeVar("N", int, float)


class Span(TypedDict, Generic[N]):
    """Arguments of a control for a number whose value the address holds."""

    min_value: N
    max_value: N | None
    key: str
    bind: Literal["query-params"]


def number(key: str, least: N, most: N | None = None) -> Span[N]:
    """Arguments that tie a control for a number to the address; one there that it does not take is refused in words.

    Args:
        key: Of the control and in the address.
        least: The least number that it takes.
        most: The largest one; `None` for any.
    """
    told = st.query_params.get(key, "")
    if not taken(told, least, most):
        shell.refused(key, told)
    return Span(min_value=least, max_value=most, key=key, bind="query-params")


def taken(text: str, least: float, most: float | None = None) -> bool:
    """Whether a text is a number between these ends.

    >>> taken("3.5", 0), taken("3.5", 0, 3), taken("-1", 0), taken("inf", 0), taken("", 0)
    (True, False, False, False, False)
    """
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and least <= value <= (math.inf if most is None else most)
