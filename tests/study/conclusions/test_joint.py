"""Vector metrics, systems and parts of the pool: the same estimators, and regions that hold what they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

import sampleval as sv
from sampleval import frames
from sampleval.designs import Inclusions, Problem
from sampleval.designs.inclusion import water_fill
from sampleval.designs.problem import joint
from sampleval.estimators import HorvitzThompson, Run, completed, infer, weighted_mean
from sampleval.intervals import Basis, Ellipsoid, interval, simultaneous_level, suited
from sampleval.intervals.families import korn_graubard
from sampleval.metrics import (
    METRICS,
    difference,
    f_beta,
    for_kind,
    mean_loss,
    minus,
    of_system,
    precision_recall_curve,
    resolve,
    roc_curve,
    within,
)
from sampleval.pool import Pool, Task
from sampleval.presets import PRESETS
from sampleval.study import caveats, side_by_side
from sampleval.study.conclusions.joint_limits import worst_ends
from sampleval.study.conclusions.variances import expecting, grounded
from sampleval.surrogates import Belief, Calibration, Evidence, Shrunk, expected_loss, moments, predicted_risk
from tests import pools
from tests.pools import emotions, two_systems
from tests.reference import truncated_square
from tests.studies import study_of

# ------------------------------------------------------------------ estimators on vectors


@pytest.mark.parametrize("wrong", [False, True])
def test_the_mean_loss_and_its_covariance_are_unbiased_over_all_samples(wrong: bool) -> None:
    """Poisson sampling at N = 7: all 2⁷ samples with their probabilities; wrong weights must fail."""
    pool, y = emotions(7)
    metric, b = METRICS["class_f1"], np.linspace(0.3, 0.9, 7)
    belief = Shrunk().model(pool).believe(Evidence.none(pool))
    loss = metric.loss(pool.items, y)
    size = loss.shape[1]
    mean, square, covariance = np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
    for flags in product((False, True), repeat=7):
        inside = np.flatnonzero(flags)
        p = np.prod(np.where(flags, b, 1 - b))
        used = b[inside] ** (2 if wrong else 1)
        sample = Inclusions(np.arange(len(inside)), used, 7)
        found = weighted_mean(HorvitzThompson(), sample, loss[inside])
        spread = HorvitzThompson().spread(sample, loss[inside], found)
        mean, covariance = mean + p * found, covariance + p * spread.covariance
        square = square + p * np.outer(found, found)
    exact = loss.mean(axis=0)
    assert np.allclose(mean, exact, atol=1e-12) is not wrong
    if not wrong:
        np.testing.assert_allclose(covariance, square - np.outer(exact, exact), atol=1e-12)
    assert len(belief) == 7


@pytest.mark.slow
@pytest.mark.parametrize("name", ["class_f1", "macro_f1", "micro_f1", "hamming"])
def test_the_delta_method_variance_agrees_with_simulation(name: str) -> None:
    pool, y = emotions(600)
    metric, rng = METRICS[name], np.random.default_rng(5)
    belief = Shrunk().model(pool).believe(Evidence.none(pool))
    h = np.sqrt(moments(METRICS["macro_f1"], pool.items, belief).square)
    b = np.minimum(1.0, 250 * h / h.sum())
    problem = Problem(pool, {metric: 1.0}, Shrunk())
    values, variances = [], []
    for _ in range(2000):
        inside = np.flatnonzero(rng.random(600) < b)
        items = pool.items.take(inside)
        run = Run(
            items,
            y[inside],
            np.ones(len(inside), bool),
            belief.take(inside),
            Inclusions(np.arange(len(inside)), b[inside], 600),
            problem,
        )
        found = infer(metric, run, HorvitzThompson())
        values.append(found.value)
        variances.append(found.spread.variance)
    np.testing.assert_allclose(np.mean(variances, axis=0), np.var(values, axis=0), rtol=0.15)


# ------------------------------------------------------------------ joint estimates


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.vector])
def test_a_census_gives_exact_components_of_width_0(name: str) -> None:
    metric = METRICS[name]
    if "binary" in metric.kinds:
        pool, y = two_systems(60)
    else:
        pool, y = emotions(60)
    study = study_of(pool, y, sv.metrics.for_kind(pool.task.kind)[0], 60, preset="uniform")
    found = study.curve(name)
    exact = metric.value(mean_loss(metric, pool.items, y)) * metric.scale(60)
    assert found.method == "census"
    np.testing.assert_allclose(found.value, exact, rtol=1e-12)
    np.testing.assert_array_equal(found.low, found.high)
    np.testing.assert_array_equal(found.band_low, found.value)
    np.testing.assert_array_equal(found.missing_effects, np.zeros((2, len(found.value))))


def test_a_metric_whose_items_are_all_labelled_is_exact() -> None:
    """Every predicted positive is certain here, so that precision is known before the pool is."""
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 150)
    found = study.estimate("precision")
    assert found.interval.method == "census"
    assert found.interval.width == 0
    assert found.value == pytest.approx(y[pool.pred == 1].mean())


def test_bands_hold_the_pointwise_limits_and_stay_in_range() -> None:
    pool, y = two_systems()
    found = study_of(pool, y, "f1", 150).curve("pr_curve")
    known = ~np.isnan(found.value)
    assert ((found.band_low <= found.low) & (found.high <= found.band_high)).all()
    assert ((found.low <= found.value) & (found.value <= found.high))[known].all()
    assert (found.band_low >= 0).all()
    assert (found.band_high <= 1).all()
    assert known.any()


def test_pointwise_limits_are_the_scalar_ones() -> None:
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 150)
    both = study.curve("precision_recall")
    for k, name in enumerate(both.outputs):
        alone = study.estimate(name, interval="korn-graubard")
        assert both.value[k] == pytest.approx(alone.value)
        assert both.variance[k] == pytest.approx(alone.variance)
        assert both.low[k] == pytest.approx(alone.interval.low)
        assert both.high[k] == pytest.approx(alone.interval.high)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_limits_from_draws_are_the_scalar_ones_too(level: float) -> None:
    """A curve's limits had been the posterior's own, a scalar's were stretched: one method had two intervals."""
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 10, preset="recommended")
    both = study.curve("precision_recall", level=level)
    for k, name in enumerate(both.outputs):
        alone = study.estimate(name, level=level)
        assert both.value[k] == pytest.approx(alone.value)
        assert (both.low[k], both.high[k]) == pytest.approx((alone.interval.low, alone.interval.high))


