"""Adaptive designs: unbiased by listing every path that labels can lead to, and what the papers' formulas say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import Draws, Inclusions, Problem, Singles, Successive
from sampleval.designs.adaptive.drawing import DrawFacts
from sampleval.estimators import (
    AdaptiveImportanceSampling,
    HorvitzThompson,
    ImportanceSampling,
    Linear,
    Lure,
    ModelAssisted,
    RoundsMean,
    Run,
    infer,
    weighted_mean,
)
from sampleval.estimators.inference import residuals
from sampleval.metrics import Metric, resolve
from sampleval.pool import Integers, Items
from sampleval.surrogates import Recalibrated
from tests.reference import Floats, poisson_samples

NOTHING = np.zeros(1)
Paths = Iterator[tuple[Draws | Successive, Floats, float]]


def moments(estimator: Linear, paths: Paths, minus: bool) -> tuple[Floats, Floats, Floats, float]:
    """E R̂, Var R̂ and E V̂ over all paths, and their total probability."""
    first, second, spread, total = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for sample, values, p in paths:
        mean = weighted_mean(estimator, sample, values)
        first, second, total = first + p * mean, second + p * mean**2, total + p
        spread = spread + p * estimator.spread(sample, values, mean if minus else NOTHING).variance
    return first, second - first**2, spread, total


def learned(base: Floats, seen: list[int], labels: Floats) -> Floats:
    """A positive weight per item that depends on all labels seen, like a learned proposal."""
    return base + sum((0.3 + labels[i]) * np.roll(base, i + 1) for i in seen)


def adaptive_paths(values: Floats, stages: tuple[int, ...]) -> Paths:
    """All sequences of draws in stages, in which a stage's proposal knows the labels of the stages before."""
    n = len(values)
    base, labels = np.linspace(1, 2, n), (values[:, 0] > 0).astype(float)
    for drawn in itertools.product(range(n), repeat=sum(stages)):
        seen: list[int] = []
        q, p = [], 1.0
        for size in stages:
            proposal = learned(base, seen, labels)
            proposal = proposal / proposal.sum()
            own = drawn[len(seen) : len(seen) + size]
            q += [proposal[i] for i in own]
            p *= float(np.prod(proposal[list(own)]))
            seen += own
        yield Draws.of(np.array(drawn), np.array(q), n), values, p


