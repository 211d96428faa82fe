"""Frames whose column names are public, and whose numbers are the study's."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, offline, sheets
from sampleval.estimators import Linear, weighted_mean
from sampleval.presets import PRESETS, fitting
from sampleval.study import Study
from sampleval.study.item import json_ready
from tests.pools import binary, calibrated, multiclass, multilabel

POOL, LABELS = binary(60)
TRUTH = {str(id): POOL.task.classes[y] for id, y in zip(POOL.ids, LABELS.values, strict=True)}


def begun(**options: Any) -> Study:
    usual: dict[str, Any] = {"metric": "accuracy", "budget": 20, "seed": 7}
    return sv.create_study(POOL, **(usual | options))


def test_one_estimate_makes_a_table_too() -> None:
    """A single metric may stand for a list of them, which had raised a TypeError."""
    one = begun().estimate("accuracy")
    pd.testing.assert_frame_equal(frames.estimates(one), frames.estimates([one]))


def test_column_names_are_an_interface() -> None:
    """A change of one of these names breaks scripts and charts elsewhere, and needs a line in the change log."""
    study = begun()
    study.answer(LABELS, 5)
    plan = sv.plan(POOL, metric="f1", budget=10)
    assert {
        "labels": frames.labels(study).columns.tolist(),
        "sample": frames.sample(study).columns.tolist(),
        "estimates": frames.estimates(study.estimates()).columns.tolist(),
        "plans": frames.plans([plan]).columns.tolist(),
        "inclusion": frames.inclusion(plan, POOL).columns.tolist(),
    } == {
        "labels": [
            *("id", "place", "label", "status", "annotator", "seconds", "at", "inclusion", "weight"),
            *("answers", "note"),
        ],
        "sample": [
            *("id", "place", "label", "status", "pred", "round", "stratum", "stratum_size", "population"),
            *("draws", "probability", "weight"),
        ],
        "estimates": [
            *(
                "metric",
                "value",
                "low",
                "high",
                "level",
                "variance",
                "labels",
                "method",
                "interval",
                "about",
                "note",
            )
        ],
        "plans": [
            *(
                "metric",
                "design",
                "budget",
                "predicted",
                "error",
                "width",
                "labels",
                "labels_sd",
                "certain",
                "onset",
            )
        ],
        "inclusion": ["id", "inclusion", "certain"],
    }


@pytest.mark.parametrize("make", [begun, lambda: begun(held={"item-001": "ham"})], ids=["fresh", "held"])
def test_columns_keep_their_types_when_empty(make: Any) -> None:
    empty, full = frames.labels(begun()), frames.labels(make())
    assert empty.dtypes.tolist() == full.dtypes.tolist()
    assert len(empty) == 0
    assert frames.estimates([]).columns.tolist() == frames.estimates(begun().estimates()).columns.tolist()


def test_every_status_has_its_row() -> None:
    study = begun(held={"item-001": TRUTH["item-001"]}, metric="f1", design="uniform")
    items = study.ask(6)
    study.tell(items[0], "spam", annotator="ada", seconds=2.5)
    study.tell(items[1], sv.SKIP)
    study.tell(items[2], sv.UNSURE, annotator="bo")
    study.tell(items[5], "ham")
    study.tell(items[5], "spam", annotator="bo")  # a correction: the last answer counts
    frame = frames.labels(study)
    assert frame["id"].tolist() == ["item-001", *(items[k].id for k in (0, 1, 2, 5))]
    assert frame["place"].tolist() == [-1, 0, 1, 2, 5]
    assert frame["status"].tolist() == ["held", "label", "skip", "unsure", "label"]
    assert frame["label"].tolist() == [TRUTH["item-001"], "spam", None, None, "spam"]
    assert frame["annotator"].tolist() == ["", "ada", "", "bo", "bo"]
    np.testing.assert_array_equal(frame["seconds"], [np.nan, 2.5, np.nan, np.nan, np.nan])
    np.testing.assert_allclose(frame["inclusion"], [1, *[20 / 59] * 4])
    np.testing.assert_allclose(frame["weight"], [1, *[59 / 3] * 3, np.nan])  # the last one waits
    assert frame["at"].iloc[1:].str.match(r"\d{4}-\d\d-\d\dT").all()


@pytest.mark.parametrize("held", [0, 9])
@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-is", "yilmaz-bs"])
def test_the_exported_weights_give_the_estimate(preset: str, held: int) -> None:
    """Anybody can redo the estimate from the download: Σ w·right / Σ w."""
    study = begun(preset=preset, held=dict([*TRUTH.items()][:held]))
    study.answer(LABELS, 17)
    frame = frames.labels(study)
    pred = pd.Series(POOL.pred, index=POOL.ids)[frame["id"]].to_numpy()
    right = pred == (frame["label"] == "spam")
    redone = float((frame["weight"] * right).sum() / frame["weight"].sum())
    assert redone == pytest.approx(study.estimate("accuracy").value, rel=1e-12)
    unweighted = float(right.mean())
    assert preset == "uniform" or abs(unweighted - redone) > 1e-6  # the control: weights matter


@pytest.mark.parametrize("preset", ["queue", "recommended"])
def test_a_method_that_adds_belief_says_that_its_weights_alone_are_not_the_estimate(preset: str) -> None:
    study = begun(preset=preset)
    study.answer(LABELS, 17)
    frame = frames.labels(study)
    right = POOL.pred[POOL.positions(frame["id"])] == (frame["label"] == "spam")
    redone = float((frame["weight"] * right).sum() / frame["weight"].sum())
    alone = redone == pytest.approx(study.estimate("accuracy").value, rel=1e-9)
    assert study.method.adds_belief != alone


@pytest.mark.parametrize("preset", fitting("multiclass"))
def test_the_exported_weights_are_those_of_the_estimator(preset: str) -> None:
    """The mean of values that are 1 at one answer and else 0 is that answer's weight over N."""
    pool, known = multiclass(150)
    study = sv.create_study(pool, metric="accuracy", budget=50, seed=7, preset=preset)
    study.answer(known, 38)
    run, weighing = study.run(), study.method.estimator
    assert run is not None
    assert isinstance(weighing, Linear)
    alone = weighted_mean(weighing, run.sample, np.eye(len(run.items))) * pool.size
    np.testing.assert_allclose(frames.labels(study)["weight"].dropna(), alone, atol=1e-9)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_exported_weights_of_a_census_give_the_exact_value(preset: str) -> None:
    study = begun(preset=preset, budget=POOL.size)
    while study.answer(LABELS, POOL.size):
        pass
    frame = frames.labels(study)
    pred = pd.Series(POOL.pred, index=POOL.ids)[frame["id"]].to_numpy()
    redone = float((frame["weight"] * (pred == (frame["label"] == "spam"))).sum() / frame["weight"].sum())
    assert (study.estimate("accuracy").method == "census") == (len(frame) == POOL.size)
    if len(frame) == POOL.size:
        assert redone == pytest.approx(study.estimate("accuracy").value, rel=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_its_export(preset: str) -> None:
    study = begun(preset=preset)
    study.answer(LABELS, 8)
    frame = frames.labels(study)
    assert len(frame) == 8
    assert frame["inclusion"].between(0, 1).all()
    assert (frame["weight"].dropna() >= 0).all()


@pytest.mark.parametrize("preset", list(PRESETS))
def test_labels_that_leave_nothing_to_ask_have_their_export(preset: str) -> None:
    """With Yilmaz's rounds and active testing, this had ended in an AttributeError."""
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [1, 1, 0, 0]}), pred="pred", task="binary")
    study = sv.create_study(pool, metric="precision", budget=2, preset=preset, held={"0": 1, "1": 0})
    found = frames.labels(study)
    assert list(found["weight"]) == [1, 1]


