"""Intervals against R's survey package and their own promises."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

import sampleval as sv
from sampleval.estimators import Spread
from sampleval.intervals import (
    INTERVALS,
    Basis,
    Interval,
    beta_parameters,
    clopper_pearson,
    interval,
    possible_variance,
    probability_above,
    probability_below,
    standing_in,
)
from sampleval.intervals.families import quantile

# R 4.2.2, survey 4.1.1: svyciprop(~y, design, method = "beta", level) for the designs of tests/estimators/survey.py.
# R scales by t quantiles of n - 1 and of the design's degrees of freedom, which are fewer with strata.
R_SURVEY = [
    (0.5, 0.144337567297406, 0.9, (9, 9), (0.245299801274125, 0.754700198725875)),
    (0.541666666666667, 0.150923085635624, 0.95, (9, 7), (0.216930951647875, 0.841735495655418)),
]


@pytest.mark.parametrize(("value", "error", "level", "degrees", "limits"), R_SURVEY)
def test_korn_graubard_equals_r_survey(
    value: float, error: float, level: float, degrees: tuple[int, int], limits: tuple[float, float]
) -> None:
    plain, own = degrees
    known = error * stats.norm.ppf((1 + level) / 2) / stats.t.ppf((1 + level) / 2, plain)
    interval = INTERVALS["korn-graubard"].limits(Basis(value, known**2, degrees=own), level)
    np.testing.assert_allclose((interval.low, interval.high), limits, rtol=1e-10)


def test_an_estimate_closer_to_an_end_than_its_error_has_informative_limits() -> None:
    """A model-assisted precision; of .4 items, .995·.005/.013, they would be 0 and 1."""
    interval = INTERVALS["korn-graubard"].limits(Basis(0.9951, 0.0132), 0.9)
    assert 0.6 < interval.low < 0.9951 - 0.0132**0.5
    assert interval.high > 0.999


def test_beta_has_the_estimate_s_mean_and_variance() -> None:
    parameters = beta_parameters(Basis(0.8, 0.01))
    assert parameters is not None
    mean, variance = stats.beta.stats(*parameters)
    assert (mean, variance) == (pytest.approx(0.8), pytest.approx(0.01))


@pytest.mark.parametrize("family", [family for family in INTERVALS if family != "anytime"])
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0)])
def test_every_family_contains_its_estimate_and_grows_with_level(
    family: str, bounds: tuple[float, float]
) -> None:
    basis = Basis(0.7, 0.004, range=bounds)
    narrow, wide = INTERVALS[family].limits(basis, 0.5), INTERVALS[family].limits(basis, 0.95)
    assert bounds[0] <= wide.low < narrow.low < 0.7 < narrow.high < wide.high <= bounds[1]
    assert narrow.level == 0.5


@pytest.mark.parametrize("family", ["beta", "logit"])
@pytest.mark.parametrize(("value", "variance"), [(0.0, 0.0), (1.0, 0.0), (0.4, 0.0), (1.0, 0.01)])
def test_what_has_no_variance_or_lies_at_an_end_falls_back_and_says_so(
    family: str, value: float, variance: float
) -> None:
    interval = INTERVALS[family].limits(Basis(value, variance, anticipated=0.002, predicted=0.5), 0.9)
    assert interval.method == "korn-graubard"
    assert "not defined here" in interval.note
    assert interval.width > 0.01


def test_without_a_posterior_an_error_without_a_largest_value_has_the_limits_usual_for_it() -> None:
    basis = Basis(50.0, 9.0, range=(0.0, np.inf))
    interval = INTERVALS["posterior"].limits(basis, 0.9)
    np.testing.assert_allclose((interval.low, interval.high), (45.3, 55.2), atol=0.1)
    assert "the estimate has no posterior" in interval.note


@pytest.mark.parametrize("family", ["beta", "korn-graubard", "logit"])
@pytest.mark.parametrize("variance", 10.0 ** -np.arange(6, 24))
def test_limits_of_a_tiny_variance_are_numbers_around_the_estimate(family: str, variance: float) -> None:
    for value in np.random.default_rng(0).uniform(0.02, 0.98, 50):
        interval = INTERVALS[family].limits(Basis(value, variance), 0.9)
        assert interval.low <= value <= interval.high
        assert interval.width < max(5 * variance**0.5, 1e-5)


def test_limits_of_a_huge_variance_warn_of_nothing() -> None:
    low = INTERVALS["logit"].limits(Basis(1e-5, 0.01), 0.9)
    assert (low.low, low.high) == (0.0, 1.0)
    error = INTERVALS["normal"].limits(Basis(1e-9, 1.0, range=(0.0, np.inf)), 0.9)
    assert error.low >= 0


def test_nothing_known_is_the_whole_range_with_a_reason() -> None:
    interval = INTERVALS["korn-graubard"].limits(Basis(1.0, 0.0, range=(-1.0, 1.0)), 0.9)
    assert (interval.low, interval.high, interval.method) == (-1.0, 1.0, "none")
    assert interval.note
    assert INTERVALS["normal"].limits(Basis(0.5, np.nan), 0.9).method == "none"


@pytest.mark.parametrize("anticipated", [0.0, 8e-35])
def test_a_belief_at_the_metric_s_best_value_makes_nothing_certain(anticipated: float) -> None:
    """R² is believed to be 0 where one prediction serves all items: to first order no label seems to change that."""
    basis = Basis(-0.03, 0.0, anticipated, predicted=0.0, range=(-np.inf, 1.0))
    found = INTERVALS["log-normal"].limits(basis, 0.9)
    assert (found.low, found.high, found.method) == (-np.inf, 1.0, "none")
    assert "nothing else shows how wide" in found.note


def test_no_rounding_error_is_a_variance_at_a_value_of_0() -> None:
    """A range without end has no scale of its own, and such a value gives none: only below 0 is surely none."""
    found = possible_variance(np.array([-1e-40, 0.0, 1e-40]), np.zeros(3), (-np.inf, np.inf))
    assert found.tolist() == [0, 0, 1e-40]


@pytest.mark.parametrize(
    ("share", "predicted", "anticipated", "size"),
    [(1.0, 1.0, 0.0, 60), (0.5, 0.5, 0.01, 25), (1.0, 0.9, 0.0, 0), (1.0, 0.9, 0.0009, 60)],
)
def test_only_a_belief_without_doubt_that_foretold_the_share_gives_way_to_the_labels_that_tell(
    share: float, predicted: float, anticipated: float, size: float
) -> None:
    """Otherwise the belief's size stands in, here n* = F(1 − F)/V, as far as 60 labels tell; without doubt it has none."""
    assert standing_in(share, 0.0, predicted, anticipated, 60.0)[0] == pytest.approx(size)


