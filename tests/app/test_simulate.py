"""The Simulate page without a browser: every view runs, every setting counts, a run can be taken up again."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import streamlit as st
from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval import plots
from sampleval.presets import Method
from sampleval.simulation import Simulation, batch_by_batch, prepare
from sampleval.simulation.figures import FIGURES
from sampleval.study import method_name
from sampleval.ui.pages import PAGES
from sampleval.ui.plan.trust import shrinkage_of
from sampleval.ui.simulate import VIEWS, running
from sampleval.ui.simulate.compare import _arm, verdict
from sampleval.ui.simulate.cross import lesson
from sampleval.ui.simulate.sweep import least
from tests.app.steps import pictures, stored
from tests.apps import fine, start, told, unbroken
from tests.places import ROOT
from tests.pools import calibrated, multiclass, multilabel

pytestmark = pytest.mark.usefixtures("folder")

RUN = {
    "compare": "compare_run",
    "cross": "cross_run",
    "trust": "sweep_run",
    "cost": "cost_run",
    "rounds": "rounds_run",
}


SHORT: dict[str, Any] = {
    "repeats": "10", "studied_labels": "20", "times": "1", "reported": "f1", "presets": ["queue", "uniform"]
}  # fmt: skip


def app(view: str = "compare", **query: str) -> AppTest:
    """A view of little work."""
    return fine(start("Simulate", 120, view=view, **SHORT | query))


def said(at: AppTest) -> str:
    return "\n".join(e.value for e in [*at.markdown, *at.caption, *at.warning, *at.info])


# What stands below its pictures: that labels of the default method are wasted looked like a contradiction.
BESIDE = {
    "rounds": "how much another would differ is not known",
    "compare": "A method that learns from every answer still has a use for them.",
    "trust": "tuned on labels",
}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_asks_its_question_and_shows_what_was_simulated_also_after_a_reload(view: str) -> None:
    at = app(view, studied_seed="811")  # no other test has these seeds
    assert VIEWS[view].question in said(at)
    assert not pictures(at)
    fine(at.button(key=RUN[view]).click().run())
    assert pictures(at)
    assert BESIDE.get(view, "") in said(at)
    assert [b.label for b in at.button if b.key and b.key.endswith("_run")] in ([], ["Run"])
    again = app(view, studied_seed="811")
    assert (pictures(again), said(again)) == (pictures(at), said(at))
    assert not pictures(app(view, studied_seed="812"))


def test_trust_is_not_swept_where_it_changes_nothing() -> None:
    """Flat curves would still have a smallest error, at a λ that means nothing."""
    methods = app("trust").selectbox(key="studied_method").options
    assert "Labelling queue (queue)" in methods
    assert not {method_name(name) for name in ("uniform", "stratified")} & set(methods)
    frame = pd.DataFrame(
        {"id": range(60), "predicted": np.linspace(2, 7, 60), "label": np.linspace(1, 8, 60)}
    )
    pool = sv.Pool.from_frame(frame, pred="predicted", label="label", task="regression")
    stored(pool, sv.Labels.from_frame(frame, pool))
    at = app("trust", pool=pool.fingerprint, reported="rmse")
    assert [info.value[:14] for info in at.info] == ["No column says"]
    assert not [button for button in at.button if button.key == "sweep_run"]
    assert app("cost", pool=pool.fingerprint, reported="rmse").slider(key="studied_trust").disabled


@pytest.mark.parametrize(
    ("view", "question"),
    [("cross", "Labels in each study"), ("trust", "Labels in each study"), ("compare", "Labels, up to")],
)
def test_the_number_of_labels_is_asked_for_as_what_it_is(view: str, question: str) -> None:
    assert app(view).select_slider(key="studied_labels").label == question


def errors(**each: object) -> pd.DataFrame:
    """What a sweep of λ found, best at 0.5."""
    coverage = {"coverage": 0.9, "coverage_low": 0.7, "coverage_high": 0.95}
    return pd.DataFrame(
        {"shrinkage": [0.0, 0.5, 0.8, 1.0], "best": [False, True, False, False]} | each | coverage
    )


def test_the_sweep_shows_the_band_of_the_smallest_error() -> None:
    frame = errors(
        rmse=[0.09, 0.03, 0.07, 0.08], rmse_low=[0.06, 0.02, 0.05, 0.06], rmse_high=[0.1, 0.04, 0.08, 0.09]
    )
    assert least(frame, "Recall") == (
        "Least error for the recall at **λ = 0.5**: 0.030 (95% band 0.020 to 0.040), with coverage 90% (70% to 95%)."
    )


def test_the_sweep_names_the_other_values_of_lambda_that_may_come_as_close() -> None:
    """Chance picks one of several that are alike, and the page spoke of that one alone."""
    frame = errors(
        rmse=[0.09, 0.03, 0.031, 0.05], rmse_low=[0.06, 0.02, 0.02, 0.04], rmse_high=[0.1, 0.04, 0.04, 0.06]
    )
    assert least(frame, "Recall").endswith(
        "(70% to 95%). As far as the bands tell, λ = 0.8, 1 may come as close."
    )


def test_without_values_no_lambda_is_said_to_come_as_close_as_the_others() -> None:
    frame = errors(rmse=[np.nan] * 4, rmse_low=[np.nan] * 4, rmse_high=[np.nan] * 4).assign(best=False)
    assert least(frame, "Recall") == "In most studies, no λ led to a value of the recall yet."


OPTIONS: dict[str, dict[str, object]] = {
    "compare": {
        "studied_metric": "recall",
        "studied_also": ["precision"],
        "presets": ["queue", "stratified"],
        "reported": ["accuracy"],
    },
    "cross": {
        "studied_method": "yilmaz-is",
        "studied_even": 0.2,
        "reported": ["f1", "accuracy"],
        "studied_together": False,
    },
    "trust": {"studied_metric": "recall", "studied_method": "yilmaz-bs"},
    "cost": {"studied_metric": "recall", "studied_trust": 0.5, "studied_even": 0.2, "reported": ["accuracy"]},
}
SETTINGS: dict[str, object] = {"studied_labels": 100, "repeats": 25, "studied_level": 0.95, "studied_seed": 7}


def settings(at: AppTest) -> list[Any]:
    return [*at.selectbox, *at.multiselect, *at.select_slider, *at.slider, *at.number_input, *at.toggle]


@pytest.mark.parametrize("view", OPTIONS)
def test_every_option_changes_the_work(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys of the batches, which change with whatever a result depends on, or their number."""
    seen: list[Simulation] = []
    monkeypatch.setattr(running, "carry_out", lambda work, **options: seen.append(work))

    def keys() -> set[str]:
        return {seen[-1].key(batch) for batch in seen[-1].batches()}

    at = app(view)
    before = keys()
    for key, value in (OPTIONS[view] | SETTINGS).items():
        next(widget for widget in settings(at) if widget.key == key).set_value(value)
        fine(at.run())
        assert keys() != before, key
        before = keys()