def test_sets_of_labels_are_one_cell_that_reads_back() -> None:
    pool, labels = multilabel()
    study = sv.create_study(pool, metric="micro_f1", budget=8)
    study.answer(labels, 8)
    frame = frames.labels(study)
    for text, row in zip(frame["label"], frame["place"], strict=True):
        answer = study.state.given.current(row)
        assert answer is not None
        assert json_ready(sv.pool.encode_label(pool.task, text)) == answer.what.label


def test_estimates_carry_what_the_estimates_say() -> None:
    study = begun()
    study.answer(LABELS, 12)
    found = study.history("f1", points=5)
    frame = frames.estimates(found)
    assert frame["labels"].tolist() == [e.labels for e in found]
    assert frame["low"].tolist() == [e.interval.low for e in found]
    assert frame["note"].tolist() == [e.note for e in found]


def test_plans_side_by_side() -> None:
    found = [
        sv.plan(POOL, metric="f1", budget=m, design=d)
        for m in (5, 60)
        for d in ("priority", "poisson", "uniform")
    ]
    frame = frames.plans(found)
    assert frame["design"].tolist() == ["priority", "poisson", "uniform"] * 2
    np.testing.assert_allclose(frame["labels"], [5, 5, 5, 60, 60, 60])
    assert frame["certain"].tolist()[3:] == [60, 60, 60]
    items = frames.inclusion(found[0], POOL)
    assert items["inclusion"].sum() == pytest.approx(5)
    assert items["id"].tolist() == POOL.ids.tolist()


