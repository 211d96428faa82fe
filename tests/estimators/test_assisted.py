"""Model-assisted rounds are unbiased, and their variance allows for mistakes that no label showed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import Problem, Successive
from sampleval.estimators import ModelAssisted, Run, infer
from sampleval.estimators.assisted import off_by_part
from sampleval.metrics import Metric, resolve, within
from sampleval.pool import Integers, Items
from sampleval.presets import PRESETS
from sampleval.simulation.oracle import Known
from sampleval.simulation.replicate import replicate
from sampleval.surrogates import Recalibrated
from tests.estimators.listing import NOTHING, bernoulli_paths, residuals
from tests.reference import Floats


@dataclass(frozen=True)
class Guess:
    """A foresight that knows the labels of the rounds before its own and is wrong about all others."""

    share: Floats

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        chosen = items.take(index)
        no, yes = (metric.loss(chosen, np.full(len(index), y)) for y in (0, 1))
        return no + self.share[index, None] * (yes - no)

    def total(self, metric: Metric, items: Items) -> Floats:
        return self.of(metric, items, np.arange(len(items))).sum(axis=0)


def assisted_paths(truth: Integers, *, late: bool) -> Iterator[tuple[Run, float]]:
    """Runs along every path of two Bernoulli rounds; `late` foresight knows its own round's labels too."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": list("abcd"), "score": [0.9, 0.6, 0.4, 0.2]}))
    problem = Problem(pool, {resolve("f1"): 1.0}, Recalibrated())
    everyone = np.arange(4)
    for sample, seen, p in bernoulli_paths(np.column_stack([truth, everyone]).astype(float), 2):
        assert isinstance(sample, Successive)
        order = seen[:, 1].astype(np.intp)
        guesses = []
        for r in range(2):
            known = order[(sample.round <= r) if late else (sample.round < r)]
            guesses.append(
                Guess(np.clip(0.3 + 0.1 * everyone + 0.2 * truth[known].sum() - 0.1 * len(known), 0, 1))
            )
        given = replace(sample, foresights=tuple(guesses))
        responded = np.ones(len(order), bool)
        yield (
            Run(
                pool.items.take(order),
                truth[order],
                responded,
                problem.belief.take(order),
                given,
                problem,
            ),
            p,
        )


@pytest.mark.parametrize("late", [False, True])
def test_model_assisted_rounds_are_unbiased_unless_they_foresee_their_own_labels(late: bool) -> None:
    """Every path of a tiny adaptive study: sums exactly, their variance exactly; the control is biased."""
    truth, metric = np.array([1, 1, 0, 1]), resolve("f1")
    mean, square, said = np.zeros(2), np.zeros(2), np.zeros(2)
    for run, p in assisted_paths(truth, late=late):
        left = residuals(metric, run, ModelAssisted())
        mean, square = mean + p * left.mean, square + p * left.mean**2
        said += p * ModelAssisted().spread(run.sample, left.rest, NOTHING).variance
    exact = metric.loss(run.problem.pool.items, truth).mean(axis=0)
    if late:
        assert np.abs(mean - exact).max() > 1e-3
    else:
        np.testing.assert_allclose(mean, exact, atol=1e-12)
        np.testing.assert_allclose(said, square - mean**2, atol=1e-12)


CHANCES = np.array([0.1, 0.5, 0.2, 1.0, 0.3, 0.15])


