"""Plans: the anticipated error is that of the design, also where some items cannot matter or are held."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import sampleval as sv
from sampleval.designs import DESIGNS, Problem, Profile
from sampleval.metrics import resolve
from sampleval.numerals import number
from sampleval.partition import partition
from sampleval.planning import curve_of, plan_of
from sampleval.planning.widths import Expected, certain_share, left_by, unforeseen, unmet
from sampleval.presets import PRESETS, method_of
from sampleval.surrogates import Evidence, expected_effects, expected_loss, moments


def pool(n: int = 200, seed: int = 3) -> sv.Pool:
    rng = np.random.default_rng(seed)
    return sv.Pool.from_frame(pd.DataFrame({"id": np.arange(n).astype(str), "score": rng.beta(0.5, 1.5, n)}))


def held(index: list[int]) -> Evidence:
    return Evidence(np.array(index, np.intp), np.zeros(len(index), np.int8), np.ones(len(index)))


def test_a_plan_prints_as_one_line_of_what_is_known() -> None:
    made = sv.plan(pool(), metric="f1", budget=20)
    value, error, width = map(number, (made.predicted, made.expected_error, made.expected_width))
    assert str(made) == f"20 labels: f1 about {value}, expected error {error}, interval {width} wide"
    aimed = sv.plan(pool(), metric="f1", goal=0.05)
    assert str(aimed).endswith(f" wide; ± 0.05 needs {aimed.needed}")
    joint = sv.plan(pool(), metric="confusion", budget=20)
    assert str(joint) == f"20 labels: confusion, expected error {number(joint.expected_error)}"
    table = pd.DataFrame({"id": list("abcd"), "pred": [0, 0, 0, 0]})
    undefined = sv.plan(sv.Pool.from_frame(table, classes=["0", "1"]), metric="precision", budget=2)
    assert str(undefined) == f"{undefined.asked} labels: {undefined.note}"


@pytest.mark.parametrize("preset", [None, "queue", "yilmaz-bs", "yilmaz-is", "uniform", "stratified"])
def test_a_plan_neither_draws_nor_looks_up_items(monkeypatch: pytest.MonkeyPatch, preset: str | None) -> None:
    """To count them, `recommended` put all items in hash order, and each plan indexed all ids to find no held label.

    That took two thirds of the time of a first plan at N = 10⁶. Adaptive designs begin with groups in hash order.
    """

    def draw(*_: object) -> None:
        raise AssertionError("random numbers for the items")

    monkeypatch.setattr("sampleval.designs.problem.problem.uniforms", draw)
    monkeypatch.setattr("sampleval.designs.problem.problem.hashes", draw)
    fresh = pool()
    assert sv.plan(fresh, metric="f1", budget=20, preset=preset).asked
    assert "_index" not in vars(fresh)


@pytest.mark.parametrize(
    ("preset", "wanted"), [("marchant-tree", 256), ("oasis", 30), ("stratified", 16), ("queue", 0)]
)
def test_a_plan_says_that_scores_are_too_few_for_the_strata_asked_for(preset: str, wanted: int) -> None:
    """Hundreds fewer strata than asked for had been taken in silence."""
    table = pd.DataFrame({"score": np.tile([0.1, 0.4, 0.8], 20)})
    told = f"3 strata instead of {wanted}: there are only 3 different values" if wanted else ""
    made = sv.plan(sv.Pool.from_frame(table), metric="f1", budget=20, preset=preset)
    assert made.strata == told
    assert str(made).endswith(told)
    assert sv.plan(pool(400), metric="f1", budget=20, preset=preset).strata == ""


def test_of_sets_of_labels_the_label_with_the_fewest_strata_is_told_of() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"score_a": rng.random(300), "score_b": np.tile([0.2, 0.7], 150)})
    several = sv.Pool.from_frame(table, task="multilabel")
    made = sv.plan(several, metric="micro_f1", budget=20, surrogate="dirichlet-tree", design="adaptive")
    assert made.strata == "2 strata instead of 256: there are only 2 different values"


@pytest.mark.parametrize("metric", ["f1", "precision", "accuracy"])
@pytest.mark.parametrize("defensive", [0.0, 0.2])
@pytest.mark.parametrize("known", [[], [0, 1, 2, 50]])
def test_anticipated_variance_of_poisson_is_that_of_its_inclusions(
    metric: str, defensive: float, known: list[int]
) -> None:
    method = method_of(design="poisson", defensive=defensive)
    problem = Problem(pool(), {resolve(metric): 1.0}, method.surrogate, 0, held(known))
    chosen = resolve(metric)
    at = problem.predicted_risk(chosen)
    square = moments(chosen, problem.pool.items, problem.belief, risk=at).square
    for budget in (5, 60, 150):
        b = method.design.inclusion(problem, budget)
        asked = (b > 0) & (square > 0)
        expected = ((1 / b[asked] - 1) * square[asked]).sum() / 200**2
        got = method.design.variance(problem.profile, np.array([budget], float))[0]
        assert got == pytest.approx(expected, rel=1e-9)
        assert certain_share(method, problem.profile, np.array([budget], float))[0] == (b >= 1).mean()


@pytest.mark.parametrize("target", [["precision", "recall"], {"accuracy": 1.0, "f1": 5.0, "precision": 2.0}])
@pytest.mark.parametrize("known", [[], [0, 1, 2, 50]])
def test_a_joint_target_is_planned_for_each_metric_in_one_sample(target: Any, known: list[int]) -> None:
    """√Σ (1/b − 1) E d_k² / N with each metric's own d_k and the inclusion probabilities of all of them."""
    scored = pool()
    told = {str(scored.ids[n]): 0 for n in known}
    made = sv.plan(scored, metric=target, budget=60, design="poisson", held=told)
    assert [each.metric for each in (made, *made.also)] == list(target)
    problem = Problem(scored, {resolve(name): 1.0 for name in target}, made.method.surrogate, 0, held(known))
    for each in (made, *made.also):
        np.testing.assert_array_equal(each.inclusion, made.inclusion)
        metric, b = resolve(each.metric), each.inclusion
        at = problem.predicted_risk(metric)
        square = moments(metric, scored.items, problem.belief, risk=at).square
        asked = (b > 0) & (square > 0)
        expected = ((1 / b[asked] - 1) * square[asked]).sum() / 200**2
        assert each.expected_error == pytest.approx(np.sqrt(expected), rel=1e-9)
        assert each.predicted == pytest.approx(metric.value(at)[0])
    alone = [sv.plan(scored, metric=name, budget=60, design="poisson", held=told) for name in target]
    assert all(
        own.expected_error < each.expected_error
        for own, each in zip(alone, (made, *made.also), strict=True)
        if np.ptp(own.inclusion[own.inclusion > 0])
    )


