"""Pictures of results show the numbers they were given, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, norm

import sampleval as sv
from sampleval import frames
from sampleval.intervals import Interval
from sampleval.metrics import resolve
from sampleval.study import Estimate, Study
from tests.colours import contrast

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")

import plotly.graph_objects as go

from sampleval import plots
from sampleval.plots import style
from sampleval.plots.layout import framed
from sampleval.plots.traces import area
from tests.studies import begun


@pytest.fixture(scope="module")
def study() -> Study:
    rng = np.random.default_rng(11)
    score = rng.beta(0.7, 1.5, 400)
    frame = pd.DataFrame({"score": score, "label": (rng.random(400) < score).astype(int)})
    pool = sv.Pool.from_frame(frame, label="label")
    study = sv.create_study(pool, metric="f1", budget=60, seed=2, preset="queue")
    study.answer(sv.Labels.from_frame(frame, pool), 50)
    return study


def test_whiskers_end_at_the_limits(study: Study) -> None:
    rows = frames.estimates(study.estimates(["f1", "recall", "accuracy"]))
    [trace] = plots.whiskers(rows, titles={"f1": "F1 score"}).data
    assert list(trace.y) == ["F1 score", "recall", "accuracy"]
    assert np.allclose(trace.x + trace.error_x.array, rows["high"])
    assert np.allclose(trace.x - trace.error_x.arrayminus, rows["low"])
    assert np.allclose(trace.customdata, rows[["low", "high"]])  # at the pointer


def test_the_axis_beside_long_names_has_a_short_title(study: Study) -> None:
    """On a telephone and in large type the names leave half of the width, and the title was cut off at the edge."""
    figure = plots.whiskers(frames.estimates(study.estimates(["f1"])))
    assert len(figure.layout.xaxis.title.text) <= 18


def test_an_area_lies_between_its_curves_and_comes_and_goes_with_its_line() -> None:
    upper, lower = go.Figure(area([1, 2], [0.1, 0.2], [0.3, 0.4], style.BAND, group="mine")).data
    assert (list(upper.y), list(lower.y), lower.fill) == ([0.3, 0.4], [0.1, 0.2], "tonexty")
    assert {trace.legendgroup for trace in (upper, lower)} == {"mine"}
    assert not any(trace.showlegend for trace in (upper, lower))
    upper, lower = go.Figure(area([1], [0], [1], style.BAND, name="both")).data
    assert (upper.showlegend, lower.showlegend, lower.name) == (False, True, "both")


@pytest.mark.parametrize("page", [(255, 255, 255), (20, 25, 31)], ids=["light", "dark"])
def test_bands_and_their_lines_are_seen_on_light_and_on_dark_pages(page: tuple[int, int, int]) -> None:
    for fill in (style.BAND, style.SECOND):
        *colour, opacity = map(float, fill.removeprefix("rgba(").removesuffix(")").split(","))
        seen = [opacity * one + (1 - opacity) * other for one, other in zip(colour, page, strict=True)]
        assert contrast(seen, page) >= 1.4
        assert contrast(colour, page) >= 3
        edges = {trace.line.color for trace in go.Figure(area([1], [0], [1], fill)).data}
        assert edges == {style.EDGES[fill]}  # where the interval ends is told by no less than a line
    edged = go.Figure(area([1], [0], [1], style.faint(style.BLUE, 0.1), name="wide", edge=style.BLUE)).data
    assert {(trace.line.color, trace.line.dash) for trace in edged} == {(style.BLUE, "dot")}


def test_the_second_line_of_a_title_does_not_push_the_first_one_out() -> None:
    """Plotly sets the first of several lines on the edge that it hangs a single one from."""
    short, long = (framed([], title=t, x="", y="") for t in ("short", "long " * 12))
    assert long.layout.title.pad.t >= short.layout.title.pad.t + 0.7 * long.layout.title.font.size


@pytest.mark.parametrize(
    ("threshold", "side"),
    [(0.95, "right"), (0.05, "left"), (0.52, "left"), (0.48, "right"), (0.83, "left"), (0.17, "right")],
)
def test_the_threshold_s_name_stands_within_the_picture_and_off_the_estimate_s_line(
    threshold: float, side: str
) -> None:
    curve = pd.DataFrame({"value": [0.0, 0.5, 1.0], "density": [0.0, 1.0, 0.0], "above": [1.0, 0.5, 0.0]})
    figure = plots.density(curve, value=0.5, low=0.2, high=0.8, threshold=threshold)
    assert figure.layout.annotations[-1].xanchor == side


@pytest.mark.parametrize(("threshold", "side"), [(0.795, "right"), (0.205, "left")])
def test_the_name_of_a_threshold_inside_the_interval_is_not_cut_at_the_edge(
    threshold: float, side: str
) -> None:
    curve = pd.DataFrame({"value": [0.2, 0.5, 0.8], "density": [0.0, 1.0, 0.0], "above": [1.0, 0.5, 0.0]})
    figure = plots.density(curve, value=0.5, low=0.2, high=0.8, threshold=threshold)
    assert figure.layout.annotations[-1].xanchor == side


def test_estimates_and_parts_are_the_same_dots(study: Study) -> None:
    rows = frames.estimates(study.estimates(["f1", "recall"]))
    [one], [other] = plots.whiskers(rows).data, plots.dots(rows, "metric", title="", x="").data
    assert (list(one.x), list(one.y), one.error_x.color) == (
        list(other.x),
        list(other.y),
        other.error_x.color,
    )
    assert one.hovertemplate == other.hovertemplate


def test_unknown_estimates_are_not_drawn(study: Study) -> None:
    rows = frames.estimates(study.estimates(["f1", "recall"]))
    rows.loc[1, "value"] = np.nan
    [trace] = plots.whiskers(rows).data
    assert list(trace.y) == ["f1"]


def test_the_convergence_chart_shows_the_truth_only_if_it_is_given(study: Study) -> None:
    rows = frames.estimates(study.history("f1", points=12))
    assert list(rows["labels"]) == sorted(set(rows["labels"]))
    figure = plots.convergence(rows)
    high, low, line = figure.data
    assert np.allclose(line.y, rows["value"], equal_nan=True)
    assert list(line.x) == list(rows["labels"])
    assert np.allclose(high.y, rows["high"])
    assert np.allclose(low.y, rows["low"])
    assert not figure.layout.shapes
    assert plots.convergence(rows, truth=0.7).layout.shapes[0].y0 == 0.7
    last = rows["value"].iloc[-1]
    for truth, side in ((last - 0.1, "top"), (last + 0.1, "bottom")):  # off the line of the estimate
        assert plots.convergence(rows, truth=truth).layout.annotations[0].yanchor == side
    assert figure.layout.xaxis.dtick is None
    assert plots.convergence(rows[rows["labels"] < 5]).layout.xaxis.dtick == 1  # nobody gives half an answer


def test_limits_after_the_first_answers_do_not_set_the_axis_of_an_error() -> None:
    """After one answer R² may be −10,000; on an axis down to there its last interval would be a line."""
    labels = [1, 5, *range(10, 101, 10)]
    history = pd.DataFrame({"labels": labels, "value": 0.9, "low": [-10_000, -80] + [0.5] * 10, "high": 1.0})
    figure = plots.convergence(history)
    bottom, top = figure.layout.yaxis.range
    assert (0.4 < bottom < 0.5, 1 < top < 1.1) == (True, True)
    assert list(figure.data[1].y) == list(history["low"]), "cut off by the axis, not moved"
    assert plots.convergence(history, truth=-3.0).layout.yaxis.range[0] < -3
    endless = plots.convergence(history.assign(high=[np.inf, np.inf] + [1.0] * 10))
    assert endless.layout.yaxis.range[1] == top
    assert np.isfinite(endless.data[0].y).all()
    assert plots.convergence(history.assign(low=[0.0, 0.1] + [0.5] * 10)).layout.yaxis.range is None
    one = plots.convergence(history.head(1))
    assert one.layout.yaxis.range[0] < -10_000


def test_one_huge_limit_does_not_hide_the_estimate_of_an_error() -> None:
    """After five answers the limit after the second set the axis, up to four million, and the estimate lay on its floor."""
    limits = {"low": [0.0, 27, 613, 60, 277], "high": [np.inf, 4e6, 21_205, 72_678, 14_217]}
    history = pd.DataFrame({"labels": range(1, 6), "value": [8154.0, 3862, 3604, 2087, 1986], **limits})
    figure = plots.convergence(history)
    assert 72_678 < figure.layout.yaxis.range[1] < 120_000
    assert figure.data[0].y[1] > figure.layout.yaxis.range[1], "cut off by the axis, as one without end"
    assert figure.data[-1].customdata[1][1] == 4e6


def test_a_metric_s_long_title_is_broken_into_lines_at_either_axis() -> None:
    """On a telephone the name of a difference of two systems was cut off at the picture's right end."""
    title = "F1 score, gradient boosting of this year − logistic regression & rules"
    history = pd.DataFrame({"labels": [1, 2], "value": 0.5, "low": 0.2, "high": 0.7})
    curve = pd.DataFrame({"value": [0.4, 0.5], "density": 1.0, "above": [1.0, 0.5]})
    upwards = plots.convergence(history, title=title).layout.yaxis
    across = plots.density(curve, value=0.5, low=0.4, high=0.5, title=title).layout.xaxis
    lines = ["F1 score, gradient boosting of this", "year − logistic regression &amp; rules"]
    assert upwards.title.text.split("<br>") == lines
    # A plot is wider than high: what fits below it on a telephone stays in one line.
    lines = ["F1 score, gradient boosting of this year −", "logistic regression &amp; rules"]
    assert across.title.text.split("<br>") == lines


