"""Limits of differences of two systems, which few labels tell apart: they hold however unequally labels are sampled."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.estimators import infer
from sampleval.metrics import Metric, minus, resolve, within
from sampleval.planning import variance_at


def compared(seed: int, again: float = 1.0) -> tuple[sv.Pool, sv.Labels]:
    """A pool of four classes, three of them rare, that two systems decide; the second one decides a share of the items anew."""
    rng = np.random.default_rng(seed)
    shares = np.array([0.85, 0.05, 0.05, 0.05])
    truth = rng.choice(4, 2000, p=shares)
    common = 0.6 * rng.normal(size=(2000, 4)) + np.log(shares)
    old, new = (
        (common + 0.8 * rng.normal(size=(2000, 4)) + skill * np.eye(4)[truth]).argmax(axis=1)
        for skill in (1.5, 2.2)
    )
    new = np.where(rng.random(2000) < again, new, old)
    names = np.array(list("wxyz"))
    frame = pd.DataFrame({"label": names[truth], "old.pred": names[old], "new.pred": names[new]})
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    return pool, sv.Labels.from_frame(frame, pool)


def versions() -> tuple[sv.Pool, sv.Labels]:
    """A pool of one positive in twenty that two systems decide; the second one decides three items in ten anew."""
    rng = np.random.default_rng(5)
    truth = (rng.random(3000) < 0.05).astype(int)
    common = 0.6 * rng.normal(size=3000) + np.log(0.05 / 0.95)
    old, new = (common + rng.normal(size=3000) + skill * (2 * truth - 1) > 0 for skill in (1.8, 2.4))
    new = np.where(rng.random(3000) < 0.3, new, old)
    frame = pd.DataFrame({"label": truth, "old.pred": old, "new.pred": new}).astype(int)
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    return pool, sv.Labels.from_frame(frame, pool)


def differences(*names: str) -> list[Metric]:
    """The difference of the two systems in each of these metrics."""
    return [resolve(f"{name}[new - old]") for name in names]


def coverage(
    pool: sv.Pool, known: sv.Labels, metrics: list[Metric], preset: str, *, budget: int, studies: int
) -> list[float]:
    """Of each metric the share of studies drawn for accuracy whose limits hold, among those in which it has a value."""
    held: list[list[bool]] = [[] for _ in metrics]
    true = [metric.value(metric.loss(pool.items, known.values).mean(axis=0))[0] for metric in metrics]
    for seed in range(studies):
        study = sv.create_study(pool, metric="accuracy", preset=preset, budget=budget, seed=seed)
        study.answer(known, budget)
        for metric, value, holds in zip(metrics, true, held, strict=True):
            if not np.isnan((found := study.estimate(metric)).value):
                holds.append(found.interval.low <= value <= found.interval.high)
    return [float(np.mean(holds)) for holds in held]


def test_a_difference_is_not_sure_of_classes_whose_few_labels_are_alike() -> None:
    """Where both systems were right on the two labels of a class, it showed no variance: limits held in half of the studies."""
    metrics = differences("macro_recall", "macro_f1", "macro_precision")
    assert min(coverage(*compared(3), metrics, "uniform", budget=80, studies=60)) > 0.8


@pytest.mark.parametrize("studies", [14, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("preset", "again", "least"),
    [("queue", 0.1, 0.87), ("recommended", 0.1, 0.87), ("recommended", 0.4, 0.8)],
)
def test_a_difference_is_not_sure_of_items_whose_few_labels_stand_for_many(
    preset: str, again: float, least: float, studies: int
) -> None:
    """Where only items asked more often than others told a new version apart, limits held in .64 to .77 of the studies."""
    metrics = differences("macro_recall", "macro_f1")
    assert min(coverage(*compared(3, again), metrics, preset, budget=150, studies=studies)) > least


@pytest.mark.parametrize("preset", ["queue", "recommended"])
def test_the_few_labels_that_tell_two_systems_apart_do_not_show_how_a_difference_of_accuracy_varies(
    preset: str,
) -> None:
    """Limits from the variance of the labels alone held in .7 of the studies by `queue` and in .36 by `recommended`."""
    budget = {"queue": 150, "recommended": 60}[preset]
    [held] = coverage(*compared(3, 0.1), differences("accuracy"), preset, budget=budget, studies=20)
    assert held > 0.87


def test_the_few_labels_that_tell_two_systems_apart_do_not_show_how_a_difference_of_f1_varies() -> None:
    """Limits of F1 and recall of two classes held in .6 and .4 of the studies, since labels that differ had small weights."""
    assert min(coverage(*versions(), differences("f1", "recall"), "queue", budget=150, studies=25)) > 0.87


@pytest.mark.parametrize("name", ["class_recall", "class_f1"])
def test_the_few_labels_that_tell_two_systems_apart_do_not_show_how_a_difference_by_class_varies(
    name: str,
) -> None:
    """The limits of four classes held in .23 to 1.0 of the studies."""
    pool, known = compared(3, 0.1)
    metric = resolve(f"{name}[new - old]")
    true = metric.value(metric.loss(pool.items, known.values).mean(axis=0))
    held = []
    for seed in range(20):
        study = sv.create_study(pool, metric="accuracy", budget=60, seed=seed)
        study.answer(known, 60)
        found = study.curve(metric)
        held.append((found.low - 1e-12 <= true) & (true <= found.high + 1e-12))
    assert np.mean(held, axis=0).min() > 0.75


def test_a_difference_varies_by_the_items_that_the_systems_decide_differently_alone() -> None:
    """Limits for a new version of which one decision in fifty is new were as wide as if any might be."""
    pool, known = compared(3, again=0.02)
    study = sv.create_study(pool, metric="accuracy", preset="uniform", budget=150, seed=1)
    study.answer(known, 150)
    differs = (pool.items.of("new").pred != pool.items.of("old").pred).mean()
    found = study.estimate("macro_recall[new - old]")
    assert 0 < differs < 0.02
    assert 0 < found.interval.width < 0.15


def test_two_metrics_of_one_system_differ_although_no_decisions_do() -> None:
    """Where all labels of a class were right, recall − F1 was taken for 0 in the whole class: limits held in .29 of the studies."""
    metric = minus(resolve("macro_recall"), resolve("macro_f1"))
    assert min(coverage(*compared(3), [metric], "uniform", budget=80, studies=12)) > 0.8


def test_labels_that_do_not_tell_two_systems_apart_leave_something_known_of_other_items() -> None:
    """Where no label fell on an item that one version alone decides, the limits about the source were the whole range."""
    pool, known = compared(3, again=0.1)
    apart = pool.items.of("new").pred != pool.items.of("old").pred
    study = sv.create_study(pool, metric="accuracy", preset="queue", budget=60, seed=0)
    told = {id: label for id, label in known.by_id(pool).items() if not apart[pool.position(id)]}
    while items := study.ask(1):
        study.tell(items[0], told.get(items[0].id, sv.SKIP))
    found = study.estimate("accuracy[new - old]", about="future").interval
    assert found.known
    assert -0.2 < found.low < 0 < found.high < 0.2


def test_limits_of_a_difference_between_parts_follow_from_those_of_both() -> None:
    """MOVER (Zou & Donner 2008). One small part has only labels that are alike: its limits held in .5 of the studies."""
    pool, known = compared(3)
    small = np.random.default_rng(5).random(pool.size) < 0.15
    sides = [
        [within(resolve(f"{name}[new]"), part, "part") for part in (small, ~small)]
        for name in ("accuracy", "kappa")
    ]
    gaps = [minus(part, rest) for part, rest in sides]
    assert min(coverage(pool, known, gaps, "uniform", budget=60, studies=30)) >= 0.87
    study = sv.create_study(pool, metric="accuracy", preset="queue", budget=60, seed=1)
    study.answer(known, 60)
    (x, l1, u1), (y, l2, u2) = (
        (e.value, e.interval.low, e.interval.high) for e in map(study.estimate, sides[-1])
    )
    found = study.estimate(gaps[-1])
    assert found.value == pytest.approx(x - y)
    assert found.interval.low == pytest.approx(x - y - np.hypot(x - l1, u2 - y))
    assert found.interval.high == pytest.approx(x - y + np.hypot(u1 - x, y - l2))


@pytest.mark.parametrize("sign", [1, -1])
def test_limits_of_a_difference_from_a_part_that_is_known_are_those_of_the_other(sign: int) -> None:
    pool, known = compared(3)
    part = np.arange(pool.size) < 10
    truth = known.by_id(pool)
    study = sv.create_study(
        pool,
        metric="accuracy",
        preset="uniform",
        budget=60,
        held={i: truth[i] for i in map(str, pool.ids[part])},
    )
    study.answer(known, 60)
    sides = [within(resolve("accuracy[new]"), each, "part") for each in (part, ~part)]
    x, other = map(study.estimate, sides)
    first, second = sides[::sign]
    found = study.estimate(minus(first, second)).interval
    ends = sorted(sign * (x.value - end) for end in (other.interval.low, other.interval.high))
    assert (found.low, found.high) == pytest.approx(ends)
    assert (x.interval.method, found.method) == ("census", other.interval.method)


def test_parts_that_share_items_are_not_taken_for_independent() -> None:
    pool, known = versions()
    study = sv.create_study(pool, metric="accuracy", preset="uniform", budget=60, seed=1)
    study.answer(known, 60)
    everyone, most = np.ones(pool.size, bool), np.arange(pool.size) % 30 > 0
    one, other = (within(resolve("accuracy[new]"), part, "part") for part in (everyone, most))
    assert study.estimate(minus(one, other)).interval.width < 0.5 * study.estimate(one).interval.width


def test_few_items_of_a_large_pool_that_tell_two_systems_apart_are_not_passed_over() -> None:
    """One of each group of a pool stood for it: limits were ± 0.00001 where 20 of 40,000 items differ, and held rarely."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 40_000)
    old = np.where(rng.random(40_000) < 0.8, truth, rng.integers(0, 3, 40_000))
    new = old.copy()
    new[rng.choice(40_000, 20, replace=False)] = 0
    names = np.array(list("xyz"))
    frame = pd.DataFrame({"label": names[truth], "old.pred": names[old], "new.pred": names[new]})
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    known = sv.Labels.from_frame(frame, pool)
    study = sv.create_study(pool, metric="accuracy", budget=60, seed=1)
    study.answer(known, 60)
    apart = (new == truth).astype(float) - (old == truth)
    spread = np.sqrt(np.square(apart).mean() / 60)
    assert study.estimate("accuracy[new - old]").interval.width > spread
    by_class = study.curve("class_recall[new - old]")
    assert (by_class.high - by_class.low > spread).all()


@pytest.mark.parametrize("name", ["macro_recall", "macro_f1"])
def test_a_belief_that_takes_classes_for_far_too_rare_does_not_widen_what_the_labels_tell(name: str) -> None:
    """Linearised at the values that it expects, it foresees several times the labels' own variance; at those estimated, less."""
    pool, known = compared(1, again=0.1)
    study = sv.create_study(pool, metric=f"{name}[new - old]", preset="uniform", budget=200, seed=1)
    study.answer(known, 200)
    metric, run, method = study.metric(), study.run(), study.method
    assert run is not None
    own = float(infer(metric, run, method.estimator).spread.variance[0])
    assert variance_at(method.design, run.problem.profile_for(metric), 200) > 2 * own
    assert study.estimate().variance == pytest.approx(own)
