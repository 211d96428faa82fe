"""Laws of what is concluded: limits hold their value, a width of 0 leaves nothing open, one number is one number."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sampleval as sv
from sampleval import frames
from sampleval.estimators import Inference, completed, extremes, infer
from sampleval.estimators.extremes import TRIED
from sampleval.intervals import clopper_pearson
from sampleval.metrics import METRICS, Encoded, for_kind, mean_loss, resolve, within
from sampleval.pool import Floats, Items, Task
from sampleval.presets import PRESETS, fitting
from sampleval.study import Study, caveats, towards_goal, true_value
from sampleval.study.conclusions.variances import at_most, grounded
from sampleval.surrogates import worst_labels
from tests.pools import binary, multilabel
from tests.studies import answered, begun

SKIPPED = {1, 4, 9}
COMPONENTS = [name for name, metric in METRICS.items() if metric.vector and "binary" in metric.kinds]


@cache
def skipping(preset: str, metric: str, n: int) -> Study:
    """A study of all items in which a few answers are not given."""
    pool, labels = binary(n)
    truth = labels.by_id(pool)
    study = sv.create_study(pool, metric=metric, budget=n, preset=preset, seed=2)
    while items := study.ask(n):
        study.tell_all((i, sv.SKIP if i.place in SKIPPED else truth[i.id]) for i in items)
    return study


# ------------------------------------------------------------------ limits hold their value


@pytest.mark.parametrize("silent", [1, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_limits_hold_whatever_the_answers_not_given_are(seed: int, silent: int) -> None:
    """Along the gradient at the estimate alone AUC's lower limit was .80 for .66, and ECE's upper one .19 for .20."""
    rng = np.random.default_rng(seed)
    score = rng.random(12).round(2)
    truth = (rng.random(12) < score).astype(int)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}), score="score")
    study = sv.create_study(pool, metric="f1", budget=12, preset="uniform")
    study.tell_all(
        (item, sv.SKIP if int(item.id) < silent else int(truth[int(item.id)])) for item in study.ask(12)
    )
    tangled = ["auc"] if silent > TRIED else ["auc", "average_precision", "ece"]
    for metric in ("accuracy", "f1", "recall", "precision", "mcc", "brier", *tangled):
        found = study.estimate(metric)
        for filled in product([0, 1], repeat=silent):
            risk = mean_loss(METRICS[metric], pool.items, np.append(filled, truth[silent:]))
            exact = METRICS[metric].value(risk)[0]
            assert np.isnan(exact) or found.interval.low - 1e-9 <= exact <= found.interval.high + 1e-9
        assert ("to first order" in found.note) == (silent > TRIED and metric in tangled)


@pytest.mark.parametrize("preset", fitting("binary", stochastic=True))
def test_where_every_label_is_held_nothing_is_open_though_another_answer_might_differ(preset: str) -> None:
    """Held labels are certainties, and no other answer is ever asked for; these studies had no estimate but an error."""
    pool, labels = binary(12)
    options = {"metric": "f1", "budget": 3, "preset": preset, "oracle": "stochastic"}
    study = sv.create_study(pool, held=labels.by_id(pool), **options)  # type: ignore[arg-type]
    assert study.ask(3) == []
    assert set(frames.labels(study)["status"]) == {"held"}
    for found in study.estimates():
        metric = resolve(found.metric)
        np.testing.assert_allclose(found.value, true_value(metric, pool, labels), atol=1e-12)
        assert (found.interval.width, found.variance) == (0, 0)
    for name in COMPONENTS:
        curve = study.curve(name)
        np.testing.assert_array_equal(
            curve.low[np.isfinite(curve.value)], curve.high[np.isfinite(curve.value)]
        )


@pytest.mark.parametrize("preset", fitting("binary", stochastic=True))
def test_held_labels_are_one_answer_of_many_where_another_might_differ(preset: str) -> None:
    """As a label asked for with certainty is. Of 400 items with 350 held, 90 % limits held in .42 to .57 of 150 studies."""
    pool, labels = binary(60)
    truth = labels.by_id(pool)
    held = dict(list(truth.items())[:50])
    options = {"metric": "accuracy", "budget": 10, "preset": preset, "oracle": "stochastic", "held": held}
    study = sv.create_study(pool, **options)  # type: ignore[arg-type]
    while items := study.ask(10):
        study.tell_all((item, truth[item.id]) for item in items)
    found = study.estimate()
    wrong = 1.0 - true_value(METRICS["accuracy"], pool, labels)
    assert found.variance > 0.5 * (50 / 60) * wrong * (1 - wrong) / 60


@pytest.mark.parametrize("preset", fitting("binary", stochastic=True))
def test_items_that_may_get_another_label_are_not_settled_by_the_first(preset: str) -> None:
    """The precision of two flagged items, both found positive, was 1 to 1, though one answer in twenty came out wrong."""
    frame = pd.DataFrame({"old": [0.9, 0.9, *np.linspace(0.02, 0.4, 38)]})
    frame["new"] = frame["old"]
    pool = sv.Pool.from_frame(frame, system={"old": {"score": "old"}, "new": {"score": "new"}})
    study = sv.create_study(pool, metric="f1", budget=40, preset=preset, oracle="stochastic", seed=1)
    asked = set()
    while items := study.ask(10):
        study.tell_all((item, int(pool.position(item.id) < 2)) for item in items)
        asked |= {pool.position(item.id) for item in items}
    assert {0, 1} <= asked
    assert study.estimate("precision").interval.width > 0.05
    same = study.estimate("precision[old - new]")
    assert (same.value, same.interval.width) == (0, 0)  # whatever the labels are


def test_a_goal_with_every_label_held_has_no_prospect() -> None:
    """The plan had divided by the number of items left, which is 0."""
    pool, _ = binary(5)
    options = {
        "metric": "auc",
        "budget": 3,
        "preset": "marchant-tree",
        "held": dict.fromkeys(pool.ids, "spam"),
    }
    study = sv.create_study(pool, **options)  # type: ignore[arg-type]
    assert towards_goal(study, study.estimate(), 0.05).startswith("It is not known yet")


def test_an_undefined_estimate_has_no_variance() -> None:
    """The slope next to where R² is undefined made one of -4e33."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [0.0, 10.0] * 20}), pred="pred", task="regression")
    study = sv.create_study(pool, metric="mse", budget=34, preset="yilmaz-is", seed=262)
    for item in study.ask(34):
        study.tell(item, 0.0)
    for k in range(1, 35):
        found = study.estimate("r2", labels=k)
        assert np.isnan(found.value)
        assert np.isnan(found.variance)