def first_round(shift: float, labels: Integers) -> Run:
    """Six of twenty items in one round of unequal chances, their positives foreseen too high by `shift`."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(20), "score": np.linspace(0.1, 0.9, 20)}))
    problem = Problem(pool, {resolve("prevalence"): 1.0}, Recalibrated())
    order = np.random.default_rng(3).permutation(20)[:6]
    sizes, foreseen = np.full(1, 6.0), (Guess(np.linspace(0.2, 0.39, 20) + shift),)
    sample = Successive(
        np.arange(6), np.zeros(6, np.intp), CHANCES, sizes, sizes, 20, np.ones(1, bool), foreseen
    )
    return Run(
        pool.items.take(order),
        labels,
        np.ones(6, bool),
        problem.belief.take(order),
        sample,
        problem,
    )


def test_what_is_seen_bounds_counts_from_below() -> None:
    metric, labels = resolve("prevalence"), np.array([0, 0, 0, 1, 0, 0])
    assert residuals(metric, first_round(0.6, labels), ModelAssisted()).mean[0] < 0
    assert infer(metric, first_round(0.6, labels), ModelAssisted()).value == pytest.approx([1 / 20])


def test_what_is_seen_of_its_other_part_bounds_a_share_from_above() -> None:
    metric, labels = resolve("prevalence"), np.array([1, 1, 1, 0, 1, 1])
    assert residuals(metric, first_round(-0.6, labels), ModelAssisted()).mean[0] > 1
    assert infer(metric, first_round(-0.6, labels), ModelAssisted()).value == pytest.approx([19 / 20])


def test_a_first_round_taken_as_a_ratio_cancels_an_error_common_to_all_beliefs() -> None:
    metric, labels = resolve("prevalence"), np.array([1, 0, 0, 1, 1, 0])
    ratio, plain = ModelAssisted(opening="ratio"), ModelAssisted()
    right, off = first_round(0.0, labels), first_round(0.3, labels)
    here, there = (infer(metric, run, ratio) for run in (right, off))
    np.testing.assert_allclose(here.value, there.value)
    shown, same = (
        ratio.spread(run.sample, residuals(metric, run, ratio).rest, NOTHING).variance for run in (right, off)
    )
    np.testing.assert_allclose(shown, same)
    assert abs(infer(metric, right, plain).value - infer(metric, off, plain).value) > 0.02

    foreseen, order, chance = 0.2 + 0.01 * np.arange(20), right.items.index, np.array([0, 1, 2, 4, 5])
    rest, weight = labels[chance] - foreseen[order[chance]], 1 / CHANCES[chance]
    by_hand = 1 + np.delete(foreseen, order[3]).sum() + 19 * (weight @ rest) / weight.sum()
    np.testing.assert_allclose(here.value, by_hand / 20)


@pytest.mark.parametrize("opening", ["sum", "ratio"])
def test_the_assisted_variance_allows_for_one_unforeseen_label(opening: Literal["sum", "ratio"]) -> None:
    """By hand: .04 Σv²/Σv, v = (w/N)²(1 − b)·E(y − m)² with y of the pool's share of positives, w what a row speaks for."""
    metric, labels = resolve("prevalence"), np.array([1, 0, 0, 1, 1, 0])
    run, estimator = first_round(0.0, labels), ModelAssisted(opening=opening)
    share, m = run.problem.belief.mean.mean(), (0.2 + 0.01 * np.arange(20))[run.items.index]
    w = 1 / CHANCES
    if opening == "ratio":
        w[CHANCES < 1] *= 19 / w[CHANCES < 1].sum()
    v = (w / 20) ** 2 * (1 - CHANCES) * (share * (1 - m) ** 2 + (1 - share) * m**2)
    found, rest = infer(metric, run, estimator), residuals(metric, run, estimator).rest
    shown = estimator.spread(run.sample, rest[:, :1], NOTHING).variance
    np.testing.assert_allclose(found.spread.variance, shown + 0.04 * (v**2).sum() / v.sum())


@pytest.mark.parametrize("opening", ["sum", "ratio"])
def test_the_assisted_variance_allows_for_mistakes_that_the_labels_did_not_show(
    opening: Literal["sum", "ratio"],
) -> None:
    """By hand: (ν V̂ + 10 V)/(ν + 10), V = Σ (w/N)²(1 − b)·E(y − m)² with y of the scores as the labels recalibrate them.

    V̂ has the unforeseen label in it, ν has not: it was not seen.
    """
    metric, labels = resolve("prevalence"), np.array([0, 0, 1, 0, 1, 1])
    run, estimator = first_round(0.0, labels), ModelAssisted(opening=opening)
    # Labels much as they were foreseen: their residuals vary less than those of other labels would.
    m = np.where(labels, 0.9, 0.1)
    foresight = np.zeros(20)
    foresight[run.items.index] = m
    assert isinstance(run.sample, Successive)
    run = replace(run, sample=replace(run.sample, foresights=(Guess(foresight),)))
    believed = Recalibrated().model(run.problem.pool).believe(run.known).mean[run.items.index]
    share, w = run.problem.belief.mean.mean(), 1 / CHANCES
    if opening == "ratio":
        w[CHANCES < 1] *= 19 / w[CHANCES < 1].sum()
    v, expected = (
        (w / 20) ** 2 * (1 - CHANCES) * (y * (1 - m) ** 2 + (1 - y) * m**2) for y in (share, believed)
    )
    rest = residuals(metric, run, estimator).rest
    unlike = v * np.sqrt(0.04 / v.sum())
    shown = estimator.spread(run.sample, rest[:, :1], NOTHING)
    nu, variance = shown.degrees, shown.beside(unlike[:, None]).variance
    assert abs(nu - shown.beside(unlike[:, None]).degrees) > 0.1
    assert (expected.sum() > 3 * variance).all()
    found = infer(metric, run, estimator).spread.variance
    np.testing.assert_allclose(found, (nu * variance + 10 * expected.sum()) / (nu + 10))