def test_adaptive_importance_sampling_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    mean, variance, spread, total = moments(
        AdaptiveImportanceSampling(), adaptive_paths(values, (2, 1, 2)), minus=True
    )
    assert total == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(mean, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(spread, variance, atol=1e-12)


def test_the_newest_proposal_for_all_draws_would_be_biased(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    wrong = np.zeros(2)
    for sample, _, p in adaptive_paths(values, (1, 2)):
        assert isinstance(sample, Draws)
        newest = np.linspace(1, 2, 4) / 6
        wrong += p * weighted_mean(
            AdaptiveImportanceSampling(), Draws.of(sample.rows, newest[sample.rows], 4), values
        )
    assert np.abs(wrong - values.mean(axis=0)).max() > 1e-3


def test_one_stage_is_static_importance_sampling(rng: np.random.Generator) -> None:
    q, values = rng.dirichlet(np.ones(6)), rng.normal(size=(6, 2))
    rows = rng.integers(0, 6, 30)
    sample = Draws.of(rows, q[rows], 6)
    values = values[sample.rows]
    one = Draws(np.arange(len(values)), sample.draws, sample.inverse, sample.square, sample.current, 6)
    static, adaptive = ImportanceSampling(), AdaptiveImportanceSampling(variance="current")
    np.testing.assert_allclose(weighted_mean(adaptive, one, values), weighted_mean(static, one, values))
    np.testing.assert_allclose(
        adaptive.spread(one, values, NOTHING).covariance, static.spread(one, values, NOTHING).covariance
    )


def bernoulli_paths(values: Floats, rounds: int, *, measurable: bool = True) -> Paths:
    """All samples without replacement in Bernoulli rounds, in which a round knows the labels before it."""
    n = len(values)
    base, labels = np.linspace(0.3, 0.5, n), (values[:, 0] > 0).astype(float)

    def extend(seen: list[int], parts: list[tuple[int, float]], p: float, r: int) -> Paths:
        if r == rounds:
            order = [i for i, _ in parts]
            assert order == seen
            yield sample_of(seen, parts, n, rounds), values[seen], p
            return
        b = np.minimum(learned(base, seen, labels) / (1 + len(seen)), 0.95)
        b[seen] = 0
        for chosen, chance in poisson_samples(b):
            extra = [(int(i), float(b[i])) for i in chosen]
            marks[r] = len(seen)
            if chance:
                yield from extend(seen + [i for i, _ in extra], parts + extra, p * chance, r + 1)

    marks = [0] * rounds

    def sample_of(seen: list[int], parts: list[tuple[int, float]], n: int, rounds: int) -> Successive:
        starts = np.array([*marks, len(seen)])
        return Successive(
            np.arange(len(seen)),
            np.repeat(np.arange(rounds), np.diff(starts)),
            np.array([b for _, b in parts]),
            np.ones(rounds),
            np.ones(rounds),
            n,
            np.full(rounds, measurable),
        )

    yield from extend([], [], 1.0, 0)


@pytest.mark.parametrize("weights", ["precision", "size"])
@pytest.mark.parametrize(("rounds", "measurable"), [(2, True), (3, True), (3, False)])
def test_rounds_are_unbiased_with_an_unbiased_variance(
    rng: np.random.Generator, rounds: int, measurable: bool, weights: str
) -> None:
    """Rounds use their own variances; three that have none use the spread between them, unless one counts half."""
    values = rng.normal(size=(4, 2)) + 1
    paths = bernoulli_paths(values, rounds, measurable=measurable)
    mean, variance, spread, total = moments(RoundsMean(weights), paths, minus=False)
    if weights == "precision" and not measurable:
        variance = np.full(2, np.nan)
    assert total == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(mean, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(spread, variance, atol=1e-12)


@pytest.mark.parametrize("sizes", [(50, 50, 75), (1, 2, 3, 4), (10, 90), (300,), (100, 200)])
def test_rounds_of_a_plain_sample_are_worth_that_sample(sizes: tuple[int, ...]) -> None:
    """V = (1 − n/N)/n of the whole, from V_r = N_r (N_r − n_r)/(N² n_r) of each round of what those before it left."""
    rows = np.arange(sum(sizes))
    number, n = np.repeat(np.arange(len(sizes)), sizes), np.array(sizes, float)
    left = 300 - np.cumsum(n) + n
    sample = Successive(rows, number, (n / left)[number], n, n, 300, np.ones(len(n), bool))
    shares = RoundsMean().shares(sample)
    assert shares.sum() == pytest.approx(1)
    assert shares**2 @ (left * (left - n) / n) / 300**2 == pytest.approx((1 - n.sum() / 300) / n.sum())


def test_with_equal_weights_a_round_cut_short_counts_for_its_completed_share() -> None:
    rows, one = np.arange(14), np.ones(2, bool)
    round_, counted, planned = np.repeat([0, 1], [10, 4]), np.array([10.0, 4.0]), np.array([10.0, 10.0])
    sample = Successive(rows, round_, np.full(14, 0.5), counted, planned, 100, one)
    assert RoundsMean(weights="equal").shares(sample).tolist() == pytest.approx([1 / 1.4, 0.4 / 1.4])


def test_rounds_that_forget_what_was_labelled_would_be_biased(rng: np.random.Generator) -> None:
    values = rng.normal(size=(4, 2)) + 1
    wrong = np.zeros(2)
    for sample, chosen, p in bernoulli_paths(values, 2):
        assert isinstance(sample, Successive)
        wrong += p * (chosen / sample.inclusion[:, None]).sum(axis=0) / 2 / 4
    assert np.abs(wrong - values.mean(axis=0)).max() > 1e-3


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
                pool.items.take(everyone[:0]),
                truth[:0],
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
        rest, risk, _ = residuals(metric, run, ModelAssisted())
        mean, square = mean + p * risk, square + p * risk**2
        said += p * ModelAssisted().spread(run.sample, rest, NOTHING).variance
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
    order, none = np.random.default_rng(3).permutation(20)[:6], np.arange(0)
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
        pool.items.take(none),
        labels[none],
        problem,
    )


def test_what_is_seen_bounds_counts_from_below() -> None:
    metric, labels = resolve("prevalence"), np.array([0, 0, 0, 1, 0, 0])
    assert residuals(metric, first_round(0.6, labels), ModelAssisted())[1][0] < 0
    assert infer(metric, first_round(0.6, labels), ModelAssisted()).value == pytest.approx([1 / 20])


def test_what_is_seen_of_its_other_part_bounds_a_share_from_above() -> None:
    metric, labels = resolve("prevalence"), np.array([1, 1, 1, 0, 1, 1])
    assert residuals(metric, first_round(-0.6, labels), ModelAssisted())[1][0] > 1
    assert infer(metric, first_round(-0.6, labels), ModelAssisted()).value == pytest.approx([19 / 20])


def test_a_first_round_taken_as_a_ratio_cancels_an_error_common_to_all_beliefs() -> None:
    metric, labels = resolve("prevalence"), np.array([1, 0, 0, 1, 1, 0])
    ratio, plain = ModelAssisted(opening="ratio"), ModelAssisted()
    right, off = first_round(0.0, labels), first_round(0.3, labels)
    here, there = (infer(metric, run, ratio) for run in (right, off))
    np.testing.assert_allclose(here.value, there.value)
    shown, same = (
        ratio.spread(run.sample, residuals(metric, run, ratio)[0], NOTHING).variance for run in (right, off)
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
    found, rest = infer(metric, run, estimator), residuals(metric, run, estimator)[0]
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
    rest = residuals(metric, run, estimator)[0]
    unlike = v * np.sqrt(0.04 / v.sum())
    shown = estimator.spread(run.sample, rest[:, :1], NOTHING)
    nu, variance = shown.degrees, shown.beside(unlike[:, None]).variance
    assert abs(nu - shown.beside(unlike[:, None]).degrees) > 0.1
    assert (expected.sum() > 3 * variance).all()
    found = infer(metric, run, estimator).spread.variance
    np.testing.assert_allclose(found, (nu * variance + 10 * expected.sum()) / (nu + 10))


def sequential_paths(values: Floats, labels: int) -> Paths:
    """All orders of drawing without replacement, with chances that know the labels before."""
    n = len(values)
    base, truth = np.linspace(1, 2, n), (values[:, 0] > 0).astype(float)
    for order in itertools.permutations(range(n), labels):
        q = []
        for m, i in enumerate(order):
            left = learned(base, list(order[:m]), truth)
            left[list(order[:m])] = 0
            q.append(left[i] / left.sum())
        yield Singles.of(np.array(q), n), values[list(order)], float(np.prod(q))


def test_lure_is_unbiased_with_an_unbiased_variance(rng: np.random.Generator) -> None:
    values = rng.normal(size=(7, 2)) + 1
    mean, variance, spread, total = moments(Lure(), sequential_paths(values, 3), minus=False)
    assert total == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(mean, values.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(spread, variance, atol=1e-12)


@pytest.mark.parametrize("labels", [1, 2, 4, 5])
def test_lure_weights_are_the_papers(rng: np.random.Generator, labels: int) -> None:
    values = rng.normal(size=(5, 2))
    for sample, chosen, _ in sequential_paths(values, labels):
        assert isinstance(sample, Successive)
        m, q = np.arange(1, labels + 1), sample.inclusion
        with np.errstate(divide="ignore", invalid="ignore"):
            v = 1 + (5 - labels) / (5 - m) * (1 / ((5 - m + 1) * q) - 1)
        v = np.where(m == 5, 1.0, v)
        np.testing.assert_allclose(weighted_mean(Lure(), sample, chosen), (v[:, None] * chosen).mean(axis=0))


def test_with_a_stochastic_oracle_the_variance_is_never_too_small(rng: np.random.Generator) -> None:
    """Over all samples and all answers, the variance estimate is compared with the error about E ℓ.

    Items with b = 1 are uncertain too.
    """
    b, chance = np.array([0.4, 1.0, 0.7]), np.array([0.2, 0.5, 0.9])
    answers = np.stack([rng.normal(size=3), rng.normal(size=3)])
    target = (chance * answers[1] + (1 - chance) * answers[0]).mean()
    error, said, exact = 0.0, 0.0, 0.0
    for rows, p in poisson_samples(b):
        for labels in itertools.product((0, 1), repeat=3):
            y = np.array(labels)
            q = p * float(np.prod(np.where(y == 1, chance, 1 - chance)))
            values = answers[y, np.arange(3)][rows][:, None]
            sample = Inclusions(np.arange(len(rows)), b[rows], 3, noisy=True)
            estimate = weighted_mean(HorvitzThompson(), sample, values)[0]
            error += q * (estimate - target) ** 2
            said += q * HorvitzThompson().spread(sample, values, NOTHING).variance[0]
            still = Inclusions(np.arange(len(rows)), b[rows], 3)
            exact += q * HorvitzThompson().spread(still, values, NOTHING).variance[0]
    assert exact < error < said


def test_draws_of_earlier_rounds_count_as_draws() -> None:
    """Five draws of two rows before, three streaks since: listed one by one, those that may be used are nine."""
    earlier, since = (
        [(0, 0.2), (0, 0.2), (1, 0.4), (1, 0.4), (0, 0.2)],
        [(0, 0.1, 3), (2, 0.5, 1), (3, 0.4, 2)],
    )
    before = np.array([3 / 0.2, 2 / 0.4]), np.array([3 / 0.2**2, 2 / 0.4**2])
    row, count = np.array([r for r, _, _ in since]), np.array([float(c) for _, _, c in since])
    facts = DrawFacts(2, np.array([0.1, 0.1, 0.5, 0.3]), row, count, np.array([2, 3, 4]), 5.0, *before)
    listed = earlier + [(0, 0.1)] * 3 + [(2, 0.5)]
    found = facts.sample(3, 10)
    assert found.draws == len(listed) == 9
    inverse = [sum(1 / q for r, q in listed if r == k) for k in range(3)]
    np.testing.assert_allclose(found.inverse, inverse)