def test_cells_of_two_classes_add_up_to_what_was_predicted() -> None:
    pool, y = two_systems()
    for preset in ("recommended", "uniform"):
        study = study_of(pool, y, "f1", 10, preset=preset)
        cells = study.curve("confusion").value.reshape(2, 2)
        assert cells[0, 1] == pytest.approx(study.estimate("missed_positives").value)
        if preset == "recommended":
            assert cells.sum(axis=1) == pytest.approx(np.bincount(pool.pred, minlength=2))


def test_undefined_components_name_the_absent_class() -> None:
    pool, y = emotions(30)
    y[:, 1] = 0
    study = study_of(pool, y, "micro_f1", 30)
    found = study.curve("class_recall")
    assert np.isnan(found.value[1])
    assert np.isfinite(found.value[[0, 2]]).all()
    assert "'anger'" in found.note
    macro = study.estimate(
        "macro_recall"
    )  # over the other classes, as scikit-learn has it with `zero_division=nan`
    assert macro.value == pytest.approx(np.nanmean(found.value))
    assert macro.interval.width == 0
    assert macro.note == "the mean is over the other classes: no item was found that is 'anger'"
    assert f"Macro recall: {macro.note}." in caveats(study, [macro])


def test_a_vector_metric_has_no_single_estimate() -> None:
    pool, y = emotions(30)
    with pytest.raises(sv.InputError, match=r"Study\.curve"):
        study_of(pool, y, "micro_f1", 10).estimate("class_f1")


# ------------------------------------------------------------------ regions


@pytest.mark.parametrize("number", [1, 2, 8])
def test_the_simultaneous_level_of_independent_components_is_sidaks(number: int) -> None:
    level = simultaneous_level(np.eye(number), 0.9, np.random.default_rng(0))
    assert level == pytest.approx(0.9 ** (1 / number), abs=0.01)


def test_components_that_move_together_need_no_wider_band() -> None:
    factor = np.outer(np.random.default_rng(0).normal(size=30), np.ones(8))
    assert simultaneous_level(factor, 0.9, np.random.default_rng(0)) == pytest.approx(0.9, abs=0.02)


def test_the_ellipsoid_is_marchants() -> None:
    """(G−Ĝ)ᵀ Σ̂⁻¹ (G−Ĝ) ≤ (J−1)k/(J(J−k))·F, Σ̂ the covariance of one draw."""
    draws = 40
    sigma = np.array([[2.0, 0.6], [0.6, 1.0]])
    region = Ellipsoid(np.array([0.3, 0.7]), sigma / draws, draws, 0.9)
    bound = (draws - 1) * 2 / (draws * (draws - 2)) * stats.f.ppf(0.9, 2, draws - 2)
    assert region.radius**2 / draws == pytest.approx(bound)
    edge = region.outline(50) - region.centre
    np.testing.assert_allclose(np.einsum("pi,ij,pj->p", edge, np.linalg.inv(sigma), edge), bound)


@pytest.mark.parametrize("ratio", [-0.7, 0.3, 1.3, 1.7, 7.0])
def test_of_two_components_that_move_together_the_region_is_a_segment(ratio: float) -> None:
    """Rounding may leave a covariance of rank 1 a negative eigenvalue, whose root is no number."""
    to = np.array([1.0, ratio])
    region = Ellipsoid(np.array([0.3, 0.7]), np.outer(to, to) / 100, 40, 0.9)
    edge = region.outline() - region.centre
    np.testing.assert_allclose(edge[:, 1], ratio * edge[:, 0], atol=1e-6)
    assert np.abs(edge[:, 0]).max() == pytest.approx(region.radius / 10, rel=1e-3)


