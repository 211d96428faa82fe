"""Targeted cells: where labels go, and that the caps and budgets of rounds hold."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import CellSample, Problem, Targeted
from sampleval.designs.targeted.allocation import (
    CLAIM,
    Allocation,
    allocate,
    capped,
    most_telling,
    neyman,
    overlooked,
)
from sampleval.designs.targeted.curve import model_of, pair_weights
from sampleval.designs.targeted.targeted import TargetedFacts, allocation, sizes
from sampleval.estimators import ModelAssisted, Run
from sampleval.metrics import resolve
from sampleval.pool import System
from sampleval.presets import Method
from sampleval.simulation.oracle import Oracle, oracle_of
from sampleval.simulation.replicate import replicate
from sampleval.study.assembly import assemble
from sampleval.surrogates import Evidence
from sampleval.surrogates.calibration import Calibration, Posterior
from sampleval.surrogates.calibration.posterior import posterior
from sampleval.surrogates.calibration.prior import Prior, mixture
from sampleval.surrogates.calibration.score_cells import score_cells
from tests.estimators.listing import residuals
from tests.pools import binary, calibrated
from tests.surrogates.mixtures import flat


def test_labels_held_beforehand_do_not_say_where_to_ask() -> None:
    """Eighty positives that a person picked would make the curve believe that all items are positive."""
    rng = np.random.default_rng(6)
    score = rng.beta(0.5, 2.5, 800)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    picked = np.argsort(score)[200:280]
    held = Evidence(picked, np.ones(80, np.int8), np.ones(80))
    problem = Problem(pool, {resolve("f1"): 1.0}, Calibration(), held=held)
    left = sizes(problem)
    told, untold = (allocation(problem, known, left, 50).expected for known in (held, Evidence.none(pool)))
    np.testing.assert_array_equal(told, untold)


def test_capped_shares_use_up_the_size_and_respect_the_caps() -> None:
    share = capped(np.array([8.0, 1.0, 1.0, 0.0]), np.array([3, 10, 10, 10]), 9)
    np.testing.assert_allclose(share, [3, 3, 3, 0])


def test_no_cell_is_surer_than_both_its_curve_and_its_score() -> None:
    """Neyman sizes N σ |effect|: σ² is p(1 − p) of the curve, or what the score claims, worn off by labels, if that is more."""
    pool, labels = calibrated(600)
    model, known = Calibration().model(pool), np.arange(60)
    cells = model.cells
    belief = model.posterior(Evidence(known, labels.of(known), np.ones(60)))
    asked, ones = cells.tally(known), np.ones((1, len(cells)))
    sizes = neyman(cells, belief, 3 * ones, asked, 7 * ones[0].astype(int))
    rate, claimed = belief.sceptical @ belief.within, cells.score * (1 - cells.score)
    curve, score = rate * (1 - rate), 1 / (1 / (CLAIM * claimed) + asked / CLAIM)
    assert (curve > score).any()
    assert (score > curve).any()
    np.testing.assert_allclose(sizes**2 / 21**2, [max(pair) for pair in zip(curve, score, strict=True)])


def test_labels_go_where_the_variance_is() -> None:
    """A certain cell and an uncertain cell of similar size."""
    open_cell = posterior(flat(1.0, 0.1, 0.01, 2.0), np.zeros(2), np.zeros(2))
    chosen = most_telling(open_cell, np.ones((1, 2)) / 200, np.zeros(2), np.array([100, 100]), 10)
    assert chosen.sum() == 10
    assert chosen[1] > 5


def test_positive_decisions_are_checked_however_sure_the_curve_is_of_them() -> None:
    """A third of what was said with a confidence of 0.99 was wrong. The first ones met were right, and no more were asked."""
    size, asked = [5400, 1920, 440, 10, 70, 160], [30, 60, 30, 0, 1, 1]
    score = np.repeat([0.01, 0.05, 0.1, 0.9, 0.95, 0.99], size)
    problem = Problem(sv.Pool.from_frame(pd.DataFrame({"score": score})), {resolve("f1"): 1.0}, Calibration())
    cells, curve = model_of(problem).cells, mixture(model_of(problem).cells, Prior())
    telling = []
    for more in (0, 5):  # too few labels of positive decisions, and enough of them
        labelled = np.add(asked, [0, 0, 0, 0, more, more])
        belief = posterior(curve, labelled * [0, 1 / 30, 0.1, 1, 1, 1], labelled.astype(float))
        left = cells.count - labelled
        stake = np.array([[-0.8, -0.8, -0.8, 1.2, 1.2, 1.2]]) / 240
        telling.append(allocate(cells, belief, stake, labelled.astype(float), left, 20).telling[3:].sum())
    assert telling[0] >= 2
    assert telling[1] == 0


def test_a_tenth_of_what_is_not_told_goes_evenly_to_all_cells() -> None:
    """Cells whose items change nothing get nothing else."""
    score = np.repeat([0.1, 0.3, 0.5, 0.7], [100, 200, 300, 400])
    problem = Problem(sv.Pool.from_frame(pd.DataFrame({"score": score})), {resolve("f1"): 1.0}, Calibration())
    cells, none = model_of(problem).cells, np.zeros(4)
    belief = posterior(mixture(cells, Prior()), none, none)
    found = allocate(
        cells, belief, np.array([[0.0, 0.0, 1.0, 1.0]]) / 1000, none, cells.count.astype(np.intp), 100
    )
    rest, others = cells.count - found.telling, found.spread.sum()
    np.testing.assert_allclose(found.spread[:2], 0.1 * others * rest[:2] / rest.sum())


def test_at_first_labels_go_where_they_tell_and_later_half_of_them_against_surprises() -> None:
    """Ten labels among twenty thousand sure negatives would find no surprise and leave unsure items unlabelled."""
    score = np.concatenate([np.linspace(0, 1e-6, 20000), np.linspace(0.05, 0.95, 40), np.full(60, 0.999)])
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    problem, every = Problem(pool, {resolve("f1"): 1.0}, Calibration()), np.arange(20000)
    spread = []
    for labels in (0, 200, 4000):
        asked = every[:: 20000 // labels][:labels] if labels else every[:0]
        known = Evidence(asked, np.zeros(labels, np.int8), np.ones(labels))
        left = sizes(problem) - model_of(problem).cells.tally(asked).astype(np.intp)
        spread.append(allocation(problem, known, left, 100).spread.sum())
    np.testing.assert_allclose(spread, [10, 32, 53])


def test_cells_get_their_expected_labels_on_average_and_never_one_too_many(rng: np.random.Generator) -> None:
    """The systematic draw over every start, by its midpoints: the inclusion that estimates rest on."""
    plan = Allocation(np.array([2, 0, 1, 0]), np.array([0.3, 1.25, 0.05, 2.4]))
    starts = (np.arange(2000) + 0.5) / 2000
    counts = np.array([plan.counts(u) for u in starts])
    np.testing.assert_allclose(counts.mean(axis=0), plan.expected, atol=1e-9)
    assert (np.abs(counts - plan.expected) < 1).all()
    assert (counts.sum(axis=1) == 7).all()
    assert np.bincount(plan.shuffled(rng), minlength=4).sum() == 7


@pytest.mark.parametrize(("budget", "seeds"), [(15, 100), pytest.param(33, 5_000, marks=pytest.mark.slow)])
def test_the_model_assisted_estimate_on_targeted_cells_is_unbiased_for_sums(budget: int, seeds: int) -> None:
    """Whole adaptive studies, cut within a round, of a pool whose scores mislead.

    It is the mean that is unbiased, before `infer` moves it to what the answers seen leave possible.
    """
    rng = np.random.default_rng(5)
    score = rng.beta(0.6, 1.2, 60).round(1)
    truth = (rng.random(60) < 0.7 - 0.5 * score).astype(int)
    df = pd.DataFrame({"id": [f"i{k}" for k in range(60)], "score": score, "label": truth})
    pool = sv.Pool.from_frame(df, id="id", score="score", label="label")
    estimator = ModelAssisted()
    method = Method(Calibration(), Targeted(), estimator)
    metric = sv.metrics.resolve("f1")
    problem = Problem(pool, {metric: 1.0}, method.surrogate)
    oracle = oracle_of(pool, sv.Labels.from_frame(df, pool, label="label"), None)
    runs = (run_of(problem.reseeded(s), method, oracle, budget) for s in range(seeds))
    means = np.array([residuals(metric, run, estimator).mean for run in runs])
    error = means - metric.loss(pool.items, truth).mean(axis=0)
    z = error.mean(axis=0) / error.std(axis=0) * np.sqrt(seeds)
    assert np.abs(z).max() < 4.5


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"first": -3}, "`first`"), ({"first": 2.5}, "`first`"), ({"growth": -1.0}, "`growth`")],
)
def test_impossible_rounds_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(sv.InputError, match=said):
        Targeted(**settings)


def test_without_a_first_round_all_is_asked_at_once() -> None:
    pool, _ = calibrated(120)
    study = sv.create_study(pool, metric="f1", budget=50, surrogate="calibration", design=Targeted(first=0))
    assert len(study.ask(100)) == 50


def run_of(problem: Problem, method: Method, oracle: Oracle, budget: int) -> Run:
    made = replicate(problem, method, oracle, budget)
    run = assemble(problem, method, made.rounds, made.answers)
    assert run is not None
    return run


@pytest.mark.parametrize(("rare", "other"), [(0, 5), (1, 30), (3, 27), (4, 30), (11, 500), (12, 500), (0, 0)])
def test_the_rarer_class_is_overlooked_below_a_tenth_of_the_labels_and_a_dozen(rare: int, other: int) -> None:
    score = np.repeat([0.1, 0.9], [600, 50])
    cells = score_cells([System("", score, np.asarray(score > 0.5, np.int8), np.empty(0))])
    few = rare < min(12, 0.1 * (rare + other))
    expected = [0.0, 0.5 / np.sqrt(rare + 4) if few else 0.0]
    np.testing.assert_allclose(overlooked(cells, np.array([other, rare], float)), expected)


def test_sure_cells_may_hold_anything_until_a_dozen_of_their_items_are_labelled() -> None:
    """Many scores of exactly 0 may stand for "unknown": σ² is at least 1/(labels + 4) there, whatever the curve says."""
    score = np.r_[np.zeros(300), np.geomspace(1e-6, 0.9, 60)]
    cells = score_cells([System("", score, np.asarray(score > 0.5, np.int8), np.empty(0))])
    assert cells.certain.tolist() == [True] + [False] * (len(cells) - 1)
    one, rates = np.ones(1), np.full((1, len(cells)), 1e-3)
    for labels in (0, 11, 12, 40):
        labelled = np.full(len(cells), float(labels))
        sure = Posterior(one, one, one, rates, 1 - rates, labelled, 0 * labelled, np.empty((1, 0)))
        size, other = (
            neyman(each, sure, np.ones((1, len(cells))), labelled, np.ones(len(cells), int))
            for each in (cells, replace(cells, certain=np.zeros(len(cells), bool)))
        )
        assert other[0] < 0.05
        np.testing.assert_allclose(size[0], 1 / np.sqrt(labels + 4) if labels < 12 else other[0])
        np.testing.assert_array_equal(size[1:], other[1:])


def test_cells_whose_labels_cannot_move_the_metric_are_not_asked_to_tell_of_others() -> None:
    """All cells share an error, so that labels of the second would tell of the first."""
    alike, common = posterior(flat(1.0, 0.1, 1.0, 1.0), np.zeros(2), np.zeros(2)), np.array([1.0, 3.0])
    for effect in (0.01, 0.0):
        effects = np.array([[1.0, effect]])
        found = most_telling(alike, effects, np.zeros(2), np.array([20, 20]), 10, common)
        assert found.sum() == 10
        assert (found[1] > 0) == (effect > 0)


@pytest.mark.parametrize("budget", [1, 4, 50])
def test_every_item_that_matters_may_be_asked_however_few_labels_there_are(budget: int) -> None:
    """One that could not be asked would count as known."""
    pool, _ = calibrated(200)
    for metric, able in (("f1", np.ones(200, bool)), ("precision", pool.pred == 1)):
        problem = Problem(pool, {resolve(metric): 1.0}, Calibration())
        np.testing.assert_array_equal(Targeted().inclusion(problem, budget) > 0, able)


@pytest.mark.parametrize("kinds", [3, 40_000])
def test_crossing_cells_with_kinds_of_items_takes_memory_for_the_items_only(
    kinds: int, rng: np.random.Generator
) -> None:
    """All pairs of 200 cells and 40,000 kinds of items, as for areas under the curves of two systems, took 64 MB."""
    rows, columns = rng.integers(0, 200, 40_000), rng.permutation(40_000) % kinds
    tracemalloc.start()
    counts = pair_weights(rows, columns, None, (200, kinds))
    assert tracemalloc.get_traced_memory()[1] < 8e6
    tracemalloc.stop()
    each = rng.normal(size=(kinds, 2))
    expected = [[each[columns[rows == k], d].sum() for d in range(2)] for k in range(200)]
    np.testing.assert_allclose(counts @ each, expected, rtol=0, atol=1e-10)


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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("target", ["f1", ["brier", "auc"]])
def test_a_pool_of_one_item_is_planned_and_labelled(target: str | list[str]) -> None:
    """No label can move an area over one item: the plan divided by its scale of 0."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": ["a"], "score": [0.3]}))
    assert sv.plan(pool, metric=target, budget=1).expected_width == 0
    study = sv.create_study(pool, metric=target, budget=1)
    study.tell(study.ask(1)[0], 1)
    assert study.estimate("accuracy").value == 0
