"""Conclusions that all sessions of this server share: a click does not repeat one, nor does a class that opens the same page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, TypeVar

import streamlit as st

from sampleval.study import Study

Result = TypeVar("Result")
PURPOSES, MOST = 128, 200  # that are kept, and results for each


@dataclass(slots=True)
class Kept:
    """What was made for a purpose, of which the oldest are dropped."""

    made: dict[Hashable, Any] = field(default_factory=dict)  # by key
    # Whoever makes one holds it: others who need it at the same time wait for it.
    turn: RLock = field(default_factory=RLock)

    def once(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """The result of `make`, which nobody may change, made once for this key."""
        with self.turn:
            if key not in self.made:
                self.made[key] = make()
                for oldest in list(self.made)[:-MOST]:
                    del self.made[oldest]
            found: Result = self.made[key]
            return found


def once(study: Study, key: tuple[Hashable, ...], conclude: Callable[[], Result]) -> Result:
    """The result of `conclude`, which nobody may change, computed once for this log of the study and all else in the key."""
    return kept_for((study.state.seen, study.state.newest)).once(key, conclude)


@st.cache_resource(show_spinner=False, max_entries=PURPOSES)
def kept_for(purpose: tuple[int | str, ...]) -> Kept:
    """What is kept for this purpose, the same for all sessions; of the purposes, those that were needed last are kept."""
    return Kept()