@pytest.mark.parametrize("design", ["priority", "rounds"])
def test_a_joint_target_knows_a_metric_exactly_once_all_its_items_are_certain(design: str) -> None:
    """Precision needs the predicted positives alone; the sample goes on for recall."""
    scored = pool()
    made = sv.plan(scored, metric=["recall", "precision"], budget=150, design=design)
    (precision,) = made.also
    assert made.saturated[scored.pred == 1].all()
    assert not made.saturated.all()
    assert made.expected_error > 0
    assert precision.expected_error == precision.expected_width == 0
    assert not precision.note


def test_a_goal_is_the_first_metric_s_of_a_joint_target() -> None:
    target = ["recall", "precision"]
    needed = sv.budget_for(pool(), metric=target, width=0.2, preset="queue")
    made = sv.plan(pool(), metric=target, goal=0.1, preset="queue")
    assert made.needed == needed
    assert made.budget == needed.likely
    assert f"; recall ± 0.1 needs {needed}" in str(made)
    assert "; precision about " in str(made)
    near, enough = (
        sv.plan(pool(), metric=target, budget=int(needed.likely) - less, preset="queue").expected_width
        for less in (1, 0)
    )
    assert enough <= 0.2 < near
    curve = sv.plan_curve(pool(), metric=target, budgets=[30], designs=["priority"])
    assert curve["width"][0] == sv.plan(pool(), metric=target, budget=30, preset="queue").expected_width


@pytest.mark.parametrize("design", ["uniform", "stratified"])
@pytest.mark.parametrize("metric", ["f1", "precision"])
@pytest.mark.parametrize("known", [[], [0, 1, 2, 50]])
def test_anticipated_variance_of_uniform_is_that_of_simple_random_sampling(
    design: str, metric: str, known: list[int]
) -> None:
    """(1 − M/E) E² S²/(M N²) for E items that can be asked. For a ratio d sums to 0, so that S² is the mean of E d²."""
    method = method_of(design=design)
    problem = Problem(pool(), {resolve(metric): 1.0}, method.surrogate, 0, held(known))
    chosen = resolve(metric)
    at = problem.predicted_risk(chosen)
    square = moments(chosen, problem.pool.items, problem.belief, risk=at).square[problem.eligible]
    eligible, m = len(square), 40
    expected = (1 - m / eligible) * eligible**2 * square.mean() / m / 200**2
    assert method.design.variance(problem.profile, np.array([m], float))[0] == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["f1", "precision", "accuracy"])
