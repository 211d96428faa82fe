"""What a study concludes: estimates of every metric, exact ones of a census, and their history."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import DESIGNS
from sampleval.intervals import INTERVALS
from sampleval.metrics import for_kind, resolve, within
from sampleval.numerals import number
from sampleval.presets import PRESETS
from sampleval.study import Study, finding
from tests.pools import binary
from tests.studies import LABELS, POOL, answered, begun, exact

PARTS = [("preset", name) for name in PRESETS]
PARTS += [("design", name) for name in DESIGNS if name != "targeted"]  # that one comes with `recommended`


@pytest.mark.parametrize(("axis", "name"), PARTS)
def test_a_census_is_exact(axis: str, name: str) -> None:
    """M = N: the exact metric, width 0, whatever the method."""
    study = begun(**{axis: name}, budget=POOL.size, metric="accuracy")
    assert study.answer(LABELS, POOL.size) == POOL.size
    for metric in for_kind("binary"):
        found = study.estimate(metric)
        assert found.method == "census", metric
        assert found.value == pytest.approx(exact(metric), abs=1e-12), metric
        assert (found.variance, found.interval.width) == (0, 0), metric


def test_a_census_with_one_item_left_is_not_exact() -> None:
    """The control: one label short of everything there is a width."""
    study = begun(design="uniform", budget=POOL.size, metric="accuracy")
    study.answer(LABELS, POOL.size - 1)
    assert study.estimate("accuracy").interval.width > 0


@pytest.mark.parametrize("metric", ["precision", "f1", "recall"])
def test_all_that_can_matter_labelled_is_exact_too(metric: str) -> None:
    """Items whose label cannot move the metric are never asked; the rest being labelled, nothing is unknown."""
    study = begun(metric=metric, budget=POOL.size)
    study.answer(LABELS, POOL.size)
    assert study.ask(1) == []
    found = study.estimate(metric)
    assert found.value == pytest.approx(exact(metric), abs=1e-12)
    assert found.variance == pytest.approx(0, abs=1e-15)
    assert found.interval.width == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("family", [name for name in INTERVALS if name != "anytime"])
@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_every_metric_has_every_family_of_interval(preset: str, family: str) -> None:
    study = answered(begun(preset=preset, budget=20), 10)
    for estimate in study.estimates(interval=family):
        assert estimate.interval.low <= estimate.value <= estimate.interval.high or math.isnan(estimate.value)


@pytest.mark.parametrize("preset", ["recommended", "queue", "marchant-is"])
def test_the_largest_numbers_have_finite_estimates(preset: str) -> None:
    rows = pd.DataFrame({"pred": np.linspace(-1e70, 1e70, 300)})
    pool = sv.Pool.from_frame(rows, pred="pred", task="regression")
    study = sv.create_study(pool, metric="rmse", budget=40, preset=preset)
    study.tell_all([(item, -1e70) for item in study.ask(40)])
    for estimate in (study.estimate("mse"), study.estimate("rmse"), study.estimate("mae")):
        assert np.isfinite([estimate.value, estimate.variance, estimate.interval.high]).all()


def test_one_metric_may_be_named_where_several_may() -> None:
    study = answered(begun(), 5)
    assert study.estimates("f1") == study.estimates(resolve("f1")) == [study.estimate("f1")]


@pytest.mark.parametrize(("points", "at"), [(1, [9]), (4, [1, 4, 6, 9])])
def test_history_ends_with_the_estimate(points: int, at: list[int]) -> None:
    study = answered(begun(), 9)
    history = study.history("recall", points=points)
    assert [e.labels for e in history] == at
    assert history[-1] == study.estimate("recall")
    assert begun().history() == []


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda study: study.estimate(about="futur"), "`about` is not known.*'future'"),
        (lambda study: study.history(points=0), "`points` must be a whole number of at least 1"),
        (lambda study: study.estimates(3), "`metrics` must be a list; got 3"),
        (lambda study: study.answer(None, 3), "`known` must be a Labels; got 'NoneType'"),
        (lambda study: study.answer(LABELS, -1), "`n` must be a whole number"),
        (lambda study: study.answer(binary(seed=5)[1], 3), "`known` must hold the labels of this pool"),
    ],
    ids=["about", "points", "metrics", "none", "n", "known"],
)
def test_questions_that_mean_nothing_are_refused(ask: Callable[[Study], object], message: str) -> None:
    with pytest.raises(sv.InputError, match=message):
        ask(answered(begun(), 3))


@pytest.mark.parametrize("labels", [0, 3])
def test_a_system_that_the_pool_does_not_have_is_refused_also_before_the_first_label(labels: int) -> None:
    study = begun() if labels == 0 else answered(begun(), labels)
    with pytest.raises(sv.InputError, match="`system` must be left out"):
        study.estimate("f1[a]")


def test_the_metric_of_a_part_can_be_named_once_it_was_passed() -> None:
    """Its name reads like that of a system's, "f1[b]", which the pool does not have: sentences about it were refused."""
    study = answered(begun(), 8)
    part = within(resolve("f1"), np.arange(POOL.size) < 20, "half")
    with pytest.raises(sv.InputError, match="system"):
        study.estimate("f1[half]")
    found = study.estimate(part)
    assert study.estimate("f1[half]") == found
    assert "where half" in finding(study, found)