def test_a_region_that_is_not_known_says_why() -> None:
    """Of a curve with an item skipped, the skip was named, and not the many components."""
    pool, _ = two_systems()
    study = sv.create_study(pool, metric="f1", budget=9, preset="uniform", seed=1)
    with pytest.raises(sv.InputError, match="'precision_recall' has no ellipsoid: no labels yet"):
        study.curve("precision_recall").ellipsoid()
    skipped, first, second = study.ask(3)
    study.tell_all([(skipped, sv.SKIP), (first, 1), (second, 0)])
    with pytest.raises(
        sv.InputError, match="'roc_curve' has no ellipsoid: too many components; use the bands"
    ):
        study.curve("roc_curve").ellipsoid()
    with pytest.raises(
        sv.InputError, match="an ellipsoid in 4 dimensions needs more labels than that; got 3"
    ):
        study.curve("confusion").ellipsoid()


@pytest.mark.parametrize("name", ["pr_curve", "roc_curve"])
def test_limits_of_a_long_curve_stay_in_its_range_however_many_answers_are_missing(name: str) -> None:
    pool, labels = pools.binary(120)
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", seed=3)
    for item in study.ask(40):
        study.tell(item.id, sv.SKIP if item.place % 3 == 0 else labels.by_id(pool)[item.id])
    found = study.curve(name)
    assert len(found.value) > 20
    for low, high in ((found.low, found.high), (found.band_low, found.band_high)):
        assert [np.nanmin(low), np.nanmax(high)] == pytest.approx([0, 1], abs=0)


def test_what_answers_not_given_may_move_is_added_to_the_region_all_round() -> None:
    """The sum of ellipse and box reaches as far in each direction as both do: its support function is their sum."""
    covariance = np.array([[0.02, 0.008], [0.008, 0.01]])
    below, above = np.array([-0.1, -0.02]), np.array([0.05, 0.3])
    alone = Ellipsoid(np.array([0.3, 0.7]), covariance, 40, 0.9)
    both = replace(alone, below=below, above=above)
    for angle in np.linspace(0, 2 * np.pi, 37):
        to = np.array([np.cos(angle), np.sin(angle)])
        box = np.maximum(to * below, to * above).sum()
        assert (both.outline(4000) @ to).max() == pytest.approx(
            (alone.outline(4000) @ to).max() + box, abs=1e-4
        )


def test_a_region_allows_for_any_label_of_items_without_an_answer() -> None:
    pool, labels = pools.binary(120)
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", seed=3)
    for item in study.ask(40):
        study.tell(item.id, sv.SKIP if item.place % 9 == 0 else labels.by_id(pool)[item.id])
    found = study.curve("precision_recall")
    edge = found.ellipsoid().outline()
    alone = replace(found.ellipsoid(), below=0.0, above=0.0).outline()
    reach = np.array([edge.min(axis=0) - alone.min(axis=0), edge.max(axis=0) - alone.max(axis=0)])
    np.testing.assert_allclose(reach, found.missing_effects, atol=1e-9)
    assert (found.missing_effects[0] < -0.01).all()
    assert (found.missing_effects[1] > 0.01).all()


def test_what_answers_not_given_may_move_of_counts_is_that_of_shares_times_the_items() -> None:
    pool, labels = pools.multiclass()
    study = sv.create_study(pool, metric="accuracy", budget=40, preset="uniform", seed=3)
    for item in study.ask(40):
        study.tell(item.id, sv.SKIP if item.place % 9 == 0 else labels.by_id(pool)[item.id])
    counts = METRICS["class_support"]
    shares = study.curve(replace(counts, name="shares", total=False))
    assert (shares.missing_effects[1] > 0.01).all()
    np.testing.assert_allclose(study.curve(counts).missing_effects, shares.missing_effects * pool.size)


@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_a_cell_allows_for_items_without_an_answer_as_the_same_number_by_itself(preset: str) -> None:
    """The matrix counted the items themselves alone: 36 to 154 missed positives where the metric said 35 to 549."""
    pool, labels = pools.binary(600)
    study = sv.create_study(pool, metric="f1", budget=60, preset=preset, seed=3)
    while items := study.ask(10):
        for item in items:
            study.tell(item.id, sv.SKIP if item.place % 5 == 0 else labels.by_id(pool)[item.id])
    rows, (negative, positive) = frames.confusion(study), pool.task.classes

    def cell(pred: str, true: str) -> pd.DataFrame:
        return rows.loc[(rows["predicted"] == pred) & (rows["true"] == true), ["low", "high"]]

    own, found = study.estimate("precision").interval, np.count_nonzero(pool.pred)
    np.testing.assert_allclose(cell(positive, positive), [[own.low * found, own.high * found]])
    if preset == "recommended":  # whose number of missed positives rests on the known number of items, too
        own = study.estimate("missed_positives").interval
        np.testing.assert_allclose(cell(negative, positive), [[own.low, own.high]], atol=1)


def test_the_ellipsoid_of_normal_draws_holds_its_level() -> None:
    """Hotelling's exact case; binomial band at a false-alarm rate below 1e-6."""
    rng, hits, repeats, draws = np.random.default_rng(2), 0, 4000, 12
    for _ in range(repeats):
        x = rng.normal(size=(draws, 2)) @ np.array([[1.0, 0.5], [0.0, 1.0]])
        region = Ellipsoid(x.mean(axis=0), np.cov(x.T) / draws, draws, 0.9)
        distance = region.centre @ np.linalg.inv(region.covariance) @ region.centre
        hits += bool(distance <= region.radius**2)
    low, high = stats.binom.ppf([5e-7, 1 - 5e-7], repeats, 0.9)
    assert low <= hits <= high


