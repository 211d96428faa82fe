"""Results: every metric from the same labels, with its interval and what it cannot tell."""

from dataclasses import asdict

import streamlit as st

from sampleval import frames, plots
from sampleval.intervals import INTERVALS
from sampleval.study import (
    Estimate,
    Study,
    caveats,
    done,
    exhausted,
    known_beforehand,
    method_name,
    progress,
    whose,
)
from sampleval.ui import adaptation, address, asking, goals, pointless, shell, stopping, stores, words
from sampleval.ui.charts import chart
from sampleval.ui.headings import heading, headline
from sampleval.ui.labelling import desk, review
from sampleval.ui.memo import once
from sampleval.ui.results import detail, downloads, one_metric, tables
from sampleval.ui.results.one_metric import EstimateOptions

ABOUT = {"pool": "this pool", "future": "future items like these"}


def main() -> None:
    """The page."""
    study = stores.chosen_study()
    if study is None:
        stores.no_study()
        return
    with shell.mistakes_in_words():
        desk.fetch_late()
        study.refresh()
        if not (study.labels or known_beforehand(study.state)):
            unanswered(study)
            return
        results(study)
    if exhausted(study.state):
        shell.next_step("Studies", "look at all studies")
    else:
        shell.next_step("Label", "extend the budget" if done(study.state) else "label more items")


def unanswered(study: Study) -> None:
    """Why there are no results, and what to do."""
    if done(study.state):
        st.warning(pointless.nothing_here(study), icon=":material/help:")
        shell.next_step("Plan", "ask for another metric")
        return
    st.info("No item was answered yet. Results appear with the first answers.", icon=":material/info:")
    shell.next_step("Label", "label the first items")


def results(study: Study) -> None:
    """All that the labels say."""
    options = how(study)
    found = once(study, ("all", options), lambda: study.estimates(**asdict(options)))
    stopping.price(study, found[0])
    overview(study, found)
    one_metric.show(study, found, options)
    if options.interval == stopping.FAMILY:
        st.caption("The sections below keep intervals for this number of labels, fixed beforehand.")
    elif options.interval != study.method.fixed:
        st.caption(
            "The kind of interval that was chosen is that of the numbers above: the sections below keep theirs."
        )
    if options.about == "future":
        st.caption(
            "The sections below are about this pool: their intervals do not allow for the pool itself being a random sample."
        )
    detail.sections(study, options.level)
    adaptation.believed(study, options.level, stores.truth(study.pool.fingerprint))
    st.header("What the labels cannot tell", anchor=False)
    st.markdown(words.report(caveats(study, found)))
    review.disagreements(study)
    review.notes(study)
    downloads.show(study, found, options)


def how(study: Study) -> EstimateOptions:
    """Level, interval family and scope; folded away, their current values on the button."""
    levels = sorted({*asking.LEVELS, study.settings.level})
    families = stopping.kinds(study)
    level_tie = address.bound("shown_level", levels, study.settings.level)
    about_tie = address.bound("shown_about", ABOUT)
    level, about = st.session_state["shown_level"], st.session_state["shown_about"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(so_far(study))
        box = st.popover(f"{words.sure(level)} intervals, about {ABOUT[about]}", icon=":material/tune:")
        goals.setting(study)
        anytime = stopping.toggle(study, about)
    with box:
        st.select_slider(
            "How sure should the intervals be? (level)",
            levels,
            format_func=words.sure,
            help="A 90% interval is made to hold the true value in 90 of 100 studies. More sure means wider.",
            **level_tie,
        )
        st.segmented_control(
            "About what?",
            list(ABOUT),
            required=True,
            format_func=ABOUT.__getitem__,
            help="Intervals about future items also allow for this pool itself being a random sample.",
            **about_tie,
        )
        interval = st.selectbox(
            "Interval",
            families,
            format_func=lambda key: INTERVALS[key].title,
            disabled=anytime,
            help=stopping.help_on_kinds(families, anytime=anytime),
            **address.bound("shown_interval", families),
        )
    stopping.unheeded(study, about)
    st.caption(f"Method: {words.plain(method_name(study.settings.preset))}")
    return EstimateOptions(level, stopping.FAMILY if anytime else stopping.family(study, interval), about)


def so_far(study: Study) -> str:
    """The study's name, and how much is known of how much."""
    known = words.answered(progress(study.state))
    if beforehand := len(study.state.problem.held):
        known += f" · {words.count(beforehand)} known beforehand"
    return f"**{words.name(study.name)}** · {known} · pool of {words.many(study.pool.size, 'item')}"


def overview(study: Study, found: list[Estimate]) -> None:
    """The main metric in large type, all of them as a picture and as a table."""
    main = found[0]
    metric = study.metric(main.metric)
    headline(metric, main)
    st.header(words.plain(one_metric.in_words(study, main)), anchor=False)
    if note := whose(study.pool):
        st.caption(words.plain(f"{note} “A closer look”, Systems, compares them."))
    goals.towards(study, main)
    goals.buying(study, main)
    shares = [e for e in found if study.metric(e.metric).fraction]
    table = tables.metrics(study, found)
    if not shares:
        st.table(table, border="horizontal", hide_index=True)
        return
    left, right = st.columns(2, gap="large")
    with left:
        heading("Every metric with its interval")
        titles = {e.metric: words.short(study.metric(e.metric).title, 28) for e in shares}
        frame = frames.estimates(shares)
        if frame["value"].notna().any():
            chart(
                plots.whiskers(frame, titles=titles),
                frame,
                key="metrics",
                alt="Every metric with its interval",
            )
        else:
            st.caption("Nothing to draw yet: no metric has a value.")
        if apart := [study.metric(e.metric).title for e in found if e not in shares]:
            st.caption(f"Only in the table, because their scales differ: {words.plain(', '.join(apart))}.")
    right.table(table, border="horizontal", hide_index=True)  # its cells wrap on a narrow page


shell.page("Results")
main()
