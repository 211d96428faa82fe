"""Conclusions kept in a session until an event is added to the study, so that a click does not repeat the computation."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

import streamlit as st

from sampleval.study import Study

Conclusion = TypeVar("Conclusion")
MOST = 64


def once(study: Study, key: tuple[Hashable, ...], conclude: Callable[[], Conclusion]) -> Conclusion:
    """The result of `conclude`, computed once for this key and this state of the study's log.

    Args:
        study: The study, as this session holds it.
        key: Everything else that the conclusion depends on.
        conclude: The function that computes it.
    """
    mark = (id(study), study.state.seen)
    held = st.session_state.get("_conclusions")
    if not isinstance(held, tuple) or held[0] != mark or len(held[1]) >= MOST:
        # The study too, so that its id stays its own.
        held = st.session_state["_conclusions"] = (mark, {}, study)
    if key not in held[1]:
        held[1][key] = conclude()
    return cast("Conclusion", held[1][key])