def test_what_is_undefined_of_a_whole_pool_has_no_limits() -> None:
    """Limits from 0 to 1 said that labels could still tell, and the page said "Not known"."""
    frame = pd.DataFrame({"score": np.linspace(0.0, 0.4, 20), "label": [0, 1] * 10})
    pool = sv.Pool.from_frame(frame.drop(columns="label"))
    study = sv.create_study(pool, metric="f1", budget=20, seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 19)
    assert (study.estimate("precision").interval.low, study.estimate("precision").interval.high) == (0, 1)
    study.answer(sv.Labels.from_frame(frame, pool), 1)
    found = study.estimate("precision")
    assert np.isnan([found.value, found.variance, found.interval.low, found.interval.high]).all()
    told = caveats(study, study.estimates())
    assert "Undefined: Precision; no labelled item is predicted positive." in told
    assert not [line for line in told if line.startswith("Not known")]
    future = study.estimate("precision", about="future")
    assert (future.interval.low, future.interval.high) == (0, 1)


def test_totals_that_nothing_is_known_of_may_be_all_items() -> None:
    pool, _ = binary(30)
    study = sv.create_study(pool, metric="f1", budget=10)
    found = study.curve("class_support")
    np.testing.assert_array_equal(found.high, [30, 30])
    assert (study.estimate("positives").interval.high, *found.low) == (30, 0, 0)


@pytest.mark.parametrize("preset", ["uniform", "recommended"])
def test_a_total_is_its_share_times_the_number_of_items(preset: str) -> None:
    study = answered(begun(preset=preset, budget=20), 20)
    share, total = study.estimate("prevalence"), study.estimate("positives")
    each = [(e.value, e.variance**0.5, e.interval.low, e.interval.high) for e in (share, total)]
    np.testing.assert_allclose(each[1], 40 * np.array(each[0]))


@pytest.mark.parametrize(
    ("preset", "n"), [*((preset, 30) for preset in fitting("binary")), ("queue", 12), ("recommended", 12)]
)
def test_limits_hold_the_value_where_answers_are_missing(preset: str, n: int) -> None:
    """Values kept the design's weights where limits took every item once: .757 in [.764, .813]."""
    study = skipping(preset, "accuracy", n)
    for metric in for_kind("binary"):
        found = study.estimate(metric)
        low, value, high = found.interval.low, found.value, found.interval.high
        assert np.isnan(value) or low <= value <= high, (metric, low, value, high)
    for metric in COMPONENTS:
        curve = study.curve(metric)
        known = ~np.isnan(curve.value)
        assert (curve.low <= curve.value + 1e-12)[known].all(), metric
        assert (curve.value <= curve.high + 1e-12)[known].all(), metric
        assert (curve.band_low <= curve.low + 1e-12)[known].all(), metric


@pytest.mark.parametrize("preset", ["uniform", "queue", "recommended"])
def test_a_skipped_item_gives_no_value_to_a_metric_without_any_positive(preset: str) -> None:
    """Of 40 answers none was positive and one was not given: recall was 0 from one design and 1 from another."""
    pool, _ = binary(200)
    study = sv.create_study(pool, metric="f1", budget=40, preset=preset, seed=1)
    study.tell_all((item, sv.SKIP if k == 0 else 0) for k, item in enumerate(study.ask(40)))
    for metric in ("recall", "f1", "mcc", "kappa", "auc"):
        found = study.estimate(metric)
        assert np.isnan([found.value, found.variance]).all(), metric
        assert (found.interval.low, found.interval.high) == METRICS[metric].range
        assert "no positive" in found.note
    curve = study.curve("pr_curve")
    assert np.isnan(curve.value).all()
    assert np.isfinite(study.estimate("accuracy").value)


