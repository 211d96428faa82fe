"""Whether a new study is to be watched: its intervals then hold at every look, beside the labelling too."""

from __future__ import annotations

import streamlit as st

from sampleval.metrics import resolve
from sampleval.pool import Pool
from sampleval.presets import Method
from sampleval.study.conclusions.anytime import Obstacle, barrier
from sampleval.ui import address
from sampleval.ui.results.stopping import excuse, switch

KEY = "anytime"  # in the address


def ask(pool: Pool, metric: str, method: Method) -> bool:
    """Ask whether labelling stops when enough was seen. Without such intervals the switch is off, with the reason."""
    found = obstacle(pool, metric, method)
    if found is not None:
        told = excuse(found, method).removesuffix(".").replace("They", "intervals that hold at every look", 1)
        address.unasked(KEY, instead=told)
    watched = switch(KEY, found, method, grey="no_watching")
    if watched:
        st.caption(
            "Such intervals are wider than the ± of this plan, which is for a number of labels fixed beforehand. On Results they "
            "can be switched off."
        )
    return watched


def obstacle(pool: Pool, metric: str, method: Method) -> Obstacle | None:
    """Why this metric has no such intervals with this method, `None` if it has."""
    known = method.predicts or resolve(metric).share
    return barrier(pool, method) if known else "kind"
