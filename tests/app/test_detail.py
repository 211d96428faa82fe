"""The Results page's closer look: each section of each kind of task draws without a mistake."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval import frames, plots, report
from sampleval.ui import stores, words
from sampleval.ui.charts import download
from sampleval.ui.memo import kept_for
from sampleval.ui.results import tables, verdict
from tests.app.steps import coordinates, said, stored, stored_study
from tests.apps import fine, start, told
from tests.places import ROOT
from tests.pools import scored

pytestmark = pytest.mark.usefixtures("folder")

EXPECTED = {
    "digits_is8": ["Curves", "Confusion", "Calibration"],
    "statistics_sentences": ["Curves", "Confusion", "Calibration", "Parts"],
    "digits_10class": ["Classes", "Confusion", "Calibration"],
    "tickets_multilabel": ["Classes", "Parts"],
    "diabetes": ["Parts"],
}


def results(frame: pd.DataFrame, metric: str, labels: int, *, preset: str = "queue", **query: str) -> AppTest:
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool)
    study = stored_study(pool, metric, labels, preset)
    study.answer(known, labels)
    return fine(start("Results", study="s", **query))


def binary_frame() -> pd.DataFrame:
    """A hundred items with a score and a label."""
    return scored(100).assign(label=lambda items: (items["label"] == "spam").astype(int))


def charts(at: AppTest) -> int:
    return len(at.get("plotly_chart"))


def shown(at: AppTest) -> str:
    """All that the page shows, answers and tables too."""
    tables = [table.value.to_csv() for table in [*at.table, *at.dataframe]]
    return "\n".join([said(at), *(heading.value for heading in at.subheader), *tables])


# Options one after another: kind of control, key, value.
OPTIONS: dict[str, list[tuple[str, str, Any]]] = {
    "curves": [  # which stand below what is said of one metric
        ("select_slider", "shown_level", 0.5),
        ("number_input", "threshold_f1", 0.7),
        ("segmented_control", "side", "most"),
        ("segmented_control", "shown_about", "future"),
        ("selectbox", "shown_interval", "beta"),
        ("selectbox", "shown_metric", "recall"),
        ("segmented_control", "curve", "threshold"),
    ],
    "systems": [("select_slider", "shown_level", 0.5), ("selectbox", "system_metric", "recall")],
    "classes": [("select_slider", "shown_level", 0.5), ("segmented_control", "class_measure", "recall")],
    "confusion": [("select_slider", "shown_level", 0.5)],  # and what a method that adapts has learned
    "calibration": [("select_slider", "shown_level", 0.5)],
    "parts": [
        ("select_slider", "shown_level", 0.5),
        ("selectbox", "part_column", "town"),
        ("selectbox", "part_metric", "recall"),
    ],
}


@pytest.mark.parametrize("section", OPTIONS)
def test_every_option_changes_all_that_it_concerns(section: str) -> None:
    """What is kept from before the change is not shown after it."""
    rng = np.random.default_rng(3)
    score = rng.beta(0.6, 1.2, 30)
    frame = pd.DataFrame({"a.score": score, "part": [*"xyz"] * 10, "town": [*"uv"] * 15})
    frame["label"] = (rng.random(30) < score).astype(int)
    if section == "systems":
        frame["b.score"] = score[::-1]
    if section == "classes":
        frame = pd.DataFrame({"pred": frame["part"], "label": rng.permutation(frame["part"])})
    metric = "accuracy" if section == "classes" else "f1"
    preset = "oasis" if section == "confusion" else "queue"
    at = results(frame, metric, 12, preset=preset, detail=section)
    for kind, key, value in OPTIONS[section]:
        before = shown(at)
        control: Any = next(widget for widget in at.get(kind) if getattr(widget, "key", None) == key)
        fine(control.set_value(value).run())
        after = shown(at)
        assert after != before, key
        kept_for.clear()
        assert shown(fine(at.run())) == after, key


@pytest.mark.parametrize("preset", ["recommended", "uniform"])
def test_sections_have_intervals_for_a_fixed_number_of_labels_as_the_page_says(preset: str) -> None:
    """Of a study whose own hold at every look, parts had those, twice as wide, or none at all."""
    frame = binary_frame().assign(part=[*"xy"] * 50)
    pool = sv.Pool.from_frame(frame)
    options: dict[str, Any] = {"metric": "accuracy", "budget": 30, "preset": preset, "interval": "anytime"}
    study = sv.create_study(pool, storage=stores.storage(), name="s", **options)
    study.answer(sv.Labels.from_frame(frame, pool), 30)
    at = fine(start("Results", study="s", detail="parts", part_column="part"))
    assert "The sections below keep intervals for this number of labels, fixed beforehand." in said(at)
    rows = frames.parts(study, "part", interval=study.method.fixed)
    assert rows["known"].all()
    pd.testing.assert_frame_equal(at.table[1].value, tables.parts(rows, 0.9))
    assert not rows.equals(frames.parts(study, "part"))


def test_the_measure_that_is_drawn_by_class_is_the_chosen_one() -> None:
    frame = pd.DataFrame({"pred": [*"xyz"] * 30, "label": [*"xxyyzz"] * 15})
    at = results(frame, "accuracy", 20)
    with patch.object(plots, "dots", wraps=plots.dots) as dots:
        fine(at.segmented_control(key="class_measure").set_value("recall").run())
    assert set(dots.call_args.args[0]["measure"]) == {"recall"}


@pytest.mark.parametrize("demo", EXPECTED)
def test_every_section_of_every_demo_draws(demo: str) -> None:
    frame = pd.read_parquet(ROOT / "demo_data" / f"{demo}.parquet")
    metric = sv.metrics.for_kind(sv.Pool.from_frame(frame).task.kind)[0]
    at = results(frame, metric, 15)
    offered = at.segmented_control(key="detail").options
    assert offered == EXPECTED[demo]
    assert charts(at) >= 2
    for name in offered[1:]:
        fine(at.segmented_control(key="detail").set_value(name.lower()).run())
        assert charts(at) >= 2


def test_a_part_left_out_of_the_picture_is_told_below_it() -> None:
    rng = np.random.default_rng(1)
    pred = rng.normal(10, 3, 200).round(2)
    frame = pd.DataFrame({"pred": pred, "town": ["B" if row > 197 else "A" for row in range(200)]})
    pool = sv.Pool.from_frame(frame, fields=["town"], task="regression")
    study = sv.create_study(pool, metric="rmse", budget=40, storage=stores.storage(), seed=0)
    study.answer(sv.Labels.from_frame(frame.assign(label=pred + rng.normal(0, 1, 200)), pool), 6)
    at = fine(start("Results", study=study.name, detail="parts"))
    assert at.table[-1].value["Part"].tolist() == ["A", "B"]
    [told] = [c.value for c in at.caption if c.value.startswith("Not drawn")]
    assert re.fullmatch(r"Not drawn, since the interval has no end.*: B \d\.\d+ \\\(0\.000 to ∞\\\)\.", told)


def test_a_picture_without_any_value_is_not_drawn() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"old.score": rng.random(90), "new.score": rng.random(90)})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=40, storage=stores.storage())
    study.answer(sv.Labels.from_frame(frame.assign(label=0), pool), 9)
    at = fine(start("Results", study=study.name, detail="systems"))
    assert not any("Differences" in chart.proto.spec for chart in at.get("plotly_chart"))
    said = [c.value for c in at.caption]
    assert [caption for caption in said if caption.startswith("Nothing to draw yet")]
    assert "There is no value yet, so there is no distribution to draw." in said
    fine(at.segmented_control(key="detail").set_value("curves").run())
    assert not any("Precision against recall" in chart.proto.spec for chart in at.get("plotly_chart"))
    told = [c.value for c in at.caption]
    assert words.sentence(study.curve("pr_curve").note) in told
    assert any("everything here is about old, and “Systems” compares it" in caption for caption in told)


def test_nothing_is_drawn_of_a_study_in_which_all_was_skipped() -> None:
    """An error that may lie anywhere above 0 was drawn with limits of 0 to 0.25; other pictures had an axis and nothing on it."""
    rng = np.random.default_rng(1)
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": rng.normal(size=40)}), task="regression")
    names = sv.Pool.from_frame(pd.DataFrame({"pred": [*"abcd"] * 10}), task="multiclass")
    for pool, metric, left in ((numbers, "rmse", 0), (names, "accuracy", 1)):
        study = sv.create_study(pool, metric=metric, budget=5, storage=stores.storage())
        while items := study.ask(5):
            study.tell_all([(item, sv.SKIP) for item in items])
        for page in ("Results", "Label"):
            at = fine(start(page, study=study.name))
            pictures = [chart.proto.spec for chart in at.get("plotly_chart")]
            assert sum('"answers"' in spec for spec in pictures) == left  # a share lies between 0 and 1
            assert not any("estimate (0 to 1)" in spec or "F1 by class" in spec for spec in pictures)
        assert ("settled</h2><svg" in report.html(study)) == bool(left)


def test_a_value_whose_variance_no_beta_has_is_not_said_to_be_without_variation() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.95] * 8 + [0.0001] * 1000}))
    study = sv.create_study(pool, metric="f1", budget=40, storage=stores.storage(), seed=0)
    study.tell(study.ask(1)[0].id, sv.SKIP)
    study.tell(study.ask(1)[0].id, 1)
    assert study.estimate().variance > 0
    said = [c.value for c in fine(start("Results", study=study.name)).caption]
    assert not [caption for caption in said if caption.startswith("No variation")]
    assert [caption for caption in said if caption.startswith("No Beta distribution")]


def test_limits_of_a_part_without_a_label_are_not_shown_as_coming_from_its_labels() -> None:
    """They were narrower than those of parts with labels, and the page said that they come from labels alone."""
    rng = np.random.default_rng(1)
    score = rng.beta(0.5, 1.5, 200)
    frame = pd.DataFrame({"score": score, "label": (rng.random(200) < score).astype(int)})

    def study_of(pool: sv.Pool) -> sv.Study:
        study = sv.create_study(pool, metric="f1", budget=20, storage=stores.storage())
        study.answer(sv.Labels.from_frame(frame, pool), 20)
        return study

    asked = study_of(sv.Pool.from_frame(frame.drop(columns="label"))).known_labels()
    frame["town"] = ["A" if str(row) in asked or row > 60 else "*B*" for row in frame.index]
    study = study_of(sv.Pool.from_frame(frame.drop(columns="label")))
    at = fine(start("Results", study=study.name, detail="parts"))
    labels = at.table[-1].value.set_index("Part")["Labels"]
    assert labels.to_dict() == {r"\*B\*": r"0 \*", "A": "20"}
    captions = [caption.value for caption in at.caption]
    assert any(said.startswith(r"\*B\*\: no label asked for in this part counts yet") for said in captions)
    assert at.table[-1].value.set_index("Part").loc[r"\*B\*"].iloc[-1] == "0.00 to 1.00"
    assert not any("labels alone" in said for said in captions)


@pytest.mark.parametrize(
    ("section", "key", "about"),
    [
        ("parts", "part_metric", ["small: the mean"]),
        ("systems", "system_metric", ["new: the mean", "old − new: the mean of “new”"]),
    ],
)
def test_the_classes_that_a_mean_leaves_out_are_told_beside_what_it_is_compared_with(
    section: str, key: str, about: list[str]
) -> None:
    """Means over other classes stood side by side, and their difference, without a word."""
    label = ["a", "b", "c", "c"] * 30
    frame = pd.DataFrame({"old.pred": label, "new.pred": [*"abbb"] * 30, "town": [*"xxxx"] * 30})
    frame.loc[:11, "town"] = "small"
    frame.loc[:11, "old.pred"] = frame.loc[:11, "new.pred"] = [*"ab"] * 6
    pool = sv.Pool.from_frame(frame, fields=["town"], classes=["a", "b", "c"], task="multiclass")
    study = sv.create_study(
        pool, metric="accuracy", budget=120, preset="uniform", storage=stores.storage(), seed=0
    )
    study.answer(sv.Labels.from_frame(frame.assign(label=label), pool), 120)
    at = fine(start("Results", study=study.name, detail=section, **{key: "macro_precision"}))
    told = [c.value.split(" is over the other classes")[0] for c in at.caption if "other classes" in c.value]
    assert told == [words.plain(whose) for whose in about]


@pytest.mark.parametrize("scored", [True, False])
def test_precision_and_recall_together_lie_beside_the_confusion_they_come_from(scored: bool) -> None:
    """The region was under Calibration, which decisions without scores do not have."""
    frame = binary_frame()
    if not scored:
        frame = frame.assign(pred=(frame["score"] >= 0.5).astype(int)).drop(columns="score")
    at = results(frame, "f1", 40, detail="confusion")
    assert "Precision and recall together" in at.get("plotly_chart")[-1].proto.spec
    assert "90% region for both at once" in said(at)
    if scored:
        assert "for both at once" not in said(fine(start("Results", study="s", detail="calibration")))


def test_the_curves_can_be_changed() -> None:
    at = results(binary_frame(), "f1", 20)
    for name, title in {"roc": "ROC", "threshold": "threshold", "pr": "Precision against"}.items():
        fine(at.segmented_control(key="curve").set_value(name).run())
        assert any(title in chart.proto.spec for chart in at.get("plotly_chart"))


@pytest.mark.parametrize("decided", [False, True])
def test_only_a_threshold_that_the_decisions_follow_is_marked(decided: bool) -> None:
    frame = binary_frame()
    at = results(frame.assign(pred=0) if decided else frame, "accuracy", 20, curve="threshold")
    shown = [chart.proto.spec for chart in at.get("plotly_chart") if chart.key in ("threshold", "f1_curve")]
    assert ['"shapes":' in spec for spec in shown] == [not decided] * 2


def test_a_closer_look_is_computed_once_until_the_next_answer() -> None:
    at = results(binary_frame(), "f1", 20)
    for name in EXPECTED["digits_is8"]:
        fine(at.segmented_control(key="detail").set_value(name.lower()).run())
        with patch.object(sv.Study, "curve", autospec=True) as curve:
            fine(at.run())
        curve.assert_not_called()


def test_the_roc_curve_of_skewed_scores_is_no_single_step() -> None:
    score = np.random.default_rng(0).beta(0.1, 4, 3000)
    frame = pd.DataFrame({"score": score, "label": (np.arange(3000) % 20 < 40 * score).astype(int)})
    at = results(frame, "f1", 300, curve="roc")
    (spec,) = [
        chart.proto.spec for chart in at.get("plotly_chart") if "false positive rate" in chart.proto.spec
    ]
    (line,) = [trace for trace in json.loads(spec)["data"] if trace.get("name") == "estimate"]
    across = coordinates(line["x"])
    assert len(across) > 100
    assert np.diff(across).max() < 0.1


def test_the_address_keeps_what_is_looked_at() -> None:
    """A teacher shares the ROC curve, not a page on which to look for it."""
    at = results(binary_frame(), "f1", 20)
    fine(at.segmented_control(key="curve").set_value("roc").run())
    assert told(at, "curve") == "roc"
    at = fine(start("Results", study="s", detail="calibration"))
    assert at.segmented_control(key="detail").value == "calibration"


def test_the_address_keeps_what_the_pool_is_parted_by() -> None:
    at = results(pd.read_parquet(ROOT / "demo_data" / "diabetes.parquet"), "rmse", 40)
    box = at.selectbox(key="part_column")
    fine(box.set_value(box.options[-1]).run())
    again = fine(start("Results", study="s", part_column=told(at, "part_column")))
    assert again.selectbox(key="part_column").value == box.options[-1]


def test_systems_are_compared_in_a_sentence() -> None:
    rng = np.random.default_rng(0)
    score = rng.beta(0.5, 1.5, 400)
    frame = pd.DataFrame(
        {
            "id": [f"t{k}" for k in range(400)],
            "old.score": np.clip(score + rng.normal(0, 0.3, 400), 0.001, 0.999),
            "new.score": score,
            "label": (rng.random(400) < score).astype(int),
        }
    )
    at = results(frame, "f1", 150)
    assert at.segmented_control(key="detail").options[0] == "Systems"
    assert any("those of “old”, the first of 2 systems" in c.value for c in at.caption)
    study = sv.load_study("s", stores.storage())
    assert "those of “old”, the first of 2 systems" in report.html(study)
    by = study.estimate("f1[old - new]")
    told = verdict.compared("old", "new", by.value, by.interval.low, by.interval.high)
    assert f"- {words.plain(told)}" in [m.value for m in at.markdown]
    [drawn] = [chart.proto.spec for chart in at.get("plotly_chart") if '"Differences"' in chart.proto.spec]
    assert json.loads(drawn)["data"][0]["y"] == ["old − new"]


def test_systems_are_compared_first_by_the_metric_whose_difference_the_study_asks_for() -> None:
    score = np.linspace(0.01, 0.99, 60)
    frame = pd.DataFrame({"a.score": score, "b.score": score[::-1], "label": (score > 0.6).astype(int)})
    at = results(frame, "recall[b - a]", 20)
    assert at.selectbox(key="system_metric").value == "recall"


def test_a_sample_can_be_drawn_for_a_difference() -> None:
    """The Plan page offers it, the study begins, and results put it first."""
    rng = np.random.default_rng(0)
    score = rng.beta(0.5, 1.5, 100)
    frame = pd.DataFrame({"id": [f"t{k}" for k in range(100)], "a.score": score, "b.score": score[::-1]})
    pool = sv.Pool.from_frame(frame)
    assert "f1[a - b]" in sv.metrics.questions(pool)
    at = fine(start("Plan", pool=stored(pool)))
    fine(at.selectbox(key="metric").set_value("f1[a - b]").run())
    assert charts(at) >= 1


def test_the_footnote_on_few_labels_shows_its_asterisk() -> None:
    at = results(pd.read_parquet(ROOT / "demo_data" / "diabetes.parquet"), "rmse", 40)
    (footnote,) = [caption.value for caption in at.caption if "fewer than" in caption.value]
    assert footnote.startswith(r"\* ")  # and no bullet point


@pytest.mark.parametrize(("labels", "unknown"), [(10, True), (300, False)])
def test_a_dash_in_a_confusion_matrix_is_explained_where_there_is_one(labels: int, unknown: bool) -> None:
    frame = pd.read_parquet(ROOT / "demo_data" / "digits_10class.parquet")
    at = results(frame, "accuracy", labels, detail="confusion")
    assert any(caption.value.startswith("“–”") for caption in at.caption) == unknown


def test_figures_as_csv_run_in_no_spreadsheet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of parts and classes come from uploads, so that they could be formulas."""
    made: list[bytes] = []
    monkeypatch.setattr("streamlit.download_button", lambda _, make, **_more: made.append(make()))
    download(pd.DataFrame({"part": ["=1+1"], "items": [2.5]}), key="parts", file="parts.csv")
    assert made == ["\ufeffpart,items\r\n'=1+1,2.5\r\n".encode()]  # without the mark Excel reads no umlaut


@pytest.mark.parametrize("page", ["Label", "Results", "Plan"])
def test_names_of_systems_are_no_markup_in_the_title_of_a_metric(page: str) -> None:
    """The name of the system `$a$` had become a formula above the estimate, and in what a plan promises."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"$a$.score": rng.random(90), "*b*.score": rng.random(90)})
    pool = sv.Pool.from_frame(frame)
    metric = "f1[$a$ - *b*]"
    study = stored_study(pool, metric, 20)
    study.tell_all([(item, int(item.id) % 2) for item in study.ask(20)])
    at = fine(start(page, study="s", pool=pool.fingerprint, metric=metric))
    title = words.plain(study.metric(metric).title)
    assert any(title in metric.label for metric in at.metric)
    assert not any(
        sign in text.value for text in [*at.markdown, *at.caption] for sign in (" $a$", " *b*", "“$a$")
    )