@pytest.mark.parametrize("seed", [0, 4, 6])
@pytest.mark.parametrize("preset", ["queue", "yilmaz-is"])
def test_two_systems_that_decide_alike_do_not_differ_by_what_rounding_leaves_of_missing_answers(
    preset: str, seed: int
) -> None:
    """One was said to be better, "by 0.000000000000000111 to 0.000000000000000167"."""
    rng = np.random.default_rng(seed)
    score = rng.random(40)
    frame = pd.DataFrame(
        {"id": range(40), "old.score": score, "new.score": np.where(score < 0.5, 0.1, score)}
    )
    truth = rng.random(40) < score
    study = sv.create_study(sv.Pool.from_frame(frame, id="id"), metric="f1", budget=20, preset=preset)
    study.tell_all((i, sv.SKIP if i.place < 2 else int(truth[int(i.id)])) for i in study.ask(20))
    for metric in ("accuracy", "f1", "kappa", "mcc"):
        found = study.estimate(f"{metric}[old - new]")
        assert found.value == pytest.approx(0, abs=1e-12)
        assert found.interval.width == 0


def test_labels_that_lead_no_further_are_not_estimated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a gradient kept its signs, each limit was estimated twice: reports of several classes took a quarter longer."""
    made: list[Any] = []
    module = import_module("sampleval.estimators.extremes")

    def complete(*given: Any) -> Inference:
        made.append(given)
        return completed(*given)

    monkeypatch.setattr(module, "completed", complete)
    skipping.__wrapped__("queue", "accuracy", 40).estimate()
    assert len(made) == 2


@pytest.mark.parametrize("seed", [9, 10, 19, 21])
def test_the_search_for_the_worst_labels_ends_where_no_step_leads_further(seed: int) -> None:
    """The gradient of a calibration error turns with every label, and may lead back: the end is the farthest."""
    rng = np.random.default_rng(seed)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": rng.random(9)}))
    study = sv.create_study(pool, metric="accuracy", budget=9, preset="uniform", seed=seed)
    study.tell_all((item, sv.SKIP if item.place < 6 else int(rng.random() < 0.5)) for item in study.ask(9))
    metric, run = resolve("ece"), study.run()
    assert run is not None
    result = infer(metric, run, study.method.estimator)
    silent = np.flatnonzero(~run.responded)
    items, belief = run.items.take(silent), run.belief.take(silent)
    for side, (sign, end) in enumerate(zip((-1, 1), extremes(result), strict=True)):
        further = worst_labels(metric, items, belief, np.asarray(metric.gradient(end.risk)))[side]
        assert sign * completed(result, further).value[0] <= sign * end.value[0]


@pytest.mark.parametrize(("asked", "method"), [(20, "korn-graubard"), (40, "bounds")])
def test_limits_are_bounds_only_where_nothing_but_answers_is_missing(asked: int, method: str) -> None:
    pool, labels = binary(40)
    truth = labels.by_id(pool)
    study = sv.create_study(pool, metric="accuracy", budget=asked, preset="uniform")
    study.tell_all((i, sv.SKIP if i.place == 3 else truth[i.id]) for i in study.ask(asked))
    assert study.estimate().interval.method == method


@pytest.mark.parametrize("preset", fitting("binary"))
def test_once_all_items_are_asked_each_counts_once(preset: str) -> None:
    """Accuracy is then the mean of known and filled-in values, whatever the weights were."""
    study = skipping(preset, "accuracy", 30)
    pool, labels = binary(30)
    if study.labels < 30:
        pytest.skip("its sample is not all items")
    run = study.run()
    assert run is not None
    right = np.where(pool.pred[run.items.index] == 1, run.belief.mean, 1 - run.belief.mean)
    index = run.items.index
    truth = labels.values[index] == pool.pred[index]  # noqa: PD011
    expected = np.where(run.responded, truth, right).mean()
    found = study.estimate("accuracy")
    assert found.value == pytest.approx(expected, abs=1e-12)
    known = truth[run.responded].sum() / 30
    assert found.interval.low == pytest.approx(known, abs=1e-12)
    assert found.interval.high == pytest.approx(known + (~run.responded).mean(), abs=1e-12)


def test_once_all_items_are_asked_each_counts_once_label_by_label() -> None:
    pool, labels = multilabel(20)
    truth = labels.by_id(pool)
    study = sv.create_study(pool, metric="micro_f1", budget=20, preset="yilmaz-is")
    study.tell_all((i, sv.SKIP if i.place == 3 else truth[i.id]) for i in study.ask(20))
    for metric in for_kind("multilabel"):
        found = study.estimate(metric)
        assert np.isnan(found.value) or found.interval.low <= found.value <= found.interval.high, metric


# ------------------------------------------------------------------ a width of 0 leaves nothing open


def certain(n: int = 400) -> sv.Pool:
    """A pool whose scores are its decisions, 0 or 1."""
    score = (np.random.default_rng(1).random(n) < 0.3).astype(float)
    return sv.Pool.from_frame(pd.DataFrame({"score": score}))


@pytest.mark.parametrize("preset", fitting("binary"))
def test_no_gap_among_few_labels_does_not_settle_the_calibration_error(preset: str) -> None:
    """At a gap of 0 the derivative of |gap| is 0 too, as if no label could move it: ECE was 0, exactly."""
    pool = certain()
    study = sv.create_study(pool, metric="ece", budget=15, preset=preset)
    while items := study.ask(15):
        study.tell_all((item, int(pool.pred[pool.position(item.id)])) for item in items)
    if not study.labels:
        pytest.skip("it drew no item")
    found = study.estimate("ece")
    assert found.interval.method != "census"
    assert found.interval.high > 0.05


def test_a_calibration_error_of_all_labels_is_settled() -> None:
    pool, _ = binary(20)
    study = sv.create_study(pool, metric="ece", budget=20, preset="uniform")
    study.tell_all((item, int(pool.pred[pool.position(item.id)])) for item in study.ask(20))
    assert study.estimate("ece").interval.width == 0


@pytest.mark.parametrize("preset", fitting("binary"))
@pytest.mark.parametrize("left", [1, 6])
def test_a_component_of_width_0_is_the_true_value(preset: str, left: int) -> None:
    """LURE has no variance one label before the census, when its weights are not yet those of a census."""
    pool, labels = binary(24)
    study = sv.create_study(pool, metric="accuracy", budget=24 - left, preset=preset, seed=4)
    study.answer(labels, 24 - left)
    for name in COMPONENTS:
        metric = METRICS[name]
        truth = metric.value(mean_loss(metric, pool.items, labels.values)) * metric.scale(24)
        found = study.curve(name)
        fixed = (found.low == found.high) & ~np.isnan(found.value)
        np.testing.assert_allclose(found.value[fixed], truth[fixed], atol=1e-12, err_msg=name)
    for name in for_kind("binary"):
        number = study.estimate(name)
        if number.interval.width == 0:
            assert number.value == pytest.approx(true_value(resolve(name), pool, labels), abs=1e-12)


# ------------------------------------------------------------------ one number is one number

# (scalar metric, vector metric, component): the same number by two ways.
TWINS = (
    ("precision", "precision_recall", "precision"),
    ("recall", "precision_recall", "recall"),
    ("recall", "pr_curve", "recall at 0.5"),
    ("precision", "pr_curve", "precision at 0.5"),
    ("recall", "roc_curve", "true positive rate at 0.5"),
    ("f1", "f1_curve", "F1 at 0.5"),
    ("f1", "class_f1", "spam"),
    ("recall", "class_recall", "spam"),
    ("specificity", "class_recall", "ham"),
    ("precision", "class_precision", "spam"),
)  # fmt: skip


@pytest.mark.parametrize("preset", [name for name in PRESETS if name in fitting("binary")])
@pytest.mark.parametrize("k", [3, 15])
def test_a_component_has_the_limits_of_the_same_number_alone(preset: str, k: int) -> None:
    """Of the same labels recall had [0, .776] alone and [0, .421] beside precision."""
    pool, labels = binary(120, seed=8)
    truth = labels.by_id(pool)
    study = sv.create_study(pool, metric="f1", budget=k, preset=preset, seed=1)
    while items := study.ask(k):
        study.tell_all((item, truth[item.id]) for item in items)
    compared = 0
    curves = {joint: study.curve(joint) for _, joint, _ in TWINS}
    for name, joint, component in TWINS:
        metric, both = resolve(name), curves[joint]
        alone = study.estimate(name, interval="posterior" if study.method.predicts else "korn-graubard")
        at = both.outputs.index(component)
        if (
            np.isnan([alone.value, both.value[at]]).any()
            or metric.needs_positives != METRICS[joint].needs_positives
        ):
            continue
        compared += 1
        limits = (alone.interval.low, alone.interval.high)
        assert (both.low[at], both.high[at]) == pytest.approx(limits, abs=1e-9), (name, joint)
    assert compared or not study.labels


@pytest.mark.parametrize("most", [0, 1 << 23], ids=["pooled", "one by one"])
def test_kept_looks_do_not_grow_with_the_pool(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each number of labels a vector over the pool had been kept, and each "f3" had been a new metric: 24 MB."""
    monkeypatch.setattr("sampleval.study.conclusions.variances.MOST", most)
    pool, labels = binary(300)
    study = sv.create_study(pool, metric="f1", budget=60, preset="queue")
    study.answer(labels, 60)
    kept = []
    for k in range(2, 30):
        study.estimate("f3", labels=k)
        study.curve("pr_curve", labels=k)
        kept.append(len(study.state.problem.memo._made))
    assert kept[-1] == kept[10]


