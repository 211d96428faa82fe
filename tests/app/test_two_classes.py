"""The app without a browser: every page opens, every control has an effect, every bad file is refused in words."""

from __future__ import annotations

import gzip
import io
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox

import sampleval as sv
from sampleval import offline
from sampleval.designs import DESIGNS
from sampleval.planning import advise_shrinkage
from sampleval.planning.sentences import suggestion
from sampleval.pool import Task
from sampleval.presets import PRESETS
from sampleval.report import methods
from sampleval.ui import stores, words
from sampleval.ui.contents import PAGES
from sampleval.ui.data import looks, sources
from sampleval.ui.data.demos import DEMOS
from sampleval.ui.labelling import desk
from sampleval.ui.plan import links, planner, presses
from tests.apps import fine, start, told, unbroken
from tests.places import ROOT
from tests.pools import binary

pytestmark = pytest.mark.usefixtures("folder")


def said(at: AppTest) -> str:
    """All words, numbers and charts on the page."""
    parts = [e.value for e in [*at.markdown, *at.caption, *at.error, *at.warning, *at.info]]
    parts += [f"{m.label} {m.value}" for m in at.metric]
    parts += [chart.proto.spec for chart in at.get("plotly_chart")]
    return "\n".join(parts)


def planned(at: AppTest | None = None) -> AppTest:
    """The Plan page for the data that this Data page has chosen."""
    at = unbroken((at or start("Data")).button(key="plan").click().run())
    return start("Plan", pool=told(at, "pool"))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_and_begins_with_its_question(name: str) -> None:
    at = start(name)
    assert at.title[0].value == PAGES[name].question
    assert not at.error


@pytest.mark.parametrize(
    ("ending", "before", "places"),
    [(".csv", "", ("in line 5", "in line 3")), (".csv", "sep=,\n", ("in line 6", "in line 4")),
     (".parquet", "", ("at row 3", "at row 1"))],
)  # fmt: skip
def test_what_is_refused_in_a_table_is_told_by_its_line(
    folder: Path, ending: str, before: str, places: tuple[str, str]
) -> None:
    """With rows counted from 0, people looked two lines above the one to correct."""
    table = pd.DataFrame({"id": ["a", "b", "c", "b"], "score": [0.1, 0.2, 0.3, 0.4]})
    path = folder / f"twice{ending}"
    table.to_parquet(path) if ending == ".parquet" else path.write_text(before + table.to_csv(index=False))
    at = start("Data", source="server", server_path=str(path))
    for place in places:
        assert re.search(rf"\b{place}\b", at.error[0].value), at.error[0].value


def test_an_empty_cell_that_is_refused_is_not_called_nan(folder: Path) -> None:
    path = folder / "gap.csv"
    path.write_text("id,score\na,0.1\nb,\nc,0.3\n")
    at = start("Data", source="server", server_path=str(path))
    assert at.error[0].value.startswith("`score` must not be missing; see line 3")


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_understood(name: str) -> None:
    at = unbroken(start("Data").radio(key="demo").set_value(name).run())
    frame = pd.read_parquet(ROOT / "demo_data" / DEMOS[name].file)
    assert {m.label: m.value for m in at.metric}["Items"] == f"{len(frame):,}"
    assert not at.error
    assert "Known labels" in said(at)


def test_two_clicks_lead_to_the_first_label() -> None:
    at = start("Data")
    at.button(key="sensible").click().run()
    unbroken(at)
    (record,) = stores.storage().studies()
    assert at.title[0].value == PAGES["Label"].question
    assert (told(at, "study"), told(at, "pool")) == (record.name, record.pool)
    study = sv.load_study(record.name, stores.storage())
    assert (study.budget, list(study.settings.metrics)) == (300, ["f1"])
    assert study.pool.task.classes == ("not an 8", "an 8")
    assert stores.storage().load_labels(study.pool) is not None


@pytest.mark.parametrize("linked", [True, False])
def test_large_type_goes_along_when_a_button_leads_to_another_page(linked: bool) -> None:
    at = start("Data", **({"present": "true"} if linked else {}))
    if not linked:
        fine(at.toggle(key="present").set_value(True).run())
    fine(at.button(key="sensible").click().run())
    assert told(at, "study")
    assert at.toggle(key="present").value
    assert told(at, "present") == "true"


