"""Labels that are there before the study: those of the table, and those of another study."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval.report import methods
from sampleval.ui import held, stores, words
from sampleval.ui.plan import links, outlooks, planner
from tests.app.steps import begun, planned, said, stored, upload
from tests.apps import fine, start, told, unbroken
from tests.pools import calibrated
from tests.studies import of_another_version

pytestmark = pytest.mark.usefixtures("folder")


PARTLY = pd.DataFrame({"score": np.linspace(0, 1, 60), "text": range(60), "label": [*"011"] * 10 + [""] * 30})


def partly() -> AppTest:
    """The Data page of a table with a label for half of its items."""
    return upload("partly.csv", PARTLY.to_csv(index=False).encode())


def partly_planned(**query: str) -> AppTest:
    """The Plan page of this table."""
    pool = sv.Pool.from_frame(PARTLY.drop(columns="label"))
    known = sv.Labels.from_frame(PARTLY.replace("", None), pool)
    return start("Plan", pool=stored(pool, known), **query)


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
    assert "unless they are a random sample, it may mislead" in said(at)
    sensible = begun(at, "sensible")
    asked = start("Label", study=sensible.name)
    assert not [button.key for button in asked.button if str(button.key).startswith("oracle")]
    at = start("Plan", pool=sensible.pool.fingerprint)
    assert at.toggle(key="count_known").value
    assert "need not be a random sample" in said(at)
    pool = sensible.pool
    planned_for = sv.plan(pool, metric="f1", budget=30, held=sensible.known_labels())
    assert planned_for.asked == 30
    assert f"With **{planned_for.asked} labels**" in said(at)
    unbroken(at.number_input(key="within_f1").set_value(0.1).run())
    needed = sv.budget_for(pool, metric="f1", width=0.2, held=sensible.known_labels())
    assert f"About **{needed.likely:.0f} labels** for ± 0.1" in said(at)
    for study in (sensible, begun(at, "create")):
        assert study.known_labels() == {str(k): str([0, 1, 1][k % 3]) for k in range(30)}
        assert study.budget == 30
        assert answered(study) == set(range(30, 60))
    assert "reveal" not in [toggle.key for toggle in start("Results", study=sensible.name).toggle]


def test_labels_that_a_table_has_for_some_items_may_be_left_out() -> None:
    at = partly_planned()
    unbroken(at.toggle(key="count_known").set_value(False).run())
    assert "need not be a random sample" not in said(at)
    study = begun(at, "create")
    assert (study.known_labels(), study.budget) == ({}, 60)
    again = start("Plan", **links.in_url(study), pool=study.pool.fingerprint)
    assert not again.toggle(key="count_known").value


def test_labels_that_a_table_has_since_its_last_upload_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr("streamlit.query_params", {})
    pool = sv.Pool.from_frame(PARTLY.drop(columns="label"))
    for some in (10, 30):
        known = sv.Labels.from_frame(PARTLY.assign(label=PARTLY["label"].where(PARTLY.index < some)), pool)
        stores.keep(pool, known)
        assert len(held.of_table(pool, stores.labels(pool.fingerprint))) == some


def test_a_plan_is_of_the_labels_it_counts() -> None:
    pool = sv.Pool.from_frame(PARTLY.drop(columns="label"))
    wanted = planner.Wanted("f1", "recommended", 20)
    table = partial(held.of_table, pool, sv.Labels.from_frame(PARTLY.replace("", None), pool))
    for known in (held.NOTHING, table(), table(random=True)):
        found = sv.plan(pool, metric="f1", budget=20, held=known.labels, held_random=known.random)
        assert outlooks.outlook(pool, wanted, known).plan.expected_width == found.expected_width


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
    at = partly_planned()
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
    at = partly_planned()
    unbroken(at.select_slider(key="labels").set_value(10).run())
    assert "before any new label" in said(at)
    unbroken(at.toggle(key="known_random").set_value(True).run())
    assert "based on what the known labels say of the others (" in said(at)
    study = begun(at, "create")
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
    pool, _ = calibrated(350)
    earlier = sv.create_study(pool, metric="f1", budget=10, storage=stores.storage(), name="earlier")
    for item in earlier.ask(5):
        earlier.tell(item.id, 0)
    return earlier, start("Plan", pool=earlier.pool.fingerprint)


def test_labels_of_another_study_can_be_taken_over() -> None:
    other = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.8]}))
    sv.create_study(other, metric="f1", budget=1, storage=stores.storage(), name="elsewhere")
    earlier, plan = beside_an_earlier_one()
    assert plan.selectbox(key="held").options == ["no other study", "earlier"]
    plan.selectbox(key="held").set_value("earlier").run()
    plan_before = said(plan)
    unbroken(plan.button(key="create").click().run())
    study = sv.load_study(told(plan, "study"), stores.storage())
    assert set(study.known_labels()) == set(earlier.known_labels())
    assert study.settings.held_random
    planned_for = sv.plan(study.pool, metric="f1", budget=300, held=earlier.known_labels(), held_random=True)
    half = words.number(planned_for.expected_width / 2)
    assert f"**± {half}**" in plan_before


def test_labels_given_since_are_taken_over_too() -> None:
    earlier, plan = beside_an_earlier_one()
    plan.selectbox(key="held").set_value("earlier").run()
    for item in earlier.ask(3):
        earlier.tell(item.id, 0)
    assert begun(plan, "create").known_labels() == earlier.known_labels()


def test_labels_of_the_table_that_are_not_to_count_do_not_come_with_those_of_a_study() -> None:
    """Switched off, they counted all the same if the study whose labels were taken over had counted them."""
    earlier = begun(partly_planned(), "create")
    for item in earlier.ask(3):
        earlier.tell(item, 1)
    own = {item for item in earlier.known_labels() if int(item) >= 30}
    assert len(own) == 3
    at = start("Plan", pool=earlier.pool.fingerprint, held=earlier.name, count_known="false")
    assert words.held(3, 60) in said(at)
    assert set(begun(at, "create").known_labels()) == own


def test_labels_that_somebody_picked_teach_nothing_beside_those_of_a_study() -> None:
    earlier = begun(partly_planned(count_known="false"), "create")
    item = next(item for item in earlier.ask(9) if int(item.id) < 30)
    other = "10"[int(PARTLY["label"][int(item.id)])]  # than the table says
    earlier.tell(item, other)
    for random in (False, True):
        at = start("Plan", pool=earlier.pool.fingerprint, held=earlier.name, known_random=str(random).lower())
        study = begun(at, "create")
        assert (len(study.known_labels()), study.known_labels()[item.id]) == (30, other)
        assert study.settings.held_random == random


def test_a_study_without_labels_leaves_those_of_the_table_as_they_are() -> None:
    """Labels called a random sample taught nothing any more, since the study that was to add to them had none."""
    earlier = begun(partly_planned(count_known="false"), "create")
    at = start("Plan", pool=earlier.pool.fingerprint, held=earlier.name, known_random="true")
    study = begun(at, "create")
    assert (len(study.known_labels()), study.settings.held_random) == (30, True)


def test_labels_are_called_no_random_sample_beside_those_that_are_none() -> None:
    """It could be switched on, and changed nothing: of such labels together the method learns from none."""
    earlier = begun(partly_planned(), "create")
    place = {"pool": earlier.pool.fingerprint, "known_random": "true"}
    sample = start("Plan", **place, held=earlier.name).toggle(key="known_random")
    assert sample.disabled
    assert f"labels of “{earlier.name}”" in sample.help
    assert not start("Plan", **place).toggle(key="known_random").disabled


def test_labels_taken_over_that_a_duplicate_has_not_are_said() -> None:
    """The study to duplicate held five; its duplicate asked for all of them again, without a word."""
    _, plan = beside_an_earlier_one()
    plan.selectbox(key="held").set_value("earlier").run()
    study = begun(plan, "create")
    query = links.in_url(study)
    assert "known_random" not in query  # of labels in the table
    again = fine(start("Plan", pool=study.pool.fingerprint, **query))
    [said_so] = again.warning
    n = len(study.state.problem.held)
    assert f"= {n}, which cannot be chosen here: say at “Take over labels of”" in said_so.value.replace(
        "\\", ""
    )
    of_it = begun(partly_planned(), "create")
    assert links.TAKEN not in links.in_url(of_it)


def test_labels_of_a_study_that_does_not_open_can_be_taken_over() -> None:
    earlier, _ = beside_an_earlier_one()
    of_another_version(stores.storage().url)
    for page in ("Label", "Results"):
        at = unbroken(start(page, study="earlier"))
        assert "take over its labels" in at.error[0].value
        [onward] = [link.proto for link in at.get("page_link") if "takes over" in link.proto.label]
    plan = fine(start("Plan", **dict(parse_qsl(onward.query_string))))
    assert plan.selectbox(key="held").value == "earlier"
    study = sv.load_study(told(unbroken(plan.button(key="create").click().run()), "study"), stores.storage())
    assert study.known_labels() == earlier.known_labels()
    assert study.settings.held_random


def test_what_is_left_to_draw_from_counts_the_labels_taken_over() -> None:
    """The number had stayed as without held labels, or had not been shown at all."""
    earlier, plan = beside_an_earlier_one()
    assert "Known labels" not in said(plan)
    plan.selectbox(key="held").set_value("earlier").run()
    assert words.held(5, earlier.pool.size) in said(plan)