def test_labels_that_are_all_alike_tell_no_width_beside_what_was_foreseen() -> None:
    """Recall by class from 15 labels of decisions alone held in .81, of 29 limits within .12 none did."""
    rng = np.random.default_rng(9)
    pred = rng.random((600, 4)) < [0.3, 0.45, 0.35, 0.2]
    label = pred ^ (rng.random(pred.shape) < 0.12)
    names = np.array(list("abcd"))
    said, true = (["|".join(names[row]) for row in rows] for rows in (pred, label))
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": said}), task=Task("multilabel", tuple("abcd")))
    labels = sv.Labels.from_frame(pd.DataFrame({"label": true}), pool, "label")
    truth = (pred & label).sum(axis=0) / label.sum(axis=0)
    held = []
    for seed in range(40):
        study = sv.create_study(pool, metric="micro_f1", budget=15, seed=seed)
        study.answer(labels, 15)
        found = study.curve("class_recall")
        held.append((found.low <= truth) & (truth <= found.high))
        assert (found.high - found.low > 0.12).all()
    assert np.mean(held) > 0.9


@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-bs", "stratified"])
def test_labels_that_are_all_alike_tell_no_width_beside_held_ones_that_differ(preset: str) -> None:
    """With one miss among the labels held, 30 that found none had recall within .021: at 90% it held in 35 of 100."""
    rng = np.random.default_rng(4)
    score = rng.beta(0.3, 2.0, 2000)
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(2000)], "score": score})
    pred = (score >= 0.5).astype(int)
    held = {f"i{k}": int(pred[k]) for k in range(100)} | {f"i{np.flatnonzero(pred[:100] == 0)[0]}": 1}
    study = sv.create_study(sv.Pool.from_frame(frame), metric="f1", budget=25, preset=preset, held=held)
    while items := study.ask(25):
        study.tell_all([(item, int(pred[int(item.id[1:])])) for item in items])
    for name in ("f1", "recall", "accuracy"):
        found = study.estimate(name)
        assert found.value > 0.98, name
        assert found.interval.low < 0.9, name