def test_korn_graubard_is_clopper_pearson_for_a_plain_sample() -> None:
    """Twenty of fifty: scipy's exact binomial interval."""
    exact = stats.binomtest(20, 50).proportion_ci(0.9, method="exact")
    interval = INTERVALS["korn-graubard"].limits(Basis(0.4, 0.4 * 0.6 / 50), 0.9)
    np.testing.assert_allclose((interval.low, interval.high), (exact.low, exact.high), rtol=1e-9)


def test_posterior_limits_of_almost_equal_draws_include_the_next_value() -> None:
    """An item is open that 5 of 600 draws think wrong: 27 right of 29 are possible, but not likely enough for the quantiles."""
    draws = np.repeat([27 / 29, 28 / 29, 1.0], [1, 4, 595])
    found = INTERVALS["posterior"].limits(Basis(1.0, 0.0, draws=draws, labels=500), 0.9)
    assert (found.low, found.high) == (28 / 29, 1.0)
    sure = INTERVALS["posterior"].limits(Basis(1.0, 0.0, draws=np.ones(600), labels=500), 0.9)
    assert (sure.low, sure.high) == (1.0, 1.0)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_posterior_limits_of_many_draws_are_their_quantiles_further_out(level: float) -> None:
    draws = 0.2 + np.random.default_rng(4).beta(1, 8, 4000) / 2
    found = INTERVALS["posterior"].limits(Basis(0.24, 0.05**2, draws=draws, labels=500), level)
    low, middle, high = np.quantile(draws, [(1 - level) / 2, 0.5, (1 + level) / 2])
    np.testing.assert_allclose(
        [middle - found.low, found.high - middle], [1.15 * (middle - low), 1.15 * (high - middle)]
    )