def test_a_row_of_settings_reaches_its_method() -> None:
    name, made = _arm({"method": "queue", "λ": 0.5, "δ": 0.1, "interval": "beta"}, "binary")
    assert name == "queue λ 0.5 δ 0.1 beta"
    assert (shrinkage_of(made), made.defensive, made.interval) == (0.5, 0.1, "beta")


def test_what_is_tried_in_simulations_leaves_the_plan_alone() -> None:
    """A visit to this page had changed a plan of 300 labels for F1 into one of 20 for precision."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 400), "label": [0, 0, 1, 1] * 100})
    pool = sv.Pool.from_frame(frame)
    stored(pool, sv.Labels.from_frame(frame, pool))
    plan = {"labels": "200", "metric": "recall", "method": "queue", "trust": "0.86", "even": "0.03"}
    at = fine(start("Plan", 120, pool=pool.fingerprint, **plan | {"level": "0.95", "seed": "5"}))
    before = [(widget.key, widget.value) for widget in settings(at)]
    for view, options in OPTIONS.items():
        at.query_params["view"] = view
        at = fine(at.switch_page(PAGES["Simulate"].file).run())
        for key, value in (options | SETTINGS).items():
            next(widget for widget in settings(at) if widget.key == key).set_value(value)
            fine(at.run())
    at = fine(at.switch_page(PAGES["Plan"].file).run())
    assert [(widget.key, widget.value) for widget in settings(at)] == before


LOOKS = {"compare": {"compared": "accuracy", "against": "share"}, "cross": {"matrix_of": "coverage"}}


@pytest.mark.parametrize("view", LOOKS)
def test_how_results_are_looked_at_stays_in_the_address(view: str) -> None:
    def looks(at: AppTest) -> dict[str, object]:
        return {w.key: w.value for w in [*at.selectbox, *at.segmented_control] if w.key in LOOKS[view]}

    run = {"studied_seed": "14", "reported": "f1,accuracy"}
    at = app(view, **run)
    fine(at.button(key=RUN[view]).click().run())
    for key, value in LOOKS[view].items():
        assert key not in at.query_params
        before = pictures(at)
        next(w for w in [*at.selectbox, *at.segmented_control] if w.key == key).set_value(value)
        fine(at.run())
        assert told(at, key) == value
        assert pictures(at) != before, key
    assert looks(app(view, **run | LOOKS[view])) == LOOKS[view]


def test_a_choice_that_another_view_does_not_offer_is_not_taken_for_a_broken_link() -> None:
    short = {"repeats": "10", "studied_labels": "20", "studied_seed": "17"}
    at = fine(start("Simulate", 120, presets="uniform", **short))
    fine(at.button(key=RUN["compare"]).click().run())
    fine(at.selectbox(key="compared").set_value("recall").run())
    fine(at.segmented_control(key="view").set_value("cost").run())
    fine(at.button(key=RUN["cost"]).click().run())
    assert at.selectbox(key="compared").value == "f1"
    assert not at.warning


def test_a_stopped_run_shows_what_is_done_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        running, "batch_by_batch", lambda work, **options: islice(batch_by_batch(work, **options), 2)
    )
    at = app(studied_seed="12", repeats="50")
    fine(at.button(key="compare_run").click().run())
    assert "2 of 4 pieces of work are done" in said(at)
    assert pictures(at)
    monkeypatch.setattr(running, "batch_by_batch", batch_by_batch)
    assert at.button(key="compare_run").label == "Go on"
    fine(at.button(key="compare_run").click().run())
    assert "pieces of work" not in said(at)
    assert "Shaded: 95% bands from 50 repeats." in said(at)


def test_a_stopped_sweep_tells_the_repeats_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """It told those that were asked for."""

    def of_two(pool: sv.Pool, labels: sv.Labels, methods: dict[str, Method], **options: Any) -> Simulation:
        return prepare(pool, labels, dict(islice(methods.items(), 2)), **options)

    monkeypatch.setattr(running, "prepare", of_two)
    monkeypatch.setattr(
        running, "batch_by_batch", lambda work, **options: islice(batch_by_batch(work, **options), 3)
    )
    at = app("trust", studied_seed="12", repeats="50")
    fine(at.button(key="sweep_run").click().run())
    assert "95% bands from at least 25 repeats." in said(at)
    monkeypatch.setattr(running, "batch_by_batch", batch_by_batch)
    fine(at.button(key="sweep_run").click().run())
    assert "95% bands from 50 repeats." in said(at)


def test_a_run_stopped_before_its_first_piece_says_so() -> None:
    """Stop led back without a word to what stood there before, as if it had been pressed in vain."""
    at = app(studied_seed="77")  # a run that no other test has begun
    assert "Stopped" not in said(at)
    at.session_state["compare_stop"] = True  # what a press leaves behind; it comes while the work goes on
    assert "Stopped before the first piece of work was done" in said(fine(at.run()))


def test_the_divergences_move_a_bar_below_which_they_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spinner turned above ten seconds of work, and only leaving the page ended it."""
    seen: list[float] = []
    bar = SimpleNamespace(progress=lambda share, text: seen.append(share))
    at = app("rounds", times="2", studied_seed="5")
    at.session_state["rounds_stop"] = True
    assert "Stopped before the end" in said(fine(at.run()))
    at.session_state["rounds_stop"] = False
    monkeypatch.setattr(running, "stoppable", lambda key: bar)
    fine(at.button(key="rounds_run").click().run())
    assert at.get("plotly_chart")
    assert seen == sorted(set(seen))
    assert (len(seen), seen[-1]) == (2 * len(at.multiselect(key="draws").value), 1)
    again = app("rounds", times="2", studied_seed="5")
    assert again.get("plotly_chart"), "a reloaded page shows it again"
    for other in ({"draws": "yilmaz-is"}, {"studied_metric": "recall"}):
        assert not app("rounds", times="2", studied_seed="5", **other).get("plotly_chart"), other