@pytest.mark.parametrize(
    ("family", "range_", "wanted"),
    [
        ("korn-graubard", (0, 1), "korn-graubard"),
        ("beta", (-1, 1), "beta"),
        ("beta", (0, np.inf), "log-normal"),
        ("korn-graubard", (-np.inf, 1), "log-normal"),
        ("logit", (-np.inf, np.inf), "normal"),
        ("log-normal", (0, 1), "normal"),
        ("normal", (0, np.inf), "normal"),
    ],
)
def test_the_interval_family_follows_the_range(family: str, range_: tuple[float, float], wanted: str) -> None:
    assert suited(family, range_) == wanted


def test_an_interval_of_another_family_says_why_in_words() -> None:
    """A range "0 to inf" with the reason "has no korn-graubard one" is of no use to anybody."""
    found = interval(Basis(0.4, 0.01, range=(0.0, np.inf)), 0.9, "korn-graubard")
    assert found.note == "a log-normal interval, since the metric has no largest value"
    assert not interval(Basis(0.4, 0.01), 0.9, "korn-graubard").note


def test_korn_graubard_rescales() -> None:
    """On [−1, 1] it is the interval of (v + 1)/2."""
    wide = korn_graubard(Basis(0.4, 0.01, range=(-1.0, 1.0)), 0.9)
    unit = korn_graubard(Basis(0.7, 0.0025), 0.9)
    assert wide.low == pytest.approx(2 * unit.low - 1)
    assert wide.high == pytest.approx(2 * unit.high - 1)


# ------------------------------------------------------------------ systems and parts


def test_systems_are_estimated_and_compared_on_the_same_labels() -> None:
    pool, y = two_systems()
    study = study_of(pool, y, difference(METRICS["f1"], "old", "new"), 200)
    old, new = (study.estimate(of_system(METRICS["f1"], name)) for name in ("old", "new"))
    apart = study.estimate()
    assert apart.value == pytest.approx(old.value - new.value)
    assert apart.variance < old.variance + new.variance  # what both get wrong alike cancels
    assert -1 <= apart.interval.low <= apart.value <= apart.interval.high <= 1


def test_a_difference_of_matrices_is_that_of_their_cells() -> None:
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 200, preset="uniform")
    apart = study.curve(difference(METRICS["confusion"], "old", "new"))
    rows = study.state.queue
    told = [pool.items.of(name).pred[rows] for name in ("old", "new")]
    for cell, (said, true) in enumerate(product((0, 1), repeat=2)):
        old, new = (((y[rows] == true) & (pred == said)).astype(float) for pred in told)
        assert apart.value[cell] == pytest.approx(400 * (old - new).mean())
        assert apart.variance[cell] == pytest.approx(400 * 200 / 200 * (old - new).var(ddof=1))


@pytest.mark.parametrize("written", ["new-old", "new -old"])
def test_a_difference_without_its_spaces_is_suggested_with_them(written: str) -> None:
    """The suggestion had been "old", a metric of one system."""
    pool, _ = two_systems()
    with pytest.raises(sv.InputError, match=f"got '{written}'; did you mean 'new - old'"):
        sv.create_study(pool, metric=f"f1[{written}]", budget=10)


def test_no_name_is_suggested_that_would_be_read_in_another_way() -> None:
    """ "c - a - b" was answered with itself: a system's name that looks like a difference is put in quotation marks."""
    frame = pd.DataFrame({"a - b.score": [0.2, 0.7], "c.score": [0.3, 0.1]})
    with pytest.raises(sv.InputError, match="got 'c - a - b'; did you mean 'a - b'"):
        sv.create_study(Pool.from_frame(frame), metric="f1[c - a - b]", budget=2)
    with pytest.raises(sv.InputError, match="got 'new - old'; there is 'old', 'new'"):
        two_systems()[0].items.of("new - old")


def test_a_system_does_not_differ_from_itself() -> None:
    pool, y = two_systems()
    same = minus(of_system(METRICS["f1"], "old"), of_system(METRICS["f1"], "old"))
    found = study_of(pool, y, "f1", 100).estimate(same)
    assert found.value == 0
    assert found.variance == pytest.approx(0, abs=1e-18)


def test_systems_are_told_apart_exactly_where_all_items_they_disagree_on_are_labelled() -> None:
    """Draws that rounding alone told apart made limits of 0.001666666666666586 and 0.001666666666666706."""
    rng = np.random.default_rng(0)
    old = 1 / (1 + np.exp(-rng.normal(-2, 2, 3000)))
    new = np.clip(old + rng.normal(0, 0.02, 3000), 0, 1)
    y = (rng.random(3000) < old).astype(int)
    pool = sv.Pool.from_frame(pd.DataFrame({"old.score": old, "new.score": new}))
    study = sv.create_study(pool, metric="accuracy[new - old]", budget=80)
    while items := study.ask(20):
        for item in items:
            study.tell(item, int(y[int(item.id)]))
    right, found = [system.pred == y for system in pool.systems], study.estimate()
    assert found.value == pytest.approx(right[1].mean() - right[0].mean(), abs=1e-12)
    assert found.interval.low == found.value == found.interval.high
    assert study.estimate("accuracy").interval.width > 0