def test_no_label_of_numbers_is_compared_with_a_fit_to_itself() -> None:
    """Residuals from the fit were too small: limits of the mean label held in .76 of studies of 4 to 6 labels."""
    rng = np.random.default_rng(5)
    pred = rng.normal(size=40)
    frame = pd.DataFrame({"pred": pred, "label": pred + rng.normal(size=40)})
    pool = sv.Pool.from_frame(frame, task="regression", label="label")
    metric, labels = resolve("mean_label"), sv.Labels.from_frame(frame, pool, label="label")
    method = PRESETS["recommended"].method_for("regression")
    problem = Problem(pool, {metric: 1.0}, method.surrogate)
    run = replicate(problem, method, Known(labels), 6).run(6)
    assert run is not None
    assert isinstance(method.estimator, ModelAssisted)
    moved = replace(run, labels=run.labels + 5.0 * (np.arange(6) == 2))
    before, after = (method.estimator.foreseen(metric, each)[0][:, 0] for each in (run, moved))
    np.testing.assert_array_equal(np.isclose(before, after), np.arange(6) == 2)


def test_corrections_leave_a_count_at_least_what_is_held_and_found() -> None:
    """20 positives are held and 3 found; high scores that prove wrong would put the number of positives at 22."""
    rng = np.random.default_rng(24)
    score = rng.beta(0.5, 2, 120)
    truth = rng.random(120) < 0.15 * score
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(120), "score": score}))
    held = {str(k): bool(k % 2) for k in range(40)}
    study = sv.create_study(
        pool,
        metric="f1",
        budget=12,
        surrogate="shrunk",
        design="rounds",
        estimator="assisted",
        held=held,
        seed=24,
    )
    while items := study.ask(5):
        for item in items:
            study.tell(item, bool(truth[int(item.id)]))
    assert truth[study.state.queue].sum() == 3
    assert study.estimate("positives").value == pytest.approx(23, rel=1e-12)


def test_a_ratio_of_residuals_has_the_textbook_s_variance(rng: np.random.Generator) -> None:
    """If all items have the same chance, the first round is a simple random sample: (1 − n/N) s²/n, s² with n − 1."""
    n, population, effects = 4, 20, rng.normal(size=(4, 2))
    one = np.ones(1)
    sample = Successive(
        np.arange(n),
        np.zeros(n, np.intp),
        np.full(n, n / population),
        n * one,
        n * one,
        population,
        np.array([True]),
    )
    found = ModelAssisted(opening="ratio").spread(sample, effects, np.zeros(2)).variance
    expected = (1 - n / population) * effects.var(axis=0, ddof=1) / n
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_residuals_around_the_means_of_parts_are_as_wide_as_they_were(rng: np.random.Generator) -> None:
    """Residuals around their own mean have (n − 1)/n of the squares, for which a factor makes up unless n is 1."""
    rest, part = rng.normal(size=(6, 1)), np.array([0, 0, 0, 0, 1, 2])
    weight = np.array([2.0, 2.0, 2.0, 2.0, 5.0, 0.0])
    off, wider = off_by_part(rest, weight, part, 3)
    np.testing.assert_allclose(off[:, 0], [rest[:4].mean(), 0, 0], atol=1e-12)
    around = wider[:4] * (rest[:4] - off[0])
    assert (around**2).sum() / 4 == pytest.approx(rest[:4].var(ddof=1), rel=1e-12)
    np.testing.assert_array_equal(wider[4:], 1)


def test_labels_of_a_part_stand_for_its_items_however_many_the_sample_holds(rng: np.random.Generator) -> None:
    """With the wrong sign, a part whose items are all off by 3 had a mean error of 4.8."""
    part = np.arange(200) % 5 == 0
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": rng.normal(size=200)}), pred="pred", task="regression")
    label = pool.pred + np.where(part, 3.0, -1.0)
    study = sv.create_study(pool, metric="bias", budget=30, seed=2)
    study.tell_all([(item, label[int(item.id)]) for item in study.ask(30)])
    for inside, error in ((part, 3.0), (~part, -1.0)):
        assert study.estimate(within(resolve("bias"), inside, "part")).value == pytest.approx(error, abs=0.1)


@pytest.mark.parametrize("order", range(4))
def test_what_no_label_of_the_rows_could_change_shows_no_variance(order: int) -> None:
    """Rounding left 1e-20 of it, depending on the order of the rows, and 11 or 24 of 30 items as the upper limit."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"id": range(30), "pred": rng.choice(list("abcde"), 30)})
    rows = frame.sample(frac=1, random_state=order)
    pool = sv.Pool.from_frame(rows, id="id", pred="pred", task="multiclass", classes=list("abcde"))
    study = sv.create_study(pool, metric="accuracy", budget=2, preset="recommended")
    asked = study.ask(2)
    said = dict(zip(pool.ids, pool.pred, strict=True))
    study.tell_all((item, "abcde"[int(said[item.id])]) for item in asked)
    alarms, run = resolve("class_false_alarms"), study.run()
    assert run is not None
    found = infer(alarms, run, study.method.estimator).spread.variance
    unmet = [k for k in range(5) if k not in {int(said[item.id]) for item in asked}]
    assert unmet
    assert (found[unmet] < 1e-30).all()
