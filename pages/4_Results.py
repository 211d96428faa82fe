"""Results: every metric from the same labels, with its interval and what it cannot tell."""

from dataclasses import dataclass

import streamlit as st

from sampleval import frames, plots
from sampleval.intervals import Interval
from sampleval.study import Estimate, Study, caveats, doubt, finding, method_name, progress, true_value, whose
from sampleval.study.estimate import About
from sampleval.ui import (
    adaptation,
    detail,
    goals,
    review,
    shell,
    stopping,
    stores,
    tables,
    takeaway,
    verdict,
    words,
)
from sampleval.ui.charts import chart
from sampleval.ui.memo import once

LEVELS = (0.8, 0.9, 0.95, 0.99)
ABOUT = {"pool": "this pool", "future": "future items like these"}


@dataclass(frozen=True)
class View:
    """How results are put."""

    level: float
    interval: str
    about: About


def main() -> None:
    """The page."""
    study = stores.chosen_study()
    if study is None:
        stores.no_study()
        return
    with shell.mistakes_in_words():
        study.refresh()
        if not study.labels:
            st.info(
                "No item was answered yet. Results appear with the first answers.", icon=":material/info:"
            )
            shell.next_step("Label", "label the first items")
            return
        results(study)
    shell.next_step("Label", "label more items")


def results(study: Study) -> None:
    """All that the labels say."""
    view = how(study)
    found = once(
        study,
        ("all", view),
        lambda: study.estimates(level=view.level, interval=view.interval, about=view.about),
    )
    stopping.price(study, found[0])
    overview(study, found)
    closer(study, found, view)
    if view.interval == stopping.FAMILY:
        st.caption("What follows keeps intervals for this number of labels, fixed beforehand.")
    elif view.interval != (own := stopping.kinds(study)[0]):
        st.caption(f"What follows keeps the kind of interval that is usual for this study: {FAMILIES[own]}.")
    if view.about == "future":
        st.caption("What follows is about this pool: its intervals do not allow for the luck that made it.")
    detail.sections(study, view.level)
    adaptation.believed(study, view.level, stores.labels(study.pool.fingerprint))
    st.subheader("What the labels cannot tell", anchor=False)
    st.markdown(words.report(caveats(study, found)))
    review.disagreements(study)
    review.notes(study)
    takeaway.downloads(study, found, level=view.level, interval=view.interval, about=view.about)


def how(study: Study) -> View:
    """Level, interval family and scope; folded away, their current values on the button."""
    levels = sorted({*LEVELS, study.settings.level})
    families = stopping.kinds(study)
    level_tie = shell.bound("shown_level", levels, study.settings.level)
    about_tie = shell.bound("shown_about", ABOUT)
    level, about = st.session_state["shown_level"], st.session_state["shown_about"]
    done = words.answered(progress(study.state))
    if beforehand := len(study.state.problem.held):
        done += f" · {words.count(beforehand)} known beforehand"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{words.plain(study.name)}** · {done} · pool of {words.many(study.pool.size, 'item')}")
        with st.popover(f"{words.share(level)} intervals, about {ABOUT[about]}", icon=":material/tune:"):
            st.select_slider(
                "How sure should the intervals be?",
                levels,
                format_func=words.share,
                help="More sure means wider.",
                **level_tie,
            )
            st.segmented_control(
                "About what?",
                list(ABOUT),
                required=True,
                format_func=ABOUT.__getitem__,
                help="Intervals about future items also allow for the luck that made this pool.",
                **about_tie,
            )
            interval = st.selectbox(
                "Interval",
                families,
                format_func=lambda key: INTERVALS[key].title,
                help="Beta intervals fail where positives are rare: far fewer of them hold than they promise."
                if "beta" in families
                else None,
                **shell.bound("shown_interval", families),
            )
        goals.setting(study)
        anytime = stopping.toggle(study, about)
    st.caption(f"Method: {words.plain(method_name(study.settings.preset))}")
    return View(level, stopping.FAMILY if anytime else interval, about)


def overview(study: Study, found: list[Estimate]) -> None:
    """The main metric in large type, all of them as a picture and as a table."""
    main = found[0]
    metric = study.metric(main.metric)
    st.metric(
        metric.title,
        words.number(main.value, whole=metric.total),
        words.between(main, whole=metric.total),
        delta_color="off",
        delta_arrow="off",
    )
    st.markdown(f"##### {words.plain(in_words(study, main))}")
    if note := whose(study.pool):
        st.caption(words.plain(f"{note} “A closer look” compares them."))
    goals.towards(study, main)
    shares = [e for e in found if study.metric(e.metric).fraction]
    table = tables.metrics(study, found)
    if not shares:
        st.table(table, border="horizontal", hide_index=True)
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Every metric with its interval**")
        titles = {e.metric: words.short(study.metric(e.metric).title, 28) for e in shares}
        frame = frames.estimates(shares)
        chart(
            plots.whiskers(frame, titles=titles), frame, key="metrics", alt="Every metric with its interval"
        )
        if apart := [study.metric(e.metric).title for e in found if e not in shares]:
            st.caption(f"On scales of their own, and in the table alone: {words.plain(', '.join(apart))}.")
    right.table(table, border="horizontal", hide_index=True)  # its cells wrap on a narrow page