def test_labels_that_would_leave_a_metric_undefined_set_no_limit() -> None:
    """Two positives more leave the AUC undefined: taken for the lowest, that end was dropped, and the limits were .94 to 1."""
    score = [0.95, 0.14, 0.95, 0.31, 0.42, 0.83]
    pool, auc = sv.Pool.from_frame(pd.DataFrame({"score": score})), METRICS["auc"]
    study = sv.create_study(pool, metric="accuracy", budget=6, preset="uniform")
    study.tell_all((item, sv.SKIP if item.id in ("1", "2") else 1) for item in study.ask(6))
    found = study.estimate("auc").interval
    possible = [
        auc.value(mean_loss(auc, pool.items, np.array([1, *y, 1, 1, 1])))[0] for y in ((0, 0), (0, 1), (1, 0))
    ]
    assert (found.low, found.high) == pytest.approx((min(possible), max(possible)))


@pytest.mark.parametrize("metric", ["log_loss", "brier"])
def test_limits_allow_for_few_costly_labels(metric: str) -> None:
    """Three sure and wrong items of forty make up the variance of a log-loss, which has no forty degrees of freedom."""
    score = np.repeat([0.98, 0.02, 0.5], [497, 500, 3])
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}), score="score")
    study = sv.create_study(pool, metric=metric, budget=40, preset="uniform", seed=1)
    items = study.ask(40)
    given = score[[int(i.id) for i in items]]
    truth = (given > 0.5) ^ (np.arange(40) < 3)
    study.tell_all(zip(items, truth.astype(int), strict=True))
    found = study.estimate(metric)
    own = np.where(truth, given, 1 - given)
    cost = -np.log(own) if metric == "log_loss" else (1 - own) ** 2
    share = (cost - cost.mean()) ** 2
    share /= share.sum()
    degrees = 2 / ((share**2).sum() - 1 / 40)
    variance = cost.var(ddof=1) / 40 * (1 - 40 / 1000)
    top = METRICS[metric].range[1]
    p = cost.mean() / top
    t, z = stats.t.ppf(0.95, degrees), stats.norm.ppf(0.95)
    n = p * (1 - p) / (variance / top**2 * (t / z) ** 2)
    limits = stats.beta.ppf(0.05, n * p, n * (1 - p) + 1), stats.beta.ppf(0.95, n * p + 1, n * (1 - p))
    assert found.value == pytest.approx(cost.mean())
    assert (found.interval.low / top, found.interval.high / top) == pytest.approx(limits, rel=1e-6)


@pytest.mark.parametrize("unit", [0.1, 0.3, 1000.0])
def test_limits_of_errors_do_not_depend_on_their_unit(unit: float) -> None:
    """In tenths, rounding of equal errors counted as variation: the limits were .52 wide instead of .57."""
    places = np.arange(60.0)

    def limits(unit: float) -> Floats:
        pred, truth = places * unit, (places + np.where(places % 20 == 19, 10, 1)) * unit
        pool = sv.Pool.from_frame(pd.DataFrame({"pred": pred}), pred="pred", task="regression")
        study = sv.create_study(pool, metric="mae", budget=50, preset="stratified")
        study.tell_all((item, truth[int(item.id)]) for item in study.ask(50))
        found = study.estimate().interval
        return np.array([found.low, found.high]) / unit

    np.testing.assert_allclose(limits(unit), limits(1.0), rtol=1e-9)


