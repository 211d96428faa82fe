"""The Learn page without a browser: every lesson opens, every control changes its picture, every term is explained."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import pandas as pd
import plotly.graph_objects as go
from streamlit.testing.v1 import AppTest

from sampleval import plots
from sampleval.simulation import lessons
from sampleval.ui import charts, words
from sampleval.ui.lessons import LESSONS, TERMS, anchor, linked
from tests.app.steps import pictures
from tests.apps import fine, start

pytestmark = pytest.mark.usefixtures("folder")


def app(lesson: str, **query: str) -> AppTest:
    return fine(start("Learn", lesson=lesson, **query))


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_opens_with_its_picture_and_its_question(name: str) -> None:
    at = app(name)
    said = "\n".join(m.value for m in at.markdown)
    assert pictures(at)
    assert LESSONS[name].question in said
    assert [latex.value for latex in at.latex]
    assert len(at.metric) == {"rare": 2, "water": 2, "belief": 1}.get(name, 0)


def test_every_lesson_can_be_taken_along_as_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a path, which a teacher in a browser cannot open."""
    taken: dict[str, Any] = {}

    def take(_label: str, make: Any, *, file_name: str, **_more: object) -> None:
        taken[file_name] = make

    monkeypatch.setattr("streamlit.download_button", take)
    for name in LESSONS:
        app(name)
    for lesson in LESSONS.values():
        assert json.loads(taken[lesson.notebook]())["cells"]


CONTROLS: dict[str, dict[str, Any]] = {
    "rare": {"rare_prevalence": 0.1, "rare_labels": 500},
    "weights": {"lean": 3.0, "lean_draws": 500},
    "water": {"water_labels": 50, "water_sharp": 4.0},
    "belief": {"belief_labels": 1000, "belief_kind": "tree", "belief_slope": 0.4},
    "promise": {
        "promise_family": "korn-graubard",
        "promise_truth": 0.98,
        "promise_labels": 10,
        "promise_level": 0.5,
        "promise_seed": 3,
    },
}


def controls(at: AppTest) -> dict[str, Any]:
    """The controls of the lesson that can be used now, by their keys."""
    widgets = [*at.slider, *at.select_slider, *at.segmented_control, *at.number_input]
    return {str(widget.key): widget for widget in widgets if widget.key != "lesson" and not widget.disabled}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_control_changes_the_picture_and_the_address(lesson: str) -> None:
    at = app(lesson)
    first = pictures(at)
    assert controls(at).keys() == CONTROLS[lesson].keys()
    for key, value in CONTROLS[lesson].items():
        before = pictures(at)
        controls(at)[key].set_value(value).run()
        assert pictures(fine(at)) != before, key
    chosen = {key: str(value) for key, value in CONTROLS[lesson].items()}
    assert pictures(app(lesson, **chosen)) == pictures(at)
    assert pictures(app(lesson, **dict.fromkeys(chosen, "nothing known"))) == first


def test_every_control_of_the_promise_changes_what_peeking_does_too() -> None:
    at = app("promise")
    before = pictures(at)[1]
    [at_m] = [mark for mark in json.loads(before)["layout"]["annotations"] if mark["text"].startswith("M = ")]
    assert at_m["text"] == f"M = {at_m['x']}"
    for key, value in CONTROLS["promise"].items():
        changed = app("promise", **{key: str(value)})
        assert pictures(changed)[1] != before, key
    said = [m.value for m in app("promise", promise_family="beta").markdown]
    assert any("the same kind of interval: Beta" in text for text in said)


def test_the_address_holds_the_lesson_by_its_key_and_a_room_sees_larger_type() -> None:
    at = fine(start("Learn", lesson="water"))
    assert LESSONS["water"].question in "\n".join(m.value for m in at.markdown)
    made = lessons.toy(size=60, prevalence=0.2, sharp=2.0)
    certain = (lessons.filled(made, budget=35)["inclusion"] >= 1).sum()
    assert [m.value for m in at.metric] == [f"{certain} of 60", f"M = {words.number(lessons.onset(made))}"]
    explained = re.findall('id="(term-[a-z0-9-]+)"', "".join(html.proto.body for html in at.get("html")))
    assert explained == [anchor(term) for term in TERMS]
    small = json.loads(pictures(at)[0])["layout"]
    fine(at.segmented_control(key="lesson").set_value("belief").run())
    assert at.query_params["lesson"] == "belief"
    groups = lessons.believed(
        lessons.toy(prevalence=0.3, slope=2.5), labels=100, kind="strata", shrinkage=0.9
    )
    off = (groups["believed"] - groups["true"]).abs().mean()
    [tile] = at.metric
    assert tile.value == words.number(off)
    # A mean without it was all there was.
    assert re.fullmatch(r"0\.\d+ ± 0\.\d+ in 40 such samples", tile.delta)
    fine(at.segmented_control(key="belief_kind").set_value("scores").run())
    assert not at.metric[0].delta
    assert "It does not depend on which labels are drawn." in [c.value for c in at.caption]
    fine(at.segmented_control(key="lesson").set_value("water").run())
    fine(at.toggle(key="present").set_value(True).run())
    large = json.loads(pictures(at)[0])["layout"]
    assert large["height"] > 1.2 * small["height"]
    assert large["title"]["font"]["size"] > 1.2 * small["title"]["font"]["size"]