@pytest.mark.parametrize(("apart", "studies"), [(presses.DOUBLE, 1), (-1.0, 2)])
def test_a_double_click_begins_one_study(apart: float, studies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second click starts a run while that of the first still goes on, and this run had begun a second study."""
    pool, _ = binary()
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(presses, "DOUBLE", apart)
    on_the_way = Event()

    def begin() -> sv.study.Study:
        on_the_way.set()
        time.sleep(0.1)
        return planner.begin_sensibly(pool, "items")

    def press() -> str:
        return presses.once(pool.fingerprint, begin)

    with ThreadPoolExecutor() as threads:
        first = threads.submit(press)
        assert on_the_way.wait(10)
        second = threads.submit(press)
        led = {first.result(), second.result()}
    assert led == {record.name for record in stores.storage().studies()}
    assert len(led) == studies


@pytest.mark.parametrize(("name", "key"), [("Data", "sensible"), ("Plan", "create")])
def test_sensible_settings_begin_one_study_whichever_page_they_are_pressed_on(name: str, key: str) -> None:
    pool = told(start("Data").button(key="plan").click().run(), "pool")
    at = start(name, pool=pool)
    for _ in range(2):
        at.switch_page(PAGES[name].file).run()
        at.button(key=key).click().run()
    (record,) = stores.storage().studies()
    assert told(at, "study") == record.name


@pytest.mark.parametrize(
    ("name", "axis"), [("ten-digits", "share right"), ("digits", "share truly positive")]
)
def test_what_a_score_is_the_probability_of_stands_at_the_axis(name: str, axis: str) -> None:
    assert axis in said(unbroken(start("Data").radio(key="demo").set_value(name).run()))


def test_the_last_link_of_the_data_page_keeps_the_data_too() -> None:
    at = unbroken(start("Data").button(key="next").click().run())
    assert "First choose" not in said(start("Plan", pool=told(at, "pool")))


def test_the_second_study_of_a_demo_gets_a_name_of_its_own() -> None:
    for _ in range(2):
        start("Data").button(key="sensible").click().run()
    assert {record.name for record in stores.storage().studies()} == {"digits", "digits-2"}


CHANGES: dict[str, Callable[[AppTest], Any]] = {
    "metric": lambda at: at.selectbox(key="metric").set_value("recall"),
    "labels": lambda at: at.select_slider(key="labels").set_value(500),
    "trust": lambda at: at.slider(key="trust").set_value(0.5),
    "even": lambda at: at.slider(key="even").set_value(0.3),
    "toward": lambda at: at.segmented_control(key="toward").set_value("half"),
    "level": lambda at: at.select_slider(key="level").set_value(0.5),
    "shown": lambda at: at.segmented_control(key="shown").set_value("error"),
    "within": lambda at: at.number_input(key="within_f1").set_value(0.1),
    "price": lambda at: at.number_input(key="price").set_value(3.0),
    "seconds": lambda at: at.number_input(key="seconds").set_value(90.0),
    "currency": lambda at: at.text_input(key="currency").set_value("CHF"),
}


def queued() -> AppTest:
    """The Plan page with the queue chosen, which has λ and δ."""
    at = planned()
    return unbroken(at.selectbox(key="method").set_value("queue").run())


@pytest.mark.parametrize("control", CHANGES)
def test_every_control_of_the_plan_changes_what_it_says(control: str) -> None:
    at = queued()
    before = said(at)
    unbroken(CHANGES[control](at).run())
    assert said(at) != before


@pytest.mark.parametrize("recipe", planner.recipes("binary"))
def test_every_design_and_preset_can_be_planned_and_begun(recipe: str) -> None:
    at = planned()
    unbroken(at.selectbox(key="method").set_value(recipe).run())
    design = planner.recipes("binary")[recipe].design
    assert design.about in said(at) or sv.presets[recipe].about in said(at)
    [asked] = [c.proto.spec for c in at.get("plotly_chart") if "Who gets asked" in c.proto.spec]
    title = sv.presets[recipe].title if recipe in sv.presets else design.title
    assert f'"name":"{title}"' in asked
    assert f"Thick line: {title}, the chosen design" in said(at)
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(told(at, "study"), stores.storage())
    assert study.method == planner.recipes("binary")[recipe]
    assert study.ask(1)


@pytest.mark.parametrize("name", [name for name in DEMOS if name not in ("digits", "linkage")])
def test_the_recommended_method_comes_with_its_own_settings_for_every_kind_of_label(name: str) -> None:
    at = planned(unbroken(start("Data").radio(key="demo").set_value(name).run()))
    for recipe in ("queue", "recommended"):
        unbroken(at.selectbox(key="method").set_value(recipe).run())
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(told(at, "study"), stores.storage())
    assert study.method == sv.presets["recommended"].method_for(study.pool.task.kind)
    assert len(study.ask(3)) == 3


@pytest.mark.parametrize("recipe", ["yilmaz-is", "oasis"])
def test_the_tile_and_the_sentence_have_the_same_number_of_labels(recipe: str) -> None:
    at = planned()
    at.select_slider(key="labels").set_value(500)
    unbroken(at.selectbox(key="method").set_value(recipe).run())
    assert {m.label: m.value for m in at.metric}["Labels (M)"] == "500"
    assert "With **500 labels**" in said(at)


def test_a_random_number_of_labels_says_what_its_plus_minus_is() -> None:
    """ "± is half the width of an interval" stands below it, which this one is not."""
    at = planned()
    tiles = {m.label: m for m in unbroken(at.selectbox(key="method").set_value("yilmaz-bs").run()).metric}
    assert " ± " in tiles["Labels (M)"].value
    assert "standard deviation" in tiles["Labels (M)"].help
    at.selectbox(key="method").set_value("queue")
    assert not {m.label: m for m in unbroken(at.run()).metric}["Labels (M)"].help


def test_every_design_can_be_chosen() -> None:
    assert {method.design.key for method in planner.recipes("binary").values()} == set(DESIGNS)


def test_settings_reach_the_study() -> None:
    at = queued()
    for control in ("metric", "labels", "trust", "even", "toward", "level"):
        CHANGES[control](at).run()
    at.number_input(key="within_recall").set_value(0.08).run()
    at.toggle(key="aim").set_value(True).run()
    at.number_input(key="seed").set_value(11).run()
    at.text_input[0].set_value("my *own* <b>name</b>")
    unbroken(at.button(key="create").click().run())
    study = sv.load_study("my *own* <b>name</b>", stores.storage())
    settings = study.settings
    assert (settings.budget, settings.seed, settings.level) == (500, 11, 0.5)
    assert study.goal == 0.08
    assert list(settings.metrics) == ["recall"]
    assert study.method.surrogate == sv.Shrunk(0.5, "half")
    assert study.method.design == DESIGNS["priority"](defensive=0.3)  # type: ignore[call-arg]


def test_what_a_goal_takes_can_be_set_with_one_press() -> None:
    at = queued()
    needed = sv.budget_for(stores.pool(told(at, "pool")), metric="f1", width=0.1, preset="queue")
    assert f"**{needed.likely:,.0f} labels**" in said(at)
    assert re.search(r"\*\*± 0\.\d+\*\* \(0\.\d+ to 0\.\d+, depending on how the labels turn out\)", said(at))
    for name, labels in (("likely", needed.likely), ("at worst", needed.high)):
        allow = at.button(key=f"allow_{name}")
        assert allow.label == f"Set to {labels:,.0f} labels ({name})"
        unbroken(allow.click().run())
        assert at.select_slider(key="labels").value == labels
        assert told(at, "labels") == f"{labels:.0f}"
    unbroken(at.select_slider(key="labels").set_value(500).run())
    assert at.select_slider(key="labels").value == 500


def test_the_nearness_asked_for_stays_when_m_moves() -> None:
    """± 3 items had been replaced by what other budgets reach, and so had a goal set on the proposed ± x."""
    key = "within_missed_positives"
    at = queued()
    unbroken(at.selectbox(key="metric").set_value("missed_positives").run())
    first = at.number_input(key=key).value
    assert key not in at.query_params
    unbroken(at.toggle(key="aim").set_value(True).run())
    assert float(told(at, key)) == first
    unbroken(at.select_slider(key="labels").set_value(20).run())
    assert at.number_input(key=key).value == first
    unbroken(at.number_input(key=key).set_value(0.25).run())
    unbroken(at.select_slider(key="labels").set_value(2).run())
    assert at.number_input(key=key).value == float(told(at, key)) == 0.25


def test_an_emptied_goal_keeps_the_last_value() -> None:
    """The browser sends the smallest number, 1e-9, and the page told how many labels ± 1e−09 takes."""
    at = planned()
    goal = at.number_input(key="within_f1")
    at = unbroken(goal.set_value(planner.NEAREST).run())
    assert at.number_input(key="within_f1").value == 0.05
    at.number_input(key="within_f1").set_value(0.08).run()
    unbroken(at.number_input(key="within_f1").set_value(planner.NEAREST).run())
    assert at.number_input(key="within_f1").value == float(told(at, "within_f1")) == 0.08


@pytest.mark.parametrize("asked", ["0", "-1", "nan", "inf", "1e999", "0.6", "near"])
def test_an_address_with_an_unusable_precision_asks_for_the_usual_one(asked: str) -> None:
    pool = told(planned(), "pool")
    at = start("Plan", pool=pool, within_f1=asked)
    assert at.number_input(key="within_f1").value == 0.05


def test_a_suggested_trust_is_taken_with_one_press() -> None:
    at = planned()
    unbroken(at.selectbox(key="method").set_value("yilmaz-bs").run())
    pool = stores.pool(told(at, "pool"))
    found = advise_shrinkage(pool, metric="f1", budget=300, preset="yilmaz-bs")
    assert suggestion(found) in said(at).replace("\\", "")
    unbroken(at.button(key="suggest").click().run())
    assert at.slider(key="trust").value == found.shrinkage != 0.9
    assert not [button for button in at.button if button.key == "suggest"]
    assert suggestion(found) in said(at).replace("\\", "")
    unbroken(at.selectbox(key="method").set_value("recommended").run())
    assert "suits these scores" not in said(at)


def test_lambda_and_delta_are_greyed_with_their_reasons_where_a_design_has_none() -> None:
    at = planned()
    at.selectbox(key="method").set_value("uniform").run()
    even, trust = at.slider(key="even"), at.slider(key="trust")
    assert even.disabled
    assert "Not for this design" in even.help
    assert trust.disabled
    assert "which items it asks does not depend on" in trust.help
    assert "suits these scores" not in said(at)


PARTLY = pd.DataFrame({"score": np.linspace(0, 1, 60), "text": range(60), "label": [*"011"] * 10 + [""] * 30})


def partly() -> AppTest:
    """The Data page of a table with a label for half of its items."""
    return upload("partly.csv", PARTLY.to_csv(index=False).encode())


def begun(at: AppTest, button: str) -> sv.study.Study:
    """The study that a press on this button makes."""
    unbroken(at.button(key=button).click().run())
    assert not at.error
    return sv.load_study(told(at, "study"), stores.storage())


def answered(study: sv.study.Study) -> set[int]:
    """The items that a study asks until its budget is used up."""
    asked = set()
    while items := study.ask(60):
        for item in items:
            study.tell(item, 1)
            asked.add(int(item.id))
    return asked


def test_labels_that_a_table_has_for_some_items_count_and_are_not_asked_again() -> None:
    at = partly()
    assert {m.label: m.value for m in at.metric}["Known labels"] == "30"
    assert "need not be a random sample" in said(at)
    sensible = begun(partly(), "sensible")
    at = planned(at)
    assert at.toggle(key="count_known").value
    assert "need not be a random sample" in said(at)
    pool = sensible.pool
    planned_for = sv.plan(pool, metric="f1", budget=30, held=sensible.known_labels())
    assert planned_for.asked == 30
    assert f"With **{planned_for.asked} labels**" in said(at)
    for study in (sensible, begun(at, "create")):
        assert study.known_labels() == {str(k): str([0, 1, 1][k % 3]) for k in range(30)}
        assert study.budget == 30
        assert answered(study) == set(range(30, 60))


def test_labels_that_a_table_has_for_some_items_may_be_left_out() -> None:
    at = planned(partly())
    unbroken(at.toggle(key="count_known").set_value(False).run())
    assert "need not be a random sample" not in said(at)
    study = begun(at, "create")
    assert (study.known_labels(), study.budget) == ({}, 60)
    again = start("Plan", **links.in_url(study), pool=study.pool.fingerprint)
    assert not again.toggle(key="count_known").value


def test_a_value_that_the_known_labels_tell_is_shown_and_its_study_can_be_begun() -> None:
    """The plan only refused: whoever had the labels of all predicted positives was not told the precision."""
    scores = np.linspace(0.02, 0.98, 40)
    labels = [int(k % 4 > 0) if score >= 0.5 else "" for k, score in enumerate(scores)]
    frame = pd.DataFrame({"id": range(40), "score": scores, "label": labels})
    at = planned(upload("t.csv", frame.to_csv(index=False).encode()))
    at = unbroken(at.selectbox(key="metric").set_value("precision").run())
    right = np.mean([label for label in labels if label != ""])
    assert f"tell the precision exactly\\: {right:.3f}. Nothing is left to ask." in at.success[0].value
    assert not at.warning
    assert begun(at, "create").estimate().value == pytest.approx(right)
    for method in ("uniform", "stratified", "marchant-is", "oasis"):  # they ask what does not matter, too
        other = start("Plan", pool=told(at, "pool"), metric="precision", method=method)
        assert f"exactly\\: {right:.3f}. This method asks other items all the same" in other.success[0].value
        assert "one for every item" not in said(other)


def test_no_more_labels_can_be_afforded_than_items_are_left() -> None:
    """The slider went to the whole pool, and its end, like any number beyond what was left, meant less than it said."""
    at = planned(partly())
    left = len(PARTLY) // 2
    budget = at.select_slider(key="labels")
    assert (budget.options[-1], budget.value) == (str(left), left)
    pool = told(at, "pool")
    at = fine(start("Plan", pool=pool, labels=str(left + 1)))
    assert at.select_slider(key="labels").value == left
    assert not at.warning
    unbroken(at.toggle(key="count_known").set_value(False).run())
    assert int(at.select_slider(key="labels").options[-1]) > left


def test_known_labels_may_be_told_to_be_a_random_sample_where_the_method_learns_from_it() -> None:
    at = planned(partly())
    study = begun(unbroken(at.toggle(key="known_random").set_value(True).run()), "create")
    assert study.settings.held_random
    assert "chosen by chance, so that they also inform about similar items" in methods(
        study, study.estimate()
    )
    again = start("Plan", **links.in_url(study), pool=study.pool.fingerprint)
    assert again.toggle(key="known_random").value
    queue = start("Plan", method="queue", pool=study.pool.fingerprint)
    assert "known_random" not in [toggle.key for toggle in queue.toggle]


def test_where_all_labels_are_known_there_is_nothing_to_count() -> None:
    at = start("Data")
    assert "need not be a random sample" not in said(at)
    assert not [toggle for toggle in planned(at).toggle if toggle.key == "count_known"]


def test_nothing_is_begun_where_every_item_has_its_label() -> None:
    at = partly()
    study = begun(at, "sensible")
    answered(study)
    at = start("Plan", pool=study.pool.fingerprint)
    at.selectbox(key="held").set_value(study.name).run()
    unbroken(at)
    assert "nothing to ask" in at.error[0].value
    assert "create" not in [button.key for button in at.button]
    assert len(stores.storage().studies()) == 1


def beside_an_earlier_one() -> tuple[sv.study.Study, AppTest]:
    """A study with five labels, and the Plan page of its pool."""
    start("Data").button(key="sensible").click().run()
    earlier = sv.load_study("digits", stores.storage())
    for item in earlier.ask(5):
        earlier.tell(item.id, 0)
    return earlier, start("Plan", pool=earlier.pool.fingerprint)


def test_labels_of_another_study_can_be_taken_over() -> None:
    earlier, plan = beside_an_earlier_one()
    plan.selectbox(key="held").set_value("digits").run()
    plan_before = said(plan)
    unbroken(plan.button(key="create").click().run())
    study = sv.load_study(told(plan, "study"), stores.storage())
    assert set(study.known_labels()) == set(earlier.known_labels())
    assert study.settings.held_random
    planned_for = sv.plan(study.pool, metric="f1", budget=300, held=earlier.known_labels(), held_random=True)
    half = words.number(planned_for.expected_width / 2)
    assert f"**± {half}**" in plan_before


def test_what_is_left_to_draw_from_counts_the_labels_taken_over() -> None:
    """The number had stayed as without held labels, or had not been shown at all."""
    earlier, plan = beside_an_earlier_one()
    assert "Known labels" not in said(plan)
    plan.selectbox(key="held").set_value("digits").run()
    assert words.held(5, earlier.pool.size) in said(plan)


def test_a_belief_without_doubt_promises_nothing() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [1, 0, 0, 0] * 50}))
    stores.storage().save_pool(pool)
    at = fine(start("Plan", pool=pool.fingerprint, method="marchant-is", labels="20"))
    assert "It cannot be predicted how close **20 labels** will come to the F1 score" in said(at)
    assert [metric.value for metric in at.metric] == ["20", "–", "0"]
    assert not any(word in said(at) for word in ("exactly", "too small", "± 0.000"))


@pytest.mark.parametrize("method", ["recommended", "uniform", "queue"])
def test_the_whole_pool_is_promised_exactly_in_every_place(method: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0.01, 0.99, 200)})
    stores.storage().save_pool(pool := sv.Pool.from_frame(frame))
    at = fine(start("Plan", pool=pool.fingerprint, method=method, labels="200"))
    assert "the F1 score will be known exactly" in said(at)
    assert at.metric[1].value == "exact"
    told_beside = [caption.value for caption in at.caption if caption.value.startswith("Enough ")]
    assert told_beside == ["Enough to know the F1 score exactly."]
    assert "suits these scores" not in said(at)


def test_a_name_that_is_taken_is_refused_in_words() -> None:
    at = planned()
    at.text_input[0].set_value("twice")
    at.button(key="create").click().run()
    at = planned()
    at.text_input[0].set_value("twice")
    unbroken(at.button(key="create").click().run())
    assert "twice" in at.error[0].value
    assert "choose another" in at.error[0].value


@pytest.mark.parametrize("pool", ["0" * 64, "../../etc/passwd", "x"])
def test_a_link_to_a_pool_that_is_not_there_says_so(pool: str) -> None:
    at = start("Plan", pool=pool)
    assert "pool" in at.error[0].value


def test_plan_and_label_without_data_say_what_to_do_first() -> None:
    assert "First choose" in said(start("Plan"))


@pytest.mark.parametrize("earlier", [False, True], ids=["none at hand", "others at hand"])
def test_the_link_to_plan_takes_along_what_the_data_page_shows(earlier: bool) -> None:
    """It led to the data chosen before, with nothing on the page to tell, or said to choose some first."""
    at = start("Data", demo="digits")
    if earlier:
        at = unbroken(at.button(key="plan").click().run())
        at = unbroken(at.switch_page(PAGES["Data"].file).run())
        before = told(at, "pool")
        at.segmented_control(key="source").set_value("demo").run()
    at = unbroken(at.radio(key="demo").set_value("diabetes").run())
    at.query_params.clear()  # as a link does
    at = fine(at.switch_page(PAGES["Plan"].file).run())
    assert stores.pool(told(at, "pool")).task.kind == "regression"
    if earlier:
        at.query_params["pool"] = before  # by the browser's Back, or from the list of studies
        assert stores.pool(told(fine(at.run()), "pool")).task.kind == "binary"


GOOD = "id,score,label,text\n" + "\n".join(f"{k},{k / 20},{k % 2},item {k}" for k in range(20))


def upload(name: str, content: bytes) -> AppTest:
    at = unbroken(start("Data").segmented_control(key="source").set_value("upload").run())
    at.file_uploader[0].set_value((name, content, "text/csv"))
    return unbroken(at.run())


def test_what_annotators_see_is_asked_once_the_model_s_columns_are_known() -> None:
    """Score columns that were not recognised had been chosen to be shown."""
    rows = "\n".join(f"0.{k},0.{9 - k},0.1,text {k}" for k in range(1, 9))
    at = upload("animals.csv", f"cat,dog,bird,comment\n{rows}\n".encode())
    asked = "Shown while labelling"
    assert asked not in [box.label for box in at.multiselect]
    fine(box(at, "What is predicted?").set_value("multiclass").run())
    assert asked not in [box.label for box in at.multiselect]
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    fine(scores.set_value(["cat", "dog", "bird"]).run())
    assert fields(at) == ["comment"]


def box(at: AppTest, begins: str) -> Selectbox[Any]:
    """The select box whose label begins so."""
    return next(box for box in at.selectbox if box.label.startswith(begins))


def fields(at: AppTest) -> list[str]:
    """What is shown while labelling."""
    return list(next(box for box in at.multiselect if box.label.startswith("Shown")).value)


def test_an_upload_is_kept_on_disk_by_its_content_and_let_go_of(folder: Path) -> None:
    at = upload("my data.csv", GOOD.encode())
    (kept,) = (folder / "uploads").iterdir()
    assert kept.read_text() == GOOD
    assert at.file_uploader[0].value is None
    assert {m.label: m.value for m in at.metric}["Items"] == "20"
    assert "Labels (M) 20" in said(planned(at))


def test_an_upload_that_cannot_be_kept_is_said_so(folder: Path) -> None:
    (folder / "uploads").write_text("in the way")
    at = unbroken(start("Data", source="upload"))
    at.file_uploader[0].set_value(("t.csv", GOOD.encode(), "text/csv"))
    [error] = unbroken(at.run()).error
    assert "Not a directory" in error.value
    assert not list(folder.glob("**/*.part"))


def test_no_view_of_an_upload_outlives_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When both were collected in turn, Python 3.12.1 crashed and 3.13 complained."""
    (folder / "uploads").write_text("in the way")
    views, kept = [], sources._to_disk

    def watched(data: memoryview, name: str) -> str:
        views.append(data)
        return kept(data, name)

    monkeypatch.setattr(sources, "_to_disk", watched)
    upload("t.csv", GOOD.encode())
    with pytest.raises(ValueError, match="released"):
        bytes(views[0])


def test_gzipped_json_lines_parquet_and_excel_are_read() -> None:
    frame = pd.read_csv(io.StringIO(GOOD))
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    lines = frame.to_json(orient="records", lines=True).encode()
    book = io.BytesIO()
    frame.to_excel(book, index=False)
    files = (
        ("a.parquet", parquet.getvalue()),
        ("a.xlsx", book.getvalue()),
        ("a.jsonl.gz", gzip.compress(lines)),
    )
    for name, content in files:
        assert {m.label: m.value for m in upload(name, content).metric}["Items"] == "20"


BAD: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "empty": ("empty.csv", b"", ("empty",)),
    "header only": ("bare.csv", b"id,score\n", ("row",)),
    "not what its name says": ("t.parquet", GOOD.encode(), ("CSV",)),
    "Excel": ("t.csv", b"PK\x03\x04" + bytes(100), ("Excel",)),
    "unknown ending": ("table.docx", GOOD.encode(), ("csv",)),
    "out of range": (
        "t.csv",
        GOOD.replace("0.5,", "1.7,", 1).encode(),
        ("score", "line 12", "say that these are margins"),
    ),
    "missing score": ("t.csv", GOOD.replace("10,0.5,", "10,,", 1).encode(), ("missing", "line 12")),
    "infinite": ("t.csv", GOOD.replace("10,0.5,", "10,inf,", 1).encode(), ("finite", "line 12")),
    "text in the score": (
        "t.csv",
        GOOD.replace("10,0.5,", "10,high,", 1).encode(),
        ("number", "high", "line 12"),
    ),
    "duplicate ids": ("t.csv", GOOD.replace("\n3,", "\n2,").encode(), ("different", "line 5")),
    "missing id": ("t.csv", GOOD.replace("\n3,", "\n,").encode(), ("id", "line 5")),
    "percentages": (
        "t.csv",
        GOOD.replace("0.5,", "50,").encode(),
        ("score", "say that these are percentages"),
    ),
    "ragged": ("t.csv", GOOD.replace("item 1", "item, 1", 1).encode(), ("line 3",)),
    "binary rubbish": ("t.csv", bytes(range(256)) * 20, ()),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_uploads_are_refused_in_words(case: str, folder: Path) -> None:
    name, content, words = BAD[case]
    at = upload(name, content)
    shown = " ".join([*(e.value for e in at.error), *(w.value for w in at.warning)])
    assert shown, "nothing was said"
    assert "Traceback" not in shown
    assert [word for word in words if word not in shown.replace("\\", "")] == []
    assert not re.search("[0-9a-f]{20}", shown), "the name on disk"
    assert "`path`" not in shown, "nobody typed a path"
    assert "transform=" not in shown, "nobody writes Python here"
    assert not (folder / "pools").exists() or list((folder / "pools").iterdir()) == []


def test_labels_that_are_no_two_classes_are_left_out_and_refused_when_chosen() -> None:
    at = upload("t.csv", GOOD.replace(",1,item 7", ",maybe,item 7").encode())
    assert "no two\\-class label" in said(at)
    box(at, "True label").set_value("label").run()
    assert "maybe" in unbroken(at).error[0].value


def test_one_class_only_and_no_predicted_positive_are_noted() -> None:
    frame = pd.DataFrame({"id": range(30), "score": np.linspace(0, 0.4, 30), "label": 0})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert "Only one class occurs" in said(at)
    at = planned(at)
    unbroken(at.selectbox(key="metric").set_value("precision").run())
    assert "undefined" in said(at)
    assert at.button(key="create").disabled
    assert "No item is predicted positive" in said(at)


def test_where_labels_can_tell_nothing_the_plan_shows_no_figures_and_sensible_settings_ask_for_something() -> (
    None
):
    frame = pd.DataFrame({"id": range(30), "score": np.linspace(0, 0.4, 30)})
    file = frame.to_csv(index=False).encode()
    plan = planned(upload("t.csv", file))
    assert plan.selectbox(key="metric").value == "f1"
    assert "No label can change the F1 score" in said(plan)
    assert not re.search("± [0-9]|[0-9] labels?|€", said(plan))
    assert not plan.metric
    study = begun(upload("t.csv", file), "sensible")
    assert list(study.settings.metrics) == ["accuracy"]
    assert len(study.ask(5)) == 5


@pytest.mark.parametrize("rows", ["a,0.3", "a,0.2\nb,0.5\nc,0.9"])
def test_a_tiny_pool_is_planned_in_words_without_empty_pictures(rows: str) -> None:
    at = planned(upload("t.csv", f"id,score\n{rows}\n".encode()))
    assert not at.error
    assert not at.get("plotly_chart")
    assert ("Label all of it" in said(at)) == ("0.9" in rows)  # of the other one the F1 score is undefined
    assert ("Labels (M)" in said(at)) == ("0.9" in rows)


@pytest.mark.parametrize(("values", "seen"), [([0, 1], False), (["ham", "spam"], True)])
def test_a_column_that_may_be_the_label_is_asked_about(values: list[object], seen: bool) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 40), "is_spam": values * 20, "text": range(40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert ("is_spam" in fields(at)) == seen
    assert (
        f"Is `is_spam` the true label? {'It is' if seen else 'Because it may be, it is not'} shown"
        in said(at)
    )
    unbroken(at.button(key="is_label_is_spam").click().run())
    assert box(at, "True label").value == "is_spam"
    assert "the true label?" not in said(at)
    assert fields(at) == ["text"]
    if not seen:
        assert {m.label: m.value for m in at.metric}["Known labels"] == "40"


def test_a_question_among_the_columns_opens_them() -> None:
    """After "Yes, it is" the page was empty except for a closed box, inside which it asked for the positive class."""
    rows = "\n".join(f"{k},{k / 50},text {k},{('ok', 'faulty')[k % 2]}" for k in range(40))
    at = upload("t.csv", f"id,score,text,Zustand\n{rows}".encode())
    (box,) = (box for box in at.expander if box.label.startswith("**Columns**"))
    assert not box.proto.expanded
    unbroken(at.button(key="is_label_Zustand").click().run())
    (box,) = (box for box in at.expander if box.label.startswith("**Columns**"))
    assert box.proto.expanded
    assert "which class is positive" in box.warning[0].value
    again = start("Data", **{key: told(at, key) for key in ("source", "upload")})
    assert [found.value for found in again.selectbox if found.label.startswith("True label")] == ["Zustand"]
    assert "which class is positive" in again.warning[0].value


def test_the_table_s_own_label_leaves_nothing_to_ask() -> None:
    at = upload("t.csv", GOOD.replace("text", "urgent").replace("item ", "").encode())
    assert "the true label?" not in said(at)


def test_text_of_the_upload_is_shown_as_text() -> None:
    name = "<img src=x onerror=alert(1)> **b**"
    frame = pd.DataFrame({"score": [0.1, 0.9], name: ["=cmd()", "<script>"]})
    at = upload("**x**<b>.csv", frame.to_csv(index=False).encode())
    shown = [e.value for e in [*at.markdown, *at.caption]]
    assert any("img src" in text for text in shown)
    assert all("`" in text or "<img" not in text.replace("\\<", "") for text in shown)
    assert not any(getattr(e.proto, "allow_html", False) for e in [*at.markdown, *at.caption])


def test_margins_are_mapped_on_request() -> None:
    frame = pd.DataFrame({"id": range(40), "margin": np.linspace(-4, 4, 40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    box(at, "Score").set_value("margin").run()
    assert "say that these are margins" in at.error[0].value
    assert not [b for b in at.button if b.key == "are_percent"]
    box(at, "The scores are").set_value("sigmoid").run()
    unbroken(at)
    assert not at.error
    assert {m.label: m.value for m in at.metric}["Predicted “1”"] == "50%"


PERCENT = {
    "binary": pd.DataFrame({"score": np.linspace(0, 100, 40)}),
    "multiclass": pd.DataFrame({"p_a": np.linspace(0, 100, 40), "p_b": np.linspace(100, 0, 40)}),
}


@pytest.mark.parametrize("kind", PERCENT)
@pytest.mark.parametrize("scale", ["percent", "margin"])
def test_scores_beyond_1_are_said_to_be_percentages_or_margins_with_one_press(kind: str, scale: str) -> None:
    at = upload("t.csv", PERCENT[kind].to_csv(index=False).encode())
    assert "percent" in at.error[0].value
    key = "are_percent" if scale == "percent" else "are_softmax" if kind == "multiclass" else "are_sigmoid"
    unbroken(at.button(key=key).click().run())
    assert not at.error
    assert not [b for b in at.button if (b.key or "").startswith("are_")]
    assert box(at, "The scores are").value == key.removeprefix("are_")
    if scale == "percent":
        assert {m.value for m in at.metric if m.label.startswith("Predicted")} == {"50%"}


def test_which_of_two_classes_is_positive_can_be_told() -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 20), "label": ["ham", "spam"] * 10, "text": "t"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert "which class is positive?" in at.warning[0].value
    assert not at.error
    unbroken(box(at, "Which class is positive").set_value("spam").run())
    assert not at.warning
    assert {m.label: m.value for m in at.metric}["Predicted “spam”"] == "50%"
    unbroken(box(at, "Which class is positive").set_value("ham").run())
    assert {m.label: m.value for m in at.metric}["Predicted “ham”"] == "50%"


TICKETS = "ticket_id,text,prob_complaint\n" + "".join(f"T{k},text {k},{k / 20}\n" for k in range(21))


def test_what_a_positive_is_called_is_asked_and_guessed_from_the_score_s_name() -> None:
    at = upload("tickets.csv", TICKETS.encode())
    called = next(box for box in at.text_input if box.label.startswith("What is a positive"))
    assert called.value == "complaint"
    study = begun(at, "sensible")
    assert study.pool.task.classes == ("not complaint", "complaint")
    assert desk.shown_task(study.pool.task) == study.pool.task
    assert offline.sheet(study)["allowed_answers"][0].startswith("not complaint / complaint")
    (item,) = study.ask(1)
    study.tell(item, 1)
    assert [given.what.label for given in study.state.given.standing.values()] == [1]


def test_a_positive_that_has_an_opposite_of_its_own_keeps_it() -> None:
    at = upload("pairs.csv", TICKETS.replace("complaint", "match").encode())
    assert begun(at, "sensible").pool.task.classes == ("non-match", "match")


@pytest.mark.parametrize("name", ["", " ", "no", "0"])
def test_a_positive_without_a_name_of_its_own_stays_yes(name: str) -> None:
    at = upload("tickets.csv", TICKETS.encode())
    called = next(box for box in at.text_input if box.label.startswith("What is a positive"))
    unbroken(called.set_value(name).run())
    assert ("so it is not used" in said(at)) == bool(name.strip())
    study = begun(at, "sensible")
    assert study.pool.task.classes == ("0", "1")
    assert desk.shown_task(study.pool.task).classes == ("no", "yes")


def test_the_tiles_are_the_classes_predicted_most_often() -> None:
    predicted = ["c"] * 20 + ["a"] * 10 + ["d"] * 10 + ["b"] * 5 + ["e"] * 5
    rows = "".join(f"{k},text {k},{name}\n" for k, name in enumerate(predicted))
    at = upload("t.csv", f"id,text,predicted_class\n{rows}".encode())
    shown = [(m.label, m.value) for m in at.metric if m.label.startswith("Predicted")]
    assert shown == [("Predicted “c”", "40%"), ("Predicted “a”", "20%"), ("Predicted “d”", "20%")]


def test_the_tile_and_the_report_round_a_share_alike() -> None:
    rows = "".join(f"text {k},{0.9 if k < 9 else 0.1}\n" for k in range(40))  # 22.5% of them
    at = upload("t.csv", f"text,prob_complaint\n{rows}".encode())
    assert {m.label: m.value for m in at.metric}["Predicted “complaint”"] == "22%"
    assert "9 of 40 items \\(22%\\) predicted positive" in said(at)


def test_classes_that_the_table_names_are_not_asked_for() -> None:
    rows = "".join(f"{k / 20},{'ham' if k % 2 else 'spam'}\n" for k in range(21))
    at = upload("mails.csv", f"score_spam,label\n{rows}".encode())
    assert not [box for box in at.text_input if box.label.startswith("What is a positive")]


@pytest.mark.parametrize(
    ("kind", "values"), [("regression", [1.5, 2.0, 4.0]), ("multiclass", ["cat", "dog", "newt"])]
)
def test_predictions_under_unknown_names_can_be_chosen(kind: str, values: list[object]) -> None:
    frame = pd.DataFrame({"guessed": values * 10, "measured": values * 10, "place": "Köln"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert [w.value for w in at.warning] == [
        "No column is taken for the model's score or prediction\\: choose it here."
    ]
    assert not at.error
    unbroken(box(at, "What is predicted").set_value(kind).run())
    unbroken(box(at, "Prediction").set_value("guessed").run())
    unbroken(box(at, "True label").set_value("measured").run())
    assert "as told" not in said(at)
    assert not at.warning
    assert not at.error
    assert {m.label: m.value for m in at.metric}["Known labels"] == "30"
    assert "Known labels would" not in said(at)
    assert "`place`. Make sure" in said(at).replace("\\", "")


def test_decisions_without_scores_are_not_drawn_as_scores_and_every_class_is_counted() -> None:
    frame = pd.DataFrame({"pred": ["cat", "dog", "newt", "ox", "owl"] * 8, "place": "Köln"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert any("decisions but no scores" in caption.value for caption in at.caption)
    assert not at.get("plotly_chart")
    assert {m.label: m.value for m in at.metric}["Other classes"] == "2"


def test_of_several_systems_it_is_said_which_one_is_shown() -> None:
    frame = pd.DataFrame({"id": range(40), "old.score": 0.2, "new.score": np.linspace(0.1, 0.9, 40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert any("those of “old”, the first of 2 systems" in caption.value for caption in at.caption)


def test_scores_of_other_systems_can_be_chosen_to_compare() -> None:
    frame = pd.DataFrame({"id": range(40), "model_a": np.linspace(0.1, 0.9, 40), "model_b": 0.2, "text": "x"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("model_a").run())
    others = next(box for box in at.multiselect if box.label.startswith("Other systems"))
    assert others.options == ["model_b"]
    unbroken(others.set_value(["model_b"]).run())
    assert "those of “model_a”, the first of 2 systems" in said(at).replace("\\", "")
    study = begun(at, "sensible")
    assert [system.name for system in study.pool.systems] == ["model_a", "model_b"]
    assert (study.pool.fields.columns.tolist(), study.pool.systems[1].score[0]) == (["text"], 0.2)


def test_a_reload_finds_the_columns_as_they_were_confirmed() -> None:
    shares = np.linspace(5, 95, 40)
    frame = pd.DataFrame(
        {"no": range(40), "odd": shares, "other": shares, "answer?": ["ham", "spam"] * 20, "text": "x"}
    )
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("odd").run())
    unbroken(box(at, "True label").set_value("answer?").run())
    unbroken(box(at, "Which class is positive").set_value("ham").run())
    unbroken(box(at, "The scores are").set_value("percent").run())
    unbroken(next(s for s in at.slider if s.label.startswith("Threshold")).set_value(0.7).run())
    unbroken(
        next(m for m in at.multiselect if m.label.startswith("Other systems")).set_value(["other"]).run()
    )
    address = {key: told(at, key) for key in ("source", "upload")}
    again = start("Data", **address)
    for now in (
        again,
        unbroken(at.switch_page("pages/2_Plan.py").run())
        and unbroken(at.switch_page("pages/1_Data.py").run()),
    ):
        assert [box(now, b).value for b in ("Score", "True label", "Which class", "The scores are")] == [
            "odd",
            "answer?",
            "ham",
            "percent",
        ]
        assert next(s for s in now.slider if s.label.startswith("Threshold")).value == 0.7
        assert fields(now) == ["text"]
        assert {m.label: m.value for m in now.metric}["Predicted “ham”"] == {
            m.label: m.value for m in again.metric
        }["Predicted “ham”"]
    assert (
        "columns" not in at.query_params
    )  # each change of the address would be a step of the browser's Back


def test_what_a_positive_is_called_is_asked_again_after_a_reload() -> None:
    at = upload("t.csv", b"id,score,text\n1,0.4,a\n2,0.9,b\n")
    [box_] = [box for box in at.text_input if box.label.startswith("What is a positive called")]
    unbroken(box_.set_value("scam").run())
    again = start("Data", **{key: told(at, key) for key in ("source", "upload")})
    [found] = [box for box in again.text_input if box.label.startswith("What is a positive called")]
    assert found.value == "scam"
    assert "Predicted “scam”" in {m.label for m in again.metric}
    unbroken(found.set_value("").run())
    assert "Predicted “1”" in {m.label for m in again.metric}


def test_systems_chosen_by_hand_keep_their_names_and_decisions() -> None:
    frame = pd.DataFrame(
        {"id": range(40), "score_a": np.linspace(0.1, 0.9, 40), "pred_a": [0, 1] * 20, "score_b": 0.2}
    )
    frame = frame.assign(pred_b=[1, 1, 0, 0] * 10, label=[0, 1] * 20, said=[1, 0] * 20, text="x")
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "True label").set_value("said").run())
    study = begun(at, "sensible")
    assert [system.name for system in study.pool.systems] == ["a", "b"]
    assert study.pool.systems[1].pred.tolist() == [1, 1, 0, 0] * 10


def test_for_a_fourth_system_the_recommended_plan_is_the_queue_s() -> None:
    score = np.random.default_rng(4).beta(0.5, 1.5, (80, 4)).round(3)
    frame = pd.DataFrame(score, columns=[f"{name}.score" for name in "ABCD"]).assign(id=range(80))
    at = planned(upload("t.csv", frame.to_csv(index=False).encode()))
    for metric in ("f1", "f1[A - B]"):
        unbroken(at.selectbox(key="metric").set_value(metric).run())
        assert at.slider(key="trust").disabled
    unbroken(at.selectbox(key="metric").set_value("f1[A - D]").run())
    unbroken(at.select_slider(key="labels").set_value(40).run())
    assert not at.slider(key="trust").disabled
    assert at.slider(key="trust").value == 0.9
    found = advise_shrinkage(stores.pool(told(at, "pool")), metric="f1[A - D]", budget=40, preset="queue")
    assert suggestion(found) in said(at).replace("\\", "")
    study = begun(at, "create")
    assert study.method == PRESETS["queue"].method
    assert study.settings.preset == "recommended"


def test_the_first_systems_score_is_not_offered_as_another_system() -> None:
    frame = pd.DataFrame(
        {"id": range(40), "score_a": np.linspace(0.1, 0.9, 40), "score_b": 0.2, "label": [0, 1] * 20}
    )
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("score_b").run())
    others = next(box for box in at.multiselect if box.label.startswith("Other systems"))
    assert "score_b" not in [*others.options, *others.value]


def test_scores_of_several_classes_under_unknown_names_can_be_chosen() -> None:
    shares = np.random.default_rng(3).dirichlet([1, 1, 1], 40)
    frame = pd.DataFrame(shares, columns=[*"ABC"]).assign(kind=[*"ABCA"] * 10, place="Köln")
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "What is predicted").set_value("multiclass").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["A"]).run())
    assert "the other classes" in at.warning[0].value
    assert not at.error
    unbroken(scores.set_value([*"ABC"]).run())
    assert not at.warning
    unbroken(box(at, "True label").set_value("kind").run())
    assert {m.label: m.value for m in at.metric}["Known labels"] == "40"
    pool = stores.pool(told(planned(at), "pool"))
    assert pool.task == Task("multiclass", ("A", "B", "C"))
    assert np.allclose(pool.score, shares)
    assert list(pool.fields.columns) == ["place"]


def test_scores_of_several_labels_can_be_chosen() -> None:
    frame = pd.DataFrame({"billing": [0.2, 0.9, 0.4], "login": [0.7, 0.8, 0.1], "text": [*"abc"]})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "What is predicted").set_value("multilabel").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["login", "billing"]).run())
    assert not [*at.warning, *at.error]
    pool = stores.pool(told(planned(at), "pool"))
    assert pool.task == Task("multilabel", ("login", "billing"))


def test_a_judge_and_its_confidence_are_decision_and_score() -> None:
    """Read as the probability of yes, the confidence in a no would count against it."""
    lines = [
        f'{{"text": "t{k}", "verdict": "{"yes" if k % 3 else "no"}", "confidence": {0.51 + k / 50}}}'
        for k in range(20)
    ]
    at = upload("judge.jsonl", "\n".join(lines).encode())
    unbroken(at.button(key="is_pred_verdict").click().run())
    assert "7 differ from score" in said(at)
    yes = at.button(key="are_confidence")
    assert yes.label == "Yes, it does"  # the question begins with "does"
    unbroken(yes.click().run())
    assert "1 − confidence where the decision is negative" in said(at)
    assert not [b for b in at.button if b.key == "are_confidence"]
    assert "differ from score" not in said(at)


def test_a_field_that_turns_out_to_be_the_label_is_shown_no_more() -> None:
    """Once the score columns are chosen, the names of the classes show which column holds the label."""
    table = "mail,Lob,Frage,Kategorie\n" + "\n".join(
        f"Mail {k},{k / 20:.2f},{1 - k / 20:.2f},{'Lob' if k % 2 else 'Frage'}" for k in range(20)
    )
    at = upload("mails.csv", table.encode())
    unbroken(box(at, "What is predicted").set_value("multiclass").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["Lob", "Frage"]).run())
    assert fields(at) == ["mail"]
    next(box for box in at.multiselect if box.label.startswith("Shown")).set_value(["mail", "Kategorie"])
    unbroken(at.run())  # whoever wants it gets it
    assert fields(at) == ["mail", "Kategorie"]
    assert "Left out" not in said(at)