def test_density_shades_the_interval_and_marks_the_threshold(study: Study) -> None:
    estimate = study.estimate("f1")
    curve = frames.density(estimate, study.metric("f1"), study.pool.size)
    low, high = estimate.interval.low, estimate.interval.high
    figure = plots.density(curve, value=estimate.value, low=low, high=high, threshold=0.6, title="F1 score")
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("F1 score", "how likely")
    shaded = figure.data[0].x
    assert (min(shaded), max(shaded)) == (low, high)
    assert list(figure.data[1].customdata) == list(curve["above"])  # "at least" this value
    assert [shape.x0 for shape in figure.layout.shapes] == [estimate.value, 0.6]


def test_the_interval_is_shaded_where_the_curve_has_ended() -> None:
    curve = pd.DataFrame({"value": [0.4, 0.5, 0.6], "density": [0.0, 1.0, 0.0], "above": [1.0, 0.5, 0.0]})
    shaded = plots.density(curve, value=0.5, low=0.1, high=0.9).data[0].x
    assert (min(shaded), max(shaded)) == (0.1, 0.9)


def test_no_share_above_one_is_drawn_as_possible() -> None:
    outline = np.array([[0.5, 0.9], [0.6, 1.1], [0.7, 0.9], [0.6, 0.7]])
    figure = plots.region(outline, (0.6, 0.9))
    assert figure.layout.xaxis.range[1] == 1
    low, high = figure.layout.yaxis.range
    assert low < 0.5
    assert 0.7 < high < 1


