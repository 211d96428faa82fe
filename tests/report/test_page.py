"""The report's page: its notes, its table of classes, its pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, numerals, report
from sampleval.report import svg
from sampleval.study import JointEstimate, undefined_classes, unlike_means
from tests.pools import binary, calibrated, multiclass, multilabel


def test_the_report_is_one_safe_page() -> None:
    """Whatever a study is called; it runs and loads nothing, so that it may be sent."""
    pool, labels = binary(120)
    study = sv.create_study(pool, metric="f1", budget=40, seed=3, preset="queue", name="toxic & <b>new</b>")
    study.answer(labels, 30)
    page = report.html(study)
    assert "<b>new" not in page
    assert "toxic &amp; &lt;b&gt;new" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert f">{numerals.number(study.estimate().value)}<" in page
    assert f"random seed {study.settings.seed}" in page
    assert len(page) < 50_000


def test_a_note_stands_once_below_the_table_and_by_number_with_each_metric_it_is_about() -> None:
    pool, labels = binary(120)
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", interval="anytime", seed=3)
    for item in study.ask(40):
        study.tell(item.id, sv.SKIP if item.place % 9 == 0 else labels.by_id(pool)[item.id])
    table, _, below = report.html(study).partition("</table>")
    notes = [unescape(line) for line in re.findall("<li>(.*?)</li>", below.partition("</ol>")[0])]
    assert len(notes) == len(set(notes)) == 3
    rows = re.findall(r"<tr><td>([^<]+)(?:<sup>([\d, ]+)</sup>)?</td>", table)
    told = {unescape(title): [notes[int(n) - 1] for n in marks.split(", ")] for title, marks in rows}
    assert told == {
        study.metric(e.metric).title: [
            f"{note[0].upper()}{note[1:]}."
            for note in (e.note.removesuffix(e.interval.note).removesuffix("; "), e.interval.note)
            if note
        ]
        for e in study.estimates()
    }


@pytest.mark.parametrize("make", [multiclass, partial(multiclass, width=9), multilabel])
def test_each_class_has_its_row_with_limits(make: Any) -> None:
    pool, known = make()
    study = sv.create_study(pool, metric="macro_f1", budget=20, preset="queue", seed=1)
    assert "Class by class" not in report.html(study)
    study.answer(known, 20)
    page = unescape(report.html(study, level=0.8))
    section = page.partition("<h2>Class by class</h2>")[2].partition("<h2>")[0]
    rows = frames.classes(study, level=0.8)
    assert len(re.findall("<tr>", section)) == 1 + pool.task.width
    for value, low, high in rows.loc[rows["measure"] == "recall", ["value", "low", "high"]].to_numpy(float):
        assert f">{numerals.number(value)}<" in section
        assert f">{numerals.limits(low, high)}<" in section
    assert ("too few to say much" in section) == rows["few"].any()
    assert "Values and limits by class are about this pool" not in section
    assert "Values and limits by class are about this pool" in unescape(report.html(study, about="future"))


def test_a_report_says_why_a_class_has_no_value() -> None:
    """Results said that no item is predicted as the class; in the report its precision was a dash and no more."""
    frame = pd.DataFrame({"pred": ["a", "b"] * 30, "label": ["a", "b", "c"] * 20})
    pool = sv.Pool.from_frame(frame, classes=["a", "b", "c"], task="multiclass")
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 60)
    rows = frames.classes(study)
    [note] = rows.loc[rows["value"].isna(), "note"].unique()
    assert note
    assert f"“–” for precision: {note}." in unescape(report.html(study))
    full, known = multiclass()
    whole = sv.create_study(full, metric="accuracy", budget=300, preset="uniform", seed=1)
    whole.answer(known, 300)
    assert "“–” for" not in unescape(report.html(whole))


def test_each_reason_why_classes_have_no_value_is_given_with_its_measure() -> None:
    """Of a class that is never predicted and one that never occurs, the recall of the second was a dash and no more."""
    frame = pd.DataFrame({"pred": ["a", "b", "d"] * 20, "label": ["a", "b", "c"] * 20})
    pool = sv.Pool.from_frame(frame, classes=["a", "b", "c", "d"], task="multiclass")
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), 60)
    precision, recall = undefined_classes(frames.classes(study))
    assert re.fullmatch("“–” for precision: .*predicted to be 'c'.", precision)
    assert re.fullmatch("“–” for recall: .*no item was found that is 'd'.", recall)
    assert recall in unescape(report.html(study))


def test_a_report_says_of_the_table_of_classes_that_its_limits_are_of_another_kind() -> None:
    """Results does so above its sections; in the report limits for any look stood beside such as are none."""
    pool, known = multiclass()
    told = ["Limits by class are for this number of labels", "limits by class keep theirs"]
    for own, kind, expected in (
        ("korn-graubard", None, [False, False]),
        ("korn-graubard", "korn-graubard", [False, False]),
        ("korn-graubard", "anytime", [True, False]),
        ("korn-graubard", "normal", [False, True]),
        ("anytime", None, [True, False]),
        ("anytime", "korn-graubard", [False, False]),
    ):
        study = sv.create_study(pool, metric="accuracy", budget=20, preset="uniform", interval=own)
        study.answer(known, 20)
        page = report.html(study, interval=kind)
        assert [said in page for said in told] == expected


def test_what_is_known_exactly_is_said_to_be_so() -> None:
    """The page said "known exactly", and its report "90% interval 0.897 to 0.897"."""
    pool, known = binary()
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", seed=3)
    study.answer(known, 40)
    value = numerals.number(study.estimate().value)
    assert f"<strong>{value}</strong>, known exactly, from 40 answers" in report.html(study)
    assert f"<strong>{value}</strong>, 90% interval " in report.html(study, about="future")


def test_a_report_of_two_classes_has_no_table_of_them() -> None:
    pool, known = binary()
    study = sv.create_study(pool, metric="f1", budget=10, preset="queue", seed=3)
    study.answer(known, 10)
    assert "Class by class" not in report.html(study)


def test_a_macro_precision_unlike_the_mean_of_the_precisions_shown_is_explained() -> None:
    rng = np.random.default_rng(0)
    score = rng.dirichlet([3.0, 1.0, 0.5, 0.3], 100)
    frame = pd.DataFrame(score, columns=list("abcd")).add_prefix("score_")
    right = rng.random(100) < 0.95  # nearly always: what was foreseen of rare classes is far off
    frame["label"] = np.array(list("abcd"))[np.where(right, score.argmax(axis=1), 0)]
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool)
    study = sv.create_study(pool, metric="macro_precision", budget=100, seed=1)
    study.answer(known, 25)
    each, mean = study.curve("class_precision").value, study.estimate("macro_precision").value
    assert abs(each.mean() - mean) > 0.001
    precisions, others = unlike_means(study, frames.classes(study))
    assert "not quite the mean of the precisions shown by class" in precisions
    assert others.startswith(
        "The macro recall and the macro F1 are not the plain mean of the numbers shown by class"
    )
    assert precisions in report.html(study)
    assert others in report.html(study)
    study.answer(known, 100)
    assert unlike_means(study, frames.classes(study)) == []  # all is known, and the two agree
    assert "not quite the mean" not in report.html(study)


def test_a_report_estimates_each_measure_by_class_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note on macro averages estimated all of them anew: a report on 150 labels took 26 s, half of it for that."""
    pool, known = multilabel()
    study = sv.create_study(pool, metric="macro_f1", budget=20, seed=1)
    study.answer(known, 20)
    asked: list[object] = []
    curve = sv.Study.curve

    def counted(self: sv.Study, metric: Any = None, **given: Any) -> JointEstimate:
        asked.append(metric)
        return curve(self, metric, **given)

    monkeypatch.setattr(sv.Study, "curve", counted)
    report.html(study)
    assert "class_f1" in asked
    assert len(asked) == len(set(asked))