def test_draws_are_not_surer_than_their_number_allows() -> None:
    """Beyond the least of 600 draws the probability had been 0.999999999."""
    draws = np.random.default_rng(4).normal(0.8, 0.05, 600)
    limits = partial(INTERVALS["posterior"].limits, Basis(0.8, 0.05**2, draws=draws, labels=500))
    levels = (0.99, 0.999, 0.9999, 0.99999, 0.999999)
    low = np.array([limits(level).low for level in levels])
    assert (np.diff(low) < -0.01).all()
    at = float(draws.min()) - 0.01
    assert 0.995 < probability_above(limits, at) < 0.99999


@pytest.mark.parametrize("number", [2, 3, 7, 19])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_limits_of_a_handful_of_draws_are_their_quantiles_and_further_out_at_high_levels(
    number: int, level: float
) -> None:
    """The quantiles at .05 and .95 are taken for told, however few the draws are; the median of two tells no width."""
    draws = np.random.default_rng(5).uniform(0.45, 0.55, number)
    found = INTERVALS["posterior"].limits(Basis(float(np.median(draws)), 0.0, draws=draws, labels=0), level)
    tail = (1 - level) / 2
    told = max(tail, 0.05)
    low, middle, high = np.quantile(draws, [told, 0.5, 1 - told])
    nearest = [middle - draws[draws < middle].max(), draws[draws > middle].min() - middle]
    wider = 1.05 * (stats.norm.ppf(tail) / stats.norm.ppf(told))
    reach = np.maximum([wider * (middle - low), wider * (high - middle)], nearest)
    np.testing.assert_allclose([middle - found.low, found.high - middle], reach)


def test_posterior_limits_grow_with_the_level_where_draws_are_few_values() -> None:
    draws = np.repeat([0.5, 0.6, 0.4], [960, 30, 10])
    found = [INTERVALS["posterior"].limits(Basis(0.5, 0.0, draws=draws, labels=200), level) for level in (0.5, 0.9, 0.94, 0.95, 0.99)]  # fmt: skip
    assert np.all(np.diff([f.low for f in found]) <= 0)
    assert np.all(np.diff([f.high for f in found]) >= 0)


def test_a_mean_of_numbers_has_student_s_interval() -> None:
    """Two labels off by as much either way tell their variance with one degree of freedom, as scipy's t has it."""
    error = np.array([1.0, -1.0])
    spread = Spread((error / 2)[:, None], np.zeros(1))
    assert spread.degrees[0] == 1
    basis = Basis(3.0, float(spread.variance[0]), range=(-np.inf, np.inf), degrees=float(spread.degrees[0]))
    found = INTERVALS["normal"].limits(basis, 0.9)
    assert (found.low, found.high) == pytest.approx(stats.t(1, 3.0, np.sqrt(0.5)).interval(0.9))
    basis = Basis(3.0, 0.5, range=(0.0, np.inf), degrees=7.0)
    logarithm = stats.t(7, np.log(3.0), np.sqrt(0.5) / 3).interval(0.9)
    found = INTERVALS["log-normal"].limits(basis, 0.9)
    assert (found.low, found.high) == pytest.approx(tuple(np.exp(logarithm)))


@pytest.mark.parametrize("value", [0.04, 1e-3, 1e150])
def test_limits_from_too_few_labels_are_the_whole_range_instead_of_hundreds_of_digits(value: float) -> None:
    """From two labels RMSE's limits were 8e-243 and 1e239, and the axis of its picture followed."""
    basis = Basis(value, (9 * value) ** 2, range=(0.0, np.inf), degrees=1.0)
    found = interval(basis, 0.9, "korn-graubard")
    assert (found.low, found.high, found.known) == (0.0, np.inf, False)
    assert found.note == "with so few labels the limits would lie many orders of magnitude apart"
    closer = interval(Basis(value, value**2, range=(0.0, np.inf), degrees=1.0), 0.9, "log-normal")
    assert closer.high / value == pytest.approx(np.exp(stats.t(1).ppf(0.95)))


