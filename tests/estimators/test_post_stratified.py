"""The post-stratified mean: the losses a curve foresees, corrected by the labels of items of similar score."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import CellSample, Successive
from sampleval.designs.targeted import model_of
from sampleval.estimators import PosteriorPredictive
from sampleval.estimators.post_stratified import in_groups
from sampleval.metrics import resolve, within
from sampleval.partition import merged
from sampleval.study import true_value
from tests.pools import binary


def test_a_part_s_estimate_is_the_textbook_s_post_stratified_one(rng: np.random.Generator) -> None:
    """Särndal, Swensson & Wretman 1992, section 7.6, with residuals ℓ − m, and the curve's own variance beside."""
    pool, labels = binary(500)
    inside = rng.random(500) < 0.4
    metric = within(resolve("accuracy"), inside, "a")
    study = sv.create_study(pool, metric="accuracy", budget=100, seed=2)
    study.answer(labels, 100)
    state, index = study.state, study.state.queue
    run, model = study.run(100), model_of(state.problem)
    assert run is not None
    rate = model.posterior(run.known).median[model.cells.code]
    right = np.where(pool.pred == 1, rate, 1 - rate)
    foreseen = np.column_stack([right * inside, inside])
    loss = np.column_stack([(labels.of(index) == pool.pred[index]) * inside[index], inside[index]])
    tally = np.bincount(model.cells.code[index], minlength=len(model.cells))
    positive = model.cells.decisions[:, 0]
    group = np.where(positive, 100, 0)
    for kind in (positive, ~positive):
        group[kind] += merged([tally[kind]], 3)
    group = group[model.cells.code]
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


def sample_of_kinds(labels: list[int], apart: list[bool]) -> CellSample:
    """A sample with so many labels of each of several cells of 100 items."""
    stratum = np.repeat(np.arange(len(labels)), labels)
    rows = np.arange(len(stratum))
    rounds = Successive(
        rows,
        0 * rows,
        np.full(len(rows), 0.1),
        np.array([len(rows)]),
        np.array([len(rows)]),
        1000,
        np.ones(1, bool),
    )
    return CellSample(rows, stratum, np.full(len(labels), 100), rounds=rounds, apart=np.array(apart))


@pytest.mark.parametrize(
    ("labels", "apart", "weights"),
    [
        ([3, 1, 2, 4], [False, True, True, False], [100 / 3, 200 / 3, 200 / 3, 100 / 4]),
        ([2, 3, 0, 1], [False, True, True, False], [200 / 3, 200 / 3, 0, 200 / 3]),
        ([3, 0, 2, 4], [False, True, True, False], [100 / 3, 0, 300 / 6, 300 / 6]),  # too few to stand alone
        ([3, 1, 2, 4], [False] * 4, [100 / 3, 200 / 3, 200 / 3, 100 / 4]),
    ],
)
def test_cells_of_a_kind_are_joined_among_themselves(
    labels: list[int], apart: list[bool], weights: list[float]
) -> None:
    sample = sample_of_kinds(labels, apart)
    np.testing.assert_allclose(in_groups(sample).weight, np.repeat(weights, labels))


def test_a_difference_of_a_part_is_known_where_all_that_systems_dispute_has_a_label() -> None:
    """With the labels of other items, which then stood for disputed ones too, it was 0.08, and its limits 0.037 and 0.123."""
    rng = np.random.default_rng(2)
    score = rng.beta(0.4, 0.8, 600)
    other = np.clip(score + rng.normal(0, 0.12, 600), 0.001, 0.999)
    label = (rng.random(600) < 0.1 + 0.5 * score).astype(int)
    frame = pd.DataFrame({"old.score": score, "new.score": other, "label": label})
    pool = sv.Pool.from_frame(frame, label="label", fields=[])
    known = sv.Labels.from_frame(frame, pool)
    metric = within(resolve("accuracy[new - old]"), rng.random(600) < 0.5, "a")
    study = sv.create_study(pool, metric="f1[new - old]", budget=120, seed=1)
    study.answer(known, 120)
    assert np.isin(np.flatnonzero((score >= 0.5) != (other >= 0.5)), study.state.queue).all()
    found, true = study.estimate(metric), true_value(metric, pool, known)
    assert found.method == "post-stratified"
    assert found.value == pytest.approx(true, abs=1e-9)
    assert true - 0.01 < found.interval.low <= true <= found.interval.high < true + 0.01