def test_a_skewed_posterior_is_drawn_as_its_own_limits_say() -> None:
    """A rare class: nearly all that is left possible lies to one side, where a Beta would lie on both."""
    rng = np.random.default_rng(3)
    score = rng.beta(0.05, 3, 3000)
    frame = pd.DataFrame({"score": score, "label": (rng.random(3000) < score).astype(int)})
    pool = sv.Pool.from_frame(frame, label="label")
    study = sv.create_study(pool, metric="recall", budget=100, seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 100)
    curve = frames.density_of_limits(lambda level: study.estimate(level=level).interval)
    step = curve["value"].diff().iloc[1]
    assert (curve["density"] * step).sum() == pytest.approx(0.995, abs=1e-6)
    limits = study.estimate().interval
    inside = curve["value"].between(limits.low, limits.high)
    assert (curve["density"][inside] * step).sum() == pytest.approx(0.9, abs=0.04)
    row = curve.iloc[len(curve) // 3]
    assert study.probability_above(row["value"]) == pytest.approx(row["above"], abs=0.03)


def test_limits_stretched_for_missing_answers_leave_no_hole_at_the_estimate() -> None:
    """Each limit is moved outwards by as much as the missing labels could: at no level do they meet."""

    def limits(level: float) -> Interval:
        half = norm.isf((1 - level) / 2) * 0.07 + 0.01
        return Interval(0.6 - half, 0.6 + half, level, "posterior")

    curve = frames.density_of_limits(limits)
    middle = curve["density"][curve["value"].sub(0.6).abs() < 0.01]
    assert middle.min() > 0.8 * curve["density"].max()


def test_the_first_estimate_is_a_point_with_whiskers(study: Study) -> None:
    history = frames.estimates([study.estimate("f1")])
    trace = plots.convergence(history).data[-1]
    assert trace.mode == "markers"
    assert np.allclose(trace.y + trace.error_y.array, history["high"])
    assert np.allclose(trace.y - trace.error_y.arrayminus, history["low"])


@pytest.mark.parametrize(("a", "cut"), [(0.4, True), (1.0, False), (3.0, False)])
def test_a_density_that_shoots_up_at_an_end_does_not_hide_the_rest(a: float, cut: bool) -> None:
    """Only the spike at 0 was to be seen, although nearly all of the distribution lies beside it."""
    values = np.linspace(1e-4, 0.6, 200)
    at = beta(a, 10)
    curve = pd.DataFrame({"value": values, "density": at.pdf(values), "above": at.sf(values)})
    top = plots.density(curve, value=a / (a + 10), low=0.01, high=0.2).layout.yaxis.range[1]
    assert (top < curve["density"].max()) == cut
    if cut:
        here = np.interp(a / (a + 10), values, curve["density"])
        assert 2 * here < top < 6 * here


def test_a_density_that_shoots_up_beyond_all_measure_is_drawn() -> None:
    """Of 12 answers that were all wrong the picture had no curve: at 0 its density was 1.5e303, and the browser drew nothing."""
    estimate = Estimate("accuracy", 0.021, 0.0151, Interval(0.0, 0.4, 0.9, "beta"), 12, "x")
    curve = frames.density(estimate, resolve("accuracy"), 300)
    figure = plots.density(curve, value=0.021, low=0.0, high=0.4)
    assert curve["density"].max() > 1e300
    assert figure.layout.yaxis.range[1] < max(figure.data[1].y) < 100


def test_limits_without_width_have_no_density() -> None:
    exact = Interval(0.4, 0.4, 0.9, "census")
    assert frames.density_of_limits(lambda level: exact).empty
    rounded = Interval(0.4, float(np.nextafter(0.4, 1)), 0.9, "posterior")  # as of two systems' difference
    assert frames.density_of_limits(lambda level: rounded).empty
    unknown = begun().limits("f1")
    assert not unknown(0.9).known
    assert frames.density_of_limits(unknown).empty


def test_density_of_a_total_is_in_items(study: Study) -> None:
    estimate = study.estimate("positives")
    curve = frames.density(estimate, study.metric("positives"), study.pool.size)
    assert np.average(curve["value"], weights=curve["density"]) == pytest.approx(estimate.value, rel=0.02)
    so_far = np.cumsum(curve["density"]) * curve["value"].diff().iloc[1]
    np.testing.assert_allclose(curve["above"], 1 - so_far, atol=0.02)


def test_no_density_without_variance() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9]}))
    study = sv.create_study(pool, metric="f1", budget=1)
    assert frames.density(study.estimate("f1"), study.metric("f1"), 3).empty


