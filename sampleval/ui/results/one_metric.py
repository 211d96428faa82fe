"""One metric on the Results page: whether it is good enough, how its estimate converged, and where it may lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import inf, isfinite, isnan

import pandas as pd
import streamlit as st

from sampleval import frames, plots
from sampleval.intervals import Interval, probability_above, probability_below
from sampleval.metrics import Metric
from sampleval.metrics.names import subject
from sampleval.study import Estimate, Study, doubt, finding, true_value
from sampleval.study.conclusions.future import About
from sampleval.ui import address, shell, stores, words
from sampleval.ui.charts import chart
from sampleval.ui.headings import heading
from sampleval.ui.memo import once
from sampleval.ui.results import verdict


@dataclass(frozen=True, slots=True)
class EstimateOptions:
    """How results are shown: arguments of `Study.estimates`."""

    level: float
    interval: str
    about: About


def show(study: Study, found: list[Estimate], options: EstimateOptions) -> None:
    """Show one metric: whether it is good enough, how its estimate converged, and its distribution."""
    st.header("Is it good enough?", anchor=False)
    name, side, threshold = _ask(study, found)
    estimate = next(e for e in found if e.metric == name)
    if threshold is not None:
        _answer(study, estimate, options, side, threshold)
    if name != found[0].metric:
        st.markdown(words.plain(in_words(study, estimate)))
    left, right = st.columns([7, 5], gap="large")
    with left:
        convergence(study, name, options)
    with right:
        density(study, estimate, options, threshold)


def in_words(study: Study, estimate: Estimate) -> str:
    """What is known about a metric, in sentences."""
    return once(study, ("words", estimate), lambda: finding(study, estimate))


def _ask(study: Study, found: list[Estimate]) -> tuple[str, str, float | None]:
    """Ask for a metric, a side (key in `verdict.SIDES`) and a threshold, which may be left empty."""
    titles = {e.metric: study.metric(e.metric).title for e in found}
    with st.container(horizontal=True):
        name = st.selectbox(
            "Metric",
            list(titles),
            format_func=titles.__getitem__,
            width=300,
            **address.bound("shown_metric", titles),
        )
        metric = study.metric(name)
        usual = verdict.usual_side(metric)
        # A key for either kind of metric: what was said of a score is not meant of a loss.
        key = "side" if usual == "least" else "side_loss"
        side = shell.choice("Should it be", verdict.SIDES, key=key, default=usual, labelled=True)
        threshold = st.number_input(
            "Threshold",
            value=verdict.usual_threshold(metric),
            step=0.01 if metric.fraction else None,
            width=160,
            **address.number(f"threshold_{name}", *_bounds(metric, study.pool.size)),
        )
    return name, side, threshold


def _bounds(metric: Metric, population: int) -> tuple[float | None, float | None]:
    """Smallest and largest value in the unit of the metric; `None` where there is no limit."""
    low, high = metric.ends(population)
    return low if isfinite(low) else None, high if isfinite(high) else None


def _answer(study: Study, estimate: Estimate, options: EstimateOptions, side: str, threshold: float) -> None:
    """Show how certain it is that the metric is on this side of the threshold."""
    metric, at_most = study.metric(estimate.metric), side == "most"
    on_this_side = probability_below if at_most else probability_above
    sure = once(
        study,
        ("sure", side, metric.name, threshold, options.interval, options.about),
        lambda: on_this_side(_limits(study, metric, options), threshold),
    )
    doubtful = doubt(study, estimate)
    said = verdict.question(metric.title, threshold, sure, at_most=at_most, doubtful=doubtful)
    st.subheader(words.plain(said), anchor=False)
    if 0 < sure < 1 and not doubtful:
        st.caption("Read off the intervals: a limit that is this sure lies at the threshold.")


def convergence(study: Study, name: str, options: EstimateOptions) -> None:
    """Show the estimate after more and more labels and, if the user wants to see it, the true value."""
    metric = study.metric(name)
    known = stores.truth(study.pool.fingerprint)
    heading(f"How {words.plain(subject(metric.title))} settled", 3)
    with st.spinner("Going through the answers …"):  # of two systems it takes seconds
        history = once(
            study,
            ("history", name, options),
            lambda: frames.estimates(study.history(name, points=40, **asdict(options))),
        )
    if history.empty:
        st.caption("It was known before the first answer.")
        return
    if not frames.has_scale(history):
        st.caption("No answer so far gives it a value, so there is nothing to draw.")
        return
    truth = None
    if known is None:
        address.unasked("reveal", instead="the true value is not known")
    elif st.toggle("Reveal the true value", **address.switch("reveal")):
        truth = true_value(metric, study.pool, known)
    figure = plots.convergence(history, truth=truth, title=metric.title)
    chart(
        figure,
        history,
        key="convergence",
        alt=f"{metric.title} and its interval against the number of answers",
    )
    bottom, top = figure.layout.yaxis.range or (-inf, inf)
    leaves = (history["low"] < bottom).any() or (history["high"] > top).any()
    endless = " Where it leaves the picture, it has no end, or a far one." if leaves else ""
    st.caption(f"Shaded: the {words.sure(options.level)} interval after that many answers.{endless}")


def density(study: Study, estimate: Estimate, options: EstimateOptions, threshold: float | None) -> None:
    """Show the distribution behind the estimate: the posterior if there is one, otherwise a Beta distribution."""
    metric, interval = study.metric(estimate.metric), estimate.interval
    heading("Where it may lie", 3)
    drawn = density_curve(study, estimate, options)
    if drawn.empty:
        st.caption(undrawn(study, estimate))
        return
    figure = plots.density(
        drawn,
        value=estimate.value,
        low=interval.low,
        high=interval.high,
        threshold=threshold,
        title=metric.title,
    )
    chart(figure, drawn, key="density", alt=f"How likely each value of {subject(metric.title)} is")
    st.caption(f"{drawn_from(study, estimate)}; shaded: {words.between(estimate, whole=metric.total)}.")


def drawn_from(study: Study, estimate: Estimate) -> str:
    """What the curve is, and what it assumes about missing answers, for which the shaded limits allow any label."""
    if by_limits(study, estimate):
        return "What the labels leave possible"
    said = "Beta distribution with the estimate's mean and variance"
    if estimate.interval.method != "beta":
        said += " (the chance above follows from the limits instead)"
    return said if all_answered(study) else f"{said}, with expected values in place of missing answers"


def by_limits(study: Study, estimate: Estimate) -> bool:
    """Whether the limits at all levels describe a distribution. They do not if missing answers widen them."""
    return estimate.interval.method == "posterior" and all_answered(study)


def all_answered(study: Study) -> bool:
    """Whether every item asked has a label."""
    run = study.run()
    return run is None or bool(run.responded.all())


def density_curve(study: Study, estimate: Estimate, options: EstimateOptions) -> pd.DataFrame:
    """The distribution of the posterior, derived from its limits, or that of the Beta."""
    metric = study.metric(estimate.metric)
    if not by_limits(study, estimate):
        return frames.density(estimate, metric, study.pool.size)
    key = ("density", metric.name, options.interval, options.about)
    return once(study, key, lambda: frames.density_of_limits(_limits(study, metric, options)))


def _limits(study: Study, metric: Metric, options: EstimateOptions) -> Callable[[float], Interval]:
    """Function from a level to the interval of a metric as the page shows it."""
    return study.limits(metric, interval=options.interval, about=options.about)


def undrawn(study: Study, estimate: Estimate) -> str:
    """Why there is no distribution to draw."""
    if isnan(estimate.value):
        return "There is no value yet, so there is no distribution to draw."
    if estimate.interval.width == 0:
        return "It is known exactly: no other value is possible."
    if None in _bounds(study.metric(estimate.metric), study.pool.size):
        return "Drawn only for metrics that lie between two ends, such as 0 and 1."
    if estimate.variance > 0 and not by_limits(study, estimate):
        return "No Beta distribution has the estimate's mean and variance, so there is none to draw."
    if estimate.interval.method == "bounds":
        return "Only missing answers leave it open, and nothing tells which value is likelier."
    return "No variation was seen yet: there is no distribution to draw."
