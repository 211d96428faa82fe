"""The post-stratified mean: the losses a curve foresees, corrected by the labels of items of similar score."""

from __future__ import annotations

import numpy as np
import pytest

import sampleval as sv
from sampleval.designs.targeted import model_of
from sampleval.estimators import PosteriorPredictive
from sampleval.metrics import resolve, within
from sampleval.partition import merged
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
