"""Every picture refuses in words what is not its frame: Python's own errors came up, or lines without a meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, simulation
from sampleval.metrics import resolve
from tests.pools import binary

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")

from sampleval import plots
from sampleval.plots.given import drawn_from

POOL, LABELS = binary(60)
HOUSES = pd.DataFrame({"predicted": np.arange(60.0), "actual": np.arange(60.0) + 1})
NUMBERS = sv.Pool.from_frame(HOUSES, pred="predicted", label="actual", task="regression")
KNOWN = sv.Labels.from_frame(HOUSES, NUMBERS, "actual")
STUDY = sv.create_study(POOL, metric="f1", budget=30, seed=1)
STUDY.answer(LABELS, 30)
CURVE = sv.plan_curve(POOL, metric="f1", budgets=[10, 40], designs=["priority", "uniform"])
PLANS = frames.sorted_inclusion([sv.plan(POOL, metric="f1", budget=10)])
HISTORY = frames.estimates(STUDY.history())
SUMMARY = sv.simulate(
    POOL, LABELS, metrics=["f1", "recall"], budgets=[10, 20], repeats=2, presets=["queue", "uniform"]
)
OF_F1 = SUMMARY[SUMMARY["metric"] == "f1"]
MATRIX = simulation.matrix(SUMMARY.replace({"queue": "f1", "uniform": "recall"}))
PRECISION = frames.curve(STUDY.curve("pr_curve"))
CELLS = frames.confusion(STUDY)
ADVICE = pd.DataFrame(
    {"shrinkage": [0.5], "expected": 1, "median": 1, "low": 1, "high": 1, "suggested": True, "default": False}
)
DRAWN_FROM: dict[str, pd.DataFrame] = {
    "histogram": frames.histogram(POOL),
    "reliability": frames.reliability(POOL, LABELS),
    "prediction_error": frames.prediction_error(NUMBERS, KNOWN),
    "whiskers": frames.estimates(STUDY.estimates()),
    "convergence": HISTORY,
    "density": frames.density(STUDY.estimate("f1"), resolve("f1"), POOL.size),
    "comparison": OF_F1,
    "matrix": MATRIX[MATRIX["budget"] == 10],
    "curves": CURVE,
    "certain": CURVE,
    "costs": frames.costs(CURVE, price=1, seconds=1),
    "sorted_inclusion": PLANS,
    "confusion": CELLS,
    "precision_recall": PRECISION,
    "calibration": frames.components(STUDY.curve("reliability")),
    "dots": frames.classes(STUDY),
}
MORE: dict[str, dict[str, Any]] = {
    "dots": {"names": "class", "title": "", "x": ""},
    "against_threshold": {"title": ""},
    "certain": {"design": "uniform", "onset": 5.0},
    "costs": {"design": "uniform"},
    "advice": {"budget": 20},
    "density": {"value": 0.5, "low": 0.1, "high": 0.9},
}
FIGURES = sorted({*plots.__all__} - {"QUANTITIES", "region"})


def first(name: str) -> str:
    """What the picture calls its frame."""
    return next(iter(inspect.signature(getattr(plots, name)).parameters))


def draw(name: str, given: object) -> object:
    return getattr(plots, name)(**{first(name): given}, **MORE.get(name, {}))


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize(
    "given", [POOL, STUDY, [1], None, pd.Series([1])], ids=lambda given: type(given).__name__
)
def test_only_a_frame_is_drawn(name: str, given: object) -> None:
    said = rf"`{first(name)}` must be a pandas DataFrame; got '{type(given).__name__}'; pass (sv|frames|simulation)\."
    with pytest.raises(sv.InputError, match=said):
        draw(name, given)


@pytest.mark.parametrize("name", FIGURES)
def test_another_frame_is_told_by_the_columns_that_it_lacks(name: str) -> None:
    said = rf"`{first(name)}` must have the column '.*; got \['mine'\]; pass (sv|frames|simulation)\."
    with pytest.raises(sv.InputError, match=said):
        draw(name, pd.DataFrame({"mine": [1]}))


@pytest.mark.parametrize("name", FIGURES)
def test_of_no_rows_nothing_is_drawn(name: str) -> None:
    with pytest.raises(sv.InputError, match=f"`{first(name)}` must have rows"):
        draw(name, pd.DataFrame({"mine": []}))


@pytest.mark.parametrize("name", DRAWN_FROM)
def test_a_column_is_missed_wherever_it_is_read(name: str) -> None:
    frame = DRAWN_FROM[name]
    draw(name, frame)
    missed = set()
    for column in frame:
        try:
            draw(name, frame.drop(columns=column))
        except sv.InputError as error:
            assert f"'{column}'" in str(error) or column == "class"  # noqa: PT017
            missed.add(column)
    assert len(missed) >= 3


@pytest.mark.parametrize("lacking", [["low", "high"], ["value", "low", "high"]])
def test_columns_that_are_read_at_once_are_named_together(lacking: list[str]) -> None:
    """Pandas has other words for some of them than for all."""
    named = ", ".join(map(repr, lacking))
    with pytest.raises(sv.InputError, match=f"`frame` must have the column {named}; got"):
        draw("dots", DRAWN_FROM["dots"].drop(columns=lacking))


def test_a_mistake_of_a_picture_is_not_the_caller_s() -> None:
    @drawn_from("frames.histogram(pool)")
    def broken(frame: pd.DataFrame) -> Any:
        return dict[str, Any]()[str(frame.columns[0])]

    with pytest.raises(KeyError):
        broken(CURVE)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "quantity of a comparison": (lambda: plots.comparison(OF_F1, quantity="coverag"), "`quantity` is not known; got 'coverag'; did you mean 'coverage'"),
    "quantity of curves": (lambda: plots.curves(CURVE, quantity="nope"), "`quantity` is not known; got 'nope'; there is 'width', 'error'"),  # type: ignore[arg-type]
    "value of a matrix": (lambda: plots.matrix(DRAWN_FROM["matrix"], value="mse"), "`value` is not known; got 'mse'; did you mean 'rmse'"),
    "design of curves": (lambda: plots.curves(CURVE, design="unifrom"), "`design` is not known; got 'unifrom'; did you mean 'uniform'"),
    "design of chances": (lambda: plots.sorted_inclusion(PLANS, design="nope"), "`design` is not known; got 'nope'; there is"),
    "design of certainty": (lambda: plots.certain(CURVE, design="nope", onset=5), "`design` is not known"),
    "design of costs": (lambda: plots.costs(DRAWN_FROM["costs"], design="nope"), "`design` is not known"),
    "names of dots": (lambda: plots.dots(DRAWN_FROM["dots"], "clas", title="", x=""), "`names` is not a column of the frame; got 'clas'; did you mean 'class'"),
    "two metrics": (lambda: plots.comparison(SUMMARY), r"`summary` must be about one metric; got \['f1', 'recall'\]; keep one of them, as summary\[summary\['metric'\] == 'f1'\] does"),
    "two budgets": (lambda: plots.matrix(MATRIX), r"`frame` must be about one budget; got \[10, 20\]"),
    "history of two metrics": (lambda: plots.convergence(DRAWN_FROM["whiskers"]), "`history` must be about one metric"),
    "two histories": (lambda: plots.convergence(pd.concat([HISTORY, HISTORY])), "`history` must be of one study"),
    "history of classes": (lambda: plots.convergence(DRAWN_FROM["dots"]), "`history` must be of one study"),
    "a history as estimates": (lambda: plots.whiskers(HISTORY), "`estimates` must have one row per metric; got 'f1'; .* plots.convergence"),
    "another curve": (lambda: plots.roc(PRECISION), "`curve` must have the quantities false positive rate and true positive rate; got .*; other curves have"),
    "two matrices": (lambda: plots.confusion(pd.concat([CELLS, CELLS])), "`frame` must have a row for every pair of the 2 classes; got '8 rows'"),
    "other components": (lambda: plots.calibration(frames.components(STUDY.curve("precision_recall"))), "`frame` must be about bins of the score; got .*'reliability'"),
    "advice in part": (lambda: plots.advice(ADVICE, budget=9), "`frame` must have the row of the λ that is the method's own"),
    "region of a study": (lambda: plots.region(STUDY, (0.5, 0.5)), "`outline` must be points, .*ellipsoid"),  # type: ignore[arg-type]
    "region of no points": (lambda: plots.region(np.ones((0, 2)), (0.5, 0.5)), "`outline` must be points"),
    "centre of one": (lambda: plots.region(np.ones((9, 2)), (0.5,)), r"`centre` must be two numbers; got \(0.5,\)"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_meant_is_refused_in_words(what: str) -> None:
    use, said = REFUSED[what]
    with pytest.raises(sv.InputError, match=said):
        use()


def test_each_metric_of_a_simulation_has_a_comparison() -> None:
    for _, part in SUMMARY.groupby("metric"):
        assert len([line for line in plots.comparison(part).data if line.name]) == 2