@pytest.mark.parametrize("known", [[], [0, 1, 2, 50]])
def test_a_stratified_sample_is_planned_with_what_strata_leave_open(metric: str, known: list[int]) -> None:
    """The squares are those around the means of the strata, E Σ (d − d̄_k)², up to the degree of freedom of each mean.

    With the squares of a uniform sample, budgets were half as large again as needed.
    """
    method = method_of("stratified")
    problem = Problem(pool(), {resolve(metric): 1.0}, method.surrogate, 0, held(known))
    chosen = resolve(metric)
    risk = problem.predicted_risk(chosen)
    at = moments(chosen, problem.pool.items, problem.belief, risk=risk)
    mean = expected_loss(chosen, problem.pool.items, problem.belief) @ chosen.gradient(risk)[0]
    able, left = problem.eligible, 0.0
    stratum = partition(problem.pool, leaves=16).leaf
    for k in np.unique(stratum):
        there = able & (stratum == k)
        left += at.square[there].sum() - mean[there].sum() ** 2 / max(there.sum(), 1)
    m, eligible = 40, able.sum()
    frame = curve_of(problem, {"": method}, np.array([m], float), 0.9)
    assert frame["error"][0] ** 2 == pytest.approx((1 / m - 1 / eligible) * eligible * left / 200**2)
    assert (
        frame["error"][0]
        < curve_of(problem, {"": method_of("uniform")}, np.array([m], float), 0.9)["error"][0]
    )


def test_the_range_of_a_stratified_budget_counts_on_strata_too() -> None:
    strata, uniform = (
        sv.budget_for(pool(2000), metric="accuracy", width=0.1, preset=preset)
        for preset in ("stratified", "uniform")
    )
    assert strata.likely < uniform.likely
    assert (strata.low, strata.high) < (uniform.low, uniform.high)
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(0, 10, 500)}))
    assert (
        sv.plan(numbers, metric="mean_label", budget=50, preset="stratified").expected_error
        < 0.8 * sv.plan(numbers, metric="mean_label", budget=50, preset="uniform").expected_error
    )


def test_a_mean_over_many_classes_is_planned_with_those_that_a_plain_sample_may_miss() -> None:
    """Limits of macro-F1 allow any value for a class without labels. Plans once ignored this."""
    rng = np.random.default_rng(5)
    odds = 2.5 * rng.normal(size=(3000, 30))
    p = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    frame = pd.DataFrame(p, columns=[f"s{c:02}" for c in range(30)])
    frame["label"] = [f"{c:02}" for c in (p.cumsum(axis=1) > rng.random((3000, 1))).argmax(axis=1)]
    scores = {f"{c:02}": f"s{c:02}" for c in range(30)}
    many = sv.Pool.from_frame(frame, score=scores, label="label")
    labels = sv.Labels.from_frame(frame, many, label="label")
    real = sv.simulate(many, labels, presets="uniform", metric="macro_f1", budgets=[50, 100, 150], repeats=20)
    for budget, width in zip(real["budget"], real["width"], strict=True):
        planned = sv.plan(many, metric="macro_f1", budget=budget, preset="uniform").expected_width
        assert 0.75 < planned / width < 1.25
    held = {many.ids[i]: frame["label"][i] for i in frame["label"].drop_duplicates().index}
    assert len(held) == 30
    told = [sv.plan(many, metric="macro_f1", budget=70, preset="uniform", held=h) for h in (held, None)]
    assert told[0].expected_width < 0.75 * told[1].expected_width


def test_a_mean_over_classes_of_a_second_system_is_planned_with_the_classes_that_it_predicts() -> None:
    """The first system hardly ever predicts half of the classes, which once counted for the precision of the other too."""
    rng = np.random.default_rng(0)
    score = {"a": rng.dirichlet([5.0] * 3 + [0.02] * 3, 2000), "b": rng.dirichlet([1.0] * 6, 2000)}
    both = pd.DataFrame({f"{s}.score_{c}": p[:, c] for s, p in score.items() for c in range(6)})
    alone = both.filter(like="b.").rename(columns=lambda name: name[2:])
    uniform, budgets = PRESETS["uniform"].method_for("multiclass"), np.array([20.0, 50.0, 100.0])
    chances = []
    for frame, metric in ((both, "macro_precision[b]"), (alone, "macro_precision")):
        pool = sv.Pool.from_frame(frame, task="multiclass")
        problem = Problem(pool, {resolve(metric): 1.0}, uniform.surrogate)
        chances.append(unmet(problem, uniform, budgets))
    np.testing.assert_allclose(chances[0], chances[1])
    assert chances[0][1] < 0.01


def test_strata_of_many_classes_are_planned_in_little_memory() -> None:
    """Expected losses of all items at once, three counts per class, took 24 kB per item with 1,000 classes."""
    n, width = 4000, 300
    p = np.random.default_rng(3).dirichlet(np.full(width, 0.05), n)
    many = sv.Pool.from_frame(pd.DataFrame(p, columns=[f"score_{c:03}" for c in range(width)]), fields=[])
    metric, method = resolve("macro_f1"), method_of("stratified")
    problem = Problem(many, {metric: 1.0}, method.surrogate)
    risk = problem.predicted_risk(metric)
    tracemalloc.start()
    found = expected_effects(metric, many.items, problem.belief, risk)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < n * len(risk) * 8 / 2
    at_once = expected_loss(metric, many.items, problem.belief) @ metric.gradient(risk).T
    np.testing.assert_allclose(found, at_once, atol=1e-12)