def in_words(study: Study, estimate: Estimate) -> str:
    """What is known of a metric, in sentences."""
    return once(study, ("words", estimate), lambda: finding(study, estimate))


def closer(study: Study, found: list[Estimate], view: View) -> None:
    """One metric: is it good enough, how did it converge, how is it spread?"""
    titles = {e.metric: study.metric(e.metric).title for e in found}
    st.subheader("Is it good enough?", anchor=False)
    with st.container(horizontal=True):
        name = st.selectbox(
            "Metric",
            list(titles),
            format_func=titles.__getitem__,
            width=300,
            **shell.bound("shown_metric", titles),
        )
        metric = study.metric(name)
        usual = verdict.usual_side(metric)
        # A key for either kind of metric: what was said of a score is not meant of a loss.
        side = shell.choice(
            "Should it be",
            verdict.SIDES,
            key="side" if usual == "least" else "side_loss",
            default=usual,
            labelled=True,
        )
        threshold = st.number_input(
            "Threshold",
            *tables.bounds(metric, study.pool.size),
            value=0.8 if metric.fraction and metric.better == "more" else None,
            step=0.01 if metric.fraction else None,
            key=f"threshold_{name}",
            bind="query-params",
            width=160,
        )
    estimate = next(e for e in found if e.metric == name)
    if threshold is not None:
        sure = once(
            study,
            ("sure", name, threshold, view.interval, view.about),
            lambda: study.probability_above(threshold, name, interval=view.interval, about=view.about),
        )
        doubtful = doubt(study, estimate)
        asked = verdict.question(metric.title, threshold, sure, at_most=side == "most", doubtful=doubtful)
        st.markdown(f"#### {words.plain(asked)}")
        if 0 < sure < 1 and not doubtful:
            st.caption("How sure: from the level at which the interval's limit meets the threshold.")
    if name != found[0].metric:
        st.markdown(words.plain(in_words(study, estimate)))
    left, right = st.columns([7, 5], gap="large")
    with left:
        convergence(study, name, view)
    with right:
        density(study, estimate, view, threshold)


def convergence(study: Study, name: str, view: View) -> None:
    """The estimate after ever more labels, and the true value for those who want to see it."""
    metric = study.metric(name)
    known = stores.labels(study.pool.fingerprint)
    truth = None
    st.markdown(f"**How the {words.plain(verdict.inside(metric.title))} settled**")
    if known is not None and known.complete and st.toggle("Reveal the true value", key="reveal"):
        truth = true_value(metric, study.pool, known)
    history = once(
        study,
        ("history", name, view),
        lambda: frames.estimates(
            study.history(name, points=40, level=view.level, interval=view.interval, about=view.about)
        ),
    )
    figure = plots.convergence(history, truth=truth, title=metric.title)
    chart(
        figure,
        history,
        key="convergence",
        alt=f"{metric.title} and its interval against the number of answers",
    )
    st.caption(f"Shaded: the {words.share(view.level)} interval after so many answers.")


def density(study: Study, estimate: Estimate, view: View, threshold: float | None) -> None:
    """The distribution behind the estimate: the posterior where it has one, else a Beta."""
    metric = study.metric(estimate.metric)
    st.markdown("**Where it may lie**")
    posterior = estimate.interval.method == "posterior"

    def limits(level: float) -> Interval:
        return study.estimate(metric, level=level, interval=view.interval, about=view.about).interval

    curve = (
        once(
            study,
            ("density", metric.name, view.interval, view.about),
            lambda: frames.density_of_limits(limits),
        )
        if posterior
        else frames.density(estimate, metric, study.pool.size)
    )
    if curve.empty:
        ends = tables.bounds(metric, study.pool.size)
        if estimate.interval.width == 0:
            st.caption("It is known exactly: no other value is possible.")
        elif None in ends:
            st.caption("Drawn only for metrics that lie between two ends, such as 0 and 1.")
        else:
            st.caption("No variation was seen yet: there is no distribution to draw.")
        return
    interval = estimate.interval
    figure = plots.density(
        curve,
        value=estimate.value,
        low=interval.low,
        high=interval.high,
        threshold=threshold,
        title=metric.title,
    )
    chart(figure, curve, key="density", alt=f"How likely each value of the {verdict.inside(metric.title)} is")
    kind = (
        "What the labels leave possible"
        if posterior
        else "Beta distribution with the estimate's mean and variance"
    )
    st.caption(f"{kind}; shaded: {words.between(estimate, whole=metric.total)}.")


shell.page("Results")
main()
