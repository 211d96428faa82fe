"""The goal of a study: how far away it is, how many labels it needs, and the control that sets it."""

from __future__ import annotations

from types import MappingProxyType

import streamlit as st

from sampleval.planning.sentences import FORECAST
from sampleval.pool import Kind
from sampleval.presets import PRESETS, Method, namesakes
from sampleval.study import Estimate, Study, bought, likely_more, progress, prospect, room, towards_goal
from sampleval.ui import address, shell, words

# Share of the labels still to come that nobody can foretell: to allow fewer is not worth a press.
VAGUE = 0.1
USUAL = 50  # labels to propose where no goal tells how many
# Preset → of 100 intervals those that hold at a number of labels fixed beforehand, and where the goal was first reached:
# means over four metrics of two classes, in benchmarks/README.md.
MEASURED = MappingProxyType(
    {"recommended": (92, 89), "queue": (92, 89), "uniform": (95, 96), "yilmaz-online-bs": (87, 75)}
)


def price(method: Method, kind: Kind) -> str:
    """What stopping at the goal costs with this method and such labels, as far as it was measured."""
    if method.interval == "anytime":
        return "You may stop as soon as it is reached: these intervals hold at every look."
    alike = (name for name in namesakes(method, kind) if PRESETS[name].method.interval == method.interval)
    measured = next((MEASURED[name] for name in alike if name in MEASURED), None)
    if kind != "binary" or measured is None:
        other = "this method" if kind == "binary" else "such labels"
        return (
            "If you stop as soon as it is reached, the interval may contain the true value less often, since it may be narrow "
            f"by chance. How much less often was not measured for {other}."
        )
    fixed, stopped = measured
    if stopped >= fixed:
        return (
            "If you stop as soon as it is reached, the interval contains the true value as often as otherwise: with this method "
            f"in {stopped} of 100 simulated studies."
        )
    less = "a little less often" if fixed - stopped < 5 else "less often"
    return (
        f"If you stop as soon as it is reached, the interval contains the true value {less}, since it may be narrow "
        f"by chance: with this method in {stopped} of 100 simulated studies instead of {fixed}."
    )


def towards(study: Study, estimate: Estimate) -> None:
    """Show how many more labels the goal needs, with a button that allows them; show nothing without a goal."""
    if study.goal is None:
        return
    if estimate.about != "pool":
        st.markdown(
            f":material/flag: The goal, ±\N{NO-BREAK SPACE}{words.as_typed(study.goal)}, is about this pool: choose that to see how far it is."
        )
        return
    said = words.unbroken(towards_goal(study, estimate, study.goal))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/flag: {said}", width="content")
        more = beyond(study, estimate)
        if more and st.button(
            f"Allow {words.many(more, 'more label')}",
            key="allow_goal",
            type="tertiary",
            icon=":material/arrow_upward:",
            help="Raises the budget of this study, so that the goal can be reached.",
        ):
            extend(study, more)


def buying(study: Study, estimate: Estimate) -> None:
    """Offer to say how narrow more labels would make the interval, whatever the goal and the budget are."""
    left = study.state.problem.population - estimate.labels
    if estimate.about != "pool" or study.state.problem.stochastic or left < 1 or not estimate.interval.width:
        return
    with st.popover("What would more labels buy?", icon=":material/query_stats:"):
        span = address.number("bought", 1, left)
        more = st.number_input("More labels", value=min(USUAL, left), step=10, width=180, **span)
        said = bought(study, estimate, int(more))
        st.markdown(words.unbroken(said))
        if "(" in said:  # no range follows what would be known exactly
            st.caption(FORECAST)


def beyond(study: Study, estimate: Estimate) -> int:
    """Labels that the goal most likely needs beyond the budget; 0 if it needs hardly any, or if this is not known."""
    if study.goal is None or not (at := prospect(study, estimate, study.goal)).known:
        return 0
    allowed = progress(study.state).budget  # what chance made of the budget
    likely = likely_more(at)
    more = min(estimate.labels + likely - allowed, room(study.state))
    return more if more > likely * VAGUE else 0


def proposed(study: Study) -> int:
    """Labels to propose once the budget is used up: those that the goal most likely needs, else 50 or all that are left."""
    wanted = 0 if study.goal is None else beyond(study, study.estimate(study.scalars[0]))
    return wanted or min(USUAL, room(study.state))


def extend(study: Study, labels: int) -> None:
    """Raise the budget and rerun the page."""
    with shell.mistakes_in_words():
        study.extend(labels)
    st.rerun()


def setting(study: Study) -> None:
    """Controls to set, change or give up the goal, in the unit of the study's main metric."""
    title = words.plain(study.metric(study.scalars[0]).title)
    label = "Set a goal" if study.goal is None else f"Goal ± {words.as_typed(study.goal)}"
    key = f"goal_half_{study.goal}"  # anew once somebody else has set one
    st.session_state.setdefault(key, study.goal)  # as the control's own value it would come back when emptied
    with st.popover(label, icon=":material/flag:"), st.form("goal", border=False):
        half = st.number_input(
            f"{title}: how narrow should the interval be? (± x)",
            min_value=0.0,
            value=None,
            format="%.10g",
            key=key,
            help=f"Half the width of the interval. Leave it empty for no goal. {price(study.method, study.pool.task.kind)}",
        )
        if st.form_submit_button("Save", type="primary"):
            study.aim(half or None)
            st.rerun()
