"""What the sample of a plan is drawn for: one metric, or several together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from sampleval.metrics import questions, resolve
from sampleval.pool import Pool
from sampleval.study import whose
from sampleval.ui import address, words
from sampleval.ui.plan import combine


def ask(pool: Pool) -> tuple[str, tuple[str, ...]]:
    """Ask for which metric the sample is drawn, and for which others besides."""
    known = questions(pool)
    example = ": a sample for precision, for example, never asks items that are not predicted positive"
    metric = st.selectbox(
        "What do you want to know?",
        known,
        format_func=words.entitled,
        **address.bound("metric", known, then=partial(combine.take_other, pool)),
        help="The sample is drawn so that this metric (the pre-sampling metric) comes out most precise. "
        "Other metrics can be estimated from the same labels, unless they need items that this sample "
        f"never asks{example if pool.task.kind == 'binary' else ''}.",
    )
    st.caption(words.plain(resolve(metric).about))
    if not resolve(metric).systems and (note := whose(pool)):
        st.caption(words.plain(note))
    return metric, tuple(ask_also(metric, known, key="also", then=partial(combine.take_other, pool)))


def ask_also(metric: str, known: Iterable[str], *, key: str, then: address.Then = None) -> list[str]:
    """Ask for which of the known metrics the sample is drawn besides this one."""
    # The address separates them with commas.
    others = [name for name in known if name != metric and "," not in name and not resolve(name).vector]
    return st.multiselect(
        "What else must come out well?",
        others,
        format_func=words.entitled,
        placeholder="Nothing in particular",
        select_all=False,  # else Enter takes all metrics that hold what was typed
        **address.bound_several(key, others, (), then=then),
        help="One sample then serves all of these metrics: each comes out almost as precise as from a sample of its own, "
        "and the first one a little less so. Without this, other metrics are estimated too, but the sample need not suit them.",
    )