def numbers_study(labels: int) -> sv.Study:
    """A study of prices predicted not quite right, so many of them answered."""
    rng = np.random.default_rng(0)
    pred = rng.gamma(2, 1e5, 300)
    frame = pd.DataFrame({"pred": pred, "label": pred * rng.lognormal(0, 0.3, 300)})
    pool = sv.Pool.from_frame(frame, task="regression")
    study = sv.create_study(pool, metric="mae", budget=60, preset="queue", seed=1)
    study.answer(sv.Labels.from_frame(frame, pool), labels)
    return study


def test_how_an_error_of_numbers_settled_is_drawn_on_a_scale_that_holds_it() -> None:
    study = numbers_study(60)
    page = report.html(study)
    picture = page.partition("<h2>How the mean absolute error settled</h2>")[2].partition("</svg>")[0]
    ticks = [float(text.replace(",", "")) for text in re.findall(r'text-anchor="end">([\d,.]+)<', picture)]
    assert len(ticks) == 5
    assert np.ptp(np.diff(ticks)) == 0
    last = study.estimate()
    assert ticks[0] <= last.interval.low < last.interval.high <= ticks[-1]
    assert ticks[-1] - ticks[0] < 20 * last.interval.width
    [band] = re.findall(r'class="band" points="([^"]+)"', picture)
    points = np.array([point.split(",") for point in band.split()], float)
    assert points[:, 1].min() >= 8  # what is off the scale is drawn to its end, and not beyond
    assert points[:, 1].max() <= 230 - 34
    upper, lower = np.split(points, 2)
    assert (upper[:, 0] == lower[::-1, 0]).all()  # there along the upper limits, back along the lower ones
    assert (upper[:, 1] <= lower[::-1, 1]).all()
    below = [int(text) for text in re.findall(r'y="212" text-anchor="middle">(\d+)<', picture)]
    assert below == [0, 20, 40, 60]
    assert (
        min(float(left) for left in re.findall(r'<line class="scale" x1="([\d.]+)"', picture)) >= 55
    )  # room for digits