def test_the_covariance_of_a_difference_is_counted() -> None:
    """Var(a − b) = Var a + Var b − 2 Cov, from the two metrics' own effects."""
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 150)
    run = study.run()
    assert run is not None
    f1, used = METRICS["f1"], study.method.estimator
    one, other = (infer(of_system(f1, name), run, used).spread.factor[:, 0] for name in ("old", "new"))
    found = infer(difference(f1, "old", "new"), run, used).spread.variance[0]
    assert found == pytest.approx(one @ one + other @ other - 2 * one @ other)


@pytest.mark.parametrize("name", ["f1", "accuracy", "mcc", "brier", "positives", "auc"])
def test_a_part_is_estimated_as_a_pool_of_its_own(name: str) -> None:
    pool, y = two_systems(80)
    members = pool.fields["part"].to_numpy() == "a"
    part = within(METRICS[name], members, "part = a")
    small = Pool.from_frame(pd.DataFrame({"score": pool.score[members]})).items
    wanted = METRICS[name].value(mean_loss(METRICS[name], small, y[members]))[0]
    wanted *= METRICS[name].scale(int(members.sum()))
    study = study_of(pool, y, "f1", 80, preset="uniform")
    assert study.estimate(part).value == pytest.approx(wanted)
    queue = study_of(pool, y, part, 40)
    assert np.isin(queue.state.queue, np.flatnonzero(members)).all()  # others cannot matter


OTHERS = {
    "a system": lambda members: of_system(METRICS["accuracy"], "new"),
    "a difference": lambda members: difference(METRICS["accuracy"], "old", "new"),
    "a part": lambda members: within(METRICS["accuracy"], members, "part = a"),
}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("which", OTHERS)
def test_a_metric_of_a_system_or_a_part_is_no_other_in_a_method_s_own_form(which: str, preset: str) -> None:
    """Some presets write accuracy with a known denominator: that form too is of the system or the part."""
    pool, y = two_systems(24)
    metric = OTHERS[which](pool.fields["part"].to_numpy() == "a")
    wanted = float(metric.value(mean_loss(metric, pool.items, y))[0])
    form = PRESETS[preset].method_for("binary").form(metric)
    assert (form.name, form.systems, form.part) == (metric.name, metric.systems, metric.part)
    assert float(form.value(mean_loss(form, pool.items, y))[0]) == pytest.approx(wanted)
    drawn = study_of(pool, y, metric, 24, preset=preset)
    while items := drawn.ask(24):
        drawn.tell_all((item, int(y[pool.position(item.id)])) for item in items)
    if drawn.labels == 24:
        assert drawn.estimate(metric).value == pytest.approx(wanted)


def test_parts_of_label_sets_and_their_differences() -> None:
    pool, y = emotions(80)
    members = np.arange(80) % 3 == 0
    f1 = METRICS["macro_f1"]
    a, b = within(f1, members, "third"), within(f1, ~members, "rest")
    study = study_of(pool, y, "macro_f1", 80, preset="uniform")
    assert study.estimate(minus(a, b)).value == pytest.approx(
        study.estimate(a).value - study.estimate(b).value
    )
    planned = sv.plan(pool, metric=minus(a, b), budget=30)
    assert np.isfinite(planned.expected_error)


def test_an_empty_part_is_unknown_and_says_so() -> None:
    pool, y = two_systems(40)
    found = study_of(pool, y, "f1", 40).estimate(within(METRICS["f1"], np.zeros(40, bool), "part = z"))
    assert np.isnan(found.value)
    assert "part = z" in found.note


# ------------------------------------------------------------------ label sets


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8])
def test_a_set_that_is_missing_may_be_the_decision_or_another(threshold: float) -> None:
    """Of twelve labels no list holds all sets: those that matter to an exact match are in it all the same."""
    names = [f"l{k}" for k in range(12)]
    score = np.random.default_rng(0).random((60, 12))
    pool = Pool.from_frame(
        pd.DataFrame(score, columns=names), score=names, threshold=threshold, task="multilabel", fields=[]
    )
    study = sv.create_study(pool, metric="exact_match", budget=30, preset="queue")
    decided = {str(id): np.flatnonzero(row) for id, row in zip(pool.ids, pool.pred, strict=True)}
    sets = {id: [names[k] for k in at] for id, at in decided.items()}
    items = study.ask(30)
    study.tell_all((item, sv.SKIP if k % 2 else sets[item.id]) for k, item in enumerate(items))
    limits = study.estimate().interval
    for other in (sets, {id: sorted(set(names) - set(said)) for id, said in sets.items()}):
        study.tell_all((item, other[item.id]) for item in items[1::2])
        assert limits.low <= study.estimate().value <= limits.high


