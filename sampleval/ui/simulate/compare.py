"""Comparison of methods: error, coverage and width against the number of labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval._checks import capitalised, listed
from sampleval.metrics import Target, for_pool, resolve
from sampleval.metrics.names import in_sentence, the
from sampleval.pool import Kind
from sampleval.presets import PRESETS, Method, fitting, method_of
from sampleval.simulation import as_close, equal_cost, errors_of_most
from sampleval.study import method_name, truth_without
from sampleval.surrogates import SHRINKAGE
from sampleval.ui import address, charts, shell, words
from sampleval.ui.plan.target import ask_also
from sampleval.ui.plan.trust import trusted, unshrunk
from sampleval.ui.simulate import controls, running, settings
from sampleval.ui.simulate.controls import Setting
from sampleval.ui.simulate.subject import Subject

USUAL = ("recommended", "queue", "uniform", "yilmaz-is", "yilmaz-bs")
AXES = {"labels": "labels", "share": "share of the pool"}
TABS = ("rmse", "coverage", "width", "bias", "wasted", "seconds")
ALSO = ["f1", "accuracy", "precision", "recall", "specificity", "macro_f1", "micro_f1", "mae", "mse", "r2"]


def compare(about: Subject) -> None:
    """The view that compares any methods, with settings that the user chooses."""
    left, right = shell.columns(4, 8)
    with left:
        metric = controls.target(about.pool)
        drawn = [metric, *ask_also(metric, for_pool(about.pool), key="studied_also")]
        methods = _methods(about)
        metrics = controls.reported(about.pool, [*drawn, *ALSO])
        chosen = controls.setting(about.pool)
    with right:
        _results(about, methods, drawn, metrics, chosen, key="compare")


def equal_costs(about: Subject) -> None:
    """The view that compares importance sampling with Bernoulli sampling at equal expected cost."""
    left, right = shell.columns(4, 8)
    with left:
        metric = controls.target(about.pool)
        why = unshrunk(equal_cost()["importance"], about.pool)
        shrinkage = st.slider(
            f"How far to trust {trusted(about.pool)}? (λ)",
            value=SHRINKAGE,
            step=0.01,
            **address.number("studied_trust", 0.0, 1.0),
            disabled=bool(why),
            help=why or None,
        )
        defensive = controls.defensive()
        metrics = controls.reported(about.pool, [metric])
        chosen = controls.setting(about.pool)
        st.caption(
            "Importance sampling makes as many draws as it is expected to need for the same number of different items. "
            "Bernoulli sampling never asks an item twice, so its error falls steadily to 0. The error of "
            "importance sampling stays until every item has a label; then both count the labels and are "
            "exact."
        )
    with right:
        _results(about, equal_cost(shrinkage, defensive), metric, metrics, chosen, key="cost")


def _methods(about: Subject) -> dict[str, Method]:
    """Ask for presets, and for settings of each in a table."""
    kind = about.pool.task.kind
    able = fitting(kind)
    about_them = (
        "Published methods and our own. The adaptive ones take longer: they plan anew after every round."
    )
    names = controls.methods(able, USUAL, key="presets", help=about_them)
    # Where several stand in little room, the keys are shown: titles cut short look alike.
    for name in names:
        st.caption(f"**{method_name(name)}**: {PRESETS[name].does(kind)}")
    with st.expander("Settings of each, side by side", icon=":material/table_rows:"):
        st.caption("–: as published. Add a row to see one method with several settings.")
        rows = settings.ask(names, able)
    with shell.mistakes_in_words():
        return dict(_arm(row, kind) for row in rows.to_dict("records"))


def _arm(row: Mapping[Hashable, Any], kind: Kind) -> tuple[str, Method]:
    """The named method that a row of the table describes, for this kind of task."""
    shrinkage, defensive, interval = (
        row[key] if pd.notna(row[key]) else None for key in (*settings.SHARES, "interval")
    )
    made = method_of(row["method"], kind=kind, shrinkage=shrinkage, defensive=defensive, interval=interval)
    shares = zip(settings.SHARES, (shrinkage, defensive), strict=True)
    said = [f"{sign} {share:g}" for sign, share in shares if share is not None]
    return " ".join([row["method"], *said, *([interval] if interval else [])]), made


def _results(
    about: Subject,
    methods: Mapping[str, Method],
    metric: Target,
    metrics: list[str],
    chosen: Setting,
    *,
    key: str,
) -> None:
    """Offer to simulate these methods, and show what came of it."""
    summary = running.simulated(about, methods, chosen, metric=metric, metrics=metrics, key=key)
    if summary is None:
        return
    first, second = st.columns(2)
    with first:
        shown = st.selectbox(
            "Metric shown", metrics, format_func=words.entitled, **address.bound("compared", metrics)
        )
    with second:
        axis = shell.choice("Against", AXES, key="against", labelled=True)
    part = errors_of_most(summary[summary["metric"] == shown])
    st.markdown(verdict(part, words.plain(words.entitled(shown))))
    if note := truth_without(resolve(shown), about.pool, about.labels):
        st.caption(words.plain(f"In the true value {note}."))
    _pictures(part, about.pool.size if axis == "share" else None, key)
    with st.expander("All numbers", icon=":material/table:"):
        st.dataframe(summary, hide_index=True)
        charts.download(summary, key=f"{key}_all", file=f"{key}.csv")


def _pictures(part: pd.DataFrame, fraction: int | None, key: str) -> None:
    """Show each quantity of one metric in a tab of its own."""
    titles = {name: controls.called(name) for name in part["method"].unique()}
    st.caption(f"Shaded: 95% bands from {controls.repeated(part)}.")
    looks = [plots.QUANTITIES[quantity] for quantity in TABS]
    for quantity, look, tab in zip(TABS, looks, st.tabs([look.name for look in looks]), strict=True):
        with tab:
            if reason := undrawn(part, quantity):
                st.caption(f"Nothing to draw: {reason}.")
                continue
            charts.chart(
                plots.comparison(part, quantity=quantity, fraction=fraction, titles=titles),
                part,
                key=f"{key}_{quantity}",
                alt=f"{look.title}: one line per method against labels, with its 95% band.",
            )
            if (part[quantity].isna() & (part["defined"] < 0.5)).any():
                st.caption("A point is missing where most studies gave no value.")
            if look.about:
                st.caption(look.about)


def undrawn(part: pd.DataFrame, quantity: str) -> str:
    """Why a quantity of one metric is not drawn; "" if it is.

    >>> undrawn(pd.DataFrame({"rmse": [0.0, None], "rmse_low": [0.0, None], "rmse_high": [0.0, None]}), "rmse")
    'the root mean squared error is 0 throughout'
    >>> undrawn(pd.DataFrame({"coverage": [0.0], "coverage_low": [0.0], "coverage_high": [0.1]}), "coverage")
    ''
    """
    if part[quantity].isna().all():
        return "most studies gave no value"
    banded = part[[quantity, f"{quantity}_low", f"{quantity}_high"]]
    if (banded.fillna(0.0) == 0.0).all(axis=None):  # Plotly would make up an axis from −1 to 1
        return f"the {plots.QUANTITIES[quantity].axis} is 0 throughout"
    return ""


def verdict(part: pd.DataFrame, title: str) -> str:
    """Sentences on which method has the smallest error with the most labels, and on which intervals hold too rarely."""
    last = part[part["budget"] == part["budget"].max()].set_index("method").rename(index=controls.called)
    if last["truth"].isna().all():
        return f"{capitalised(the(title))} is undefined for these items, whatever is labelled: choose another metric to show."
    if last["rmse"].isna().all():
        return f"In most studies, no method could say anything about {the(title)} yet."
    if (last[["rmse", "width"]] == 0).all(axis=None):
        return f"With each of these methods, every item that matters is labelled: {the(title)} is exact."
    repeats = words.many(last["repeats"].min(), "repeat")
    return f"{_closest(last, title, repeats)}{_silent(last)} {_promises(last, repeats)}"


def _closest(last: pd.DataFrame, title: str, repeats: str) -> str:
    """Which method comes closest to the truth, as far as so many repeats can tell."""
    least = last["rmse"].rank(method="first") == 1
    best, row = words.plain(last.index[least][0]), last[least].iloc[0]
    error, low, high = (words.number(row[name]) for name in ("rmse", "rmse_low", "rmse_high"))
    truth = f"the true {in_sentence(title)} of {words.number(last['truth'].iloc[0])}"
    off = f"typically {error} off {truth} (95% band {low} to {high})"
    about = "about " if (last["labels"] - last["budget"]).abs().max() >= 0.5 else ""
    said = f"With **{about}{words.many(last['budget'].iloc[0], 'label')}**, "
    if len(last) == 1:
        return f"{said}**{best}** is {off}."
    if others := [words.plain(name) for name in last.index[as_close(last, least)]]:
        said += f"{repeats} cannot tell who comes closest: **{best}** is {off}, "
        return f"{said}and {listed(others, 5)} may come as close."
    return f"{said}**{best}** comes closest: {off}."


def _silent(last: pd.DataFrame) -> str:
    """How many studies gave no value, after a space; "" if all gave one."""
    silent = last["defined"][last["defined"] < 1]
    if silent.empty:
        return ""
    shares = [f"{words.share(1 - part)} of those of {words.plain(name)}" for name, part in silent.items()]
    return f" Some studies gave no value and do not count in the error: {listed(shares, 5)}."


def _promises(last: pd.DataFrame, repeats: str) -> str:
    """Whose intervals hold the truth less often than promised."""
    level = float(last["level"].iloc[0])
    broken = [words.plain(name) for name in last.index[last["coverage_high"] < level]]
    if broken:
        return f"Intervals of {', '.join(broken)} hold the truth less often than the promised {words.sure(level)}."
    return f"All intervals keep their promise of {words.sure(level)}, as far as {repeats} can tell."