def test_simulated_shares_and_errors_say_how_far_the_samples_can_tell() -> None:
    said = [c.value for c in app("promise").caption]
    assert any(re.search(r"100 studies tell the coverage no better than \d+% to \d+%", text) for text in said)
    assert "Shaded: 95% bands from 300 studies." in said
    assert "Shaded: 95% bands from 400 samples." in [c.value for c in app("weights").caption]


@pytest.mark.parametrize(("present", "letters"), [("false", 36), ("true", 28)])
def test_titles_break_into_lines_that_a_telephone_shows_in_full(present: str, letters: int) -> None:
    at = app("promise", present=present)
    layout = json.loads(pictures(at)[0])["layout"]
    lines = layout["title"]["text"].split("<br>")
    assert len(lines) == 2
    assert max(map(len, lines)) <= letters
    assert layout["margin"]["t"] > 44 + layout["title"]["font"]["size"]


def test_names_of_axes_keep_their_distance_from_larger_numbers() -> None:
    small, large = (json.loads(pictures(app("promise", present=p))[0])["layout"] for p in ("false", "true"))
    for axis in ("xaxis", "yaxis"):
        assert large[axis]["title"]["standoff"] > 1.2 * small[axis]["title"]["standoff"]


def test_names_of_axes_break_and_amounts_stay_apart_in_larger_type() -> None:
    figure = plots.sorted_inclusion(pd.DataFrame({"design": ["poisson"], "rank": [1], "inclusion": [0.5]}))
    name = charts.enlarged(figure).layout.xaxis.title.text
    assert name == "items, most informative<br>first (log\N{NO-BREAK SPACE}scale)"
    figure = go.Figure().update_xaxes(tickvals=[1], ticktext=["10<br>€ 5"])
    assert charts.enlarged(figure).layout.xaxis.tickfont.size < charts.enlarged(figure).layout.font.size


def test_names_of_marks_grow_with_the_other_words() -> None:
    figure = go.Figure().add_annotation(text="M = 300", font={"size": 12}).add_annotation(text="no size told")
    assert [words.font.size for words in charts.enlarged(figure).layout.annotations] == [16, 16]


def test_every_term_that_a_lesson_links_to_is_explained() -> None:
    for lesson in LESSONS.values():
        text = linked(lesson.text)
        assert "[[" not in text
        anchors = re.findall(r"\(#(term-[a-z0-9-]+)\)", text)
        assert anchors
        assert set(anchors) <= {anchor(term) for term in TERMS}
    with pytest.raises(KeyError):
        linked("[[no such term]]")


@pytest.mark.parametrize(("kind", "key"), [("strata", "belief_trust"), ("scores", "belief_labels")])
def test_what_a_belief_does_not_use_is_greyed_with_the_reason(kind: str, key: str) -> None:
    at = fine(start("Learn", lesson="belief", belief_kind=kind))
    grey = next(widget for widget in [*at.slider, *at.select_slider] if widget.key == key)
    assert grey.disabled
    assert "hrunk" in grey.help


def test_shrunk_scores_are_drawn_as_far_as_they_are_trusted() -> None:
    drawn = [pictures(app("belief", belief_kind="scores", belief_trust=trust)) for trust in ("0.2", "0.8")]
    assert drawn[0] != drawn[1]


def test_with_a_label_for_each_item_all_are_certain() -> None:
    assert app("water", water_labels="60").metric[0].value == "60 of 60"


def test_the_positives_found_stand_under_the_design_that_found_them() -> None:
    """Each with what 400 samples can tell: "15% of samples find none" is 12% to 19%."""
    tiles = {metric.label: metric for metric in app("rare").metric}
    found = {label: float(tile.value.partition(" ± ")[0]) for label, tile in tiles.items()}
    for tile in tiles.values():
        assert 0 < float(tile.value.partition(" ± ")[2]) < 0.5
        share, low, high = (float(each) for each in re.findall(r"([\d.]+)%", tile.delta))
        assert low <= share <= high < low + 8
    assert found["Positives found, uniform"] == pytest.approx(2, abs=0.3)  # 2% of 100 labels
    assert found["Positives found, Bernoulli"] > 5