@pytest.mark.parametrize("defensive", [0.0, 0.3])
def test_anticipated_variance_of_importance_is_that_of_its_proposal(defensive: float) -> None:
    method = method_of(design="importance", defensive=defensive)
    problem = Problem(pool(), {resolve("precision"): 1.0}, method.surrogate, 0, held([4, 9]))
    q = method.design.proposal(problem)  # type: ignore[attr-defined]
    square = moments(resolve("precision"), problem.pool.items, problem.belief).square
    b = method.design.inclusion(problem, 30)
    draws = np.log1p(-b[b > 0][0]) / np.log1p(-q[b > 0][0])
    able = (q > 0) & (square > 0)
    expected = (square[able] / q[able]).sum() / 200**2 / draws
    assert method.design.variance(problem.profile, np.array([30.0]))[0] == pytest.approx(expected, rel=1e-6)


def test_a_plan_expects_no_error_once_everything_is_labelled() -> None:
    for name in DESIGNS:
        plan = sv.plan(pool(), metric="f1", budget=200, design=name)
        assert (plan.expected_error, plan.expected_width) == (0, 0)


def test_a_belief_without_doubt_foretells_nothing_short_of_a_census() -> None:
    """If decisions are taken for certain, the F1 of all items is known: a plan for 20 labels once promised it exactly."""
    decided = sv.Pool.from_frame(pd.DataFrame({"pred": [1, 0, 0, 0] * 50}))
    for sure in ({"preset": "oasis"}, {"preset": "queue", "shrinkage": 1.0}):
        some, every = (sv.plan(decided, metric="f1", budget=n, **sure) for n in (20, 200))
        assert np.isnan([some.expected_error, some.expected_width]).all()
        assert "no doubt" in some.note
        assert (every.expected_error, every.expected_width, every.note) == (0, 0, "")
        needed = sv.budget_for(decided, metric="f1", width=0.1, **sure)
        assert 1 < needed.low < needed.likely < needed.high
    assert not sv.plan(decided, metric="f1", budget=20).note


@pytest.mark.parametrize(
    "planned",
    [
        lambda metric: sv.plan(pool(), metric=metric, budget=20),
        lambda metric: sv.plan_curve(pool(), metric=metric, budgets=[20]),
        lambda metric: sv.budget_for(pool(), metric=metric, width=0.1),
    ],
    ids=["plan", "plan_curve", "budget_for"],
)
def test_no_plan_is_made_for_a_metric_of_other_labels(planned: Callable[[str], object]) -> None:
    planned("f1")
    with pytest.raises(sv.InputError, match="`metric` 'rmse' is not defined for binary labels"):
        planned("rmse")


@pytest.mark.parametrize(
    ("task", "metric"), [("multiclass", "macro_f1"), ("multilabel", "micro_f1"), ("regression", "rmse")]
)
def test_by_default_every_design_that_fits_the_labels_has_a_curve(task: Any, metric: str) -> None:
    """One that is made for two classes alone made the default useless for all other labels."""
    frame = pd.DataFrame(np.random.default_rng(0).dirichlet(np.ones(3), 30))
    columns = {"pred": "0"} if task == "regression" else {"score": ["0", "1", "2"]}
    some = sv.Pool.from_frame(frame, task=task, **columns)
    assert set(sv.plan_curve(some, metric=metric, budgets=[20])["design"]) == {*DESIGNS} - {"targeted"}


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (201, "cannot exceed the 200 items of the pool; got 201; pass 200 to label them all"),
        (0, "must be at least 1 label; got 0"),
        (20.5, "must be a whole number of at least 1; got 20.5"),
    ],
)
def test_no_plan_is_made_for_a_budget_that_cannot_be_spent(budget: int, message: str) -> None:
    with pytest.raises(sv.InputError, match=f"`budget` {message}"):
        sv.plan(pool(), metric="f1", budget=budget)
    with pytest.raises(sv.InputError, match=f"`budgets` {message}"):
        sv.plan_curve(pool(), metric="f1", budgets=[20, budget])


@pytest.mark.parametrize(
    ("name", "value"),
    [("budgets", 5), ("budgets", []), ("budgets", "20"), ("designs", []), ("designs", "poisson")],
)
def test_a_curve_needs_lists_of_something(name: str, value: Any) -> None:
    with pytest.raises(sv.InputError, match=f"`{name}` must"):
        sv.plan_curve(pool(), metric="f1", **{name: value})


