"""Single terms of formulas, each recomputed from its definition: without any of them these tests fail."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import sampleval as sv
from sampleval.designs import CellSample, Draws, Problem, Sequential, Successive
from sampleval.designs.sequential import successive
from sampleval.designs.targeted.targeted import Targeted, TargetedFacts, model_of, pair_counts
from sampleval.estimators import (
    AdaptiveImportanceSampling,
    ImportanceSampling,
    ModelAssisted,
    PosteriorPredictive,
    weighted_mean,
)
from sampleval.estimators.assisted import off_by_part
from sampleval.intervals import INTERVALS, Basis, Wager, clopper_pearson
from sampleval.intervals.wagers import log_wealth, scales
from sampleval.metrics import resolve, within
from sampleval.partition import merged
from sampleval.study.conclusions.anytime import room_of
from sampleval.surrogates import Evidence, Shrunk
from tests.pools import binary
from tests.reference import sequences


@pytest.mark.parametrize("kinds", [3, 40_000])
def test_crossing_cells_with_kinds_of_items_takes_memory_for_the_items_only(
    kinds: int, rng: np.random.Generator
) -> None:
    """All pairs of 200 cells and 40,000 kinds of items, as for areas under the curves of two systems, took 64 MB."""
    rows, columns = rng.integers(0, 200, 40_000), rng.permutation(40_000) % kinds
    tracemalloc.start()
    counts = pair_counts(rows, columns, (200, kinds))
    assert tracemalloc.get_traced_memory()[1] < 8e6
    tracemalloc.stop()
    each = rng.normal(size=(kinds, 2))
    expected = [[each[columns[rows == k], d].sum() for d in range(2)] for k in range(200)]
    np.testing.assert_allclose(counts @ each, expected, rtol=0, atol=1e-10)


def test_the_variance_of_draws_takes_the_square_of_the_mean_off(rng: np.random.Generator) -> None:
    """All sequences of three draws from four items are listed. The mean of the losses is not 0."""
    q, values, draws = np.array([0.5, 0.3, 0.15, 0.05]), 2 + rng.normal(size=(4, 2)), 3
    truth = values.mean(axis=0)
    mean, square, variance, own = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2)
    for rows, p in sequences(q, draws):
        sample = Draws.of(rows, q[rows], 4)
        estimate = weighted_mean(ImportanceSampling(), sample, values)
        mean, square = mean + p * estimate, square + p * estimate**2
        variance += p * ImportanceSampling().spread(sample, values, truth).variance
        own += p * AdaptiveImportanceSampling().spread(sample, values, estimate).variance
    np.testing.assert_allclose(mean, truth, atol=1e-12)
    np.testing.assert_allclose(variance, square - truth**2, atol=1e-12)
    np.testing.assert_allclose(own, square - truth**2, atol=1e-12)


def test_the_variance_under_the_newest_proposal_is_the_papers() -> None:
    """Σ̂/J of M 3.3.2, draw by draw: each has q at its time and q of the last round."""
    drawn = [(0, 0.4), (1, 0.1), (0, 0.3), (2, 0.2), (1, 0.25)]
    newest, loss, slope = (
        np.array([0.3, 0.25, 0.35]),
        np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.5]]),
        [2.0, -0.7],
    )
    risk = sum(loss[row] / (10 * q) for row, q in drawn) / 5
    square = sum(np.outer(loss[row], loss[row]) / (100 * newest[row] * q) for row, q in drawn) / 5
    inverse, each = np.zeros(3), np.zeros(3)
    for row, q in drawn:
        inverse[row] += 1 / q
        each[row] += 1 / q**2
    sample = Draws(np.arange(3), 5.0, inverse, each, newest, 10)
    estimator, effects = AdaptiveImportanceSampling(variance="current"), (loss @ slope)[:, None]
    found = estimator.spread(sample, effects, np.array([risk @ slope])).variance
    assert found[0] == pytest.approx(slope @ (square - np.outer(risk, risk)) @ slope / 5, rel=1e-12)


def test_the_variance_beside_held_labels_is_that_of_the_other_items_share() -> None:
    """Of 100 items 40 are held, and 20 of the other 60 are drawn: Var = (60/100)² (1 − 20/60) s²/20."""
    pool, labels = binary(100)
    held = dict(list(labels.by_id(pool).items())[:40])
    study = sv.create_study(pool, metric="accuracy", budget=20, preset="uniform", held=held)
    study.answer(labels, 20)
    index = study.state.queue
    right = (labels.of(index) == pool.pred[index]).astype(float)
    assert 0 < right.mean() < 1
    expected = 0.6**2 * (1 - 20 / 60) * right.var(ddof=1) / 20
    assert study.estimate().variance == pytest.approx(expected, rel=1e-12)


def test_a_part_s_estimate_is_the_textbook_s_post_stratified_one(rng: np.random.Generator) -> None:
    """Särndal, Swensson & Wretman 1992, section 7.6, with residuals ℓ − m, and the curve's own variance beside."""
    pool, labels = binary(500)
    inside = rng.random(500) < 0.4
    metric = within(resolve("accuracy"), inside, "a")
    study = sv.create_study(pool, metric="accuracy", budget=100, seed=2)
    study.answer(labels, 100)
    state, index = study.state, study.state.queue
    run, model = state.run(100), model_of(state.problem)
    assert run is not None
    rate = model.posterior(run.known).median[model.cells.code]
    right = np.where(pool.pred == 1, rate, 1 - rate)
    foreseen = np.column_stack([right * inside, inside])
    loss = np.column_stack([(labels.of(index) == pool.pred[index]) * inside[index], inside[index]])
    tally = np.bincount(model.cells.code[index], minlength=len(model.cells))
    group = merged([tally], 3)[model.cells.code]
    total, covariance = foreseen.sum(axis=0), np.zeros((2, 2))
    for g in np.unique(group):
        here, size = group[index] == g, np.count_nonzero(group == g)
        off, n = (loss - foreseen[index])[here], np.count_nonzero(here)
        total = total + size * off.mean(axis=0)
        covariance += size**2 * (1 - n / size) * np.cov(off.T) / n / 500**2
    slope = np.array([1.0, -total[0] / total[1]]) / (total[1] / 500)
    draws = PosteriorPredictive().predict(metric, state.problem, run.known)[1]
    shares = draws[:, 0] / draws[:, 1]
    found = study.estimate(metric)
    assert found.method == "post-stratified"
    assert found.value == pytest.approx(total[0] / total[1], rel=1e-12)
    curve = ((shares - np.median(shares)) ** 2).mean()
    assert found.variance == pytest.approx(slope @ covariance @ slope + curve, rel=1e-9)


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


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-1.0, 1.0)])
def test_the_logit_interval_is_normal_on_the_log_odds(bounds: tuple[float, float]) -> None:
    """d logit(p)/dp = 1/(p(1 − p)), by a difference quotient. Without 1 − p the interval at p = .2 is a fifth narrower."""
    (low, high), p, error, h = bounds, 0.2, 0.03, 1e-6
    slope = (special.logit(p + h) - special.logit(p - h)) / (2 * h)
    ends = special.expit(special.logit(p) + stats.norm.ppf([0.05, 0.95]) * error * slope)
    width = high - low
    found = INTERVALS["logit"].limits(Basis(low + width * p, (width * error) ** 2, range=bounds), 0.9)
    np.testing.assert_allclose((found.low, found.high), low + width * ends, rtol=1e-8)