def test_cross_terms_are_not_dropped() -> None:
    """Y eq 109 leaves them out: its variance is then below the true one."""
    rng, n, width = np.random.default_rng(0), 400, 8
    score = np.clip(rng.beta(0.5, 1.5, (n, 1)) + rng.normal(0, 0.1, (n, width)), 0.01, 0.99)
    pool = Pool.from_frame(pd.DataFrame({f"score_{k}": score[:, k] for k in range(width)}), task="multilabel")
    belief = Shrunk().model(pool).believe(Evidence.none(pool))
    metric = METRICS["macro_f1_of_means"]
    full = moments(metric, pool.items, belief)
    assert metric.shortcuts.by_label is not None
    short = truncated_square(
        metric.shortcuts.by_label(pool.items, metric.gradient(predicted_risk(metric, pool.items, belief))),
        belief.mean,
    )
    assert short.mean() < 0.95 * full.square.mean()


def test_curves_never_build_an_array_of_items_by_thresholds() -> None:
    import tracemalloc

    rng, n = np.random.default_rng(0), 200_000
    pool = Pool.from_frame(pd.DataFrame({"score": rng.beta(0.3, 2, n)}))
    belief = Shrunk().model(pool).believe(Evidence.none(pool))
    metric = precision_recall_curve(512)
    tracemalloc.start()
    moments(metric, pool.items, belief)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * 512 * 8 / 10


# ------------------------------------------------------------------ joint targets


def test_a_joint_target_leaves_no_metric_behind() -> None:
    """Each metric's variance is within 2.5 times that of its own best design; equal inclusion's scale fails that."""
    rng, names = np.random.default_rng(0), ["f1", "recall", "accuracy", "specificity"]
    pool = Pool.from_frame(pd.DataFrame({"score": rng.beta(0.005, 1, 50_000)}))
    problem = Problem(pool, dict.fromkeys((METRICS[name] for name in names), 1.0), Shrunk(shrinkage=0.99))
    each = {name: moments(METRICS[name], pool.items, problem.belief) for name in names}

    def worst(h: NDArray[Any]) -> float:
        return max(variance(m.square, h) / variance(m.square, np.sqrt(m.square)) for m in each.values())

    def variance(square: NDArray[Any], h: NDArray[Any]) -> float:
        return float(((1 / water_fill(h, 500)[square > 0] - 1) * square[square > 0]).sum())

    assert worst(problem.size) < 2.5
    equal = sum((m.square / m.square.mean() for m in each.values()), start=np.zeros(pool.size))
    assert worst(np.sqrt(equal)) > 4


def test_a_round_weighs_metrics_by_the_belief_it_looks_with() -> None:
    """One rule for sizes and for how far the belief is trusted: √Σ is what sizes are made of."""
    pool, _ = two_systems(200)
    both = {METRICS["f1"]: 1.0, METRICS["accuracy"]: 2.0}
    problem = Problem(pool, both, Shrunk())
    found = joint(both, pool.items, problem.belief, {m: problem.predicted_risk(m) for m in both})
    assert found.weights == problem.joint_weights
    np.testing.assert_allclose(
        found.square, sum(s * found.each[m].square for m, s in problem.joint_weights.items())
    )
    sizes = [weight * np.sqrt(found.each[m].square).mean() ** -2 for m, weight in both.items()]
    assert list(problem.joint_weights.values()) == pytest.approx(sizes)


def test_a_surrogate_for_other_labels_is_refused() -> None:
    pool, _ = emotions(20)
    said = "`surrogate` 'calibration' is not made for multilabel labels; use 'shrunk' or"
    with pytest.raises(sv.InputError, match=said):
        sv.create_study(pool, metric="micro_f1", budget=5, surrogate="calibration")
    with pytest.raises(sv.InputError, match=said):
        Problem(pool, {resolve("micro_f1"): 1.0}, Calibration())


# ------------------------------------------------------------------ names and plans


def test_a_study_of_a_difference_is_reopened_by_its_name(tmp_path: Any) -> None:
    pool, y = two_systems(60)
    storage = f"sqlite:///{tmp_path / 'studies.db'}"
    study = study_of(pool, y, "f1[old - new]", 20, storage=storage, name="pair")
    again = sv.load_study("pair", storage)
    assert again.estimate().value == study.estimate().value
    assert again.estimate("recall[new]").value == study.estimate(of_system(METRICS["recall"], "new")).value
    with pytest.raises(sv.InputError, match="'newest'"):
        study.estimate("recall[newest]")


@pytest.mark.parametrize(
    "names", [("x", "y - z"), ("x -", "y"), ('"x"', '- "y'), ("x[1]", "y - [2]")], ids=" and ".join
)
def test_what_is_offered_of_systems_is_understood(names: tuple[str, str]) -> None:
    frame = pd.DataFrame({"a": [0.1, 0.6, 0.9], "b": [0.2, 0.8, 0.3]})
    systems = {name: {"score": column} for name, column in zip(names, "ab", strict=True)}
    pool = Pool.from_frame(frame, system=systems)
    offered = [name for name in sv.metrics.questions(pool) if "[" in name]
    assert len(offered) == 4
    y = np.array([0, 1, 1])
    for name in [*offered, *(of_system(METRICS["f1"], name).name for name in names)]:
        metric = resolve(name)
        assert metric.name == name
        assert metric.systems <= set(names)
        assert np.isfinite(metric.value(mean_loss(metric, pool.items, y))).all()