def test_limits_without_end_leave_the_picture() -> None:
    """A bar that reached to the end of the axis ended there with a stroke, as one with a limit does."""
    history = pd.DataFrame({"labels": [1], "value": [0.5], "low": [0.0], "high": [np.inf]})
    figure = plots.convergence(history)
    bottom, top = figure.layout.yaxis.range
    drawn = figure.data[-1]
    assert bottom <= 0
    assert top > 0.5
    assert drawn.y[0] + drawn.error_y.array[0] > top + 0.1
    assert drawn.customdata[0][1] == np.inf
    ends = plots.convergence(pd.DataFrame({"labels": [1], "value": [0.5], "low": [0.2], "high": [0.7]}))
    assert ends.layout.yaxis.range is None


def test_density_is_the_beta_behind_the_interval(study: Study) -> None:
    estimate = study.estimate(interval="beta")
    curve = frames.density(estimate, study.metric(), study.pool.size)
    inside = curve[curve["value"].between(estimate.interval.low, estimate.interval.high)]
    assert np.trapezoid(inside["density"], inside["value"]) == pytest.approx(0.9, abs=0.02)
    middle = curve.iloc[len(curve) // 2]
    above = study.probability_above(middle["value"], interval="beta")
    assert above == pytest.approx(middle["above"], abs=1e-6)