def test_the_threshold_and_the_fields_are_adjustable() -> None:
    at = upload("t.csv", GOOD.encode())
    threshold = next(s for s in at.slider if s.label.startswith("Threshold"))
    at = unbroken(threshold.set_value(0.8).run())
    assert {m.label: m.value for m in at.metric}["Predicted “1”"] == "20%"
    at.multiselect[0].set_value([]).run()
    assert "Shown to annotators" not in said(unbroken(at)) or "`text`" not in said(at)


def test_the_id_is_shown_while_labelling_only_if_chosen() -> None:
    """An id such as a house number may be the only thing by which an item can be looked up."""
    at = upload("t.csv", GOOD.encode())
    shown = next(box for box in at.multiselect if box.label.startswith("Shown"))
    assert ("id" in shown.options, shown.value) == (True, ["text"])
    at = unbroken(shown.set_value(["id", "text"]).run())
    assert not at.error
    study = begun(at, "sensible")
    [item] = study.ask(1)
    assert item.fields["id"] == item.id


def test_a_threshold_that_the_decisions_do_not_follow_is_not_drawn() -> None:
    frame = pd.DataFrame({"score": [0.1, 0.4, 0.6, 0.9], "pred": [0, 1, 1, 1]})
    assert looks.look(sv.Pool.from_frame(frame), None).threshold is None
    frame["pred"] = [0, 0, 1, 1]
    assert looks.look(sv.Pool.from_frame(frame), None).threshold == 0.5