def test_only_three_systems_help_to_predict_and_the_others_are_named() -> None:
    score = np.linspace(0.02, 0.98, 50)
    for names, beyond in (("abc", ""), ("abcde", "those of d, e do not")):
        pool = sv.Pool.from_frame(pd.DataFrame({f"{name}.score": score for name in names}))
        said = side_by_side(sv.create_study(pool, metric="f1", budget=9, preset="recommended"))
        assert (beyond in said) if beyond else said == ""
        assert side_by_side(sv.create_study(pool, metric="f1", budget=9, preset="queue")) == ""


def test_what_is_expected_of_one_of_two_systems_is_what_is_of_it_alone(rng: np.random.Generator) -> None:
    score = {name: rng.random((20, 3)) for name in "ab"}
    frame = pd.DataFrame({f"{s}.score_{k}": score[s][:, k] for s in "ab" for k in range(3)})
    alone = pd.DataFrame({f"score_{k}": score["b"][:, k] for k in range(3)})
    both, one = (Pool.from_frame(each, task="multilabel") for each in (frame, alone))
    belief = Belief(one.task, rng.random((20, 3)))
    for name in for_kind("multilabel"):
        found = expected_loss(of_system(METRICS[name], "b"), both.items, belief)
        np.testing.assert_allclose(found, expected_loss(METRICS[name], one.items, belief), err_msg=name)


def test_grids_are_told_by_name_and_never_mistaken() -> None:
    even, own = precision_recall_curve(33), precision_recall_curve(np.linspace(0.2, 0.9, 33))
    assert even.name == "pr_curve@33"
    assert resolve(even.name).components(Task()) == even.components(Task())
    assert own.name != even.name
    with pytest.raises(sv.InputError):
        resolve(own.name)


def test_close_thresholds_are_told_apart() -> None:
    close = roc_curve(np.array([0.1, 0.1000001, 0.5])).components(Task())
    assert close[:3] == (
        "false positive rate at 0.1",
        "false positive rate at 0.1000001",
        "false positive rate at 0.5",
    )
    assert roc_curve(np.array([1 / 3, 0.5])).components(Task())[0] == "false positive rate at 0.333333"


@pytest.mark.parametrize("beta", [1.0000001, 1 / 3, 1e-7, 1e200, 2.0])
def test_a_beta_is_told_by_name_and_never_mistaken(beta: float) -> None:
    metric = f_beta(beta)
    assert resolve(metric.name).name == metric.name
    assert (metric.name in METRICS) == (beta == 2)
    items, y = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.6, 0.9]})).items, np.array([1, 0, 1])
    assert (resolve(metric.name).loss(items, y) == metric.loss(items, y)).all()


def test_a_plan_of_a_vector_tells_the_error_of_its_components() -> None:
    pool, _ = two_systems()
    both = sv.plan(pool, metric="precision_recall", budget=100)
    each = [sv.plan(pool, metric=name, budget=100).expected_error for name in ("precision", "recall")]
    assert np.isnan(both.expected_width)
    assert np.isnan(both.predicted)
    assert min(each) < both.expected_error < 3 * max(each)


@pytest.mark.slow
def test_bands_hold_whole_curves_even_where_nothing_varied() -> None:
    """Uniform samples with a dozen positives: most components show no variation, and the belief must speak."""
    rng, n, repeats = np.random.default_rng(8), 2000, 120
    score = rng.beta(0.15, 1.5, n)
    pool, y = Pool.from_frame(pd.DataFrame({"score": score})), (rng.random(n) < score).astype(np.int64)
    metric = METRICS["pr_curve"]
    exact = metric.value(mean_loss(metric, pool.items, y))
    known = np.isfinite(exact)
    hits = 0
    for seed in range(repeats):
        found = study_of(pool, y, "f1", 150, preset="uniform", seed=seed).curve(metric)
        inside = (found.band_low <= exact + 1e-9) & (exact <= found.band_high + 1e-9)
        hits += bool(inside[known].all())
    assert hits >= stats.binom.ppf(1e-6, repeats, 0.9)


def test_a_vector_metric_of_numbers_has_student_s_limits() -> None:
    """Means of y and of 2y from a plain sample: scipy's t on the degrees that the spread tells, twice as wide for 2y."""
    both = sv.metrics.Metric(
        "both",
        "Both",
        lambda items, y: np.column_stack([y, 2 * y, np.ones(len(y))]),
        lambda risk: risk[:2] / risk[2],
        kinds=frozenset({"regression"}),
        range=(-np.inf, np.inf),
        outputs=("once", "twice"),
    )
    rng = np.random.default_rng(1)
    pool = Pool.from_frame(pd.DataFrame({"pred": rng.normal(size=400)}), task="regression")
    study = sv.create_study(pool, metric="mean_label", budget=8, preset="uniform")
    said = rng.normal(size=400)
    study.tell_all([(item, said[int(item.id)]) for item in study.ask(8)])
    found, alone = study.curve(both), study.estimate("mean_label").interval
    np.testing.assert_allclose((found.low[0], found.high[0]), (alone.low, alone.high), rtol=1e-9)
    np.testing.assert_allclose(found.high - found.low, np.array([1, 2]) * (alone.high - alone.low))
    assert alone.high - alone.low > 2 * 1.645 * np.sqrt(found.variance[0])