@pytest.mark.parametrize(("figure", "across"), [("Y6", 2), ("M5", 2), ("M2", 2), ("Y1", 3)])
def test_two_panels_of_a_figure_take_the_whole_width(figure: str, across: int) -> None:
    at = app("papers", figure=figure)
    assert [round(column.weight, 3) for column in at.columns] == [round(1 / across, 3)] * across


def test_the_time_left_is_told_by_the_work_done_now() -> None:
    """Pieces from the cache come at once. Counted in the pace, they made 15 seconds per piece look like 3."""
    kept = [True] * 4 + [False] * 16
    assert running.progress(kept, 4, 0.1) == "20% done"
    assert running.progress(kept, 5, 15.0) == "25% done, about 3.8 min to go"
    assert running.progress(kept[::-1], 5, 75.0) == "25% done, about 2.8 min to go"
    assert running.progress(kept, 20, 240.0) == "100% done"


def test_other_kinds_of_task_simulate_too() -> None:
    short = {name: value for name, value in SHORT.items() if name != "presets"}
    at = fine(start("Simulate", 120, demo="diabetes", studied_seed="13", **short))
    methods = at.multiselect(key="presets")
    assert "recommended" in methods.value  # which is another method for numbers
    methods.set_value(["recommended"]).run()
    fine(at.button(key="compare_run").click().run())
    assert at.get("plotly_chart")