# ------------------------------------------------------------------ what stands in for a variance


def test_a_belief_counts_for_no_more_than_the_labels_that_could_have_shown_variation() -> None:
    sure = Basis(1.0, 0.0, anticipated=1e-6, predicted=0.5, telling=15.0)
    found = INTERVALS["korn-graubard"].limits(sure, 0.9)
    assert (found.low, found.high) == pytest.approx(tuple(map(float, clopper_pearson(15, 0, 0.9))))


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


# ------------------------------------------------------------------ wagers


def test_the_room_of_a_wager_is_where_the_worst_label_would_lose_all() -> None:
    least, swings = np.array([0.3, 0.6]), np.array([[0.5, 1.0], [1.0, 0.2]])
    for side, most in enumerate(room_of(least, swings)):
        factors = 1 + np.expm1(-most * swings[:, side]) / least
        assert factors.min() == pytest.approx(0, abs=1e-12)


def test_a_bet_beyond_its_room_is_lost() -> None:
    """Compared with a plain loop. The room ends at four fifths of one of the bets, so that this bet is left out."""
    part, whole, b = np.array([1.0, 0.0, 1.0]), np.array([1.0, 0.5, 1.0]), np.array([0.5, 0.7, 0.9])
    value, deviation = 0.8, 3.0
    unit, share = scales(deviation)
    limit = 0.8 * unit[len(unit) // 2] * value
    wager = Wager(
        part,
        whole,
        b,
        np.zeros(3, np.intp),
        np.zeros((1, 2)),
        np.array([[limit, limit]]),
        np.full((1, 2), np.inf),
        np.ones(1),
    )
    total = 0.0
    for bet, weight in zip(unit, np.exp(share), strict=True):
        if bet * value > limit:
            continue
        total += weight * np.prod(1 + np.expm1(bet * (part - value * whole)) / b)
    assert log_wealth(wager, value, deviation) == pytest.approx(float(np.log(total)), abs=1e-9)


# ------------------------------------------------------------------ the recommended method


@pytest.mark.parametrize("answered", [1, 3, 7])
def test_items_of_a_round_cut_short_have_chances_in_proportion_to_its_answers(answered: int) -> None:
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="f1", budget=60, seed=2)
    design, state = study.method.design, study.state
    assert isinstance(design, Targeted)
    study.answer(labels, 10)
    facts = state.rounds[0].facts
    assert isinstance(facts, TargetedFacts)
    assert facts.nominal > answered
    code = model_of(state.problem).cells.code[state.queue[:answered]]
    whole = np.minimum(facts.expected[code] / np.maximum(facts.left[code], 1), 1)
    sample = design.sample(state.problem, state.rounds, answered)
    assert isinstance(sample, CellSample)
    rounds = sample.rounds
    np.testing.assert_allclose(rounds.inclusion, whole * answered / facts.nominal, rtol=1e-12)


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