def test_curves_of_all_designs_are_drawn_for_a_part_of_the_pool() -> None:
    """For a part of the pool the method has no posterior, so that its plan needs to know how often labels surprise.

    This is computed with the cells of the method's own surrogate, not with the surrogate of the other curves.
    """
    score = np.random.default_rng(1).beta(0.2, 3, 500)
    sure = sv.Pool.from_frame(pd.DataFrame({"score": score, "pred": score > 0.5}), score="score", pred="pred")
    half = sv.metrics.within(sv.metrics.METRICS["accuracy"], np.arange(500) % 2 == 0, "half")
    curves = sv.plan_curve(sure, metric=half, budgets=[10, 50, 200])
    drawn = curves[curves["design"] == "targeted"]
    assert len(drawn) == 3
    assert (drawn["width"] > 0).all()


def test_the_range_of_a_part_is_that_of_a_pool_of_its_items() -> None:
    """One item stands for many in these ranges, and none may stand for items of another part."""
    rng = np.random.default_rng(0)
    df, inside = pd.DataFrame({"score": rng.beta(0.5, 2, 20_000)}), rng.random(20_000) < 0.02
    part = sv.metrics.within(sv.metrics.METRICS["accuracy"], inside, "the part")
    whole, alone = (sv.Pool.from_frame(each, score="score") for each in (df, df[inside]))
    needed = sv.budget_for(whole, metric=part, width=0.1)
    expected = sv.budget_for(alone, metric="accuracy", width=0.1, preset="queue")
    assert needed.likely == expected.likely
    assert needed.high == pytest.approx(
        expected.high, rel=0.15
    )  # 182 for 273, if the parts are not told apart


def test_a_difference_between_parts_has_a_range_though_one_decision_is_all_that_is_known() -> None:
    decided = sv.Pool.from_frame(pd.DataFrame({"pred": np.arange(400) % 4 == 0}), pred="pred", task="binary")
    left, precision = np.arange(400) % 8 < 4, sv.metrics.METRICS["precision"]
    one, other = (sv.metrics.within(precision, side, "a side") for side in (left, ~left))
    gap = sv.metrics.minus(one, other)
    needed = sv.budget_for(decided, metric=gap, width=0.2)
    assert 1 <= needed.low < needed.likely < needed.high <= 100


def test_without_a_plausible_value_no_number_of_labels_is_named() -> None:
    """Here the item that stands for each decision weighs nothing, so that no recall can be computed from these."""
    decided = sv.Pool.from_frame(pd.DataFrame({"pred": np.arange(400) % 4 == 0}), pred="pred", task="binary")
    weight = np.where(np.arange(400) < 40, 1.0, 0.0)
    recall = sv.metrics.ratio(
        "r", "R", lambda items, y: (weight[items.index] * y * items.pred, weight[items.index] * y)
    )
    assert np.isnan(sv.budget_for(decided, metric=recall, width=0.2).likely)


def test_a_belief_without_calibration_gaps_foresees_no_surprises() -> None:
    """At a gap of 0 no label moves the metric to first order: the number of labels that surprise was once 0/0."""
    eighths = [[3, 5, 0], [1, 3, 4], [6, 1, 1], [5, 2, 1], [6, 1, 1], [0, 3, 5]]
    scored = pd.DataFrame(np.array(eighths) / 8, columns=["p_a", "p_b", "p_c"])
    pool = sv.Pool.from_frame(scored, task="multiclass")
    needed = sv.budget_for(pool, metric="ece", width=0.2, surrogate="beta-bernoulli", design="uniform")
    assert needed.low <= needed.likely <= needed.high <= 6


def test_every_setting_changes_the_plan() -> None:
    settings: list[dict[str, object]] = [
        {},
        {"shrinkage": 0.5},
        {"defensive": 0.4},
        {"design": "uniform"},
        {"design": "importance"},
        {"preset": "yilmaz-bs"},
        {"level": 0.5},
    ]
    plans = [sv.plan(pool(), metric="f1", budget=40, **options) for options in settings]  # type: ignore[arg-type]
    assert len({plan.expected_width for plan in plans}) == len(plans)
    assert sv.plan(pool(), metric="recall", budget=40).expected_error != plans[0].expected_error
    assert sv.plan(pool(), metric="f1", budget=41).expected_error < plans[0].expected_error


def test_no_goal_takes_more_labels_than_items_that_matter() -> None:
    """Precision depends only on items predicted positive, but the worst case once needed more labels than there are of them."""
    matter = int(pool().pred.sum())
    needed = sv.budget_for(pool(), metric="precision", width=0.02)
    assert needed.high == matter
    assert sv.plan(pool(), metric="precision", budget=matter).expected_width == 0
    assert sv.budget_for(pool(), metric="precision", width=0.02, preset="uniform").high > matter


def test_limits_for_any_look_are_planned_as_those_of_three_standard_errors() -> None:
    study = sv.create_study(pool(), metric="accuracy", budget=20, preset="queue", interval="anytime")
    fixed = replace(study.method, interval="korn-graubard")
    level = 2 * norm.cdf(3) - 1
    at_any, at_once = (plan_of(study.state.problem, method, 20, level) for method in (study.method, fixed))
    assert at_any.expected_width == pytest.approx(at_once.expected_width)
    assert plan_of(study.state.problem, study.method, 20, 0.8).expected_width == at_any.expected_width


