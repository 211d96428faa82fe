"""What the address says of controls that bind themselves to it. Streamlit silently drops what such a control does not accept, so it is checked here."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Generic, Literal, TypedDict, TypeVar

import streamlit as st

from sampleval.ui import history, words

N = TypeVar("N", int, float)
USUAL = "the usual choice is used"  # in place of what a link asks for in vain


class Bound(TypedDict):
    """Arguments for a control whose value is kept in the address."""

    key: str
    bind: Literal["query-params"]


class Span(Bound, Generic[N]):
    """The same for a number control."""

    min_value: N | None
    max_value: N | None


def refused(key: str, told: str, *, instead: str = USUAL) -> None:
    """Say at the top, since a control may be folded away, what a link asks for and this page cannot do."""
    if told and key in st.query_params.keys() - history.in_address():
        said = f"The address says {key} = {words.short(told)}, which cannot be chosen here: {instead}."
        st.session_state["_top"].warning(words.plain(said), icon=":material/link_off:")


def unasked(key: str, *, instead: str = USUAL) -> None:
    """Say the same of a control that this page lacks at the moment, unless it had it before: then a choice here took it away."""
    if key not in st.session_state:
        refused(key, st.query_params.get(key, ""), instead=instead)


def switch(key: str) -> Bound:
    """Arguments that tie a switch to the address. What is there neither "true" nor "false" is refused with a message."""
    told = st.query_params.get(key, "")
    if told.lower() not in ("true", "false"):
        refused(key, told)
    return Bound(key=key, bind="query-params")


def several(key: str, options: Container[str]) -> Bound:
    """The same for a control for several options, each of them a value of its own in the address."""
    told = st.query_params.get_all(key)
    strange = [name for name in told if name not in options]
    instead = "the others are" if len(strange) < len(told) else USUAL
    refused(key, ", ".join(strange), instead=instead)
    return Bound(key=key, bind="query-params")


def number(key: str, least: N | None, most: N | None = None) -> Span[N]:
    """The same for a number control.

    Args:
        key: The control's key, also in the address.
        least: The smallest number that the control accepts; `None` for no limit.
        most: The largest number that it accepts; `None` for no limit.
    """
    # What was chosen here is no link's: its limits may have moved since.
    told = "" if key in st.session_state else st.query_params.get(key, "")
    if not taken(told, least, most):
        refused(key, told)
    elif isinstance(least, int) and not float(told).is_integer():
        refused(key, told, instead=f"{int(float(told))} is used")
    return Span(min_value=least, max_value=most, key=key, bind="query-params")


def taken(text: str, least: float | None, most: float | None = None) -> bool:
    """Whether a text is a number between these limits, of which `None` is none.

    >>> taken("3.5", 0), taken("3.5", 0, 3), taken("-1", 0), taken("inf", 0), taken("", 0), taken("-1", None)
    (True, False, False, False, False, True)
    """
    try:
        value = float(text)
    except ValueError:
        return False
    least, most = -math.inf if least is None else least, math.inf if most is None else most
    return math.isfinite(value) and least <= value <= most