def test_the_reports_pictures_hold_the_estimate() -> None:
    pool, labels = calibrated()
    study = sv.create_study(pool, metric="f1", budget=60, seed=2, preset="queue")
    study.answer(labels, 50)
    history = study.history("f1", points=5)
    picture = svg.convergence(history, 0.0, 1.0)
    assert picture.count("<polyline") == 1
    whisker = svg.whisker(estimate := replace(study.estimate("f1"), value=0.5))
    assert 'r="4"' in whisker
    ends = [
        svg.PAD + x * (svg.ROW_WIDTH - 2 * svg.PAD) for x in (estimate.interval.low, estimate.interval.high)
    ]
    assert re.findall(r'x1="([\d.]+)" y1="4"', whisker) == [f"{end:.1f}" for end in ends]
    assert 'r="4"' not in svg.whisker(sv.create_study(study.pool, metric="f1", budget=1).estimate())


@pytest.mark.parametrize("chosen", [{"level": 0.5}, {"interval": "beta"}, {"about": "future"}])
def test_the_picture_of_a_report_has_the_limits_of_its_table(chosen: Any) -> None:
    pool, labels = binary(120)
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", seed=3)
    study.answer(labels, 40)
    assert svg.convergence(study.history("f1", **chosen), 0, 1) in report.html(study, **chosen)


def test_a_goal_for_this_pool_is_not_told_beside_estimates_of_future_items() -> None:
    pool, labels = binary()
    study = sv.create_study(pool, metric="f1", budget=40, preset="queue", goal=0.05, seed=3)
    study.answer(labels, 10)
    for about in ("pool", "future"):
        assert ("± 0.05" in report.html(study, about=about)) == (about == "pool")


