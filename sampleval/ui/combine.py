"""A combination of one's own: what to believe, whom to ask, what to conclude, with what does not fit greyed out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from sampleval.estimators import Predictive
from sampleval.pool import Kind
from sampleval.presets import AXES, Axis, Method, companion, misfit, reasons
from sampleval.presets.table import PRESETS

WORDS: dict[Axis, tuple[str, str]] = {
    "surrogate": ("What do you believe? (surrogate)", "What is held of each label before it is known."),
    "design": ("Whom do you ask? (design)", "With what chance each item comes in, and in what order."),
    "estimator": ("What do you conclude? (estimator)", "How the answers are weighed."),
}


def axes(base: Method, kind: Kind) -> Method | None:
    """Three choices, one per axis; `None`, with the reason shown, while they do not fit together.

    Args:
        base: Where the choices begin.
        kind: Kind of the pool's labels.
    """
    st.caption("Grey choices do not fit the others; beside each is why. A design brings the others it needs.")
    cell = base
    for axis, (question, help_) in WORDS.items():
        registry, key = AXES[axis], f"axis_{axis}"
        why = reasons(chosen(base), axis, kind)
        options = list(registry)
        name = st.radio(
            question,
            options,
            options.index(getattr(base, axis).key),
            key=key,
            bind="query-params",
            format_func=lambda option, why=why, registry=registry: label(registry[option], why[option]),
            captions=[f":gray[{why[o]}]" if why[o] else registry[o].about for o in options],
            on_change=bring_along if axis == "design" else None,
            args=(base,) if axis == "design" else None,
            help=help_,
        )
        cell = replace(cell, **{axis: part(base, axis, name or "")})
    cell = replace(cell, interval=interval_of(cell, base))
    if reason := misfit(cell, kind):
        st.warning(f"These three do not fit: {reason}.", icon=":material/block:")
        return None
    st.caption(known_as(cell))
    return cell


def label(option: Any, why: str) -> str:
    """A choice's title, grey where it does not fit."""
    return f":gray[{option.title}]" if why else str(option.title)


def chosen(base: Method) -> Method:
    """The cell that the controls stand at."""
    names = {axis: st.session_state.get(f"axis_{axis}") for axis in WORDS}
    parts = {axis: part(base, axis, str(name)) for axis, name in names.items() if name in AXES[axis]}
    return replace(base, **parts)


def part(base: Method, axis: Axis, name: str) -> Any:
    """The base's own part with its options where it is still chosen, else one with default options."""
    own = getattr(base, axis)
    return own if own.key == name else AXES[axis][name]()


def bring_along(base: Method) -> None:
    """After a change of design move the other two to what goes with it."""
    cell = chosen(base)
    st.session_state["axis_surrogate"] = companion(cell.design, cell.surrogate).key
    st.session_state["axis_estimator"] = cell.design.natural


def interval_of(cell: Method, base: Method) -> str:
    """The interval that goes with the estimator."""
    if isinstance(cell.estimator, Predictive):
        return "posterior"
    return "korn-graubard" if base.interval == "posterior" else base.interval


def known_as(cell: Method) -> str:
    """The presets that this combination stands for, in words."""
    keys = tuple(getattr(cell, axis).key for axis in WORDS)
    same = [name for name, p in PRESETS.items() if tuple(getattr(p.method, a).key for a in WORDS) == keys]
    if not same:
        return "A combination of your own: no published method is made of these three."
    return f"The same three parts as {' and '.join(same)}; options may differ."
