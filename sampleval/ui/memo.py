"""Conclusions that all sessions of this server share: a click does not repeat one, nor does a class that opens the same page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, TypeVar

import streamlit as st

from sampleval.study import Study

Conclusion = TypeVar("Conclusion")
STATES, MOST = 64, 64  # states of studies, and conclusions from each, that are kept


@dataclass(slots=True)
class Kept:
    """What was made for a purpose.

    Attributes:
        made: Key → result.
        turn: Held by whoever makes one: others who need it at the same time wait for it.
    """

    made: dict[Hashable, Any] = field(default_factory=dict)
    turn: RLock = field(default_factory=RLock)


def once(study: Study, key: tuple[Hashable, ...], conclude: Callable[[], Conclusion]) -> Conclusion:
    """The result of `conclude`, computed once for this key and this state of the study's log.

    Args:
        study: The study, as this session holds it.
        key: Everything else that the conclusion depends on.
        conclude: The function that computes it. Nobody may change what it returns.
    """
    kept = kept_for((study.state.seen, study.state.newest))
    with kept.turn:
        if key not in kept.made:
            if len(kept.made) >= MOST:
                kept.made.clear()
            kept.made[key] = conclude()
        found: Conclusion = kept.made[key]
        return found


@st.cache_resource(show_spinner=False, max_entries=STATES)
def kept_for(purpose: tuple[int | str, ...]) -> Kept:
    """What is kept for this purpose, the same for all sessions; of the purposes, those that were needed last are kept."""
    return Kept()