def test_budget_for_a_width_is_the_smallest_that_suffices() -> None:
    """For numbers a plan is judged by its own belief, for two classes by plausible calibrations (see test_goals)."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"id": np.arange(200).astype(str), "pred": rng.normal(size=200)})
    numbers = sv.Pool.from_frame(frame, id="id", pred="pred", task="regression")
    wanted = sv.budget_for(numbers, metric="mae", width=0.3)
    assert wanted.low <= wanted.likely <= wanted.high
    assert sv.plan(numbers, metric="mae", budget=int(wanted.likely)).expected_width <= 0.3
    assert sv.plan(numbers, metric="mae", budget=int(wanted.likely) - 1).expected_width > 0.3


def test_big_pools_are_planned_from_groups_as_well_as_item_by_item() -> None:
    rng = np.random.default_rng(1)
    big = sv.Pool.from_frame(pd.DataFrame({"score": rng.beta(0.3, 4, 60_000)}))
    for name in DESIGNS:
        method = method_of(design=name)
        problem = Problem(big, {resolve("f1"): 1.0}, method.surrogate)
        grouped = curve_of(problem, {name: method}, np.array([50.0, 1000.0, 20_000.0]), 0.9)
        at, every, ones = problem.target.each[resolve("f1")], np.arange(big.size), np.ones(big.size)
        mean = partial(
            expected_effects, resolve("f1"), big.items, problem.belief, problem.predicted_risk(problem.main)
        )
        left = unforeseen(problem, method, Expected(at.square, at.variance, mean, every, ones))
        fine = Profile.of_groups(problem.size, left, ones)
        exact = np.sqrt(method.design.variance(fine, np.array([50.0, 1000.0, 20_000.0])))
        np.testing.assert_allclose(grouped["error"], exact, rtol=5e-3)


def test_strata_of_a_big_pool_leave_at_least_what_no_prediction_tells() -> None:
    """A group of items has one stratum, that of its middle one, which may hold fewer items than are then counted there."""
    big = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, 21_000)}))
    method = method_of("stratified")
    problem = Problem(big, {resolve("accuracy"): 1.0}, method.surrogate)
    assert len(problem.profile.typical) < big.size
    untold = problem.residual_square
    assert (left_by(problem, method).square >= untold * (1 - 1e-12)).all()


def test_a_stratum_of_items_all_alike_is_planned_as_a_uniform_sample() -> None:
    """No item differs from the mean of its stratum, which then explains a share of 0 of 0."""
    alike = sv.Pool.from_frame(pd.DataFrame({"score": np.full(64, 0.25)}))
    error, plain = (
        sv.plan(alike, metric="accuracy", budget=20, preset=preset, shrinkage=1.0).expected_error
        for preset in ("stratified", "uniform")
    )
    assert error == pytest.approx(plain)


def test_a_budget_beyond_the_items_that_may_be_asked_misses_no_class() -> None:
    p = np.random.default_rng(1).dirichlet(np.full(4, 0.3), 100)
    many = sv.Pool.from_frame(pd.DataFrame(p, columns=[f"score_{c}" for c in "abcd"]))
    told = {str(k): "abcd"[k % 3] for k in range(30)}  # of the last class, none is held
    curve = sv.plan_curve(many, metric="macro_recall", budgets=[30, 70, 100], designs=["uniform"], held=told)
    assert curve["width"][0] > 0
    assert curve["width"][1:].tolist() == [0, 0]


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_no_rounding_error_foretells_more_than_the_best_value(metric: str) -> None:
    """Of five classes that are certain, both were 1.0000000000000002."""
    certain = np.eye(5)[np.repeat(np.arange(5), [1, 3, 3, 3, 3])]
    pool = sv.Pool.from_frame(pd.DataFrame(certain, columns=[f"score_{c}" for c in "abcde"]))
    planned = sv.plan(pool, metric=metric, budget=3, preset="queue", shrinkage=1.0).predicted
    assert planned <= 1.0
    assert planned == pytest.approx(1.0)


def known(index: list[int]) -> dict[str, int]:
    return {str(k): k % 2 for k in index}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_plan_with_labels_held_is_that_of_the_study_they_begin(preset: str) -> None:
    labels = known(list(range(0, 200, 3)))
    study = sv.create_study(pool(), metric="f1", budget=40, preset=preset, held=labels)
    planned = sv.plan(pool(), metric="f1", budget=40, preset=preset, held=labels)
    design, problem = study.method.design, study.state.problem
    np.testing.assert_array_equal(planned.inclusion, design.inclusion(problem, 40))
    assert not planned.inclusion[problem.held.index].any()
    without = sv.plan(pool(), metric="f1", budget=40, preset=preset)
    assert planned.expected_width < without.expected_width
    every = sv.plan(pool(), metric="f1", budget=200, preset=preset, held=labels)
    assert (every.expected_width, every.asked) == (0, 133)


@pytest.mark.parametrize("preset", ["recommended", "queue", "stratified", "yilmaz-is"])
def test_a_goal_takes_fewer_labels_where_some_are_held(preset: str) -> None:
    needed, anew = (
        sv.budget_for(pool(), metric="f1", preset=preset, held=held, width=0.1)
        for held in (known(list(range(0, 200, 3))), None)
    )
    assert needed.likely < anew.likely
    assert 1 <= needed.low <= needed.likely <= needed.high <= 133


def test_labels_held_narrow_every_curve_of_a_plan() -> None:
    labels = known(list(range(150)))
    few, many = (sv.plan_curve(pool(), metric="f1", budgets=[20, 60], held=held) for held in ({}, labels))
    assert (many["error"] < few["error"]).all()
    assert (many.loc[many["budget"] == 60, "error"] == 0).all()


def test_a_random_sample_held_narrows_what_is_plausible() -> None:
    """The scores agree with the held labels: if these are a random sample, they rule out worse calibrations."""
    made = pool(2000)
    hit = np.random.default_rng(0).random(400) < made.score[:400]
    labels = {str(k): int(y) for k, y in enumerate(hit)}
    ranges = [
        sv.budget_for(made, metric="f1", width=0.1, preset="recommended", held=labels, held_random=random)
        for random in (False, True)
    ]
    spread = [found.high - found.low for found in ranges]
    assert spread[1] < spread[0]


@pytest.mark.parametrize("preset", ["recommended", "queue", "marchant-tree", "yilmaz-online-bs"])
@pytest.mark.parametrize("metric", ["f1", "accuracy"])
def test_labels_that_somebody_chose_count_for_themselves_alone(preset: str, metric: str) -> None:
    """All held labels are negative. They count for their own items, and the belief about all others stays as it was."""
    labels = dict.fromkeys(map(str, range(60)), 0)
    chosen, method = resolve(metric), method_of(preset)
    problem = Problem(pool(), {method.form(chosen): 1.0}, method.surrogate)
    risk = expected_loss(chosen, problem.pool.items, problem.belief)
    risk[:60] = chosen.loss(problem.pool.items.take(np.arange(60)), np.zeros(60, int))
    wanted = float(chosen.value(risk.mean(axis=0))[0])
    assert sv.plan(pool(), metric=metric, budget=40, preset=preset, held=labels).predicted == pytest.approx(
        wanted
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"held": {"nobody": 1}}, "'nobody'"),
        ({"held": {"1": "eggs"}}, "'eggs'"),
        ({"held": [1, 2]}, "`held` must map ids to labels"),
        (
            {"held": pd.Series([1.0])},
            r"pass Labels\.from_frame\(df, pool\), the to_dict\(\) of a series by id",
        ),
        ({"held": {"1": 1, " 1": 1}}, "`held` must name every item once"),
        ({"held": known(list(range(200)))}, "every item has its label already; leave it out"),
        ({"held_random": True, "preset": "recommended"}, "needs labels in `held`"),
        ({"held": {"1": 1}, "held_random": True, "preset": "queue"}, "is for beliefs that learn"),
    ],
)
def test_labels_held_that_do_not_fit_are_refused(options: dict[str, Any], said: str) -> None:
    for refuse in (
        lambda: sv.plan(pool(), metric="f1", budget=20, **options),
        lambda: sv.budget_for(pool(), metric="f1", width=0.1, **options),
    ):
        with pytest.raises(sv.InputError, match=said):
            refuse()


def test_labels_for_numbers_whose_error_nobody_told_are_a_wide_guess() -> None:
    """Stated errors of a third of the predictions' spread need a ninth of the labels that errors of this spread need."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"pred": rng.normal(50, 15, 3000), "sd": 5.0})
    alone = sv.budget_for(sv.Pool.from_frame(frame[["pred"]], task="regression"), metric="mae", width=1.5)
    told = sv.budget_for(sv.Pool.from_frame(frame, error="sd", task="regression"), metric="mae", width=1.5)
    assert alone.low <= told.likely / 1.5 < told.likely * 4 < alone.likely < alone.high
    assert told.high / told.low < alone.high / alone.low