def test_kappa_is_not_known_from_decisions_that_happen_to_be_alike() -> None:
    """Its slope was taken for 0 there, and 3 labels of 20 for a census, though those decided otherwise had none."""
    frame = pd.DataFrame({"score": [0.0] * 17 + [1.0] * 3})
    pool = sv.Pool.from_frame(frame)
    for seed in range(20):
        study = sv.create_study(pool, metric="f1", budget=20, preset="uniform", seed=seed)
        items = study.ask(3)
        if all(int(item.id) < 17 for item in items):
            break
    for item, label in zip(items, (1, 0, 1), strict=True):
        study.tell(item.id, label)
    told = study.estimate("kappa")
    assert told.value == 0
    assert told.interval.low < 0 < told.interval.high


@pytest.mark.parametrize("preset", ["recommended", "queue"])
@pytest.mark.parametrize("classes", [2, 3])
def test_kappa_of_a_constant_decision_is_0_and_says_nothing_of_other_sources(
    preset: str, classes: int
) -> None:
    """It was 1.8e-15, and its limits about the future ±1.6e-6: those of 10¹² items."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"pred": np.zeros(300, int), "label": np.minimum(rng.geometric(0.6, 300) - 1, classes - 1)}
    )
    if classes > 2:
        frame = frame.apply(lambda column: column.map(dict(enumerate("abc"))))
    pool = sv.Pool.from_frame(frame, pred="pred", label="label", fields=[])
    study = sv.create_study(pool, metric="accuracy", budget=40, preset=preset, seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 40)
    told = study.estimate("kappa")
    assert told.value == told.interval.low == told.interval.high == 0
    ahead = study.estimate("kappa", about="future")
    assert (ahead.value, ahead.interval.low, ahead.interval.high) == (0, -1, 1)
    assert not ahead.interval.known


@pytest.mark.parametrize("labels", [1, 50, 60])
def test_labels_that_are_all_alike_leave_r2_undefined(labels: int) -> None:
    """After 60 it was −1,164, with limits: the variance of the true values was the error of their prediction."""
    frame = pd.DataFrame({"pred": np.random.default_rng(0).normal(50, 10, 500)})
    pool = sv.Pool.from_frame(frame, pred="pred", task="regression")
    study = sv.create_study(pool, metric="r2", budget=labels, seed=3)
    while items := study.ask(10):
        study.tell_all((item, 42.0) for item in items)
    found = study.estimate()
    assert np.isnan(found.value)
    assert not found.interval.known
    assert found.undefined == "all labels found are alike"


@pytest.mark.parametrize(
    "preset", ["recommended", "queue", "uniform", "stratified", "marchant-flat", "active-testing"]
)
@pytest.mark.parametrize("seed", range(4))
def test_limits_of_accuracy_leave_the_labels_that_are_known_as_they_are(preset: str, seed: int) -> None:
    """Of 178 items 36 were known to be wrong, and the upper limit of accuracy was .803 where .798 was possible."""
    rng = np.random.default_rng(seed)
    score = rng.dirichlet([1, 1, 1], 60)
    pool = sv.Pool.from_frame(pd.DataFrame(score, columns=["score_a", "score_b", "score_c"]))
    study = sv.create_study(pool, metric="accuracy", budget=57, seed=seed, preset=preset)
    right, asked = 0, 0
    while items := study.ask(57):
        for item in items:
            said = "abc"[score[int(item.id)].argmax()]
            truth = said if rng.random() < 0.8 else "abc"[rng.integers(3)]
            study.tell(item.id, truth)
            right, asked = right + (truth == said), asked + 1
    found = study.estimate().interval
    assert right / 60 - 1e-9 <= found.low <= found.high <= (60 - asked + right) / 60 + 1e-9


@pytest.mark.parametrize("preset", ["recommended", "queue", "uniform", "oasis"])
@pytest.mark.parametrize("seed", range(3))
def test_no_more_positives_are_missed_than_items_are_predicted_negative(preset: str, seed: int) -> None:
    """Of six items predicted negative, the queue's value was 7.4 and its limit 10.2."""
    score = np.r_[np.linspace(0.05, 0.45, 6), np.linspace(0.55, 0.95, 6)]
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    study = sv.create_study(pool, metric="f1", budget=8, seed=seed, preset=preset)
    asked = study.ask(6)
    study.tell_all([(item, 1) for item in asked])
    found = study.estimate("missed_positives")
    met = sum(score[int(item.id)] < 0.5 for item in asked)
    assert met <= found.interval.low <= found.value <= found.interval.high <= 6
    assert found.interval.width > 0 or met == 6


