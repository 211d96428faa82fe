"""A combination that the user makes: belief, design and estimator, in which choices that do not fit are grey."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from sampleval._checks import retold
from sampleval.pool import Kind, Pool
from sampleval.presets import AXES, DEFAULT, PRESETS, Axis, Method, misfit, namesakes, reasons, usual_interval
from sampleval.ui import address, words
from sampleval.ui.plan import planner, trust

WORDS: dict[Axis, tuple[str, str]] = {
    "surrogate": (
        "What do you believe? (surrogate)",
        "What the method believes about each label before it is known.",
    ),
    "design": (
        "How are the items chosen? (design)",
        "With what chance each item is asked, and in what order.",
    ),
    "estimator": ("What do you conclude? (estimator)", "How the answers are weighed."),
}
# What the library calls by the name of a task.
LABELS = {
    "binary labels": "two classes",
    "multiclass labels": "more than two classes",
    "multilabel labels": "sets of labels",
    "regression labels": "numbers",
}


def axes(base: Method, kind: Kind) -> Method | None:
    """Ask for three choices, one per axis, which begin with the base's. If they do not fit, show why and return `None`."""
    st.caption(
        "Grey choices do not fit the other two; the reason is below each. A new design also sets a belief and an estimator that fit it."
    )
    for axis, (question, help_) in WORDS.items():
        registry = AXES[axis]
        why = reasons(chosen(base), axis, kind)
        options: list[str] = list(registry)
        st.radio(
            question,
            options,
            format_func=partial(label, registry=registry, why=why, kind=kind),
            captions=[
                f":gray[{words.sentence(in_titles(why[o], kind))}]"
                if why[o]
                else words.of_labels(registry[o].about, kind)
                for o in options
            ],
            help=help_,
            **address.bound(
                f"axis_{axis}",
                options,
                getattr(base, axis).key,
                then=None if axis == "estimator" else partial(_bring_along, base, axis),
            ),
        )
    method = chosen(base)
    otherwise = "korn-graubard" if base.interval == "posterior" else base.interval
    method = replace(method, interval=usual_interval(method.estimator, otherwise))
    if reason := misfit(method, kind):
        st.warning(f"These three do not fit: {in_titles(reason, kind)}.", icon=":material/block:")
        return None
    st.caption(known_as(method, kind))
    return method


def in_titles(reason: str, kind: Kind) -> str:
    """A reason of the library, with the choices called by their titles on the page.

    >>> in_titles("`design` 'targeted' samples the cells of surrogate 'calibration'; use the two together", "binary")
    'design “Targeted cells” samples the cells of surrogate “Calibration curve”; use the two together'
    >>> in_titles("`surrogate` 'trees' is not made for multilabel labels", "multilabel")
    'surrogate “trees” is not made for sets of labels'
    """
    titles: dict[str, dict[str, str]] = {
        axis: {key: part.title for key, part in registry.items()} for axis, registry in AXES.items()
    }
    first = reason.partition("`")[2].partition("`")[0]  # what is offered instead stands on its axis
    alone = {key: title for known in titles.values() for key, title in known.items()} | titles.get(first, {})

    def title(found: re.Match[str]) -> str:
        axis, key = found.groups(default="")
        return f"{axis} “{titles.get(axis, alone).get(key, key)}”".strip()

    said = re.sub(r"(?:`?(surrogate|design|estimator)`? )?'([\w-]+)'", title, reason).replace("`", "")
    return words.of_labels(retold(said, LABELS), kind)


def label(option: str, registry: Mapping[str, Any], why: Mapping[str, str], kind: Kind) -> str:
    """The title of a choice, in grey if it does not fit the others."""
    title = words.of_labels(str(registry[option].title), kind)
    return f":gray[{title}]" if why[option] else title


def chosen(base: Method) -> Method:
    """The method that the controls currently describe."""
    return of_parts(base, {axis: address.recall(f"axis_{axis}") for axis in WORDS})


def of_parts(base: Method, keys: Mapping[Axis, str]) -> Method:
    """The method of these parts. Those of the base keep their options, others have the usual ones; unknown ones stay the base's."""
    other = {axis: key for axis, key in keys.items() if key != getattr(base, axis).key}
    return replace(base, **{axis: AXES[axis][key]() for axis, key in other.items() if key in AXES[axis]})


def take_other(pool: Pool) -> None:
    """Set λ and δ anew if another metric changes the method."""
    kind, name = pool.task.kind, st.session_state.get("method", DEFAULT)
    if planner.recipes(kind)[name] != planner.recipes(kind, apart=True)[name]:
        take_defaults(pool)


def take_own(pool: Pool) -> None:
    """Set λ and δ anew when the user's combination is switched on or off; if it equals the method, they stay as set."""
    if chosen(base := _base(pool)) != base:
        take_defaults(pool)


def take_defaults(pool: Pool) -> None:
    """Set λ, its target and δ to those of the current method, which may be the user's combination."""
    base = _base(pool)
    trust.settle(chosen(base) if st.session_state.get("combine") else base)


def _base(pool: Pool) -> Method:
    """The current method, from which a combination begins."""
    return planner.recipes(pool.task.kind, apart=planner.apart(pool))[st.session_state.get("method", DEFAULT)]


def _bring_along(base: Method, axis: Axis) -> None:
    """After a change of the design, choose the belief and the estimator that it needs. λ and δ follow belief and design."""
    method = chosen(base)
    if axis == "design":
        fitting = method.with_design(method.design)
        address.remember("axis_surrogate", fitting.surrogate.key)
        address.remember("axis_estimator", fitting.estimator.key)
    trust.settle(chosen(base))


def known_as(method: Method, kind: Kind) -> str:
    """The presets that equal this combination for labels of this kind, in words."""
    same = [name for name in namesakes(method, kind) if PRESETS[name].suits(kind)]
    if not same:
        return "A combination of your own: no published method is made of these three."
    return f"The same three parts as {' and '.join(same)}; options may differ."