@pytest.mark.parametrize("preset", ["queue", "uniform", "recommended", "marchant-tree"])
@pytest.mark.parametrize("metric", ["precision", "mcc"])
def test_a_plan_of_what_no_label_can_define_foretells_nothing(metric: str, preset: str) -> None:
    """The expected error was once 0, which looked like a perfect forecast."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.3] * 100}))
    plan = sv.plan(pool, metric=metric, budget=12, preset=preset)
    assert np.isnan([plan.predicted, plan.expected_error, plan.expected_width]).all()
    assert "is undefined here: " in plan.note


@pytest.mark.parametrize("other", ["mcc", "kappa", "precision"])
@pytest.mark.parametrize("size", [50, 200])
@pytest.mark.filterwarnings("error")
def test_a_metric_that_no_label_moves_takes_no_share_of_a_joint_sample(size: int, other: str) -> None:
    """If all decisions are negative, no label moves these metrics. Rounding once did, and gave them a full share."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.random.default_rng(1).random(size) * 0.45}))
    queue = [
        sv.create_study(pool, metric=names, budget=10, preset="queue") for names in (("auc",), ("auc", other))
    ]
    alone, both = (study.method.design.inclusion(study.state.problem, 10) for study in queue)
    np.testing.assert_allclose(both, alone, rtol=1e-9)
    assert sv.create_study(pool, metric=["accuracy", other], budget=10).ask(3)