# ---------------------------------------------------------------- in a notebook


def test_a_study_shows_what_it_is_for_and_how_far_it_is(tmp_path: Path) -> None:
    assert (
        repr(answered(begun(metric=["f1", "recall"]), 3))
        == f"<Study f1 and recall, 3 of 12 labels, {POOL.size} items>"
    )
    stored = begun(storage=f"sqlite:///{tmp_path / 's.db'}", name="toxicity")
    assert repr(stored) == f"<Study 'toxicity': f1, 0 of 12 labels, {POOL.size} items>"
    drawn = begun(preset="yilmaz-bs", seed=1)
    assert drawn.answer(LABELS, POOL.size) > 12  # chance set the number, and it said "15 of 12"
    assert repr(drawn) == f"<Study f1, {drawn.labels} of {drawn.labels} labels, {POOL.size} items>"


def test_an_estimate_prints_as_one_line_with_its_uncertainty() -> None:
    study = begun()
    assert str(study.estimate()) == "f1 unknown, 90% interval 0.00 to 1.00, 0 answers; no labels yet"
    found = answered(study, 3).estimate()
    assert str(found) == f"f1 {number(found.value)}, {found.interval}, 3 answers"


def test_results_show_themselves_in_one_line_each() -> None:
    """They filled a notebook's cell with all their digits, and metrics with the addresses of functions."""
    study = begun()
    assert repr(study.estimates(["f1"])) == f"[<Estimate {study.estimate('f1')}>]"
    found = answered(study, 3).estimate()
    assert found.note
    assert repr(found) == f"<Estimate {found}; {found.note}>"
    assert repr(study.curve("roc_curve")).startswith("<JointEstimate roc_curve, 202 components, 3 answers")
    planned = sv.plan(POOL, metric="f1", goal=0.1)
    assert repr(planned) == f"<Plan {planned}>"
    assert repr(study.metric()) == "<Metric 'f1': F1 score>"
    assert (
        repr(study.state)
        == f"<State after {len(study.events())} events: 3 items asked, {POOL.size} in the pool>"
    )
    assert repr(sv.presets["queue"]) == "<Preset 'Labelling queue': shrunk × priority × horvitz-thompson>"
    assert repr(LABELS) == "<Labels of 40 of 40 items: two classes, 'ham' (negative) and 'spam' (positive)>"
    broken = sv.Pool.from_frame(pd.DataFrame({"pred": ["a\nb", "c", "d"]}))
    assert "\n" not in repr(broken)