def test_successive_draws_have_their_chance_among_the_items_left(rng: np.random.Generator) -> None:
    h = np.array([3.0, 1.0, 0.0, 0.5, 2.5])
    order, q = successive(rng.random(5), h, 5)
    assert sorted(order) == [0, 1, 3, 4]
    left = h.tolist()
    for item, chance in zip(order, q, strict=True):
        assert chance == pytest.approx(left[item] / sum(left), rel=1e-12)
        left[item] = 0.0


def test_each_round_of_a_sequence_has_numbers_of_its_own() -> None:
    """Items that one round leaves had large numbers in it: with the same numbers, the next round would depend on it."""
    pool, labels = binary(60)
    design = Sequential(first=5)
    problem = Problem(pool, {resolve("accuracy"): 1.0}, Shrunk(), seed=3)
    first = design.open(problem, [], problem.held, 20)
    assert first is not None
    index = first.queue
    answers = Evidence(index, labels.values[index], np.ones(len(index)))  # noqa: PD011
    second = design.open(problem, [first], answers, 20)
    assert second is not None
    h = design.updated(problem, [first], answers).size
    with np.errstate(divide="ignore"):
        clocks = [np.where(h > 0, -np.log(problem.round_uniforms(r)) / h, np.inf) for r in (0, 1)]
    orders = [np.argsort(clock)[: len(second.queue)] for clock in clocks]
    np.testing.assert_array_equal(second.queue, orders[1])
    assert orders[0].tolist() != orders[1].tolist()
    assert abs(np.corrcoef(problem.round_uniforms(0), problem.round_uniforms(1))[0, 1]) < 0.5