def test_a_file_on_the_server_is_read_where_it_lies(folder: Path) -> None:
    path = folder / "scored.csv"
    path.write_text(GOOD)
    at = unbroken(start("Data").segmented_control(key="source").set_value("server").run())
    unbroken(at.text_input(key="server_path").set_value(str(path)).run())
    assert {m.label: m.value for m in at.metric}["Items"] == "20"
    assert not (folder / "uploads").exists()
    unbroken(at.text_input(key="server_path").set_value(str(folder / "nowhere.csv")).run())
    assert "does not exist" in at.error[0].value
    at.text_input(key="server_path").set_value("/no/such/d.xlsx").run()
    assert "got '/no/such/d.xlsx'" in at.error[0].value  # it read /no/such//no/such/d.xlsx


def test_classes_that_are_never_predicted_can_be_named() -> None:
    """A judge that calls everything "ham" may still be wrong."""
    at = upload("calls.csv", b"id,pred\n1,ham\n2,ham\n3,ham\n")
    at = fine(box(at, "What is predicted?").set_value("multiclass").run())
    others = next(asked for asked in at.multiselect if asked.label.startswith("Classes that no item"))
    at = fine(others.set_value(["spam", " eggs ", "ham"]).run())
    at = fine(at.button(key="sensible").click().run())
    study = sv.load_study("calls", stores.storage())
    assert study.pool.task.classes == ("ham", "spam", "eggs")