def test_degrees_of_freedom_follow_from_how_unequal_the_labels_are(rng: np.random.Generator) -> None:
    """2/CV² of the variance over many samples, of effects of kurtosis 1.8, 3 and 15; 1 where one label is all."""
    effects = (
        rng.uniform(-1, 1, (2000, 1000)),
        rng.normal(size=(2000, 1000)),
        rng.normal(size=(2000, 1000)) ** 2 - 1,
    )
    for drawn in effects:
        spread = Spread(drawn / len(drawn), np.zeros(drawn.shape[1]))
        measured = 2 * spread.variance.mean() ** 2 / spread.variance.var()
        assert np.median(spread.degrees) == pytest.approx(min(measured, 1999), rel=0.2)
    assert Spread(np.array([[0.0], [2.0], [0.0]]), np.zeros(1)).degrees[0] == 1
    assert (
        Spread(np.array([[np.nan], [1e120]]), np.zeros(1)).degrees[0] == 1
    )  # unknown, and nothing overflows
    assert Spread.unknown(1).degrees[0] == 1


def test_limits_of_errors_allow_for_large_ones_not_met_yet() -> None:
    """Log-normal errors: the normal's quantile held the RMSE in .71 of these studies."""
    rng = np.random.default_rng(5)
    pred = rng.normal(10, 2, 2000)
    frame = pd.DataFrame({"pred": pred, "label": pred + rng.lognormal(0, 1, 2000) - np.exp(0.5)})
    pool = sv.Pool.from_frame(frame, pred="pred", label="label", task="regression")
    labels = sv.Labels.from_frame(frame, pool, "label")
    found = sv.simulate(
        pool, labels, presets="uniform", metric="rmse", budgets=[100], repeats=100, seed=1
    ).iloc[0]
    assert found["coverage"] >= 0.74


@pytest.mark.parametrize(("value", "sd"), [(0.99932, 0.00805), (0.99, 0.07), (1 / 86, 0.088)])
def test_a_beta_interval_that_excludes_its_own_mean_is_replaced(value: float, sd: float) -> None:
    """An AUC of .9993 ± .008 had limits of .99998 and 1, which exclude the estimate itself."""
    found = INTERVALS["beta"].limits(Basis(value, sd**2), 0.9)
    assert found.low <= value <= found.high
    assert found.method == "korn-graubard"
    assert "beyond its own mean" in found.note
    assert found.width > sd


@given(st.floats(1e-4, 1 - 1e-4), st.floats(1e-3, 0.99))
def test_a_surer_beta_interval_holds_a_less_sure_one(value: float, share: float) -> None:
    """Its fallback hung on the level: of .02 ± .063 the limits at .7 ended at .023 and at .5 at .115."""
    basis = Basis(value, share * value * (1 - value))
    found = [INTERVALS["beta"].limits(basis, level) for level in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)]
    assert len({each.method for each in found}) == 1
    assert (np.diff([each.low for each in found]) <= 1e-9).all()
    assert (np.diff([each.high for each in found]) >= -1e-9).all()
    assert all(each.low <= value <= each.high for each in found)


@pytest.mark.parametrize("large", [1e40, 1e70])
def test_huge_labels_have_limits_in_their_own_scale(large: float) -> None:
    """From 1e40 on the degrees of freedom overflowed."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.zeros(12)}), pred="pred", task="regression")
    study = sv.create_study(pool, metric="mae", budget=8, preset="uniform")
    study.tell_all([(item, large if k == 0 else 0.5) for k, item in enumerate(study.ask(8))])
    for name, of in {"mae": large, "mse": large**2}.items():
        found = study.estimate(name)
        limits = np.array([found.interval.low, found.interval.high])
        np.testing.assert_allclose(limits / of, [0.0327582575, 0.477], rtol=1e-3)


def test_the_reason_why_there_is_no_beta_is_true_of_a_variance_too_large() -> None:
    found = INTERVALS["beta"].limits(Basis(0.9, 0.1), 0.9)
    assert found.method == "korn-graubard"
    assert "or a variance that no Beta has" in found.note
    assert "no variance" not in found.note


@pytest.mark.parametrize("degrees", [3.0, 4.0, 5.0, 6.0, 7.0])
@pytest.mark.parametrize("family", ["korn-graubard", "normal"])
def test_few_degrees_of_freedom_leave_a_probability(family: str, degrees: float) -> None:
    """With exactly 4 or 6 SciPy's t is 0 next to the median: of 12 stratified labels it was ½ of any threshold at all."""
    basis = Basis(0.9, 0.0077, degrees=degrees)
    limits = partial(INTERVALS[family].limits, basis)
    ends = limits(0.9)
    below, above = (probability_above(limits, threshold) for threshold in (ends.low, ends.high))
    assert below == pytest.approx(0.95, abs=1e-6)
    assert above == pytest.approx(0.05, abs=1e-6) or ends.high == 1
    at_most = [probability_below(limits, threshold) for threshold in (ends.low, ends.high)]
    assert at_most[0] == pytest.approx(0.05, abs=1e-6)
    assert at_most[1] == pytest.approx(0.95, abs=1e-6) or ends.high == 1
    tiny = quantile(2e-9, np.array([degrees, 100.0, np.inf]))
    np.testing.assert_allclose(tiny, 1e-9 / stats.t.pdf(0, [degrees, 100.0, np.inf]), rtol=1e-4)