@pytest.mark.parametrize("preset", ["recommended", "queue", "uniform"])
def test_a_total_of_gains_and_costs_is_within_what_labels_can_make_of_it(preset: str) -> None:
    """The reach took the smallest gain with the smallest cost: -564 to -564 where the total was -507."""

    def parts(items: Items, y: Encoded) -> Floats:
        return np.column_stack([y * items.pred, (1 - y) * items.pred, np.ones(len(y))])

    gain = sv.metrics.Metric(
        "gain", "Gain", parts, lambda r: (r[0] - 5 * r[1]) / r[2], range=(-5, 5), total=True
    )

    def net(items: Items, y: Encoded) -> tuple[Floats, float]:
        return parts(items, y) @ np.array([1.0, -5.0, 0.0]), 1.0

    alone = sv.metrics.ratio("alone", "Gain", net, range=(-5, 5), total=True)
    pool, labels = binary(300)
    study = sv.create_study(pool, metric=alone, budget=60, seed=1, preset=preset)
    for item in study.ask(60):
        study.tell(item, labels.by_id(pool)[item.id])
    one, other = study.estimate(gain), study.estimate(alone)
    assert one.interval.width > 0
    np.testing.assert_allclose(
        (one.value, one.interval.low, one.interval.high),
        (other.value, other.interval.low, other.interval.high),
        rtol=1e-6,
    )


def test_a_total_whose_parts_both_hang_on_the_labels_keeps_its_limits_where_it_is_undefined() -> None:
    """Its limits were lost together with its value."""
    hits = sv.metrics.ratio(
        "hits", "Hits", lambda items, y: (y * items.pred, np.maximum(y, items.pred)), total=True
    )
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3, 0.4]}))
    study = sv.create_study(pool, metric="f1", budget=2, preset="uniform")
    study.tell(study.ask(1)[0], 0)
    found = study.estimate(hits)
    assert np.isnan(found.value)
    assert (found.interval.low, found.interval.high) == (0, 4)


@pytest.mark.parametrize("off", [0.0, 0.3, 1.0, 30.0])
def test_degrees_of_freedom_are_those_of_the_variance_that_limits_rest_on(off: float) -> None:
    """One label that is off makes nearly all of the sample's variance, which has few degrees and may be too small."""
    pred = np.random.default_rng(0).normal(3, 1, 80)
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(80), "pred": pred}), task="regression")
    study = sv.create_study(pool, metric="mae", budget=20, preset="queue")
    study.tell_all((item, pred[int(item.id)] + off * (k == 3)) for k, item in enumerate(study.ask(20)))
    run, metric, method = study.run(), study.metric(), study.method
    assert run is not None
    result = infer(metric, run, method.estimator)
    found = grounded(result, method.design)
    own = off > 0 and result.spread.variance >= found.anticipated
    assert own == (off == 30)
    assert found.degrees == (result.spread.degrees if own else np.inf)


@pytest.mark.parametrize("part", [False, True])
def test_no_more_items_of_a_class_are_found_than_its_labels_and_the_items_without_one(part: bool) -> None:
    pool, known = binary(60)
    metric, inside = resolve("class_support"), np.arange(60) % 3 > 0
    metric = within(metric, inside, "most") if part else metric
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="queue")
    study.answer(known, 50)
    run = study.run()
    assert run is not None
    left = np.setdiff1d(np.arange(60), run.items.index)
    labels = np.asarray(known.values).copy()
    for y in (0, 1):
        labels[left] = y
        value = metric.value(mean_loss(metric, pool.items, labels))[y]
        most = at_most(metric, run)[y]
        assert most == 1.0 if part else most == pytest.approx(value)