KINDS: dict[str, Callable[[], dict[str, str]]] = {
    "binary": lambda: {"pool": stored(*calibrated(200))},
    "multiclass": lambda: {"pool": stored(*multiclass(200))},
    "multilabel": lambda: {"pool": stored(*multilabel(200))},
    "regression": lambda: {"demo": "diabetes"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_task_begins_with_several_metrics_to_cross(kind: str) -> None:
    at = app("cross", **KINDS[kind](), reported="")
    several = at.multiselect(key="reported").value
    assert len(several) > 3
    fine(at.button(key="cross_run").click().run())
    [table] = at.get("plotly_chart")
    assert len(json.loads(table.proto.spec)["data"][0]["x"]) == len(several)


@pytest.mark.parametrize("kept", [False, True])
def test_with_labels_for_some_items_nothing_is_simulated(folder: Path, kept: bool) -> None:
    frame, path = pd.DataFrame({"score": [0.1, 0.9, 0.4, 0.6], "label": [0, 1, None, None]}), folder / "t.csv"
    frame.to_csv(path, index=False)
    pool = sv.Pool.from_frame(frame)
    if kept:
        at = fine(start("Simulate", pool=stored(pool, sv.Labels.from_frame(frame, pool))))
    else:
        at = fine(start("Simulate", source="server"))
        fine(at.text_input(key="server_path").set_value(str(path)).run())
    assert "these data have 2 of 4" in said(at)
    assert not [b for b in at.button if (b.key or "").endswith("_run")]


def test_of_values_of_lambda_that_all_come_as_close_none_is_the_best() -> None:
    """With every item labelled all values of λ are equally good, and the page had named the smallest."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 40), "label": [0, 1] * 20})
    pool = sv.Pool.from_frame(frame)
    stored(pool, sv.Labels.from_frame(frame, pool))
    at = app("trust", pool=pool.fingerprint, studied_labels="40")
    fine(at.button(key="sweep_run").click().run())
    assert "No λ comes closer to the F1 score than the others." in said(at)
    assert "Least error" not in said(at)
    assert "tuned" not in said(at)


def test_the_verdict_names_the_best_and_those_that_break_their_promise() -> None:
    part = pd.DataFrame(
        {
            "method": ["good", "bad"],
            "budget": 100,
            "labels": [97.0, 103.0],
            "truth": 0.8,
            "rmse": [0.01, 0.1],
            "rmse_low": [0.008, 0.08],
            "rmse_high": [0.02, 0.12],
            "coverage_high": [0.95, 0.4],
            "width": 0.1,
            "level": 0.9,
            "repeats": 50,
            "defined": 1.0,
        }
    )
    text = verdict(part, "F1 score")
    assert "value" not in text
    assert "**good** comes closest" in text
    assert "With **about 100 labels**" in text
    assert "Intervals of bad hold" in text
    text = verdict(part.assign(rmse_low=0.008), "F1 score")
    assert "50 repeats cannot tell who comes closest" in text
    assert "comes closest:" not in text.partition("tell who comes closest:")[2]
    alone = verdict(part[part["method"] == "good"], "F1 score")
    assert "**good** is typically 0.010 off" in alone
    assert "closest" not in alone
    text = verdict(part.assign(defined=[1.0, 0.4]), "F1 score")
    assert "gave no value and do not count in the error: 60% of those of bad." in text
    undefined = verdict(part.assign(rmse=np.nan, truth=np.nan), "F1 score")
    assert undefined.startswith("The F1 score is undefined for these items, whatever is labelled")
    exact = part.assign(rmse=0.0, rmse_low=0.0, rmse_high=0.0)
    text = verdict(exact.assign(width=0.0), "F1 score")
    assert text == "With each of these methods, every item that matters is labelled: the F1 score is exact."
    assert "exact" not in verdict(exact, "F1 score")  # a perfect model's, known from a few items


@pytest.mark.parametrize(
    ("view", "messages"),
    [
        (
            "compare",
            ["In most studies, no method could say anything", "Nothing to draw: most studies gave no value"],
        ),
        ("cross", ["Blank: the sampler never or seldom asks items that this metric needs."]),
    ],
)
def test_an_error_of_the_few_studies_that_gave_a_value_is_not_compared(
    view: str, messages: list[str]
) -> None:
    """Of fifty uniform studies of record linkage two met a match, and came before the queue for a lucky precision of 1."""
    score = np.r_[np.full(5, 0.9), np.linspace(0, 0.2, 395)]
    frame = pd.DataFrame({"score": score, "label": np.r_[1, 1, 1, 1, 0, np.zeros(395, int)]})
    pool = sv.Pool.from_frame(frame)
    stored(pool, sv.Labels.from_frame(frame, pool))
    method = {"presets": "uniform", "studied_method": "uniform"}
    at = app(view, pool=pool.fingerprint, reported="precision,accuracy", studied_labels="20", **method)
    fine(at.button(key=RUN[view]).click().run())
    assert all(message in said(at) for message in messages)
    assert any("rmse" in table.value for table in at.dataframe) == (view == "compare")


def test_what_has_no_value_is_not_drawn_and_what_a_true_mean_leaves_out_is_told() -> None:
    """Of a metric that is undefined the page drew an axis from 0.1 to 10,000, and spoke of more labels to come."""
    nothing = pd.DataFrame({"score": np.linspace(0, 0.4, 60), "label": 0})
    names = pd.DataFrame({"pred": [*"aabb"] * 15, "label": [*"abbc"] * 15})
    for frame, pool, metric in (
        (nothing, sv.Pool.from_frame(nothing), "f1"),
        (names, sv.Pool.from_frame(names, classes=["a", "b", "c"]), "macro_precision"),
    ):
        stored(pool, sv.Labels.from_frame(frame, pool))
        at = app(pool=pool.fingerprint, studied_metric="accuracy", reported=metric, compared=metric)
        fine(at.button(key="compare_run").click().run())
        drawn = any("root mean squared error" in spec for spec in pictures(at))
        assert drawn == (metric == "macro_precision")
        told = (
            "In the true value the mean is over the other classes"
            if drawn
            else "is undefined for these items"
        )
        assert told in said(at)


@pytest.mark.parametrize(
    ("value", "blank"),
    [("ratio", "for the precision leaves no error at all"), ("rmse", "needs."), ("coverage", "")],
)
def test_blank_cells_are_explained_where_there_are_some(value: str, blank: str) -> None:
    rows = {"pre": ["precision", "precision"], "post": ["precision", "recall"], "rmse": [0.0, np.nan]}
    ratios = dict.fromkeys(("ratio", "ratio_low", "ratio_high"), np.nan)
    titles = {"precision": "Precision", "recall": "Recall"}
    text = lesson(pd.DataFrame(rows | {"coverage": 1.0} | ratios), titles, value)
    assert blank in text
    assert ("Each row" in text) == (value != "ratio")  # of which nothing is drawn
    assert ("leaves no error" in text) == (value == "ratio")
    assert ("Blank" in text) == bool(blank)


def test_what_a_stopped_run_has_not_come_to_is_blank_for_that_reason() -> None:
    """The page fell over, since a pivot left out the column in which no cell has a number yet."""
    ratio = np.array([1.0, np.nan])
    rows = {"pre": ["precision"] * 2, "post": ["precision", "recall"], "rmse": 0.1, "coverage": 0.9}
    frame = pd.DataFrame(rows | dict.fromkeys(("ratio", "ratio_low", "ratio_high"), ratio))
    [cells] = plots.matrix(frame).data
    np.testing.assert_array_equal(cells.z, [ratio])
    text = lesson(frame, {"precision": "Precision", "recall": "Recall"}, "ratio")
    assert "samples for the recall is done yet" in text
    assert "seldom asks" not in text


def test_a_sampler_that_does_better_than_the_metrics_own_is_not_said_to_be_alike() -> None:
    """“No sampler clearly differs” stood beside a cell whose band lay below 1."""
    rows = {"pre": ["f1", "f1"], "post": ["recall", "f1"], "rmse": 0.1, "coverage": 0.9}
    ratios = {"ratio": [0.5, 1.1], "ratio_low": [0.4, 0.8], "ratio_high": [0.7, 1.3]}
    text = lesson(pd.DataFrame(rows | ratios), {"f1": "F1 score", "recall": "Recall"}, "coverage")
    assert "No sampler is clearly worse than the metric's own" in text


def test_the_matrix_has_a_row_for_a_sample_drawn_for_all_metrics_together() -> None:
    at = app("cross", reported="f1,accuracy", studied_seed="31")
    fine(at.button(key=RUN["cross"]).click().run())
    [matrix] = [json.loads(chart.proto.spec)["data"][0] for chart in at.get("plotly_chart")]
    assert matrix["y"] == ["F1 score", "Accuracy", "All together"]
    assert matrix["x"] == ["F1 score", "Accuracy"]
    assert "One sample for all of them together leaves the" in said(at)
    assert "in the figures: its 95% band" in said(at)


def test_one_sample_for_all_is_told_by_its_worst_metric() -> None:
    """The row of all together is no rival of the metrics' own samplers, and is told in a sentence of its own."""
    rows = {"pre": ["f1", "recall", "together"] * 2, "post": ["f1"] * 3 + ["recall"] * 3, "coverage": 0.9}
    ratio = np.array([1.0, 1.2, 1.1, 1.3, 1.0, 1.6])
    frame = pd.DataFrame(
        rows | {"rmse": 0.1, "ratio": ratio, "ratio_low": ratio - 0.1, "ratio_high": ratio + 0.1}
    )
    text = lesson(frame, {"f1": "F1 score", "recall": "Recall", "together": "All together"}, "ratio")
    assert "Sampling for **the F1 score** and reporting **the recall** costs most: **1.3 ×**" in text
    assert "leaves the recall worst off, at **1.6 ×** the error of a sample of its own (1.5 to 1.7)" in text


def test_a_link_with_more_metrics_than_can_be_reported_takes_the_first() -> None:
    """The page ended in Streamlit's own words on selections."""
    nine = "f1,accuracy,precision,recall,specificity,prevalence,balanced_accuracy,f0.5,f2"
    at = unbroken(start("Simulate", 120, view="compare", reported=nine))
    assert at.multiselect(key="reported").value == nine.split(",")[:8]
    assert "reported = f2" in said(at)
    several = "prevalence,balanced_accuracy,f0.5,f2,jaccard"
    at = app("compare", reported="", studied_also=several)
    assert len(at.multiselect(key="reported").value) == 8


def test_methods_are_called_as_on_the_other_pages() -> None:
    """Their keys, as “queue”, had stood where Plan and Studies have “Labelling queue”."""
    at = app(studied_seed="23", presets="queue")
    assert "**Labelling queue (queue)**" in said(at)
    fine(at.button(key=RUN["compare"]).click().run())
    assert "**Labelling queue** is typically" in said(at)
    drawn = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
    assert "Labelling queue" in [trace.get("name") for trace in drawn]


def test_a_table_of_settings_without_a_row_leaves_the_methods_as_published(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """“`presets` must not be empty; name at least one, or leave it out” told nobody what to do."""
    monkeypatch.setattr(st, "data_editor", lambda rows, **_: rows.iloc[:0])
    assert "10 studies to run" in said(fine(app(studied_seed="29", presets="queue")))


def test_settings_of_each_method_outlive_a_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[pd.DataFrame] = []

    def edited(rows: pd.DataFrame, **_: object) -> pd.DataFrame:
        """The same method twice, once with λ = 0.5."""
        return pd.concat([rows.assign(λ=0.5), rows], ignore_index=True)

    def unedited(rows: pd.DataFrame, **_: object) -> pd.DataFrame:
        shown.append(rows)
        return rows

    monkeypatch.setattr(st, "data_editor", edited)
    settings = told(app(presets="queue"), "studied_settings")
    assert settings == "queue:0.5,queue"
    monkeypatch.setattr(st, "data_editor", unedited)
    at = app(presets="queue", studied_seed="31", studied_settings=settings)
    assert shown[-1]["λ"].tolist() == pytest.approx([0.5, np.nan], nan_ok=True)
    fine(at.button(key=RUN["compare"]).click().run())
    assert "Labelling queue (λ 0.5)" in said(at).replace("\\", "")
    fine(at.multiselect(key="presets").set_value(["queue", "stratified"]).run())
    assert told(at, "studied_settings") == "queue:0.5,queue,stratified"
    fine(at.multiselect(key="presets").set_value(["stratified"]).run())
    assert "studied_settings" not in at.query_params


@pytest.mark.parametrize("asked", ["queue:7", "magic", "queue:::magic", "queue,", "queue:1:1:beta:1", ":"])
def test_an_address_with_unusable_settings_is_told_and_leaves_the_methods_as_published(asked: str) -> None:
    at = app(presets="queue", studied_settings=asked)
    assert "which cannot be chosen here" in said(at)
    assert "studied_settings" not in at.query_params


def test_presets_on_offer_fit_the_task() -> None:
    at = app(demo="diabetes")
    offered = set(at.multiselect(key="presets").options)
    assert "oasis" not in offered
    assert {"queue", "uniform"} <= offered


def test_recommended_is_crossed_as_the_kind_of_label_has_it() -> None:
    at = app("cross", demo="diabetes", reported="rmse", studied_method="recommended")
    fine(at.button(key=RUN["cross"]).click().run())
    assert at.get("plotly_chart")


def test_the_gallery_shows_a_figure_a_click_and_says_what_to_see() -> None:
    at = fine(start("Simulate", 120, view="papers"))
    assert "figure 1" in at.header[0].value
    for key, recipe in FIGURES.items():
        fine(at.button(key=f"figure_{key}").click().run())
        assert at.header[0].value.endswith(f"figure {recipe.number}")
        assert recipe.see in said(at)
        precomputed = (ROOT / "demo_data" / "figures" / f"{key}.parquet").is_file()
        assert bool(at.get("plotly_chart")) == precomputed
        assert ("Precomputed" in said(at)) == precomputed


def test_the_address_holds_keys_that_outlive_the_words() -> None:
    at = app("cross")
    assert at.query_params["view"] == "cross"
    fine(at.segmented_control(key="view").set_value("papers").run())
    fine(at.button(key="figure_M8").click().run())
    assert (told(at, "view"), told(at, "figure")) == ("papers", "M8")
    at.query_params.clear()  # as a link from another page has it
    fine(at.run())
    assert (told(at, "view"), told(at, "figure")) == ("papers", "M8")
    gone = app("papers", figure="M9")
    assert "figure = M9" in gone.warning[0].value
    fine(at.segmented_control(key="view").set_value("compare").run())
    assert "view" not in at.query_params
    assert VIEWS["compare"].question in said(at)


@pytest.mark.parametrize("key", ["Y1", "Y4", pytest.param("M4", marks=pytest.mark.slow)])
def test_a_figure_can_be_computed_anew_on_the_page(key: str) -> None:
    at = fine(start("Simulate", 600, view="papers", figure=key))
    if FIGURES[key].repeats > 1:
        fine(at.select_slider(key=f"figure_{key}_repeats").set_value(5).run())
    fine(at.button(key=f"figure_{key}_run").click().run())
    assert "Computed just now" in said(at)
    assert f"**Ours, as precomputed:** {FIGURES[key].agrees}" in said(at)  # not what was just now computed
    assert ("without random draws" in said(at)) == (FIGURES[key].kind == "chances")
    assert at.get("plotly_chart")