def of_rare_positives(seed: int, preset: str) -> tuple[sv.Study, sv.metrics.Metric, NDArray[Any]]:
    """150 labels of 5,000 items with calibrated scores, one in fifty of which is positive, a curve, and its true values."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(-8.5, 3, 5000)
    score = 1 / (1 + np.exp(-odds))
    truth = (rng.random(5000) < score).astype(int)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    metric = precision_recall_curve(np.quantile(score[truth == 1], np.linspace(0, 1, 15)))
    exact = metric.value(mean_loss(metric, pool.items, truth))
    return study_of(pool, truth, metric, 150, preset=preset, seed=seed), metric, exact


def test_bands_expect_the_rare_positives_that_a_sample_did_not_meet() -> None:
    """From the samples' own variances, 15 of these 20 bands held the whole curve."""
    held = []
    for seed in range(20):
        study, metric, exact = of_rare_positives(seed, "queue")
        found = study.curve(metric)
        held.append(((found.band_low <= exact + 1e-9) & (exact <= found.band_high + 1e-9)).all())
    assert sum(held) >= 18


@pytest.mark.parametrize(("preset", "own"), [("uniform", True), ("queue", False)])
def test_bands_of_a_sample_that_gives_every_item_the_same_chance_rest_on_its_own_variance(
    preset: str, own: bool
) -> None:
    study, metric, _ = of_rare_positives(0, preset)
    run, design = study.run(), study.method.design
    assert run is not None
    result = infer(metric, run, study.method.estimator)
    known = grounded(result, design)
    larger = expecting(known, result, design).variance > known.variance
    assert larger.any() != own
    found = study.curve(metric)
    assert (found.band_low <= found.low).all()
    assert (found.band_high >= found.high).all()


def test_a_component_that_varies_by_rounding_alone_leaves_the_band_as_it_is() -> None:
    """It had counted as a moving component, so that a change in its last digit moved the limits of whole curves."""
    noisy = sv.metrics.Metric(
        "noisy",
        "Accuracy, and one that is always 1/3",
        lambda items, y: np.column_stack([items.pred == y, np.ones(len(y)), np.full(len(y), 1 / 3)]),
        lambda risk: np.array([risk[0] / risk[1], risk[2] / risk[1]]),
        lambda risk: np.array([[1, -risk[0] / risk[1], 0], [0, -risk[2] / risk[1], 1]]) / risk[1],
        kinds=frozenset({"binary"}),
        outputs=("accuracy", "third"),
    )
    pool, y = two_systems()
    found = study_of(pool, y, "f1", 150).curve(noisy)
    assert found.variance[0] > 0 == found.variance[1]
    assert (found.band_low[0], found.band_high[0]) == (found.low[0], found.high[0])


@pytest.mark.parametrize("answer", [0, 1])
def test_many_parts_allow_for_the_labels_that_were_skipped_in_each(answer: int) -> None:
    """Of 40 score bins, a few with skipped items were looked at: limits of others missed by .3 what all-alike answers give."""
    pool, labels = pools.binary(600)
    study, bins = sv.create_study(pool, metric="accuracy", budget=120, seed=3), sv.metrics.reliability(40)
    skipped = []
    while items := study.ask(20):
        for item in items:
            study.tell(item, sv.SKIP if item.place % 3 == 0 else labels.by_id(pool)[item.id])
            skipped += [item.id] if item.place % 3 == 0 else []
    allowed = study.curve(bins)
    study.tell_all((item, pool.task.classes[answer]) for item in skipped)
    told = study.curve(bins)
    assert (allowed.low <= told.low + 0.05).all()
    assert (told.high <= allowed.high + 0.05).all()


@pytest.mark.parametrize("about", ["low", "high", "band_low", "band_high"])
def test_limits_of_costs_have_the_unit_of_the_costs(about: str) -> None:
    """Shares of a range of 10: with few degrees of freedom, the variance in the wrong unit moved the limits."""
    pool, labels = pools.binary(300)

    def costs(most: float) -> sv.metrics.Metric:
        return sv.metrics.Metric(
            f"costs of {most}",
            "Costs",
            lambda items, y: np.column_stack([y * items.pred, y * (1 - items.pred), np.ones(len(y))]),
            lambda risk: most * risk[:2] / risk[2],
            range=(0, most),
            outputs=("hit", "miss"),
        )

    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", seed=1)
    study.answer(labels, 40)
    one, ten = study.curve(costs(1.0)), study.curve(costs(10.0))
    np.testing.assert_allclose(getattr(ten, about), 10 * getattr(one, about), rtol=1e-6)


def test_limits_of_up_to_twenty_classes_allow_for_the_worst_answers_of_each() -> None:
    """Of longer curves, eight ends are sought: of ten classes, most could then have more items than their limits said."""
    names = list("abcdefghij")
    pool = Pool.from_frame(pd.DataFrame({"pred": names * 20}), pred="pred", task="multiclass", classes=names)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    study.tell_all(
        (item, sv.SKIP if item.place % 3 == 0 else names[int(item.id) % 10]) for item in study.ask(60)
    )
    run = study.run()
    assert run is not None
    result = infer(METRICS["class_support"], run, study.method.estimator)
    ends = np.array([end.value for end in worst_ends(result)])
    for k in range(10):
        given = np.full(np.count_nonzero(~run.responded), k)
        assert ends[:, k].max() == completed(result, given).value[k]