def test_limits_of_a_count_hold_an_estimate_above_what_labels_leave_possible() -> None:
    """Twelve items, one of them known to be negative: weighted draws tell of 11.3 positives, and no more than 11 can be."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.02, 0.9, 12)}))
    study = sv.create_study(pool, metric="accuracy", budget=9, preset="yilmaz-is", seed=24)
    study.tell_all((item, int(item.id != "0")) for item in study.ask(9))
    found = study.curve("class_support")
    assert found.value[1] > 11
    assert found.high[1] >= found.value[1]


@pytest.mark.parametrize(
    ("metric", "held"), [("accuracy", 0), ("accuracy", 40), ("recall", 0), ("recall", 40)]
)
def test_labels_that_are_all_right_have_clopper_pearson_limits_for_the_labels_that_could_tell(
    metric: str, held: int
) -> None:
    """Fifteen labels that agree with confident scores have the Clopper–Pearson limit of their number.

    Where some labels are held, the number is scaled up to the whole pool or to all positives.
    """
    score = np.r_[np.full(120, 0.99999), np.full(80, 0.00001)]
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.random.default_rng(0).permutation(score)}))
    known = {id: int(pool.score[k] > 0.5) for k, id in enumerate(pool.ids[:held])}
    study = sv.create_study(
        pool, metric="accuracy", budget=15, preset="uniform", shrinkage=1.0, held=known or None, seed=7
    )
    items = study.ask(15)
    study.tell_all((item, int(pool.score[pool.position(item.id)] > 0.5)) for item in items)
    right = np.array([pool.score[pool.position(item.id)] > 0.5 for item in items])
    inside = np.array(list(known.values()), bool)
    if metric == "accuracy":
        asked, whole, part = 15.0, 200.0, float(held)
    else:
        asked, part = float(right.sum()), float(inside.sum())
        whole = part + asked * (200 - held) / 15
    found = study.estimate(metric).interval
    expected = clopper_pearson(asked * whole / (whole - part), 0, 0.9)
    assert found.low == pytest.approx(float(expected[0]), rel=1e-9)


@pytest.mark.parametrize(("wrong", "lone"), [(1, True), (3, False)])
def test_a_variance_that_one_label_makes_is_at_least_the_anticipated_one(wrong: int, lone: bool) -> None:
    """One wrong label of twenty makes 95 % of the variance by itself. Scores of .6 predict a far larger variance."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.full(100, 0.6)}))
    study = sv.create_study(pool, metric="accuracy", budget=20, preset="uniform", shrinkage=1.0)
    study.tell_all((item, int(k >= wrong)) for k, item in enumerate(study.ask(20)))
    share = 1 / 20 - 1 / 100
    own = share * (wrong / 20) * (1 - wrong / 20) * 20 / 19
    assert study.estimate().variance == pytest.approx(share * 0.6 * 0.4 if lone else own, rel=1e-9)


@pytest.mark.parametrize("preset", ["uniform", "queue", "stratified", "oasis"])
@pytest.mark.parametrize(
    ("pred", "options"),
    [("1", {}), ("0", {}), ("a", {"task": "multiclass", "classes": ["a", "b", "c"]})],
)
def test_labels_that_agree_with_decisions_all_alike_have_the_exact_binomial_limit(
    preset: str, pred: str, options: dict[str, Any]
) -> None:
    """Of sixty flagged items, all found right, nothing was said: accuracy lay between 0 and 1."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [pred] * 500}), pred="pred", **options)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset=preset, seed=2)
    while items := study.ask(20):
        study.tell_all((item, pred if options else int(pred)) for item in items)
    found = study.estimate()
    exact = stats.binomtest(60, 60).proportion_ci(0.9, method="exact")
    assert (found.value, found.interval.high) == (1.0, 1.0)
    assert found.interval.low == pytest.approx(exact.low, rel=1e-9)
    assert "those of 60 items, all alike" in found.interval.note


@pytest.mark.parametrize("preset", ["uniform", "queue", "recommended"])
@pytest.mark.parametrize(("errors", "few"), [("even", False), ("normal", False), ("heavy", True)])
def test_limits_that_rest_on_few_large_errors_say_so(preset: str, errors: str, few: bool) -> None:
    """Of log-normal errors, 90% limits of the RMSE contained it in .73 of uniform samples of 100 labels, and said nothing."""
    rng = np.random.default_rng(4)
    drawn = {
        "even": rng.uniform(-1, 1, 1000),
        "normal": rng.normal(0, 1, 1000),
        "heavy": rng.lognormal(0, 1.5, 1000),
    }
    frame = pd.DataFrame({"pred": rng.normal(50, 10, 1000)})
    frame["y"] = frame["pred"] + drawn[errors]
    pool = sv.Pool.from_frame(frame, pred="pred", label="y", task="regression")
    study = sv.create_study(pool, metric="rmse", budget=100, preset=preset, seed=3)
    study.answer(sv.Labels.from_frame(frame, pool, "y"), 100)
    found = study.estimate()
    assert (
        bool(re.search(r"few of the 100 labels, about \d+, make up most of the variance", found.note)) is few
    )
    assert any("few of the 100 labels" in said for said in caveats(study, [found])) is few
    assert ("few of the 100 labels" in study.estimate(about="future").note) is few


def test_few_mistakes_are_not_said_to_be_larger_than_others() -> None:
    """All losses of the accuracy are 0 or 1, so that no item without a label has one that is larger still."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 1000)})
    frame["label"] = (frame["score"] > 0.5).astype(int)
    frame.loc[::30, "label"] ^= 1
    pool = sv.Pool.from_frame(frame, score="score", label="label")
    study = sv.create_study(pool, metric="accuracy", budget=100, preset="uniform", seed=3)
    study.answer(sv.Labels.from_frame(frame, pool, "label"), 100)
    found = study.estimate()
    assert 0.9 < found.value < 1
    assert "make up most of the variance" not in found.note


def test_a_census_rests_on_no_few_errors() -> None:
    frame = pd.DataFrame({"pred": np.zeros(30), "y": [*np.zeros(29), 1000.0]})
    pool = sv.Pool.from_frame(frame, pred="pred", label="y", task="regression")
    study = sv.create_study(pool, metric="mse", budget=30, preset="uniform")
    study.answer(sv.Labels.from_frame(frame, pool, "y"), 30)
    assert study.estimate().note == ""
