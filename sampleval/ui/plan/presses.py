"""Buttons that begin a study: pressing one twice begins one study."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from sampleval.study import Study
from sampleval.ui import stores

DOUBLE = 5.0  # seconds after which a second press means another study


@dataclass(frozen=True, slots=True)
class BegunStudies:
    """The studies that one session has begun: what distinguishes each → its name and the time."""

    last: dict[str, tuple[str, float]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


def once(wanted: str, begin: Callable[[], Study]) -> str:
    """The name of the study that pressing the button begins. A double click begins one study and leads to it.

    A second press starts a run of its own while that of the first still goes on; it waits for what that one begins.

    Args:
        wanted: A text that differs between studies.
        begin: The function that creates the study.
    """
    begun: BegunStudies = st.session_state.setdefault("_begun", BegunStudies())
    with begun.lock:
        name, at = begun.last.get(wanted, ("", -math.inf))
        if time.monotonic() - at > DOUBLE or stores.storage().find(name) is None:
            name = begin().name
            begun.last[wanted] = name, time.monotonic()
    return name
