"""Every page opens with its question, and what leads from one page to another keeps the data and begins one study."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval.ui import stores
from sampleval.ui.pages import PAGES
from sampleval.ui.plan import beginning
from tests.app.steps import begun, digits, said
from tests.apps import fine, start, told, unbroken
from tests.pools import binary

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_and_begins_with_its_question(name: str) -> None:
    at = start(name)
    assert at.title[0].value == PAGES[name].question
    assert not at.error


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


@pytest.mark.parametrize(("apart", "studies"), [(beginning.DOUBLE, 1), (-1.0, 2)])
def test_a_double_click_begins_one_study(apart: float, studies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second click starts a run while that of the first still goes on, and this run had begun a second study."""
    pool, _ = binary()
    monkeypatch.setattr("streamlit.session_state", {})
    monkeypatch.setattr(beginning, "DOUBLE", apart)
    on_the_way = Event()

    def begin() -> sv.study.Study:
        on_the_way.set()
        time.sleep(0.1)
        return beginning.begin_sensibly(pool, "items")

    def press() -> str:
        return beginning.once(pool.fingerprint, begin)

    with ThreadPoolExecutor() as threads:
        first = threads.submit(press)
        assert on_the_way.wait(10)
        second = threads.submit(press)
        led = {first.result(), second.result()}
    assert led == {record.name for record in stores.storage().studies()}
    assert len(led) == studies


@pytest.mark.parametrize(("name", "key"), [("Data", "sensible"), ("Plan", "create")])
def test_sensible_settings_begin_one_study_whichever_page_they_are_pressed_on(name: str, key: str) -> None:
    at = start(name, pool=digits())
    for _ in range(2):
        at.switch_page(PAGES[name].file).run()
        at.button(key=key).click().run()
    (record,) = stores.storage().studies()
    assert told(at, "study") == record.name


@pytest.mark.parametrize(("name", "key"), [("Data", "sensible"), ("Plan", "create")])
def test_people_who_begin_at_once_get_studies_of_their_own(
    name: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a class that began at once some were told that a study of this name existed: a name they had not chosen."""
    pool = stores.pool(digits())
    at, find = start(name, pool=pool.fingerprint), beginning.free_name

    def overtaken(stem: str) -> str:
        free = find(stem)
        if free != "study-2":  # somebody else takes the name as soon as it was found to be free
            sv.create_study(pool, metric="f1", budget=5, storage=stores.storage(), name=free)
        return free

    monkeypatch.setattr(beginning, "free_name", overtaken)
    assert begun(at, key).name == "study-2"
    assert {record.name for record in stores.storage().studies()} == {"study", "study-2"}


def test_a_pool_in_use_is_read_once_however_many_others_are_read_meanwhile() -> None:
    scores = [pd.DataFrame({"score": [0.2, 0.5 + k / 100, 0.9]}) for k in range(stores.POOLS_IN_MEMORY + 2)]
    stored = [sv.Pool.from_frame(frame) for frame in scores]
    for pool in stored:
        stores.storage().save_pool(pool)
    first, *_ = read = [stores.pool(pool.fingerprint) for pool in stored]
    assert [pool.fingerprint for pool in read] == [pool.fingerprint for pool in stored]
    assert stores.pool(first.fingerprint) is first


def test_data_in_the_address_go_before_those_of_the_study_there(monkeypatch: pytest.MonkeyPatch) -> None:
    study = sv.create_study(binary(20)[0], metric="f1", budget=5, storage=stores.storage(), name="s")
    monkeypatch.setattr("streamlit.session_state", {})
    for others, named in (({}, study.pool.fingerprint), ({"pool": "0" * 64}, "0" * 64)):
        monkeypatch.setattr("streamlit.query_params", {"study": "s"} | others)
        assert stores.named_pool() == named


def test_the_last_link_of_the_data_page_keeps_the_data_too() -> None:
    at = unbroken(start("Data").button(key="next").click().run())
    assert "First choose" not in said(start("Plan", pool=told(at, "pool")))


def test_the_second_study_of_a_demo_gets_a_name_of_its_own() -> None:
    for _ in range(2):
        start("Data").button(key="sensible").click().run()
    assert {record.name for record in stores.storage().studies()} == {"digits", "digits-2"}


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
    assert stores.labels(told(at, "pool")) is not None
    if earlier:
        at.query_params["pool"] = before  # by the browser's Back, or from the list of studies
        assert stores.pool(told(fine(at.run()), "pool")).task.kind == "binary"
