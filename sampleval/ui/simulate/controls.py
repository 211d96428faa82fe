"""The settings that several views ask for.

They go by names of their own, `studied_…`: by those of the Plan page, what is tried here would change a plan.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from sampleval.metrics import for_pool
from sampleval.pool import Pool
from sampleval.presets import PRESETS
from sampleval.simulation import spaced_budgets
from sampleval.study import method_name
from sampleval.ui import address, asking, words

REPEATS = (10, 25, 50, 100, 200, 500, 1000)
REPORTED = 8  # metrics at most


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that every view asks for: numbers of labels, studies per method, level, seed, cores."""

    budgets: tuple[int, ...]
    repeats: int
    level: float
    seed: int
    jobs: int


def target(pool: Pool) -> str:
    """Ask for the pre-sampling metric."""
    known = for_pool(pool)
    return st.selectbox(
        "Metric to sample for",
        known,
        **address.bound("studied_metric", known),
        format_func=words.entitled,
        help="The sample is drawn so that this metric comes out most precise.",
    )


def methods(able: list[str], usual: Sequence[str], *, key: str, help: str | None = None) -> list[str]:
    """Ask for methods, which begin with those of the usual ones that fit; at least one."""
    fit = [name for name in usual if name in able]
    return st.multiselect("Methods", able, fit, help=help, **address.several(key, able)) or able[:1]


def method(able: Sequence[str], default: str | None = None) -> str:
    """Ask for one method."""
    tie = address.bound("studied_method", able, default)
    return st.selectbox("Method", able, format_func=method_name, **tie)


def reported(pool: Pool, default: Sequence[str]) -> list[str]:
    """Ask for the metrics to report."""
    options = list(for_pool(pool))
    chosen = st.multiselect(
        "Metrics to report",
        options,
        format_func=words.entitled,
        max_selections=REPORTED,
        **address.bound_several("reported", options, list(dict.fromkeys(default)), most=REPORTED),
    )
    return chosen or options[:1]


def called(name: str) -> str:
    """What pictures and sentences call a method of a comparison: its preset's title, and its settings.

    >>> called("queue λ 0.5"), called("yilmaz-bs"), called("Bernoulli")
    ('Labelling queue (λ 0.5)', 'Bernoulli sampling', 'Bernoulli')
    """
    preset, _, settings = name.partition(" ")
    if preset not in PRESETS:
        return name
    return f"{PRESETS[preset].title} ({settings})" if settings else PRESETS[preset].title


def repeated(frame: pd.DataFrame) -> str:
    """The repeats behind the bands. Of a stopped run some λ have more than others.

    >>> repeated(pd.DataFrame({"repeats": [50, 25]})), repeated(pd.DataFrame({"repeats": [50, 50]}))
    ('at least 25 repeats', '50 repeats')
    """
    fewest, most = frame["repeats"].min(), frame["repeats"].max()
    return f"{'at least ' * bool(fewest < most)}{words.many(fewest, 'repeat')}"


def budget(pool: Pool, wanted: int, *, question: str = "Labels, up to", help: str | None = None) -> int:
    """Ask for a number of labels, the largest or the only one. It begins near the wanted number."""
    return asking.budget(question, pool.size, wanted, key="studied_labels", help=help)


def seed() -> int:
    """Ask for the seed."""
    told = "The same seed gives the same pictures, on any machine."
    return int(st.number_input("Seed", value=0, **address.number("studied_seed", 0, 2**31 - 1), help=told))


def defensive() -> float:
    """Ask for δ."""
    return st.slider(
        "How much to spread evenly? (δ)",
        value=0.0,
        step=0.01,
        **address.number("studied_even", 0.0, 0.5),
        help="Up: one sample serves other metrics better and its own a bit worse.",
    )


def setting(pool: Pool, *, points: int = 6) -> Setting:
    """Ask for budgets, repeats and the settings that are rarely changed."""
    if points > 1:
        most = budget(pool, 500, help="The horizontal axis of the pictures ends here.")
    else:
        most = budget(pool, 200, question="Labels in each study")
    times = st.select_slider(
        "Repeats of each study",
        REPEATS,
        format_func=words.count,
        **address.bound("repeats", REPEATS, 50),
        help="More: narrower bands around the curves, and more time. 1,000 tell a coverage to ± 2 points.",
    )
    with st.expander("More settings", icon=":material/tune:"):
        level = asking.level("How sure should the intervals be? (level)", "studied_level")
        chance = seed()
        cores = address.number("cores", 1, os.cpu_count() or 1)
        jobs = st.number_input("Processor cores", value=1, **cores, help="Results do not depend on it.")
    return Setting(spaced_budgets(most, points), times, level, chance, int(jobs))
