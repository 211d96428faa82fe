"""Numbers in the address. Streamlit silently drops a number that its control does not accept, so it is checked here."""

from __future__ import annotations

import math
from typing import Generic, Literal, TypedDict, TypeVar

import streamlit as st

from sampleval.ui import shell

N = TypeVar("N", int, float)


class Span(TypedDict, Generic[N]):
    """Arguments for a number control whose value is kept in the address."""

    min_value: N
    max_value: N | None
    key: str
    bind: Literal["query-params"]


def number(key: str, least: N, most: N | None = None) -> Span[N]:
    """Arguments that tie a number control to the address. A number there that it does not accept is refused with a message.

    Args:
        key: The control's key, also in the address.
        least: The smallest number that the control accepts.
        most: The largest number that it accepts; `None` for no limit.
    """
    told = st.query_params.get(key, "")
    if not taken(told, least, most):
        shell.refused(key, told)
    return Span(min_value=least, max_value=most, key=key, bind="query-params")


def taken(text: str, least: float, most: float | None = None) -> bool:
    """Whether a text is a number between these limits.

    >>> taken("3.5", 0), taken("3.5", 0, 3), taken("-1", 0), taken("inf", 0), taken("", 0)
    (True, False, False, False, False)
    """
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and least <= value <= (math.inf if most is None else most)