def test_a_line_has_a_gap_where_an_estimate_is_undefined() -> None:
    study = numbers_study(60)
    history = study.history(points=6)
    history[3] = replace(history[3], value=np.nan)
    values = [each.value for each in history]
    picture = svg.convergence(history, np.nanmin(values), np.nanmax(values))  # whose ends are within it
    lines = re.findall('<polyline class="ink" fill="none" points="([^"]+)"', picture)
    assert [len(line.split()) for line in lines] == [3, len(history) - 4]


def test_a_band_ends_where_all_labels_show_that_the_metric_is_undefined() -> None:
    """Its last corners were at nan, and a browser drew a part of it only."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": ["a", "b"], "score": [0.1, 0.2]}))
    study = sv.create_study(pool, metric="f1", budget=2, preset="queue")
    study.tell_all((item, 0) for item in study.ask(2))
    assert np.isnan(study.estimate().interval.low)
    page = report.html(study)
    assert "nan" not in page
    assert page.count('class="band"') == 1


def test_a_scale_is_no_wider_where_its_limits_are_far_from_0() -> None:
    def far(estimate: sv.Estimate, off: float) -> sv.Estimate:
        limits = estimate.interval
        moved = replace(limits, low=limits.low + off, high=limits.high + off)
        return replace(estimate, value=estimate.value + off, interval=moved)

    history = numbers_study(60).history(points=6)
    widths = [np.ptp(svg.round_ends([far(estimate, off) for estimate in history])) for off in (0.0, 1e9)]
    assert widths[0] == widths[1]


def test_one_answer_of_numbers_has_no_picture() -> None:
    assert "settled</h2>" not in report.html(numbers_study(1))
    assert "settled</h2>" in report.html(numbers_study(2))


def test_how_a_total_over_a_part_without_items_settled_is_not_drawn() -> None:
    pool, truth = binary()
    nobody = sv.metrics.within(sv.metrics.METRICS["positives"], np.zeros(pool.size, bool), "no city")
    study = sv.create_study(pool, metric=nobody, budget=5, preset="uniform")
    study.answer(truth, 5)
    assert "settled</h2>" not in report.html(study)


def test_what_a_system_is_called_is_escaped_wherever_it_stands() -> None:
    """Beside the estimate's picture, too, whose words for screen readers name the metric and with it the system."""
    name = 'a"><b>new</b>'
    frame = pd.DataFrame({"score": np.linspace(0.05, 0.95, 20), "other": np.linspace(0.95, 0.05, 20)})
    pool = sv.Pool.from_frame(frame, system={name: {"score": "score"}, "old": {"score": "other"}})
    study = sv.create_study(pool, metric=f"f1[{name}]", budget=10, preset="queue")
    for item in study.ask(10):
        study.tell(item, int(item.id) > 9)
    page = report.html(study)
    assert "<b>" not in page
    assert 'aria-label="f1[a&quot;&gt;&lt;b&gt;new' in page


def test_names_read_from_the_right_turn_nothing_around_them() -> None:
    said = ["جيد!", "سيئ", "سيئ", "وسط"] * 5
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": said}))
    study = sv.create_study(pool, metric="accuracy", budget=10, preset="uniform", name="تقييم (1)")
    for item in study.ask(10):
        study.tell(item, said[int(item.id)])
    page = report.html(study)
    assert "<h1><bdi>تقييم (1)</bdi></h1>" in page
    assert "<td><bdi>جيد!</bdi></td>" in page


def test_the_style_reaches_nothing_around_the_report() -> None:
    """Shown in a notebook with IPython's `HTML`, it took the widths of tables and the colours of icons everywhere."""
    pool, _ = binary(20)
    page = report.html(sv.create_study(pool, metric="f1", budget=5))
    style = page.partition("<style>")[2].partition("</style>")[0]
    selectors = re.findall(r"(?<=[{};])\s*([^{};@]+?)\s*{", f";{style}")
    assert len(selectors) > 20
    assert {each for each in selectors if not each.startswith(".report")} == {"body:has(> .report)"}
    assert '<body><main class="report">' in page