def test_a_thinned_curve_of_inclusions_has_both_ends_and_shows_where_it_leaves_1() -> None:
    plan = sv.plan(calibrated(30_000)[0], metric="f1", budget=12_000, preset="queue")
    certain = int((plan.inclusion >= 1).sum())
    for rows, most in (
        (frames.sorted_inclusion([plan]), 2000),
        *((frames.sorted_inclusion([plan], max_points=most), most) for most in (10, 11, 100)),
    ):
        assert most / 4 <= len(rows) <= most
        assert rows["rank"].iloc[[0, -1]].tolist() == [1, 30_000]
        assert {certain, certain + 1} <= set(rows["rank"])
        assert rows["inclusion"].tolist() == np.sort(plan.inclusion)[-rows["rank"]].tolist()
    assert len(frames.sorted_inclusion([plan], max_points=30_000)) == 30_000
    with pytest.raises(sv.InputError, match="`max_points` must be"):
        frames.sorted_inclusion([plan], max_points=9)


def test_a_download_does_not_run_in_a_spreadsheet() -> None:
    df = pd.DataFrame({"id": [f"=HYPERLINK({k})" for k in range(9)], "score": np.linspace(0.1, 0.9, 9)})
    pool = sv.Pool.from_frame(df, id="id", score="score", fields=[], classes=("-no", "+yes"))
    study = sv.create_study(pool, metric="accuracy", budget=9)
    for item in study.ask(9):
        study.tell(item, "+yes", annotator="@me")
    back = pd.read_csv(io.BytesIO(sheets.to_csv(frames.labels(study))))
    assert back["id"].str.startswith("'=").all()
    assert set(back["label"]) == {"'+yes"}
    assert set(back["annotator"]) == {"'@me"}


def test_class_names_that_are_numbers_are_not_positions() -> None:
    """Class "3" comes first here, so that its position is 0. A 0 in a sheet means nothing."""
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([1, 1, 1], 20)
    df = pd.DataFrame(scores, columns=["score_3", "score_1", "score_2"]).assign(
        id=[f"i{k}" for k in range(20)]
    )
    pool = sv.Pool.from_frame(df, id="id", score="score_", fields=[], task="multiclass")
    assert sorted(pool.task.classes) == ["1", "2", "3"]
    study = sv.create_study(pool, metric="accuracy", budget=6)
    sheet = offline.sheet(study, 6)
    sheet["answer"] = ["3", "1", "2", "1", "3", "0"]
    done = offline.read(study, sheets.to_csv(sheet))
    assert [r.answer for r in done.rejected] == ["0"]
    assert frames.labels(study)["label"].tolist() == ["3", "1", "2", "1", "3"]
    assert [str(x) for x in study.known_labels().values()] == ["3", "1", "2", "1", "3"]
    again = sv.create_study(pool, metric="accuracy", budget=3, held=study)
    assert again.known_labels() == study.known_labels()


def test_a_confusion_matrix_is_refused_where_items_have_no_class_of_their_own() -> None:
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": [1.5, 2.5, 7.0]}), task="regression")
    for pool, metric in ((multilabel()[0], "micro_f1"), (numbers, "mae")):
        study = sv.create_study(pool, metric=metric, budget=2, seed=1)
        for make in (frames.confusion, partial(frames.confused, most=2)):
            with pytest.raises(sv.InputError, match="'confusion' is not defined for"):
                make(study)
