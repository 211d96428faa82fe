"""Frames and pictures of what an adaptive study has learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import sampleval as sv
from sampleval import frames
from sampleval.presets import PRESETS
from tests.pools import calibrated, multiclass, multilabel

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")

from sampleval import plots

MOVE = ("adaptive", "rounds", "sequential", "targeted")
MOVING = [name for name, p in PRESETS.items() if p.method.design.key in MOVE]


@pytest.mark.parametrize("name", MOVING)
def test_frames_of_learning_add_up(name: str) -> None:
    pool, labels = calibrated(150)
    study = sv.create_study(pool, metric="f1", budget=40, preset=name)
    assert frames.moved(study).empty
    study.answer(labels, 35)
    moved = frames.moved(study)
    if study.round < 2:
        assert moved.empty
        return
    np.testing.assert_allclose(moved[["before", "now"]].sum(), 1, rtol=1e-9)
    assert moved["items"].sum() == 150
    assert moved["found"].sum() <= moved["labels"].sum() <= 35
    for bars, shares in zip(plots.moved(moved).data, ("before", "now"), strict=True):
        assert list(bars.y) == list(moved[shares])
        assert (bars.customdata == moved[["labels", "found", "items"]]).all(axis=None)
    believed = frames.believed(study)
    assert ((believed["lower"] <= believed["mean"]) & (believed["mean"] <= believed["upper"])).all()
    assert believed["labels"].sum() == 35
    assert believed["found"].sum() == sum(label == "1" for label in study.known_labels().values())
    assert len(plots.believed(believed).data) == 3


def test_the_chances_of_the_round_before_are_those_that_it_was_drawn_with() -> None:
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=80, preset="marchant-tree")
    study.answer(labels, 50)
    earlier, begun = frames.moved(study), study.round
    while study.round == begun:
        study.answer(labels, 1)
    assert begun > 2
    assert frames.moved(study)["before"].tolist() == earlier["now"].tolist()


def test_what_is_believed_is_as_uncertain_as_from_its_labels_and_one_more() -> None:
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=80, preset="oasis")
    study.answer(labels, 70)
    rows = frames.believed(study, level=0.8)
    told = beta(*(share * (rows["labels"] + 1) for share in (rows["mean"], 1 - rows["mean"])))
    np.testing.assert_allclose(rows["lower"], np.minimum(told.ppf(0.1), rows["mean"]))
    np.testing.assert_allclose(rows["upper"], np.maximum(told.ppf(0.9), rows["mean"]))


def test_limits_of_a_belief_that_is_all_but_sure_hold_it() -> None:
    """Nearly all of a Beta distribution of such a mean lies beyond the mean."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.0001] * 20 + [0.9999] * 20}))
    rows = frames.believed(sv.create_study(pool, metric="f1", budget=10, preset="marchant-is"))
    assert rows["lower"].iloc[-1] == rows["mean"].iloc[-1] > 0.99
    assert rows["upper"].iloc[0] == rows["mean"].iloc[0] < 0.01


@pytest.mark.parametrize(("make", "metric"), [(multiclass, "accuracy"), (multilabel, "micro_f1")])
def test_strata_of_several_classes_are_of_the_predicted_one_s_score(make: Any, metric: str) -> None:
    pool, labels = make(300)
    study = sv.create_study(pool, metric=metric, budget=100, preset="recommended")
    study.answer(labels, 100)
    rows, surest = frames.moved(study), pool.score.max(axis=1)
    assert (rows["low"].iloc[0], rows["high"].iloc[-1]) == (surest.min(), surest.max())
    before = study.state.queue[: -len(study.state.rounds[-1].queue)]
    wrong = (labels.values[before] != pool.pred[before]).reshape(len(before), -1).any(axis=1)  # noqa: PD011
    assert (rows["labels"].sum(), rows["found"].sum()) == (len(before), wrong.sum())


def test_the_proposal_comes_nearer_to_the_best_one() -> None:
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=300, preset="marchant-tree")
    study.answer(labels, 300)
    rows = frames.divergence(study, labels)
    assert rows[["round", "labels"]].iloc[0].tolist() == [1, 0]
    assert rows["kl"].iloc[-1] < 0.5 * rows["kl"].iloc[0]
    assert np.isfinite(rows["kl"]).all()
    assert len(plots.diverged(rows).data) == 1
    assert frames.divergence(sv.create_study(pool, metric="f1", budget=9, preset="queue"), labels).empty