@pytest.mark.parametrize("slope", [1.0, 2.0, 4.0])
def test_a_plan_counts_on_predicted_numbers_where_its_estimate_does(slope: float) -> None:
    """Where predictions leave about a twentieth of the variance, planned widths were 3.4 and budgets 4.6 times too large."""
    rng = np.random.default_rng(2)
    predicted = slope * rng.normal(size=2000)
    frame = pd.DataFrame({"id": range(2000), "prediction": predicted, "off": 1.0})
    frame["label"] = predicted + rng.normal(size=2000)
    pool = sv.Pool.from_frame(
        frame, id="id", pred="prediction", error="off", label="label", task="regression"
    )
    labels = sv.Labels.from_frame(frame, pool, label="label")
    study = sv.create_study(pool, metric="mean_label", budget=200, seed=1)
    study.answer(labels, 200)
    reached = study.estimate().interval.width
    planned = sv.plan(pool, metric="mean_label", budget=200)
    assert 0.75 < planned.expected_width / reached < 1.35
    assert 110 < sv.budget_for(pool, width=reached, metric="mean_label").likely < 370
    queue = sv.plan(pool, metric="mean_label", budget=200, preset="queue")
    assert queue.expected_width > 1.1 * planned.expected_width


def test_a_plan_takes_over_the_labels_of_a_study_as_a_new_study_does() -> None:
    """`create_study` took a study and the plan for it did not; its labels without a word on chance gave another plan."""
    items = pool(300)
    first = sv.create_study(items, metric="f1", budget=60)
    first.tell_all((item, int(n % 3 == 0)) for n, item in enumerate(first.ask(60)))
    for random in (None, True, False):
        study = sv.create_study(items, metric="recall", budget=40, held=first, held_random=random)
        planned = sv.plan(items, metric="recall", budget=40, held=first, held_random=random)
        told = plan_of(study.state.problem, study.method, 40)
        np.testing.assert_array_equal(planned.inclusion, told.inclusion)
        assert (planned.predicted, planned.expected_width) == (told.predicted, told.expected_width)
    known = first.known_labels()
    needed = [
        sv.budget_for(items, metric="recall", preset="queue", width=0.1, held=h) for h in (first, known)
    ]
    assert needed[0] == needed[1]
    curves = [sv.plan_curve(items, metric="recall", budgets=[20], held=h) for h in (first, known)]
    pd.testing.assert_frame_equal(curves[0], curves[1])


def test_a_plan_does_not_learn_from_a_study_whose_labels_chance_did_not_choose() -> None:
    items = pool(300)
    picked = sv.create_study(items, metric="f1", budget=5, held={items.ids[0]: 1})
    picked.tell_all((item, 1) for item in picked.ask(5))
    with pytest.raises(sv.InputError, match="`held_random` needs labels that chance or scores chose"):
        sv.plan(items, metric="f1", budget=9, held=picked, held_random=True)
    known = picked.known_labels()
    told = [sv.plan(items, metric="f1", budget=9, held=h).expected_width for h in (picked, known)]
    assert told[0] == told[1]


def test_a_plan_expects_no_label_to_tell_of_a_class_that_is_never_decided_for() -> None:
    """Decisions alone expect no item of it. Of seven such classes of twenty the planned width was .06 of real .36."""
    rng, names = np.random.default_rng(5), np.array([f"c{k:02}" for k in range(20)])
    frame = pd.DataFrame({"pred": names[rng.integers(0, 13, 2000)]})
    pool = sv.Pool.from_frame(frame, pred="pred", classes=list(names), fields=[])
    for metric, least in (("macro_recall", 7 / 20), ("macro_f1", 7 / 20), ("macro_precision", 0.0)):
        width = sv.plan(pool, metric=metric, budget=400, preset="uniform").expected_width
        assert least < width < least + 0.12
    assert sv.plan(pool, metric="macro_recall", budget=2000, preset="uniform").expected_width == 0
