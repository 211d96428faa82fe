"""Draws for limits that allow for model error: each kind of them, and how many there are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sampleval as sv
from sampleval.designs import Problem
from sampleval.designs.targeted import model_of
from sampleval.estimators.model_error import Unlabelled
from sampleval.estimators.posterior import DRAWS, predictive_draws
from sampleval.metrics import resolve
from sampleval.pool import Floats, Integers, System
from sampleval.surrogates import Calibration, Evidence
from sampleval.surrogates.calibration.posterior import Posterior, posterior
from sampleval.surrogates.calibration.prior import Prior, mixture
from sampleval.surrogates.calibration.score_cells import score_cells
from tests.pools import binary


def test_draws_for_limits_include_a_fifth_with_hidden_positives_and_a_tenth_without_errors() -> None:
    pool, labels = binary(400)
    problem = Problem(pool, {resolve("recall"): 1.0}, Calibration())
    model = model_of(problem)
    by_score, negative = np.argsort(pool.score), model.cells.votes == 0
    ends = np.concatenate([by_score[:5], by_score[-30:]])
    belief = model.posterior(Evidence(ends, labels.values[ends], np.ones(35)))  # noqa: PD011
    assert belief.labelled[negative].sum() == 5
    assert belief.found[negative].sum() == 0
    left = model.cells.count.astype(np.intp)
    rng = np.random.default_rng(0)
    plain, totals = (
        belief.predicted(left, DRAWS, rng, weight).totals for weight in (belief.weight, belief.wary)
    )
    order = rng.permutation(DRAWS)
    hiding, flawless = order[: DRAWS // 5], order[-DRAWS // 10 :]
    found, wary = (drawn.totals for drawn in predictive_draws(model.cells, belief, tuple(left.tolist())))
    np.testing.assert_array_equal(found, plain)
    changed = (wary != totals).any(axis=1)
    assert not changed[np.setdiff1d(order, np.concatenate([hiding, flawless]))].any()
    assert changed[hiding].mean() > 0.9
    assert (wary[np.ix_(flawless, negative)] == 0).all()


@pytest.mark.parametrize("label", [0, 1])
def test_errors_hide_among_the_decisions_of_a_class_whose_labels_are_all_of_it(label: int) -> None:
    pool, _ = binary(400)
    model = model_of(Problem(pool, {resolve("recall"): 1.0}, Calibration()))
    alike = np.flatnonzero(pool.pred == label)[:8]
    belief = model.posterior(Evidence(alike, np.full(8, label), np.ones(8)))
    left, decided = model.cells.count.astype(np.intp), model.cells.votes == label
    right = np.tile(left * (model.cells.votes == 1), (200, 1)).astype(float)
    found = Unlabelled(model.cells, belief, left).hidden(right, np.arange(200), np.random.default_rng(0))
    assert (found != right)[:, decided].any(axis=1).mean() > 0.5


def test_many_labels_of_one_class_leave_little_room_for_hidden_errors() -> None:
    """Their rate is drawn from Beta(½, n + ½), however many items were found elsewhere."""
    score = np.repeat([0.1, 0.9], 1000)
    cells = score_cells([System("", score, np.asarray(score > 0.5, np.int8), np.empty(0))])
    one, left = np.ones(1), np.array([800, 800])
    labelled, found = np.array([200.0, 200.0]), np.array([0.0, 190.0])
    belief = Posterior(
        one, one, one, np.array([[0.01, 0.95]]), np.ones((1, 2)), labelled, found, np.empty((1, 0))
    )
    draws = Unlabelled(cells, belief, left).hidden(
        np.zeros((4000, 2)), np.arange(4000), np.random.default_rng(0)
    )
    assert draws[:, 0].mean() == pytest.approx(800 * 0.5 / 201, rel=0.1)


def test_limits_include_the_perfect_value_while_every_label_agrees_with_the_decisions() -> None:
    """The similarities of a perfect matcher: all labels agree with the decisions, but limits for F1 once ended below 1."""
    rng = np.random.default_rng(4)
    match = rng.random(30_000) < 0.1
    score = np.where(match, rng.normal(0.85, 0.1, match.size), rng.normal(0.11, 0.05, match.size))
    df = pd.DataFrame({"score": score.clip(0.02, 0.99)})
    df["label"] = df["pred"] = (df["score"] > 0.45).astype(int)
    pool = sv.Pool.from_frame(df, score="score", pred="pred", label="label")
    labels = sv.Labels.from_frame(df, pool, label="label")
    for seed in range(4):
        study = sv.create_study(pool, metric="f1", budget=50, seed=seed)
        study.answer(labels, 50)
        for metric in ("f1", "precision", "recall", "accuracy"):
            found = study.estimate(metric).interval
            assert found.low < 0.999
            assert found.high == 1


def test_only_decisions_without_a_label_against_them_may_be_flawless() -> None:
    pool, labels = binary(400)
    problem, truth = Problem(pool, {resolve("f1"): 1.0}, Calibration()), labels.values  # noqa: PD011
    model = model_of(problem)
    left, chosen = model.cells.count.astype(np.intp), np.arange(5)
    totals = np.full((20, len(left)), -1.0)
    negative, positive, right = pool.pred == 0, pool.pred == 1, truth == pool.pred

    def after(index: Integers) -> Floats:
        belief = model.posterior(Evidence(index, truth[index], np.ones(len(index))))
        return Unlabelled(model.cells, belief, left).borne_out(totals, chosen)

    for known, negatives, positives in (
        (right, True, True),
        (right & negative, True, False),
        (right | positive, True, False),
        (~right, False, False),
        (np.zeros(400, bool), False, False),
    ):
        found = after(np.flatnonzero(known))
        np.testing.assert_array_equal(found[5:], totals[5:])
        for side, flawless, whole in ((0, negatives, 0 * left), (1, positives, left)):
            cells = model.cells.votes == side
            assert (found[:5, cells] == (whole[cells] if flawless else -1.0)).all()


def test_tied_cells_may_have_the_rates_that_their_own_labels_show(rng: np.random.Generator) -> None:
    score = np.repeat([0.1, 0.2, 0.9], [900, 60, 40])
    cells = score_cells([System("", score, np.asarray(score > 0.5, np.int8), np.empty(0))])
    labelled, found = np.array([30.0, 0.0, 9.0]), np.array([1.0, 0.0, 6.0])
    belief = posterior(mixture(cells, Prior()), found, labelled)
    left = (cells.count - labelled).astype(np.intp)
    chosen = np.arange(4000)
    drawn = Unlabelled(cells, belief, left).by_themselves(np.full((4001, 3), -1.0), chosen, rng)
    assert (drawn[4000] == -1).all()
    assert (drawn[:, 1] == -1).all()  # without a label the curve is all there is
    for cell in (0, 2):
        own = stats.betabinom(left[cell], found[cell] + 0.5, labelled[cell] - found[cell] + 0.5)
        assert drawn[:4000, cell].mean() == pytest.approx(own.mean(), rel=0.05)
        assert drawn[:4000, cell].std() == pytest.approx(own.std(), rel=0.05)