def test_of_a_metric_that_nothing_is_known_of_no_probability_is_told() -> None:
    limits = partial(INTERVALS["anytime"].limits, Basis(0.4, 0.01))
    assert np.isnan([probability_above(limits, 0.5), probability_below(limits, 0.5)]).all()


@pytest.mark.parametrize(("threshold", "above", "below"), [(0.7, 1, 0), (0.8, 1, 1), (0.9, 0, 1)])
def test_of_a_metric_that_is_known_nothing_is_doubtful(threshold: float, above: float, below: float) -> None:
    exact = partial(Interval, 0.8, 0.8, method="census")
    assert probability_above(exact, threshold) == above
    assert probability_below(exact, threshold) == below


def test_a_metric_may_be_what_its_limits_end_at() -> None:
    """Of 2 to 10 missed positives, where 2 are known, "at most 2?" was "Almost certainly not", and "at least 0?" was "Open"."""
    none = partial(INTERVALS["korn-graubard"].limits, Basis(0.0, 0.0, anticipated=0.005, predicted=0.1))
    assert probability_above(none, 0.0) > 0.99
    assert probability_below(none, 0.0) == pytest.approx(0.5)

    def cut(level: float) -> Interval:
        """Normal limits around 4 with a standard deviation of 2, of which 2 is the least possible value, and 7 the largest."""
        half = 2 * stats.norm.ppf((1 + level) / 2)
        return Interval(max(4 - half, 2 - 1e-15), min(4 + half, 7), level, "normal")

    assert probability_below(cut, 2) == pytest.approx(stats.norm.cdf(-1))
    assert probability_above(cut, 7) == pytest.approx(stats.norm.sf(1.5))
    assert min(probability_above(cut, 2), probability_below(cut, 7)) > 0.99
    assert max(probability_below(cut, 1.99), probability_above(cut, 7.01)) < 0.01
    assert probability_above(cut, 5) == pytest.approx(stats.norm.sf(0.5))
    assert probability_below(cut, 5) == pytest.approx(stats.norm.cdf(0.5))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0)])
def test_the_logit_interval_is_normal_on_the_log_odds(bounds: tuple[float, float]) -> None:
    """d logit(p)/dp = 1/(p(1 − p)), by a difference quotient. Without 1 − p the interval at p = .2 is a fifth narrower."""
    (low, high), p, error, h = bounds, 0.2, 0.03, 1e-6
    slope = (special.logit(p + h) - special.logit(p - h)) / (2 * h)
    ends = special.expit(special.logit(p) + stats.norm.ppf([0.05, 0.95]) * error * slope)
    width = high - low
    found = INTERVALS["logit"].limits(Basis(low + width * p, (width * error) ** 2, range=bounds), 0.9)
    np.testing.assert_allclose((found.low, found.high), low + width * ends, rtol=1e-8)


def test_a_belief_counts_for_no_more_than_the_labels_that_could_have_shown_variation() -> None:
    sure = Basis(1.0, 0.0, anticipated=1e-6, predicted=0.5, telling=15.0)
    found = INTERVALS["korn-graubard"].limits(sure, 0.9)
    assert (found.low, found.high) == pytest.approx(tuple(map(float, clopper_pearson(15, 0, 0.9))))
